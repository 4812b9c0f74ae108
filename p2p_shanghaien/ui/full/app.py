"""The full screen: the table in the middle, what is open below it, the score and the draw beside it."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.theme import Theme

from p2p_shanghaien.ui.full import parts
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.dialogs import Paper, Reading
from p2p_shanghaien.ui.full.fair import fair_lines
from p2p_shanghaien.ui.full.looks import Looks
from p2p_shanghaien.ui.full.parts import Drawing, Spot
from p2p_shanghaien.ui.full.scene import Scene
from p2p_shanghaien.ui.full.sheet import Sheet
from p2p_shanghaien.ui.reading import FULL_SCREEN
from p2p_shanghaien.ui.screen import wrapped
from p2p_shanghaien.ui.view import cut
from p2p_shanghaien.ui.words import say

WIDTH, HEIGHT = FULL_SCREEN
WIDE: Final = 120
"""Cells from which on the score stands beside the table."""
BESIDE: Final = 41
"""Cells of what stands there."""
AROUND: Final = 10
"""Lines kept for everything but the table."""

BELOW: Final = 5
"""Lines kept above and below the table and what is open: the title, what may be done, two of the log, the keys."""

COMMANDS: Final = {
    "?": "key_help",
    "/": "key_say",
    "m": "key_menu",
    "k": "key_scores",
    "l": "key_log",
    "o": "key_overview",
    "v": "key_fair",
    "q": "key_leave",
}
"""The keys at the bottom of the screen. A game's own must be others."""

THEMES: Final = (
    Theme(
        "table-dark",
        primary="#56b4e9",
        foreground="#e8e4d8",
        background="#12211c",
        surface="#1b3029",
        panel="#24413a",
        dark=True,
    ),
    Theme(
        "table-light",
        primary="#005b8f",
        foreground="#201c14",
        background="#f3eee0",
        surface="#e6dfcb",
        panel="#d8cfb5",
        dark=False,
    ),
)


