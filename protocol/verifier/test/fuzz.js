/**
 * Verify logs that are damaged at random, and logs with random entries that are truly signed: each must get a verdict.
 *
 *     node test/fuzz.js [COUNT [SEED]]
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { toHex } from "../core/bytes.js";
import { encode } from "../core/canonical.js";
import { choiceCommitment, shareCommitment, taggedHash } from "../core/hashes.js";
import { handshakeHash, proofHash, sessionId } from "../core/handshake.js";
import { Match } from "../core/match.js";
import { PublicKey } from "../core/signatures.js";
import { examine } from "../core/verify.js";
import { GAMES } from "../games/index.js";
import { toy } from "./toy.js";

const count = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? 1);

const SETTINGS = {
  toy: [["rounds", "2"], ["opening", "bid"]],
  shanghaien: [["variant", "extra-wild"], ["tricks", "p3 b3 r2"]],
};
const PLAYED = [toy, ...GAMES.filter((game) => game.name in SETTINGS)];
const EXITS = { COMPLETE: 0, DECIDED: 0, INCOMPLETE: 5, VIOLATION: 6, "INVALID FILE": 3, UNSUPPORTED: 1 };

/** Some kinds of entries. */
const KINDS = ["draw_contribution", "draw_reveal", "choice_commit", "result"];

/** All actions of these games. */
const ACTIONS = [
  ...["1", "2", "3", "dare", "pass", "take"],
  ...["roll", "#", "!b", "!b<", "!b>", "!r"],
  ...[..."123456"].flatMap((die) => [`-${die}`, `-${die}<`, `-${die}>`, `!p+${die}`, `!p-${die}`]),
  ...[..."AFGCDTSI"].flatMap((nationality) => [..."pbrw"].map((trick) => `!${trick}=${nationality}`)),
];

