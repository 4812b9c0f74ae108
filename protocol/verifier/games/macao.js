/**
 * Shadows of Macao, rules version 1 (SPEC 16).
 *
 * A state is an object with the items of SPEC 16.4 under their names there, and the deck; no function changes one.
 * A pile is an object of the three items that 16.4 gives one: top, hidden (the number of unseen cards) and known.
 */

import { readDeck, reconstruction } from "./macao_deck.js";

/** The name and the digest of the deck that needs no data (16.2). */
const RECONSTRUCTION = "reconstruction-1";
const RECONSTRUCTION_DIGEST = "46215cf940a3feeddd4c8ce0efef7ccadc434b87a7cf096d39fdf95cb30352e1";

const WIDOW = "widow";
const DIAMOND = "d";
const LAST_ROUND = 40;
const PLACES = 5;

/** The phases of SPEC 16.4, by number. */
const [SETUP, TURN, TURN_UP, LIMIT, DANCER, POLICEMAN, KILLER, OVER] = Array(8).keys();

// Arrays.

const replaced = (items, at, item) => items.map((old, index) => (index === at ? item : old));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const count = (items, item) => [...items].filter((each) => each === item).length;

/** The items but for one copy of an item. */
function without(items, item) {
  const at = items.indexOf(item);
  return items.filter((_, index) => index !== at);
}

/** The items without those drawn by the indices, and these (16.5). */
function drawn(items, indices) {
  const left = [...items];
  const taken = indices.map((index) => left.splice(index, 1)[0]);
  return [left, taken];
}

// Cards that are taken, discarded and paid.

const kindOf = (state, id) => state.deck.cards.get(id).kind;
const countKind = (state, ids, kind) => ids.filter((id) => kindOf(state, id) === kind).length;

/** The state with cards or tiles added to a player's own in a list of pairs, such as `blue`. */
const add = (state, list, player, id) =>
  ({ ...state, [list]: replaced(state[list], player, state.deck.sorted([...state[list][player], id])) });
const remove = (state, list, player, id) =>
  ({ ...state, [list]: replaced(state[list], player, without(state[list][player], id)) });

function take(state, at) {
  const { top, hidden, known } = state.piles[at];
  const laid = add(state, "blue", state.player, top);
  if (hidden) {
    const piles = replaced(state.piles, at, { top: "", hidden, known });
    return { ...laid, phase: TURN_UP, pile: at, piles };
  }
  const [next = "", ...rest] = known;
  return keepLimit({ ...laid, piles: replaced(state.piles, at, { top: next, hidden, known: rest }) });
}

function turnUp(state, [index]) {
  const [unseen, [top]] = drawn(state.unseen, [index]);
  const { hidden, known } = state.piles[state.pile];
  const piles = replaced(state.piles, state.pile, { top, hidden: hidden - 1, known });
  return keepLimit({ ...state, unseen, pile: -1, piles });
}

function keepLimit(state) {
  const { player, blue, dead, red } = state;
  const places = PLACES + countKind(state, red[player], "innkeeper");
  return blue[player].length + dead[player] > places ? { ...state, phase: LIMIT } : endTurn(state);
}

/** Put cards, in file order, under the smallest pile. */
function discard(state, ids) {
  if (!ids.length) return state;
  const sizes = state.piles.map(({ top, hidden, known }) => (top ? 1 : 0) + hidden + known.length);
  const at = sizes.indexOf(Math.min(...sizes));
  const { top, hidden, known } = state.piles[at];
  const [first, ...rest] = ids;
  const pile = sizes[at] ? { top, hidden, known: [...known, ...ids] } : { top: first, hidden, known: rest };
  return { ...state, piles: replaced(state.piles, at, pile) };
}

const discardOne = (state, player, id) => discard(remove(state, "blue", player, id), [id]);

function pay(state, ids) {
  const { player } = state;
  const paid = ids.reduce((before, id) => remove(before, "blue", player, id), state);
  const dead = replaced(state.dead, player, state.dead[player] + count(ids, WIDOW));
  return discard({ ...paid, dead }, ids.filter((id) => id !== WIDOW));
}

// Turns.

