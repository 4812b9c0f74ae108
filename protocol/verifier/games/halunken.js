/**
 * Halunken & Spelunken, rules version 1 (SPEC 15).
 *
 * A state is an object with the items of SPEC 15.4 under their names there; no function changes one. Players are
 * numbered as in SPEC 5.3, and Black Jack is the third where there are three of something.
 */

const DECK = Object.entries({
  r: [4, 5, 6, 7, 8, 9, 10, 11, 15],
  v: [3, 4, 5, 6, 7, 8, 9, 10, 11, 14],
  g: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13],
  y: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
}).flatMap(([colour, values]) => values.map((value) => colour + value));

const SPACES = 14;
const ROUNDS = 8;
const CARDS = "1234567r";
const RUM = "r";
const NUMBERS = [1, 2, 3, 4, 5, 6, 7];
const JACK = 2;

/** The phases of SPEC 15.4, by number. */
const [
  PLACE_CAPTAIN, FIRST_ROGUES, PLACE_JACK, AUCTION, CHOICE, NAME_NUMBER, OPEN_DENS, ROB_CAPTAIN, ROB_AT_JACK,
  JACK_CARD, NAME_JACK_NUMBER, JACK_NUMBER, JACK_ROBS, LOSE, OVER,
] = Array(15).keys();

const SETTINGS = [["blackjack", ["on", "off"]], ["hands", ["1", "3"]], ["theft", ["takes", "may"]]];

// Arrays and rogues.

const replaced = (items, at, item) => items.map((old, index) => (index === at ? item : old));
const without = (rogues, rogue) => rogues.filter((each) => each !== rogue);
const inDeckOrder = (rogues) => [...rogues].sort((a, b) => DECK.indexOf(a) - DECK.indexOf(b));
const valueOf = (rogue) => Number(rogue.slice(1));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The number of a movement card; 0 for rum, and for no card. */
const numberOf = (card) => (card === RUM ? 0 : Number(card));

/** The state with rogues drawn from the pile by the indices, and these rogues (15.5). */
function fromPile(state, indices) {
  const pile = [...state.pile];
  const rogues = indices.map((index) => pile.splice(index, 1)[0]);
  return [{ ...state, pile }, rogues];
}

// Spaces.

const onward = (space, number) => ((space + number - 1) % SPACES) + 1;

function nextFree({ captains, jack }, space) {
  const next = onward(space, 1);
  return [...captains, jack].includes(next) ? nextFree({ captains, jack }, next) : next;
}

// Hands and rounds.

const UNDECIDED = { bid: "", hirer: null, shown: ["", "", ""], numbers: [0, 0, 0] };

function beginHand(hand, scores, options) {
  return {
    ...UNDECIDED,
    phase: PLACE_CAPTAIN,
    player: hand === 2 ? 1 : 0,
    hand,
    round: 0,
    opener: null,
    captains: [0, 0],
    jack: 0,
    cards: [CARDS, CARDS, options.blackjack ? CARDS : ""],
    crews: [[], []],
    boat: [],
    tops: Array(SPACES).fill(""),
    left: Array(SPACES).fill(3),
    pile: DECK,
    scores,
    options,
  };
}

function beginRound(state) {
  const asked = state.options.blackjack ? { phase: AUCTION, player: state.opener } : { phase: CHOICE, player: 0 };
  return { ...state, ...UNDECIDED, round: state.round + 1, ...asked };
}

function endRound(state) {
  if (state.round < ROUNDS) return beginRound(state);
  const scores = state.scores.map((score, player) => score + scoreOf(state.crews[player]));
  if (state.hand < state.options.hands) return beginHand(state.hand + 1, scores, state.options);
  return { ...state, ...UNDECIDED, phase: OVER, player: 0, scores };
}

function scoreOf(crew) {
  const colours = ["r", "v", "g", "y"].map((colour) => crew.filter((rogue) => rogue[0] === colour).map(valueOf));
  const most = Math.max(...colours.map((values) => values.length));
  const doubled = colours.filter((values) => values.length === most).map(sum);
  return sum(crew.map(valueOf)) + Math.max(...doubled);
}

