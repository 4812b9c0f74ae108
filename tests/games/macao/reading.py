"""The shared games of Shadows of Macao (tests/records/macao), read onto the plain table."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.games.macao.plain import Table

RECORDS = Path(__file__).parents[2] / "records" / "macao"
GAMES = sorted(RECORDS.glob("game-*.jsonl"))
TEXTS = sorted((RECORDS / "text").glob("*.shrec"))


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def state_hash(encoded: object) -> str:
    """Return the digits by which the shared games name a position."""
    return sha256(json.dumps(encoded, separators=(",", ":")).encode()).hexdigest()[:16]


def tags_of(text: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]', text, re.MULTILINE))


def follow(text: str) -> Iterator[Table]:
    """Play a record that is known to be right, and yield the table at everything that it waits for."""
    table = Table()
    yield table
    moves = " ".join(line for line in text.splitlines() if not line.startswith("["))
    tokens = [token for token in moves.split() if not token.endswith(".")]
    while tokens:
        kind, *rest = table.waits.split()
        if kind == "turn":
            table.act(tokens.pop(0))
        else:
            drawn, tokens = tokens[: len(rest)], tokens[len(rest) :]
            if len(drawn) < len(rest):
                return
            table.draw(indices_of(table, drawn))
        yield table


def indices_of(table: Table, tokens: list[str]) -> list[int]:
    """Return the indices of a draw that its tokens stand for."""
    tiles, unseen = [*table.tiles], [*table.unseen]
    indices = []
    for token in tokens:
        place, _, name = token.partition(":")
        left = tiles if place == "tile" else unseen
        indices.append(left.index(name))
        left.remove(name)
    return indices
