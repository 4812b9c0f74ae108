"""`shanghaien stats`: results, margins, costs and luck in one's own games."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os import cpu_count
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from rich.cells import cell_len

from p2p_shanghaien.analysis.annotate import GAME, POINT, Analysis
from p2p_shanghaien.analysis.dedupe import Found
from p2p_shanghaien.analysis.standing import Game, Standing
from p2p_shanghaien.app.analysing import analysed
from p2p_shanghaien.cli.loading import scanned
from p2p_shanghaien.cli.localized import command, option
from p2p_shanghaien.cli.output import echo, table_columns, warn
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import SEVERITY, Report, Verdict
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GameFailed
from p2p_shanghaien.players import valuation
from p2p_shanghaien.store.home import COMPUTER, IDENTITY, Home
from p2p_shanghaien.store.place import seat_of
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.verdicts import game_with_options, trouble
from p2p_shanghaien.ui.view import UNICODE, cut
from p2p_shanghaien.ui.words import say

_COLUMNS: Final = (24, 7, 11, 10, 10, 10, 8)
"""Columns of the table, 80 together: the opponent's, then as in _HEADS."""
_HEADS: Final = ("games", "results", "margin", "own_cost", "their_cost", "luck")
_RESULTS: Final = 3
"""How many of _HEADS need no evaluator."""


class _Opponent(NamedTuple):
    """Whom one plays against: a key, and the name for what sits behind this machine's own computer's key."""

    key: bytes
    level: str = ""


class _Mine(NamedTuple):
    """A game of one's own: against whom, by what name they went, which player one was, and what happened."""

    opponent: _Opponent
    name: str
    player: int
    record: Record


@dataclass
class _Group:
    """Sums over the games of one kind with the same options: margins of others are never added to theirs."""

    game: str
    settings: Mapping[str, str]
    has_evaluator: bool
    """Whether it is known what decisions cost, and what luck was."""
    opponents: dict[_Opponent, Standing] = field(default_factory=dict)
    names: dict[_Opponent, str] = field(default_factory=dict)
    total: Standing = field(default_factory=Standing)

    def add(self, own: _Mine, game: Game) -> None:
        self.opponents[own.opponent] = self.opponents.get(own.opponent, Standing()).plus(game)
        self.names.setdefault(own.opponent, own.name)  # the latest game comes first
        self.total = self.total.plus(game)


@command(help="help_stats")
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
@option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores_analysis")
def stats(as_json: bool, cores: int | None) -> int:
    home = Home.of_user()
    mine: dict[str, _Mine] = {}
    codes = [0]
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], _Group] = {}
    unreadable: list[str] = []

    def add(name: str, analysis: Analysis | None) -> None:
        record = mine[name].record
        game = record.game
        empty = _Group(game.NAME, dict(game.settings), _has_evaluator(game.NAME))
        group = groups.setdefault((game.NAME, game.settings), empty)
        group.add(mine[name], Game(record, mine[name].player, analysis))
        group.has_evaluator &= analysis is not None

    def analysable() -> Iterator[tuple[str, Found]]:
        for name, found in _own(home, mine):
            if name in mine and not _has_evaluator(mine[name].record.game.NAME):
                add(name, None)
            else:
                yield name, found

    for name, outcome in analysed(analysable(), cores or cpu_count() or 1):
        if isinstance(outcome, GameFailed) and name in mine:
            # a broken evaluator costs a game its results no more than a missing one
            warn(outcome)
            add(name, None)
        elif isinstance(outcome, ShanghaienError):
            echo(say("error", message=trouble(name, outcome)), err=True)
            codes.append(outcome.exit_code)
            unreadable.append(name)
        else:
            add(name, outcome.analysis)
    if as_json:
        click.echo(json.dumps(_fields(groups.values(), unreadable)))
    else:
        for line in _lines(list(groups.values()), table_columns()):
            echo(line)
        if unreadable:
            echo(say("stats_unreadable", count=len(unreadable)))
        elif not groups:
            echo(say("no_games", folder=home.games))
    return max(codes, key=SEVERITY.index)


@cache
def _has_evaluator(game: str) -> bool:
    """Return whether the game has an evaluator that can be used; one that cannot is named."""
    try:
        return valuation(game) is not None
    except LocalError as error:
        warn(error)
        return False