function endTurn(state) {
  if (state.player === 0) return { ...state, phase: TURN, player: 1 };
  const ends = state.red.some((cards) => cards.length >= 7) || !state.centre.length || state.round === LAST_ROUND;
  return ends ? { ...state, phase: OVER } : { ...state, phase: TURN, player: 0, round: state.round + 1 };
}

function recruit(state, id, payment) {
  const { player } = state;
  const done = pay(add(remove(state, "blue", player, id), "red", player, id), payment);
  switch (kindOf(state, id)) {
    case "dancer": return { ...done, phase: DANCER };
    case "policeman": return done.centre.length ? { ...done, phase: POLICEMAN } : endTurn(done);
    case "killer": return done.blue[1 - player].length ? { ...done, phase: KILLER } : endTurn(done);
    default: return endTurn(done);
  }
}

function open(state, id, payment) {
  const { player } = state;
  const opened = add(remove(state, "reserved", player, id), "opened", player, id);
  return endTurn(pay({ ...opened, centre: without(state.centre, id) }, payment));
}

function reserve(state, id) {
  return endTurn(add({ ...state, centre: without(state.centre, id) }, "reserved", state.player, id));
}

// Payments and conditions.

/** Read `recruit:C`, `recruit:C=P`, `open:T` or `open:T=P` (16.6); return null for any other text. */
function readPurchase(action) {
  const match = /^(recruit|open):([^=]+)(?:=(.+))?$/.exec(action);
  return match && { verb: match[1], id: match[2], payment: match[3]?.split("+") ?? [] };
}

function canBuy(state, player, { verb, id, payment }) {
  const { deck, blue, reserved, centre } = state;
  if (verb === "recruit") {
    return blue[player].includes(id) &&
      isPayment(state, player, deck.cards.get(id).cost, without(blue[player], id), payment, "croupier");
  }
  if (!centre.includes(id) && !reserved[player].includes(id)) return false;
  const { cost, condition } = deck.tiles.get(id);
  if (condition) return !payment.length && isMet(state, player, condition);
  return isPayment(state, player, cost, blue[player], payment, null);
}

/** Check that cards are in file order, are there, cover a cost, and that none could be left out. */
function isPayment(state, player, cost, available, payment, reducer) {
  const isThere = payment.every((id) => count(payment, id) <= count(available, id));
  if (!isThere || state.deck.sorted(payment).join() !== payment.join()) return false;
  const pays = (ids) => covers(state, state.red[player], cost, ids, reducer);
  return pays(payment) && !payment.some((id) => pays(without(payment, id)));
}

/**
 * Check that red cards and a payment cover a cost in at least one way.
 *
 * Resources that traders let stand for each other, pairs chained, form a group, in which only sums count. A croupier
 * helps in any group that lacks something, down to one of each resource; diamonds fill what is left.
 */
function covers({ deck }, red, cost, payment, reducer) {
  const reds = red.map((id) => deck.cards.get(id));
  const supply = [...reds.map((card) => card.red), ...payment.map((id) => deck.cards.get(id).blue)].join("");
  const gaps = groups(deck.resources, reds.map((card) => card.pair)).map((group) => {
    const needed = [...group].map((letter) => count(cost, letter));
    const missing = Math.max(0, sum(needed) - sum([...group].map((letter) => count(supply, letter))));
    return { missing, reducible: Math.min(missing, sum(needed.map((number) => Math.max(0, number - 1)))) };
  });
  const reduced = Math.min(reds.filter((card) => card.kind === reducer).length, sum(gaps.map((gap) => gap.reducible)));
  return sum(gaps.map((gap) => gap.missing)) - reduced <= count(supply, DIAMOND);
}

/** The resources in groups that pairs connect. */
function groups(resources, pairs) {
  return pairs.filter((pair) => pair).reduce((joined, pair) => {
    const [touched, others] = [true, false].map((touches) =>
      joined.filter((group) => [...pair].some((letter) => group.includes(letter)) === touches));
    return [...others, touched.join("")];
  }, [...resources]);
}

function isMet(state, player, condition) {
  const { blue, dead, red, reserved, opened } = state;
  const kinds = [...blue[player], ...red[player]].map((id) => kindOf(state, id));
  const blues = blue[player].length + dead[player];
  switch (condition) {
    case "identical 4": return kinds.some((kind) => count(kinds, kind) >= 4);
    case "blue 6": return blues >= 6;
    case "kinds 6": return new Set(kinds).size >= 6;
    case "one of each": return [blues, ...[red, reserved, opened].map((lists) => lists[player].length)].every(Boolean);
  }
}

