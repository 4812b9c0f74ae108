"""The rules of Shanghaien: what is open in a position, and what follows from it.

`State` is a plain tuple, so that equality and hashing come from it. What may be done is looked up in tables that are
made once: a decision takes less than three microseconds, legality checked.
"""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple, TypeVar

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import Action, Chance, Node, Terminal, Turn, Value
from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, PLUS_MINUS, is_trick, ordered
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


class Phase:
    """The phase of a turn: an integer, as it is encoded."""

    ROW: Final = 0
    """The draw of a round's six cards."""
    TURN: Final = 1
    """Roll, or Shanghai."""
    DICE: Final = 2
    """The dice of a roll."""
    ROLLED: Final = 3
    """A trick, or placing a die."""
    REROLL: Final = 4
    """The dice of the second roll."""
    PLACE: Final = 5
    """Placing a die; a trick has been played."""
    OVER: Final = 6


_DECISIONS: Final = (Phase.TURN, Phase.ROLLED, Phase.PLACE)
_ROLLS: Final = (Phase.DICE, Phase.REROLL)
_TURNS: Final = (Turn(0), Turn(1))
_ROLL: Final = Chance((DICE, DICE))
_DICE: Final[dict[tuple[int, ...], tuple[int, int]]] = {
    (a, b): (min(a, b) + 1, max(a, b) + 1) for a in range(DICE) for b in range(DICE)
}
"""The dice that two indices mean, ascending."""


@cache
def _row_draw(left: int) -> Chance:
    """The draw of a row from a pile of `left` cards."""
    return Chance(tuple(range(left, left - ROW, -1)))


def _turn_actions(used: int) -> tuple[Action, ...]:
    """Return the legal actions of a player who has placed `used` dice this round."""
    return ((ROLL,) if used <= DICE - 2 else ()) + ((SHANGHAI,) if used >= 2 else ())


_TURN_ACTIONS: Final = tuple(_turn_actions(used) for used in range(DICE + 1))


_PLACING: Final = {f"-{die}{end}": (die, end) for die in range(1, 7) for end in ("", "<", ">")}
"""The die and the end of the row, or none, that each placement names."""


def _ends(direction: str) -> tuple[str, ...]:
    """Return the suffixes of a placement for the direction: an end of the row while it is open, else none."""
    return ("<", ">") if direction == OPEN else ("",)


@cache
def _placements(dice: tuple[int, ...], direction: str) -> tuple[Action, ...]:
    return tuple(f"-{die}{end}" for die in sorted(set(dice)) for end in _ends(direction))


@cache
def _effects(dice: tuple[int, ...], direction: str, tricks: str) -> tuple[Action, ...]:
    """Every way to play one of `tricks` for its own effect."""
    actions = []
    if PLUS_MINUS in tricks:
        actions += [f"!{PLUS_MINUS}+{die}" for die in sorted(set(dice)) if die < 6]
        actions += [f"!{PLUS_MINUS}-{die}" for die in sorted(set(dice)) if die > 1]
    if BOTH in tricks:
        actions += [f"!{BOTH}{end}" for end in _ends(direction)]
    if AGAIN in tricks:
        actions.append(f"!{AGAIN}")
    return tuple(actions)


@lru_cache(maxsize=4096)
def _jokers(tricks: str, crew: tuple[str, ...]) -> tuple[Action, ...]:
    """Every way to play one of `tricks` as a joker, which joins a real sailor; each nationality in a crew has one."""
    nationalities = dict.fromkeys(card[0] for card in crew)
    return tuple(f"!{letter}={nationality}" for letter in sorted(set(tricks)) for nationality in nationalities)


def _with(pair: tuple[_T, _T], player: int, item: _T) -> tuple[_T, _T]:
    return (item, pair[1]) if player == 0 else (pair[0], item)


@cache
def _one_more(counts: tuple[int, ...], number: int) -> tuple[int, ...]:
    """One player's dice on the cards with one more on card `number`."""
    return (*counts[: number - 1], counts[number - 1] + 1, *counts[number:])