// The setup.

function drawFirstRogues(state, indices) {
  const { player, captains } = state;
  const [drawn, [rogue, ...tops]] = fromPile(state, indices);
  const den = captains[player] - 1;
  const begun = {
    ...drawn,
    crews: replaced(state.crews, player, [rogue]),
    left: replaced(state.left, den, state.left[den] - 1),
  };
  if (!tops.length) return { ...begun, phase: PLACE_CAPTAIN, player: 1 - player };
  const open = { ...begun, tops };
  if (!state.options.blackjack) return beginRound(open);
  const opener = stronger(open.crews[0][0], open.crews[1][0]) ? 0 : 1;
  return { ...open, phase: PLACE_JACK, player: 1 - opener, opener };
}

/** Compare two rogues: by value, then by colour (15.3). */
function stronger(rogue, than) {
  const more = valueOf(rogue) - valueOf(than);
  return more ? more > 0 : DECK.indexOf(rogue) > DECK.indexOf(than);
}

// The auction.

function bidOrPass(state, player, action) {
  const other = 1 - player;
  if (action === "pass") {
    if (state.bid) return hire(state, other, state.bid);
    return player === state.opener ? { ...state, player: other } : { ...state, phase: CHOICE, player: 0 };
  }
  const rogue = action.slice("bid:".length);
  const openerPassed = !state.bid && player !== state.opener;
  return openerPassed ? hire(state, player, rogue) : { ...state, player: other, bid: rogue };
}

function hire(state, hirer, rogue) {
  const crews = replaced(state.crews, hirer, without(state.crews[hirer], rogue));
  const boat = inDeckOrder([...state.boat, rogue]);
  return { ...state, phase: CHOICE, player: 0, opener: hirer, bid: "", hirer, crews, boat };
}

// The secret choice, and the captains' moves.

function showCards(state, actions) {
  const chosen = actions.map((action) => action.split("+"));
  const shown = [chosen[0][0], chosen[1][0], chosen[state.hirer]?.[1] ?? ""];
  const cards = state.cards.map((left, owner) => left.replace(shown[owner], ""));
  const equal = shown[0] === shown[1];
  const numbers = shown.map((card, owner) => (equal && owner !== JACK ? 0 : numberOf(card)));
  const open = { ...state, shown, cards, numbers };
  if (equal) return openDens(takeTop(takeTop(open, 0), 1), 0);
  const rum = shown.indexOf(RUM);
  return rum === 0 || rum === 1 ? { ...open, phase: NAME_NUMBER, player: rum } : moveFirst(open);
}

const moveFirst = (state) => moveCaptain(state, state.numbers[0] < state.numbers[1] ? 0 : 1);

function moveCaptain(state, player) {
  const space = onward(state.captains[player], state.numbers[player]);
  return openDens(takeTop({ ...state, captains: replaced(state.captains, player, space) }, player), player);
}

function takeTop(state, player) {
  const den = state.captains[player] - 1;
  const rogue = state.tops[den];
  if (!rogue) return state;
  return {
    ...state,
    crews: replaced(state.crews, player, inDeckOrder([...state.crews[player], rogue])),
    tops: replaced(state.tops, den, ""),
    left: replaced(state.left, den, state.left[den] - 1),
  };
}

/** The dens whose next rogue has to be drawn, that of player 0 first. */
function closedDens({ captains, tops, left }) {
  return [...new Set(captains)].map((space) => space - 1).filter((den) => left[den] && !tops[den]);
}

const openDens = (state, player) =>
  closedDens(state).length ? { ...state, phase: OPEN_DENS, player } : afterTaking(state, player);

function drawTops(state, indices) {
  const [drawn, rogues] = fromPile(state, indices);
  const tops = [...state.tops];
  closedDens(state).forEach((den, place) => { tops[den] = rogues[place]; });
  return afterTaking({ ...drawn, tops }, state.player);
}

