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
  if (statSync(path).size > MAX_FILE) throw Object.assign(new Error("too large"), { code: "EFBIG" });
  return new Uint8Array(readFileSync(path));
}

/** The data beside a log, by digest (SPEC 8.4). */
function dataBeside(path) {
  const folder = dirname(path);
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.shdata$/.test(name));
  return new Map(names.map((name) => [name.slice(0, 64), readFile(join(folder, name))]));
}

async function reportOn(file, handshakes) {
  try {
    return { file, ...(await verify(readFile(file), { games: GAMES, data: dataBeside(file), handshakes })) };
  } catch (error) {
    // of the file system; no bytes of a log make `verify` throw
    if (!error.code) throw error;
    return { file, ...unread(), details: { error: error.code } };
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { handshakes: { type: "string" } } });
if (positionals.length === 0) {
  console.error("usage: node cli.js [--handshakes FILE] LOG...");
  process.exit(2);
}
const handshakes = values.handshakes === undefined ? "" : readFile(values.handshakes);
const exits = new Set();
for (const file of positionals) {
  const report = await reportOn(file, handshakes);
  exits.add(report.exit);
  console.log(JSON.stringify(report));
}
process.exitCode = WORST_FIRST.find((exit) => exits.has(exit));
