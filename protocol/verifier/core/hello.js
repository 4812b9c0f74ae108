/** Hellos (SPEC 4.6). */

import { decode } from "./canonical.js";
import { Malformed } from "./errors.js";
import { PublicKey } from "./signatures.js";
import { isClean } from "./text.js";

const MAX_HELLO = 1024;
const MAX_NAME = 32;
const MAX_WORD = 64;
const MAX_SETTINGS = 16;
const MAX_VERSIONS = 32;

export const HOST = 0;
export const GUEST = 1;

/**
 * @typedef {object} Hello
 * @property {number[]} versions
 * @property {0 | 1} role
 * @property {Uint8Array} nonce
 * @property {PublicKey} key
 * @property {string} name
 * @property {string | null} game
 * @property {number | null} rules
 * @property {[string, string][]} settings
 * @property {Uint8Array | null} resumes
 * @property {boolean} private
 * @property {boolean} watchable
 * @property {Uint8Array} channel
 */

/**
 * Parse a hello. Its text may be in any normal form (SPEC 9.1).
 * @param {Uint8Array} bytes
 * @param {0 | 1} role whose hello it must be
 * @returns {Hello}
 * @throws {Malformed}
 */
export function parseHello(bytes, role) {
  return readHello(decode(bytes, MAX_HELLO), role);
}

/** Read a hello from a canonical value. Of several errors the first counts (SPEC 14). */
export function readHello(value, role) {
  check(Array.isArray(value) && value.length === TYPES.length, "not_a_hello");
  check(value.every((item, at) => TYPES[at](item)), "not_a_hello");
  const [versions, itsRole, nonce, keyBytes, name, game, rules, settings, resumes, ...last] = value;
  const [isPrivate, watchable, channel] = last;
  check(versions.length >= 1 && versions.length <= MAX_VERSIONS && versions.every(isVersion), "not_a_hello");
  check(itsRole === role, "wrong_role");
  check([nonce, resumes, channel].every((hash) => hash === null || hash.length === 32), "bad_hash_size");
  const key = PublicKey.from(keyBytes);
  check(key !== null, "refused_key");
  check(isClean(name, MAX_NAME) && (game === null || isClean(game, MAX_WORD)), "bad_name");
  check(rules === null || isVersion(rules), "not_a_hello");
  // a guest may leave to the host what is played (SPEC 4.6)
  check(role === GUEST || (game !== null && rules !== null), "not_a_hello");
  check(settings.length <= MAX_SETTINGS && settings.every(isSetting), "bad_setting");
  check(new Set(settings.map(([setting]) => setting)).size === settings.length, "bad_setting");
  return { versions, role, nonce, key, name, game, rules, settings, resumes, private: isPrivate, watchable, channel };
}

function check(condition, reason) {
  if (!condition) throw new Malformed(reason);
}

const isBytes = (value) => value instanceof Uint8Array;
const isString = (value) => typeof value === "string";
const isInteger = (value) => typeof value === "number" || typeof value === "bigint";
const isBoolean = (value) => typeof value === "boolean";
const orNil = (isType) => (value) => value === null || isType(value);

/** The types of the items. */
const TYPES = [
  ...[Array.isArray, isInteger, isBytes, isBytes, isString, orNil(isString), orNil(isInteger)],
  ...[Array.isArray, orNil(isBytes), isBoolean, isBoolean, isBytes],
];

const isVersion = (value) => typeof value === "number" && value >= 1 && value <= 65535;

function isSetting(value) {
  return (
    Array.isArray(value) && value.length === 2 && value.every((word) => isString(word) && isClean(word, MAX_WORD))
  );
}
