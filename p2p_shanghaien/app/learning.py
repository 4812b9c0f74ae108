"""A lesson at a table: what it tells and asks in order, what is taken back, and where the learner has come to."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import AppCode, Quit, UsageError
from p2p_shanghaien.games.api import Acted, State, Terminal, Turn
from p2p_shanghaien.games.lesson import Lesson, Page, Progress, Script
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.text import Listed

__all__ = ["LessonTable", "lesson_of", "taught", "teach"]

MISTAKE: Final = "lesson_not"
"""The general answer to an action that the lesson does not ask for."""


class LessonTable(UserInterface, Protocol):
    """A table at which a lesson is given."""

    def teach(self, game: str, page: Page) -> None:
        """Show what is told at a note of the lesson of that game, until the next one."""

    def explain(self, code: str, /) -> None:
        """Show the explanation of a mistake by its code, until it is taken back."""

    async def go_on(self) -> None:
        """Wait until the learner has read the text that is shown. Raises Quit."""

    def lay(self, state: State) -> None:
        """Put this position on the table without telling how it came about."""


def taught() -> Sequence[str]:
    """Return the names of the games that have a lesson."""
    return [name for name, spec in GAMES.items() if spec.lesson]


def lesson_of(game: str) -> Script[Any]:
    """Return the lesson of the game of that name. Raises UsageError if it has none, and LocalError if it is broken."""
    part = GAMES[game].lesson
    if part is None:
        raise UsageError(AppCode.NO_LESSON, game=game, known=Listed(taught()))
    lesson: Lesson = part.load()
    try:
        return lesson.script(RULES[game].from_settings(lesson.settings))
    except Exception as error:
        raise GAMES.failed(game, error) from error


async def teach(
    script: Script[Any],
    table: LessonTable,
    names: tuple[str, str],
    first: int = 0,
    kept: Callable[[Progress], object] = lambda _: None,
) -> bool:
    """Give a lesson from the note `first` on; return whether the learner came to its end.

    `names` are the learner's and the computer's; `kept` is told how far they have come. May be cancelled.
    """
    try:
        await _Course(script, table, kept).run(names, first)
    except (Quit, asyncio.CancelledError) as reason:
        table.notify("lesson_left", name=script.game.NAME)
        if isinstance(reason, asyncio.CancelledError):
            raise
        return False
    table.notify("lesson_finished", name=script.game.NAME)
    return True


class _Course:
    """The course of one lesson at a table."""

    def __init__(self, script: Script[Any], table: LessonTable, kept: Callable[[Progress], object]) -> None:
        self._script = script
        self._table = table
        self._kept = kept

    async def run(self, names: tuple[str, str], first: int) -> None:
        script = self._script
        me = script.player
        by_player = names if me == 0 else (names[1], names[0])
        at = script.at(first)
        self._table.begun(script.game, by_player, me, script.positions[at])
        for number in range(first, len(script)):
            self._play(at, at := script.at(number))
            self._kept(Progress(number, len(script)))
            self._table.teach(script.game.NAME, script.page(number))
            await (self._ask(number) if script.wanted(number) else self._table.go_on())
        self._play(at, len(script.steps))
        self._kept(Progress(len(script), len(script)))

    def _play(self, at: int, until: int) -> None:
        """Show the steps from `at` on, and lay out the position after those that are skipped."""
        script = self._script
        while at < until:
            if (on := script.shown_from(at)) > at:
                at = on
                self._table.lay(script.positions[at])
            else:
                self._table.stepped(script.positions[at], script.steps[at], script.positions[at + 1])
                at += 1

    async def _ask(self, number: int) -> None:
        """Have the learner decide until they do what the lesson asks."""
        script, table = self._script, self._table
        state, me = script.positions[script.at(number)], script.player
        while (action := await table.decide(state, me)) != script.wanted(number):
            self._show(state, action)
            table.explain(script.mistake(number, action) or MISTAKE)
            await table.go_on()
            table.lay(state)
            table.teach(script.game.NAME, script.page(number))

    def _show(self, state: State, action: str) -> None:
        """Show what a mistake leads to, where that is open and not the end of the game."""
        if state.node != Turn(self._script.player):
            return
        after = state.apply(action)
        if not isinstance(after.node, Terminal):
            self._table.stepped(state, Acted(self._script.player, action), after)
