"""The cards and tiles of Shadows of Macao.

A deck is an immutable value. It is read from a data file in JSON, or from its canonical bytes, whose SHA-256 is the
digest that a game's option `deck` names. The rules of the game print no list of cards: the deck that everybody has is a
reconstruction, and the owner of a box can use their own file instead.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pkgutil import get_data
from typing import Any, Final, NamedTuple, NoReturn

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.games.macao.codes import MacaoCode

FORMAT: Final = "macao-cards-1"
RECONSTRUCTION: Final = "reconstruction-1"
RECONSTRUCTION_DIGEST: Final = "46215cf940a3feeddd4c8ce0efef7ccadc434b87a7cf096d39fdf95cb30352e1"

KILLER: Final = "killer"
DANCER: Final = "dancer"
POLICEMAN: Final = "policeman"
CROUPIER: Final = "croupier"
TRADER: Final = "trader"
INNKEEPER: Final = "innkeeper"
SAILOR: Final = "sailor"
POLITICIAN: Final = "politician"
WIDOW: Final = "widow"
"""The kind of the widows, and the name of the card."""
KINDS: Final = (KILLER, DANCER, POLICEMAN, CROUPIER, TRADER, INNKEEPER, SAILOR, POLITICIAN, WIDOW)

DIAMOND: Final = "d"
CHARACTERS: Final = 45
"""The cards of a box that are no widows; all of them are in the game."""
WIDOWS: Final = 7
"""The widows of a box; three of them are in the game."""
WIDOW_COINS: Final = -2
COINS: Final = range(-9, 21)
COPIES: Final = range(1, CHARACTERS + 1)
MAX_COST: Final = 6
MAX_TILE_COST: Final = 8

IDENTICAL: Final = "identical 4"
BLUE: Final = "blue 6"
VARIED: Final = "kinds 6"
ONE_OF_EACH: Final = "one of each"
CONDITIONS: Final[Mapping[str, str]] = {
    "restaurant": IDENTICAL,
    "temple-bar": BLUE,
    "china-club": VARIED,
    "black-market": ONE_OF_EACH,
}
"""The tiles that are opened on a condition, as they are printed."""
PRICED: Final = ("casino", "gallery", "red-room", "officers", "distillery", "syndicate")
"""The tiles that have a cost."""
CONDITION_VALUE: Final = 5
PRICED_VALUE: Final = 6

_NAME: Final = re.compile("[a-z0-9-]{1,64}")
_RESOURCES: Final = re.compile("[a-ce-z]{3,8}")
_MAX_SOURCE: Final = 64
_IN_A_FILE: Final = {"copies": "count"}


class Card(NamedTuple):
    """A kind of card: its copies are alike. Letters of resources are in the order of the deck."""

    id: str
    kind: str
    blue: str
    """The resource of its blue side."""
    cost: str
    red: str
    """The resources of its red side: two of a sailor, one or none of others."""
    coins: int
    copies: int
    """The number of copies in a box."""
    pair: str = ""
    """The resources that a trader exchanges."""


class Tile(NamedTuple):
    """An establishment: it has either a cost or a condition, and the other one is empty."""

    id: str
    value: int
    cost: str = ""
    condition: str = ""


@dataclass(frozen=True)
class Deck:
    """The cards and tiles of a box, in the order of the file. Decks that play alike are equal."""

    resources: str
    """The letters of the ordinary resources."""
    cards: tuple[Card, ...]
    tiles: tuple[Tile, ...]
    name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    """The source of the figures."""

    @cached_property
    def card(self) -> Mapping[str, Card]:
        """The cards by id."""
        return {card.id: card for card in self.cards}

    @cached_property
    def tile(self) -> Mapping[str, Tile]:
        """The tiles by id."""
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each id in the order of the file."""
        cards = {name: place for place, name in enumerate(self.card)}
        return cards | {name: place for place, name in enumerate(self.tile)}

    @cached_property
    def tile_ids(self) -> tuple[str, ...]:
        """The ids of the tiles."""
        return tuple(tile.id for tile in self.tiles)

    @cached_property
    def face_down(self) -> tuple[str, ...]:
        """The ids of the cards that lie in the piles at the start: all characters, and one widow."""
        copies = ((card.id, 1 if card.kind == WIDOW else card.copies) for card in self.cards)
        return tuple(card for card, count in copies for _ in range(count))

    def in_order(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return ids of cards, or of tiles, in the order of the file."""
        return tuple(sorted(ids, key=self.place.__getitem__))

    def classes(self, pairs: Iterable[str]) -> Mapping[str, str]:
        """Return the class of each ordinary resource, if traders exchange these pairs: one of the resources in it."""
        return _classes(self.resources, frozenset(pairs))

    def canonical(self) -> bytes:
        """Return the canonical bytes: those of decks that play alike are equal."""
        document = [FORMAT, self.resources, self.cards, self.tiles]
        return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode("ascii")


@cache
def _classes(resources: str, pairs: frozenset[str]) -> Mapping[str, str]:
    found = {letter: letter for letter in resources}
    for pair in sorted(pairs):
        kept, merged = (found[letter] for letter in pair)
        found = {letter: kept if each == merged else each for letter, each in found.items()}
    return found


@cache
def reconstruction() -> Deck:
    """Return the deck that everybody has."""
    return read(get_data(__package__, "macao-cards.json") or b"")


def read(data: bytes) -> Deck:
    """Return the deck of a data file. Raises Malformed."""
    needed = ("format", "name", "source", "resources", "cards", "tiles")
    document = _fields(_parsed(data), needed, ("note", "names"))
    if document["format"] != FORMAT:
        raise Malformed(MacaoCode.BAD_FORMAT, format=FORMAT)
    name, source = document["name"], document["source"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Malformed(MacaoCode.BAD_NAME)
    if not isinstance(source, str) or not 1 <= len(source) <= _MAX_SOURCE:
        raise Malformed(MacaoCode.BAD_SOURCE, most=_MAX_SOURCE)
    return _deck(document["resources"], document["cards"], document["tiles"], name, source)


def from_canonical(data: bytes) -> Deck:
    """Return the deck of which `data` are the canonical bytes. Raises Malformed."""
    document = _parsed(data)
    if not isinstance(document, list) or len(document) != 4 or document[0] != FORMAT:
        raise Malformed(MacaoCode.NOT_CANONICAL)
    _, resources, cards, tiles = document
    deck = _deck(resources, _named(Card._fields, cards), _named(Tile._fields, tiles))
    if deck.canonical() != data:
        raise Malformed(MacaoCode.NOT_CANONICAL)
    return deck


def from_file(data: bytes) -> Deck:
    """Return the deck of a user's file: a data file, or the canonical bytes of a deck. Raises Malformed."""
    return from_canonical(data) if data.startswith(b"[") else read(data)


def difference(deck: Deck, other: Deck) -> tuple[int, int]:
    """Return how many cards of a box, and how many tiles, are in `deck` and not in `other`; ids do not count."""
    return _surplus(_box(deck), _box(other)), _surplus(Counter(deck.tiles), Counter(other.tiles))


def _box(deck: Deck) -> Counter[Card]:
    found: Counter[Card] = Counter()
    for card in deck.cards:
        found[card._replace(id="", copies=1)] += card.copies
    return found


def _surplus(own: Counter[Any], others: Counter[Any]) -> int:
    return (own - others).total()


def _named(names: Sequence[str], entries: object) -> list[dict[str, Any]]:
    """Return canonical entries as those of a data file, in which what is empty is absent, red sides aside."""
    if not isinstance(entries, list) or any(not isinstance(each, list) or len(each) != len(names) for each in entries):
        raise Malformed(MacaoCode.NOT_CANONICAL)
    called = [_IN_A_FILE.get(name, name) for name in names]
    return [
        {name: value for name, value in zip(called, entry, strict=True) if value != "" or name == "red"}
        for entry in entries
    ]


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Object, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise Malformed(MacaoCode.NOT_JSON_AT, line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError):
        raise Malformed(MacaoCode.NOT_JSON) from None


class _Object(dict[str, Any]):
    """The fields of a JSON object. Those that stand in it twice are an error where an entry is read, which names it."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.twice = [name for name, count in counts.items() if count > 1]


def _refused(constant: str) -> NoReturn:
    """Refuse NaN and infinities, which Python reads and JSON lacks."""
    raise ValueError(constant)


def _fields(entry: object, needed: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the fields of an entry. Raises Malformed if one is missing, or there is another one."""
    if not isinstance(entry, dict):
        raise Malformed(MacaoCode.NOT_AN_OBJECT)
    if isinstance(entry, _Object) and entry.twice:
        raise Malformed(MacaoCode.FIELD_TWICE, field=entry.twice[0])
    for name in needed:
        if name not in entry:
            raise Malformed(MacaoCode.FIELD_MISSING, field=name)
    for name in entry:
        if name not in needed and name not in optional:
            raise Malformed(MacaoCode.FIELD_UNKNOWN, field=name)
    return entry


@contextmanager
def _entry(code: MacaoCode, number: int, entry: object) -> Iterator[None]:
    """Let an error in the block name the entry, by its number and its id."""
    try:
        yield
    except Malformed as error:
        found = entry.get("id") if isinstance(entry, dict) else None
        raise Malformed(code, number=number, id=found if isinstance(found, str) else "?", reason=error) from None


def _deck(resources: object, cards: object, tiles: object, name: str = "", source: str = "") -> Deck:
    """Return the deck of these entries. Raises Malformed."""
    if not isinstance(resources, str) or not _RESOURCES.fullmatch(resources) or _repeats(resources):
        raise Malformed(MacaoCode.BAD_RESOURCES)
    return Deck(resources, _read_cards(cards, resources), _read_tiles(tiles, resources), name, source)


def _read_cards(entries: object, resources: str) -> tuple[Card, ...]:
    if not isinstance(entries, list):
        raise Malformed(MacaoCode.NOT_A_LIST, field="cards")
    cards: list[Card] = []
    for number, entry in enumerate(entries, start=1):
        with _entry(MacaoCode.BAD_CARD, number, entry):
            card = _read_card(entry, resources)
            if card.kind == WIDOW and any(each.kind == WIDOW for each in cards):
                raise Malformed(MacaoCode.SEVERAL_WIDOWS)
            if any(each.id == card.id for each in cards):
                raise Malformed(MacaoCode.CARD_TWICE)
            cards.append(card)
    for kind in KINDS:
        if all(card.kind != kind for card in cards):
            raise Malformed(MacaoCode.KIND_MISSING, kind=kind)
    total = sum(card.copies for card in cards if card.kind != WIDOW)
    if total != CHARACTERS:
        raise Malformed(MacaoCode.WRONG_TOTAL, total=total, needed=CHARACTERS)
    best = max(card.coins for card in cards if card.kind == POLITICIAN)
    for number, card in enumerate(cards, start=1):
        if card.kind != POLITICIAN and card.coins >= best:
            reason = Malformed(MacaoCode.AS_RICH_AS_A_POLITICIAN, best=best)
            raise Malformed(MacaoCode.BAD_CARD, number=number, id=card.id, reason=reason)
    return tuple(cards)


def _read_card(entry: object, resources: str) -> Card:
    fields = _fields(entry, ("id", "kind", "blue", "cost", "red", "coins", "count"), ("pair",))
    kind = fields["kind"]
    if kind not in KINDS:
        raise Malformed(MacaoCode.BAD_KIND, kinds=", ".join(KINDS))
    is_widow, is_sailor = kind == WIDOW, kind == SAILOR
    blue, red, coins, count = (fields[name] for name in ("blue", "red", "coins", "count"))
    if is_widow and (blue != DIAMOND or red != DIAMOND):
        raise Malformed(MacaoCode.BAD_WIDOW_RESOURCE, diamond=DIAMOND)
    if not is_widow and not _are_letters(blue, resources, range(1, 2)):
        raise Malformed(MacaoCode.BAD_BLUE, resources=resources)
    if is_widow and fields["id"] != WIDOW:
        raise Malformed(MacaoCode.BAD_WIDOW_ID, form=WIDOW)
    if not is_widow and not re.fullmatch(f"{kind}-{blue}[1-9]?", _text(fields["id"])):
        raise Malformed(MacaoCode.BAD_ID, form=f"{kind}-{blue}")
    cost = _read_cost(fields["cost"], resources, MAX_COST)
    if is_sailor and not (_are_letters(red, resources, range(2, 3)) and red[0] == red[1]):
        raise Malformed(MacaoCode.BAD_RED_SAILOR, resources=resources)
    if not is_sailor and not is_widow and not _are_letters(red, resources, range(2)):
        raise Malformed(MacaoCode.BAD_RED, resources=resources)
    if type(coins) is not int or coins not in COINS:
        raise Malformed(MacaoCode.BAD_COINS, least=COINS[0], most=COINS[-1])
    if is_widow and coins != WIDOW_COINS:
        raise Malformed(MacaoCode.BAD_WIDOW_COINS, coins=WIDOW_COINS)
    if type(count) is not int or count not in COPIES:
        raise Malformed(MacaoCode.BAD_COUNT, least=COPIES[0], most=COPIES[-1])
    if is_widow and count != WIDOWS:
        raise Malformed(MacaoCode.BAD_WIDOW_COUNT, needed=WIDOWS)
    return Card(fields["id"], kind, blue, cost, red, coins, count, _read_pair(fields, resources))


def _read_pair(fields: Mapping[str, Any], resources: str) -> str:
    if fields["kind"] != TRADER:
        if "pair" in fields:
            raise Malformed(MacaoCode.PAIR_OF_NO_TRADER)
        return ""
    if "pair" not in fields:
        raise Malformed(MacaoCode.FIELD_MISSING, field="pair")
    pair = fields["pair"]
    if not _are_letters(pair, resources, range(2, 3)) or _repeats(pair):
        raise Malformed(MacaoCode.BAD_PAIR, resources=resources)
    return _sorted(pair, resources)


def _read_tiles(entries: object, resources: str) -> tuple[Tile, ...]:
    if not isinstance(entries, list):
        raise Malformed(MacaoCode.NOT_A_LIST, field="tiles")
    tiles: list[Tile] = []
    for number, entry in enumerate(entries, start=1):
        with _entry(MacaoCode.BAD_TILE, number, entry):
            tile = _read_tile(entry, resources)
            if any(each.id == tile.id for each in tiles):
                raise Malformed(MacaoCode.TILE_TWICE)
            tiles.append(tile)
    for name in (*CONDITIONS, *PRICED):
        if all(tile.id != name for tile in tiles):
            raise Malformed(MacaoCode.TILE_MISSING, tile=name)
    return tuple(tiles)


def _read_tile(entry: object, resources: str) -> Tile:
    name = _text(_fields(entry, ("id",), ("value", "cost", "condition"))["id"])
    if name not in CONDITIONS and name not in PRICED:
        raise Malformed(MacaoCode.NOT_A_TILE, tiles=", ".join((*CONDITIONS, *PRICED)))
    is_priced = name in PRICED
    fields = _fields(entry, ("id", "value", "cost" if is_priced else "condition"))
    value = PRICED_VALUE if is_priced else CONDITION_VALUE
    if type(fields["value"]) is not int or fields["value"] != value:
        raise Malformed(MacaoCode.BAD_VALUE, value=value)
    if is_priced:
        return Tile(name, value, cost=_read_cost(fields["cost"], resources, MAX_TILE_COST))
    if fields["condition"] != CONDITIONS[name]:
        raise Malformed(MacaoCode.BAD_CONDITION, condition=CONDITIONS[name])
    return Tile(name, value, condition=CONDITIONS[name])


def _read_cost(cost: object, resources: str, most: int) -> str:
    if not _are_letters(cost, resources, range(1, most + 1)):
        raise Malformed(MacaoCode.BAD_COST, most=most, resources=resources)
    return _sorted(_text(cost), resources)


def _are_letters(value: object, resources: str, length: range) -> bool:
    return isinstance(value, str) and len(value) in length and all(letter in resources for letter in value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _repeats(letters: str) -> bool:
    return len({*letters}) < len(letters)


def _sorted(letters: str, resources: str) -> str:
    return "".join(sorted(letters, key=resources.index))
