"""Hints: what may be done, what each of it is worth, and how that is told. Who gives them, if anybody, is passed in."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.ui.view import Choice, Seating
from p2p_shanghaien.ui.words import say

HINT: Final = "ask_hint"
"""The code of the words that ask for a hint."""


class Advice(NamedTuple):
    """An action, and what it is worth to the player who decides, if both then play as well as they can."""

    action: Action
    chance: float
    """Of winning, from 0 to 1, a draw counting half."""
    points: float
    """Their lead at the end, where both play for points alone."""


Advise: TypeAlias = Callable[[State, int], Awaitable[Sequence[Advice]]]
"""What is to be said of the choices of a player who decides in a position, in any order; nothing where nothing can be.

Raises LocalError where finding out has failed.
"""


class Hint(NamedTuple):
    """A choice as it is shown: `behind` is what it has less than the best, a difference of chances."""

    choice: Choice
    chance: float
    behind: float
    points: float
    chosen: bool

    @property
    def is_best(self) -> bool:
        """Whether it is as good as any, as far as one sees."""
        return percent(self.behind) == percent(0)


def hints(advice: Sequence[Advice], choices: Sequence[Choice], chosen: Action | None = None) -> Sequence[Hint]:
    """The choices of which something is known, best first; `chosen` is what was done."""
    worth = {each.action: each for each in advice}
    best = max((each.chance for each in advice), default=0.0)
    found = [
        Hint(choice, known.chance, best - known.chance, known.points, choice.action == chosen)
        for choice in choices
        if (known := worth.get(choice.action))
    ]
    return sorted(found, key=lambda hint: hint.behind)


def told(found: Sequence[Hint], player: int, seating: Seating) -> Sequence[str]:
    """The hints for `player`, in sentences."""
    if not found:
        return [say("no_hints")]
    return [str(seating.news("hints_for", player)), *map(_sentence, found)]


def _sentence(hint: Hint) -> str:
    details = {
        "words": hint.choice.words,
        "action": hint.choice.action,
        "chance": percent(hint.chance),
        "lead": lead(hint.points),
    }
    sentence = say("hint_best", **details) if hint.is_best else say("hint", behind=percent(hint.behind), **details)
    return say("hint_chosen", hint=sentence) if hint.chosen else sentence


def percent(share: float) -> str:
    """A chance, or a difference of chances, in percent."""
    return f"{100 * share:.1f}"


def lead(points: float) -> str:
    """How far ahead, or behind, somebody will be."""
    shown = f"{abs(points):.1f}"
    if float(shown) == 0:
        return say("lead_none")
    return say("lead_ahead" if points > 0 else "lead_behind", points=shown)
