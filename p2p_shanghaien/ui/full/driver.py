"""Textual's driver of the terminal, so that it outlives the terminal and understands all that terminals send.

An app may choose its driver, but a driver has few hooks. All that we need of a driver's private parts stands here, and
`tests/ui/full/test_driver.py` notices when they change.
"""

import os
import re
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Final

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys

SHIFT, ALT, CTRL, CAPS_LOCK = 1, 2, 4, 64
"""Bits of what was held or locked, by the kitty keyboard protocol."""
COMMANDS: Final = 8 | 16 | 32
"""Bits of keys that never write text: super, hyper, meta."""
RELEASED: Final = "3"

_KEY: Final = re.compile(
    r"\x1b\[(?P<code>\d+)(?::(?P<shifted>\d*)[:\d]*)?"
    r"(?:;(?P<held>\d*)(?::(?P<event>\d*))?(?:;(?P<text>[\d:]*))?)?(?P<end>[u~A-FHP-S])"
)
"""A key of the kitty keyboard protocol, with everything that terminals report unasked."""


class TerminalDriver(LinuxDriver):
    """Draws on a terminal and reads its keys; an app whose terminal is gone is left."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._file: Any = Output(self._file)
        self._continues = False
        """True if a signal that lets us go on has come, and nothing has been done about it."""

    # A signal comes at any moment, also in the middle of a write, for which a handler that writes would wait for ever:
    # its work is left to the event loop.

    def _sigtstp_application(self, *_: Any) -> None:
        self._soon(self._stop)

    def _sigcont_application(self, *_: Any) -> None:
        if not self._continues:  # it takes a moment, and signals may come faster
            self._continues = True
            self._soon(self._continue)

    def _soon(self, do: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(do)

    @property
    def _is_on(self) -> bool:
        """True unless the screen has not begun, or is being left."""
        return self._app.is_running and self._app.return_code is None

    def _stop(self) -> None:
        if self._is_on:
            super()._sigtstp_application()
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _continue(self) -> None:
        """Draw again, also where others have stopped us, or only think so: then everything is still on."""
        self._continues = False
        if not self._is_on:
            return
        if self._auto_restart and not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()

    def run_input_thread(self) -> None:
        parser = TerminalParser()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(0.1):
                    data = self._read()
                    if not data:
                        self._loop.call_soon_threadsafe(self._app.exit)
                        return
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _read(self) -> bytes:
        with suppress(OSError):
            return os.read(self.fileno, 4096)
        return b""

    def _enable_mouse_pixels(self) -> None:
        """Leave the mouse as it is: cells are all that we need, and not every terminal can report anything else."""


class Output:
    """A stream that goes on when its terminal is gone. (The library's thread would die of it, and the app wait for the
    thread for ever.)"""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()


class TerminalParser(XTermParser):
    """Turns what a terminal sends into events. Nothing that it sends is an error."""

    @property
    def mouse_pixels(self) -> bool:
        """False, although the library takes any report of the window's size for an agreement to count in pixels."""
        return False

    @mouse_pixels.setter
    def mouse_pixels(self, _: bool) -> None: ...

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        match = _KEY.fullmatch(sequence)
        if match is None:
            return super()._parse_extended_key(sequence)
        if match["event"] == RELEASED:
            return [events.Key(Keys.Ignore, sequence)]
        code, held, text, end = (match[name] or "" for name in ("code", "held", "text", "end"))
        try:
            keys = super()._parse_extended_key(f"\x1b[{code};{held};{text}{end}")
            if keys and end == "u" and not text:
                character = _written(int(code), int(match["shifted"] or 0), max(int(held or 1) - 1, 0))
                return [events.Key(keys[0].key, character or keys[0].character)]
        except (OverflowError, ValueError):  # no character has such a number
            return [events.Key(Keys.Ignore, sequence)]
        return keys


def _written(code: int, shifted: int, held: int) -> str | None:
    """Return the text of a key that was reported without one, None for a command.

    Alt does not make a command of a key, nor does AltGr, which some terminals call Alt, and others Ctrl and Alt.
    """
    character = chr(code)
    alt_gr = held & ALT and not (character.isascii() and character.isalnum())
    if held & COMMANDS or (held & CTRL and not alt_gr) or not character.isprintable():
        return None
    if held & SHIFT and shifted:
        return chr(shifted)
    upper = bool(held & SHIFT) != bool(held & CAPS_LOCK)
    return character.upper() if upper and character.isalpha() and len(character.upper()) == 1 else character
