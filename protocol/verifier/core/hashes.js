/** Tagged hashes and commitments (SPEC 3.1, 3.5). */

import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { encode } from "./canonical.js";

/**
 * Compute `H(tag; a, b, …)` (SPEC 3.1).
 * @param {string} tag
 * @param {...import("./canonical.js").Value} parts
 * @returns {Uint8Array} 32 bytes
 */
export function taggedHash(tag, ...parts) {
  return sha256(concatBytes(encode(`p2p-shanghaien/1/${tag}`), encode(parts)));
}

/** Compute the commitment to a share in entry `number`, by the holder of `key` (SPEC 3.5). */
export function shareCommitment(session, number, key, share) {
  return taggedHash("commitment", session, number, key, share);
}

/** Compute the commitment to an action in entry `number`, by the holder of `key`, with a salt (SPEC 3.5). */
export function choiceCommitment(session, number, key, salt, action) {
  return taggedHash("choice", session, number, key, salt, action);
}
