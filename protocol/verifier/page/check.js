/** The part of a replay that verifies the log which the page carries, and compares it with what the page shows. */

import { carried, element, list } from "./dom.js";
import { game, moves, players, summary, clause } from "./report.js";
import { Verifier } from "./verifier.js";
import { Words } from "./words.js";

/** Fields of the report (SPEC 9.3) that the page claims. */
const COMPARED = [
  ...["verdict", "reason", "result", "names", "keys", "game", "rules", "settings", "entry", "seat", "awaiting"],
  ...["first", "sound", "truncated", "damaged", "session", "head", "digest"],
];
/** More differences say nothing more. */
const TOLD = 3;

const find = (id) => document.getElementById(id);
const claimed = carried("claimed");

const words = new Words(document.documentElement.lang, carried("sentences"));
const output = find("verified");

/** Return the bytes of a text in base64; none if it is damaged, which no log is. */
function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** Return what the page shows and claims otherwise than `examined`, the result for its log: [what, shown, found]. */
function differences({ report, digest }) {
  const found = { ...report, digest };
  const [first, second] = players(report);
  const texts = [
    ["title", "h1", words.say("page_title", { first, second })],
    ["game", ".about", game(words, report)],
    // the program says more of a reason than this verifier knows
    ...(report.reason === null ? [["verdict", "header .verdict strong", summary(words, report)]] : []),
  ];
  const asText = JSON.stringify;
  return [
    ...texts
      .map(([what, selector, text]) => [what, document.querySelector(selector).textContent, text])
      .filter(([, shown, text]) => shown !== text),
    ...COMPARED
      .filter((name) => asText(claimed[name]) !== asText(found[name]))
      .map((name) => [name, asText(claimed[name]), asText(found[name])]),
  ];
}

/** Return whether the log is the one that the page claims, of a game that is not known here. */
function isOfUnknownGame({ report: { verdict, details }, digest }) {
  if (verdict !== "UNSUPPORTED") return false;
  return details.game === claimed.game && details.rules === claimed.rules && digest === claimed.digest;
}

function tell(examined) {
  const { report } = examined;
  output.dataset.verdict = report.verdict;
  if (isOfUnknownGame(examined)) {
    if (examined.unruled?.reason) return contradict([["verdict", claimed.verdict, clause(words, examined.unruled)]]);
    output.textContent = words.say("check_unsupported", { reason: clause(words, report) });
    return;
  }
  const isUnread = report.session === null;
  const differing = isUnread ? [["verdict", claimed.verdict, report.verdict]] : differences(examined);
  if (differing.length) return contradict(differing);
  output.textContent = words.say("check_agrees");
  output.className = "agrees";
  find("proof").append(
    element(
      "details",
      {},
      element("summary", {}, words.say("verifier_moves")),
      list("ol", { tabindex: "0" }, moves(words, examined)),
    ),
  );
}

/** Nothing on the page is louder. */
function contradict(differing) {
  output.textContent = words.say("check_differs");
  output.className = "differs";
  const how = differing.slice(0, TOLD).map(([what, shown, found]) =>
    words.nodes("check_differs_how", { what, shown, found }));
  document.body.prepend(
    element(
      "div",
      { role: "alert", id: "contradiction" },
      element("p", {}, words.say("check_differs")),
      list("ul", {}, how),
    ),
  );
  document.body.classList.add("contradicted");
}

function fail(error) {
  output.dataset.verdict = "";
  output.textContent = words.say("check_failed", { error: error.message });
  output.className = "differs";
}

async function check() {
  const bytes = bytesOf(find("log").textContent);
  const save = find("save");
  save.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  save.hidden = false;
  tell(await new Verifier().examine(bytes, { data: carried("outside").map(bytesOf) }));
}

check().catch(fail);
