"""The options of a player who decides, and their order, which is the same for hints, tutor, engine and analysis."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from p2p_shanghaien.analysis.annotate import Decision
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.games.api import Simultaneous, State
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import Option, PositionValue, evaluator
from p2p_shanghaien.players.options import options, ranked
from p2p_shanghaien.players.tutoring import mistake
from p2p_shanghaien.ui.advice import hints
from p2p_shanghaien.ui.view import Choice

EXAMPLES = Path(__file__).parents[2] / "examples"


def option(action: str, chance: float, points: float) -> Option:
    return Option(action, PositionValue(chance, points))


def test_the_better_margin_decides_between_equal_chances() -> None:
    """Chances are told apart in millionths, and margins in thousandths of a point; then the first is the best."""
    found = [
        option("low", 0.4, 9.0),
        option("equal", 0.5 + 3e-7, 1.0),
        option("more", 0.5, 2.0),
        option("same", 0.5, 2.0004),
    ]
    assert [each.action for each in ranked(found)] == ["more", "same", "equal", "low"]
    assert ranked([]) == []


def decisions(record: Record, last: int) -> Iterator[tuple[State, Decision]]:
    """Yield the last decisions of a game, the latest first, and what its analysis says of each."""
    positions = list(record.positions())
    found = [(positions[each.step], decision) for each in analyse(record).steps for decision in each.chosen]
    yield from islice(reversed(found), last)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "last"), [("sample", 12), ("macao", 6), ("halunken", 25)])
def test_tutor_hints_and_analysis_call_the_same_choice_the_best(name: str, last: int) -> None:
    record = read((EXAMPLES / f"{name}.shrec").read_bytes(), RULES)
    values = evaluator(record.game.NAME)
    for state, decision in decisions(record, last):
        player = decision.player
        found = options(state, player, values)
        told = mistake(state, player, decision.action, found, 0)
        if told:
            assert told.best.action == decision.best
        first, *_ = hints(found, [Choice(action, action) for action in state.legal(player)])
        if not isinstance(state.node, Simultaneous):
            assert first.choice.action == decision.options[0].action
