"""Luck told from skill: what every step of a game changed, and whose doing that was.

The worth of a game to player 0 is followed from the first position to the last. What a draw changes is luck; what a
decision loses against the best that could be done is skill lost. Where both players choose at once, each choice is
compared with the player's best one before the other's is known (`players.simultaneous`); whatever else the two choices
changed is the matchup, neither luck nor skill. Nothing else changes the worth. All of it is counted in integers, and
the worth of a position follows from the next one's (`_followed`), so that start, luck, skill and matchups add up to the
result exactly, and the best choice costs exactly nothing. The last digits of the valuation, which are not exact, are
left to draws and matchups.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from p2p_shanghaien.games.api import Acted, Action, Chosen, Drawn, Game, Simultaneous, State, Step, Turn, advance
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.players import Option, Outlook, Valuation, simultaneous

__all__ = [
    "GAME",
    "POINT",
    "THRESHOLDS",
    "Analysis",
    "Annotated",
    "Decision",
    "Grade",
    "Kind",
    "Rated",
    "Tally",
    "Worth",
    "annotate",
]

GAME: Final = 1_000_000
"""A whole game, in the units in which chances of winning are counted."""
POINT: Final = 1_000
"""A point, in the units in which leads are counted."""


class Worth(NamedTuple):
    """A chance of winning in millionths, a draw counting half, and a lead in thousandths of a point; or a change."""

    chance: int = 0
    points: int = 0

    def plus(self, other: "Worth") -> "Worth":
        """Return the sum."""
        return Worth(self.chance + other.chance, self.points + other.points)

    def minus(self, other: "Worth") -> "Worth":
        """Return the difference."""
        return Worth(self.chance - other.chance, self.points - other.points)

    def seen_by(self, player: int | None) -> "Worth":
        """A change that is this much to player 0, as a player sees it; nobody sees it as player 0."""
        return Worth(-self.chance, -self.points) if player == 1 else self

    def of_position(self, player: int) -> "Worth":
        """Return what a position of this worth to player 0 is worth to `player`."""
        return Worth(GAME - self.chance, -self.points) if player == 1 else self


class Grade(StrEnum):
    """How bad a decision was."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"


THRESHOLDS: Final = {Grade.BLUNDER: 80_000, Grade.MISTAKE: 40_000, Grade.INACCURACY: 20_000}
"""From which loss of winning chances on a decision has its grade: 8, 4 and 2 percentage points.

They are those of GNU Backgammon, the strongest free program for a game of dice (0.16, 0.08 and 0.04 of an equity that
goes from -1 to 1). Chess programs ask for about twice as much, but a chess game has fewer decisions that matter little.
"""


class Kind(StrEnum):
    """What a step is."""

    DECISION = "decision"
    FORCED = "forced"
    """There was no choice, so nothing was decided."""
    SIMULTANEOUS = "simultaneous"
    """Both players chose, neither knowing the other's choice."""
    DRAW = "draw"


class Rated(NamedTuple):
    """Something that could be done, and what it costs the player against the best: chances for one who plays to win,
    points for one who plays for points alone."""

    action: Action
    cost: Worth


class Decision(NamedTuple):
    """An action of a player, and its cost. `options` are all there were, the best first; none where it was forced."""

    player: int
    action: Action
    options: tuple[Rated, ...]
    cost: Worth

    @property
    def best(self) -> Action:
        """The best action: the one that was taken, if it is among the best."""
        return self.action if self.cost.chance == 0 or not self.options else self.options[0].action

    @property
    def grade(self) -> Grade | None:
        """The worst grade whose threshold the cost reaches, or None for a good decision."""
        return next((grade for grade, least in THRESHOLDS.items() if self.cost.chance >= least), None)


