/** Handshakes: their hashes and proofs (SPEC 4.7, 4.8), and those that rebut a fork (SPEC 8.5, 11.4). */

import { fromHex, sameBytes } from "./bytes.js";
import { taggedHash } from "./hashes.js";

/** Compute the hash of a handshake, from both hellos as byte strings. */
export function handshakeHash(hostHello, guestHello) {
  return taggedHash("handshake", hostHello, guestHello);
}

/** Compute the session id of a new game. */
export function sessionId(hostHello, guestHello) {
  return taggedHash("session", hostHello, guestHello);
}

/** Compute the hash that a seat signs in a handshake, to prove its key and how far its log goes. */
export function proofHash(handshake, session, seat, length, head) {
  return taggedHash("proof", handshake, session, seat, length, head);
}

/**
 * @typedef {object} ShownHandshake
 * @property {Uint8Array} hash
 * @property {[Uint8Array, Uint8Array]} proofs the signatures of host and guest
 * @property {number} length in the proof of the seat that did not keep it
 * @property {Uint8Array} head likewise
 */

/**
 * Parse a file of handshakes (SPEC 8.5). Lines of any other form are skipped.
 * @param {string | Uint8Array} file
 * @returns {ShownHandshake[]}
 */
export function parseHandshakes(file) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const shown = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    const handshake = parseLine(bytes.subarray(start, end));
    if (handshake) shown.push(handshake);
    start = end + 1;
  }
  return shown;
}

const MAX_DEPTH = 8;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseLine(line) {
  try {
    const text = strictUtf8.decode(line);
    if (depthOf(text) > MAX_DEPTH) return null;
    const { hellos, proofs, theirs } = JSON.parse(text);
    const [hostHello, guestHello] = pair(hellos).map(fromHex);
    const signatures = pair(proofs).map(fromHex);
    const [length, headText] = pair(theirs);
    const head = fromHex(headText);
    if (signatures.some((signature) => signature.length !== 64) || head.length !== 32) return null;
    if (!Number.isInteger(length) || length < 0 || length >= 2 ** 32) return null;
    return { hash: handshakeHash(hostHello, guestHello), proofs: signatures, length, head };
  } catch {
    return null; // whatever it is, it is no such line
  }
}

/** Count how deep objects and arrays are in a JSON text: not every parser goes as deep as others do. */
function depthOf(text) {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "").matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function pair(value) {
  if (!Array.isArray(value) || value.length !== 2) throw new TypeError("no pair");
  return value;
}

/**
 * Decide if a handshake rebuts a fork (SPEC 11.4).
 * @param {ShownHandshake} shown
 * @param {import("./match.js").Match} match of the log before the fork
 * @param {import("./entry.js").Entry} fork
 * @returns {boolean}
 */
export function rebuts(shown, match, fork) {
  const names = (entry) => sameBytes(entry.handshake, shown.hash);
  const accuser = 1 - fork.seat;
  const proof = proofHash(shown.hash, match.session.id, accuser, shown.length, shown.head);
  return (
    shown.length <= fork.number &&
    names(fork) !== names(match.entries[fork.number]) &&
    !match.entries.slice(0, fork.number).some(names) &&
    !sameBytes(shown.hash, match.session.handshake) &&
    match.session.keys[accuser].verifies(proof, shown.proofs[accuser])
  );
}
