/**
 * Run the vectors in Node.
 *
 *     node test/vectors.js [FILE...]
 *
 * Each FILE has further logs, in the form of protocol/vectors/logs.json.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { NOT_COVERED, runVectors } from "./runner.js";

const FOLDER = new URL("../../vectors/", import.meta.url);

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const nameOf = (file) => basename(file, ".json");

const files = {};
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".json"))) {
  files[nameOf(name)] = read(new URL(name, FOLDER));
}
for (const file of process.argv.slice(2)) files[nameOf(file)] = read(file);

for (const [name, reason] of Object.entries(NOT_COVERED)) console.log(`without ${name}: ${reason}`);
const { passed, failures } = await runVectors(files);
for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
