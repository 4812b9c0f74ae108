"""The exact solution of a round of Shanghaien: the value of every position in it, and of every action.

A round with its cards is a game of its own, once each of its possible ends has a value: everything is open, and its
only chance events are two dice. `solve` takes these values from its caller, so that any evaluation of the game between
rounds can be used. Values are player 0's: player 0 wants the highest, player 1 the lowest. They are as exact as the
type of the given values: float32 keeps them to about a millionth of their range, float64 to the last digits.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.api import Action, Chance
from p2p_shanghaien.games.shanghaien.cards import BOTH, DECK_TRICKS
from p2p_shanghaien.games.shanghaien.players.geometry import MIRRORED, NOBODY, PAIRS, ROLLS, allotment
from p2p_shanghaien.games.shanghaien.players.rounds import Round, options, solve_round, worth_playing
from p2p_shanghaien.games.shanghaien.players.tables import Options, Played, Values
from p2p_shanghaien.games.shanghaien.rules import DICE, OPEN, SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import contests

Evaluate: TypeAlias = Callable[[State, Sequence[tuple[Played, Played]]], Values]
"""A function that returns the values of a round's ends to player 0, as an array (pairs of tricks, 2, 729) of floats.

Entry [i, c, a] is for the round of the given position when, from there on, the players play the tricks of pair i
(player 0's first), then player c calls Shanghai, and the cards go as allotment a says (`geometry.TAKERS`).
"""

NEVER: Final = "?"
"""Options that no trick leads to."""

RIGHT: Final = ">"
"""The direction in which the row's right end is number 1."""


class Choice(NamedTuple):
    """An action, and its value to player 0."""

    action: Action
    value: float


def solve(state: State, evaluate: Evaluate) -> "Solution":
    """Return the solution of the round from `state` on. Raises ValueError if no round is in progress."""
    if state.phase in (Phase.ROW, Phase.OVER):
        raise ValueError("no round is in progress")
    played = (options(state, 0), options(state, 1))
    pairs = list(product(*played))
    return Solution(state, played, evaluate(state, pairs).reshape(len(played[0]), len(played[1]), 2, -1))


class Solution:
    """The values of all positions that can be reached from one position of a round; `solve` makes it.

    Some tables are not kept: of games in which both players have played tricks, if those are many, and of jokers that
    are never better than another. Positions that need them are solved again from there, which is a small part of the
    work; the latest such solution is kept.
    """

    def __init__(self, state: State, played: tuple[Options, Options], endings: Values) -> None:
        """Solve the round from `state` on, with the values `endings`.

        They have the shape (player 0's options, player 1's options, 2, 729).
        """
        self._start = state
        self._played = played
        self._endings = endings
        self._range = float(endings.min()), float(endings.max())
        self._solved: dict[str, Round] = {}
        self._later: Solution | None = None
        thought = worth_playing(played, endings)
        self._thought = (
            tuple(played[0][index] for index in thought[0]),
            tuple(played[1][index] for index in thought[1]),
        )
        self._thought_endings = endings[thought[0]][:, thought[1]]

    def value(self, state: State) -> float:
        """Return the value of a position, before or after a roll.

        Raises ValueError for one that the round cannot reach.
        """
        return self._checked(state)._value(state)

    def actions(self, state: State) -> tuple[Choice, ...]:
        """Return the value of every action, in the order of `state.legal`; nothing at a chance node."""
        holder = self._checked(state)._holder(state)
        return tuple(Choice(action, holder._after(state, action)) for action in state.legal(state.player))

    def best(self, state: State) -> Choice:
        """Return the best action, of equals the first; faster than `actions`.

        Raises ValueError if there is none.
        """
        return self._checked(state)._holder(state)._best(state)

    def reaches(self, state: State) -> bool:
        """Return whether `state` is in the turn of this position or in a later one of its round."""
        start = self._start
        return (
            state.phase not in (Phase.ROW, Phase.OVER)
            and (state.round, state.row, state.pile) == (start.round, start.row, start.pile)
            and start.direction in (OPEN, state.direction)
            and all(self._reaches_of(state, side) for side in (0, 1))
            and self._takes_turns(state)
        )

    def _checked(self, state: State) -> "Solution":
        """Return this solution, if it can have `state`."""
        if not self.reaches(state):
            raise ValueError("not a later position of this round")
        return self

    def _value(self, state: State) -> float:
        holder = self._holder(state)
        if state.direction == OPEN or state.phase in (Phase.ROLLED, Phase.PLACE):
            return holder._expected(state)
        added = tuple(
            tuple(now - before for now, before in zip(state.placed[side], holder._start.placed[side], strict=True))
            for side in (0, 1)
        )
        game = holder._round(state.direction)[holder._played_by(state)]
        found = game.value((added[0], added[1]), state.player, rolling=state.phase != Phase.TURN)
        lowest, highest = self._range
        # how much a mean exceeds the range of its values depends on rounding, and so on the processor
        return min(max(found, lowest), highest)

    def _best(self, state: State) -> Choice:
        mover = state.player
        needless = {f"!{trick}" for trick in self._played[mover] if trick not in self._thought[mover]}
        choices = [Choice(a, self._after(state, a)) for a in state.legal(mover) if a not in needless]
        return (max, min)[mover](choices, key=itemgetter(1))

    def _after(self, state: State, action: Action) -> float:
        return self._ending(state) if action == SHANGHAI else self._value(state.apply(action))

    def _expected(self, state: State) -> float:
        """Return the value of a position from those that follow."""
        if isinstance(state.node, Chance):
            return sum(self._value(state.apply_chance(roll)) * (2 if roll in PAIRS else 1) for roll in ROLLS) / 36
        return self._best(state).value

    def _ending(self, state: State) -> float:
        """Return the value of Shanghai."""
        takers = [NOBODY if contest.taker is None else contest.taker for contest in contests(state.placed)]
        mine, other = (side.index(trick) for side, trick in zip(self._played, self._played_by(state), strict=True))
        end = allotment(takers[::-1] if state.direction == RIGHT else takers)
        return float(self._endings[mine, other, state.player, end])

    def _round(self, direction: str) -> Round:
        """Return the tables with number 1 at this end of the row."""
        if direction not in self._solved:
            endings = self._thought_endings[..., MIRRORED] if direction == RIGHT else self._thought_endings
            self._solved[direction] = solve_round(self._start.placed, self._start.player, self._thought, endings)
        return self._solved[direction]

    def _holder(self, state: State) -> "Solution":
        """Return the solution that has the tables for `state`: this one, or one from there on."""
        played = self._played_by(state)
        if state.direction == OPEN or played in self._round(state.direction):
            return self
        if self._later is None or not self._later.reaches(state):
            left = (options(state, 0), options(state, 1))
            rows, columns = (
                [self._played[side].index(played[side] or trick) for trick in left[side]] for side in (0, 1)
            )
            self._later = Solution(state, left, self._endings[rows][:, columns])
        return self._later._holder(state)

    def _reaches_of(self, state: State, side: int) -> bool:
        more = all(now >= before for now, before in zip(state.placed[side], self._start.placed[side], strict=True))
        played = self._played_by(state)[side]
        may_have = state.tricked[side] and not self._start.tricked[side]
        return more and (played == "" or (may_have and played != NEVER))

    def _takes_turns(self, state: State) -> bool:
        """Return whether the players, in turn, can have placed so many dice more; with five, nobody rolls any more."""
        start, turns = self._start, []
        for side, trick in enumerate(self._played_by(state)):
            before = sum(start.placed[side])
            turns.append(sum(state.placed[side]) - before - (trick == BOTH))
            if not (trick == BOTH) <= turns[side] <= max(0, DICE - 1 - before):
                return False
        return turns[start.player] - turns[1 - start.player] == (state.player != start.player)

    def _played_by(self, state: State) -> tuple[Played, Played]:
        """Return the options played between the solved position and `state`, or NEVER."""
        start = self._start
        return (
            _trick_played(start.tricks[0], state.tricks[0], start.crews[0], state.crews[0]),
            _trick_played(start.tricks[1], state.tricks[1], start.crews[1], state.crews[1]),
        )


@lru_cache(maxsize=1024)
def _trick_played(held: str, left: str, crew: tuple[str, ...], grown: tuple[str, ...]) -> Played:
    """Return the option played in a round whose tricks and crew were the first and are the second, or NEVER."""
    if (held, crew) == (left, grown):
        return ""
    spent = [*(Counter(held) - Counter(left)).elements()]
    gained = [*(Counter(grown) - Counter(crew)).elements()]
    if len(spent) != 1 or len(held) != len(left) + 1 or len(grown) != len(crew) + len(gained):
        return NEVER
    (letter,) = spent
    if not gained:
        return letter if letter in DECK_TRICKS else NEVER
    return f"{letter}={gained[0][0]}" if [card[1] for card in gained] == [letter] else NEVER
