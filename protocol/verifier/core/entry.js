/** Entries and their contents (SPEC 5.1, 5.4). */

import { decode } from "./canonical.js";
import { Illegal, LogError, Malformed } from "./errors.js";
import { taggedHash } from "./hashes.js";

export const MAX_ENTRY = 1024;

/**
 * @typedef {object} Entry
 * @property {Uint8Array} session
 * @property {number} number
 * @property {Uint8Array} parent
 * @property {0 | 1} seat of its author
 * @property {Uint8Array} handshake
 * @property {string} kind
 * @property {Uint8Array} content an encoding, or what should be one
 * @property {Uint8Array} state
 * @property {Uint8Array} signature
 * @property {Uint8Array} hash
 */

/**
 * Parse an entry. Its signature and its content are not checked.
 * @param {Uint8Array} bytes
 * @returns {Entry}
 * @throws {Malformed}
 */
export function parseEntry(bytes) {
  const outer = decode(bytes, MAX_ENTRY);
  check(Array.isArray(outer) && outer.length === 2 && outer.every(isBytes), "not_an_entry");
  const [envelope, signature] = outer;
  check(signature.length === 64, "not_an_entry");
  const items = decode(envelope, MAX_ENTRY);
  check(Array.isArray(items) && items.length === TYPES.length, "not_an_envelope");
  check(items.every((item, at) => TYPES[at](item)), "not_an_envelope");
  const [session, number, parent, seat, handshake, kind, content, state] = items;
  check([session, parent, handshake, state].every(isHash), "bad_hash_size");
  check(number >= 0 && number < 2 ** 32 && isSeat(seat), "bad_number");
  const hash = taggedHash("entry", envelope);
  return { session, number, parent, seat, handshake, kind, content, state, signature, hash };
}

function check(condition, reason) {
  if (!condition) throw new Malformed(reason);
}

const isBytes = (value) => value instanceof Uint8Array;
const isHash = (value) => isBytes(value) && value.length === 32;
const isInteger = (value) => typeof value === "number" || typeof value === "bigint";
const isString = (value) => typeof value === "string";
const isSeat = (value) => value === 0 || value === 1;
const isAnything = () => true;

/** The types of the items of an envelope. */
const TYPES = [isBytes, isInteger, isBytes, isInteger, isBytes, isString, isBytes, isBytes];

/**
 * The form of the items of each content. What only the match can know is left to it: whether there must be a commitment
 * (the last item of three kinds), which signatures hold, and the whole result.
 */
const FORMS = {
  draw_commit: [isHash],
  draw_contribution: [isHash],
  draw_reveal: [isHash, isAnything],
  action: [isString, isAnything],
  choice_commit: [isHash],
  choice_contribution: [isString],
  choice_reveal: [isString, isHash, isAnything],
  resignation: [isSeat, isBytes, isBytes],
  abandonment: [isBytes],
  result: null,
};

/**
 * Parse the content of an entry whose kind is one of SPEC 5.4. That of a `result` may be any value.
 * @param {Entry} entry
 * @returns {import("./canonical.js").Value[]}
 * @throws {Illegal} `malformed_content`
 */
export function parseContent({ kind, content }) {
  const form = FORMS[kind];
  const items = decodeContent(content);
  const fits = Array.isArray(items) && items.length === form?.length && items.every((item, at) => form[at](item));
  if (form !== null && !fits) throw new Illegal("malformed_content");
  return items;
}

function decodeContent(content) {
  try {
    return decode(content, MAX_ENTRY);
  } catch (error) {
    if (error instanceof LogError) throw new Illegal("malformed_content");
    throw error;
  }
}
