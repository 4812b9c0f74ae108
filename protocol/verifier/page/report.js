/** Reports on logs (SPEC 9.3) in the words of the program. */

/** The seats of player 0 and player 1; before the opening draw, as if they sat in this order. */
const seats = (report) => (report.first === 1 ? [1, 0] : [0, 1]);

/** The order in which exit codes count (SPEC 9.2). */
const WORST_FIRST = ["VIOLATION", "INVALID FILE", "UNSUPPORTED", "INCOMPLETE", "DECIDED", "COMPLETE"];

/** The part of a code that names a verdict: `invalid_file`. */
const named = (verdict) => verdict.toLowerCase().replace(" ", "_");

/** A count of each verdict, the worst first (SPEC 9.2). */
export function counted(words, reports) {
  const counts = WORST_FIRST.map((name) => [name, reports.filter(({ verdict }) => verdict === name).length]);
  const verdicts = counts.filter(([, count]) => count).map(([name, count]) =>
    words.say(`verifier_count_${named(name)}`, { count }));
  return words.say("verifier_verified", { count: reports.length, verdicts: verdicts.join(", ") });
}

/** The names of the players, player 0 first. */
export const players = (report) => seats(report).map((seat) => report.names[seat]);

/** The verdict in one line. */
export function summary(words, report) {
  const reason = report.reason && clause(words, report);
  const awaited = words.listed(report.awaiting.map((seat) => report.names[seat]));
  const number = report.entry;
  switch (report.verdict) {
    case "COMPLETE":
      return words.say("verdict_complete", { outcome: outcome(words, report) });
    case "DECIDED":
      return words.say("verdict_decided", { awaited, outcome: outcome(words, report) });
    case "INCOMPLETE":
      return words.say("verdict_incomplete", { awaited });
    case "VIOLATION":
      return words.say("verdict_violation", { name: report.names[report.seat], number, reason });
    case "INVALID FILE":
      return words.say(number === null ? "verdict_invalid_file" : "verdict_invalid_entry", { number, reason });
    default:
      return words.say("verdict_unsupported", { reason });
  }
}

/** The reason for a verdict, within a sentence; the name of the error (SPEC 14) where there are no words for it. */
export function clause(words, { reason, details }) {
  const code = [reason, `verifier_${reason}`].find((each) => words.fits(each, details));
  return code ? words.say(code, details) : reason;
}

function outcome(words, report) {
  const [reason, scores, winner] = report.result;
  if (reason === "resigned") return words.say("outcome_resigned", { name: report.names[1 - winner] });
  if (reason === "abandoned") return words.say("outcome_abandoned");
  const scored = seats(report).map((seat) =>
    words.say("outcome_score", { name: report.names[seat], score: scores[seat] }));
  return words.listed(scored);
}

/** The meaning of the verdict, and for a violation what is proved against whom: nodes of a sentence. */
export function meaning(words, { report, fingerprints }) {
  const { seat, entry: number } = report;
  const proved = seat === null ? {} : { name: report.names[seat], fingerprint: fingerprints[seat], number };
  const reason = report.reason && clause(words, report);
  return words.nodes(`verifier_means_${named(report.verdict)}`, { ...proved, reason });
}

const settingsOf = (report) => report.settings.map((each) => each.join(" ")).join(", ");

/** The name of the game on its box; one that is not known here keeps its technical name. */
const gameOf = (words, { game: name }) => (words.fits(`${name}:name`, {}) ? words.say(`${name}:name`) : name);

/** The game and its settings. */
export function game(words, report) {
  const settings = settingsOf(report);
  const name = gameOf(words, report);
  return settings ? words.say("game_with_options", { game: name, settings }) : name;
}

/** A sentence on each player, as nodes. */
function seated(words, codes, { names, keys }, fingerprints) {
  return codes.map((code, seat) =>
    words.nodes(code, { name: names[seat], fingerprint: fingerprints[seat], key: keys[seat] }));
}

/** The content of the opening record, if it holds: sentences as nodes. */
export function opening(words, { fingerprints, report, unruled }) {
  const known = unruled ?? report;
  if (known.session === null) return [];
  const played = { game: gameOf(words, known), rules: known.rules, settings: settingsOf(known) };
  return [
    ...seated(words, ["verifier_host", "verifier_guest"], known, fingerprints),
    ...(known.one_key ? [words.nodes("details_one_key")] : []),
    words.nodes("details_game", played),
    words.nodes("details_entries", { count: known.sound }),
  ];
}

/** The finding on a game without its rules, if they are not known here: sentences as nodes. */
export function unruledFinding(words, { unruled }) {
  if (!unruled) return [];
  const { entry: number, reason, sound: count } = unruled;
  if (reason === null) return [words.nodes("verifier_unruled_sound", { count })];
  const code = number === null ? "verifier_unruled_file" : "verifier_unruled_entry";
  return [words.nodes(code, { number, reason: clause(words, unruled) })];
}

/** More about the file: sentences as nodes. */
export function particulars(words, examined) {
  const { file, size, digest, fingerprints } = examined;
  const known = examined.unruled ?? examined.report;
  const { session, head, truncated, damaged } = known;
  return [
    ...(truncated ? [words.nodes("details_truncated", { count: truncated })] : []),
    ...(damaged ? [words.nodes("verifier_damaged", { count: damaged })] : []),
    ...(session === null
      ? []
      : [
        ...seated(words, ["details_host", "details_guest"], known, fingerprints),
        words.nodes("verifier_session", { session }),
        words.nodes("verifier_head", { head }),
      ]),
    words.nodes("page_log", { file, size, digest }),
  ];
}

/** The moves that the log has, in its own notation: sentences as nodes. */
export function moves(words, { report, steps }) {
  const named = players(report);
  return steps.flatMap(({ indices, actions, player }) => {
    if (indices?.length) return [words.nodes("verifier_drawn", { indices: indices.join(", ") })];
    return (actions ?? []).map((action, index) =>
      words.nodes("verifier_move", { name: named[player ?? index], action }));
  });
}
