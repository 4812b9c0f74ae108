"""Hints: the legal actions, their values, and the sentences about them.

The caller passes in who computes them, if anybody.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.games.api import Action, Simultaneous, State
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.players.options import ranked
from p2p_shanghaien.ui.view import Choice, Viewpoint
from p2p_shanghaien.ui.words import say

HINT: Final = "ask_hint"
"""The code of the command that asks for a hint."""


class Hint(NamedTuple):
    """A choice as shown: `behind` is its distance from the best, a difference of win probabilities.

    `share` is the percentage with which to take it if both choose at once; None if that is not known.
    """

    choice: Choice
    value: PositionValue
    behind: float
    chosen: bool
    share: int | None = None

    @property
    def is_best(self) -> bool:
        """Return whether it is as good as any, within the precision shown."""
        return percent(self.behind) == percent(0)


def hints(advice: Sequence[Option], choices: Sequence[Choice], chosen: Action | None = None) -> Sequence[Hint]:
    """Return the evaluated choices, best first, or most frequent first; `chosen` is the action that was taken."""
    values = {each.action: each for each in advice}
    best = max((each.value.chance for each in advice), default=0.0)
    shares = _shares(advice)
    words = {choice.action: choice for choice in choices if choice.action in values}
    found = [
        Hint(words[action], value, best - value.chance, action == chosen, shares.get(action))
        for action, value, _ in ranked(values[action] for action in words)
    ]
    return sorted(found, key=lambda hint: -(hint.share or 0))


def _shares(advice: Sequence[Option]) -> dict[Action, int]:
    """Return the known shares in percent, rounded by largest remainders: they add up to 100."""
    exact = {each.action: round(100 * each.share, 9) for each in advice if each.share is not None}
    if not exact:
        return {}
    rounded = {action: int(share) for action, share in exact.items()}
    by_remainder = sorted(exact, key=lambda action: rounded[action] - exact[action])
    for action in by_remainder[: 100 - sum(rounded.values())]:
        rounded[action] += 1
    return rounded


class Advice(NamedTuple):
    """Hints for a player, and their heading; without hints, the reason."""

    heading: str
    hints: Sequence[Hint] = ()

    def told(self) -> Sequence[str]:
        """Return the hints in sentences: a mixture in one, and the action that was taken if it may have cost."""
        if len(self.hints) == 1:
            return [self.heading, say("hint_only", **_details(self.hints[0]))]
        if not any(hint.share for hint in self.hints):
            return [self.heading, *map(_sentence, self.hints)]
        return [self.heading, _mixture(self.hints), *(_sentence(hint) for hint in self.hints if hint.chosen)]


def heading(advice: Sequence[Option], state: State, player: int, viewpoint: Viewpoint) -> str:
    """Return the heading of the hints for `player`, who decides in `state`."""
    if not advice:
        return say("no_hints")
    code = "hints_only_for" if len(advice) == 1 else "hints_for"
    if len(advice) > 1 and isinstance(state.node, Simultaneous):
        code = "hints_average_for" if advice[0].share is None else "hints_mixture_for"
    return str(viewpoint.news(code, player, other=viewpoint.labels[1 - player]))


def _mixture(found: Sequence[Hint]) -> str:
    """Return how often to take which of the choices, and the value of that."""
    shares = (
        say("hint_share", words=hint.choice.words, action=hint.choice.action, share=hint.share)
        for hint in found
        if hint.share
    )
    chance, points = (max(values) for values in zip(*(hint.value for hint in found), strict=True))
    return say("hint_mixture", shares=say("between_shares").join(shares), chance=percent(chance), lead=lead(points))


def _details(hint: Hint) -> dict[str, str]:
    return {
        "words": hint.choice.words,
        "action": hint.choice.action,
        "chance": percent(hint.value.chance),
        "lead": lead(hint.value.points),
    }


def _sentence(hint: Hint) -> str:
    details = _details(hint)
    sentence = say("hint_best", **details) if hint.is_best else say("hint", behind=percent(hint.behind), **details)
    return say("hint_chosen", hint=sentence) if hint.chosen else sentence


def percent(share: float) -> str:
    """Return a probability, or a difference of probabilities, in percent."""
    return f"{100 * share:.1f}"


def lead(points: float) -> str:
    """Return an expected lead or deficit."""
    shown = f"{abs(points):.1f}"
    if float(shown) == 0:
        return say("lead_none")
    return say("lead_ahead" if points > 0 else "lead_behind", points=shown)
