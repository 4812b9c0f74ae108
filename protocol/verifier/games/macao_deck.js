/** Decks of Shadows of Macao (SPEC 16.2). */

import { RECONSTRUCTION } from "./macao_reconstruction.js";

const WIDOW = "widow";
const DIAMOND = "d";
const CHARACTERS = 45;
const KINDS = [
  "killer", "dancer", "policeman", "croupier", "trader", "innkeeper", "sailor", "politician", WIDOW,
];

/** The tiles: the value and the condition of each, "" where a cost is paid. */
const TILES = {
  restaurant: [5, "identical 4"],
  "temple-bar": [5, "blue 6"],
  "china-club": [5, "kinds 6"],
  "black-market": [5, "one of each"],
  casino: [6, ""],
  gallery: [6, ""],
  "red-room": [6, ""],
  officers: [6, ""],
  distillery: [6, ""],
  syndicate: [6, ""],
};

/**
 * Read the canonical bytes of a deck.
 * @param {Uint8Array} bytes
 * @returns {Deck|null} null if they are not those of a deck
 */
export function readDeck(bytes) {
  try {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const list = JSON.parse(text);
    return isDeck(list) && JSON.stringify(list) === text ? new Deck(list) : null;
  } catch {
    return null;  // no JSON, or nested too deep for one
  }
}

/** A deck: its cards and tiles by their ids, each with its place in the file. */
class Deck {
  constructor([, resources, cards, tiles]) {
    this.resources = resources;
    this.cards = new Map(cards.map(([id, kind, blue, cost, red, coins, count, pair], place) =>
      [id, { place, kind, blue, cost, red, coins, count, pair }]));
    this.tiles = new Map(tiles.map(([id, worth, cost, condition], place) => [id, { place, worth, cost, condition }]));
  }

  /** All cards that lie in the piles at the start: the characters and one widow. */
  get pile() {
    return [...this.cards].flatMap(([id, { kind, count }]) => Array(kind === WIDOW ? 1 : count).fill(id));
  }

  /** Ids of cards, or of tiles, in file order. */
  sorted(ids) {
    const place = (id) => (this.cards.get(id) ?? this.tiles.get(id)).place;
    return [...ids].sort((a, b) => place(a) - place(b));
  }
}

function isDeck(list) {
  if (!Array.isArray(list) || list.length !== 4) return false;
  const [format, resources, cards, tiles] = list;
  return format === "macao-cards-1" && areResources(resources) &&
    isListOf(cards, 8) && cards.every((card) => isCard(card, resources)) && areCharacters(cards) &&
    isListOf(tiles, 4) && tiles.every((tile) => isTile(tile, resources)) && areAll(tiles, Object.keys(TILES));
}

const isListOf = (items, size) =>
  Array.isArray(items) && items.every((item) => Array.isArray(item) && item.length === size);
const isText = (value, pattern) => typeof value === "string" && pattern.test(value);
const isNumber = (value, least, most) => Number.isInteger(value) && least <= value && value <= most;
const isCost = (cost, resources, most) => isOrdered(cost, resources) && 1 <= cost.length && cost.length <= most;
const areAll = (items, ids) => items.length === ids.length && ids.every((id) => items.some((item) => item[0] === id));

const areResources = (letters) => isText(letters, /^[a-ce-z]{3,8}$/) && new Set(letters).size === letters.length;

/** Letters of resources, in the deck's order of them. */
const isOrdered = (letters, resources) =>
  isText(letters, new RegExp(`^${[...resources].map((letter) => `${letter}*`).join("")}$`));

function isCard([id, kind, blue, cost, red, coins, count, pair], resources) {
  if (!KINDS.includes(kind) || !isCost(cost, resources, 6)) return false;
  if (kind === WIDOW) {
    return id === WIDOW && blue === DIAMOND && red === DIAMOND && coins === -2 && count === 7 && pair === "";
  }
  const isOne = (letters) => isOrdered(letters, resources) && letters.length === 1;
  const redHolds = kind === "sailor" ? isText(red, /^(.)\1$/) && isOne(red[0]) : red === "" || isOne(red);
  const pairHolds = kind === "trader"
    ? isOrdered(pair, resources) && pair.length === 2 && pair[0] !== pair[1] : pair === "";
  return isOne(blue) && isText(id, new RegExp(`^${kind}-${blue}[1-9]?$`)) && redHolds && pairHolds &&
    isNumber(coins, -9, 20) && isNumber(count, 1, CHARACTERS);
}

/** The conditions on all cards together. */
function areCharacters(cards) {
  const ids = cards.map(([id]) => id);
  const characters = cards.filter(([, kind]) => kind !== WIDOW);
  const copies = characters.reduce((total, [, , , , , , count]) => total + count, 0);
  const most = (isPolitician) => Math.max(...cards
    .filter(([, kind]) => (kind === "politician") === isPolitician).map(([, , , , , coins]) => coins));
  return new Set(ids).size === ids.length && copies === CHARACTERS &&
    KINDS.every((kind) => cards.some((card) => card[1] === kind)) && most(true) > most(false);
}

function isTile([id, worth, cost, condition], resources) {
  if (!Object.hasOwn(TILES, id)) return false;
  const [value, needed] = TILES[id];
  return worth === value && condition === needed && (needed ? cost === "" : isCost(cost, resources, 8));
}

/** The deck `reconstruction-1`. */
export const reconstruction = new Deck(RECONSTRUCTION);
