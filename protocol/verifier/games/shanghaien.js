/** Shanghaien (SPEC 12). */

const NATIONALITIES = "AFGCDTSI";
const VALUES = [1, 2, 3, 3, 4];
const ROUNDS = 8;

// what a state asks for (SPEC 12.4)
const ROW = 0;
const TURN = 1;
const ROLL = 2;
const DICE = 3;
const SECOND_ROLL = 4;
const PLACEMENT = 5;
const OVER = 6;

/** Items that are set back between two rounds. */
const EMPTY_TABLE = { direction: "", placed: [Array(6).fill(0), Array(6).fill(0)], tricked: [false, false] };

/**
 * @typedef {object} State the items of SPEC 12.4, with the names that they have there
 * @property {0 | 1} player
 * @property {number} phase
 * @property {number[]} dice
 * @property {"" | "<" | ">"} direction
 * @property {[number[], number[]]} placed
 * @property {[boolean, boolean]} tricked
 * @property {[string, string]} tricks
 * @property {[string[], string[]]} crews
 * @property {number} round
 * @property {0 | 1} starter
 * @property {string[]} row
 * @property {string[]} pile
 */

/**
 * The variant, and how many trick cards there are of each kind (SPEC 12.1).
 * @param {[string, string][]} list
 * @returns {{ variant: string, counts: number[] } | null}
 */
function settings(list) {
  if (list.length !== 2 || list[0][0] !== "variant" || list[1][0] !== "tricks") return null;
  const [[, variant], [, tricks]] = list;
  const counts = /^p(\d) b(\d) r(\d)$/.exec(tricks)?.slice(1).map(Number);
  if (!["standard", "extra-wild"].includes(variant) || !counts || sum(counts) !== 8) return null;
  return { variant, counts };
}

/**
 * The first state (SPEC 12.4).
 * @returns {State}
 */
function start({ variant, counts }) {
  const sailors = [...NATIONALITIES].flatMap((nationality) => VALUES.map((value) => `${nationality}${value}`));
  const tricks = ["Xp", "Xb", "Xr"].flatMap((trick, at) => Array(counts[at]).fill(trick));
  const hand = variant === "extra-wild" ? "w" : "";
  return {
    player: 0,
    phase: ROW,
    dice: [],
    ...EMPTY_TABLE,
    tricks: [hand, hand],
    crews: [[], []],
    round: 1,
    starter: 0,
    row: [],
    pile: [...sailors, ...tricks],
  };
}

function asks({ player, phase, pile }) {
  switch (phase) {
    case ROW:
      return { kind: "draw", bounds: [0, 1, 2, 3, 4, 5].map((taken) => pile.length - taken) };
    case ROLL:
    case SECOND_ROLL:
      return { kind: "draw", bounds: [6, 6] };
    case OVER:
      return { kind: "over" };
    default:
      return { kind: "turn", player };
  }
}

function legal(state, player, action) {
  return state.player === player && actions(state).includes(action);
}

/** List the actions of the player to move (SPEC 12.3, 12.6). */
function actions({ player, phase, dice, direction, placed, tricked, tricks, crews }) {
  if (phase === TURN) {
    const count = sum(placed[player]);
    return [...(count <= 4 ? ["roll"] : []), ...(count >= 2 ? ["#"] : [])];
  }
  const ends = direction === "" ? ["<", ">"] : [""];
  const placements = dice.flatMap((die) => ends.map((end) => `-${die}${end}`));
  if (phase === PLACEMENT || tricked[player]) return placements;

  const nationalities = new Set(crews[player].map(([nationality]) => nationality));
  const held = new Set(tricks[player]);
  const jokers = [...held].flatMap((trick) => [...nationalities].map((nationality) => `!${trick}=${nationality}`));
  const turned = dice.flatMap((die) => [...(die < 6 ? [`!p+${die}`] : []), ...(die > 1 ? [`!p-${die}`] : [])]);
  const both = ends.map((end) => `!b${end}`);
  return [
    ...placements,
    ...jokers,
    ...(held.has("p") ? turned : []),
    ...(held.has("b") ? both : []),
    ...(held.has("r") ? ["!r"] : []),
  ];
}

