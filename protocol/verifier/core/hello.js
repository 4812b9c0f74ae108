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

/** Read a hello from a canonical value. */
export function readHello(value, role) {
  check(Array.isArray(value) && value.length === 12, "not_a_hello");
  const [versions, itsRole, nonce, keyBytes, name, game, rules, settings, resumes, ...last] = value;
  const [isPrivate, watchable, channel] = last;
  check(Array.isArray(versions) && versions.length >= 1 && versions.length <= MAX_VERSIONS, "not_a_hello");
  check(versions.every(isVersion), "not_a_hello");
  check(itsRole === role, "wrong_role");
  checkHash(nonce);
  check(keyBytes instanceof Uint8Array, "not_a_hello");
  const key = PublicKey.from(keyBytes);
  check(key !== null, "refused_key");
  checkText(name, MAX_NAME, "bad_name");
  // a guest may leave to the host what is played (SPEC 4.6)
  if (game !== null || role === HOST) checkText(game, MAX_WORD, "bad_name");
  check(isVersion(rules) || (rules === null && role === GUEST), "not_a_hello");
  check(Array.isArray(settings), "not_a_hello");
  check(settings.length <= MAX_SETTINGS && settings.every(isSetting), "bad_setting");
  check(new Set(settings.map(([setting]) => setting)).size === settings.length, "bad_setting");
  if (resumes !== null) checkHash(resumes);
  check(typeof isPrivate === "boolean" && typeof watchable === "boolean", "not_a_hello");
  checkHash(channel);
  return { versions, role, nonce, key, name, game, rules, settings, resumes, private: isPrivate, watchable, channel };
}

function check(condition, reason) {
  if (!condition) throw new Malformed(reason);
}

function checkHash(value) {
  check(value instanceof Uint8Array, "not_a_hello");
  check(value.length === 32, "bad_hash_size");
}

function checkText(value, limit, reason) {
  check(typeof value === "string", "not_a_hello");
  check(isClean(value, limit), reason);
}

function isVersion(value) {
  return typeof value === "number" && value >= 1 && value <= 65535;
}

function isSetting(value) {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((word) => typeof word === "string" && isClean(word, MAX_WORD))
  );
}
