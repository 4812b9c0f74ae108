"""The full screen of a game that is played: what is open below the table, and what its keys and clicks do."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult

from p2p_shanghaien.players import Advise
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.text import MAX_CHAT, cleaned
from p2p_shanghaien.ui.full import drawing
from p2p_shanghaien.ui.full.app import TableApp
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.dialogs import Menu, Question, Typing
from p2p_shanghaien.ui.full.drawing import Drawing, HitRegion
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.words import later, say

STATUS: Final = 1
"""Lines of what may be done."""
LOG_BELOW: Final = 2
"""Lines of the log that are kept where it stands below what is open."""
GAP: Final = 1
"""Lines kept free below what is open where the log stands beside it."""

MENU: Final[dict[str, str | Command]] = {
    "menu_say": "key_say",
    "menu_offer": Offer(),
    "menu_accept": Accept(),
    "menu_resign": Resign(),
    "menu_settings": "settings",
    "menu_rules": "rules",
    "menu_leave": "key_leave",
}
"""The menu's entries and what each does. Only those are shown that do something now."""


class GameApp(TableApp):
    """The screen of a game that is played: `events` of the session are shown in order, commands go to `commands`.

    `advise` is where hints come from; None: there are none.
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
    UNDER: ClassVar = 7

    def __init__(
        self,
        settings: Settings,
        keep: Callable[[Settings], None],
        *,
        ascii_only: bool | None = None,
        advise: Advise | None = None,
    ) -> None:
        super().__init__(settings, keep, ascii_only=ascii_only)
        self.events: asyncio.Queue[Callable[[], Awaitable[None] | None]] = asyncio.Queue()
        self.commands: asyncio.Queue[Command] = asyncio.Queue()
        self.choosing: Choosing | None = None
        """The decision that is open."""
        self._advise = advise
        self._advised: Choosing | None = None
        """The decision for which hints are being worked out."""

    def put_into_words(self) -> None:
        super().put_into_words()
        if self.choosing:
            self.choosing.put_into_words()

    def below(self) -> ComposeResult:
        yield CanvasWidget(self._offers, id="offers")

    def on_mount(self) -> None:
        self.run_worker(self._show_events(), exit_on_error=True)

    async def _show_events(self) -> None:
        """Show one thing after the other, as they have happened."""
        while True:
            event = await self.events.get()
            try:
                if showing := event():
                    await showing
            finally:
                self.events.task_done()

    def open(self, choosing: Choosing | None) -> None:
        """Have the person decide; None: no longer."""
        self.choosing, self.hint = choosing, None
        self.show_choosing()

    def show_choosing(self) -> None:
        """Draw what depends on what is picked."""
        self.show("board", "offers", "status", "title")
        self.to_end()

    # Keys and clicks.

    async def pressed(self, event: events.Key) -> None:
        if self.choosing and self._decides(self.choosing, event):
            self.show_choosing()
        elif event.character in self.KEYS:
            event.stop()
            self.command(self.KEYS[event.character])

    def _decides(self, choosing: Choosing, event: events.Key) -> bool:
        """Return whether the key was part of the decision."""
        self.hint = None
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
        if choosing.go_on():
            return
        if choosing.play():
            self.choosing = None
        else:
            self.hint = later("full_pick_first")

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        first = message.means[0]
        if first in self.KEYS.values():
            self.command(first)
        elif choosing := self.choosing:
            self.hint = None
            if first == "enter" or choosing.touch(message.means):
                self._play(choosing)
            self.show_choosing()

    def command(self, code: str) -> None:
        """Do what the key of `code` asks for."""
        playing = self.presenter.is_playing
        match code:
            case "key_menu":
                self.push_screen(Menu([entry for entry in MENU if entry not in self._idle_entries()]), self._chosen)
            case "key_say" if playing:
                prompt = later("ask_say", name=self.presenter.game.other)
                self.push_screen(Typing(prompt, MAX_CHAT), self._say)
            case "key_hint":
                self._hint()
            case "key_leave":
                self._confirm("full_leave" if playing else "full_leave_over", self.exit)
            case _:
                self.read_part(code)

    def _idle_entries(self) -> set[str]:
        """Return the entries of the menu that would do nothing now."""
        presenter, idle = self.presenter, set[str]()
        if presenter.seated is None:
            idle.add("menu_rules")
        if not presenter.is_playing:
            return idle | {"menu_say", "menu_offer", "menu_accept", "menu_resign"}
        seating = presenter.game.seating
        if presenter.connection != "here":
            idle.add("menu_say")
        if seating.near in presenter.offers:
            idle.add("menu_offer")
        if seating.far not in presenter.offers:
            idle.add("menu_accept")
        return idle

    def _chosen(self, entry: str | None) -> None:
        match MENU.get(entry or ""):
            case Resign() as resign:
                other = self.presenter.game.other
                self._confirm("full_resign", lambda: self.commands.put_nowait(resign), name=other)
            case str(code):
                self.call_later(self.command, code)
            case Offer() | Accept() as command:
                self.commands.put_nowait(command)

    def _confirm(self, code: str, act: Callable[[], None], **details: object) -> None:
        """Do `act` if the person says yes to the question of `code`."""

        def answered(sure: bool | None) -> None:
            if sure:
                act()

        self.push_screen(Question(Confirmation.of(code, **details)), answered)

    def _say(self, text: str | None) -> None:
        if clean := cleaned(text or "", MAX_CHAT, ""):
            self.commands.put_nowait(Chat(clean))

    def _hint(self) -> None:
        """Have hints for the open decision worked out, where there are any; the table is not held up meanwhile."""
        if self._advise is None:
            self.read_text("panel_hints", later("hints_refused"))
        elif self.choosing is None:
            self.refuse("hint_not_yet")
        else:
            self.refuse("hint_awaited")
            if self._advised is not self.choosing:
                self._advised = self.choosing
                self.run_worker(self._advise_on(self.choosing, self._advise))

    async def _advise_on(self, choosing: Choosing, advise: Advise) -> None:
        asking = self.presenter.advised(advise, choosing.state, [(choosing.player, None)])
        await self.show_hints(asking, lambda: self.choosing is choosing, choosing.keys)
        if self._advised is choosing:
            self._advised = None

    # What is drawn.

    def help(self) -> str:
        return say("full_help")

    def idle(self) -> Sequence[str]:
        return (*super().idle(), *(() if self._advise else ("key_hint",)))

    def corner(self) -> Text:
        """Return the state of the connection, drawn."""
        link = self.presenter.connection
        marks = "*!--" if self.charset.ascii_only else "●○··"
        mark = dict(zip(("here", "away", "none", "closed"), marks, strict=True))[link]
        style = self.text_styles.picked if link == "away" else self.text_styles.strong
        return Text(f"{mark} {self.charset.say(f'link_{link}')}", style)

    def choices(self) -> tuple[Sequence[drawing.MenuItem], str | None]:
        return (self.choosing.offers, self.choosing.picked) if self.choosing else super().choices()

    def _offers(self, width: int) -> Drawing:
        if not self.choosing:
            return Drawing(())
        others = self.lines_around() + self.lines_of("board", width) + self.lines_of("holdings", width) + STATUS
        room = self.size.height - others - (GAP if self.is_wide else LOG_BELOW)
        return self.choosing.draw(self.canvas(width, max(room, 1)))

    def message(self) -> str:
        """One line: what may be done, or what was done last."""
        if self.hint:
            return str(self.hint)
        if self.choosing:
            meaning = self.choosing.meaning
            return say("full_picked", meaning=meaning) if meaning else say("full_choose")
        return say("thinks", name=self.presenter.thinking) if self.presenter.thinking else super().message()

    def status(self, width: int) -> Drawing:
        (line,) = super().status(width).lines
        if not (self.choosing and self.choosing.picked):
            return Drawing([line])
        if not self.hint:
            line.style = self.text_styles.picked
        return Drawing([line], [HitRegion(0, 0, width, 1, ("enter",))])
