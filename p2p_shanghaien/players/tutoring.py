"""Mistakes: decisions that cost more than they may, the better choice, and what either would probably bring.

An evaluator says how much a decision cost. To say why, the rest of the stage, such as a round, is played out several
times after either choice, both players deciding as the evaluator does (`look_ahead`), and the game's `Outlook` names
what has come of it. Both choices meet the same chance as far as they can, and the numbers are the same everywhere.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from p2p_shanghaien.games.api import Action, Chance, S, Simultaneous, State, Terminal, Turn
from p2p_shanghaien.games.outlook import Outlook, Prospect
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Evaluator, Option, simultaneous
from p2p_shanghaien.players.options import options, ranked

__all__ = ["Forecast", "Mistake", "look_ahead", "mistake", "outlook"]

TRIALS: Final = 48
"""Times that the rest of a stage is played out: a share of one half is then known to about a fourteenth."""
NOTABLE: Final = 0.15
"""The least difference of shares that is worth naming, about twice that error."""
MOST: Final = 3
"""The limit of prospects that are named."""
_UNSEEN: Final = 0.0005
"""A loss that would be shown as none."""


class Forecast(NamedTuple):
    """The probability of a prospect after the choice that was made, and after the better one."""

    prospect: Prospect
    chosen: float
    best: float


class Mistake(NamedTuple):
    """A decision of `player` in `state`, and the best one, with their values to that player."""

    state: State
    player: int
    chosen: Option
    best: Option
    forecasts: tuple[Forecast, ...] = ()
    """The greatest differences between the two; none if the game has no outlook."""

    @property
    def cost(self) -> float:
        """The loss of win probability."""
        return self.best.value.chance - self.chosen.value.chance


def mistake(state: State, player: int, action: Action, options: Sequence[Option], least: float) -> Mistake | None:
    """Return the mistake that `action` was, or None if it cost less than `least` in win probability, or nothing.

    `options` are all those of `player`, from their point of view.
    """
    values = {option.action: option for option in options}
    if action not in values:
        return None
    found = Mistake(state, player, values[action], ranked(options)[0])
    return found if found.cost >= max(least, _UNSEEN) else None


def outlook(game: str) -> Outlook[Any] | None:
    """Return the outlook of the game of that name, or None if it has none. Raises LocalError."""
    part = GAMES[game].outlook
    found: Outlook[Any] | None = part.load() if part else None
    return found


def look_ahead(
    found: Mistake, evaluator: Evaluator[Any], outlook: Outlook[Any], trials: int = TRIALS
) -> tuple[Forecast, ...]:
    """Return the prospects of a stage that differ most between both choices of a mistake, the largest first."""
    play = _Playing(evaluator, outlook)
    chosen, best = (
        Counter(
            prospect
            for trial in range(trials)
            for prospect in play.outcome(found.state, found.player, option.action, Random(trial))  # noqa: S311 - no secret
        )
        for option in (found.chosen, found.best)
    )
    forecasts = [
        Forecast(prospect, chosen[prospect] / trials, best[prospect] / trials)
        for prospect in dict.fromkeys((*best, *chosen))
    ]
    notable = [each for each in forecasts if abs(each.best - each.chosen) >= NOTABLE]
    return tuple(sorted(notable, key=lambda each: -abs(each.best - each.chosen))[:MOST])


class _Playing:
    """Stages that are played out; each decision is computed once."""

    def __init__(self, evaluator: Evaluator[Any], outlook: Outlook[Any]) -> None:
        self._evaluator = evaluator.quick()
        self._outlook = outlook
        self._known: dict[tuple[Hashable, int], tuple[tuple[Action, ...], tuple[float, ...]]] = {}

    def outcome(self, state: S, player: int, action: Action, rng: Random) -> Iterable[Prospect]:
        """Return what comes of the stage if `player` takes `action` first."""
        last, end = state, self._after(state, rng, {player: action})
        while not (isinstance(end.node, Terminal) or self._outlook.is_over(state, end)):
            last, end = end, self._after(end, rng, {})
        return self._outlook.outcome(state, last, end, player)

    def _after(self, state: S, rng: Random, fixed: dict[int, Action]) -> S:
        """Return the next position; `fixed` are decisions that are given."""
        match state.node:
            case Chance(bounds):
                # the one method whose values are the same in every version of Python
                return state.apply_chance(tuple(int(rng.random() * bound) for bound in bounds))
            case Simultaneous():
                first, second = (fixed.get(player) or self._decision(state, player, rng) for player in (0, 1))
                return state.apply_joint((first, second))
            case Turn(player):
                return state.apply(fixed.get(player) or self._decision(state, player, rng))
        raise ValueError("the game is over")

    def _decision(self, state: State, player: int, rng: Random) -> Action:
        key = (state.encode(), player)
        if key not in self._known:
            self._known[key] = self._mixture(state, player)
        actions, shares = self._known[key]
        left = rng.random() if len(actions) > 1 else 0.0
        for action, share in zip(actions, shares, strict=True):
            left -= share
            if left < 0:
                return action
        return actions[-1]

    def _mixture(self, state: State, player: int) -> tuple[tuple[Action, ...], tuple[float, ...]]:
        """Return the actions that `player` takes in `state`, and how often."""
        legal = state.legal(player)
        if isinstance(state.node, Simultaneous):
            weights = [w for w in simultaneous.mixture(state, player, self._evaluator) if w.to_win > 0]
            if not weights:
                return legal, (1 / len(legal),) * len(legal)
            return tuple(w.action for w in weights), tuple(w.to_win for w in weights)
        if len(legal) == 1:
            return legal, (1.0,)
        best = ranked(options(state, player, self._evaluator))[0]
        return (best.action,), (1.0,)
