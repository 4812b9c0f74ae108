"""Vectors of logs that end with an action that the rules forbid, and are as they would be if they did not (SPEC 12.3).

A verifier that overlooks the rule finds nothing else to object to: the state is that of a table where all is allowed.
"""

from collections.abc import Callable, Iterator
from typing import Any

from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games.shanghaien.rules import State
from protocol.making.common import Vector, plain, some_bytes
from protocol.making.table import Played, evaluated
from tests.protocol.independent_game import Table

ROLLED, PLACING = 3, 5
_COMMITMENT = some_bytes("a commitment")


class _Lawless(Table):
    """A table at which one action is always allowed."""

    def __init__(self, settings: Any, state: State, action: str) -> None:
        super().__init__(settings)
        for name, value in zip(State._fields, plain(state.encode()), strict=True):
            setattr(self, name, value)
        self.action = action

    def legal(self, player: int) -> set[str]:  # noqa: ARG002 - the table's own method has it
        return {self.action}


def unlawful(games: tuple[Played, ...]) -> Iterator[Vector]:
    """Yield an action for each rule, at a place in these games where this rule alone forbids it."""
    cases: tuple[tuple[str, str, Callable[[State], str | None]], ...] = (
        ("roll-5", "a roll with five dice placed", lambda s: "roll" if s.phase == 1 and _dice(s) == 5 else None),
        ("shanghai-1", "Shanghai with one die placed", lambda s: "#" if s.phase == 1 and _dice(s) == 1 else None),
        ("second-trick", "a second trick in one round", lambda s: _trick(s, ROLLED)),
        ("trick-after-trick", "a trick behind a trick, in one turn", lambda s: _trick(s, PLACING)),
        ("trick-not-held", "a trick that the player does not hold", _not_held),
        ("p-minus-1", "a die lowered below 1", lambda s: "!p-1" if _may(s, "p") and 1 in s.dice else None),
        ("p-plus-6", "a die raised above 6", lambda s: "!p+6" if _may(s, "p") and 6 in s.dice else None),
        ("b-without-suffix", "both dice first, without an end", lambda s: _both(s, "")),
        ("b-with-suffix", "both dice, with an end where it is fixed", lambda s: _both(s, "<")),
        ("place-without-suffix", "the first die without an end", lambda s: _placed(s, "")),
        ("place-with-suffix", "a die with an end where it is fixed", lambda s: _placed(s, ">")),
        ("joker-without-card", "a joker of a nationality that the crew lacks", _joker),
    )
    for name, comment, choose in cases:
        # the shortest log will do
        place, game, action = min(_found(choose, games), key=lambda found: found[0])
        match = game.matches[place]
        assert isinstance(match.state, State)
        table = _Lawless(match.session.game.settings, match.state, action)
        table.act(action)
        carried = _COMMITMENT if table.bounds() else None
        after = tagged_hash(Tag.STATE, match.first, table.value())
        entry = game.forge(place, "action", (action, carried), state=after)
        yield evaluated(name, comment, game.log(place, entry), Verdict.VIOLATION, "illegal_action")


def _found(choose: Callable[[State], str | None], games: tuple[Played, ...]) -> Iterator[tuple[int, Played, str]]:
    """Yield the places in these games where `choose` gives an action."""
    for game in games:
        for place, match in enumerate(game.matches):
            decides = match.expected is not None and match.expected.kind == Kind.ACTION
            if decides and isinstance(match.state, State) and (action := choose(match.state)):
                yield place, game, action


def _dice(state: State) -> int:
    return sum(state.placed[state.player])


def _may(state: State, trick: str) -> bool:
    """Return whether the player may play this trick."""
    return state.phase == ROLLED and not state.tricked[state.player] and trick in state.tricks[state.player]


def _trick(state: State, phase: int) -> str | None:
    """Return a joker of a player who has played a trick this round."""
    me = state.player
    if state.phase != phase or not state.tricked[me]:
        return None
    return next((f"!{trick}={card[0]}" for trick in state.tricks[me] for card in state.crews[me]), None)


def _not_held(state: State) -> str | None:
    me = state.player
    return "!r" if state.phase == ROLLED and not state.tricked[me] and "r" not in state.tricks[me] else None


def _both(state: State, suffix: str) -> str | None:
    """Return `!b` with a suffix where there may be none, without one where there must be."""
    return f"!b{suffix}" if _may(state, "b") and bool(suffix) == bool(state.direction) else None


def _placed(state: State, suffix: str) -> str | None:
    return f"-{state.dice[0]}{suffix}" if state.phase == ROLLED and bool(suffix) == bool(state.direction) else None


def _joker(state: State) -> str | None:
    me = state.player
    lacking = [nation for nation in "AFGCDTSI" if all(card[0] != nation for card in state.crews[me])]
    return f"!w={lacking[0]}" if _may(state, "w") and lacking else None
