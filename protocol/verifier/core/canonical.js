/**
 * Canonical values (SPEC 2).
 *
 * Nil is null, byte strings are Uint8Array, arrays are arrays. An integer is a number if its absolute value is at most
 * 2^53 - 1, and a BigInt beyond, so that none loses a digit. Decoded strings have no lone surrogates: UTF-8 has none.
 */

import { Malformed } from "./errors.js";

/** @typedef {null | boolean | number | bigint | string | Uint8Array | Value[]} Value */

const MAX_DEPTH = 8;

const utf8 = new TextEncoder();
// a U+FEFF at the beginning is a character like any other
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Encode a value (SPEC 2.2).
 * @param {Value} value
 * @returns {Uint8Array}
 * @throws {TypeError} if it is no value
 */
export function encode(value) {
  const out = [];
  write(value, out);
  return Uint8Array.from(out);
}

/**
 * Decode a value. Bytes that are not the one encoding of a value are refused (SPEC 2.3).
 * @param {Uint8Array} bytes
 * @param {number} limit how many bytes there may be (SPEC 1.4)
 * @returns {Value}
 * @throws {Malformed} `too_long` or `not_canonical`
 */
export function decode(bytes, limit) {
  if (bytes.length > limit) throw new Malformed("too_long");
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new Malformed("not_canonical");
  return value;
}

function write(value, out) {
  if (value === null) out.push(0xc0);
  else if (typeof value === "boolean") out.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number" || typeof value === "bigint") writeInteger(value, out);
  else if (typeof value === "string") {
    const bytes = utf8.encode(value);
    writeHead(bytes.length, [0xa0, 31], [0xd9, 0xda, 0xdb], out);
    for (const byte of bytes) out.push(byte);
  } else if (value instanceof Uint8Array) {
    writeHead(value.length, null, [0xc4, 0xc5, 0xc6], out);
    for (const byte of value) out.push(byte);
  } else if (Array.isArray(value)) {
    writeHead(value.length, [0x90, 15], [null, 0xdc, 0xdd], out);
    for (const item of value) write(item, out);
  } else throw new TypeError(`no canonical value: ${typeof value}`);
}

/** Write a length: in the type byte, if `within` has room for it, else in 1, 2 or 4 bytes behind one. */
function writeHead(length, within, [one, two, four], out) {
  if (within && length <= within[1]) out.push(within[0] + length);
  else if (one !== null && length < 2 ** 8) out.push(one, length);
  else if (length < 2 ** 16) out.push(two, ...bigEndian(length, 2));
  else out.push(four, ...bigEndian(length, 4));
}

function writeInteger(value, out) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new TypeError(`no integer: ${value}`);
  if (value < -(2n ** 63n) || value >= 2n ** 64n) throw new TypeError(`too large: ${value}`);
  if (value >= -32 && value < 128) out.push(Number(value) & 0xff);
  else if (value >= 0) {
    const size = [1, 2, 4].find((bytes) => value < 2 ** (8 * bytes)) ?? 8;
    out.push({ 1: 0xcc, 2: 0xcd, 4: 0xce, 8: 0xcf }[size], ...bigEndian(value, size));
  } else {
    const size = [1, 2, 4].find((bytes) => value >= -(2 ** (8 * bytes - 1))) ?? 8;
    out.push({ 1: 0xd0, 2: 0xd1, 4: 0xd2, 8: 0xd3 }[size], ...bigEndian(value, size));
  }
}

function bigEndian(value, size) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes.subarray(8 - size);
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** Read the next value; `depth` is the number of arrays around it. */
  value(depth) {
    const [type] = this.take(1);
    if (type < 0x80) return type;
    if (type < 0x90) throw new Malformed("not_canonical");
    if (type < 0xa0) return this.array(type & 0x0f, depth);
    if (type < 0xc0) return this.string(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      // each longer form begins where the next shorter one ends
      case 0xc4:
        return this.take(this.unsigned(1, 0));
      case 0xc5:
        return this.take(this.unsigned(2, 2 ** 8));
      case 0xc6:
        return this.take(this.unsigned(4, 2 ** 16));
      case 0xcc:
        return this.unsigned(1, 2 ** 7);
      case 0xcd:
        return this.unsigned(2, 2 ** 8);
      case 0xce:
        return this.unsigned(4, 2 ** 16);
      case 0xcf:
        return this.unsigned(8, 2 ** 32);
      case 0xd0:
        return this.negative(1, -(2 ** 5));
      case 0xd1:
        return this.negative(2, -(2 ** 7));
      case 0xd2:
        return this.negative(4, -(2 ** 15));
      case 0xd3:
        return this.negative(8, -(2 ** 31));
      case 0xd9:
        return this.string(this.unsigned(1, 32));
      case 0xda:
        return this.string(this.unsigned(2, 2 ** 8));
      case 0xdb:
        return this.string(this.unsigned(4, 2 ** 16));
      case 0xdc:
        return this.array(this.unsigned(2, 16), depth);
      case 0xdd:
        return this.array(this.unsigned(4, 2 ** 16), depth);
      default:
        throw new Malformed("not_canonical");
    }
  }

  array(count, depth) {
    if (depth === MAX_DEPTH) throw new Malformed("not_canonical");
    const items = [];
    // a count that is a lie ends with the bytes: each item takes at least one
    for (let left = count; left > 0; left--) items.push(this.value(depth + 1));
    return items;
  }

  string(length) {
    try {
      return strictUtf8.decode(this.take(length));
    } catch {
      throw new Malformed("not_canonical");
    }
  }

  /** Read an integer of `size` bytes. Below `least` there is a shorter form. */
  unsigned(size, least) {
    const integer = this.bigEndian(size);
    if (integer < least) throw new Malformed("not_canonical");
    return plain(integer);
  }

  /** Read a negative integer of `size` bytes. From `limit` on there is a shorter form. */
  negative(size, limit) {
    const integer = BigInt.asIntN(8 * size, this.bigEndian(size));
    if (integer >= limit) throw new Malformed("not_canonical");
    return plain(integer);
  }

  bigEndian(size) {
    let value = 0n;
    for (const byte of this.take(size)) value = (value << 8n) | BigInt(byte);
    return value;
  }

  take(length) {
    const end = this.at + length;
    if (end > this.bytes.length) throw new Malformed("not_canonical");
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

function plain(integer) {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}
