/**
 * Make slips in `core` and `games`, one at a time, and list those that no vector notices.
 *
 *     node test/mutants.js [COUNT [SEED]]
 *
 * COUNT of all possible slips are made (100 unless given), chosen by SEED. A slip that lives needs a vector that
 * catches it (protocol/making), or changes nothing that a vector could show.
 */

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "acorn";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VECTORS = join(ROOT, "..", "vectors");
const FOLDERS = ["core", "games"];
const PATIENCE = 120_000; // milliseconds; a slip may lead to a loop without end

/** The vectors that meet the rules of a game; all of them meet `core`. */
const OF_GAMES = {
  shanghaien: /^(logs|states)/,
  halunken: /^halunken_(logs|states)/,
  macao: /^macao_(deck_bytes|logs|states)/,
};

const OPERATORS = {
  "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "*": "+", "%": "+",
  "&&": "||", "||": "&&",
};
const METHODS = { every: "some", some: "every", min: "max", max: "min" };

/** The slips in a syntax tree, each as the range that it replaces and the new text. */
function* slips(node, source) {
  const text = (part) => source.slice(part.start, part.end);
  const slip = (part, replacement) => ({ start: part.start, end: part.end, replacement });
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      if (node.operator in OPERATORS) {
        const start = source.indexOf(node.operator, node.left.end);
        yield { start, end: start + node.operator.length, replacement: OPERATORS[node.operator] };
      }
      break;
    case "UnaryExpression":
      if (node.operator === "!") yield slip(node, text(node.argument));
      break;
    case "Literal":
      if (typeof node.value === "number") yield slip(node, String(node.value + 1));
      break;
    case "IfStatement":
      yield slip(node.test, "true");
      yield slip(node.test, "false");
      break;
    case "ConditionalExpression":
      yield slip(node, `(${text(node.test)}) ? ${text(node.alternate)} : ${text(node.consequent)}`);
      break;
    case "ExpressionStatement":
      yield slip(node, ";");
      break;
    case "MemberExpression":
      if (METHODS[node.property.name]) yield slip(node.property, METHODS[node.property.name]);
      break;
  }
  for (const child of Object.values(node).flat()) {
    if (typeof child?.type === "string") yield* slips(child, source);
  }
}

/** All slips in the files of a folder, each with the file and its text. */
function slipsIn(folder) {
  return readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".js")).sort().flatMap((name) => {
    const file = join(folder, name);
    const source = readFileSync(join(ROOT, file), "utf8");
    const tree = parse(source, { ecmaVersion: "latest", sourceType: "module" });
    return [...slips(tree, source)].map((slip) => ({ ...slip, file, source }));
  });
}

/** Some of the items, the same ones for the same seed. */
function chosen(items, count, seed) {
  const left = [...items];
  let state = seed;
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return left.splice(Math.floor((state / 2 ** 32) * left.length), 1)[0];
  });
}

function vectorsOf(file) {
  const game = Object.keys(OF_GAMES).find((name) => file.startsWith(join("games", name)));
  const names = readdirSync(VECTORS).filter((name) => OF_GAMES[game]?.test(name));
  return names.map((name) => join(VECTORS, name));
}

/** Run the vectors with a slip, in a copy of the verifier; true if they all pass. */
async function lives({ file, source, start, end, replacement }) {
  const folder = mkdtempSync(join(tmpdir(), "mutant-"));
  const copy = join(folder, "verifier");
  try {
    for (const part of [...FOLDERS, "test", "package.json"]) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    symlinkSync(VECTORS, join(folder, "vectors"));
    writeFileSync(join(copy, file), source.slice(0, start) + replacement + source.slice(end));
    const script = join(copy, "test", "vectors.js");
    await promisify(execFile)(process.execPath, [script, "--stop", ...vectorsOf(file)], { timeout: PATIENCE });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Describe a slip by the line where it begins, before and after it. */
function described({ file, source, start, end, replacement }) {
  const begin = source.lastIndexOf("\n", start) + 1;
  const lineEnd = source.indexOf("\n", end);
  const [old, slipped] = [source.slice(start, end), replacement].map((middle) =>
    `${source.slice(begin, start)}${middle}${source.slice(end, lineEnd)}`.replace(/\s+/g, " ").trim());
  return `${file}:${source.slice(0, begin).split("\n").length}: ${old}\n    ${slipped}`;
}

const [count = 100, seed = 1] = process.argv.slice(2).map(Number);
const all = FOLDERS.flatMap(slipsIn);
const made = chosen(all, count, seed);
const none = { ...made[0], replacement: made[0].source.slice(made[0].start, made[0].end) };
if (!(await lives(none))) throw new Error("the vectors fail without any slip");
const waiting = [...made];
let alive = 0;
async function work() {
  for (let slip = waiting.pop(); slip; slip = waiting.pop()) {
    if (!(await lives(slip))) continue;
    alive += 1;
    console.log(described(slip));
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`${made.length} slips of ${all.length}: ${alive} live`);
