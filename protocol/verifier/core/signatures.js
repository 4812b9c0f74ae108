/**
 * Ed25519 public keys and signatures, with exactly the checks of SPEC 3.3 and 3.4.
 *
 * The library verifies signatures as well, but with checks of its own. So only its arithmetic of points is used here.
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { sameBytes, toHex } from "./bytes.js";

const { Point } = ed25519;
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const E = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y of the eight points of small order. */
const SMALL_ORDER = new Set([0n, 1n, P - 1n, E, P - E]);

/** Size in bits of the windows of a key's table. A larger table pays only in logs that are longer than a game. */
const WINDOW = 5;

/** The latest keys by their hexadecimal digits, the last one at the end: several logs are often of the same players. */
const recent = new Map();
const MAX_RECENT = 8;

/** A public key that is not refused (SPEC 3.3). */
export class PublicKey {
  /**
   * Read a key.
   * @param {Uint8Array} bytes
   * @returns {PublicKey | null} null if the key is refused
   */
  static from(bytes) {
    if (bytes.length !== 32) return null;
    const y = readY(bytes);
    if (y >= P || SMALL_ORDER.has(y)) return null;
    const name = toHex(bytes);
    const key = recent.get(name) ?? PublicKey.decode(bytes);
    if (key === null) return null;
    recent.delete(name);
    recent.set(name, key);
    if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value);
    return key;
  }

  static decode(bytes) {
    try {
      return new PublicKey(Uint8Array.from(bytes), Point.fromBytes(bytes));
    } catch {
      return null; // no point of the curve has this y
    }
  }

  constructor(bytes, point) {
    this.bytes = bytes;
    // for the equation, with a table that is made at the first signature
    this.negated = point.negate().precompute(WINDOW);
  }

  /**
   * Verify a signature of a message, a hash of 32 bytes, under this key (SPEC 3.4).
   * @param {Uint8Array} message
   * @param {Uint8Array} signature
   * @returns {boolean}
   */
  verifies(message, signature) {
    if (signature.length !== 64) return false;
    const r = signature.subarray(0, 32);
    const s = littleEndian(signature.subarray(32));
    if (s >= L || SMALL_ORDER.has(readY(r))) return false;
    const h = littleEndian(sha512(concatBytes(r, this.bytes, message))) % L;
    const point = Point.BASE.multiplyUnsafe(s).add(this.negated.multiplyUnsafe(h));
    return sameBytes(point.toBytes(), r);
  }
}

/** Read the y of an encoded point: a little-endian number without its highest bit, which is the sign of x. */
function readY(bytes) {
  return littleEndian(bytes) & (2n ** 255n - 1n);
}

function littleEndian(bytes) {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
