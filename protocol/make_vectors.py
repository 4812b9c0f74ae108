"""Writes protocol/vectors/*.json anew: `python -m protocol.make_vectors` in the root of the checkout.

Nothing in them is random, so the files come out the same every time; a difference means that a format has changed.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from protocol.making import (
    challenges,
    channels,
    choices,
    data,
    deck_bytes,
    deck_files,
    entries,
    games,
    halunken,
    handshakes,
    hellos,
    keys,
    logs,
    macao,
    notes,
    values,
    watching,
)
from protocol.making.common import Vector, file_text

FOLDER: Final = Path(__file__).parent / "vectors"

FILES: Final[dict[str, tuple[str, Callable[[], Iterable[Vector]]]]] = {
    "canonical": ("SPEC 2: values and their one encoding", values.canonical),
    "hashes": ("SPEC 3.1: tagged hashes", values.hashes),
    "commitments": ("SPEC 3.5: commitments to shares and choices", values.commitments),
    "keys": ("SPEC 3.3: accepted and refused keys", keys.keys),
    "signatures": ("SPEC 3.4: the signature equation at its edges", keys.signatures),
    "prefaces": ("SPEC 4.3: the first frame", hellos.prefaces),
    "channels": ("SPEC 4.4: channels, seen by one side", channels.channels),
    "data": ("SPEC 4.17: data, asked for and handed over", data.data),
    "hellos": ("SPEC 4.6: hellos", hellos.hellos),
    "invitations": ("SPEC 4.9: invitations as text", hellos.invitations),
    "handshakes": ("SPEC 4.5 to 4.10: whole handshakes, seen by one side", handshakes.handshakes),
    "entries": ("SPEC 5.1: the form of entries", entries.entries),
    "chance": ("SPEC 6: seeds and indices", values.chance),
    "notes": ("SPEC 7: notes from one seat to the other", notes.notes),
    "challenges": ("SPEC 7.5: challenges to a rematch", challenges.challenges),
    "logs": ("SPEC 5, 8, 9: whole logs and their verdicts", logs.logs),
    "choices": ("SPEC 5.7: logs of a toy game with simultaneous choices", choices.choices),
    "states": ("SPEC 12: positions of Shanghaien and their hashes", games.states),
    "halunken_logs": ("SPEC 15, 5.7: logs of Halunken & Spelunken, and what its players may not do", halunken.logs),
    "halunken_states": ("SPEC 15: positions of Halunken & Spelunken and their hashes", halunken.states),
    "macao_deck_bytes": ("SPEC 16.2: decks of Shadows of Macao as data", deck_bytes.decks),
    "macao_logs": ("SPEC 16: logs of Shadows of Macao, and what its players may not do", macao.logs),
    "macao_states": ("SPEC 16: positions of Shadows of Macao and their hashes", macao.states),
    # these show logs of the files above
    "watching": ("SPEC 4.16: watching, seen by the host and by a watcher", watching.watching),
    "macao_decks": (
        "RECORD.md 8.5: data files of decks of Shadows of Macao, and where they go wrong",
        deck_files.deck_files,
    ),
    "texts": ("SPEC 13: clean text", values.texts),
    "records": ("RECORD.md: text records, their events, and where they go wrong", games.records),
    "halunken_records": ("RECORD.md 7: text records of Halunken & Spelunken", halunken.records),
    "macao_records": ("RECORD.md 8: text records of Shadows of Macao", macao.records),
}


def made(name: str) -> str:
    """Return the text of the file `name`."""
    about, make = FILES[name]
    return file_text(about, make())


def main() -> None:
    """Write every file and say what was written."""
    for name in FILES:
        path = FOLDER / f"{name}.json"
        text = made(name)
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path} {len(text)}\n")


if __name__ == "__main__":
    main()
