"""The rules of Shanghaien: what is open in a position, and what follows from it.

`State` is a plain tuple, so that equality, hashing and encoding come from it. What an action does is looked up
in tables that are made once, which keeps a decision at a few microseconds.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import Action, Chance, Over, Turn, Value, Waits
from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, NATIONALITIES, PLUS_MINUS, crew_order, is_trick
from p2p_shanghaien.games.shanghaien.scoring import Placed, contests, scores

_T = TypeVar("_T")

DICE: Final = 6
ROUNDS: Final = 8
ROW: Final = 6

ROLL: Final = "roll"
SHANGHAI: Final = "#"
OPEN: Final = ""
"""The direction while the round's first die is not placed; then "<" (number 1 is at the left) or ">"."""

NO_DICE: Final = ((0,) * ROW, (0,) * ROW)


class Phase(IntEnum):
    """What a position waits for."""

    ROW = 0
    """The draw of a round's six cards."""
    TURN = 1
    """Roll, or Shanghai."""
    DICE = 2
    """The dice of a roll."""
    ROLLED = 3
    """A trick, or placing a die."""
    REROLL = 4
    """The dice of the second roll."""
    PLACE = 5
    """Placing a die; a trick has been played."""
    OVER = 6


_DECISIONS: Final = (Phase.TURN, Phase.ROLLED, Phase.PLACE)
_ROLLS: Final = (Phase.DICE, Phase.REROLL)
_TURNS: Final = (Turn(0), Turn(1))
_ROLL: Final = Chance((DICE, DICE))
_BY_ROLL: Final = (ROLL,)
_BY_SHANGHAI: Final = (SHANGHAI,)
_BY_EITHER: Final = (ROLL, SHANGHAI)


@lru_cache(maxsize=64)
def _placements(dice: tuple[int, ...], direction: str) -> tuple[Action, ...]:
    ends = ("<", ">") if direction == OPEN else ("",)
    return tuple(f"-{die}{end}" for die in sorted(set(dice)) for end in ends)


@lru_cache(maxsize=65536)
def _after_roll(dice: tuple[int, ...], direction: str, tricks: str, nationalities: str) -> tuple[Action, ...]:
    """Placements, and every way to play one of `tricks` by someone who holds sailors of `nationalities`."""
    actions = list(_placements(dice, direction))
    distinct = sorted(set(dice))
    if PLUS_MINUS in tricks:
        actions += [f"!{PLUS_MINUS}+{die}" for die in distinct if die < 6]
        actions += [f"!{PLUS_MINUS}-{die}" for die in distinct if die > 1]
    if BOTH in tricks:
        actions += [f"!{BOTH}{end}" for end in (("<", ">") if direction == OPEN else ("",))]
    if AGAIN in tricks:
        actions.append(f"!{AGAIN}")
    actions += [f"!{letter}={n}" for letter in sorted(set(tricks)) for n in nationalities]
    return tuple(actions)


@lru_cache(maxsize=65536)
def _nationalities(crew: tuple[str, ...]) -> str:
    """The nationalities held in a crew. A joker only ever joins real sailors, so holding any card will do."""
    held = {card[0] for card in crew}
    return "".join(n for n in NATIONALITIES if n in held)


def _with(pair: tuple[_T, _T], player: int, item: _T) -> tuple[_T, _T]:
    return (item, pair[1]) if player == 0 else (pair[0], item)


def _with_dice(placed: Placed, player: int, numbers: Sequence[int]) -> Placed:
    counts = list(placed[player])
    for number in numbers:
        counts[number - 1] += 1
    return _with(placed, player, tuple(counts))


