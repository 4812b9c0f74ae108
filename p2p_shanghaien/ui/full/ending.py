"""The end of a game at the full screen: how it came out, what turned it, and what can be done next."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from p2p_shanghaien.ui.full.base import OVERVIEW
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.dialogs import ANSWERS, SCROLL_KEYS, Dialog, ScrollPanel, answer_code, answer_keys
from p2p_shanghaien.ui.full.drawing import Canvas, clickable, clicks, narrowed
from p2p_shanghaien.ui.presenter import Confirmation, Presenter
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.review.turning import sections
from p2p_shanghaien.ui.words import Later

TALL: Final = 45
"""Lines of a window from which on the last stage is drawn as it was when it ended."""

PADDING: Final = 2
"""Cells at either side of a panel."""
PANEL_LINES: Final = 3
"""Lines of a panel around what it has: a margin above and below, and the title."""

LOOK_BACK_KEYS: Final = {"r": "key_replay", "a": "key_analysis"}
"""Keys that look back on the game, and what each asks for."""


def ending(
    presenter: Presenter,
    review: Review | str | None,
    canvas: Canvas,
    *,
    leads_to: Callable[[int], int] = int,
    keyed: bool = False,
) -> Sequence[Text]:
    """Return how the game ended that `presenter` shows: its last stage, its final table, and its turning points.

    `review` is of that game, or what to say in place of turning points; None: nothing. A click on a turning point means
    what `leads_to` makes of the number of steps before it, and its number, which is also its key where they are
    `keyed`.
    """
    lines: list[Text] = []
    numbers = count(1)
    game, stage, text_styles = presenter.game, presenter.stage, canvas.text_styles

    def add(more: Sequence[Text]) -> None:
        lines.extend([Text()] if lines and more else [])
        lines.extend(more)

    if game.is_over:
        if stage and stage.after == game.state:
            table = narrowed(game.table.overview(stage.before, stage.step, game.viewpoint), canvas.width)
            fits = canvas.height < TALL and all(line.cell_len <= canvas.width for line in table)
            add(table if fits else game.board_view.overview(stage.before, stage.step, game.viewpoint, canvas))
        add(narrowed(game.table.ending(game.state, game.viewpoint), canvas.width))
    if isinstance(review, str):
        add(canvas.lines(review, text_styles.quiet))
    elif review:
        for section in sections(review):
            add(canvas.lines(section.heading, text_styles.strong))
            for point in section.points:
                means = str(leads_to(point.steps)), str(next(numbers))
                key = f"[{means[1]}] " if keyed else ""
                first, *others = canvas._replace(width=canvas.width - len(key)).lines(point.sentence)
                told = [Text.assemble((key, text_styles.key), first)]
                told += [Text(" " * len(key)).append_text(line) for line in others]
                lines.extend(clickable(line, *means, width=canvas.width) for line in told)
    return lines


class EndSheet(Dialog[None]):
    """Stays while the game's end is looked at: `draw` makes what is read, below it stands what can be done.

    `act` is given the code of a key that looks back, or the number of steps before a turning point, as digits.
    `looks` are the keys that look back.
    """

    def __init__(self, draw: Callable[[int], Sequence[Text]], act: Callable[[str], None], looks: Sequence[str]) -> None:
        super().__init__()
        self._act = act
        self._looks = looks
        self._below: Sequence[str | Later] = ()
        self._asked: Confirmation | None = None
        self._answer: Callable[[bool | None], None] = lambda _: None
        self._is_farewell = False
        self._scrolls = False
        self.put_away = asyncio.Event()
        self._content = CanvasWidget(draw)
        self._foot = CanvasWidget(self._feet)

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield CanvasWidget(self._title)
            with ScrollPanel():
                yield self._content
            yield self._foot

    def on_unmount(self) -> None:
        self.put_away.set()

    # What is asked.

    def ask(self, asked: Confirmation, answer: Callable[[bool | None], None]) -> None:
        """Ask the question of yes or no; `answer` is given the person's, None if the last decision is taken back."""
        self._below, self._asked, self._answer = (asked.question.words,), asked, answer
        self.refit()

    def withdraw(self) -> None:
        """Ask nothing any more."""
        self._below, self._asked = (), None
        self.refit()

    def bid_farewell(self, lines: Sequence[str | Later]) -> None:
        """Say that nothing follows at this table."""
        self._below, self._asked, self._is_farewell = lines, None, True
        self.refit()

    # What is drawn.

    def refit(self) -> None:
        """Draw everything again, in the room that there is."""
        if self.is_mounted:
            self._content.redraw()
            self._make_room()
            for widget in self.query(CanvasWidget):
                widget.redraw()

    def _make_room(self) -> int:
        """Let the part that is read be as high as fits above the question."""
        room = super()._make_room()
        width = self._foot.size.width or min(self.app.size.width - 2 * PADDING, OVERVIEW)
        height = max(room - PANEL_LINES - len(self._feet(width)), 1)
        self._scrolls = len(self._content.drawn(self._content.size.width or width)) > height
        self.query_one(ScrollPanel).styles.max_height = height
        return room

    def _title(self, width: int) -> Sequence[Text]:
        canvas = self.canvas(width)
        keys = canvas.charset.say("panel_scrolls") if self._scrolls else ""
        line = Text(canvas.charset.say("panel_ending"), canvas.text_styles.strong)
        line.align("left", max(width - len(keys) - 1, 0))
        line.append(keys, canvas.text_styles.key)
        line.truncate(width)
        return [line]

    def _feet(self, width: int) -> Sequence[Text]:
        """Return the question, or what to do next, and the keys for it."""
        canvas = self.canvas(width)
        lines = [Text(), *(line for text in self._below for line in canvas.lines(text, canvas.text_styles.strong))]
        say = canvas.charset.say
        if self._asked:
            keys = answer_keys(self._asked, canvas.charset)
        else:
            close = "panel_closed_soon" if self._is_farewell else "panel_close"
            keys = [(say(close), close)]
        keys += [(f"[{key}] {say(LOOK_BACK_KEYS[key])}", LOOK_BACK_KEYS[key]) for key in self._looks]
        line = Text()
        for text, code in keys:
            if line.cell_len and line.cell_len + len(text) > width:
                lines.append(line)
                line = Text()
            line.append_text(clickable(Text(text, canvas.text_styles.key), code)).append("   ")
        return [*lines, line]

    # Keys and clicks.

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        means, *_ = message.means
        if means in ANSWERS:
            self._answer(ANSWERS[means])
        elif means in ("panel_close", "panel_closed_soon"):
            self.dismiss()
        else:
            self._act(means)

    def on_key(self, event: events.Key) -> None:
        panel, key, character = self.query_one(ScrollPanel), event.key, event.character or ""
        points = clicks(self._content.drawn(self._content.size.width))
        if key in SCROLL_KEYS:
            event.stop()
            SCROLL_KEYS[key](panel, animate=False)
        elif self._asked and (key == "q" or answer_code(self._asked, character)):
            event.stop()
            self._answer(ANSWERS[answer_code(self._asked, character) or "full_no"])
        elif character in self._looks:
            event.stop()
            self._act(LOOK_BACK_KEYS[character])
        elif character.isdecimal() and 0 < int(character) <= len(points):
            event.stop()
            self._act(points[int(character) - 1][0])
        elif not self._asked and key in ("escape", "enter", "q") and self.is_current:
            event.stop()
            self.dismiss()
