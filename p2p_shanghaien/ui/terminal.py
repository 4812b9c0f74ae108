"""Reading at a terminal, with editing, history and completion."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import suspend_to_background_supported

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.ui.reading import discard


class TerminalReader:
    """The `ui.reading.Reader` for a user at a terminal."""

    is_interactive = True

    def __init__(self) -> None:
        self._completions: Sequence[str] = ()
        self._found: list[Any] = []
        """The terminal's settings as they were before the prompt."""
        # Completions are listed as a shell does: a menu would keep lines free below and push the table off the screen.
        # Without a menu nothing depends on where the cursor is, so the terminal is not asked (not all of them answer).
        self._session: PromptSession[str] = PromptSession(
            completer=WordCompleter(lambda: [*self._completions], sentence=True),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            key_bindings=self._keys(),
        )
        self._session.app.renderer.cpr_support = CPR_Support.NOT_SUPPORTED
        self._accept = self._session.default_buffer.accept_handler
        self._session.default_buffer.accept_handler = self._accepted
        self._prompt = ""
        self._questions = 0
        self._accepted_in = 0
        """The number of questions asked when Enter was pressed."""

    @property
    def draft(self) -> str:
        return self._session.default_buffer.text if self._session.app.is_running else ""

    def forget(self) -> None:
        self._questions += 1
        clear_typeahead(self._session.app.input)
        discard(sys.stdin.fileno())
        self._session.default_buffer.reset()

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> None:
        # prompt_toolkit underlines a non-breaking space
        self._prompt, self._completions = prompt.replace("\xa0", " "), completions
        self._session.app.invalidate()

    async def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        self.ask(prompt, completions)
        if suspend_to_background_supported():
            import termios  # noqa: PLC0415 - not on every system

            self._found = termios.tcgetattr(sys.stdin)
        while True:
            with patch_stdout(raw=True):
                line = await self._withdrawable(self._line())
            if self._accepted_in == self._questions:
                return line.strip()

    async def _line(self) -> str:
        try:
            # Ctrl-C is a key here; a signal is for the process that runs the program
            return await self._session.prompt_async(lambda: self._prompt, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            raise Quit from None

    async def _withdrawable(self, line: Coroutine[None, None, str]) -> str:
        """Return the next line. If it is no longer wanted, the prompt is removed from the screen."""
        self._session.app.erase_when_done = False
        typing = asyncio.create_task(line)
        try:
            return await asyncio.shield(typing)
        except asyncio.CancelledError:
            self._session.app.erase_when_done = True
            typing.cancel()
            with suppress(asyncio.CancelledError, Quit):
                await typing
            raise

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-z", filter=Condition(suspend_to_background_supported))
        def _(event: KeyPressEvent) -> None:  # noqa: ARG001
            run_in_terminal(self._suspend)

        return keys

    def _suspend(self) -> None:
        """Restore the terminal, and stop until the shell continues us; then the prompt is drawn again."""
        import termios  # noqa: PLC0415 - not on every system

        # not left to the library, which keeps some of its own settings (Ctrl-S no longer holds the output, for one)
        termios.tcsetattr(sys.stdin, termios.TCSANOW, self._found)
        os.kill(0, signal.SIGTSTP)  # like a terminal: everything that the shell has started with us

    def _accepted(self, buffer: Buffer) -> bool:
        self._accepted_in = self._questions
        return self._accept(buffer) if self._accept else True