class State(NamedTuple):
    """A position. Pairs are indexed by player; player 0 starts round 1."""

    player: int
    """Whose turn it is."""
    phase: int
    dice: tuple[int, ...]
    """The two dice rolled and not yet used, ascending."""
    direction: str
    placed: Placed
    tricked: tuple[bool, bool]
    """By player, whether they have played a trick this round."""
    tricks: tuple[str, str]
    """The letters of the tricks held, sorted."""
    crews: tuple[tuple[str, ...], tuple[str, ...]]
    round: int
    starter: int
    row: tuple[str, ...]
    """The tavern, left to right."""
    pile: tuple[str, ...]
    """The cards not yet seen, in deck order."""

    @property
    def node(self) -> Node:
        phase = self.phase
        if phase in _DECISIONS:
            return _TURNS[self.player]
        if phase in _ROLLS:
            return _ROLL
        if phase == Phase.ROW:
            return _row_draw(len(self.pile))
        points = scores(self.crews, self.tricks)
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        return Terminal(points, winner)

    def supply(self, player: int) -> int:
        """Return how many dice `player` has neither placed nor rolled."""
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
            return _TURN_ACTIONS[sum(self.placed[player])]
        if phase == Phase.ROLLED and self.tricks[player] and not self.tricked[player]:
            tricks = self.tricks[player]
            return (
                _placements(self.dice, self.direction)
                + _effects(self.dice, self.direction, tricks)
                + _jokers(tricks, self.crews[player])
            )
        return _placements(self.dice, self.direction)

    def apply(self, action: Action) -> "State":
        player, placed = self.player, self.placed
        placing = _PLACING.get(action)
        if placing and action in _placements(self.dice, self.direction):
            number, end = placing
            placed = _with(placed, player, _one_more(placed[player], number))
            return self._next(1 - player, Phase.TURN, (), end or self.direction, placed)
        if action not in self.legal(player):
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        if action == ROLL:
            return self._next(player, Phase.DICE, (), self.direction, placed)
        if action == SHANGHAI:
            return self._shanghai()
        return self._play(action[1], action[2:])

    def apply_joint(self, actions: tuple[Action, Action]) -> "State":  # noqa: ARG002
        raise Illegal(GameCode.NOT_SIMULTANEOUS)

    def apply_chance(self, indices: Sequence[int]) -> "State":
        if self.phase == Phase.ROW:
            return self._lay_out(indices)
        if self.phase not in _ROLLS:
            raise Illegal(GameCode.NO_DRAW_HERE)
        dice = _DICE.get(tuple(indices))
        if dice is None:
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=_ROLL.bounds)
        phase = Phase.ROLLED if self.phase == Phase.DICE else Phase.PLACE
        return self._next(self.player, phase, dice, self.direction, self.placed)

    def encode(self) -> Value:
        """Every field, in the order of SPEC 12.4."""
        return (
            self.player,
            self.phase,
            self.dice,
            self.direction,
            self.placed,
            self.tricked,
            self.tricks,
            self.crews,
            self.round,
            self.starter,
            self.row,
            self.pile,
        )

    def _next(self, player: int, phase: int, dice: tuple[int, ...], direction: str, placed: Placed) -> "State":
        """Return this position with these fields: most steps change nothing else."""
        tricked, tricks, crews = self.tricked, self.tricks, self.crews
        round_, starter, row, pile = self.round, self.starter, self.row, self.pile
        return _make((player, phase, dice, direction, placed, tricked, tricks, crews, round_, starter, row, pile))

    def _lay_out(self, indices: Sequence[int]) -> "State":
        pile = list(self.pile)
        # an index below none of the cards that are left takes none
        row = tuple([pile.pop(index) for index in indices if 0 <= index < len(pile)])
        if len(row) != ROW or len(indices) != ROW:
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=_row_draw(len(self.pile)).bounds)
        return self._replace(phase=Phase.TURN, row=row, pile=tuple(pile))

    def _play(self, letter: str, use: str) -> "State":
        """Play the trick `letter`: `use` is `=N` for a joker, `+D` or `-D` for a die, an end or nothing for both."""
        player, phase, dice, direction, placed = self.player, Phase.PLACE, self.dice, self.direction, self.placed
        tricked = _with(self.tricked, player, True)
        tricks = _with(self.tricks, player, self.tricks[player].replace(letter, "", 1))
        crews, round_, starter, row, pile = self.crews, self.round, self.starter, self.row, self.pile
        if use[:1] == "=":
            crews = _with(crews, player, ordered((*crews[player], use[1] + letter)))
        elif letter == BOTH:
            placed = _with(placed, player, _one_more(_one_more(placed[player], dice[0]), dice[1]))
            player, phase, dice, direction = 1 - player, Phase.TURN, (), use or direction
        elif letter == AGAIN:
            phase, dice = Phase.REROLL, ()
        else:
            turned = list(dice)
            turned[dice.index(int(use[1]))] += 1 if use[0] == "+" else -1
            dice = tuple(sorted(turned))
        return _make((player, phase, dice, direction, placed, tricked, tricks, crews, round_, starter, row, pile))

    def _shanghai(self) -> "State":
        """Distribute the tavern and go on to the next round, which the other player starts."""
        crews, tricks = (list(self.crews[0]), list(self.crews[1])), list(self.tricks)
        for card, contest in zip(self.numbered_row(), contests(self.placed), strict=True):
            taker = contest.taker
            if taker is None:
                continue
            if is_trick(card):
                tricks[taker] = "".join(sorted(tricks[taker] + card[1]))
            else:
                crews[taker].append(card)
        over = self.round == ROUNDS
        other = 1 - self.player
        return State(
            player=self.player if over else other,
            phase=Phase.OVER if over else Phase.ROW,
            dice=(),
            direction=OPEN,
            placed=NO_DICE,
            tricked=(False, False),
            tricks=(tricks[0], tricks[1]),
            crews=(ordered(crews[0]), ordered(crews[1])),
            round=self.round if over else self.round + 1,
            starter=self.starter if over else other,
            row=(),
            pile=self.pile,
        )


_make: Final = partial(tuple.__new__, State)
"""The position with these fields, in their order: as `State`, at a third of its cost."""


def start(pile: tuple[str, ...], tricks: str) -> State:
    """The position before round 1, both players holding `tricks`."""
    return State(
        player=0,
        phase=Phase.ROW,
        dice=(),
        direction=OPEN,
        placed=NO_DICE,
        tricked=(False, False),
        tricks=(tricks, tricks),
        crews=((), ()),
        round=1,
        starter=0,
        row=(),
        pile=pile,
    )
