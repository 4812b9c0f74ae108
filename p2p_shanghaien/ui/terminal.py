"""Reading at a terminal, with editing, history and completion."""

import sys
from collections.abc import Iterator, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.shortcuts import CompleteStyle

from p2p_shanghaien.ui.reading import Quit, discard


class TerminalReader:
    """The `ui.reading.Reader` of a person at a terminal."""

    interactive = True

    def __init__(self) -> None:
        self._offers = Offers()
        # Completions are listed as a shell does: a menu would keep lines free below and push the table off the screen.
        # Without a menu nothing depends on where the cursor is, so the terminal is not asked (not all of them answer).
        self._session: PromptSession[str] = PromptSession(
            completer=self._offers, complete_style=CompleteStyle.READLINE_LIKE, complete_while_typing=False
        )
        self._session.app.renderer.cpr_support = CPR_Support.NOT_SUPPORTED

    def forget(self) -> None:
        clear_typeahead(self._session.app.input)
        discard(sys.stdin.fileno())

    async def read(self, prompt: str, offers: Sequence[str] = ()) -> str:
        self._offers.words = offers
        try:
            with patch_stdout(raw=True):
                return (await self._session.prompt_async(prompt)).strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None


class Offers(Completer):
    """Completes a line to one of the words that may be typed."""

    words: Sequence[str] = ()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        typed = document.text_before_cursor.lstrip()
        for word in self.words:
            if word.startswith(typed):
                yield Completion(word, start_position=-len(typed))
