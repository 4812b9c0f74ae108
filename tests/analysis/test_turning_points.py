"""The turning points: the three largest mistakes of both players, and the three draws that changed most."""

from p2p_shanghaien.analysis.annotate import THRESHOLDS, Grade, StepKind
from p2p_shanghaien.analysis.turning_points import turning_points
from tests.ui.ledger import RECORDS
from tests.ui.review.samples import analysed

ANALYSIS = analysed(RECORDS[3])


def test_mistakes_are_the_costliest_decisions_the_largest_first() -> None:
    costs = sorted((each.cost.chance for step in ANALYSIS.steps for each in step.decisions), reverse=True)
    found = turning_points(ANALYSIS).mistakes
    assert [each.decision.cost.chance for each in found] == costs[:3]
    for each in found:
        assert each.decision in ANALYSIS.steps[each.step].decisions


def test_a_draw_counts_whomever_it_helped() -> None:
    changes = [(abs(s.after.chance - s.before.chance), s.step) for s in ANALYSIS.steps if s.kind == StepKind.DRAW]
    expected = [step for _, step in sorted(changes, key=lambda each: (-each[0], each[1]))[:3]]
    assert [each.step for each in turning_points(ANALYSIS).draws] == expected


def test_a_decision_that_costs_less_than_an_inaccuracy_is_no_mistake() -> None:
    found = turning_points(ANALYSIS, most=1000).mistakes
    assert all(each.decision.cost.chance >= THRESHOLDS[Grade.INACCURACY] for each in found)
    assert len(found) == sum(sum(tally.grades.values()) for tally in ANALYSIS.tallies)


def test_a_game_of_no_moves_has_none() -> None:
    none = ANALYSIS._replace(steps=())
    assert turning_points(none) == ((), ())
