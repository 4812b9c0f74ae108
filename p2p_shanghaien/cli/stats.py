"""`shanghaien stats`: how one has fared in the games that are kept."""

import json
from collections.abc import Iterable, Iterator
from os import cpu_count
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from rich.cells import cell_len

from p2p_shanghaien.analysis.annotate import GAME, POINT
from p2p_shanghaien.analysis.gathering import Found
from p2p_shanghaien.analysis.standing import Game, Standing, standing
from p2p_shanghaien.cli.analysing import analysed
from p2p_shanghaien.cli.computer import COMPUTER_KEY
from p2p_shanghaien.cli.many import read_many
from p2p_shanghaien.cli.output import echo, table_columns, warn
from p2p_shanghaien.cli.reports import trouble
from p2p_shanghaien.cli.seats import shown_key
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay.verify import SEVERITY, Report, Verdict
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.logs import seat_of
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.view import UNICODE, cut
from p2p_shanghaien.ui.words import say

_COLUMNS: Final = (24, 7, 11, 10, 10, 10, 8)
"""Columns of the table, 80 together: the opponent's, then as in _HEADS."""
_HEADS: Final = ("games", "results", "margin", "own_cost", "their_cost", "luck")


class _Opponent(NamedTuple):
    """Whom one plays against: a key, and the name for what sits behind this machine's own computer's key."""

    key: bytes
    level: str = ""


class _Mine(NamedTuple):
    """A game of one's own: against whom, by what name they went, and which player one was."""

    opponent: _Opponent
    name: str
    player: int


@click.command(help=say("help_stats"))
@click.option("--json", "as_json", is_flag=True, help=say("help_option_json_result"))
@click.option(
    "--cores", type=click.IntRange(min=1), metavar=say("metavar_number"), help=say("help_option_cores_analysis")
)
def stats(as_json: bool, cores: int | None) -> int:
    home = Home.of_user()
    mine: dict[str, _Mine] = {}
    codes = [0]
    games: dict[_Opponent, list[Game]] = {}
    names: dict[_Opponent, str] = {}
    for name, outcome in analysed(_own(home, mine), cores or cpu_count() or 1):
        if isinstance(outcome, ShanghaienError):
            echo(say("error", message=trouble(name, outcome)), err=True)
            codes.append(outcome.exit_code)
            continue
        own = mine[name]
        games.setdefault(own.opponent, []).append(Game(outcome.record, own.player, outcome.analysis))
        names.setdefault(own.opponent, own.name)  # the latest game comes first
    total = standing(game for each in games.values() for game in each)
    by_opponent = {opponent: standing(each) for opponent, each in games.items()}
    if as_json:
        fields = [
            {"key": opponent.key.hex(), "name": names[opponent], **_fields(each)}
            for opponent, each in by_opponent.items()
        ]
        click.echo(
            json.dumps({"units": {"chance": GAME, "points": POINT}, "opponents": fields, "total": _fields(total)})
        )
    elif not games:
        echo(say("no_games", folder=home.games))
    else:
        for line in _table(by_opponent, names, total, table_columns()):
            echo(line)
        echo(say("stats_explained"))
    return max(codes, key=SEVERITY.index)


def _own(home: Home, mine: dict[str, _Mine]) -> Iterator[tuple[str, Found]]:
    """The games in which one of our keys sits where the log was kept, each once; `mine` gets what is known of them.

    A game with a violation is evidence, not a result.
    """
    seen = set()
    for name, found in read_many(()):
        if not isinstance(found, Report) or found.match is None:
            yield name, found
            continue
        session, seat = found.match.session, seat_of(Path(name))
        if found.verdict == Verdict.VIOLATION or session.id in seen or not _holds(home, session.keys[seat]):
            continue
        seen.add(session.id)
        key, theirs = session.keys[1 - seat], session.names[1 - seat]
        opponent = _Opponent(key, theirs if _holds(home, key, COMPUTER_KEY) else "")
        mine[name] = _Mine(opponent, theirs, found.match.player(seat))
        yield name, found


def _holds(home: Home, key: bytes, name: str = IDENTITY) -> bool:
    """Whether the key is, or was, kept under `name`; a file of a key that cannot be read is named."""
    try:
        return home.holder(key, name) is not None
    except LocalError as error:
        warn(error)
        return False


def _table(
    by_opponent: dict[_Opponent, Standing], names: dict[_Opponent, str], total: Standing, width: int
) -> Iterator[str]:
    """A line for each opponent; where `width` is too small for it, a line for each figure."""
    heads = [say(f"stats_{head}") for head in _HEADS]
    in_columns = width >= sum(_COLUMNS)

    def row(name: str, each: Standing) -> Iterator[str]:
        if in_columns:
            yield _line([name, *_cells(each)])
        else:
            yield name
            yield from (f"  {head}: {cell}" for head, cell in zip(heads, _cells(each), strict=True))

    if in_columns:
        yield _line([say("stats_opponent"), *heads])
    for opponent, each in sorted(by_opponent.items(), key=lambda item: -item[1].games):
        yield from row(printable(names[opponent]), each)
        yield f"  {shown_key(opponent.key)}"
    yield from row(say("stats_total"), total)
    if total.without_result:
        yield say("stats_without_result", count=total.without_result)


def _cells(each: Standing) -> Iterator[str]:
    yield str(each.games)
    yield f"{each.won}-{each.drawn}-{each.lost}"
    yield _mean(each.margin, each.played_out, "+.2f")
    for cost, decisions in zip(each.costs, each.decisions, strict=True):
        yield _mean(100 * cost.chance / GAME, decisions, ".2f", "%")
    yield _mean(100 * each.luck.chance / GAME, each.games, "+.1f", "%")


def _mean(total: float, count: int, form: str, unit: str = "") -> str:
    return f"{total / count:{form}}{unit}" if count else UNICODE.nothing


def _line(cells: Iterable[str]) -> str:
    first, *others = cells
    name = cut(first, _COLUMNS[0] - 1, UNICODE.cut)
    return (
        name
        + " " * (_COLUMNS[0] - cell_len(name))
        + "".join(" " * (width - cell_len(cell)) + cell for cell, width in zip(others, _COLUMNS[1:], strict=True))
    )


def _fields(each: Standing) -> dict[str, Any]:
    """The sums for other programs, from which they make their own means."""
    return {
        "games": each.games,
        "won": each.won,
        "drawn": each.drawn,
        "lost": each.lost,
        "without_result": each.without_result,
        "played_out": each.played_out,
        "margin": each.margin,
        "luck": each.luck._asdict(),
        "own": {"decisions": each.decisions[0], "cost": each.costs[0]._asdict()},
        "theirs": {"decisions": each.decisions[1], "cost": each.costs[1]._asdict()},
    }
