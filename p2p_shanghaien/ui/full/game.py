"""The full screen of a game that is played: what is open below the table, and what its keys and clicks do."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult, SuspendNotSupported

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.players import Advise, has_evaluator
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.text import MAX_CHAT, cleaned
from p2p_shanghaien.ui.full.annotations import Annotator
from p2p_shanghaien.ui.full.app import TableApp
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.cursor import Recorded
from p2p_shanghaien.ui.full.dialogs import UNDO_KEY, ConfirmDialog, InputDialog, Menu
from p2p_shanghaien.ui.full.drawing import ActionMenu, clickable
from p2p_shanghaien.ui.full.ending import EndSheet, ending
from p2p_shanghaien.ui.post_game import FinishedGame, PostGame
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.review.lines import lines
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.words import Later, describe, later, say
from p2p_shanghaien.waiting import ended

STATUS: Final = 1
"""Lines of what may be done."""
GAP: Final = 1
"""Lines kept free below what is open where the log stands beside it."""

MENU: Final[dict[str, str | Command]] = {
    "menu_undo": "key_undo",
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

    `advise` is where hints come from; None: there are none. `post_game` is what looks back on a game that has ended.
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
        UNDO_KEY: "key_undo",
        "q": "key_leave",
    }
    SMALL: ClassVar = "full_too_small"
    LOG: ClassVar = 2
    """Lines of the log that are kept where it stands below what is open."""
    UNDER: ClassVar = 7
    HAS_END: ClassVar = True
    """True if a sheet shows the end of a game."""

    def __init__(
        self,
        settings: Settings,
        keep: Callable[[Settings], None],
        *,
        ascii_only: bool | None = None,
        advise: Advise | None = None,
        post_game: PostGame | None = None,
    ) -> None:
        super().__init__(settings, keep, ascii_only=ascii_only)
        self.events: asyncio.Queue[Callable[[], Awaitable[None] | None]] = asyncio.Queue()
        self.commands: asyncio.Queue[Command] = asyncio.Queue()
        self.choosing: Choosing | None = None
        """The decision that is open."""
        self._advise = advise
        self._advised: Choosing | None = None
        """The decision for which hints are being worked out."""
        self._post_game = post_game
        self._finished: FinishedGame | LocalError | None = None
        """The game that has ended, or why it cannot be looked back on; None until that is known."""
        self._replaying: asyncio.Task[Any] | None = None
        """Shows a replay over this screen, if one is shown."""

    def put_into_words(self) -> None:
        super().put_into_words()
        if self.choosing:
            self.choosing.put_into_words()

    def below(self) -> ComposeResult:
        yield CanvasWidget(self._menu_lines, id="menu")

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
        self.choosing, self.notice = choosing, None
        self.show("keys")
        self.show_choosing()

    def show_choosing(self) -> None:
        """Draw what depends on what is picked."""
        self.show("board", "menu", "status", "title")
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
        self.notice = None
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
            self.notice = "full_pick_first"

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        first = message.means[0]
        if first in self.KEYS.values():
            self.command(first)
        elif choosing := self.choosing:
            self.notice = None
            if first == "enter" or choosing.touch(message.means):
                self._play(choosing)
            self.show_choosing()

    def command(self, code: str) -> None:
        """Do what the key of `code` asks for."""
        playing, practice = self.presenter.is_playing, self.presenter.is_practice
        match code:
            case "key_menu":
                self.push_screen(Menu([entry for entry in MENU if self.is_available(entry)]), self._chosen)
            case "key_undo" if not practice:
                self.read_text("panel_undo", later("undo_refused"))
            case "key_undo" if not self.presenter.decisions:
                self.set_notice("undo_nothing")
            case "key_undo" if self.choosing:
                self.choosing.take_back()
                self.choosing = None
            case "key_undo":
                self.set_notice("undo_not_yet")
            case "key_say" | "key_fair" if practice:
                self.read_text("panel_practice", later("full_practice_alone"))
            case "key_say" if self.is_available(code):
                prompt = later("ask_say", name=self.presenter.game.other)
                self.push_screen(InputDialog(prompt, MAX_CHAT), self._say)
            case "key_hint":
                self._hint()
            case "key_leave":
                leaving = "full_leave_practice" if practice else "full_leave"
                self._confirm(leaving if playing else "full_leave_over", self.exit)
            case _:
                self.read_part(code)

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

        self.push_screen(ConfirmDialog(Confirmation.of(code, **details)), answered)

    def _say(self, text: str | None) -> None:
        if clean := cleaned(text or "", MAX_CHAT, ""):
            self.commands.put_nowait(Chat(clean))

    def _hint(self) -> None:
        """Have hints for the open decision worked out, where there are any; the table is not held up meanwhile."""
        if self._advise is None:
            self.read_text("panel_hints", later(self.presenter.why_no_hints))
        elif self.choosing is None:
            self.set_notice("hint_not_yet")
        else:
            self.set_notice("hint_awaited")
            if self._advised is not self.choosing:
                self._advised = self.choosing
                self.run_worker(self._advise_on(self.choosing, self._advise))

    async def _advise_on(self, choosing: Choosing, advise: Advise) -> None:
        asking = self.presenter.advised(advise, choosing.state, [(choosing.player, None)])
        await self.show_hints(asking, lambda: self.choosing is choosing, choosing.keys)
        if self._advised is choosing:
            self._advised = None

    # The end.

    def show_end(self) -> EndSheet:
        """Lay over the table how the game ended; what turned it follows once that is known."""
        self._finished = None
        looks = ("r", "a") if has_evaluator(self.presenter.game.name) else ("r",)
        sheet = EndSheet(
            lambda width: ending(self.presenter, self._reviewed(), self.canvas(width), keyed=True),
            self._look,
            looks if self._post_game else (),
        )
        self.push_screen(sheet)
        if self._post_game:
            self.run_worker(self._review(self._post_game, sheet), group="review", exclusive=True)
        return sheet

    async def _review(self, post_game: PostGame, sheet: EndSheet) -> None:
        try:
            self._finished = await post_game.game()
        except LocalError as error:
            self._finished = error
        sheet.refit()
        self.redraw()

    def _reviewed(self) -> Review | str | None:
        """Return the review of the game, or what to say in its place, if anything."""
        match self._finished:
            case LocalError() as error:
                return describe(error)
            case None if self._post_game and has_evaluator(self.presenter.game.name):
                return say("turning_awaited")
            case FinishedGame() as game:
                return game.review(self.presenter.game.viewpoint)
        return None

    def _look(self, code: str) -> None:
        """Look back on the game: by its analysis, or by a replay, from a place on if `code` is a number of steps."""
        if code == "key_analysis":
            self.read("panel_analysis", self._analysis)
        elif self._post_game and self._replaying is None:
            steps = int(code) if code.isdecimal() else 0
            self.run_worker(self._replay(self._post_game, steps), group="replay", exit_on_error=True)

    def _analysis(self, width: int) -> Sequence[Text]:
        review, canvas = self._reviewed(), self.canvas(width)
        if not isinstance(review, Review):
            return canvas.lines(review or "")
        told = lines(review, width=width)
        return [line for each in told for line in ([each] if isinstance(each, Text) else canvas.lines(each))]

    async def _replay(self, post_game: PostGame, steps: int) -> None:
        """Show the game on a screen of its own, as long as the person looks at it; the session goes on meanwhile."""
        from p2p_shanghaien.ui.full.replay import ReplayApp  # noqa: PLC0415 - not every game is looked back on

        self._replaying = asyncio.current_task()
        try:
            name, report = await post_game.report()
        except LocalError as error:
            self._replaying = None
            self.read_text("panel_replay", Later(partial(describe, error)))
            return
        recorded = Recorded(report.record(), report)
        game = recorded.record.game.NAME
        annotator = Annotator(post_game.advise(game), post_game.analyse) if has_evaluator(game) else None
        app = ReplayApp(recorded, self.settings, self.change, annotator=annotator, ascii_only=self._forced_ascii)
        app.begin(self._finished.analysis if isinstance(self._finished, FinishedGame) else None, steps)
        failure: Exception | None = None
        try:
            # what happens at the table meanwhile must not be drawn over the replay
            with self.batch_update(), self.suspend():
                try:
                    await app.present()
                except Exception as error:  # noqa: BLE001 - it must not leave this screen suspended
                    failure = error
        except SuspendNotSupported:
            self.read_text("panel_replay", later("replay_by_command", name=name))
        finally:
            self._replaying = None
        if failure:
            raise failure

    async def stop_replay(self) -> None:
        """Close the replay, if one is shown. Whoever leaves the table must do this first."""
        if self._replaying:
            self._replaying.cancel()
            await ended(self._replaying)

    # What is drawn.

    def help(self) -> str:
        return say("full_help")

    def is_available(self, code: str) -> bool:
        presenter, game = self.presenter, self.presenter.seated
        has_peer = presenter.is_playing and not presenter.is_practice
        match code:
            case "key_say" | "menu_say":
                return has_peer and presenter.connection == "here"
            case "menu_offer":
                return has_peer and presenter.game.viewpoint.near not in presenter.offers
            case "menu_accept":
                return has_peer and presenter.game.viewpoint.far in presenter.offers
            case "menu_resign":
                return has_peer
            case "menu_rules":
                return game is not None
            case "menu_undo":
                return presenter.is_practice and self.choosing is not None and presenter.decisions > 0
            case "key_undo":
                return presenter.is_practice
            case "key_fair":
                return not presenter.is_practice
            case "key_hint":
                return self._advise is not None and (game is None or has_evaluator(game.name))
        return super().is_available(code)

    def corner(self) -> Text:
        """Return the state of the connection, drawn."""
        link = self.presenter.connection
        marks = "*!---" if self.charset.ascii_only else "●○···"
        mark = dict(zip(("here", "away", "none", "closed", "practice"), marks, strict=True))[link]
        style = self.text_styles.picked if link == "away" else self.text_styles.strong
        corner, watchers = Text(f"{mark} {self.charset.say(f'link_{link}')}", style), self.presenter.watchers
        if not watchers:
            return corner
        said = self.charset.transliterate(say("link_watchers", count=watchers))
        return Text(f"{said} {self.charset.nothing} ", self.text_styles.quiet).append_text(corner)

    def menu(self) -> ActionMenu:
        return ActionMenu(self.choosing.items, self.choosing.picked) if self.choosing else super().menu()

    def _menu_lines(self, width: int) -> Sequence[Text]:
        if not self.choosing:
            return ()
        others = self.lines_around() + self.lines_of("board", width) + self.lines_of("holdings", width) + STATUS
        room = self.size.height - others - (GAP if self.is_wide else self.LOG)
        return self.choosing.draw(self.canvas(width, max(room, 1)))

    def message(self) -> str:
        """One line: what may be done, or what was done last."""
        if self.notice:
            return say(self.notice)
        if self.choosing:
            meaning = self.choosing.meaning
            return say("full_picked", meaning=meaning) if meaning else say("full_choose")
        return say("thinks", name=self.presenter.thinking) if self.presenter.thinking else super().message()

    def status(self, width: int) -> Sequence[Text]:
        (line,) = super().status(width)
        if not (self.choosing and self.choosing.picked):
            return [line]
        if not self.notice:
            line.style = self.text_styles.picked
        return [clickable(line, "enter", width=width)]
