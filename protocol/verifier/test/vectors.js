/**
 * Run the vectors in Node: all of protocol/vectors, or those in some files.
 *
 *     node test/vectors.js [FILE...]
 *
 * A file that is not one of protocol/vectors holds logs, in the form of its logs.json.
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

const paths = process.argv.length > 2 ? process.argv.slice(2) : allVectors();
const files = paths.map((path) => [basename(path, ".json"), JSON.parse(readFileSync(path, "utf8"))]);
for (const [name] of files) if (name in NOT_COVERED) console.log(`without ${name}: ${NOT_COVERED[name]}`);
const { passed, failures } = await runVectors(Object.fromEntries(files));
for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
