"""Shadows of Macao for the second implementation: the plain table of the tests, as a match needs it, and decks.

The table was written from the rules of the game; decks, names and the encoding are those of protocol/SPEC.md, section
16.
"""

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from tests.games.macao.plain import CONDITIONS, COSTS, KINDS, RECONSTRUCTION, Table
from tests.protocol.independent_game import Impossible

DEMANDS = dict(zip(CONDITIONS, ("identical 4", "blue 6", "kinds 6", "one of each"), strict=True))


TWICE = "a field that stands twice"
"""A field that no entry may have."""


class NoDeck(Exception):
    """No deck follows from the settings; the argument gives the reason, in section 14's words."""


def deck_of(settings: Sequence[Sequence[str]], data: Iterable[bytes]) -> Any:
    """16.1: the deck that the settings name. Raises NoDeck."""
    named = {name: value for name, value in settings}  # noqa: C416 - pairs are lists
    if [name for name, _ in settings] != ["deck"]:
        raise NoDeck("bad_setting" if named.keys() <= {"deck"} else "unknown_setting")
    if named["deck"] == RECONSTRUCTION["name"]:
        return RECONSTRUCTION
    if not re.fullmatch("[0-9a-f]{64}", named["deck"]):
        raise NoDeck("unknown_deck")
    if named["deck"] == sha256(_canonical(RECONSTRUCTION)).hexdigest():
        raise NoDeck("bad_setting")
    for each in data:
        if sha256(each).hexdigest() == named["deck"]:
            return _read(each)
    raise NoDeck("data_missing")


class WrongFile(Exception):
    """A data file is no deck: the list, the number from 1 and the name of the entry in which it is wrong, or None."""


def digest_of_file(data: bytes) -> str:
    """RECORD 8.5: the digest of the deck of a data file. Raises WrongFile."""
    try:
        # int refuses NaN and infinities, which Python reads and JSON lacks
        file = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_pairs, parse_constant=int)
    except (ValueError, RecursionError):
        raise WrongFile(None, None, None) from None
    if isinstance(file, list):
        try:
            return sha256(_canonical(_read(data))).hexdigest()
        except NoDeck:
            raise WrongFile(None, None, None) from None
    _check_file(file)
    return sha256(_canonical(file)).hexdigest()


def _pairs(pairs: Sequence[tuple[str, Any]]) -> Any:
    """Return an object; one in which a field stands twice has the field TWICE as well."""
    return dict(pairs) | ({TWICE: True} if len(dict(pairs)) < len(pairs) else {})


def _check_file(file: Any) -> None:
    """Raise WrongFile with the entry that is wrong first."""
    whole = WrongFile(None, None, None)
    fields = {"format", "name", "source", "resources", "cards", "tiles"}
    if not isinstance(file, dict) or {*file} - {"note", "names"} != fields or not _are_texts(file, "name", "source"):
        raise whole
    if file["format"] != "macao-cards-1" or not re.fullmatch("[a-z0-9-]{1,64}", file["name"]):
        raise whole
    resources = file["resources"]
    if not 1 <= len(file["source"]) <= 64 or not isinstance(resources, str):
        raise whole
    if not re.fullmatch("[a-ce-z]{3,8}", resources) or len({*resources}) < len(resources):
        raise whole
    checks = {"cards": (_is_card_entry, KINDS, "kind"), "tiles": (_is_tile_entry, (*CONDITIONS, *COSTS), "id")}
    for kind, (is_right, needed, by) in checks.items():
        entries = file[kind]
        if not isinstance(entries, list):
            raise whole
        for number, entry in enumerate(entries, start=1):
            earlier = entries[: number - 1]
            if not is_right(entry, resources) or any(_clash(entry, other) for other in earlier):
                raise _wrong(kind, number, entry)
        if {entry[by] for entry in entries} != {*needed}:
            raise whole
        if kind == "cards":
            _check_sums(entries)


