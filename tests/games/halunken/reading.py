"""Records of Halunken & Spelunken, read onto the plain table: each token is what the table waits for."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.games.halunken.table import JACK, Table

RECORDS = Path(__file__).parents[2] / "records" / "halunken"

_OPENING = re.compile(r"hand:[1-3]|[1-8]\.")


def tags_of(text: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]', text, re.MULTILINE))


def table_of(text: str) -> Table:
    """Return the table as it is set for the game of a record."""
    tags = tags_of(text)
    return Table(
        blackjack=tags.get("Blackjack", "on") == "on",
        hands=int(tags.get("Hands", "1")),
        may=tags.get("Theft", "takes") == "may",
    )


def follow(text: str) -> Iterator[Table]:
    """Play a record that is known to be right, and yield the table at everything that it waits for."""
    table = table_of(text)
    yield table
    moves = " ".join(line for line in text.splitlines() if not line.startswith("["))
    tokens = [token for token in moves.split() if not _OPENING.fullmatch(token)]
    while tokens:
        kind, *rest = table.waits.split()
        if kind == "turn":
            table.act(tokens.pop(0))
        elif kind == "simultaneous":
            one, other = tokens.pop(0).split("/")
            table.choose(one, other)
        else:
            drawn, tokens = tokens[: len(rest)], tokens[len(rest) :]
            if len(drawn) < len(rest):
                return
            table.draw(indices_of(table, drawn))
        yield table


def indices_of(table: Table, tokens: list[str]) -> list[int]:
    """Return the indices of a draw that its tokens stand for."""
    first = tokens[0]
    if first.startswith("J:"):
        return [table.cards[JACK].index(first[2:])]
    if first.startswith("J="):
        return [int(first[2:]) - 1]
    pile = list(table.pile)
    indices = []
    for token in tokens:
        rogue = token.partition(":")[2]
        indices.append(pile.index(rogue))
        pile.remove(rogue)
    return indices
