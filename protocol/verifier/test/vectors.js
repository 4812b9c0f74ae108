/**
 * Run the vectors in Node: all of protocol/vectors, or those in some files.
 *
 *     node test/vectors.js [--stop] [FILE...]
 *
 * With --stop it ends with the first file in which a test fails, short files first. A file that is not one of
 * protocol/vectors holds logs, in the form of its logs.json.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOT_COVERED, runVectors } from "./runner.js";

const FOLDER = fileURLToPath(new URL("../../vectors", import.meta.url));

function allVectors() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return names.map((name) => join(FOLDER, name));
}

const stops = process.argv.includes("--stop");
const named = process.argv.slice(2).filter((argument) => argument !== "--stop");
const paths = named.length > 0 ? named : allVectors();
const texts = paths.map((path) => [basename(path, ".json"), readFileSync(path, "utf8")]);
if (stops) texts.sort(([, one], [, other]) => one.length - other.length);

let passed = 0;
let failed = 0;
for (const [name, text] of texts) {
  if (name in NOT_COVERED) console.log(`without ${name}: ${NOT_COVERED[name]}`);
  const found = await runVectors({ [name]: JSON.parse(text) });
  passed += found.passed;
  failed += found.failures.length;
  for (const failure of found.failures) console.log(failure);
  if (stops && failed > 0) break;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
