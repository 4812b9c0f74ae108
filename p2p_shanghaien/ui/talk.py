"""One line of input, shared by the question that is asked and by what a person says besides."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.session.participant import Accept, Offer, Remark, Resign, Say
from p2p_shanghaien.text import MAX_CHAT, cleaned
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.reading import InputEnded, Reader
from p2p_shanghaien.ui.words import is_typed, say, typed

SOON: Final = 0.3
"""Seconds without a prompt after an answer: the next question often comes at once."""


class Word(StrEnum):
    """What can be said besides answering, as the code of the word that is typed."""

    SAY = "word_say"
    RESIGN = "word_resign"
    OFFER = "word_offer"
    ACCEPT = "word_accept"
    LEAVE = "word_leave"


REMARKS: Final[dict[Word, Remark]] = {Word.RESIGN: Resign(), Word.OFFER: Offer(), Word.ACCEPT: Accept()}
"""What words mean that stand alone. Leaving is no remark: it is a Quit."""


class Request(NamedTuple):
    """Somebody waits for a line, or for a remark."""

    prompt: str
    offers: Sequence[str]
    line: "asyncio.Future[str]"


def words() -> tuple[str, ...]:
    """The words as they are typed."""
    return tuple(word for code in Word for word in typed(code))


def spoken(text: str) -> tuple[Word, str] | None:
    """The word that `text` begins with, and what stands behind it."""
    first, _, rest = text.partition(" ")
    return next(((word, rest.strip()) for word in Word if is_typed(first, word)), None)


def begins_remark(draft: str) -> bool:
    """Whether somebody who has typed so much is about to say something besides."""
    typed = draft.lstrip().casefold()
    return bool(typed) and (spoken(typed) is not None or any(word.startswith(typed) for word in words()))


class Talk:
    """Reads lines as long as somebody waits for them, and hands each to whom it is meant for.

    A line typed while nothing is asked never answers a later question: it is refused where a person sees that. From a
    pipe, where nobody does, it waits for the question. `tell` shows a sentence; `aside` deals with what may be typed
    at any time, and says whether it was that.
    """

    def __init__(self, reader: Reader, tell: Callable[[str], None], aside: Callable[[str], bool]) -> None:
        self._reader = reader
        self._tell = tell
        self._aside = aside
        self._question: Request | None = None
        self._waiting: Request | None = None
        """Where remarks are waited for, with the prompt that stands while nothing is asked."""
        self._remarks: deque[Remark] = deque()
        self._kept: deque[str | Quit] = deque()
        """What came from a pipe before it was asked for."""
        self._asked = asyncio.Event()
        self._typing = False
        """That a line for whoever waits is being typed."""
        self._reading: asyncio.Task[None] | None = None
        self._hurried = False
        """That an answer has just been given."""
        self.is_on = False
        """Whether remarks are listened to."""

    def stop(self) -> None:
        """From now on the words mean nothing, until remarks are waited for again; what was said last is dropped."""
        self.is_on = False
        self._remarks.clear()

    async def answer(self, prompt: str, offers: Sequence[str]) -> str:
        """The next line that is no remark. Raises Quit. May be cancelled."""
        self._question = Request(prompt, offers, asyncio.get_running_loop().create_future())
        self._asked.set()
        self._show_prompt()
        try:
            return await self._read_for(self._question)
        finally:
            self._question = None
            await self._settle()

    async def remark(self, prompt: str, offers: Sequence[str]) -> Remark:
        """What is said next, with `prompt` standing while nothing is asked. Raises Quit. May be cancelled."""
        if self._remarks:
            return self._remarks.popleft()
        self._hurried = self._hurried or not self.is_on
        self.is_on = True
        self._waiting = Request(prompt, offers, asyncio.get_running_loop().create_future())
        try:
            await self._read_for(self._waiting)
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._waiting = None
            await self._settle()
        return self._remarks.popleft()

    async def _read_for(self, request: Request) -> str:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        return await request.line

    @property
    def _open(self) -> Request | None:
        """Whoever gets the next line: the question before all."""
        return next((each for each in (self._question, self._waiting) if each and not each.line.done()), None)

    def _show_prompt(self) -> None:
        """Have the line under way typed at the prompt of whoever gets it now."""
        if self._typing and (request := self._open):
            self._reader.ask(request.prompt, request.offers)

    async def _settle(self) -> None:
        """Stop reading if nobody waits for a line any more."""
        if self._open:
            self._show_prompt()
        elif self._reading:
            reading, self._reading = self._reading, None
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading

    async def _read(self) -> None:
        """Hand out lines until nobody waits. Whatever goes wrong goes to whoever waits."""
        while request := self._open:
            try:
                await self._hand_out(request)
            except Exception as error:  # noqa: BLE001 - it is raised where the line is waited for
                if waiting := self._open:
                    waiting.line.set_exception(error)

    async def _hand_out(self, request: Request) -> None:
        if request is not self._question and (self._hurried or self._kept):
            self._hurried = False
            self._asked.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), None if self._kept else SOON)
            return
        await self._dispatch(self._kept.popleft() if self._kept else await self._line(request))

    async def _line(self, request: Request) -> str | Quit:
        """What is typed next, or that there will be nothing more. Raises Quit where somebody says so."""
        self._typing = True
        try:
            return await self._reader.read(request.prompt, request.offers)
        except InputEnded as end:
            return end
        finally:
            self._typing = False

    async def _dispatch(self, line: str | Quit) -> None:
        question = self._question if self._open is self._question else None
        if isinstance(line, str) and self.is_on and (heard := spoken(line)):
            await self._hear(*heard)
        elif question:
            if isinstance(line, Quit):
                raise line
            self._hurried = True
            question.line.set_result(line)
        elif not self._reader.interactive:
            self._kept.append(line)
        elif isinstance(line, Quit):
            raise line
        elif line and not self._aside(line):
            self._tell(say("wait_for_turn"))

    async def _hear(self, word: Word, text: str) -> None:
        """Take a remark, if it makes sense and is meant."""
        clean = cleaned(text, MAX_CHAT, "")
        if word == Word.SAY and not clean:
            self._tell(say("say_what"))
        elif word != Word.SAY and text:
            self._tell(say("word_alone", word=say(word)))
        elif word == Word.LEAVE:
            raise Quit
        elif word == Word.RESIGN and not await self._is_sure():
            self._tell(say("not_resigned"))
        else:
            self._remarks.append(Say(clean) if word == Word.SAY else REMARKS[word])
            if self._waiting and not self._waiting.line.done():
                self._waiting.line.set_result("")

    async def _is_sure(self) -> bool:
        """Whether the person says so once more; whatever else is typed means no."""
        asked = Confirmation.of("ask_resign")
        return asked.answer(await self._reader.read(str(asked.question), asked.words)) is True
