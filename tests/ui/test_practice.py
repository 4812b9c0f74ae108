"""Plain mode in practice: the word that takes back, and what the tutor says."""

import re

import pytest

from p2p_shanghaien.errors import Quit, TakeBack
from p2p_shanghaien.games.api import Acted, Drawn, State, Transition, advance
from p2p_shanghaien.games.outlook import Prospect
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.players.tutoring import Forecast, Mistake
from tests.ui.desk import Desk


def rolled(desk: Desk, *, practice: bool = True) -> State:
    """Begin a game in which the person, who starts, has rolled a 1 and a 2."""
    game = Shanghaien()
    desk.table.begun(game, ("Ada", "Ben"), 0)
    if practice:
        desk.table.notify("practice_begins")
    state: State = game.start()
    for step in (Drawn((0, 1, 2, 3, 4, 5)), Acted(0, "roll"), Drawn((0, 1))):
        before, state = state, advance(state, step)
        desk.table.stepped(before, step, state)
    return state


def placed(desk: Desk, state: State) -> State:
    """Place the 1, and let the other player roll and place."""
    for step in (Acted(0, "-1<"), Acted(1, "roll"), Drawn((3, 3)), Acted(1, "-4"), Acted(0, "roll"), Drawn((4, 2))):
        before, state = state, advance(state, step)
        desk.table.stepped(before, step, state)
    return state


async def test_undo_is_raised_once_something_was_decided() -> None:
    desk = Desk(["undo", "UNDO"])
    state = placed(desk, rolled(desk))
    with pytest.raises(TakeBack):
        await desk.table.decide(state, 0)
    assert "undo" in desk.script.completions
    with pytest.raises(TakeBack):
        await desk.table.decide(state, 0)


async def test_undo_of_nothing_leaves_the_question_open() -> None:
    desk = Desk(["undo", "1"])
    state = rolled(desk)
    assert await desk.table.decide(state, 0) == "-1<"
    assert any("nothing to take back" in line for line in desk.shown())


async def test_taking_back_the_only_decision_leaves_none() -> None:
    desk = Desk(["undo", "2"])
    before = rolled(desk)
    placed(desk, before)
    start = Shanghaien().start()
    desk.table.taken_back([Transition(start, Drawn((0, 1, 2, 3, 4, 5)), before)], before)
    assert await desk.table.decide(before, 0) == before.legal(0)[1]
    shown = "\n".join(desk.shown())
    assert "Your last decision is taken back." in shown
    assert "nothing to take back" in shown


async def test_leave_leaves() -> None:
    desk = Desk(["leave"])
    state = rolled(desk)
    with pytest.raises(Quit):
        await desk.table.decide(state, 0)


async def test_a_signed_game_refuses_undo() -> None:
    desk = Desk(["undo", "1"])
    state = placed(desk, rolled(desk, practice=False))
    await desk.table.decide(state, 0)
    assert "A signed game is never taken back." in " ".join("\n".join(desk.shown()).split())
    assert "undo" not in desk.script.completions


@pytest.mark.parametrize(("typed", "expected"), [("yes", True), ("y", True), ("n", False), ("undo", None)])
async def test_the_end_can_be_answered_with_undo(typed: str, expected: bool | None) -> None:
    desk = Desk([typed])
    rolled(desk)
    if expected is None:
        with pytest.raises(TakeBack):
            await desk.table.confirm("practice_again")
    else:
        assert await desk.table.confirm("practice_again") is expected
    assert "undo" in desk.script.prompts[-1]


def mistake(state: State, cost: float) -> Mistake:
    return Mistake(
        state,
        0,
        Option("-1<", PositionValue(0.5 - cost, -1.44)),
        Option("-2>", PositionValue(0.5, 0.26)),
        (Forecast(Prospect("own", "S1"), 0.25, 0.75), Forecast(Prospect("other", "F2"), 0.5, 0.0)),
    )


@pytest.mark.parametrize(
    ("cost", "named"), [(0.08, "A blunder"), (0.04, "A mistake"), (0.02, "An inaccuracy"), (0.0199, "Not the best")]
)
@pytest.mark.parametrize(("typed", "expected"), [("y", True), ("n", False), ("undo", True)])
async def test_the_tutor_names_the_grade_the_better_choice_and_the_reason(
    cost: float, named: str, typed: str, expected: bool
) -> None:
    """The grades are those of `analyse`: from 8, 4 and 2 percentage points."""
    desk = Desk([typed])
    state = rolled(desk)
    desk.shown()
    assert await desk.table.tutored(mistake(state, cost), takes_back=True) is expected
    shown = " ".join(" ".join(desk.shown()).split())
    assert re.search(rf"{named}: place 1 on \S+, number 1 left \[-1<\] costs {100 * cost:.1f} percentage points", shown)
    assert re.search(r"Better: place 2 on \S+, number 1 right \[-2>\]", shown)
    assert f"Win probability: 50.0% instead of {50 - 100 * cost:.1f}%" in shown
    assert "0.3 points ahead instead of 1.4 points behind" in shown
    assert "you take S1 in 75% of cases, after your choice in 25%" in shown
    assert "Ben takes F2 in 0% of cases, after your choice in 50%" in shown


async def test_in_a_signed_game_the_tutor_asks_nothing() -> None:
    desk = Desk()
    state = rolled(desk, practice=False)
    assert await desk.table.tutored(mistake(state, 0.1), takes_back=False) is False
    assert "a signed game is never taken back" in " ".join(" ".join(desk.shown()).split())
    assert desk.script.prompts == []
