"""A lesson at a table: whoever does what it says gets to its end, and whoever does something else is led back."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.learning import MISTAKE, lesson_of, taught, teach
from p2p_shanghaien.errors import LocalError, Quit, UsageError
from p2p_shanghaien.games.api import Game, GameSpec, Part, Simultaneous, State, Step, Terminal, Transition
from p2p_shanghaien.games.lesson import Page, Progress, Script
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players.tutoring import Mistake
from tests.toy import Toy

LESSONS = taught()
every_lesson = pytest.mark.parametrize("game", LESSONS)


class Classroom:
    """A table at which a lesson is given to `learner`, who is asked for a choice; it keeps what it was told."""

    is_interactive = True

    def __init__(self, learner: Callable[["Classroom", State, Sequence[str]], str]) -> None:
        self._learner = learner
        self.page = Page(0, 0, "", None)
        self.state: State | None = None
        """The position on the table."""
        self.pages: list[Page] = []
        self.explained: list[str] = []
        self.led_back: list[State | None] = []
        """The position on the table at each explanation."""
        self.laid: list[State] = []
        self.news: list[str] = []
        self.names: tuple[str, str] = ("", "")
        self.leaves_at = 0
        """The page at which the learner leaves, if there is one."""

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        del game
        assert me is not None
        self.names = names[me], names[1 - me]
        self.state = state

    def drew(self, *_: object) -> None:
        raise AssertionError("nothing is drawn together")

    def thinks(self, name: str | None) -> None:
        del name

    def notify(self, code: str, /, **details: object) -> None:
        del details
        self.news.append(code)

    def stepped(self, before: State, step: Step, after: State) -> None:
        del step
        assert before == self.state, "one step follows the other"
        self.state = after

    def lay(self, state: State) -> None:
        self.state = state
        self.laid.append(state)

    def teach(self, game: str, page: Page) -> None:
        del game
        self.page = page
        self.pages.append(page)

    def explain(self, code: str, /) -> None:
        self.explained.append(code)
        self.led_back.append(self.state)

    async def go_on(self) -> None:
        if self.page.number == self.leaves_at:
            raise Quit

    async def decide(self, state: State, player: int) -> str:
        assert state == self.state, "the table shows what is decided on"
        if self.page.number == self.leaves_at:
            raise Quit
        return self._learner(self, state, state.legal(player))

    def taken_back(self, earlier: Sequence[Transition], state: State) -> None:
        raise AssertionError(earlier, state)

    async def confirm(self, code: str, /, **details: object) -> bool:
        raise AssertionError(code, details)

    async def rematch(self) -> bool:
        raise AssertionError

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        raise AssertionError(mistake, takes_back)

    async def ask(self, code: str, /, completions: Sequence[str] = (), **details: object) -> str:
        raise AssertionError(code, completions, details)

    async def command(self) -> Any:
        raise AssertionError

    async def run_session(self, session: Coroutine[Any, Any, int]) -> int:
        return await session


def obedient(script: Script[Any]) -> Callable[[Classroom, State, Sequence[str]], str]:
    """Return a learner who does what the lesson says."""

    def choose(table: Classroom, _: State, __: Sequence[str]) -> str:
        wanted = script.wanted(table.page.number - 1)
        assert wanted is not None
        return wanted

    return choose


def given_to(table: Classroom, script: Script[Any], first: int = 0) -> list[Progress]:
    """Give the lesson, to its end unless the learner leaves, and return the progress that was kept."""
    kept: list[Progress] = []
    came_to_its_end = asyncio.run(teach(script, table, ("Ada", "Computer"), first, kept.append))
    assert came_to_its_end == (not table.leaves_at)
    return kept


@every_lesson
def test_a_learner_who_does_what_it_says_gets_to_its_end(game: str) -> None:
    script = lesson_of(game)
    table = Classroom(obedient(script))
    kept = given_to(table, script)
    assert [page.number for page in table.pages] == [*range(1, len(script) + 1)]
    assert table.explained == []
    assert table.state == script.positions[-1]
    assert table.names == ("Ada", "Computer")
    assert table.news == ["lesson_finished"]
    assert kept == [Progress(number, len(script)) for number in range(len(script) + 1)]


@every_lesson
def test_whoever_does_anything_else_is_led_back(game: str) -> None:
    """At each step, each other legal action once: it is explained, and the same is asked of the same position."""
    script = lesson_of(game)
    tried: list[tuple[int, str]] = []

    def contrary(table: Classroom, state: State, legal: Sequence[str]) -> str:
        number = table.page.number - 1
        if tried and tried[-1][0] == number:
            assert table.state == script.positions[script.at(number)] == state
            assert table.explained[-1] == (script.mistake(*tried[-1]) or MISTAKE)
        for action in legal:
            if action != script.wanted(number) and (number, action) not in tried:
                tried.append((number, action))
                return action
        return obedient(script)(table, state, legal)

    table = Classroom(contrary)
    given_to(table, script)
    others = [
        len(script.positions[script.at(number)].legal(script.player)) - 1
        for number in range(len(script))
        if script.wanted(number)
    ]
    assert len(tried) == len(table.explained) == sum(others) > len(others)
    assert table.state == script.positions[-1]


@every_lesson
@given(seed=st.integers(0, 2**32))
def test_whatever_the_learner_does_they_get_to_the_end(game: str, seed: int) -> None:
    script, rng = lesson_of(game), Random(seed)
    table = Classroom(lambda table, state, legal: rng.choice([*legal, obedient(script)(table, state, legal)]))
    given_to(table, script)
    assert table.state == script.positions[-1]


@every_lesson
def test_a_lesson_can_be_left_and_taken_up_at_every_step(game: str) -> None:
    script = lesson_of(game)
    for number in range(len(script)):
        table = Classroom(obedient(script))
        table.leaves_at = number + 1
        assert given_to(table, script)[-1] == (number, len(script))
        assert table.news == ["lesson_left"]
        again = Classroom(obedient(script))
        given_to(again, script, number)
        assert again.pages == [script.page(each) for each in range(number, len(script))]
        assert again.state == script.positions[-1]


@every_lesson
def test_a_mistake_is_shown_on_the_table_unless_it_is_secret_or_ends_the_game(game: str) -> None:
    script = lesson_of(game)
    expected: list[State] = []

    def contrary(table: Classroom, state: State, legal: Sequence[str]) -> str:
        number = table.page.number - 1
        others = [action for action in legal if action != script.wanted(number)]
        if len(table.led_back) == len(expected) < number and others:
            after = state if isinstance(state.node, Simultaneous) else state.apply(others[-1])
            expected.append(state if isinstance(after.node, Terminal) else after)
            return others[-1]
        return obedient(script)(table, state, legal)

    table = Classroom(contrary)
    given_to(table, script)
    assert len(expected) > 5
    assert table.led_back == expected


async def test_a_lesson_that_is_cancelled_is_left() -> None:
    """A window that is closed does that."""
    script = lesson_of(LESSONS[0])
    table = Classroom(obedient(script))

    async def never() -> None:
        await asyncio.Event().wait()

    table.go_on = never  # type: ignore[method-assign]
    teaching = asyncio.create_task(teach(script, table, ("Ada", "Computer")))
    while not table.pages:
        await asyncio.sleep(0)
    teaching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await teaching
    assert table.news == ["lesson_left"]


@pytest.mark.usefixtures("_toy_is_installed")
def test_a_game_without_a_lesson_says_so() -> None:
    assert Toy.NAME in GAMES
    assert Toy.NAME not in taught()
    with pytest.raises(UsageError) as caught:
        lesson_of(Toy.NAME)
    assert caught.value.details["known"]


@pytest.mark.parametrize("place", ["nowhere:LESSON", "tests.toy:Toy"])
def test_a_broken_lesson_is_an_error_of_its_game(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(GAMES["shanghaien"], lesson=Part(place))
    found = GAMES.__class__.__getitem__

    def broken(self: Any, name: str) -> GameSpec:
        return spec if name == "shanghaien" else found(self, name)

    monkeypatch.setattr(GAMES.__class__, "__getitem__", broken)
    with pytest.raises(LocalError):
        lesson_of("shanghaien")
