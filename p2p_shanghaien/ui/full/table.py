"""A person's place at a full-screen table: what the session tells goes to the screen, what is decided comes back."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from textual.screen import ModalScreen

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Game, State, Step
from p2p_shanghaien.players import Advise
from p2p_shanghaien.session.participant import Accept, Offer, Remark, Resign, Say
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.text import MAX_CHAT, cleaned
from p2p_shanghaien.ui.advice import hints
from p2p_shanghaien.ui.full import parts
from p2p_shanghaien.ui.full.base import OVERVIEW
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.dialogs import Menu, Question, Reading, Typing
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.hints import advised, hint_lines
from p2p_shanghaien.ui.full.parts import Drawing
from p2p_shanghaien.ui.full.scene import ENDINGS, LINKS, Scene
from p2p_shanghaien.ui.full.theme import FRAME, HOLD
from p2p_shanghaien.ui.line import DELIBERATE
from p2p_shanghaien.ui.presenter import StepView, step_view
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.view import Choice
from p2p_shanghaien.ui.words import Later, later
from p2p_shanghaien.waiting import ended

_T = TypeVar("_T")

LAST_WORDS: Final = 3
"""Sentences that are said again on the normal screen, once the full one is left."""

AWAITED: Final = later("hint_awaited")
"""What is said until hints have been worked out."""

MENU: Final[dict[str, str | Remark]] = {
    "menu_say": "key_say",
    "menu_offer": Offer(),
    "menu_accept": Accept(),
    "menu_resign": Resign(),
    "menu_settings": "settings",
    "menu_rules": "rules",
    "menu_leave": "key_leave",
}
"""The menu's entries and what each does."""
IN_GAME: Final = frozenset({"menu_say", "menu_offer", "menu_accept", "menu_resign"})
"""Those that need somebody at the other side."""