def _own(home: Home, mine: dict[str, _Mine]) -> Iterator[tuple[str, Found]]:
    """The games in which one of our keys sits where the log was kept, each once; `mine` gets what is known of them.

    A game with a violation is evidence, not a result.
    """
    seen = set()
    for name, found in scanned(()):
        if not isinstance(found, Report) or found.match is None:
            yield name, found
            continue
        session, seat = found.match.session, seat_of(Path(name))
        if found.verdict == Verdict.VIOLATION or session.id in seen or not _holds(home, session.keys[seat]):
            continue
        seen.add(session.id)
        key, theirs = session.keys[1 - seat], session.names[1 - seat]
        opponent = _Opponent(key, theirs if _holds(home, key, COMPUTER) else "")
        mine[name] = _Mine(opponent, theirs, found.match.player(seat), found.record())
        yield name, found


def _holds(home: Home, key: bytes, name: str = IDENTITY) -> bool:
    """Whether the key is, or was, kept under `name`; a file of a key that cannot be read is named."""
    try:
        return home.holder(key, name) is not None
    except LocalError as error:
        warn(error)
        return False


def _lines(groups: Sequence[_Group], width: int) -> Iterator[str]:
    """Yield a table for each group, and what may be summed up over all of them."""
    for group in groups:
        yield game_with_options(group.game, group.settings)
        yield from _table(group, width)
        if not group.has_evaluator:
            yield say("stats_no_evaluator", game=group.game)
        if len(groups) > 1:
            yield ""
    if len(groups) > 1:
        total = _results(group.total for group in groups)
        yield say("stats_all_games", count=total["games"], **total)
    if groups:
        parts = ["stats_explained"] + ["stats_explained_costs"] * any(group.has_evaluator for group in groups)
        yield " ".join(map(say, parts))


def _table(group: _Group, width: int) -> Iterator[str]:
    """Yield a line for each opponent; where `width` is too small for it, a line for each figure."""
    shown = len(_HEADS) if group.has_evaluator else _RESULTS
    heads = [say(f"stats_{head}") for head in _HEADS[:shown]]
    in_columns = width >= sum(_COLUMNS[: shown + 1])

    def row(name: str, each: Standing) -> Iterator[str]:
        cells = list(_cells(each))[:shown]
        if in_columns:
            yield _line([name, *cells])
        else:
            yield name
            yield from (f"  {head}: {cell}" for head, cell in zip(heads, cells, strict=True))

    if in_columns:
        yield _line([say("stats_opponent"), *heads])
    for opponent, each in sorted(group.opponents.items(), key=lambda item: -item[1].games):
        yield from row(printable(group.names[opponent]), each)
        yield f"  {shown_key(opponent.key)}"
    yield from row(say("stats_total"), group.total)
    if group.total.without_result:
        yield say("stats_without_result", count=group.total.without_result)


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
    line = name + " " * (_COLUMNS[0] - cell_len(name))
    for cell, width in zip(others, _COLUMNS[1:], strict=False):
        # a margin may be wider than its column: points of other games go by thousands
        line += " " * max(width - cell_len(cell), not line.endswith(" ")) + cell
    return line


def _fields(groups: Collection[_Group], unreadable: Sequence[str]) -> dict[str, Any]:
    """Return the sums for other programs, from which they make their own means (protocol/RECORD.md, section 6.1)."""
    games = [
        {
            "game": group.game,
            "settings": group.settings,
            "evaluator": group.has_evaluator,
            "opponents": [
                {"key": opponent.key.hex(), "name": group.names[opponent], **_sums(each, group.has_evaluator)}
                for opponent, each in group.opponents.items()
            ],
            "total": _sums(group.total, group.has_evaluator),
        }
        for group in groups
    ]
    total = _results(group.total for group in groups)
    units = {"chance": GAME, "points": POINT}
    return {"units": units, "games": games, "total": total, "unreadable": unreadable}


def _sums(each: Standing, has_evaluator: bool) -> dict[str, Any]:
    results = {**_results([each]), "played_out": each.played_out, "margin": each.margin}
    if not has_evaluator:
        return results
    return {
        **results,
        "luck": each.luck._asdict(),
        "own": {"decisions": each.decisions[0], "cost": each.costs[0]._asdict()},
        "theirs": {"decisions": each.decisions[1], "cost": each.costs[1]._asdict()},
    }


def _results(standings: Iterable[Standing]) -> dict[str, int]:
    """Return the sums that mean something over games of any kind."""
    fields = ("games", "won", "drawn", "lost", "without_result")
    total = dict.fromkeys(fields, 0)
    for each in standings:
        for name in fields:
            total[name] += getattr(each, name)
    return total
