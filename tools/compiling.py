"""From a catalogue that people edit (.po) to the one that the program reads (.mo)."""

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PACKAGE = Path(__file__).parent.parent / "p2p_shanghaien"


def sources() -> list[Path]:
    """Return every catalogue that people edit: the program's and its games'."""
    return sorted(PACKAGE.rglob("locale/*/LC_MESSAGES/*.po"))


def compile_catalogue(source: Path, target: Path) -> None:
    """Write `target` from `source`, all at once: another process may be reading it."""
    with source.open("rb") as file:
        catalogue = read_po(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f"{target.name}.{os.getpid()}")
    with new.open("wb") as file:
        write_mo(file, catalogue)
    new.replace(target)


def compile_in_place() -> None:
    """Write every catalogue beside its source, where a program that runs from its sources finds it."""
    for source in sources():
        compile_catalogue(source, source.with_suffix(".mo"))
