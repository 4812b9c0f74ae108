/** The vectors of protocol/vectors, run against this implementation: anywhere, as nothing here reads files. */

import { sha256 } from "@noble/hashes/sha2.js";
import { fromHex, toHex } from "../core/bytes.js";
import { decode, encode } from "../core/canonical.js";
import { drawIndices, drawSeed } from "../core/chance.js";
import { parseEntry } from "../core/entry.js";
import { LogError } from "../core/errors.js";
import { choiceCommitment, shareCommitment, taggedHash } from "../core/hashes.js";
import { parseHello, readHello } from "../core/hello.js";
import { PublicKey } from "../core/signatures.js";
import { isClean } from "../core/text.js";
import { examine } from "../core/verify.js";
import { GAMES } from "../games/index.js";
import { readDeck } from "../games/macao_deck.js";
import { RECONSTRUCTION } from "../games/macao_reconstruction.js";
import { macao } from "../games/macao.js";
import { toy } from "./toy.js";

/** The files that are not for a verifier of logs, and what each takes. */
export const NOT_COVERED = {
  prefaces: "what a player sends before a handshake",
  channels: "the channel under a connection",
  handshakes: "both ends of a connection",
  invitations: "what a player reads and types",
  notes: "what players say beside the log",
  data: "data on their way from one player to the other",
  watching: "a host and a watcher on a connection",
  records: "text records, which prove nothing",
  halunken_records: "text records",
  macao_records: "text records",
  macao_decks: "files of users, which no log contains",
};

/**
 * Run all tests of some files of vectors.
 * @param {Record<string, { tests: object[] }>} files by the file's name without `.json`; a file that is not one of
 *   protocol/vectors holds logs
 * @param {(file: string) => unknown} [progress] called before each file; a promise that it returns is awaited
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
export async function runVectors(files, progress) {
  let passed = 0;
  const failures = [];
  for (const [name, { tests, older }] of Object.entries(files)) {
    if (name in NOT_COVERED) continue;
    await progress?.(name);
    const check = CHECKS[name] ?? ((test) => checkLog(test, GAMES, older ? OLDER : {}));
    for (const test of tests) {
      try {
        await check(test, tests);
        passed += 1;
      } catch (error) {
        failures.push(`${name}/${test.id}: ${error.stack}`);
      }
    }
  }
  return { passed, failures };
}

const CHECKS = {
  canonical: ({ data, limit, ...test }) =>
    checkResult(test, () => {
      const value = decode(fromHex(data), limit);
      equal(value, fromPlain(test.value), "value");
      equal(encode(value), fromHex(data), "encoding");
    }),
  hashes: ({ tag, parts, hash }) => equal(taggedHash(tag, ...parts.map(fromPlain)), fromHex(hash), "hash"),
  commitments: (test) => {
    const place = [fromHex(test.session), test.number, fromHex(test.key)];
    const made =
      test.to === "share"
        ? shareCommitment(...place, fromHex(test.share))
        : choiceCommitment(...place, fromHex(test.salt), test.action);
    equal(made, fromHex(test.commitment), "commitment");
  },
  keys: ({ key, result }) => equal(PublicKey.from(fromHex(key)) !== null, result === "valid", "accepted"),
  signatures: ({ key, message, signature, result }) => {
    const valid = PublicKey.from(fromHex(key))?.verifies(fromHex(message), fromHex(signature)) ?? false;
    equal(valid, result === "valid", "valid");
  },
  texts: ({ text, limit, result }) => {
    // the normal form is a player's business; here it is the platform's (SPEC 13)
    equal(isClean(text, limit) && text.normalize("NFC") === text, result === "valid", "clean");
  },
  hellos: ({ data, role, ...test }) =>
    checkResult(test, () => {
      const hello = parseHello(fromHex(data), role);
      equal(Object.values({ ...hello, key: hello.key.bytes }), fromPlain(test.value), "items");
    }),
  entries: ({ data, ...test }) =>
    checkResult(test, () => {
      const entry = parseEntry(fromHex(data));
      for (const item of ["session", "parent", "handshake", "state", "signature", "hash"]) {
        equal(toHex(entry[item]), test[item], item);
      }
      for (const item of ["number", "seat", "kind"]) equal(entry[item], test[item], item);
      equal(toHex(entry.content), test.content, "content");
    }),
  chance: (test) => {
    const seed = fromHex(test.seed);
    if (test.shares) {
      const shares = test.shares.map(fromHex);
      equal(drawSeed(fromHex(test.session), test.number, fromHex(test.parent), shares), seed, "seed");
    }
    equal(drawIndices(seed, test.bounds), test.indices, "indices");
  },
  challenges: ({ key, challenged, words, result }) => {
    const [, session, game, rules, settings, signature] = fromPlain(words);
    const hash = taggedHash("challenge", session, fromHex(key), fromHex(challenged), game, rules, settings);
    equal(PublicKey.from(fromHex(key)).verifies(hash, signature), result === "valid", "valid");
  },
  macao_deck_bytes: ({ data, digest, result }) => {
    const bytes = fromHex(data);
    equal(toHex(sha256(bytes)), digest, "digest");
    equal(readDeck(bytes) !== null, result === "valid", "deck");
    // the deck that needs no data is the first, and its digest no name for it (SPEC 16.1)
    const isReconstruction = toHex(bytes) === toHex(new TextEncoder().encode(JSON.stringify(RECONSTRUCTION)));
    equal(macao.settings([["deck", digest]]) === null, isReconstruction, "reconstruction");
  },
  states: (test, all) => checkState(test, "shanghaien", all),
  halunken_states: (test, all) => checkState(test, "halunken", all),
  macao_states: (test, all) => checkState(test, "macao", all),
  choices: (test) => checkLog(test, [toy]),
};

/** Check that `work` succeeds, or is refused for the reason of the test. */
function checkResult({ result, reason }, work) {
  let refused = null;
  try {
    work();
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    refused = error.reason;
  }
  equal(refused, result === "valid" ? null : reason, "refused");
}