class Annotated(NamedTuple):
    """A step of a game; `step` counts from 0, as in the record. `before` and `after` are player 0's.

    `player` decided or rolled; None for what both chose, and for what nobody's action brought.
    `decisions` has one for an action, one of each player for simultaneous choices, and none for a draw.
    """

    step: int
    kind: Kind
    player: int | None
    before: Worth
    after: Worth
    decisions: tuple[Decision, ...] = ()

    @property
    def chosen(self) -> tuple[Decision, ...]:
        """The decisions for which there was a choice."""
        return tuple(decision for decision in self.decisions if decision.options)

    @property
    def change(self) -> Worth:
        """The luck that a draw brought its player, or player 0; the matchup of two choices, as player 0 sees it."""
        return self.luck if self.kind == Kind.DRAW else self.matchup

    @property
    def luck(self) -> Worth:
        """What the draw brought the player; nothing for any other step."""
        return self.after.minus(self.before).seen_by(self.player) if self.kind == Kind.DRAW else Worth()

    @property
    def matchup(self) -> Worth:
        """The change that two simultaneous choices brought player 0, costs apart; none for any other step."""
        if self.kind != Kind.SIMULTANEOUS:
            return Worth()
        first, second = self.decisions
        return self.after.minus(self.before).plus(first.cost).minus(second.cost)


class Tally(NamedTuple):
    """A player's part in a game, or in several: decisions, what they cost, and the luck of the player's own rolls."""

    decisions: int
    lost: Worth
    rolls: Worth
    grades: Counter[Grade]


class Analysis(NamedTuple):
    """A game, step by step and in sum. All worth is player 0's but for the tallies', which is each player's own.

    `unowned` is the luck of draws that are nobody's. `given_up` is what resigning changed: chances alone, since points
    are only made by playing on. `result` is that of the game, or, where it was not played to its end, the worth of the
    last position with what was given up.
    """

    steps: tuple[Annotated, ...]
    start: Worth
    tallies: tuple[Tally, Tally]
    unowned: Worth
    given_up: Worth
    result: Worth

    @property
    def chances(self) -> tuple[int, ...]:
        """Player 0's chance of winning at the start and after each step."""
        return (self.start.chance, *(step.after.chance for step in self.steps))

    def luck(self, player: int) -> Worth:
        """All luck of the game as the player sees it: the draws of both, and those that are nobody's."""
        mine, other = self.tallies[player].rolls, self.tallies[1 - player].rolls
        return mine.minus(other).plus(self.unowned.seen_by(player))

    def matchup(self, player: int) -> Worth:
        """Return the change that simultaneous choices brought the player, costs apart."""
        return _sum(step.matchup for step in self.steps).seen_by(player)

    @property
    def has_simultaneous(self) -> bool:
        """True if both players chose at the same time at least once."""
        return any(step.kind == Kind.SIMULTANEOUS for step in self.steps)

    def skill(self, player: int) -> Worth:
        """What the opponent's decisions lost, less what the player's did."""
        return self.tallies[1 - player].lost.minus(self.tallies[player].lost)


def annotate(game: Game[Any], steps: Sequence[Step], ended: Ended | None, valuation: Valuation[Any]) -> Analysis:
    """The analysis of a game that went by `steps`. Raises Illegal where they break a rule."""
    positions: list[State] = [game.start()]
    for step in steps:
        positions.append(advance(positions[-1], step))
    judged = [_judged(position, valuation) for position in positions]
    worths = _followed(steps, judged)
    annotated = tuple(
        _annotated(index, step, worths[index : index + 2], judged[index], _roller(positions, steps, index))
        for index, step in enumerate(steps)
    )
    given_up = Worth()
    if ended and ended.winner is not None:
        given_up = Worth((0 if ended.winner else GAME) - worths[-1].chance)
    return Analysis(
        annotated,
        worths[0],
        (_tally(annotated, 0), _tally(annotated, 1)),
        _sum(each.luck for each in annotated if each.player is None),
        given_up,
        worths[-1].plus(given_up),
    )


