/** The page on which people drop logs. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { carried, element, list } from "./dom.js";
import { counted, meaning, moves, opening, particulars, summary, unruledFinding } from "./report.js";
import { Verifier } from "./verifier.js";
import { Words, isolated, isolating, json } from "./words.js";

/** A reader may refuse longer files (SPEC 8.1); handshakes and decks are shorter. */
const LONGEST = 4_212_892;
const MAGIC = "SHLOG";
/** A word by which a file of handshakes is known; the verifier itself reads each line by SPEC 8.5. */
const HANDSHAKES = '"hellos"';
/** In a folder of games only these files count: private ones lie beside them. */
const OF_GAMES = [".shlog", ".shdata"];
const SIGNS = { COMPLETE: "✓", DECIDED: "✓", INCOMPLETE: "…", VIOLATION: "✗", "INVALID FILE": "!", UNSUPPORTED: "?" };

const find = (id) => document.getElementById(id);
const templates = carried("sentences");
/** Started with the first log, where a failure to start has a place to be told. */
let verifier;
/** The files on the page, in order: each has a name (`file`), a `kind`, and what is known of it. */
let dropped = [];
let words = new Words("en", templates.en);
/** Verification goes on in one run at a time; whoever adds files or clears the list begins another. */
let run = 0;

function use(language) {
  words = new Words(language, templates[language]);
  document.documentElement.lang = language;
  find("language").value = language;
  for (const each of document.querySelectorAll("[data-say]")) each.textContent = words.say(each.dataset.say);
  find("origin").textContent = words.say("verifier_origin", { ...find("origin").dataset });
  document.title = words.say("verifier_title");
  show();
  if (find("status").textContent) tell();
}

/** Return what a file is, by its content and, where that does not say it, by its name. */
async function read(file) {
  if (file.size > LONGEST) return { file: file.name, kind: "error", code: "verifier_too_large" };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isLog(bytes)) return { file: file.name, kind: "log", bytes };
    if (file.name.endsWith(".shdata")) {
      return { file: file.name, kind: "data", code: "verifier_data", bytes, digest: bytesToHex(sha256(bytes)) };
    }
    if (new TextDecoder().decode(bytes).includes(HANDSHAKES)) {
      return { file: file.name, kind: "handshakes", code: "verifier_handshakes", bytes };
    }
    return { file: file.name, kind: "log", bytes, isRecord: file.name.endsWith(".shrec") };
  } catch {
    // such as a folder
    return { file: file.name, kind: "error", code: "verifier_unreadable" };
  }
}

/** Return files of handshakes as one, so that each line stays what it is (SPEC 8.5). */
const joined = async (files) =>
  new Uint8Array(await new Blob(files.flatMap((bytes) => [bytes, "\n"])).arrayBuffer());

const isOfGames = ({ name }) => OF_GAMES.some((end) => name.endsWith(end));
const byPath = (one, other) => (one.webkitRelativePath < other.webkitRelativePath ? -1 : 1);
const isLog = (bytes) => [...MAGIC].every((letter, index) => bytes[index] === letter.charCodeAt(0));

async function add(files) {
  const added = await Promise.all([...files].map(read));
  if (!added.length) return;
  dropped.push(...added);
  // data and handshakes count for what was dropped before them, too
  if (added.some(({ kind }) => kind === "data" || kind === "handshakes")) {
    for (const each of dropped) delete each.examined;
  }
  await verifyAll();
}

async function verifyAll() {
  const mine = ++run;
  const waiting = dropped.filter((each) => each.kind === "log" && !each.examined);
  const total = waiting.reduce((sum, each) => sum + each.bytes.length, 0);
  const contents = (wanted) => dropped.filter(({ kind }) => kind === wanted).map(({ bytes }) => bytes);
  const data = contents("data");
  const handshakes = await joined(contents("handshakes"));
  let before = 0;
  find("status").textContent = "";
  find("running").hidden = !waiting.length;
  show();
  for (const [index, each] of waiting.entries()) {
    find("count").textContent = `${index + 1} / ${waiting.length}`;
    const progress = (done) => {
      if (mine === run) find("progress").value = total ? (before + done) / total : 1;
    };
    try {
      verifier ??= new Verifier();
      const examined = await verifier.examine(each.bytes, { data, handshakes, progress });
      if (mine !== run) return;
      each.examined = examined;
    } catch (error) {
      if (mine !== run) return;
      Object.assign(each, { kind: "error", code: "verifier_failed", error: error.message });
    }
    before += each.bytes.length;
    // one after the other, as they come; the others stay as they are, with what is open in them
    const { node } = each;
    node.replaceWith(drawn(each));
  }
  find("running").hidden = true;
  tell();
}

/** Say to those who cannot see the list what has come of it. */
function tell() {
  const reports = dropped.filter((each) => each.examined).map((each) => each.examined.report);
  if (!reports.length) return;
  find("status").textContent = reports.length === 1 ? summary(words, reports[0]) : counted(words, reports);
}

function show() {
  find("verdicts").replaceChildren(...dropped.map(drawn));
  find("results").hidden = !dropped.length;
}

/** Draw what is known of a file, and keep it as its `node`. */
function drawn(each) {
  each.node = shown(each);
  return each.node;
}

function shown(each) {
  if (each.examined) return verdict(each);
  if (each.kind === "log") return element("article", { class: "waiting" }, heading(each));
  const nodes = words.nodes(each.code, each);
  return element("article", { class: each.kind }, element("p", {}, ...nodes));
}

const heading = ({ file }) => element("h3", {}, isolated(file));

function verdict({ file, bytes, isRecord, examined }) {
  const { report } = examined;
  const about = { ...examined, file, size: bytes.length };
  const sign = element("span", { "aria-hidden": "true", class: "sign" }, SIGNS[report.verdict]);
  const line = isolating(summary(words, report), report.names ?? []);
  return element(
    "article",
    { "data-verdict": report.verdict },
    heading({ file }),
    element("p", { class: "verdict" }, sign, element("strong", {}, ...line)),
    element("p", {}, ...(isRecord ? words.nodes("verify_record") : meaning(words, about))),
    list("ul", {}, [...unruledFinding(words, about), ...opening(words, about)]),
    details(about),
  );
}

/** Return everything else about a log, folded up. */
function details(about) {
  const { report, file, steps } = about;
  const title = (code) => element("h4", {}, words.say(code));
  const played = steps.length
    ? [title("verifier_moves"), list("ol", { tabindex: "0" }, moves(words, about))]
    : [];
  return element(
    "details",
    {},
    element("summary", {}, words.say("verifier_details")),
    list("ul", {}, particulars(words, about)),
    ...played,
    title("verifier_json"),
    element("pre", { tabindex: "0" }, json({ file, ...report, details: undefined })),
  );
}

for (const input of document.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => {
    const files = [...input.files];
    // the same file can be chosen again, when it has changed
    input.value = "";
    add(input.webkitdirectory ? files.filter(isOfGames).sort(byPath) : files);
  });
}
find("language").addEventListener("change", ({ target }) => use(target.value));
find("clear").addEventListener("click", () => {
  run++;
  dropped = [];
  find("running").hidden = true;
  find("status").textContent = "";
  show();
  find("files").focus();
});

// anywhere on the page: a file that misses would be opened in its place
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("over");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  add(event.dataTransfer.files);
});

// the languages of the browser, the preferred one first
use(navigator.languages.map((each) => each.split("-")[0]).find((each) => each in templates) ?? "en");
