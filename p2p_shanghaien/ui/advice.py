"""Hints: what may be done, what each of it is worth, and how that is told. Who gives them, if anybody, is passed in."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.api import Action, Simultaneous, State
from p2p_shanghaien.players import Advise, Option, Outlook
from p2p_shanghaien.ui.view import Choice, Seating
from p2p_shanghaien.ui.words import describe, say

HINT: Final = "ask_hint"
"""The code of the words that ask for a hint."""


class Hint(NamedTuple):
    """A choice as it is shown: `behind` is what it has less than the best, a difference of chances.

    `share` is with how many percent to take it where both choose at once; None where that is not known.
    """

    choice: Choice
    outlook: Outlook
    behind: float
    chosen: bool
    share: int | None = None

    @property
    def is_best(self) -> bool:
        """Whether it is as good as any, as far as one sees."""
        return percent(self.behind) == percent(0)


def hints(advice: Sequence[Option], choices: Sequence[Choice], chosen: Action | None = None) -> Sequence[Hint]:
    """The choices of which something is known, best first, or most frequent first; `chosen` is what was done."""
    values = {each.action: each.outlook for each in advice}
    best = max((each.outlook.chance for each in advice), default=0.0)
    shares = _shares(advice)
    found = [
        Hint(choice, known, best - known.chance, choice.action == chosen, shares.get(choice.action))
        for choice in choices
        if (known := values.get(choice.action))
    ]
    # among actions of a mixture, which are worth the same, only rounding would decide
    return sorted(found, key=lambda hint: (-hint.share, 0.0) if hint.share else (0, hint.behind))


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
    """Hints for a player, and what stands above them; without hints, why there are none."""

    heading: str
    hints: Sequence[Hint] = ()

    def told(self) -> Sequence[str]:
        """Return it in sentences: a mixture in one, and what was chosen where it may have cost."""
        if not any(hint.share for hint in self.hints):
            return [self.heading, *map(_sentence, self.hints)]
        return [self.heading, _mixture(self.hints), *(_sentence(hint) for hint in self.hints if hint.chosen)]


async def advised(
    advise: Advise,
    state: State,
    player: int,
    choices: Sequence[Choice],
    seating: Seating,
    chosen: Action | None = None,
) -> Advice:
    """Return what is known of the `choices` of `player`, who decides in `state`; `chosen` is what was done."""
    try:
        found = await advise(state, player)
    except LocalError as error:
        return Advice(describe(error))
    return Advice(_heading(found, state, player, seating), hints(found, choices, chosen))


def _heading(advice: Sequence[Option], state: State, player: int, seating: Seating) -> str:
    if not advice:
        return say("no_hints")
    code = "hints_for"
    if isinstance(state.node, Simultaneous):
        code = "hints_average_for" if advice[0].share is None else "hints_mixture_for"
    return str(seating.news(code, player, other=seating.labels[1 - player]))


def _mixture(found: Sequence[Hint]) -> str:
    """Return how often to take which of the choices, and what that is worth."""
    shares = (
        say("hint_share", words=hint.choice.words, action=hint.choice.action, share=hint.share)
        for hint in found
        if hint.share
    )
    chance, points = (max(values) for values in zip(*(hint.outlook for hint in found), strict=True))
    return say("hint_mixture", shares=say("between_shares").join(shares), chance=percent(chance), lead=lead(points))


def _sentence(hint: Hint) -> str:
    details = {
        "words": hint.choice.words,
        "action": hint.choice.action,
        "chance": percent(hint.outlook.chance),
        "lead": lead(hint.outlook.points),
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