class State(NamedTuple):
    """A position. Pairs are indexed by player; player 0 starts round 1."""

    round: int
    starter: int
    player: int
    """Whose turn it is."""
    phase: int
    pile: tuple[str, ...]
    """The cards not yet seen, in deck order."""
    row: tuple[str, ...]
    """The tavern, left to right."""
    direction: str
    dice: tuple[int, ...]
    """The two dice rolled and not yet used, ascending."""
    placed: Placed
    tricked: tuple[bool, bool]
    """Who has played a trick this round."""
    tricks: tuple[str, str]
    """The letters of the tricks held, sorted."""
    crews: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def waits(self) -> Waits:
        phase = self.phase
        if phase in _DECISIONS:
            return _TURNS[self.player]
        if phase in _ROLLS:
            return _ROLL
        if phase == Phase.ROW:
            left = len(self.pile)
            return Chance(tuple(range(left, left - ROW, -1)))
        points = scores(self.crews, self.tricks)
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        return Over(points, winner)

    def supply(self, player: int) -> int:
        """How many dice `player` has neither placed nor rolled."""
        rolled = len(self.dice) if player == self.player else 0
        return DICE - sum(self.placed[player]) - rolled

    def numbered_row(self) -> tuple[str, ...]:
        """The row by number, number 1 first; left to right while the direction is open."""
        return self.row[::-1] if self.direction == ">" else self.row

    def legal(self, player: int) -> tuple[Action, ...]:
        if player != self.player:
            return ()
        phase = self.phase
        if phase == Phase.TURN:
            used = sum(self.placed[player])
            if used < 2:
                return _BY_ROLL
            return _BY_EITHER if used <= DICE - 2 else _BY_SHANGHAI
        if phase == Phase.ROLLED and self.tricks[player] and not self.tricked[player]:
            return _after_roll(self.dice, self.direction, self.tricks[player], _nationalities(self.crews[player]))
        return _placements(self.dice, self.direction) if self.dice else ()

    def apply(self, action: Action) -> "State":
        player = self.player
        if action not in self.legal(player):
            raise Illegal("illegal_action", action=action)
        if action == ROLL:
            return self._at(Phase.DICE)
        if action == SHANGHAI:
            return self._shanghai()
        if action[0] == "-":
            return self._place((int(action[1]),), action[2:])
        return self._play(action[1], action[2:])

    def choose(self, actions: tuple[Action, Action]) -> "State":  # noqa: ARG002
        raise Illegal("not_simultaneous")

    def draw(self, indices: Sequence[int]) -> "State":
        waits = self.waits
        if not isinstance(waits, Chance):
            raise Illegal("no_draw_here")
        if len(indices) != len(waits.bounds) or not all(0 <= i < b for i, b in zip(indices, waits.bounds, strict=True)):
            raise Illegal("draw_out_of_bounds", indices=tuple(indices), bounds=waits.bounds)
        if self.phase == Phase.ROW:
            return self._lay_out(indices)
        dice = (indices[0] + 1, indices[1] + 1) if indices[0] <= indices[1] else (indices[1] + 1, indices[0] + 1)
        return self._at(Phase.ROLLED if self.phase == Phase.DICE else Phase.PLACE, dice=dice)

    def encode(self) -> Value:
        return self

    def _at(self, phase: int, **changes: Any) -> "State":
        return self._replace(phase=phase, **changes)

    def _lay_out(self, indices: Sequence[int]) -> "State":
        pile = list(self.pile)
        row = tuple(pile.pop(index) for index in indices)
        return self._at(Phase.TURN, pile=tuple(pile), row=row)

    def _place(self, numbers: Sequence[int], end: str) -> "State":
        """Lay dice on cards, fixing the direction where `end` is given, and pass the turn."""
        return self._replace(
            player=1 - self.player,
            phase=Phase.TURN,
            direction=end or self.direction,
            dice=(),
            placed=_with_dice(self.placed, self.player, numbers),
        )

    def _play(self, letter: str, use: str) -> "State":
        """Play the trick `letter`: `use` is `=N` for a joker, `+D` or `-D` for a die, an end or nothing for both."""
        player = self.player
        spent = self._replace(
            phase=Phase.PLACE,
            tricked=_with(self.tricked, player, True),
            tricks=_with(self.tricks, player, self.tricks[player].replace(letter, "", 1)),
        )
        if use[:1] == "=":
            crew = tuple(sorted((*self.crews[player], use[1] + letter), key=crew_order))
            return spent._replace(crews=_with(self.crews, player, crew))
        if letter == BOTH:
            return spent._place(self.dice, use)
        if letter == AGAIN:
            return spent._replace(phase=Phase.REROLL, dice=())
        dice = list(self.dice)
        dice[dice.index(int(use[1]))] += 1 if use[0] == "+" else -1
        return spent._replace(dice=tuple(sorted(dice)))

    def _shanghai(self) -> "State":
        """Distribute the tavern and go on to the next round, which the other player starts."""
        crews = [list(crew) for crew in self.crews]
        tricks = list(self.tricks)
        for card, contest in zip(self.numbered_row(), contests(self.placed), strict=True):
            if contest.taker is None:
                continue
            if is_trick(card):
                tricks[contest.taker] += card[1]
            else:
                crews[contest.taker].append(card)
        over = self.round == ROUNDS
        other = 1 - self.player
        return self._replace(
            round=self.round if over else self.round + 1,
            starter=self.starter if over else other,
            player=self.player if over else other,
            phase=Phase.OVER if over else Phase.ROW,
            row=(),
            direction=OPEN,
            placed=NO_DICE,
            tricked=(False, False),
            tricks=("".join(sorted(tricks[0])), "".join(sorted(tricks[1]))),
            crews=(tuple(sorted(crews[0], key=crew_order)), tuple(sorted(crews[1], key=crew_order))),
        )


def start(pile: tuple[str, ...], tricks: str) -> State:
    """The position before round 1, both players holding `tricks`."""
    return State(
        round=1,
        starter=0,
        player=0,
        phase=Phase.ROW,
        pile=pile,
        row=(),
        direction=OPEN,
        dice=(),
        placed=NO_DICE,
        tricked=(False, False),
        tricks=(tricks, tricks),
        crews=((), ()),
    )
