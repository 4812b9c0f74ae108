"""A lesson at the full screen: what it tells stands between the title and the table on which it is then done."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult

from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.lesson import Page
from p2p_shanghaien.ui.full.app import TableApp
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.dialogs import Menu
from p2p_shanghaien.ui.full.drawing import clickable
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.lesson import ARROW, told
from p2p_shanghaien.ui.words import has_words, say

ENTRIES: Final = ("menu_settings", "menu_rules", "menu_leave")
"""The entries of the menu that a lesson has."""
NEXT: Final = "lesson_next"


class LessonApp(GameApp):
    """The screen of a lesson. `reading` is done when the learner has read what is told."""

    CSS = f"""{GameApp.CSS}
    #lesson {{ background: $panel; padding: 0 1; }}
    .small #lesson {{ display: none; }}
    """
    KEYS: ClassVar = {
        "?": "key_help",
        "m": "key_menu",
        "k": "key_scores",
        "l": "key_log",
        "o": "key_overview",
        "q": "key_leave",
    }

    LOG: ClassVar = 0
    HAS_END: ClassVar = False
    """The lesson tells how a game ends."""

    told: tuple[str, Page] | None = None
    """The game, and what is told."""
    mistake: str | None = None
    """The code of the explanation of a mistake that is to be taken back."""
    reading: "asyncio.Future[None] | None" = None

    def above(self) -> ComposeResult:
        yield CanvasWidget(self._lesson, id="lesson")

    def refresh_lesson(self) -> None:
        """Draw what is told again, and all that its height changes."""
        self.show("lesson", "title", "board", "menu", "status")
        self.to_end()

    async def pressed(self, event: events.Key) -> None:
        if self.reading and event.key == "enter":
            self._read()
        else:
            await super().pressed(event)

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        if message.means == (NEXT,):
            message.stop()
            self._read()
        else:
            super().on_canvas_widget_hit(message)

    def _read(self) -> None:
        if self.reading and not self.reading.done():
            self.reading.set_result(None)

    def command(self, code: str) -> None:
        match code:
            case "key_menu":
                self.push_screen(Menu(ENTRIES), self._chosen)
            case "key_leave":
                self._confirm("lesson_leave", self.exit)
            case _:
                super().command(code)

    # What is drawn.

    def lines_above(self) -> int:
        return len(self._lesson(max(self.size.width - 2, 1)))

    def corner(self) -> Text:
        """Return how far the lesson has come."""
        if self.told is None:
            return Text()
        _, page = self.told
        step = self.charset.say("lesson_step", number=page.number, count=page.total)
        return Text(f"{step} ", self.text_styles.strong)

    def message(self) -> str:
        """One line: what may be done, or what was done last; while something is to be read, nothing may be."""
        return TableApp.message(self) if self.reading else super().message()

    def _lesson(self, width: int) -> Sequence[Text]:
        """Return the rule and the task, or why the last action was a mistake."""
        if self.told is None:
            return ()
        canvas, styles = self.canvas(width), self.text_styles
        game, page = self.told
        if self.mistake:
            own = f"{game}:{self.mistake}"
            lines = list(canvas.lines(say(own if has_words(own) else self.mistake), styles.bad))
        else:
            lines = [
                line
                for text in told(game, page)
                for line in canvas.lines(text, styles.strong if text.startswith(ARROW) else "")
            ]
        if self.mistake or not page.task:
            enter = self.charset.say("lesson_back" if self.mistake else NEXT)
            lines.append(clickable(Text(enter, styles.key), NEXT))
        return lines


class FullLesson(FullTable):
    """The table of a lesson at the full screen (`app.learning.LessonTable`)."""

    app: LessonApp

    def teach(self, game: str, page: Page) -> None:
        def show() -> None:
            self.app.told, self.app.mistake = (game, page), None
            self._stage = self.presenter.stage
            self.app.refresh_lesson()

        self._enqueue(show)

    def explain(self, code: str, /) -> None:
        def show() -> None:
            self.app.mistake = code
            self.app.refresh_lesson()

        self._enqueue(show)

    async def go_on(self) -> None:
        def show(answer: "asyncio.Future[None]") -> None:
            self.app.reading = answer
            self.app.refresh_lesson()

        def withdraw(_: "asyncio.Future[None]") -> None:
            self.app.reading = None

        await self._answered(show, withdraw)

    def lay(self, state: State) -> None:
        def show() -> None:
            self.presenter.lay(state)
            self.presenter.stage = self._stage
            self.app.redraw()

        self._enqueue(show)