// The game, as SPEC 5 sees it.

function settings(list) {
  if (list.length !== 1 || list[0][0] !== "deck") return null;
  const deck = list[0][1];
  const isDigest = /^[0-9a-f]{64}$/.test(deck) && deck !== RECONSTRUCTION_DIGEST;
  return deck === RECONSTRUCTION || isDigest ? { deck } : null;
}

const needs = ({ deck }) => (deck === RECONSTRUCTION ? [] : [deck]);

function start(options, data) {
  const deck = options.deck === RECONSTRUCTION ? reconstruction : readDeck(data.get(options.deck));
  return deck && {
    deck,
    player: 0,
    phase: SETUP,
    pile: -1,
    round: 1,
    blue: [[WIDOW], [WIDOW]],
    dead: [0, 0],
    red: [[], []],
    reserved: [[], []],
    opened: [[], []],
    centre: [],
    piles: [12, 12, 11, 11].map((hidden) => ({ top: "", hidden, known: [] })),
    unseen: deck.pile,
  };
}

function asks({ phase, player, unseen }) {
  switch (phase) {
    case SETUP: return { kind: "draw", bounds: [10, 9, 8, 7, 46, 45, 44, 43] };
    case TURN_UP: return { kind: "draw", bounds: [unseen.length] };
    case KILLER: return { kind: "turn", player: 1 - player };
    case OVER: return { kind: "over" };
    default: return { kind: "turn", player };
  }
}

function legal(state, player, action) {
  const { phase, piles, blue, centre } = state;
  const takes = piles.some(({ top }, at) => top && action === `take:${at + 1}`);
  switch (phase) {
    case TURN: {
      const purchase = readPurchase(action);
      return purchase ? canBuy(state, player, purchase) : takes;
    }
    case DANCER: return takes;
    case POLICEMAN: return centre.some((id) => action === `reserve:${id}`);
    default: return blue[player].some((id) => action === `discard:${id}`);
  }
}

function act(state, player, action) {
  const [verb, rest] = action.split(":");
  switch (verb) {
    case "take": return take(state, Number(rest) - 1);
    case "reserve": return reserve(state, rest);
    case "discard": return endTurn(discardOne(state, player, rest));
    default: {
      const { id, payment } = readPurchase(action);
      return verb === "recruit" ? recruit(state, id, payment) : open(state, id, payment);
    }
  }
}

function draw(state, indices) {
  if (state.phase === TURN_UP) return turnUp(state, indices);
  const [, centre] = drawn([...state.deck.tiles.keys()], indices.slice(0, 4));
  const [unseen, tops] = drawn(state.unseen, indices.slice(4));
  const piles = state.piles.map(({ hidden }, at) => ({ top: tops[at], hidden: hidden - 1, known: [] }));
  return { ...state, phase: TURN, centre: state.deck.sorted(centre), piles, unseen };
}

function value(state) {
  return [
    state.player, state.phase, state.pile, state.round, state.blue, state.dead, state.red, state.reserved, state.opened,
    state.centre, state.piles.map(({ top, hidden, known }) => [top, hidden, known]), state.unseen,
  ];
}

function result({ deck, red, opened }) {
  const scores = [0, 1].map((player) =>
    sum(red[player].map((id) => deck.cards.get(id).coins)) + sum(opened[player].map((id) => deck.tiles.get(id).worth)));
  const ranks = [scores, opened.map((tiles) => tiles.length), red.map((cards) => cards.length)];
  const deciding = ranks.find(([first, second]) => first !== second);
  return { scores, winner: deciding ? (deciding[0] > deciding[1] ? 0 : 1) : null };
}

/** The game as `README.md` describes a game module. */
export const macao = Object.freeze({
  name: "macao",
  rules: 1,
  settings,
  needs,
  start,
  asks,
  legal,
  act,
  choose: () => { throw new Error("Shadows of Macao has no simultaneous choices (SPEC 16)"); },
  draw,
  value,
  result,
});
