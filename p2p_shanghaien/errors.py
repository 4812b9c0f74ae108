"""Everything that can go wrong, as a code and its details; `ui.words` turns them into sentences.

The class says what kind of fault it is and so which exit code a command ends with
(protocol/RECORD.md, "Exit codes"); the code says which fault.
"""

import copyreg
from typing import Any, ClassVar

__all__ = [
    "CannotConnect",
    "ConnectionLost",
    "Illegal",
    "InvalidFile",
    "LocalError",
    "Malformed",
    "Quit",
    "RecordError",
    "ShanghaienError",
    "UsageError",
    "Violation",
]


class ShanghaienError(Exception):
    """Base of every foreseen error: `code` names it, `details` fill in the sentence shown to a person.

    A game's own errors are raised by a code with the game's name in front, `pig:bad_goal`. `sentence` is the whole and
    finds the words; `code` is what comes behind the colon, by which other programs know the error.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, sentence: str, /, **details: object) -> None:
        super().__init__(sentence, details)
        self.sentence = sentence
        self.code = sentence.rpartition(":")[2]
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # an exception is pickled as a call with its positional arguments alone, which these have not; they have to
        # come whole from worker processes
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.details.items())
        return f"{self.code}({details})" if details else self.code


class LocalError(ShanghaienError):
    """Our own side cannot go on: a full disk, a busy port, a seat already played by another process."""


class UsageError(ShanghaienError):
    """The command was asked for something that cannot be."""

    exit_code = 2


class Malformed(ShanghaienError):
    """Bytes or text that do not have the required form, whatever they may mean."""

    exit_code = 3


class Illegal(ShanghaienError):
    """Well-formed, but the rules of the game or of the protocol forbid it here."""

    exit_code = 3


class RecordError(ShanghaienError):
    """A text record that cannot be followed; `line` and `column` count from 1, `token` is the text found there."""

    exit_code = 3

    def __init__(self, sentence: str, /, *, line: int, column: int, token: str, **details: object) -> None:
        super().__init__(sentence, **details)
        self.line = line
        self.column = column
        self.token = token


class InvalidFile(ShanghaienError):
    """A log that is not what it claims to be, without that convicting anybody."""

    exit_code = 3


class CannotConnect(ShanghaienError):
    """No game came about: nobody there, not our protocol, busy, or no agreement."""

    exit_code = 4


class ConnectionLost(ShanghaienError):
    """The connection ended, or had to be dropped, before the game did; the game can be resumed."""

    exit_code = 5


class Violation(ShanghaienError):
    """A signed entry in its right place that breaks a rule: proof against the one who signed it."""

    exit_code = 6


class Quit(Exception):
    """The person left the table: Ctrl-D, Ctrl-C or the end of the input. The game stays as it is and can be resumed."""