class FullTable:
    """The same place as `ui.line.LineTable`, on a whole screen. `keep` is given settings that the person changed.

    Whatever happens is shown one thing after the other, and a decision is asked for once all of it has been seen.
    """

    def __init__(
        self,
        settings: Settings,
        keep: Callable[[Settings], None],
        *,
        ascii_only: bool | None = None,
        bell: bool = True,
        advise: Advise | None = None,
    ) -> None:
        self._screen = Screen(ascii_only=settings.ascii if ascii_only is None else ascii_only)
        self._bell = bell
        self._advise = advise
        self._advised: Choosing | None = None
        """The decision for which hints are being worked out."""
        self.scene = Scene(ascii_only=self._screen.ascii_only)
        self.app = GameApp(self.scene, settings, keep, self._command, ascii_only=ascii_only, hints=advise is not None)
        self._remarks: asyncio.Queue[Remark] = asyncio.Queue()
        self._called = True
        """Whether the person is to be called when it is their turn: the other side has had its own."""
        self._overview: Callable[[int], Drawing] | None = None
        self._to_read: list[Reading] = []
        """How the game came out, and its stages: what is asked next waits until that has been put away."""
        self._last: deque[Later] = deque(maxlen=LAST_WORDS)
        self._gone = False

    @property
    def attended(self) -> bool:
        return True

    # What the session tells.

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        async def show() -> None:
            shown = self.scene.begin(game, names, me, state).seating.names
            self._called, self._overview = True, None
            about = {"game": game.NAME, "options": dict(game.settings)}
            if me is not None:
                self.scene.tell(later("playing", me=shown[me], other=shown[1 - me], **about), self.app.ink.strong)
            self.app.redraw()

        self._last.clear()
        self._enqueue(show)

    def told(self, code: str, /, **details: object) -> None:
        """Add the sentence of `code` to what has happened."""
        ending = later(ENDINGS[code], **details) if code in ENDINGS else None
        text = later("full_offered" if code == "offered" else code, **details)
        if self._gone:
            (self._screen.quote if code == "chat" else self._screen.show)(str(text))
            return
        if code != "chat":
            self._last.append(text)

        async def show() -> None:
            self.scene.connection = LINKS.get(code, self.scene.connection)
            style = self.app.ink.strong if code in ("chat", "offered") else ""
            self.scene.tell(text, style, said=code == "chat")
            if ending:
                self.scene.end(ending)
                self.app.show_choosing()
            self.app.show("story", "status", "title")

        self._enqueue(show)

    def drew(self, draw: Drew) -> None:
        """Keep why the draw is fair, for whoever asks."""

        async def show() -> None:
            self.scene.draw = draw

        self._enqueue(show)

    def stepped(self, before: State, step: Step, after: State) -> None:
        """Show what happened, as it happens."""
        self._enqueue(lambda: self._step(before, step, after))

    def thinks(self, name: str | None) -> None:
        async def show() -> None:
            self.app.show("status")

        if name != self.scene.thinking:
            self.scene.thinking = name
            self._enqueue(show)

    async def _step(self, before: State, step: Step, after: State) -> None:
        scene, app, pace = self.scene, self.app, FRAME[self.app.settings.speed]
        game = scene.game
        if pace:
            for frame in game.spread.falling(before, step, after):
                game.state = frame
                app.show("board")
                await asyncio.sleep(pace)
        game.state = after

        def view() -> StepView:
            return step_view(game.table, scene.seating(game), before, step, after)

        shown = view()
        if shown.news:
            scene.tell(Later(lambda: view().news))
        app.show("board", "scores", "story", "status", "title")
        self._called |= shown.calls
        if shown.result:
            result = Later(lambda: view().result)
            self._last.append(result)
            scene.end(result)
            scene.tell(result, app.ink.strong)
            app.show("board", "story", "status", "title")
            self._to_read.append(app.read("panel_ending", app.final_scores))
        if came_out := self._came_out(before, step):
            # over the ending, which it comes before
            self._overview = came_out
            self._to_read.append(app.read(scene.own("overview"), came_out))
        if pace and shown.news and not scene.is_mine and not scene.is_over:
            await asyncio.sleep(pace * HOLD)

    def _came_out(self, before: State, step: Step) -> Callable[[int], Drawing] | None:
        """How to draw the way the stage came out that `step` ended; None where it ended none."""
        scene = self.scene
        game = scene.game

        def drawn(width: int) -> Drawing:
            return Drawing(game.spread.overview(before, step, scene.seating(game), self.app.paper(width)))

        return drawn if drawn(OVERVIEW).lines else None

    # What the session asks.

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        scene = self.scene
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def ask() -> None:
            scene.game.state, scene.hint = state, None
            scene.choosing = Choosing(partial(self._offered, state, player, legal), answer)
            if self._called and self._bell and self.app.settings.bell:
                self.app.bell()
            self._called = False
            self.app.show("scores")
            self.app.show_choosing()

        async def withdraw() -> None:
            if scene.choosing and scene.choosing.answer is answer:
                scene.choosing = None
            self.app.show_choosing()

        self._enqueue(ask)
        try:
            return await answer
        finally:
            answer.cancel()
            self._enqueue(withdraw)

    def _offered(self, state: State, player: int, legal: Sequence[str]) -> Sequence[tuple[parts.Offer, str]]:
        """What is open to `player`, with what each choice means."""
        game = self.scene.game
        words = {choice.action: choice.words for choice in game.table.choices(state, player, legal, game.seating)}
        return [(offer, words[offer.action]) for offer in game.spread.offers(state, player, legal, game.seating)]

    async def confirm(self, code: str, /, **details: object) -> bool:
        text = later(code, **details)
        sure = await self._laid(lambda: Question(text, self.app.ink, whole_word=code in DELIBERATE))
        return bool(sure)

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str:  # noqa: ARG002
        text = later(code, **details)
        enter = "ask_enter_answer"
        return await self._laid(lambda: Typing(text, self.app.ink, MAX_CHAT, enter=enter)) or ""

    async def _laid(self, dialog: Callable[[], ModalScreen[_T]]) -> _T | None:
        """What the dialog gives that is laid over the table once all that happened before has been seen."""
        answer: asyncio.Future[_T | None] = asyncio.get_running_loop().create_future()
        screen: list[ModalScreen[_T]] = []

        def answered(value: _T | None) -> None:
            if not answer.done():
                answer.set_result(value)

        async def show() -> None:
            if not answer.done():
                screen.append(dialog())
                await self.app.push_screen(screen[0], answered)

        async def withdraw() -> None:
            # what lies over it can all be laid there again
            while screen and screen[0] in self.app.screen_stack:
                await self.app.pop_screen()

        try:
            await self._read_through()
            self._enqueue(show)
            return await answer
        finally:
            answer.cancel()
            self._enqueue(withdraw)

    async def _read_through(self) -> None:
        """Let the person put away what came out."""
        await self.app.events.join()
        for reading in self._to_read:
            await reading.put_away.wait()
        self._to_read.clear()

    async def remark(self) -> Remark:
        return await self._remarks.get()

    # What the person asks for.

    async def _command(self, code: str) -> None:
        app, scene = self.app, self.scene
        match code:
            case "key_menu":
                entries = [entry for entry in MENU if scene.is_playing or entry not in IN_GAME]
                app.push_screen(Menu(entries, app.ink), self._menu)
            case "key_overview":
                app.read_overview(self._overview)
            case "key_say" if scene.is_playing:
                app.push_screen(Typing(later("ask_say", name=scene.other), app.ink, MAX_CHAT), self._say)
            case "key_hint":
                await self._hint()
            case "key_leave":
                question = "full_leave" if scene.is_playing else "full_leave_over"
                app.push_screen(Question(later(question), app.ink), self._leave)
            case _:
                app.read_part(code)

    async def _hint(self) -> None:
        """Have hints for the open decision worked out, where there are any; the table is not held up meanwhile."""
        app, scene = self.app, self.scene
        if self._advise is None:
            app.tell("panel_hints", later("hints_refused"))
        elif scene.choosing is None:
            scene.hint = later("hint_not_yet")
        else:
            scene.hint = AWAITED
            if self._advised is not scene.choosing:
                self._advised = scene.choosing
                app.run_worker(self._show_hints(self._advise, scene.choosing))
        app.show("status")

    async def _show_hints(self, advise: Advise, choosing: Choosing) -> None:
        """Lay hints over the table, if that decision is still open by then and nothing else lies there."""
        app, scene = self.app, self.scene
        game = scene.game
        text, worth = await advised(advise, game.state, game.seating.near, game.seating)
        if self._advised is choosing:
            self._advised = None
            if scene.hint is AWAITED:
                scene.hint = None
                app.show("status")
        if scene.choosing is choosing and len(app.screen_stack) == 1:
            keys = {offer.action: offer.keys[0] for offer in choosing.offers}
            found = hints(worth, list(map(Choice, keys, map(scene.fit, choosing.words))))
            app.read("panel_hints", lambda width: Drawing(hint_lines(scene.fit(text), found, width, app.ink, keys)))

    def _menu(self, entry: str | None) -> None:
        action = MENU.get(entry or "")
        app = self.app
        match action:
            case Resign():
                app.push_screen(Question(later("full_resign", name=self.scene.other), app.ink), self._resign)
            case str():
                app.call_later(self._command, action)
            case Offer() | Accept():
                self._remarks.put_nowait(action)

    def _say(self, text: str | None) -> None:
        if clean := cleaned(text or "", MAX_CHAT, ""):
            self._remarks.put_nowait(Say(clean))

    def _resign(self, sure: bool | None) -> None:
        if sure:
            self._remarks.put_nowait(Resign())

    def _leave(self, sure: bool | None) -> None:
        if sure:
            self.app.exit()

    def _enqueue(self, event: Callable[[], Awaitable[None]]) -> None:
        self.app.events.put_nowait(event)

    # From beginning to end.

    async def attend(self, session: Coroutine[Any, Any, int]) -> int:
        """Run `session` at this table. The terminal is left as it was found, whatever happens.

        Leaving the screen ends the session as Ctrl-C does. A session that ends by itself leaves the screen standing
        until the person has seen it.
        """
        showing = asyncio.create_task(self.app.run_async())
        playing = asyncio.create_task(session)
        try:
            await asyncio.wait({showing, playing}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done() and not showing.done() and not playing.exception():
                await self._farewell(showing)
        except asyncio.CancelledError:
            pass  # the system asks us to end, which is as if the person had left
        finally:
            playing.cancel()
            # at once: the session may have farewells to say that take their time
            self.app.exit()
            await ended(showing, playing)
            self._gone = True
            if self._last:
                self._screen.show(*map(str, self._last))
        showing.result()
        return playing.result()

    async def _farewell(self, showing: "asyncio.Task[None]") -> None:
        """Let the person see how it ended."""
        lines = list(self._last)

        async def close() -> None:
            scene = self.scene
            scene.connection = "closed"
            scene.end(scene.ending or later("full_closed"))
            self.app.show_choosing()

        self._enqueue(close)
        closing = asyncio.create_task(
            self._laid(
                lambda: Reading(
                    "full_closed", lambda w: self.app.paragraphs(lines, w), self.app.ink, "panel_closed_soon"
                )
            )
        )
        await asyncio.wait({showing, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        await asyncio.wait({closing})