def _check_sums(cards: Sequence[Any]) -> None:
    others = [card for card in cards if card["kind"] != "widow"]
    if sum(card["count"] for card in others) != 45:
        raise WrongFile(None, None, None)
    best = max(card["coins"] for card in cards if card["kind"] == "politician")
    for number, card in enumerate(cards, start=1):
        if card["kind"] != "politician" and card["coins"] >= best:
            raise _wrong("cards", number, card)


def _clash(entry: Any, other: Any) -> bool:
    """Return True if two right entries cannot both be there."""
    return bool(entry["id"] == other["id"] or entry.get("kind") == other.get("kind") == "widow")


def _wrong(kind: str, number: int, entry: Any) -> WrongFile:
    name = entry.get("id") if isinstance(entry, dict) else None
    return WrongFile(kind, number, name if isinstance(name, str) else "?")


def _is_card_entry(card: Any, resources: str) -> bool:
    texts = "id", "kind", "blue", "cost", "red"
    if not isinstance(card, dict) or not _are_texts(card, *texts) or not _are_numbers(card, "coins", "count"):
        return False
    traders = {"pair"} if card["kind"] == "trader" else set()
    if card.keys() != {*texts, "coins", "count"} | traders or not _are_texts(card, *traders):
        return False
    if card["kind"] not in KINDS or not _is_cost(card["cost"], 6, resources):
        return False
    if card["kind"] == "widow":
        return [card[name] for name in ("id", "blue", "red", "coins", "count")] == ["widow", "d", "d", -2, 7]
    return _is_card({"pair": "", **card}, resources)


def _is_tile_entry(tile: Any, resources: str) -> bool:
    if not isinstance(tile, dict) or not _are_texts(tile, "id") or not _are_numbers(tile, "value"):
        return False
    if tile["id"] in COSTS:
        is_right = tile.keys() == {"id", "value", "cost"} and _are_texts(tile, "cost")
        return is_right and tile["value"] == 6 and _is_cost(tile["cost"], 8, resources)
    demand = DEMANDS.get(tile["id"], "")
    return bool(demand) and tile == {"id": tile["id"], "value": 5, "condition": demand}


def _are_texts(entry: Any, *names: str) -> bool:
    return all(isinstance(entry.get(name), str) for name in names)


def _are_numbers(entry: Any, *names: str) -> bool:
    return all(type(entry.get(name)) is int for name in names)


def _canonical(deck: Any) -> bytes:
    """16.2: the canonical bytes of a deck."""
    order = deck["resources"].index
    cards = [
        [*(card[name] for name in ("id", "kind", "blue")), "".join(sorted(card["cost"], key=order))]
        + [card[name] for name in ("red", "coins", "count")]
        + ["".join(sorted(card.get("pair", ""), key=order))]
        for card in deck["cards"]
    ]
    tiles = [
        [tile["id"], tile["value"], "".join(sorted(tile.get("cost", ""), key=order)), tile.get("condition", "")]
        for tile in deck["tiles"]
    ]
    document = ["macao-cards-1", deck["resources"], cards, tiles]
    return json.dumps(document, separators=(",", ":")).encode()


def _read(data: bytes) -> Any:
    """16.2: the deck with these canonical bytes. Raises NoDeck."""
    try:
        form, resources, cards, tiles = json.loads(data)
        deck = {
            "resources": resources,
            "cards": [
                dict(zip(("id", "kind", "blue", "cost", "red", "coins", "count", "pair"), card, strict=True))
                for card in cards
            ],
            "tiles": [dict(zip(("id", "value", "cost", "condition"), tile, strict=True)) for tile in tiles],
        }
        is_deck = form == "macao-cards-1" and _is_deck(deck) and _canonical(deck) == data
    except (ValueError, TypeError, KeyError, RecursionError):
        is_deck = False
    if not is_deck:
        raise NoDeck("bad_deck")
    for tile in deck["tiles"]:
        # the table takes a tile with a cost for one that is paid
        del tile["condition" if tile["cost"] else "cost"]
    return deck