function act(state, player, action) {
  if (action === "roll") return { ...state, phase: ROLL };
  if (action === "#") return endRound(state);
  if (action.startsWith("-")) return place(state, [Number(action[1])], action.slice(2));

  const trick = action[1];
  const played = {
    ...state,
    phase: PLACEMENT,
    tricked: replace(state.tricked, player, true),
    tricks: replace(state.tricks, player, state.tricks[player].replace(trick, "")),
  };
  if (action[2] === "=") {
    const crew = sortCrew([...state.crews[player], `${action[3]}${trick}`]);
    return { ...played, crews: replace(state.crews, player, crew) };
  }
  if (trick === "b") return place(played, state.dice, action.slice(2));
  if (trick === "r") return { ...played, phase: SECOND_ROLL, dice: [] };
  const die = Number(action[3]);
  const turned = action[2] === "+" ? die + 1 : die - 1;
  return { ...played, dice: replace(state.dice, state.dice.indexOf(die), turned).sort() };
}

/** Place dice, and pass the turn. An end is given with the first placement of a round. */
function place(state, dice, end) {
  const { player } = state;
  const placed = [...state.placed[player]];
  for (const die of dice) placed[die - 1] += 1;
  return {
    ...state,
    player: 1 - player,
    phase: TURN,
    dice: [],
    direction: end || state.direction,
    placed: replace(state.placed, player, placed),
  };
}

/** Call Shanghai: take the cards of the row, and begin the next round, if there is one. */
function endRound(state) {
  const { player, round } = state;
  const taken = [[], []];
  state.row.forEach((card, at) => {
    const taker = takerOf(state.direction === "<" ? at : 5 - at, state.placed);
    if (taker !== null) taken[taker].push(card);
  });
  const isTrick = (card) => card.startsWith("X");
  const ended = {
    ...state,
    ...EMPTY_TABLE,
    row: [],
    tricks: state.tricks.map((hand, of) => sortHand(hand, taken[of].filter(isTrick))),
    crews: state.crews.map((crew, of) => sortCrew([...crew, ...taken[of].filter((card) => !isTrick(card))])),
  };
  if (round === ROUNDS) return { ...ended, phase: OVER };
  return { ...ended, phase: ROW, player: 1 - player, starter: 1 - player, round: round + 1 };
}

/** Return the player who takes the card with the number `at` + 1, or null. */
function takerOf(at, placed) {
  const [mine, yours] = placed.map((dice) => dice[at]);
  if (mine !== yours) return mine > yours ? 0 : 1;
  if (mine === 0) return null;
  // each die on a neighbouring number counts that number; beyond the ends there are none
  const [one, other] = placed.map((dice) => (dice[at - 1] ?? 0) * at + (dice[at + 1] ?? 0) * (at + 2));
  if (one === other) return null;
  return one > other ? 0 : 1;
}

function draw(state, indices) {
  if (state.phase !== ROW) {
    const phase = state.phase === ROLL ? DICE : PLACEMENT;
    return { ...state, phase, dice: indices.map((index) => index + 1).sort() };
  }
  const pile = [...state.pile];
  const row = indices.map((index) => pile.splice(index, 1)[0]);
  return { ...state, phase: TURN, row, pile };
}

function value(state) {
  const { player, phase, dice, direction, placed, tricked, tricks, crews, round, starter, row, pile } = state;
  return [player, phase, dice, direction, placed, tricked, tricks, crews, round, starter, row, pile];
}

function result({ tricks, crews }) {
  const scores = tricks.map((hand) => hand.length);
  for (const nationality of NATIONALITIES) {
    const [one, other] = crews.map((crew) => strengthOf(crew.filter((card) => card[0] === nationality)));
    // of a nationality that one player alone holds, the other's strength is 0
    if (one > other) scores[0] += other || one;
    if (other > one) scores[1] += one || other;
  }
  const [one, other] = scores;
  return { scores, winner: one === other ? null : one > other ? 0 : 1 };
}

/** Add up the values of some cards of a crew. A joker counts 2. */
function strengthOf(cards) {
  return sum(cards.map((card) => Number(card[1]) || 2));
}

/** Add trick cards of the deck to the letters of a hand. */
function sortHand(hand, cards) {
  return [...hand, ...cards.map((card) => card[1])].sort().join("");
}

/** Sort a crew: by nationality, and then by value, which is before the letter of a joker. */
function sortCrew(crew) {
  const rank = (card) => NATIONALITIES.indexOf(card[0]) * 256 + card.charCodeAt(1);
  return crew.sort((one, other) => rank(one) - rank(other));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Return a copy of an array with another item at a place. */
function replace(array, at, item) {
  return array.map((old, place) => (place === at ? item : old));
}

/** The game module (README.md). */
export const shanghaien = Object.freeze({
  name: "shanghaien",
  rules: 1,
  settings,
  needs: () => [],
  start,
  asks,
  legal,
  act,
  choose: () => {
    throw new Error("players never choose at the same time");
  },
  draw,
  value,
  result,
});
