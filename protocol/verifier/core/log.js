/** The records of a log (SPEC 8.1, 8.2). */

import { decode } from "./canonical.js";
import { LogError, Malformed } from "./errors.js";
import { sameBytes } from "./bytes.js";

const MAGIC = Uint8Array.of(0x53, 0x48, 0x4c, 0x4f, 0x47, 0x01, 0x0d, 0x0a);
const MAX_OPENING = 2192;

/**
 * Read the record at a place in a log.
 * @param {Uint8Array} bytes the whole log
 * @param {number} at where its length begins
 * @param {number} limit of its length
 * @returns {Uint8Array | null} null if no complete record follows
 * @throws {Malformed} `bad_record_length`
 */
export function readRecord(bytes, at, limit) {
  const start = at + 4;
  if (start > bytes.length) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
  // such a length is corrupt, even if the file ends before it is reached
  if (length === 0 || length > limit) throw new Malformed("bad_record_length");
  return start + length > bytes.length ? null : bytes.subarray(start, start + length);
}

/**
 * Read the opening record: both hellos and the signatures of both proofs, as byte strings.
 * @param {Uint8Array} bytes the whole log
 * @returns {{ hellos: [Uint8Array, Uint8Array], proofs: [Uint8Array, Uint8Array], end: number }} `end` is where the
 *   next record begins
 * @throws {Malformed}
 */
export function readOpening(bytes) {
  if (!sameBytes(bytes.subarray(0, MAGIC.length), MAGIC)) throw new Malformed("not_a_log");
  const record = readRecord(bytes, MAGIC.length, MAX_OPENING);
  if (record === null) throw new Malformed("log_without_opening");
  const items = decodeOpening(record);
  if (!Array.isArray(items) || items.length !== 4 || !items.every((item) => item instanceof Uint8Array)) {
    throw new Malformed("bad_opening");
  }
  const [hostHello, guestHello, ...proofs] = items;
  if (proofs.some((proof) => proof.length !== 64)) throw new Malformed("bad_opening");
  return { hellos: [hostHello, guestHello], proofs, end: MAGIC.length + 4 + record.length };
}

function decodeOpening(record) {
  try {
    return decode(record, MAX_OPENING);
  } catch (error) {
    if (error instanceof LogError) throw new Malformed("bad_opening");
    throw error;
  }
}