class _Judged(NamedTuple):
    """A position by itself: its worth, and the options of each player who decides, the best first."""

    worth: Worth
    options: Mapping[int, tuple[Rated, ...]]

    def decision(self, player: int, action: Action, cost: Worth) -> Decision:
        options = self.options[player]
        return Decision(player, action, options if len(options) > 1 else (), cost)

    def cost(self, player: int, action: Action) -> Worth:
        (cost,) = [option.cost for option in self.options[player] if option.action == action]
        return cost


def _judged(state: State, valuation: Valuation[Any]) -> _Judged:
    match state.node:
        case Turn(player):
            options = valuation.options(state)
            return _Judged(_worth(_best(options, player)), {player: _rated(options, player)})
        case Simultaneous():
            choices = simultaneous.options(state, valuation)
            rated = {player: _rated(options, player) for player, options in enumerate(choices)}
            return _Judged(_worth(valuation.outlook(state)), rated)
        case _:
            return _Judged(_worth(valuation.outlook(state)), {})


def _best(options: Sequence[Option], player: int) -> Outlook:
    better = min if player else max
    return Outlook(
        better(option.outlook.chance for option in options), better(option.outlook.points for option in options)
    )


def _rated(options: Sequence[Option], player: int) -> tuple[Rated, ...]:
    best = _best(options, player)
    behind = (
        Outlook(abs(best.chance - option.outlook.chance), abs(best.points - option.outlook.points))
        for option in options
    )
    rated = [Rated(option.action, _worth(each)) for option, each in zip(options, behind, strict=True)]
    return tuple(sorted(rated, key=lambda each: each.cost))


def _worth(outlook: Outlook) -> Worth:
    return Worth(round(outlook.chance * GAME), round(outlook.points * POINT))


def _followed(steps: Sequence[Step], judged: Sequence[_Judged]) -> list[Worth]:
    """The worth of each position: where a decision leads on from it, what follows and what the decision cost."""
    worths = [judged[-1].worth]
    for step, position in zip(reversed(steps), reversed(judged[:-1]), strict=True):
        if isinstance(step, Acted):
            before = worths[-1].plus(position.cost(step.player, step.action).seen_by(step.player))
            # of two rounded values the sum may be a unit beyond what a chance can be
            worths.append(before._replace(chance=min(max(before.chance, 0), GAME)))
        else:
            worths.append(position.worth)
    return worths[::-1]


def _annotated(index: int, step: Step, worths: Sequence[Worth], judged: _Judged, roller: int | None) -> Annotated:
    before, after = worths
    match step:
        case Acted(player, action):
            decision = judged.decision(player, action, before.minus(after).seen_by(player))
            kind = Kind.DECISION if decision.options else Kind.FORCED
            return Annotated(index, kind, player, before, after, (decision,))
        case Chosen(actions):
            decisions = tuple(
                judged.decision(player, action, judged.cost(player, action)) for player, action in enumerate(actions)
            )
            return Annotated(index, Kind.SIMULTANEOUS, None, before, after, decisions)
        case Drawn():
            return Annotated(index, Kind.DRAW, roller, before, after)


def _roller(positions: Sequence[State], steps: Sequence[Step], index: int) -> int | None:
    """Whose draw it is: of the player whose action led to it and who goes on after it; nobody's else."""
    if index == 0 or not isinstance(before := steps[index - 1], Acted):
        return None
    return before.player if positions[index + 1].node == Turn(before.player) else None


def _tally(steps: Sequence[Annotated], player: int) -> Tally:
    own = [decision for each in steps for decision in each.decisions if decision.player == player]
    return Tally(
        sum(bool(decision.options) for decision in own),
        _sum(decision.cost for decision in own),
        _sum(each.luck for each in steps if each.player == player),
        Counter(decision.grade for decision in own if decision.grade),
    )


def _sum(worths: Iterable[Worth]) -> Worth:
    total = Worth()
    for worth in worths:
        total = total.plus(worth)
    return total
