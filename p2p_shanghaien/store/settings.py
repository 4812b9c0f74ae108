"""The settings, saved in a file of JSON."""

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.settings import Settings, is_possible
from p2p_shanghaien.store.files import keep_copy, make_folder, parse_json, read_bytes, replace

MAX_SETTINGS: Final = 1 << 20
"""The limit of bytes of the file."""


class Loaded(NamedTuple):
    """The settings in a file, and the invalid ones, which have their defaults."""

    settings: Settings
    errors: tuple[LocalError, ...] = ()


def load(path: Path) -> Loaded:
    """Return the settings in `path`, which need not exist. Raises nothing: without a file there are defaults."""
    try:
        table = read_table(path)
    except LocalError as error:
        return Loaded(Settings(), (error,))
    given = {field.name: table[field.name] for field in fields(Settings) if field.name in table}
    good: dict[str, Any] = {name: value for name, value in given.items() if is_possible(name, value)}
    bad = (name for name in given if name not in good)
    errors = (
        LocalError(StoreCode.BAD_KEPT_SETTING, path=path, setting=name, value=json.dumps(given[name])) for name in bad
    )
    return Loaded(Settings(**good), tuple(errors))


def save(path: Path, settings: Settings) -> None:
    """Save `settings` in `path` as `keep` does, without those that have their defaults. Raises LocalError."""
    usual = Settings()
    values = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    keep(path, {name: value if value != getattr(usual, name) else None for name, value in values.items()})


def read_table(path: Path) -> dict[str, object]:
    """Return the content of the file, by name; nothing if there is no file. Raises LocalError."""
    table = _parsed(path)
    if table is None:
        raise LocalError(StoreCode.BAD_SETTINGS_FILE, path=path)
    return table


def _parsed(path: Path) -> dict[str, object] | None:
    """Return the content of the file, or None if it is unreadable. Raises LocalError."""
    if not os.path.lexists(path):
        return {}
    try:
        table = parse_json(read_bytes(path, MAX_SETTINGS))
    except ValueError:
        return None
    return table if isinstance(table, dict) else None


def keep(path: Path, changes: Mapping[str, object]) -> Path | None:
    """Put `changes` into the file and leave its other content; None removes a name.

    An unreadable file is set aside; return its new path. Raises LocalError.
    """
    aside = None
    table = _parsed(path)
    if table is None:
        table, aside = {}, keep_copy(path)
    table = {name: value for name, value in {**table, **changes}.items() if value is not None}
    make_folder(path.parent)
    replace(path, json.dumps(table, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return aside
