"""The tutor beside a person: it holds nothing up, its errors cost nothing, and it asks again as often as needed."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from p2p_shanghaien.app import advisor
from p2p_shanghaien.app import tutor as module
from p2p_shanghaien.app.advisor import Advisor
from p2p_shanghaien.app.tutor import Tutor, TutoredPerson
from p2p_shanghaien.errors import Quit, TakeBack, UsageError
from p2p_shanghaien.games.api import Acted, Drawn, State, advance
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.players.tutoring import Mistake
from tests.app.test_practice_session import Pupil
from tests.toy import SPEC


def rolled() -> State:
    """Return the first decision with a choice: a 2 and a 5 are to be placed."""
    state: State = Shanghaien().start()
    for step in (Drawn((0, 1, 2, 3, 4, 5)), Acted(0, "roll"), Drawn((1, 4))):
        state = advance(state, step)
    return state


class Ranked:
    """An evaluator: each legal action is a tenth worse than the one before it. It may take its time, or fail."""

    def __init__(self, seconds: float = 0, failure: Exception | None = None) -> None:
        self.seconds = seconds
        self.failure = failure
        self.asked = 0

    def options(self, state: State) -> Sequence[Option]:
        self.asked += 1
        time.sleep(self.seconds)
        if self.failure:
            raise self.failure
        return [Option(action, PositionValue(0.9 - 0.1 * at, 0)) for at, action in enumerate(state.legal(0))]

    def value(self, state: State) -> PositionValue:
        return PositionValue(0.5, 0)


class Watched(Pupil):
    """A table with a tutor; `taken` are the answers to its offers to take back."""

    def __init__(self, answers: Sequence[int | str], taken: Sequence[bool] = ()) -> None:
        super().__init__(answers)
        self.state, self.me = rolled(), 0
        self._taken = iter(taken)
        self.mistakes: list[Mistake] = []
        self.offered: list[bool] = []

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        self.mistakes.append(mistake)
        self.offered.append(takes_back)
        return takes_back and next(self._taken)


@pytest.fixture(name="ranked")
def fixture_ranked(monkeypatch: pytest.MonkeyPatch) -> Ranked:
    found = Ranked()
    monkeypatch.setattr(advisor, "evaluator", lambda game: found)
    monkeypatch.setattr(advisor, "outlook", lambda game: None)
    return found


def person(table: Watched, least: float = 0.15, *, takes_back: bool = True) -> TutoredPerson:
    return TutoredPerson(table, Tutor(Advisor("shanghaien"), lambda: least), takes_back=takes_back)


def decision(table: Watched, **more: Any) -> str:
    state = rolled()
    return asyncio.run(person(table, **more).decide(state, 0))


def test_it_asks_until_the_person_is_content(ranked: Ranked) -> None:
    """The last and the third of four cost 0.3 and 0.2; the second costs 0.1, which is not enough to speak of."""
    legal = rolled().legal(0)
    table = Watched([3, 2, 1], [True, True])
    assert decision(table) == legal[1]
    assert [each.chosen.action for each in table.mistakes] == [legal[3], legal[2]]
    assert {each.best.action for each in table.mistakes} == {legal[0]}
    assert [each.cost for each in table.mistakes] == pytest.approx([0.3, 0.2])


def test_a_person_may_insist(ranked: Ranked) -> None:
    table = Watched([3], [False])
    assert decision(table) == rolled().legal(0)[3]
    assert table.offered == [True]


def test_a_signed_decision_stands(ranked: Ranked) -> None:
    table = Watched([3])
    assert decision(table, takes_back=False) == rolled().legal(0)[3]
    assert table.offered == [False]
    assert len(table.asked) == 1


@pytest.mark.parametrize(("answer", "error"), [("undo", TakeBack), ("quit", Quit)])
def test_other_answers_are_none_of_its_business(ranked: Ranked, answer: str, error: type[Exception]) -> None:
    table = Watched([3, answer], [True])
    with pytest.raises(error):
        decision(table)


def test_where_there_is_no_choice_it_does_not_even_look(ranked: Ranked) -> None:
    table = Watched([0])
    state = Shanghaien().start()
    state = advance(state, Drawn((0, 1, 2, 3, 4, 5)))
    table.state = state
    assert asyncio.run(person(table).decide(state, 0)) == "roll"
    assert ranked.asked == 0


def test_its_errors_cost_nobody_a_game(ranked: Ranked) -> None:
    ranked.failure = ZeroDivisionError()
    table = Watched([3])
    assert decision(table) == rolled().legal(0)[3]
    assert table.codes == ["tutor_failed"]
    assert table.mistakes == []


def test_nothing_is_held_up_while_it_thinks(ranked: Ranked, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop turns meanwhile, and whoever waits long is told why."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    ranked.seconds = 0.5
    ticks = 0

    async def run() -> str:
        nonlocal ticks
        table = Watched([0])
        deciding = asyncio.create_task(person(table).decide(rolled(), 0))
        while not deciding.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert table.codes == ["tutor_awaited"]
        return deciding.result()

    assert asyncio.run(run()) == rolled().legal(0)[0]
    assert ticks > 10


def test_a_quick_tutor_without_objection_is_silent(ranked: Ranked) -> None:
    table = Watched([0])
    decision(table)
    assert table.codes == []


def test_the_threshold_may_change_at_any_time(ranked: Ranked) -> None:
    least = [0.15]

    async def run() -> Watched:
        table = Watched([3, 3], [False])
        tutored = TutoredPerson(table, Tutor(Advisor("shanghaien"), lambda: least[0]), takes_back=True)
        await tutored.decide(rolled(), 0)
        least[0] = 0.5
        await tutored.decide(rolled(), 0)
        return table

    assert len(asyncio.run(run()).mistakes) == 1


def test_a_game_without_evaluator_has_no_tutor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES), "get", lambda _, name: replace(SPEC, evaluator=None))
    with pytest.raises(UsageError) as raised:
        Tutor(Advisor("toy"), lambda: 0.02)
    assert raised.value.details["game"] == "toy"