def _is_deck(deck: Any) -> bool:
    resources, cards, tiles = deck["resources"], deck["cards"], deck["tiles"]
    others = [card for card in cards if card["kind"] != "widow"]
    widows = [card for card in cards if card["kind"] == "widow"]
    best = max(card["coins"] for card in cards if card["kind"] == "politician")
    return (
        bool(re.fullmatch("[a-ce-z]{3,8}", resources))
        and len({*resources}) == len(resources)
        and {card["kind"] for card in cards} == {*KINDS}
        and len({card["id"] for card in cards}) == len(cards)
        and [[*card.values()] for card in widows] == [["widow", "widow", "d", widows[0]["cost"], "d", -2, 7, ""]]
        and all(_is_card(card, resources) for card in others)
        and all(_is_cost(card["cost"], 6, resources) for card in cards)
        and all(type(number) is int for card in cards for number in (card["coins"], card["count"]))
        and sum(card["count"] for card in others) == 45
        and all(card["coins"] < best for card in cards if card["kind"] != "politician")
        and sorted(tile["id"] for tile in tiles) == sorted((*CONDITIONS, *COSTS))
        and all(type(tile["value"]) is int and _is_tile(tile, resources) for tile in tiles)
    )


def _is_card(card: Any, resources: str) -> bool:
    kind, red, pair = card["kind"], card["red"], card["pair"]
    return (
        len(card["blue"]) == 1
        and card["blue"] in resources
        and bool(re.fullmatch(f"{kind}-{card['blue']}[1-9]?", card["id"]))
        and all(letter in resources for letter in red + pair)
        and (len(red) == 2 and len({*red}) == 1 if kind == "sailor" else len(red) < 2)
        and -9 <= card["coins"] <= 20
        and card["count"] >= 1
        and (len(pair) == len({*pair}) == 2 if kind == "trader" else pair == "")
    )


def _is_cost(cost: str, most: int, resources: str) -> bool:
    return 1 <= len(cost) <= most and all(letter in resources for letter in cost)


def _is_tile(tile: Any, resources: str) -> bool:
    if tile["id"] in COSTS:
        expected = [tile["id"], 6, tile["cost"], ""]
        return [*tile.values()] == expected and _is_cost(tile["cost"], 8, resources)
    return [*tile.values()] == [tile["id"], 5, "", DEMANDS[tile["id"]]]


class Macao:
    """A game under way. It changes as it goes on; `value` gives the state of 16.4."""

    def __init__(self, deck: Any) -> None:
        self.table = Table(deck)

    @property
    def player(self) -> int:
        """Return who decides."""
        return int(self.table.waits.removeprefix("turn "))

    def value(self) -> Any:
        """16.4"""
        return _lists(self.table.encoded())

    def waits_for(self) -> str:
        """5.3: "draw", "action" or "end"."""
        kind = self.table.waits.split()[0]
        return {"turn": "action", "over": "end"}.get(kind, kind)

    def bounds(self) -> list[int] | None:
        """16.5: the bounds of the draw that is waited for, None where none is."""
        return [int(bound) for bound in self.table.waits.split()[1:]] if self.waits_for() == "draw" else None

    def draw(self, indices: Sequence[int]) -> None:
        """16.5"""
        self.table.draw(indices)

    def legal(self, player: int) -> set[str]:
        """16.6"""
        return {*self.table.legal(player)}

    def act(self, action: str) -> None:
        """Carry out a decision."""
        if action not in self.table.legal(self.player):
            raise Impossible(action)
        self.table.act(action)

    def scores(self) -> list[int]:
        """16.3, at the end; by player."""
        return self.table.scores()

    def winner(self) -> int | None:
        """16.3, at the end."""
        return self.table.winner()


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