class TableApp(App[None]):
    """Shows a `Scene`, and calls `command` with what is asked for besides deciding. Events are shown in their order."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]
    CSS = f"""
    Screen {{ layers: base over; }}
    #title, #keys {{ background: $surface; height: 1; }}
    #left {{ width: 1fr; }}
    #right {{ width: {BESIDE}; background: $surface; padding: 0 0 0 1; display: none; }}
    .wide #right {{ display: block; }}
    #board {{ padding: 0; }}
    #offers {{ margin-top: 0; }}
    #log {{ height: 1fr; background: $surface 50%; scrollbar-size: 1 1; }}
    #fair {{ height: 1fr; margin-top: 1; scrollbar-size: 1 1; }}
    #small {{ display: none; }}
    .small #small {{ display: block; }}
    .small #table, .small #title, .small #keys {{ display: none; }}
    ModalScreen {{ align: center middle; }}
    .sheet {{ width: 80; max-width: 100%; height: auto; max-height: 90%; background: $panel; padding: 1 2;
              scrollbar-size: 1 1; }}
    Question, Typing {{ align: center bottom; background: $background 0%; }}
    .question {{ width: 76; max-width: 100%; height: auto; max-height: 100%; background: $panel; padding: 1 2; }}
    .ascii {{ scrollbar-size: 0 0; }}
    Input, Input:focus {{ border: none; height: 1; padding: 0; margin: 1 0; background: $background; }}
    """

    def __init__(self, scene: Scene, looks: Looks, command: Callable[[str], Awaitable[None]]) -> None:
        # the library would take NO_COLOR away and draw in shades of grey; `Looks` heeds it
        no_colour = os.environ.pop("NO_COLOR", None)
        super().__init__()
        if no_colour is not None:
            os.environ["NO_COLOR"] = no_colour
        self.scene = scene
        self.looks = looks
        self.events: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._command = command
        for theme in THEMES:
            self.register_theme(theme)
        self.wear(looks)

    def wear(self, looks: Looks) -> None:
        """Look as `looks` says from now on."""
        self.looks = looks
        self.theme = "ansi-dark" if looks.shade == "none" else f"table-{looks.shade}"
        if self.is_running:
            self.screen.set_class(self.scene.ascii_only, "ascii")
            self.redraw()

    @property
    def ink(self) -> parts.Ink:
        return self.looks.ink

    def compose(self) -> ComposeResult:
        yield Sheet(self._small, id="small")
        yield Sheet(self._title, id="title")
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Sheet(self._board, id="board")
                yield Sheet(self._offers, id="offers")
                yield Sheet(self._status, id="status")
                with Paper(id="log"):
                    yield Sheet(self.log_lines, id="story")
            with Vertical(id="right"):
                yield Sheet(self.scores, id="scores")
                with Paper(id="fair"):
                    yield Sheet(self.fair, id="draw")
        yield Sheet(self._keys, id="keys")

    def on_mount(self) -> None:
        self.run_worker(self._show_events(), exit_on_error=True)

    async def _show_events(self) -> None:
        """Show one thing after the other, as they have happened."""
        while True:
            event = await self.events.get()
            try:
                await event()
            finally:
                self.events.task_done()

    def on_resize(self, event: events.Resize) -> None:
        base = self.screen_stack[0]
        base.set_class(event.size.width >= WIDE, "wide")
        base.set_class(event.size.width < WIDTH or event.size.height < HEIGHT, "small")
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again."""
        for screen in self.screen_stack:
            for sheet in screen.query(Sheet):
                sheet.redraw()
        self._to_end()

    def show(self, *names: str) -> None:
        """Draw the sheets of these names again."""
        base = self.screen_stack[0]
        for name in names:
            base.query_one(f"#{name}", Sheet).redraw()
        if "story" in names:
            self._to_end()

    def _to_end(self) -> None:
        log = self.screen_stack[0].query_one("#log", Paper)
        self.call_after_refresh(log.scroll_end, animate=False)

    def show_choosing(self) -> None:
        """Draw what depends on what is picked."""
        self.show("board", "offers", "status", "title")
        self._to_end()

    # Keys and clicks.

    async def on_key(self, event: events.Key) -> None:
        if len(self.screen_stack) > 1:
            return
        choosing = self.scene.choosing
        log = self.screen.query_one("#log", Paper)
        match event.key:
            case "pageup":
                log.scroll_page_up(animate=False)
            case "pagedown":
                log.scroll_page_down(animate=False)
            case _ if choosing and self._decides(choosing, event):
                self.show_choosing()
            case _ if event.character in COMMANDS:
                event.stop()
                await self._command(COMMANDS[event.character])

    def _decides(self, choosing: Choosing, event: events.Key) -> bool:
        """Whether the key has to do with the decision."""
        self.scene.hint = None
        match event.key:
            case "left" | "right":
                choosing.step(1 if event.key == "right" else -1)
            case "up" | "down":
                choosing.leap(1 if event.key == "down" else -1)
            case "escape":
                choosing.drop()
            case "enter":
                self._play(choosing)
            case _:
                return event.character is not None and choosing.key(event.character)
        return True

    def _play(self, choosing: Choosing) -> None:
        if choosing.play():
            self.scene.choosing = None
        else:
            self.scene.hint = say("full_pick_first")

    async def on_sheet_hit(self, message: Sheet.Hit) -> None:
        message.stop()
        first = message.means[0]
        choosing = self.scene.choosing
        if first in COMMANDS.values():
            await self._command(first)
        elif choosing:
            self.scene.hint = None
            if first == "enter" or choosing.touch(message.means):
                self._play(choosing)
            self.show_choosing()

    def read(self, title: str, draw: Callable[[int], Drawing]) -> Reading:
        """Lay something to read over the table."""
        reading = Reading(say(title), draw, self.ink)
        self.push_screen(reading)
        return reading

    # What is drawn.

    def paper(self, width: int) -> parts.Paper:
        return parts.Paper(width, self.size.height - AROUND, self.ink, self.scene.ascii_only)

    def _small(self, _: int) -> Drawing:
        size = self.size
        text = say("full_too_small", width=WIDTH, height=HEIGHT, across=size.width, down=size.height)
        return Drawing([Text(line) for line in wrapped(text, max(size.width, 1))])

    def _title(self, width: int) -> Drawing:
        right = self.scene.link(self.ink)
        room = max(width - right.cell_len - 1, 0)
        left = cut(f" {self.scene.title()}", max(room - 1, 1), self.scene.symbols.cut)
        line = Text(left, self.ink.strong)
        line.align("left", room)
        line.append_text(right)
        return Drawing([line])

    def _board(self, width: int) -> Drawing:
        return self.scene.board(self.paper(width))

    def _offers(self, width: int) -> Drawing:
        if not self.scene.choosing:
            return Drawing(())
        room = self.size.height - len(self._board(width).lines) - BELOW
        return self.scene.choosing.draw(width, max(room, 1), self.ink, self.scene.more)

    def _status(self, width: int) -> Drawing:
        choosing = self.scene.choosing
        text, style = self.scene.status(), self.ink.strong
        if choosing and choosing.picked and not self.scene.hint:
            style = self.ink.picked
        line = Text(f" {cut(text, max(width - 2, 1), self.scene.symbols.cut)} ", style)
        spots = [Spot(0, 0, width, 1, ("enter",))] if choosing and choosing.picked else []
        return Drawing([line], spots)

    def log_lines(self, width: int) -> Drawing:
        lines = [
            Text(f" {line}", style) for text, style in self.scene.story for line in wrapped(text, max(width - 2, 10))
        ]
        return Drawing(lines)

    def scores(self, width: int) -> Drawing:
        return Drawing(self.scene.scores(self.paper(width)))

    def fair(self, width: int) -> Drawing:
        draw = self.scene.draw
        committer, other = self.scene.drawers()
        return Drawing(list(fair_lines(draw, committer, other, width, self.ink)))

    def _keys(self, width: int) -> Drawing:
        line, spots = Text(), []
        for key, code in COMMANDS.items():
            spots.append(Spot(line.cell_len, 0, len(say(code)) + 4, 1, (code,)))
            line.append(f" {key}", self.ink.key).append(f" {say(code)} ")
        line.truncate(width)
        return Drawing([line], spots)