function afterTaking(state, player) {
  if (state.shown[0] === state.shown[1]) return moveJack(state);
  const { captains, jack } = state;
  const space = captains[player];
  if (captains[1 - player] === space && canRob(state, player)) return { ...state, phase: ROB_CAPTAIN, player };
  if (jack === space && lootAtJack(state, player).length) return { ...state, phase: ROB_AT_JACK, player };
  return endMove(state, player);
}

function endMove(state, player) {
  const { captains, jack, numbers } = state;
  const other = 1 - player;
  const space = captains[player];
  const moved = {
    ...state,
    captains: captains[other] === space ? replaced(captains, other, nextFree(state, space)) : captains,
    jack: jack === space ? nextFree(state, space) : jack,
  };
  return numbers[player] < numbers[other] ? moveCaptain(moved, other) : moveJack(moved);
}

// Thefts.

function canRob({ crews }, player) {
  const other = crews[1 - player];
  return other.length > 0 && crews[player].length <= other.length;
}

function lootAtJack(state, player) {
  const other = 1 - player;
  return state.hirer === other && canRob(state, player) ? [...state.boat, ...state.crews[other]] : state.boat;
}

function steal(state, player, action) {
  if (action === "leave") return state;
  const rogue = action.slice("take:".length);
  const crews = state.crews.map((crew, owner) =>
    owner === player ? inDeckOrder([...crew, rogue]) : without(crew, rogue));
  return { ...state, crews, boat: without(state.boat, rogue) };
}

// Black Jack's move.

function moveJack(state) {
  if (!state.options.blackjack) return endRound(state);
  if (state.hirer === null) return { ...state, phase: JACK_CARD, player: 0 };
  return state.numbers[JACK] ? meet(state) : { ...state, phase: NAME_JACK_NUMBER, player: state.hirer };
}

const moveJackBy = (state, number) => meet({ ...state, numbers: replaced(state.numbers, JACK, number) });

function drawJackCard(state, [index]) {
  const card = state.cards[JACK][index];
  const shown = replaced(state.shown, JACK, card);
  const cards = replaced(state.cards, JACK, state.cards[JACK].replace(card, ""));
  const open = { ...state, shown, cards };
  return card === RUM ? { ...open, phase: JACK_NUMBER, player: 0 } : moveJackBy(open, numberOf(card));
}

/** Black Jack meets the captains who are further away from him than a number of spaces, and then arrives. */
function meet(state, further = 0) {
  const { captains, jack, numbers, hirer, crews } = state;
  const away = captains.map((space) => (space - jack + SPACES) % SPACES);
  const met = [0, 1].filter((player) => away[player] > further && away[player] <= numbers[JACK]);
  for (const player of met.sort((a, b) => away[a] - away[b])) {
    if (hirer === null && crews[player].length) return { ...state, phase: LOSE, player };
    if (hirer === 1 - player && canRob(state, hirer)) return { ...state, phase: JACK_ROBS, player: hirer };
  }
  return arrive(state);
}

function arrive(state) {
  const space = onward(state.jack, state.numbers[JACK]);
  return endRound({ ...state, jack: state.captains.includes(space) ? nextFree(state, space) : space });
}

function lose(state, player, action) {
  const rogue = action.slice("lose:".length);
  const crews = replaced(state.crews, player, without(state.crews[player], rogue));
  const away = (state.captains[player] - state.jack + SPACES) % SPACES;
  return meet({ ...state, crews, boat: inDeckOrder([...state.boat, rogue]) }, away);
}

// The game, as SPEC 5 sees it.

function settings(list) {
  const fits = list.length === SETTINGS.length &&
    SETTINGS.every(([name, values], at) => list[at][0] === name && values.includes(list[at][1]));
  if (!fits) return null;
  const [blackjack, hands, theft] = list.map(([, value]) => value);
  return { blackjack: blackjack === "on", hands: Number(hands), may: theft === "may" };
}

