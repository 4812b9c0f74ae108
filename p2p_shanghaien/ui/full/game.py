"""The full screen of a game that is played: what is open below the table, and the keys and clicks that decide."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.app import Keys, TableApp
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.parts import Drawing, Spot
from p2p_shanghaien.ui.full.scene import Scene
from p2p_shanghaien.ui.full.sheet import Sheet
from p2p_shanghaien.ui.words import later, say

AROUND_OFFERS: Final = 4
"""Lines kept beside the table, what is open and the keys: the title, what may be done, two of the log."""


class GameApp(TableApp):
    """Calls `command` with what is asked for besides deciding. Events are shown in their order.

    `hints` is whether there are any: their key is only shown then.
    """

    KEYS: ClassVar = {
        "?": "key_help",
        "/": "key_say",
        "m": "key_menu",
        "k": "key_scores",
        "l": "key_log",
        "o": "key_overview",
        "v": "key_fair",
        "h": "key_hint",
        "q": "key_leave",
    }
    SMALL: ClassVar = "full_too_small"

    def __init__(
        self,
        scene: Scene,
        settings: Settings,
        keep: Callable[[Settings], None],
        command: Callable[[str], Awaitable[None]],
        *,
        ascii_only: bool | None = None,
        hints: bool = False,
    ) -> None:
        super().__init__(scene, settings, keep, ascii_only=ascii_only)
        self._hints = hints
        self.events: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._command = command

    def below(self) -> ComposeResult:
        yield Sheet(self._offers, id="offers")

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

    def show_choosing(self) -> None:
        """Draw what depends on what is picked."""
        self.show("board", "offers", "status", "title")
        self.to_end()

    # Keys and clicks.

    async def pressed(self, event: events.Key) -> None:
        choosing = self.scene.choosing
        if choosing and self._decides(choosing, event):
            self.show_choosing()
        elif event.character in self.KEYS:
            event.stop()
            await self._command(self.KEYS[event.character])

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
            self.scene.hint = later("full_pick_first")

    async def on_sheet_hit(self, message: Sheet.Hit) -> None:
        message.stop()
        first = message.means[0]
        choosing = self.scene.choosing
        if first in self.KEYS.values():
            await self._command(first)
        elif choosing:
            self.scene.hint = None
            if first == "enter" or choosing.touch(message.means):
                self._play(choosing)
            self.show_choosing()

    # What is drawn.

    def help(self) -> str:
        return say("full_help")

    def offered(self) -> Sequence[Keys]:
        return [keys for keys in super().offered() if self._hints or keys.keys[0][1] != "key_hint"]

    def corner(self) -> Text:
        return self.scene.link(self.ink)

    def _offers(self, width: int) -> Drawing:
        if not self.scene.choosing:
            return Drawing(())
        others = len(self.board(width).lines) + len(self.keys(self.size.width).lines) + AROUND_OFFERS
        return self.scene.choosing.draw(width, max(self.size.height - others, 1), self.ink, self.scene.more)

    def status(self, width: int) -> Drawing:
        choosing = self.scene.choosing
        (line,) = super().status(width).lines
        if not (choosing and choosing.picked):
            return Drawing([line])
        if not self.scene.hint:
            line.style = self.ink.picked
        return Drawing([line], [Spot(0, 0, width, 1, ("enter",))])
