#!/usr/bin/env node
/**
 * Verify logs, and print SPEC 9.3's JSON, one line for each.
 *
 *     node cli.js [--handshakes FILE] LOG...
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { unread, verify } from "./core/verify.js";
import { GAMES } from "./games/index.js";

/** Longer files are refused before they are read (SPEC 8.1). */
const MAX_FILE = 4_212_892;

/** The exit code for several files is the first of these that one of them has (SPEC 9.2). */
const WORST_FIRST = [6, 3, 1, 5, 0];

function readFile(path) {
  if (statSync(path).size > MAX_FILE) throw Object.assign(new Error(`${path} is too large`), { code: "EFBIG" });
  return new Uint8Array(readFileSync(path));
}

/** Return what `work` reads, or what `instead` makes of an error of the file system. */
function attempt(work, instead) {
  try {
    return work();
  } catch (error) {
    if (!error.code) throw error;
    return instead(error);
  }
}

/** Read the data beside a log, by digest (SPEC 8.4). A file that cannot be read is as good as missing. */
function dataBeside(path) {
  const folder = dirname(path);
  const names = attempt(() => readdirSync(folder), () => []).filter((name) => /^[0-9a-f]{64}\.shdata$/.test(name));
  const read = (name) => attempt(() => [[name.slice(0, 64), readFile(join(folder, name))]], () => []);
  return new Map(names.flatMap(read));
}

async function reportOn(file, handshakes) {
  const bytes = attempt(() => readFile(file), (error) => error);
  if (bytes instanceof Error) return { file, ...unread(bytes.code) };
  return { file, ...(await verify(bytes, { games: GAMES, data: dataBeside(file), handshakes })) };
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

const options = { handshakes: { type: "string" } };
const { values, positionals } = attempt(
  () => parseArgs({ allowPositionals: true, options }),
  (error) => fail(error.message),
);
if (positionals.length === 0) fail("usage: node cli.js [--handshakes FILE] LOG...");
const shown = values.handshakes;
const handshakes = shown === undefined ? "" : attempt(() => readFile(shown), (error) => fail(error.message));
const exits = new Set();
for (const file of positionals) {
  const report = await reportOn(file, handshakes);
  exits.add(report.exit);
  console.log(JSON.stringify(report));
}
process.exitCode = WORST_FIRST.find((exit) => exits.has(exit));