function asks(state) {
  const { phase, player, pile, cards } = state;
  const draw = (most, count) => ({ kind: "draw", bounds: Array.from({ length: count }, (_, taken) => most - taken) });
  switch (phase) {
    case FIRST_ROGUES: return draw(pile.length, pile.length === DECK.length ? 1 : 1 + SPACES);
    case OPEN_DENS: return draw(pile.length, closedDens(state).length);
    case JACK_CARD: return draw(cards[JACK].length, 1);
    case JACK_NUMBER: return draw(NUMBERS.length, 1);
    case CHOICE: return { kind: "choice" };
    case OVER: return { kind: "over" };
    default: return { kind: "turn", player };
  }
}

/** All legal actions of a player who is asked (15.6). */
function actions(state, player) {
  const { phase, captains, crews, cards, bid, hirer, numbers, options } = state;
  const other = 1 - player;
  const leave = options.may ? ["leave"] : [];
  const take = (rogues) => rogues.map((rogue) => `take:${rogue}`);
  switch (phase) {
    case PLACE_CAPTAIN:
    case PLACE_JACK:
      return Array.from({ length: SPACES }, (_, den) => den + 1)
        .filter((space) => !captains.includes(space)).map((space) => `at:${space}`);
    case AUCTION:
      return ["pass", ...crews[player].filter((rogue) => !bid || valueOf(rogue) > valueOf(bid))
        .map((rogue) => `bid:${rogue}`)];
    case CHOICE:
      return player === hirer
        ? [...cards[player]].flatMap((card) => [...cards[JACK]].map((jack) => `${card}+${jack}`))
        : [...cards[player]];
    case NAME_NUMBER: return NUMBERS.filter((number) => number !== numbers[other]).map((number) => `=${number}`);
    case ROB_CAPTAIN:
    case JACK_ROBS:
      return [...take(crews[other]), ...leave];
    case ROB_AT_JACK: return [...take(lootAtJack(state, player)), "leave"];
    case NAME_JACK_NUMBER: return NUMBERS.map((number) => `J=${number}`);
    case LOSE: return crews[player].map((rogue) => `lose:${rogue}`);
  }
}

function act(state, player, action) {
  const number = Number(action.replace(/^\D+/, ""));
  switch (state.phase) {
    case PLACE_CAPTAIN: return { ...state, phase: FIRST_ROGUES, captains: replaced(state.captains, player, number) };
    case PLACE_JACK: return beginRound({ ...state, jack: number });
    case AUCTION: return bidOrPass(state, player, action);
    case NAME_NUMBER: return moveFirst({ ...state, numbers: replaced(state.numbers, player, number) });
    case ROB_CAPTAIN:
    case ROB_AT_JACK:
      return endMove(steal(state, player, action), player);
    case NAME_JACK_NUMBER: return moveJackBy(state, number);
    case JACK_ROBS: return arrive(steal(state, player, action));
    case LOSE: return lose(state, player, action);
  }
}

function draw(state, indices) {
  switch (state.phase) {
    case FIRST_ROGUES: return drawFirstRogues(state, indices);
    case OPEN_DENS: return drawTops(state, indices);
    case JACK_CARD: return drawJackCard(state, indices);
    case JACK_NUMBER: return moveJackBy(state, indices[0] + 1);
  }
}

function value(state) {
  const { blackjack, hands, may } = state.options;
  return [
    state.phase, state.player, state.hand, state.round, state.opener, state.bid, state.hirer, state.shown,
    state.numbers, state.captains, state.jack, state.cards, state.crews, state.boat, state.tops, state.left,
    state.pile, state.scores, [blackjack, hands, may],
  ];
}

function result({ scores }) {
  const [first, second] = scores;
  return { scores, winner: first === second ? null : first > second ? 0 : 1 };
}

/** The game as `README.md` describes a game module. */
export const halunken = Object.freeze({
  name: "halunken",
  rules: 1,
  settings,
  needs: () => [],
  start: (options) => beginHand(1, [0, 0], options),
  asks,
  legal: (state, player, action) => actions(state, player).includes(action),
  act,
  choose: showCards,
  draw,
  value,
  result,
});
