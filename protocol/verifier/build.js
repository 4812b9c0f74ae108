/**
 * Bundle the verifier for the pages of the program: `npm run build` writes `p2p_shanghaien/ui/pages/verifier-*.js`.
 *
 * The first line of each has the SHA-256 of all that it was built from, by which a test sees that it is current without
 * building it, and the SHA-256 of the rest of the file.
 */

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const HERE = new URL(".", import.meta.url);
const PAGES = new URL("../../p2p_shanghaien/ui/pages/", HERE);
/** The name of each bundle, and the module that it begins with. */
const BUNDLES = { worker: "page/worker.js", page: "page/page.js", check: "page/check.js" };
const FOLDERS = ["core", "games", "page"];
const LIBRARY = /^node_modules\/(@[^/]+\/[^/]+|[^/]+)\//u;

const read = (path) => readFileSync(new URL(path, HERE));
const digest = (content) => createHash("sha256").update(content).digest("hex");

/** Return the digest of the sources: that of lines `digest path`, sorted by path. */
function sources() {
  const modules = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, HERE)).filter((name) => name.endsWith(".js")).map((name) => `${folder}/${name}`));
  const paths = ["build.js", "package-lock.json", ...modules].sort();
  return digest(paths.map((path) => `${digest(read(path))} ${path}\n`).join(""));
}

/** Return the licences of the libraries among `paths`, which ask to be part of every copy; equal ones once. */
function licences(paths) {
  const names = new Set(paths.map((path) => LIBRARY.exec(path)?.[1]).filter(Boolean));
  const texts = new Map();
  for (const name of [...names].sort()) {
    const text = read(`node_modules/${name}/LICENSE`).toString().trim();
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts].map(([text, of]) => `/*! With ${of.join(" and ")}:\n\n${text}\n*/\n`).join("");
}

/** Return the text of a bundle. */
async function bundle(entry) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: new URL(".", HERE).pathname,
    entryPoints: [entry],
    bundle: true,
    charset: "ascii",
    format: "iife",
    legalComments: "none",
    metafile: true,
    minify: true,
    target: ["chrome100", "firefox100", "safari15.4"],
    write: false,
  });
  const body = licences(Object.keys(metafile.inputs)) + outputFiles[0].text;
  return `// sources ${sources()} body ${digest(body)}\n${body}`;
}

const [folder = PAGES] = process.argv.slice(2).map((path) => new URL(`${path}/`, `file://${process.cwd()}/`));
for (const [name, entry] of Object.entries(BUNDLES)) {
  writeFileSync(new URL(`verifier-${name}.js`, folder), await bundle(entry));
}
