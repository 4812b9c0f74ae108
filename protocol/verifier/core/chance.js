/** Draws by both players (SPEC 6). */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { taggedHash } from "./hashes.js";

/**
 * Compute the seed of a draw, from the shares of both seats and the place of the `draw_reveal` (SPEC 6.1).
 * @param {Uint8Array} session
 * @param {number} number
 * @param {Uint8Array} parent
 * @param {[Uint8Array, Uint8Array]} shares seat 0's first
 * @returns {Uint8Array}
 */
export function drawSeed(session, number, parent, shares) {
  return taggedHash("outcome", session, number, parent, ...shares);
}

/**
 * Compute the indices of a draw, one for each bound from 1 to 65,536 (SPEC 6.3).
 * @param {Uint8Array} seed
 * @param {number[]} bounds
 * @returns {number[]}
 */
export function drawIndices(seed, bounds) {
  const bytes = stream(seed);
  const next = () => bytes.next().value;
  return bounds.map((bound) => {
    const wide = bound > 256;
    const size = wide ? 65536 : 256;
    // beyond the last multiple of the bound, the low indices would come more often
    const end = size - (size % bound);
    let number;
    do number = wide ? next() * 256 + next() : next();
    while (number >= end);
    return number % bound;
  });
}

/** Yield the bytes of HMAC(seed, 0) ‖ HMAC(seed, 1) ‖ … (SPEC 6.2). */
function* stream(seed) {
  for (let number = 0; ; number++) {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, number);
    yield* hmac(sha256, seed, counter);
  }
}
