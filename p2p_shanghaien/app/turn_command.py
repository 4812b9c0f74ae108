"""The user's own command that is run when it is their turn, with the opponent's name and the game as data."""

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

OPPONENT: Final = "SHANGHAIEN_OPPONENT"
GAME: Final = "SHANGHAIEN_GAME"
"""Variables in the command's environment: the names as they are."""
SECRETS: Final = ("SHANGHAIEN_INVITATION",)
"""Variables that are not the command's business."""

_PLACEHOLDER: Final = re.compile(r"\{(opponent|game)\}")
_FULL_WIDTH: Final = 0xFEE0
"""The distance from a character of ASCII to its full-width form."""
_KEPT: Final = frozenset(".,:+-_")
"""Characters besides letters and digits that are no code in any shell or script."""


class TurnCommand:
    """Runs a command, given as its words, without a shell. One at a time: as long as it runs, it is not run again.

    In the words, the first excepted, `{opponent}` and `{game}` stand for the names, as `harmless` writes them.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._thread: threading.Thread | None = None
        self._has_failed = False

    def __call__(self, opponent: str, game: str, tell: Callable[..., None]) -> None:
        """Start the command, and return at once. `tell` is called with a code and details if it fails the first time.

        Requires a running event loop, in which `tell` is called.
        """
        if self._thread and self._thread.is_alive():
            return
        loop = asyncio.get_running_loop()
        names = {"opponent": opponent, "game": game}

        def failed(code: str, **details: object) -> None:
            if not self._has_failed:
                self._has_failed = True
                tell(code, command=self._words[0], **details)

        def run() -> None:
            try:
                status = _run(filled(self._words, names), names)
                failure = partial(failed, "on_turn_failed", status=status) if status else None
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                failure = partial(failed, "on_turn_not_run", reason=reason)
            if failure:
                with suppress(RuntimeError):  # the event loop is closed: the game is over
                    loop.call_soon_threadsafe(failure)

        # a thread waits for it, so that it leaves no zombie and holds nothing up
        self._thread = threading.Thread(target=run, name="on_turn", daemon=True)
        self._thread.start()


def filled(words: Sequence[str], names: dict[str, str]) -> list[str]:
    """Return the words with the names of `opponent` and `game` in place of their placeholders, in one pass."""
    command, *arguments = words
    return [
        command,
        *(_PLACEHOLDER.sub(lambda found: _encodable(harmless(names[found[1]])), word) for word in arguments),
    ]


def harmless(name: str) -> str:
    """Return a name that is one word, no option, and no code wherever it is put: look-alikes replace what could be.

    The opponent has chosen the name, and nobody knows what the user's command makes of an argument.
    """
    text = name.replace(" ", "\N{NO-BREAK SPACE}").replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    text = "".join(
        chr(ord(each) + _FULL_WIDTH) if "!" <= each <= "~" and not (each.isalnum() or each in _KEPT) else each
        for each in text
    )
    return re.sub("^-+", lambda found: "\N{HYPHEN}" * len(found[0]), text)


def _run(words: Sequence[str], names: dict[str, str]) -> int:
    """Run a command without a terminal, wait for its end, and return its exit status, as a shell counts signals.

    Raises OSError and ValueError.
    """
    environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
    environment |= {OPPONENT: _encodable(names["opponent"]), GAME: _encodable(names["game"])}
    process = subprocess.Popen(  # noqa: S603 - the user's own command
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        # of its own: neither Ctrl-C nor the end of the terminal is meant for it, and it cannot write there
        start_new_session=True,
    )
    status = process.wait()
    return 128 - status if status < 0 else status


def _encodable(name: str) -> str:
    """Return a name with question marks for what the system's arguments cannot hold."""
    encoding = sys.getfilesystemencoding()
    return name.replace("\0", "?").encode(encoding, "replace").decode(encoding)
