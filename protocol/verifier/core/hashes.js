/** Tagged hashes and what is made of them (SPEC 3.1, 3.5, 3.7). */

import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { encode } from "./canonical.js";

/**
 * `H(tag; a, b, …)`.
 * @param {string} tag
 * @param {...import("./canonical.js").Value} parts
 * @returns {Uint8Array} 32 bytes
 */
export function taggedHash(tag, ...parts) {
  return sha256(concatBytes(encode(`p2p-shanghaien/1/${tag}`), encode(parts)));
}

/** The commitment in entry `number` of the holder of `key` to a share. */
export function shareCommitment(session, number, key, share) {
  return taggedHash("commitment", session, number, key, share);
}

/** The commitment in entry `number` of the holder of `key` to an action, with a salt. */
export function choiceCommitment(session, number, key, salt, action) {
  return taggedHash("choice", session, number, key, salt, action);
}
