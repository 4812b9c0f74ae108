/** Verdicts on logs (SPEC 9). */

import { sha256 } from "@noble/hashes/sha2.js";
import { sameBytes, toHex } from "./bytes.js";
import { MAX_ENTRY, parseEntry } from "./entry.js";
import { LogError, Malformed, OutOfPlace, Unsupported } from "./errors.js";
import { handshakeHash, parseHandshakes, proofHash, rebuts, sessionId } from "./handshake.js";
import { GUEST, HOST, parseHello } from "./hello.js";
import { readOpening, readRecord } from "./log.js";
import { Match } from "./match.js";
import { UnruledMatch } from "./unruled.js";

const EXIT = { COMPLETE: 0, DECIDED: 0, INCOMPLETE: 5, VIOLATION: 6, "INVALID FILE": 3, UNSUPPORTED: 1 };

/**
 * @typedef {object} Options
 * @property {object[]} games the game modules (README.md)
 * @property {Map<string, Uint8Array>} [data] data from outside the games, by hexadecimal digest (SPEC 8.4)
 * @property {string | Uint8Array} [handshakes] a file of handshakes shown with the log (SPEC 8.5)
 * @property {(done: number, total: number) => unknown} [progress] called after each record, with numbers of bytes; a
 *   promise that it returns is awaited
 * @property {typeof parseHello} [readHello] for tests alone: how a hello is read
 * @property {typeof parseEntry} [readEntry] for tests alone: how an entry is read
 */

/**
 * Verify a log. Any bytes give a verdict.
 * @param {Uint8Array} bytes the whole log
 * @param {Options} options
 * @returns {Promise<object>} the fields of SPEC 9.3 from `verdict` on
 */
export async function verify(bytes, options) {
  const { details: _, ...binding } = (await examine(bytes, options)).report;
  return binding;
}

/**
 * @typedef {object} Examined
 * @property {object} report the fields of SPEC 9.3 from `verdict` on, and in `details` more about an error, for people
 * @property {import("./match.js").Step[]} steps one item for each sound entry
 * @property {object} [unruled] with the verdict UNSUPPORTED: what all checks but those of the rules find, in the fields
 *   of a report without a verdict; `reason` is null if all of them hold
 */

/**
 * Verify a log, and return how the game went as well.
 * @param {Uint8Array} bytes the whole log
 * @param {Options} options
 * @returns {Promise<Examined>}
 */
export async function examine(bytes, options) {
  const { games, data = new Map(), handshakes = "", progress } = options;
  const { readHello = parseHello, readEntry = parseEntry } = options;
  const opening = attempt(() => open(bytes, readHello));
  if (opening.error) return { report: reportOf("INVALID FILE", why(opening.error)), steps: [] };

  const begun = attempt(() => begin(opening.value.hellos[HOST], games, data));
  const session = attempt(() => agree(opening.value));
  const follow = (match) => followed({ match, bytes, handshakes, progress, readEntry, ...opening.value });
  if (begun.error instanceof Unsupported) {
    const report = reportOf("UNSUPPORTED", why(begun.error));
    const unruled = session.error
      ? reportOf(null, why(session.error))
      : { ...(await follow(new UnruledMatch(session.value))).report, verdict: null, exit: EXIT.UNSUPPORTED };
    return { report, steps: [], unruled };
  }
  const error = begun.error ?? session.error;
  if (error) return { report: reportOf("INVALID FILE", why(error)), steps: [] };
  return follow(new Match(session.value, begun.value.game, begun.value.start));
}

/** Follow a log by the numbered steps of SPEC 9.1, record by record, to a report on it and the steps of the game. */
async function followed({ match, bytes, end, hellos, handshakes, progress, readEntry }) {
  const steps = [];
  const conclude = (verdict, fields) => ({ report: { ...reportOf(verdict, fields), ...facts(hellos, match) }, steps });
  for (let at = end; ; ) {
    const left = bytes.length - at;
    const invalid = (error, number) => conclude("INVALID FILE", { ...why(error), entry: number, damaged: left });
    const record = attempt(() => readRecord(bytes, at, MAX_ENTRY));
    if (record.value === null) return conclude(...ending(match, left)); // 9
    if (record.error) return invalid(record.error, null); // 10

    const parsed = attempt(() => readEntry(record.value));
    if (parsed.error) return invalid(parsed.error, match.number); // 11

    const entry = parsed.value;
    const { number, seat } = entry;
    if (match.isFork(entry)) { // 12
      const isRebutted = parseHandshakes(handshakes).some((shown) => rebuts(shown, match, entry));
      if (isRebutted) return invalid(new OutOfPlace("fork_rebutted"), number);
      return conclude("VIOLATION", { reason: "fork", entry: number, seat });
    }
    const step = attempt(() => match.take(entry));
    if (step.error instanceof OutOfPlace) return invalid(step.error, match.number); // 13
    if (step.error) return conclude("VIOLATION", { ...why(step.error), entry: number, seat }); // 14

    steps.push(step.value); // 15
    at += 4 + record.value.length;
    await progress?.(at, bytes.length);
  }
}

