/** The toy game of the vectors (protocol/vectors/README.md). */

const OPENINGS = ["bid", "draw", "turn"];

function settings(list) {
  if (list.length !== 2 || list[0][0] !== "rounds" || list[1][0] !== "opening") return null;
  const [[, rounds], [, opening]] = list;
  return /^[1-9]$/.test(rounds) && OPENINGS.includes(opening) ? { rounds: Number(rounds), opening } : null;
}

function start({ rounds, opening }) {
  return { ...newRound(rounds, opening), scores: [0, 0] };
}

function newRound(left, phase) {
  return {
    phase,
    left,
    player: phase === "bid" || phase === "over" ? null : 0,
    bids: ["1", "2", "3"],
    decisions: ["dare", "pass", "take"],
    treasure: 10,
  };
}

function endRound(state) {
  const left = state.left - 1;
  return { ...state, ...newRound(left, left === 0 ? "over" : "bid") };
}

/** The player scores the treasure, and the round ends. */
function take(state) {
  const scores = state.scores.map((score, of) => (of === state.player ? score + state.treasure : score));
  return endRound({ ...state, scores });
}

function asks({ phase, player }) {
  const bounds = { draw: [6, 300], storm: [1, 65536, 2] }[phase];
  if (bounds) return { kind: "draw", bounds };
  return { bid: { kind: "choice" }, turn: { kind: "turn", player }, over: { kind: "over" } }[phase];
}

function legal({ phase, player, bids, decisions }, by, action) {
  return phase === "bid" ? bids.includes(action) : by === player && decisions.includes(action);
}

function act(state, player, action) {
  if (action === "take") return take(state);
  const decisions = state.decisions.filter((decision) => decision !== action);
  return action === "dare"
    ? { ...state, decisions, phase: "draw" }
    : { ...state, decisions, player: 1 - player };
}

function choose(state, actions) {
  const [one, other] = actions.map(Number);
  if (one === other) {
    const bids = state.bids.filter((bid) => bid !== actions[0]);
    return bids.length === 0 ? endRound(state) : { ...state, bids };
  }
  const higher = one > other ? 0 : 1;
  return Math.abs(one - other) === 1
    ? { ...state, phase: "draw", player: higher }
    : { ...state, phase: "turn", player: 1 - higher };
}

function draw(state, [first, second, third]) {
  if (state.phase === "storm") {
    return third === 0 ? endRound(state) : { ...state, phase: "turn", player: 1 - state.player, treasure: second };
  }
  const found = { ...state, treasure: second };
  if (first === 0) return { ...found, phase: "storm" };
  return first <= 2 ? take(found) : { ...found, phase: "turn" };
}

function value({ phase, left, player, bids, decisions, treasure, scores }) {
  return [phase, left, player, bids, decisions, treasure, scores];
}

function result({ scores }) {
  const [one, other] = scores;
  return { scores, winner: one === other ? null : one > other ? 0 : 1 };
}

export const toy = Object.freeze({
  name: "toy",
  rules: 1,
  settings,
  needs: () => [],
  start,
  asks,
  legal,
  act,
  choose,
  draw,
  value,
  result,
});
