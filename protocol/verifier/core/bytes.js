/** Byte strings. */

export { bytesToHex as toHex, hexToBytes as fromHex } from "@noble/hashes/utils.js";

/**
 * Compare two byte strings. Anything else is equal to nothing.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function sameBytes(one, other) {
  return (
    one instanceof Uint8Array &&
    other instanceof Uint8Array &&
    one.length === other.length &&
    one.every((byte, at) => byte === other[at])
  );
}
