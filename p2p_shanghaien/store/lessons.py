"""The progress of lessons, and whether one was offered, saved in a file of JSON."""

import os
from pathlib import Path
from typing import Any, Final

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.games.lesson import Progress
from p2p_shanghaien.store.files import parse_json, read_bytes
from p2p_shanghaien.store.settings import keep

MAX_LESSONS: Final = 1 << 16
"""The limit of bytes of the file."""
_OFFERED: Final = "offered"
_LESSONS: Final = "lessons"


class Lessons:
    """The file at `path`, which need not exist: `{"offered": true, "lessons": {"pig": [3, 12]}}`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def progress(self, game: str) -> Progress | None:
        """Return how far the lesson of `game` has come, or None if it was not begun. Raises LocalError."""
        found = self._lessons().get(game)
        return Progress(*found) if found else None

    def keep_progress(self, game: str, progress: Progress) -> None:
        """Save how far the lesson of `game` has come; an unreadable file is set aside. Raises LocalError."""
        try:
            lessons = self._lessons()
        except LocalError:
            lessons = {}
        keep(self.path, {_LESSONS: {**lessons, game: list(progress)}})

    @property
    def was_offered(self) -> bool:
        """True if a lesson was offered, or one was begun. Raises LocalError."""
        return self._read().get(_OFFERED) is True or bool(self._lessons())

    def keep_offered(self) -> None:
        """Save that a lesson was offered. Raises LocalError."""
        keep(self.path, {_OFFERED: True})

    def _lessons(self) -> dict[str, list[int]]:
        lessons = self._read().get(_LESSONS, {})
        if not isinstance(lessons, dict) or not all(map(_is_progress, lessons.values())):
            raise LocalError(StoreCode.BAD_LESSONS_FILE, path=self.path)
        return lessons

    def _read(self) -> dict[str, Any]:
        if not os.path.lexists(self.path):
            return {}
        try:
            table = parse_json(read_bytes(self.path, MAX_LESSONS))
        except ValueError:
            table = None
        if not isinstance(table, dict):
            raise LocalError(StoreCode.BAD_LESSONS_FILE, path=self.path)
        return table


def _is_progress(value: object) -> bool:
    """Return whether a value is what a `Progress` is saved as."""
    match value:
        case [int(done), int(total)]:
            return not isinstance(done, bool) and 0 <= done <= total
        case _:
            return False
