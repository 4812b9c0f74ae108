"""The cards, each as its notation.

Tavern cards are `F3` (a French sailor of value 3) and `Xp` (a Dirty Trick). Once a trick is played as a joker it
lies in a crew as `Fp`: nationality, then the trick's letter.
"""

from collections.abc import Iterable
from typing import Final

NATIONALITIES: Final = "AFGCDTSI"
"""American, French, German, Chinese, Dutch, Turkish, Spanish, Italian."""

VALUES: Final = (1, 2, 3, 3, 4)
"""The sailors of each nationality."""

PLUS_MINUS: Final = "p"
BOTH: Final = "b"
AGAIN: Final = "r"
WILD: Final = "w"
DECK_TRICKS: Final = PLUS_MINUS + BOTH + AGAIN
"""The trick letters found in the deck; the wild card is handed out before the game."""

JOKER_VALUE: Final = 2

_STRENGTHS: Final = {
    nationality + mark: int(mark) if mark.isdigit() else JOKER_VALUE
    for nationality in NATIONALITIES
    for mark in (*"1234", *sorted(DECK_TRICKS + WILD))
}
"""What each card of a crew counts, in the order in which a crew is kept."""

_PLACES: Final = {card: place for place, card in enumerate(_STRENGTHS)}


def deck(tricks: tuple[int, int, int]) -> tuple[str, ...]:
    """The 48 tavern cards in deck order; `tricks` counts the `p`, `b` and `r` cards."""
    sailors = [f"{nationality}{value}" for nationality in NATIONALITIES for value in VALUES]
    dirty = [f"X{letter}" for letter, count in zip(DECK_TRICKS, tricks, strict=True) for _ in range(count)]
    return (*sailors, *dirty)


def is_trick(card: str) -> bool:
    """Whether a tavern card is a Dirty Trick."""
    return card[0] == "X"


def strength(card: str) -> int:
    """What a card of a crew counts: a sailor its value, a joker 2."""
    return _STRENGTHS[card]


def ordered(crew: Iterable[str]) -> tuple[str, ...]:
    """The cards of a crew by nationality, sailors by value, then jokers."""
    return tuple(sorted(crew, key=_PLACES.__getitem__))