/** Do some work, and return its `value`, or the `error` that it found in the log. */
function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof LogError) return { error };
    throw error;
  }
}

/** Return the fields of a report that say what is wrong. */
const why = ({ reason, details }) => ({ reason, details });

/** Open a log: its hellos, as read and as `encoded`, its proofs, and the `end` of the opening record (SPEC 9.1). */
function open(bytes, readHello) {
  const { hellos: encoded, proofs, end } = readOpening(bytes); // 1, 2
  const hellos = [readHello(encoded[HOST], HOST), readHello(encoded[GUEST], GUEST)]; // 3
  const [host, guest] = hellos;
  if (sameBytes(host.nonce, guest.nonce)) throw new Malformed("reflected_nonce"); // 4
  if (host.resumes !== null || guest.resumes !== null) throw new Malformed("bad_opening");
  return { encoded, hellos, proofs, end };
}

/** Begin the game of a host's hello: the module and the first state. */
function begin(host, games, data) {
  const versions = games.filter((game) => game.name === host.game);
  const named = { game: host.game, rules: host.rules };
  if (versions.length === 0) throw new Unsupported("game_unknown", named); // 5
  const game = versions.find((version) => version.rules === host.rules);
  if (!game) throw new Unsupported("rules_unknown", named);
  const settings = game.settings(host.settings);
  if (settings === null) throw new Malformed("bad_setting"); // 6
  const isThere = (digest) => data.has(digest) && toHex(sha256(data.get(digest))) === digest;
  const missing = game.needs(settings).find((digest) => !isThere(digest));
  if (missing !== undefined) throw new Unsupported("data_missing", { digest: missing }); // 7
  const start = game.start(settings, data);
  if (start === null) throw new Malformed("bad_setting");
  return { game, start };
}

/** Return the session to which both players have agreed by their proofs. */
function agree({ encoded, hellos, proofs }) {
  const id = sessionId(...encoded);
  const handshake = handshakeHash(...encoded);
  const keys = hellos.map(({ key }) => key);
  const holds = (seat) => keys[seat].verifies(proofHash(handshake, id, seat, 0, id), proofs[seat]);
  if (!holds(HOST) || !holds(GUEST)) throw new Malformed("bad_proof"); // 8
  return { id, handshake, keys };
}

/** Return the verdict on a log that is sound to its end, and its fields; `truncated` bytes follow. */
function ending(match, truncated) {
  const { awaits, result } = match.position;
  if (awaits === null) return ["COMPLETE", { truncated }];
  const awaiting = awaits.seat === null ? [] : [awaits.seat];
  if (result === null) return ["INCOMPLETE", { awaiting, truncated }];
  return ["DECIDED", { awaiting: awaits.seat === 0 ? [0, 1] : [1], truncated }];
}

/** Return the fields of SPEC 9.3 for a file that cannot be read, for this `reason`. */
export function unread(reason) {
  const { details: _, ...binding } = reportOf(null, { reason });
  return { ...binding, exit: 1 };
}

/** Return the report on a log whose opening record does not hold; for others, `facts` has the rest (SPEC 9.3). */
function reportOf(verdict, fields) {
  const { reason = null, details = {}, entry = null, seat = null, awaiting = [], truncated = 0, damaged = 0 } = fields;
  return {
    verdict,
    exit: EXIT[verdict],
    reason,
    details,
    entry,
    seat,
    awaiting,
    truncated,
    damaged,
    session: null,
    game: null,
    rules: null,
    settings: null,
    names: null,
    keys: null,
    one_key: null,
    sound: null,
    head: null,
    first: null,
    result: null,
  };
}

function facts(hellos, match) {
  const [host] = hellos;
  const keys = hellos.map((hello) => toHex(hello.key.bytes));
  return {
    session: toHex(match.session.id),
    game: host.game,
    rules: host.rules,
    settings: host.settings,
    names: hellos.map((hello) => hello.name),
    keys,
    one_key: keys[HOST] === keys[GUEST],
    sound: match.number,
    head: toHex(match.head),
    first: match.position.first,
    result: match.position.result,
  };
}
