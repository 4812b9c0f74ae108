"""Typed lines: what they mean, and how the current question and commands of the user share them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.text import MAX_CHAT, cleaned
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.reading import InputEnded, Reader
from p2p_shanghaien.ui.view import Choice
from p2p_shanghaien.ui.words import is_typed, say, typed

_Code = TypeVar("_Code", bound=str)

HELP: Final = "?"
QUIT: Final = "word_quit"
"""The code of the words that leave wherever a line is read."""
SOON: Final = 0.3
"""Seconds without a prompt after an answer: the next question often follows at once."""


class Word(StrEnum):
    """A command besides answers, as the code of the word that is typed."""

    SAY = "word_say"
    RESIGN = "word_resign"
    OFFER = "word_offer"
    ACCEPT = "word_accept"
    LEAVE = "word_leave"


COMMANDS: Final[dict[Word, Command]] = {Word.RESIGN: Resign(), Word.OFFER: Offer(), Word.ACCEPT: Accept()}
"""Words that are complete commands. Leaving is not a command: it is a Quit."""


class Request(NamedTuple):
    """A request for an answer or for a command; `actions` are answers even where they are commands as well."""

    prompt: str
    completions: Sequence[str]
    line: "asyncio.Future[str]"
    actions: Sequence[str] = ()


def words() -> tuple[str, ...]:
    """Return the commands as they are typed."""
    return tuple(word for code in Word for word in typed(code))


def named(text: str, codes: Iterable[_Code]) -> _Code | None:
    """Return the one of `codes` that has `text` among its words, if any."""
    return next((code for code in codes if is_typed(text, code)), None)


def chosen(text: str, choices: Sequence[Choice], *, numbered: bool = True) -> str | None:
    """Return the action that `text` means: a number in a numbered list, or a spelling in capital or small letters."""
    if numbered and is_number(text):
        number = int(text[:4])
        return choices[number - 1].action if 0 < number <= len(choices) else None
    folded = " ".join(text.split()).casefold()
    for choice in choices:
        if folded in {spelling.casefold() for spelling in (choice.action, choice.key, *choice.spellings) if spelling}:
            return choice.action
    return None


def is_number(text: str) -> bool:
    """Return whether `text` is a number in a list."""
    return text.isascii() and text.isdecimal()


def asks_help(text: str) -> bool:
    """Return whether `text` asks what may be typed."""
    return text == HELP or is_typed(text, "word_help")


def always() -> tuple[str, ...]:
    """Return what may be typed wherever a line is read."""
    return (HELP, *typed("word_help"), *typed(QUIT))


def spoken(text: str) -> tuple[Word, str] | None:
    """Return the command at the beginning of `text`, and the rest."""
    first, _, rest = text.partition(" ")
    word = named(first, Word)
    return (word, rest.strip()) if word else None


def begins_command(draft: str, others: Iterable[str] = ()) -> bool:
    """Return whether this input may be the beginning of a command, or of one of the `others` and what follows it."""
    typed = draft.lstrip().casefold()
    first, spaced, _ = typed.partition(" ")
    known = (*words(), *others)
    return bool(typed) and (
        spoken(typed) is not None or any(word == first if spaced else word.startswith(first) for word in known)
    )


class CommandInput:
    """A reader of lines, as long as any are requested, which hands each to its request.

    A line typed without a question never answers a later one: it is refused if a person sees that. From a pipe it waits
    for the question. `tell` shows a sentence; `aside` handles input that is allowed at any time, and returns whether it
    was that; `stray` does what is to be done with any other that comes without a question. Words for leaving are not
    handed out: they are a Quit.
    """

    def __init__(
        self,
        reader: Reader,
        tell: Callable[[str], None],
        aside: Callable[[str], bool],
        stray: Callable[[str], None],
    ) -> None:
        self._reader = reader
        self._tell = tell
        self._aside = aside
        self._stray = stray
        self._question: Request | None = None
        self._waiting: Request | None = None
        """The request for commands, with the prompt that is shown without a question."""
        self._commands: deque[Command] = deque()
        self._kept: deque[str | Quit] = deque()
        """Lines that came from a pipe before they were asked for."""
        self._asked = asyncio.Event()
        self._typing = False
        """The task that reads a line for the current request."""
        self._reading: asyncio.Task[None] | None = None
        self._hurried = False
        """The signal that an answer has just been given."""
        self.is_on = False
        """True while commands are accepted."""

    def stop(self) -> None:
        """Accept no commands until they are requested again, and drop the last one."""
        self.is_on = False
        self._commands.clear()

    async def answer(self, prompt: str, completions: Sequence[str], actions: Sequence[str] = ()) -> str:
        """Return the next line that is one of `actions`, or no command. Raises Quit. May be cancelled."""
        self._question = Request(prompt, completions, asyncio.get_running_loop().create_future(), actions)
        self._asked.set()
        self._show_prompt()
        try:
            return await self._read_for(self._question)
        finally:
            self._question = None
            await self._settle()

    async def command(self, prompt: str, completions: Sequence[str]) -> Command:
        """Return the next command, with `prompt` shown while there is no question. Raises Quit. May be cancelled."""
        if self._commands:
            return self._commands.popleft()
        self._hurried = self._hurried or not self.is_on
        self.is_on = True
        self._waiting = Request(prompt, completions, asyncio.get_running_loop().create_future())
        try:
            await self._read_for(self._waiting)
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._waiting = None
            await self._settle()
        return self._commands.popleft()

    async def _read_for(self, request: Request) -> str:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        return await request.line

    @property
    def _open(self) -> Request | None:
        """The request for the next line: the question before all."""
        return next((each for each in (self._question, self._waiting) if each and not each.line.done()), None)

    def _show_prompt(self) -> None:
        """Show the prompt of the current request for the line being typed."""
        if self._typing and (request := self._open):
            self._reader.ask(request.prompt, request.completions)

    async def _settle(self) -> None:
        """Stop reading if no request is left."""
        if self._open:
            self._show_prompt()
        elif self._reading:
            reading, self._reading = self._reading, None
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading

    async def _read(self) -> None:
        """Hand out lines until no request is left. Exceptions go to the current request."""
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
        """Return the next line, or that there will be no more. Raises Quit if the user asks for it."""
        self._typing = True
        try:
            line = await self._reader.read(request.prompt, request.completions)
        except InputEnded as end:
            return end
        finally:
            self._typing = False
        return Quit() if is_typed(line, QUIT) else line

    async def _dispatch(self, line: str | Quit) -> None:
        question = self._question if self._open is self._question else None
        acts = question and isinstance(line, str) and line.casefold() in question.actions
        if isinstance(line, str) and self.is_on and not acts and (heard := spoken(line)):
            await self._hear(*heard)
        elif question:
            if isinstance(line, Quit):
                raise line
            self._hurried = True
            question.line.set_result(line)
        elif not self._reader.is_interactive:
            self._kept.append(line)
        elif isinstance(line, Quit):
            raise line
        elif line and not self._aside(line):
            self._stray(line)

    async def _hear(self, word: Word, text: str) -> None:
        """Take a command, if it is valid and confirmed."""
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
            self._commands.append(Chat(clean) if word == Word.SAY else COMMANDS[word])
            if self._waiting and not self._waiting.line.done():
                self._waiting.line.set_result("")

    async def _is_sure(self) -> bool:
        """Return whether the user confirms; anything else than yes means no. Raises Quit."""
        asked = Confirmation.of("ask_resign")
        while asks_help(text := await self._reader.read(str(asked.question), asked.words)):
            self._tell(say("yes_or_no"))
        if is_typed(text, QUIT):
            raise Quit
        return asked.answer(text) is True