function checkState({ settings, steps, first, value, data, hash, legal, outside = [] }, name, all) {
  const game = GAMES.find((known) => known.name === name);
  let state = game.start(game.settings(settings), dataOf(outside));
  for (const step of steps) {
    const asked = game.asks(state);
    if (asked.kind === "draw") {
      equal(step.length, asked.bounds.length, "number of indices");
      state = game.draw(state, step);
    } else if (asked.kind === "choice") {
      const actions = step.split("/");
      for (const player of [0, 1]) equal(game.legal(state, player, actions[player]), true, step);
      state = game.choose(state, actions);
    } else {
      equal(game.legal(state, asked.player, step), true, step);
      state = game.act(state, asked.player, step);
    }
  }
  equal(game.value(state), fromPlain(value), "value");
  equal(toHex(encode(game.value(state))), data, "encoding");
  equal(toHex(taggedHash("state", first, game.value(state))), hash, "hash");
  // of all actions of these positions just those that are legal in this one, by whoever is asked
  const known = [...new Set(all.flatMap((test) => test.legal.flat()))].sort();
  const { kind, player } = game.asks(state);
  const asked = { turn: [player], choice: [0, 1] }[kind] ?? [];
  const found = [0, 1].map((each) => known.filter((action) => asked.includes(each) && game.legal(state, each, action)));
  equal(found, legal, "legal");
}

async function checkLog(test, games = GAMES, readers = {}) {
  const { log, handshakes = "", outside = [] } = test;
  const options = { games, data: dataOf(outside), handshakes, ...readers };
  const { report, steps } = await examine(fromHex(log), options);
  // logs of strangers lack some of them
  for (const field of Object.keys(report)) if (field in test) equal(report[field], test[field], field);
  if (!("session" in test)) return;
  equal(steps.length, report.sound, "steps");
  const draws = steps.map((step) => step.indices).filter((indices) => indices?.length > 0);
  equal(draws, test.indices, "indices");
  await checkUnruled(report, fromHex(log), options);
}

/** Errors for which one may have to know what the rules ask for. */
const BY_RULES = [
  ...["illegal_action", "wrong_state", "wrong_result", "wrong_kind", "wrong_seat", "no_commitment", "idle_commitment"],
];

/** Check that without the rules everything else about a log is found all the same. */
async function checkUnruled(report, log, options) {
  const { report: blind, unruled } = await examine(log, { ...options, games: [] });
  equal([blind.verdict, blind.reason, blind.session], ["UNSUPPORTED", "game_unknown", null], "without rules");
  equal(unruled.verdict, null, "verdict without rules");
  if (BY_RULES.includes(report.reason)) return;
  for (const field of ["reason", "entry", "seat", "truncated", "session", "sound", "head", "first", "result"]) {
    const isKnown = field !== "result" || report.result?.[0] !== "over" || report.verdict === "COMPLETE";
    if (isKnown) equal(unruled[field], report[field], `${field} without rules`);
  }
}

function dataOf(outside) {
  return new Map(outside.map(fromHex).map((bytes) => [toHex(sha256(bytes)), bytes]));
}

/** The kinds of entries that had other names in older logs. */
const NAMES = {
  opening: "draw_commit", share: "draw_contribution", reveal: "draw_reveal",
  choice: "choice_commit", answer: "choice_contribution", disclosure: "choice_reveal",
};

/** Reads logs from before the items `watchable` and `channel` of a hello, as if it had both, and before these names. */
const OLDER = { readHello: completeHello, readEntry: renamedEntry };

function renamedEntry(bytes) {
  const entry = parseEntry(bytes);
  return { ...entry, kind: NAMES[entry.kind] ?? entry.kind };
}

function completeHello(bytes, role) {
  const value = decode(bytes, 1024);
  return readHello(Array.isArray(value) && value.length === 10 ? [...value, false, new Uint8Array(32)] : value, role);
}

/** Read a value as the vectors write it (protocol/vectors/README.md). */
function fromPlain(plain) {
  if (Array.isArray(plain)) return plain.map(fromPlain);
  if (plain === null || typeof plain !== "object") return plain;
  return "bytes" in plain ? fromHex(plain.bytes) : BigInt(plain.integer);
}

/** Fail unless two values are equal; types matter. */
function equal(found, expected, what) {
  const [one, other] = [found, expected].map(display);
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}

function display(value) {
  return JSON.stringify(value, (_key, item) => {
    if (item instanceof Uint8Array) return { bytes: toHex(item) };
    return typeof item === "bigint" ? { integer: String(item) } : item;
  });
}
