"""The settings, kept from one game to the next in a file of JSON."""

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
"""Bytes of the file."""


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
    good: dict[str, Any] = {name: value for name, value in given.items() if is_possible(name, value)}
    bad = (name for name in given if name not in good)
    faults = (
        LocalError(StoreCode.BAD_KEPT_SETTING, path=path, setting=name, value=json.dumps(given[name])) for name in bad
    )
    return Loaded(Settings(**good), tuple(faults))


def save(path: Path, settings: Settings) -> None:
    """Keep `settings` in `path` as `keep` does; what stands at its default is left out. Raises LocalError."""
    usual = Settings()
    values = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    keep(path, {name: value if value != getattr(usual, name) else None for name, value in values.items()})


def read_table(path: Path) -> dict[str, object]:
    """Everything that the file holds, by name; nothing where there is no file. Raises LocalError."""
    table = _parsed(path)
    if table is None:
        raise LocalError(StoreCode.BAD_SETTINGS_FILE, path=path)
    return table


def _parsed(path: Path) -> dict[str, object] | None:
    """Return what the file holds, or None where nothing in it can be understood. Raises LocalError."""
    if not os.path.lexists(path):
        return {}
    try:
        table = parse_json(read_bytes(path, MAX_SETTINGS))
    except ValueError:
        return None
    return table if isinstance(table, dict) else None


def keep(path: Path, changes: Mapping[str, object]) -> Path | None:
    """Put `changes` into the file and leave what else it holds; None takes a name out.

    A file in which nothing can be understood is set aside; return where it is from now on. Raises LocalError.
    """
    aside = None
    table = _parsed(path)
    if table is None:
        table, aside = {}, keep_copy(path)
    table = {name: value for name, value in {**table, **changes}.items() if value is not None}
    make_folder(path.parent)
    replace(path, json.dumps(table, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return aside
