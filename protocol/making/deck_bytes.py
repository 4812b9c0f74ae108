"""Vectors of SPEC 16.2: bytes that are the canonical bytes of a deck, and bytes that are none for one reason each."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.games.macao.deck import from_canonical, reconstruction
from protocol.making.common import Vector

BLUE, COST, RED, COINS, COUNT, PAIR = range(2, 8)
"""The places of some items of a card; a cost is at the same place in a tile."""

Change = Callable[[list[Any]], object]
"""Changes a deck, which is a list as in its JSON."""


def decks() -> Iterator[Vector]:
    """Yield decks, and what is none."""
    yield _deck("reconstruction", "the deck that needs no data", reconstruction().canonical())
    for name, comment, change in (*_sound(), *_forms(), *_sides(), *_numbers(), *_pairs_and_widows(), *_tiles()):
        deck = json.loads(reconstruction().canonical())
        change(deck)
        yield _deck(name, comment, _written(deck))
    for name, comment, data in _spellings(reconstruction().canonical().decode()):
        yield _deck(name, comment, data)


def _written(deck: object) -> bytes:
    return json.dumps(deck, separators=(",", ":")).encode()


def _deck(name: str, comment: str, data: bytes) -> Vector:
    vector = {"id": name, "comment": comment, "data": data.hex(), "digest": sha256(data).hexdigest()}
    try:
        from_canonical(data)
    except Malformed:
        return {**vector, "result": "invalid", "reason": "bad_deck"}
    return {**vector, "result": "valid"}


def _card(name: str, place: int, value: object) -> Change:
    """Return the change of one item of a card."""

    def change(deck: list[Any]) -> None:
        next(card for card in deck[2] if card[0] == name)[place] = value

    return change


def _tile(name: str, place: int, value: object) -> Change:
    def change(deck: list[Any]) -> None:
        next(tile for tile in deck[3] if tile[0] == name)[place] = value

    return change


def _all(*changes: Change) -> Change:
    def change(deck: list[Any]) -> None:
        for each in changes:
            each(deck)

    return change


def _resources(letters: str) -> Change:
    """Return the change to other resources, without one that the cards name: nothing else becomes wrong."""

    def change(deck: list[Any]) -> None:
        deck[1] = letters
        first, second = letters[0], letters[1]
        for card in deck[2]:
            if card[1] != "widow":
                card[BLUE] = card[BLUE] if card[BLUE] in letters else first
                card[RED] = "".join(letter if letter in letters else first for letter in card[RED])
                card[PAIR] = card[PAIR] and first + second
        for number, card in enumerate(deck[2]):
            same = [other for other in deck[2][:number] if (other[1], other[BLUE]) == (card[1], card[BLUE])]
            card[0] = f"{card[1]}-{card[BLUE]}{len(same) or ''}" if card[1] != "widow" else "widow"
        for entry in (*deck[2], *deck[3]):
            place = COST if entry in deck[2] else 2
            costs = (letter if letter in letters else first for letter in entry[place])
            entry[place] = "".join(sorted(costs, key=letters.index))

    return change


def _coins(politicians: int, others: int) -> Change:
    """Return the change to as many coins of each politician, and of each other character."""

    def change(deck: list[Any]) -> None:
        for card in deck[2]:
            if card[1] != "widow":
                card[COINS] = politicians if card[1] == "politician" else others

    return change


def _moved(card: str, to: str, number: int) -> Change:
    """Return the change of so many copies of a card to copies of another."""

    def change(deck: list[Any]) -> None:
        for each in deck[2]:
            each[COUNT] += {card: -number, to: number}.get(each[0], 0)

    return change


def _without(place: int, name: str) -> Change:
    return lambda deck: deck[place].remove(next(entry for entry in deck[place] if entry[0] == name))


def _sound() -> Iterator[tuple[str, str, Change]]:
    yield "order", "cards and tiles in another order", lambda deck: (deck[2].reverse(), deck[3].reverse())
    yield "resources-3", "three resources", _resources("awm")
    yield "resources-8", "eight resources", lambda deck: deck.__setitem__(1, "awmjxyze")
    yield "resources-order", "the order of resources is the deck's", _resources("jmwa")
    yield "id-digit", "a digit in an id", _card("killer-a", 0, "killer-a9")
    yield "copies", "a card of each kind, and 38 copies of one", _few
    yield "cost-card", "a cost of six", _card("killer-a", COST, "aawwmj")
    yield "cost-tile", "a cost of eight", _tile("casino", 2, "aaaawmmj")
    yield "cost-one", "costs of one", _all(_card("killer-a", COST, "j"), _tile("casino", 2, "j"))
    yield "red-none", "no red side", _card("killer-a", RED, "")
    yield "red-other", "a red side unlike the blue one", _all(_card("killer-a", RED, "j"), _card("sailor-a", RED, "jj"))
    yield "coins-most", "twenty coins", _card("politician-a", COINS, 20)
    yield "coins-least", "nine coins less", _card("killer-a", COINS, -9)
    yield "coins-below", "all but politicians have a coin less", _coins(0, -1)


def _few(deck: list[Any]) -> None:
    """Leave one card of each kind, one of them with nearly all copies."""
    deck[2] = [card for card in deck[2] if card[0] in (f"{card[1]}-a", "widow")]
    characters = deck[2][:-1]
    for card in characters:
        card[COUNT] = 1
    characters[0][COUNT] = 46 - len(characters)


def _forms() -> Iterator[tuple[str, str, Change]]:
    yield "format", "another format", lambda deck: deck.__setitem__(0, "macao-cards-2")
    yield "items", "an item to spare", lambda deck: deck.append([])
    yield "items-card", "an item to spare in a card", lambda deck: deck[2][0].append("")
    yield "items-tile", "an item missing in a tile", lambda deck: deck[3][0].pop()
    yield "cards-object", "an object for the cards", lambda deck: deck.__setitem__(2, {})
    yield "card-text", "a string for a card", lambda deck: deck[2].append("widow-to")
    yield "resources-2", "two resources", _resources("aw")
    yield "resources-9", "nine resources", lambda deck: deck.__setitem__(1, "awmjxyzeb")
    yield "resources-d", "the diamond as a resource", lambda deck: deck.__setitem__(1, "awmjd")
    yield "resources-twice", "a resource twice", lambda deck: deck.__setitem__(1, "awmja")
    yield "resources-capital", "a capital letter", lambda deck: deck.__setitem__(1, "awmjX")
    yield "resources-list", "resources in a list", lambda deck: deck.__setitem__(1, ["a", "w", "m", "j"])
    yield "kind", "a kind that there is not", _all(_card("killer-a", 1, "spy"), _card("killer-a", 0, "spy-a"))
    yield "kind-absent", "no killer", _no_killer
    yield "id", "the id of another blue side", _card("killer-a", 0, "killer-j1")
    yield "id-kind", "the id of another kind", _card("killer-a", 0, "dancer-a1")
    yield "id-0", "an id with the digit 0", _card("killer-a", 0, "killer-a0")
    yield "id-10", "an id with two digits", _card("killer-a", 0, "killer-a10")
    yield "id-twice", "one id for two cards", _all(_card("killer-w", BLUE, "a"), _card("killer-w", 0, "killer-a"))


def _sides() -> Iterator[tuple[str, str, Change]]:
    yield "blue-d", "a diamond on the blue side", _all(_card("killer-a", BLUE, "d"), _card("killer-a", 0, "killer-d"))
    yield "blue-two", "two resources on it", _all(_card("killer-a", BLUE, "aw"), _card("killer-a", 0, "killer-aw"))
    yield "blue-none", "none on it", _all(_card("killer-a", BLUE, ""), _card("killer-a", 0, "killer-"))
    yield "blue-unknown", "no such resource", _all(_card("killer-a", BLUE, "x"), _card("killer-a", 0, "killer-x"))
    for kind, place, most in (("card", COST, 6), ("tile", 2, 8)):
        change = _card if kind == "card" else _tile
        name = "killer-a" if kind == "card" else "casino"
        yield f"cost-{kind}-none", "no cost", change(name, place, "")
        yield f"cost-{kind}-more", f"a cost of {most + 1}", change(name, place, "aaawwmmjj"[: most + 1])
        yield f"cost-{kind}-order", "a cost in another order", change(name, place, "wa")
        yield f"cost-{kind}-d", "a cost of a diamond", change(name, place, "ad")
        yield f"cost-{kind}-unknown", "a cost of what there is not", change(name, place, "ax")
        yield f"cost-{kind}-list", "a cost in a list", change(name, place, ["a"])
    yield "cost-widow", "a widow without a cost", _card("widow", COST, "")
    yield "red-two", "two resources on the red side of a killer", _card("killer-a", RED, "aa")
    yield "red-d", "a diamond on it", _card("killer-a", RED, "d")
    yield "red-unknown", "no such resource", _card("killer-a", RED, "x")
    yield "red-sailor-one", "a sailor with one resource", _card("sailor-a", RED, "a")
    yield "red-sailor-none", "with none", _card("sailor-a", RED, "")
    yield "red-sailor-three", "with three", _card("sailor-a", RED, "aaa")
    yield "red-sailor-differ", "with different ones", _card("sailor-a", RED, "aw")
    yield "red-sailor-d", "with diamonds", _card("sailor-a", RED, "dd")


def _numbers() -> Iterator[tuple[str, str, Change]]:
    yield "coins-21", "more than twenty coins", _card("politician-a", COINS, 21)
    yield "coins-10", "ten coins less", _card("killer-a", COINS, -10)
    yield "coins-half", "half a coin", _card("killer-a", COINS, 2.5)
    yield "coins-text", "coins as text", _card("killer-a", COINS, "3")
    yield "coins-true", "a boolean is no number", _card("killer-a", COINS, True)
    yield "coins-killer", "a killer with as many as the best politician", _card("killer-a", COINS, 5)
    yield "coins-widow", "a widow with as many", _coins(-2, -3)
    yield "copies-0", "no copy of a card", _moved("killer-a", "killer-w", 2)
    yield "copies-44", "one character too few", _card("killer-a", COUNT, 1)
    yield "copies-46", "one too many", _card("killer-a", COUNT, 3)
    yield "copies-half", "half a copy", _all(_card("killer-a", COUNT, 1.5), _card("killer-w", COUNT, 1.5))


def _pairs_and_widows() -> Iterator[tuple[str, str, Change]]:
    yield "pair-none", "a trader without a pair", _card("trader-a", PAIR, "")
    yield "pair-one", "with one resource", _card("trader-a", PAIR, "a")
    yield "pair-three", "with three", _card("trader-a", PAIR, "awm")
    yield "pair-same", "with the same twice", _card("trader-a", PAIR, "aa")
    yield "pair-order", "in another order", _card("trader-a", PAIR, "wa")
    yield "pair-d", "with a diamond", _card("trader-a", PAIR, "ad")
    yield "pair-killer", "a killer with a pair", _card("killer-a", PAIR, "aw")
    yield "widow-absent", "no widow", _without(2, "widow")
    yield "widow-second", "a second widow", lambda deck: deck[2].append(["widow-a", "widow", *deck[2][-1][2:]])
    for name, comment, place, value in (
        ("id", "with another id", 0, "widow-d"),
        ("blue", "with a resource on the blue side", BLUE, "a"),
        ("red", "on the red side", RED, "a"),
        ("red-none", "with no red side", RED, ""),
        ("coins", "with other coins", COINS, -1),
        ("copies", "with other copies", COUNT, 6),
        ("pair", "with a pair", PAIR, "aw"),
    ):
        yield f"widow-{name}", f"a widow {comment}", _card("widow", place, value)


def _tiles() -> Iterator[tuple[str, str, Change]]:
    yield "tile-absent", "nine tiles", _without(3, "casino")
    yield "tile-twice", "a tile twice", lambda deck: deck[3].append(list(deck[3][-1]))
    yield "tile-instead", "a tile twice, instead of another", _tile("gallery", 0, "casino")
    yield "tile-unknown", "a tile that there is not", _tile("casino", 0, "bank")
    yield "tile-number", "a number for an id", _tile("casino", 0, 5)
    yield "tile-value-5", "a tile with a cost worth 5", _tile("casino", 1, 5)
    yield "tile-value-6", "a tile with a condition worth 6", _tile("restaurant", 1, 6)
    yield "tile-condition", "another condition", _tile("restaurant", 3, "kinds 6")
    yield "tile-condition-none", "a cost for a condition", _all(_tile("restaurant", 3, ""), _tile("restaurant", 2, "a"))
    yield "tile-both", "a condition and a cost", _tile("restaurant", 2, "a")
    yield "tile-cost-condition", "a cost and a condition", _tile("casino", 3, "blue 6")


def _no_killer(deck: list[Any]) -> None:
    """Make each killer a dancer."""
    for card in deck[2]:
        if card[1] == "killer":
            card[:2] = f"dancer-{card[BLUE]}5", "dancer"


def _spellings(text: str) -> Iterator[tuple[str, str, bytes]]:
    yield "spelt-space", "a space", text.replace(",", ", ", 1).encode()
    yield "spelt-newline", "a line feed at the end", f"{text}\n".encode()
    yield "spelt-mark", "a byte order mark", f"\ufeff{text}".encode()
    yield "spelt-escape", "an escaped letter", text.replace("killer", "\\u006biller").encode()
    yield "spelt-fraction", "a number with a fraction of zero", text.replace(",3,2,", ",3.0,2,").encode()
    yield "spelt-exponent", "a number with an exponent", text.replace(",3,2,", ",3e0,2,").encode()
    yield "spelt-object", "a card as an object", text.replace('["killer-a",', '[{"id":"killer-a"},').encode()
    yield "spelt-cut", "the last byte is missing", text[:-1].encode()
    yield "spelt-bytes", "a byte that is no UTF-8", text.encode().replace(b"killer-a", b"killer-\xff")
    yield "spelt-empty", "no bytes", b""
    yield "spelt-list", "an empty array", b"[]"
    yield "spelt-null", "null", b"null"
    yield "spelt-deep", "arrays in each other", b"[" * 2000 + b"]" * 2000
