"""The value of every position of a game, by a look ahead with the network's values at its ends.

Each action is followed through the draw that it leads to, with every card that may come up, and through the best turn
that the other player has after it. Nobody knows the order of the cards that nobody has seen, and nothing of it is in a
position.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.macao.deck import Deck
from p2p_shanghaien.games.macao.players.features import Features
from p2p_shanghaien.games.macao.players.network import network
from p2p_shanghaien.games.macao.rules import Course, Phase, State
from p2p_shanghaien.players import Evaluator, Option, PositionValue

REPLIES: Final = 1
"""The turns that are looked ahead after a decision."""
EVEN: Final = PositionValue(0.5, 0.0)


class _Choice(NamedTuple):
    """A position in which a player decides, with those that may follow."""

    player: int
    after: "Sequence[_Tree]"


class _Lot(NamedTuple):
    """A draw, with the positions that may follow, and how many cards lead to each."""

    after: "Sequence[_Tree]"
    copies: Sequence[int]


class _End(NamedTuple):
    """A position that the network values, by its place among all of these."""

    place: int


_Tree: TypeAlias = _Choice | _Lot | _End | PositionValue


class LookaheadEvaluator(Evaluator[State]):
    """The evaluator of Shadows of Macao. Before the set-up is drawn, both players are taken for equal."""

    def __init__(self, turns: int = REPLIES) -> None:
        self._turns = turns
        """The turns that are looked ahead after a decision, or a draw."""

    def value(self, state: State) -> PositionValue:
        if isinstance(node := state.node, Turn):
            return PositionValue.best((option.value for option in self.options(state)), node.player)
        (value,) = ahead([state], self._turns)
        return value

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(node := state.node, Turn):
            return ()
        legal = state.legal(node.player)
        values = ahead([Course(state).act(action).state for action in legal], self._turns)
        return tuple(map(Option, legal, values))

    def luck(self, before: State, after: State) -> PositionValue:
        """Return the luck of a draw, by what the network says of all positions that it may lead to.

        That of the set-up is not counted, as its mean is not known.
        """
        if before.phase != Phase.TURN_UP:
            return PositionValue(0.0, 0.0)
        found, copies = zip(*drawn(before), strict=True)
        got, *values = ahead([after, *found], 0)
        mean = _mean(values, copies)
        return PositionValue(got.chance - mean.chance, got.points - mean.points)

    def quick(self) -> "LookaheadEvaluator":
        return LookaheadEvaluator(0)


def ahead(states: Iterable[State], turns: int) -> list[PositionValue]:
    """Return the value of each position, by a look ahead of so many turns."""
    grown = _Growth()
    trees = [grown.tree(state, turns) for state in states]
    values = _at_once(grown.ends)
    return [_fold(tree, values) for tree in trees]


def drawn(state: State) -> Iterator[tuple[State, int]]:
    """Yield each position that a draw in `state` may lead to, and how many of the unseen cards do so."""
    for card, copies in Counter(state.unseen).items():
        yield Course(state).draw((state.unseen.index(card),)).state, copies


class _Growth:
    """Trees that are grown from positions; `ends` are those which the network is to value, all at once."""

    def __init__(self) -> None:
        self.ends: list[State] = []

    def tree(self, state: State, turns: int) -> _Tree:
        match state.phase:
            case Phase.OVER:
                return _result(state)
            case Phase.SET_UP:
                return EVEN
            case Phase.ACTION | Phase.TURN_UP if not turns:
                self.ends.append(state)
                return _End(len(self.ends) - 1)
            case Phase.TURN_UP:
                after, copies = zip(*drawn(state), strict=True)
                return _Lot(list(self._drawn(state.pile, after, turns)), copies)
        node = state.node
        assert isinstance(node, Turn)
        left = turns - (state.phase == Phase.ACTION)
        following = [Course(state).act(action).state for action in state.legal(node.player)]
        return _Choice(node.player, [self.tree(each, left) for each in following])

    def _drawn(self, pile: int, states: Sequence[State], turns: int) -> Iterator[_Tree]:
        """Yield the tree of each position after a draw. They differ in one top card and in what is left unseen."""
        first = states[0]
        if first.phase != Phase.ACTION:
            yield from (self.tree(state, turns) for state in states)
            return
        actions = first.legal(first.player)
        then = [Course(first).act(action).state for action in actions]
        takes = f"take:{pile + 1}"
        for state in states:
            after = [
                Course(state).act(action).state if action == takes else _with_top(each, pile, state)
                for action, each in zip(actions, then, strict=True)
            ]
            yield _Choice(first.player, [self.tree(each, turns - 1) for each in after])


def _with_top(state: State, pile: int, drawn: State) -> State:
    """Return a position with the top card of a pile, and the unseen cards, from another one."""
    piles = list(state.piles)
    piles[pile] = piles[pile]._replace(top=drawn.piles[pile].top)
    return state._replace(piles=tuple(piles), unseen=drawn.unseen)


def _fold(tree: _Tree, values: Sequence[PositionValue]) -> PositionValue:
    match tree:
        case _End(place):
            return values[place]
        case _Choice(player, after):
            return PositionValue.best((_fold(each, values) for each in after), player)
        case _Lot(after, copies):
            return _mean([_fold(each, values) for each in after], copies)
        case _:
            return tree


def _mean(values: Sequence[PositionValue], copies: Sequence[int]) -> PositionValue:
    total = sum(copies)
    return PositionValue(
        fsum(count * value.chance for count, value in zip(copies, values, strict=True)) / total,
        fsum(count * value.points for count, value in zip(copies, values, strict=True)) / total,
    )


def _at_once(states: Sequence[State]) -> list[PositionValue]:
    """Return what the network says of positions with one deck."""
    if not states:
        return []
    seen = _features(states[0].deck).rows(states)
    return [PositionValue(*value) for value in network().values(seen).tolist()]


@lru_cache(maxsize=2)
def _features(deck: Deck) -> Features:
    return Features(deck)


def _result(state: State) -> PositionValue:
    over = state.node
    assert isinstance(over, Terminal)
    chance = 0.5 if over.winner is None else 1.0 - over.winner
    return PositionValue(chance, float(over.scores[0] - over.scores[1]))
