"""Payments: which blue cards pay a cost together with the red ones.

Resources that traders exchange form a class. Red cards cover what they can of each class; of what is missing, each blue
card covers one resource of its class, and a diamond one of any. A payment covers the cost, and no card of it could be
left out: so each of its cards covers something, and there are as many as are missing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from p2p_shanghaien.games.macao.deck import CROUPIER, DIAMOND, TRADER, Card, Deck

Payment: TypeAlias = tuple[str, ...]
"""The ids of the blue cards that pay, in file order."""


class Means(NamedTuple):
    """The red cards of a player, as payments need them."""

    classes: Mapping[str, str]
    """The class of each resource."""
    given: Mapping[str, int]
    """The resources of each class that the cards give; diamonds are their own class."""
    croupiers: int


def means(deck: Deck, red: Iterable[str]) -> Means:
    """Return the means that these red cards are."""
    cards = [deck.card[name] for name in red]
    classes = deck.classes(card.pair for card in cards if card.kind == TRADER)
    given = Counter(classes.get(letter, DIAMOND) for card in cards for letter in card.red)
    return Means(classes, given, sum(card.kind == CROUPIER for card in cards))


class Need(NamedTuple):
    """The resources that red cards leave for blue ones to pay."""

    classes: Mapping[str, str]
    missing: Mapping[str, int]
    """The resources of each class that red cards do not cover, diamonds aside."""
    number: int
    """The resources that blue cards have to cover; nothing is to be paid if that is 0 or less."""

    def uses(self, card: Card) -> bool:
        """Return True if the card can cover something."""
        return card.blue == DIAMOND or self.classes[card.blue] in self.missing

    def left_by(self, cards: Iterable[Card]) -> int:
        """Return the number of resources that these blue cards do not cover; less than 0 if diamonds are left."""
        given = Counter(self.classes.get(card.blue, DIAMOND) for card in cards)
        useful = sum(min(count, self.missing.get(each, 0)) for each, count in given.items() if each != DIAMOND)
        return self.number - useful - given[DIAMOND]

    def is_covered_by(self, cards: Iterable[Card]) -> bool:
        """Return True if these blue cards cover it."""
        return self.left_by(cards) <= 0


def payments(deck: Deck, cost: str, hand: Sequence[str], red: Means, *, croupiers: int = 0) -> tuple[Payment, ...]:
    """Return every payment of `cost` by cards of `hand`, which is in file order: sorted, and each once."""
    needs = [_need(each, red) for each in reduced(cost, croupiers)]
    if any(need.number <= 0 for need in needs):
        return ((),)
    cards = [deck.card[name] for name in hand]
    found = dict.fromkeys(chosen for need in needs for chosen in _paying(need, cards))
    if len(needs) == 1:
        return tuple(tuple(card.id for card in chosen) for chosen in found)
    # what a croupier can take off in two ways may leave a need that fewer cards cover
    fewest = [
        tuple(card.id for card in chosen)
        for chosen in found
        if not any(need.number < len(chosen) and need.is_covered_by(chosen) for need in needs)
    ]
    return tuple(sorted(fewest, key=lambda names: [deck.place[name] for name in names]))


def shortage(cost: str, red: Means, blue: Iterable[Card] = (), *, croupiers: int = 0) -> int:
    """Return how many resources of `cost` red cards, and the blue ones given, do not cover; 0 if nothing is short."""
    blue = list(blue)
    return min(max(_need(each, red).left_by(blue), 0) for each in reduced(cost, croupiers))


def _need(cost: str, red: Means) -> Need:
    wanted = Counter(red.classes[letter] for letter in cost)
    missing = {each: count - red.given[each] for each, count in wanted.items() if count > red.given[each]}
    return Need(red.classes, missing, sum(missing.values()) - red.given[DIAMOND])


def _paying(need: Need, hand: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the payments of a need."""
    useful = [card for card in hand if need.uses(card)]
    counts = Counter(need.classes.get(card.blue, DIAMOND) for card in useful)
    is_scarce = all(count <= need.missing.get(each, count) for each, count in counts.items())
    for chosen in combinations(useful, need.number):
        if is_scarce or need.is_covered_by(chosen):
            yield chosen


@cache
def reduced(cost: str, croupiers: int) -> tuple[str, ...]:
    """Return every cost that so many croupiers can make of `cost`: each takes off a resource that is there twice."""
    repeated = sorted(letter for letter, count in Counter(cost).items() if count > 1)
    if not croupiers or not repeated:
        return (cost,)
    fewer = (cost.replace(letter, "", 1) for letter in repeated)
    return tuple(sorted({each for one in fewer for each in reduced(one, croupiers - 1)}))
