"""A person's place at a full-screen table: what the session tells goes to the screen, what is decided comes back."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from textual.screen import ModalScreen

from p2p_shanghaien.errors import TakeBack
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Game, State, Step, Transition, deciders
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.text import MAX_CHAT
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, InputDialog, TextDialog, told_lines
from p2p_shanghaien.ui.full.ending import EndSheet
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.theme import FRAME, HOLD
from p2p_shanghaien.ui.plain import write
from p2p_shanghaien.ui.presenter import CHOICES, Confirmation, Sentence, Tone, sentence
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.turn_call import TurnCall, call_sequence
from p2p_shanghaien.ui.words import Later, later
from p2p_shanghaien.waiting import ended

_T = TypeVar("_T")
_With: TypeAlias = Callable[[_T], Awaitable[None] | None]

LAST_WORDS: Final = 3
"""Sentences that are said again on the normal screen, once the full one is left."""

VISITORS: Final = "turned_away_"
"""The beginning of the codes of news about visitors, which are not said again at the end: anybody can cause them."""

OTHERWISE: Final = {"offered": "full_offered", "practice_begins": "full_practice_begins"}
"""News that the full screen tells in other words, since they name its keys."""


class FullTable:
    """The same place as `ui.plain.PlainTable`, on the whole screen of `app`.

    Whatever happens is shown one thing after the other, and a decision is asked for once all of it has been seen.
    """

    def __init__(self, app: GameApp, *, bell: bool = True, call: TurnCall | None = None) -> None:
        self.app = app
        self.presenter = app.presenter
        self._enqueue = app.events.put_nowait
        self._bell = bell
        self._call = call or TurnCall()
        self._to_read: list[TextDialog] = []
        """Outcomes of the game's stages: the next question waits until they have been closed."""
        self._sheet: EndSheet | None = None
        """The end of the game, once that has come."""
        self._declined = False
        """True if the person said no at the end of a game, and so needs no farewell."""
        self._last: deque[Sentence] = deque(maxlen=LAST_WORDS)
        self._gone = False

    @property
    def is_interactive(self) -> bool:
        return True

    # What the session tells.

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        async def show() -> None:
            await self._put_away_end()
            self.app.story.add(self.presenter.begun(game, names, me, state))
            self.app.choosing = None
            self.app.redraw()

        self._last.clear()
        self._declined = False
        self._enqueue(show)

    def notify(self, code: str, /, **details: object) -> None:
        """Add the sentence of `code` to what has happened."""
        code = OTHERWISE.get(code, code)
        said = sentence(code, **details)
        if self._gone:
            self._write(said)
            return
        if said.tone != Tone.CHAT and not code.startswith(VISITORS):
            self._last.append(said)

        def show() -> None:
            link = self.presenter.connection
            self.app.story.add(self.presenter.notify(code, **details))
            if self.presenter.connection != link:
                self.app.show("keys")  # not every table has all of them
            if self.presenter.ending:
                self.app.open(None)
            if code in CHOICES:
                self.app.show("board")
            self.app.show("story", "status", "title")

        self._enqueue(show)

    def drew(self, draw: Drew, ours: bool) -> None:
        self._enqueue(partial(self.presenter.drew, draw, ours))

    def thinks(self, name: str | None) -> None:
        if name != self.presenter.thinking:
            self.presenter.thinking = name
            self._enqueue(partial(self.app.show, "status"))

    def stepped(self, before: State, step: Step, after: State) -> None:
        """Show what happened, as it happens."""
        self._enqueue(partial(self._step, before, step, after))

    async def _step(self, before: State, step: Step, after: State) -> None:
        presenter, app, pace = self.presenter, self.app, FRAME[self.app.settings.speed]
        if pace:
            for frame in presenter.game.board_view.frames(before, step, after):
                if frame is not presenter.game.state:
                    presenter.lay(frame)
                    app.show("board")
                await asyncio.sleep(pace)
        shown = presenter.stepped(before, step, after)
        app.story.add(*shown.told)
        if shown.result:
            self._last.append(shown.result)
            app.story.add(shown.result)
            app.open(None)
            if app.HAS_END:
                self._sheet = app.show_end()
        app.show("board", "scores", "story", "status", "title")
        if shown.stage and not shown.result:
            self._to_read.append(app.read_overview(shown.stage))
        if pace and shown.told and not shown.result and presenter.game.viewpoint.near not in deciders(after.node):
            await asyncio.sleep(pace * HOLD)

    def taken_back(self, earlier: Sequence[Transition], state: State) -> None:
        async def show() -> None:
            await self._put_away_end()
            self.app.story.add(self.presenter.taken_back(earlier, state))
            self.app.redraw()

        self._last.clear()
        self._enqueue(show)

    # What the session asks.

    async def decide(self, state: State, player: int) -> str:
        app, presenter = self.app, self.presenter

        def ask(answer: "asyncio.Future[str]") -> None:
            if presenter.begin_decision(state) and self._call.is_due():
                if self._bell and app.settings.bell:
                    app.send(call_sequence(presenter.game))
                self._call.run(presenter.game, self.notify)
            app.open(Choosing(presenter, state, player, answer))
            app.show("scores")

        def withdraw(answer: "asyncio.Future[str]") -> None:
            if app.choosing and app.choosing.answer is answer:
                app.open(None)

        try:
            return await self._answered(ask, withdraw)
        finally:
            self._call.answered()

    async def confirm(self, code: str, /, **details: object) -> bool:
        await self._shown()  # the end of a game, too
        asked = Confirmation.of(code, **details)
        if self._sheet and not self._sheet.put_away.is_set() and not asked.is_deliberate:
            answer = await self._ask_at_the_end(asked)
        else:
            answer = await self._laid(lambda: ConfirmDialog(asked))
        if answer is None and asked.takes_back:
            raise TakeBack
        return answer or False

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        told = self.presenter.criticism(mistake)
        self._enqueue(partial(self.app.story.add, *told))
        if takes_back:
            asked = Confirmation.of("tutor_take_back")
            return await self._laid(lambda: ConfirmDialog(asked, told)) or False
        told = [*told, sentence("tutor_signed")]
        await self._laid(lambda: TextDialog("panel_tutor", lambda width: told_lines(told, self.app.canvas(width))))
        return False

    async def ask(self, code: str, /, completions: Sequence[str] = (), **details: object) -> str:  # noqa: ARG002
        text = later(code, **details)
        return await self._laid(lambda: InputDialog(text, MAX_CHAT, enter="ask_enter_answer")) or ""

    async def rematch(self) -> bool:
        meant = await self._ask_at_the_end(Confirmation.of("play_again", result=self.presenter.ending))
        if meant:
            self._enqueue(self._put_away_end)
        return meant or False

    async def _ask_at_the_end(self, asked: Confirmation) -> bool | None:
        """Ask a question of yes or no below the end of the game, which stays there to be read.

        None if the last decision is taken back instead.
        """
        sheet: list[EndSheet] = []

        def show(answer: "asyncio.Future[bool | None]") -> None:
            def answered(meant: bool | None) -> None:
                if not answer.done():
                    answer.set_result(meant)

            sheet.append(self._end())
            sheet[0].ask(asked, answered)

        def withdraw(_: "asyncio.Future[bool | None]") -> None:
            for each in sheet:
                each.withdraw()

        await self._shown()
        meant = await self._answered(show, withdraw)
        self._declined = meant is False
        return meant

    def _end(self) -> EndSheet:
        """Return the sheet on the end of the game, laid over the table once more if it has been put away."""
        if self._sheet is None or self._sheet.put_away.is_set():
            self._sheet = self.app.show_end()
        return self._sheet

    async def _put_away_end(self) -> None:
        if self._sheet:
            await self._put_away(self._sheet)
        self._sheet = None

    async def command(self) -> Command:
        return await self.app.commands.get()

    async def _laid(self, dialog: Callable[[], ModalScreen[_T]]) -> _T | None:
        """Return the result of a dialog, opened once all events before it have been shown."""
        laid: list[ModalScreen[_T]] = []

        async def show(answer: "asyncio.Future[_T | None]") -> None:
            def answered(value: _T | None) -> None:
                if not answer.done():
                    answer.set_result(value)

            laid.append(dialog())
            await self.app.push_screen(laid[0], answered)

        async def withdraw(_: "asyncio.Future[_T | None]") -> None:
            for each in laid:
                await self._put_away(each)

        await self._shown()
        return await self._answered(show, withdraw)

    async def _shown(self) -> None:
        """Wait until everything that has happened has been shown, and read."""
        await self.app.events.join()
        for reading in self._to_read:
            await reading.put_away.wait()
        self._to_read.clear()

    async def _put_away(self, dialog: ModalScreen[Any]) -> None:
        # what lies over it can all be laid there again
        while dialog in self.app.screen_stack:
            await self.app.pop_screen()

    async def _answered(self, show: "_With[asyncio.Future[_T]]", withdraw: "_With[asyncio.Future[_T]]") -> _T:
        """Return the answer that `show` asks for, in its turn; `withdraw` takes that back, answered or not."""
        answer: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._enqueue(lambda: None if answer.done() else show(answer))
        try:
            return await answer
        finally:
            answer.cancel()
            self._enqueue(partial(withdraw, answer))

    # From beginning to end.

    async def run_session(self, session: Coroutine[Any, Any, int]) -> int:
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
            await self.app.stop_replay()
            # at once: the session may have farewells to say that take their time
            self.app.exit()
            await ended(showing, playing)
            self._gone = True
            for said in self._last:
                self._write(said)
        showing.result()
        return playing.result()

    def _write(self, said: Sentence) -> None:
        """Write a sentence on the normal screen, in the characters that are set now."""
        write(Screen(ascii_only=self.app.charset.ascii_only), said)

    async def _farewell(self, showing: "asyncio.Task[None]") -> None:
        """Let the person see how it ended, unless they have, and have said that they have had enough."""
        if self._declined:
            return
        lines = [said.words for said in self._last]

        def close() -> None:
            self.presenter.connection = "closed"
            self.presenter.end(self.presenter.ending or later("full_closed"))
            self.app.open(None)

        self._enqueue(close)
        closing = asyncio.create_task(self._closing(lines))
        await asyncio.wait({showing, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        await asyncio.wait({closing})

    async def _closing(self, lines: Sequence[str | Later]) -> None:
        """Wait until these lines have been read, on the sheet on the end of the game if that is still looked at."""
        await self._shown()
        if (sheet := self._sheet) and not sheet.put_away.is_set():
            sheet.bid_farewell(lines)
            await sheet.put_away.wait()
        else:
            await self._laid(
                lambda: TextDialog("full_closed", lambda w: self.app.paragraphs(lines, w), "panel_closed_soon")
            )
