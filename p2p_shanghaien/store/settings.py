"""What a person likes, kept from one game to the next in a file of JSON."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.files import keep_copy, make_folder, parse_json, read_bytes, replace

CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "theme": ("auto", "dark", "light", "none"),
    "ascii": (None, True, False),
    "bell": (True, False),
    "speed": ("off", "slow", "normal", "fast"),
    "plain": (False, True),
}
"""What each setting may be, for those with a few values; the language may be any code."""

MAX_SETTINGS: Final = 1 << 20
"""Bytes of the file."""

_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "language": re.compile("[a-z]{2,3}"),
    "game": re.compile("[a-z][a-z0-9-]{0,31}"),
}
"""The form of settings that may be any word."""


@dataclass(frozen=True)
class Settings:
    """How the program looks and sounds. What is not set has its default."""

    language: str | None = None
    """The code of a language; None leaves it to the locale."""
    theme: str = "auto"
    """Colours for a dark or a light background; `auto` leaves it to the terminal; `none` for no colours at all."""
    ascii: bool | None = None
    """Whether to draw with ASCII characters only; None leaves it to the encoding of the output."""
    bell: bool = True
    game: str | None = None
    """The game of commands that name none; it need not be installed."""
    speed: str = "normal"
    """Of animations."""
    plain: bool = False
    """Whether to play line after line where the full screen would do."""


class Loaded(NamedTuple):
    """The settings in a file, and what in it could not be used; that has its default."""

    settings: Settings
    faults: tuple[LocalError, ...] = ()


def load(path: Path) -> Loaded:
    """Return the settings kept in `path`, which need not exist. Raises nothing: without a file there are defaults."""
    try:
        table = read_table(path)
    except LocalError as error:
        return Loaded(Settings(), (error,))
    given = {field.name: table[field.name] for field in fields(Settings) if field.name in table}
    good: dict[str, Any] = {name: value for name, value in given.items() if _is_possible(name, value)}
    bad = (name for name in given if name not in good)
    faults = (LocalError("bad_kept_setting", path=path, setting=name, value=json.dumps(given[name])) for name in bad)
    return Loaded(Settings(**good), tuple(faults))


def save(path: Path, settings: Settings) -> None:
    """Keep `settings` in `path` as `keep` does; what stands at its default is left out. Raises LocalError."""
    usual = Settings()
    values = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    keep(path, {name: value if value != getattr(usual, name) else None for name, value in values.items()})


def read_table(path: Path) -> dict[str, object]:
    """Everything that the file holds, by name; nothing where there is no file. Raises LocalError."""
    if not os.path.lexists(path):
        return {}
    try:
        table = parse_json(read_bytes(path, MAX_SETTINGS))
    except ValueError:
        table = None
    if not isinstance(table, dict):
        raise LocalError("bad_settings_file", path=path)
    return table


def keep(path: Path, changes: Mapping[str, object]) -> Path | None:
    """Put `changes` into the file and leave what else it holds; None takes a name out.

    A file in which nothing can be understood is set aside; return where it is from now on. Raises LocalError.
    """
    aside = None
    try:
        table = read_table(path)
    except LocalError as error:
        if error.code != "bad_settings_file":
            raise
        table, aside = {}, keep_copy(path)
    table = {name: value for name, value in {**table, **changes}.items() if value is not None}
    make_folder(path.parent)
    replace(path, json.dumps(table, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return aside


def _is_possible(name: str, value: object) -> bool:
    if name in _WORDS:
        return value is None or (isinstance(value, str) and _WORDS[name].fullmatch(value) is not None)
    # JSON's 1 is not true, although Python's is
    return any(type(value) is type(choice) and value == choice for choice in CHOICES[name])
