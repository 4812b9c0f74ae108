"""The settings: how the program looks and sounds, and which game it plays."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "theme": ("auto", "dark", "light", "none"),
    "ascii": (None, False, True),
    "bell": (True, False),
    "speed": ("off", "slow", "normal", "fast"),
    "plain": (False, True),
}
"""The values of each setting that has only a few; the language may be any code."""

_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "language": re.compile("[a-z]{2,3}"),
    "game": re.compile("[a-z][a-z0-9-]{0,31}"),
}
"""The form of settings that may be any word."""


MAX_LOSS: Final = 100
"""The largest loss of win probability, in percentage points."""


@dataclass(frozen=True)
class Settings:
    """The user's settings. Those that are not set have their defaults."""

    language: str | None = None
    """The code of a language; None leaves it to the locale."""
    theme: str = "auto"
    """Colours for a dark or a light background; `auto` leaves it to the terminal; `none` for no colours at all."""
    ascii: bool | None = None
    """True to draw with ASCII characters only; None leaves it to the encoding of the output."""
    bell: bool = True
    game: str | None = None
    """The game of commands that name none; it need not be installed."""
    speed: str = "normal"
    """The speed of animations."""
    tutor_loss: float = 2
    """The loss of win probability from which on the tutor speaks, in percentage points."""
    plain: bool = False
    """True for plain mode where full-screen mode would be possible."""
    on_turn: str | None = None
    """A command that is run when it is the user's turn; see `command_words`."""


def is_possible(name: str, value: object) -> bool:
    """Return whether `value` is valid for the setting of that name."""
    if name == "on_turn":
        return value is None or (isinstance(value, str) and bool(command_words(value)))
    if name in _WORDS:
        return value is None or (isinstance(value, str) and _WORDS[name].fullmatch(value) is not None)
    if name == "tutor_loss":
        return type(value) in (int, float) and 0 <= cast(float, value) <= MAX_LOSS
    # JSON's 1 is not true, although Python's is
    return any(type(value) is type(choice) and value == choice for choice in CHOICES[name])


def command_words(text: str) -> tuple[str, ...]:
    """Return the words of a command, split as a shell does; none if there are none, or `text` is no command.

    The opponent's name must not choose the program, so its placeholder may stand in every word but the first.
    """
    try:
        text.encode()
        words = tuple(shlex.split(text))
    except ValueError:
        return ()
    return words if words and words[0] and "{opponent}" not in words[0] and "\0" not in text else ()