/** Numbers that are the same for the same seed (mulberry32). */
let random = seed;
function below(limit) {
  random = (random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(random ^ (random >>> 15), 1 | random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
}
const pick = (items) => items[below(items.length)];
const bytesOf = (length) => Uint8Array.from({ length }, () => below(256));

const secrets = [bytesOf(32), bytesOf(32)];
const keys = secrets.map((secret) => PublicKey.from(ed25519.getPublicKey(secret)));
const sign = (seat, hash) => ed25519.sign(hash, secrets[seat]);

/** Make any canonical value, but no deep one. */
function anyValue(depth = 0) {
  return [
    () => null,
    () => below(2) === 1,
    () => below(300) - 100,
    () => 2n ** 64n - 1n - BigInt(below(9)),
    () => pick(["", "roll", "-3<", "#", "take", "\ufeff1", "__proto__", "constructor", "resigned"]),
    () => bytesOf(pick([0, 31, 32, 33, 64])),
    () => Array.from({ length: below(4) }, () => (depth < 3 ? anyValue(depth + 1) : null)),
  ][below(7)]();
}

function record(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return concatBytes(length, bytes);
}

/** Both seats of a match: they make its entries, and keep what these leave open. */
class Table {
  constructor(game) {
    const settings = SETTINGS[game.name];
    const hello = (seat) => {
      const own = seat === 0 ? ["Hanna", game.name, game.rules, settings] : ["Gustav", null, null, []];
      return encode([[1], seat, bytesOf(32), keys[seat].bytes, ...own, null, false, false, bytesOf(32)]);
    };
    const hellos = [hello(0), hello(1)];
    const handshake = handshakeHash(...hellos);
    const id = sessionId(...hellos);
    this.match = new Match({ id, handshake, keys }, game, game.start(game.settings(settings), new Map()));
    const proofs = [0, 1].map((seat) => sign(seat, proofHash(handshake, id, seat, 0, id)));
    this.records = [Uint8Array.from([0x53, 0x48, 0x4c, 0x4f, 0x47, 1, 13, 10]), record(encode([...hellos, ...proofs]))];
  }

  commitShare(seat) {
    this.share = bytesOf(32);
    return shareCommitment(this.match.session.id, this.match.number, keys[seat].bytes, this.share);
  }

  /** An action that is legal. */
  legalAction(player) {
    const { match } = this;
    return pick(ACTIONS.filter((action) => match.game.legal(match.position.state, player, action)));
  }

  /** The content of the expected entry. */
  content() {
    const { match } = this;
    const { awaits, first, result } = match.position;
    const { seat, kind } = awaits;
    const player = first === 0 ? seat : 1 - seat;
    switch (kind) {
      case "draw_commit":
        return [this.commitShare(seat)];
      case "draw_contribution":
        return [bytesOf(32)];
      case "draw_reveal":
        return [this.share, null];
      case "action":
        return [this.legalAction(player), null];
      case "choice_commit":
        this.choice = { action: this.legalAction(player), salt: bytesOf(32) };
        return [
          choiceCommitment(match.session.id, match.number, keys[0].bytes, this.choice.salt, this.choice.action),
        ];
      case "choice_contribution":
        return [this.legalAction(player)];
      case "choice_reveal":
        return [this.choice.action, this.choice.salt, null];
      default:
        return result;
    }
  }

  /** The items of the expected envelope; the entry carries a commitment where it must. */
  envelope() {
    const { match } = this;
    const { seat, kind } = match.position.awaits;
    const { id, handshake } = match.session;
    const content = this.content();
    const items = [id, match.number, match.head, seat, handshake, kind, encode(content), null];
    const follow = () => match.follow({ number: match.number, parent: match.head, seat, kind, content: items[6] });
    let followed;
    try {
      followed = follow();
    } catch (error) {
      if (error.reason !== "no_commitment") throw error;
      items[6] = encode([...content.slice(0, -1), this.commitShare(seat)]);
      followed = follow();
    }
    const { first, state } = followed.position;
    items[7] = taggedHash("state", first, match.game.value(state));
    return items;
  }

  /** Write an entry with these items, signed by its seat. */
  write(items) {
    const envelope = encode(items);
    const hash = taggedHash("entry", envelope);
    const signature = sign(items[3] === 1 ? 1 : 0, hash);
    this.records.push(record(encode([envelope, signature])));
    const [session, number, parent, seat, handshake, kind, content, state] = items;
    return { session, number, parent, seat, handshake, kind, content, state, signature, hash };
  }

  play(length) {
    while (length-- > 0 && this.match.position.awaits) this.match.take(this.write(this.envelope()));
  }
}

/** A log, and what is known of its verdict. */
function honestLog() {
  const table = new Table(pick(PLAYED));
  table.play(below(60));
  const { awaits, result } = table.match.position;
  return [table, awaits === null ? "COMPLETE" : result ? "DECIDED" : "INCOMPLETE"];
}

/** The expected entry with another item, or of another place, or with the end of a match, truly signed. */
function cheat(table) {
  const { match } = table;
  if (!match.position.awaits) return;
  const items = table.envelope();
  const seat = items[3];
  const at = pick([1, 3, 5, 6, 7]);
  [
    () => (items[6] = encode(anyValue())),
    () => (items[6] = encode([pick(ACTIONS), pick([null, bytesOf(32)])])),
    () => (items[6] = encode([bytesOf(32), pick([null, bytesOf(32)])])),
    () => (items[5] = pick([...KINDS, "take", "position", "expect", "constructor"])),
    () => {
      const who = below(2);
      items[5] = "resignation";
      const resigned = taggedHash("resignation", match.session.id, who, match.head);
      items[6] = encode([who, match.head, sign(below(2), resigned)]);
    },
    () => {
      items[5] = "abandonment";
      items[6] = encode([sign(1 - seat, taggedHash("offer", match.session.id, 1 - seat, match.number))]);
    },
    () => (items[at] = anyValue()),
    () => {
      if (match.number === 0) return;
      const taken = pick(match.entries);
      [items[1], items[2], items[3]] = [taken.number, taken.parent, taken.seat];
    },
  ][below(8)]();
  table.write(items);
}

function damage(bytes) {
  const damaged = Uint8Array.from(bytes);
  const at = below(bytes.length);
  return [
    () => damaged.subarray(0, at),
    () => damaged.fill(below(256), at, at + 1 + below(3)),
    () => concatBytes(damaged.subarray(0, at), bytesOf(1 + below(5)), damaged.subarray(at)),
    () => concatBytes(damaged.subarray(0, at), damaged.subarray(at + 1 + below(40))),
    () => concatBytes(damaged, damaged.subarray(at)),
    () => bytesOf(below(400)),
  ][below(6)]();
}

/** A file of handshakes; most of its lines are none. */
function shownHandshakes() {
  const hexOf = (length) => toHex(bytesOf(length));
  const line = {
    hellos: [hexOf(9), hexOf(9)],
    proofs: [hexOf(64), hexOf(64)],
    theirs: [pick([0, 1, 1.5, -1, "0", null, 2 ** 32]), hexOf(pick([32, 31]))],
  };
  const other = JSON.stringify(anyValue(3), (_key, item) => (typeof item === "bigint" ? 0 : item));
  return `${JSON.stringify(line)}\n${other}\n{`;
}

const tally = {};
for (let number = 0; number < count; number++) {
  const [table, honest] = honestLog();
  const how = pick(["left alone", "cheated in", "damaged", "cheated in and damaged"]);
  if (how.startsWith("cheated")) cheat(table);
  let log = concatBytes(...table.records);
  if (how.endsWith("damaged")) log = damage(log);
  const where = `seed ${seed}, log ${number}, ${how}`;
  const { report, steps } = await examine(log, { games: PLAYED, handshakes: shownHandshakes() });
  JSON.stringify(report);
  if (report.exit !== EXITS[report.verdict]) throw new Error(`${where}: no verdict`);
  if (how === "left alone" && (report.verdict !== honest || steps.length !== table.match.number)) {
    throw new Error(`${where}: ${report.verdict} (${report.reason}) instead of ${honest}`);
  }
  const key = `${report.verdict} ${report.reason ?? ""}`.trim();
  tally[key] = (tally[key] ?? 0) + 1;
}
for (const [verdict, times] of Object.entries(tally).sort()) console.log(`${String(times).padStart(6)} ${verdict}`);
console.log(`${count} passed, 0 failed`);
