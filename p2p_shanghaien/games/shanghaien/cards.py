"""The cards, each as its notation.

Tavern cards are `F3` (a French sailor of value 3) and `Xp` (a Dirty Trick). A trick played as a joker is in a crew as
`Fp`: nationality, then the trick's letter.
"""

from collections.abc import Iterable
from typing import Final

NATIONALITIES: Final = "AFGCDTSI"
"""American, French, German, Chinese, Dutch, Turkish, Spanish, Italian."""

VALUES: Final = (1, 2, 3, 3, 4)
"""The values of the sailors of each nationality."""

PLUS_MINUS: Final = "p"
BOTH: Final = "b"
AGAIN: Final = "r"
WILD: Final = "w"
DECK_TRICKS: Final = PLUS_MINUS + BOTH + AGAIN
"""The trick letters in the deck; the wild card is dealt before the game."""

JOKER_VALUE: Final = 2

_STRENGTHS: Final = {
    nationality + mark: int(mark) if mark.isdigit() else JOKER_VALUE
    for nationality in NATIONALITIES
    for mark in (*"1234", *sorted(DECK_TRICKS + WILD))
}
"""The value of each card of a crew, in the order in which a crew is kept."""

_PLACES: Final = {card: place for place, card in enumerate(_STRENGTHS)}


def deck(tricks: tuple[int, int, int]) -> tuple[str, ...]:
    """Return the 48 tavern cards in deck order; `tricks` counts the `p`, `b` and `r` cards."""
    sailors = [f"{nationality}{value}" for nationality in NATIONALITIES for value in VALUES]
    dirty = [f"X{letter}" for letter, count in zip(DECK_TRICKS, tricks, strict=True) for _ in range(count)]
    return (*sailors, *dirty)


def is_trick(card: str) -> bool:
    """Return whether a tavern card is a Dirty Trick."""
    return card[0] == "X"


def strength(card: str) -> int:
    """Return the value of a card of a crew: a sailor's own, 2 for a joker."""
    return _STRENGTHS[card]


def ordered(crew: Iterable[str]) -> tuple[str, ...]:
    """Return the cards of a crew by nationality, sailors by value, then jokers."""
    return tuple(sorted(crew, key=_PLACES.__getitem__))
