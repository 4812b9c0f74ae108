"""The names of cards, tiles and resources in sentences and in lines."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from p2p_shanghaien.games.macao.deck import KINDS, WIDOW, Card, Tile
from p2p_shanghaien.ui.words import listed, say

RESOURCES: Final = "awmjd"
"""The letters that have a name; other decks may have others."""


def resource(letter: str) -> str:
    """Return the name of a resource."""
    return say(f"macao:resource_{letter}") if letter in RESOURCES else letter


def kind(name: str) -> str:
    """Return the name of a kind of characters."""
    assert name in KINDS
    return say(f"macao:kind_{name}")


def card(name: str) -> str:
    """Return a card in a sentence: its notation, with its resource unless that is a widow's."""
    if name == WIDOW:
        return name
    return say("macao:card", card=name, resource=resource(name.partition("-")[2][0]))


def cards(names: Iterable[str]) -> str:
    """Return cards in a sentence."""
    return listed(names)


def tile(name: str) -> str:
    """Return the name of a tile."""
    return say(f"macao:tile_{name.replace('-', '_')}")


def informant(each: Card) -> str:
    """Return a blue card in a line: its notation, its cost and its coins."""
    return f"{each.id} {each.cost} {each.coins}"


def gives(each: Card) -> str:
    """Return the resources that a red card gives, or those that a trader exchanges."""
    return "=".join(each.pair) if each.pair else each.red


def member(each: Card) -> str:
    """Return a red card in a line: its notation, what it gives, and its coins."""
    return f"{each.id} {gives(each)} {each.coins}"


def price(each: Tile) -> str:
    """Return a tile in a line: its notation, its cost or condition, and its value."""
    return f"{each.id} {each.cost or condition(each)} {each.value}"


def condition(each: Tile) -> str:
    """Return the condition of a tile, in few words."""
    return say(f"macao:condition_{each.id.replace('-', '_')}")


def price_sentence(each: Tile) -> str:
    """Return what a tile costs or demands, in a sentence."""
    if each.cost:
        return say("macao:tile_costs", tile=tile(each.id), id=each.id, cost=cost(each.cost), value=each.value)
    return say("macao:tile_demands", tile=tile(each.id), id=each.id, condition=condition(each), value=each.value)


def card_sentence(each: Card) -> str:
    """Return all about a card, in sentences."""
    gives = listed(resource(letter) for letter in each.red) if each.red else say("nothing")
    said = [
        say("macao:card_is", card=each.id, kind=kind(each.kind), resource=resource(each.blue), cost=cost(each.cost)),
        say("macao:card_brings", count=each.coins, gives=gives),
        say(f"macao:power_{each.kind}"),
    ]
    if each.pair:
        said.append(say("macao:pair_is", pair=listed(resource(letter) for letter in each.pair)))
    if each.kind != WIDOW:
        said.append(say("macao:copies", count=each.copies))
    return " ".join(said)


def cost(letters: str) -> str:
    """Return a cost in words; what is there several times has its number before it."""
    counts = Counter(letters)
    return listed(f"{count} {resource(letter)}" if count > 1 else resource(letter) for letter, count in counts.items())
