"""Results, margins, costs and luck of the user's own games, against each opponent."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from rich.cells import cell_len

from p2p_shanghaien.analysis.annotate import GAME, POINT
from p2p_shanghaien.analysis.standing import Group, Standing
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.characters import UNICODE, Charset
from p2p_shanghaien.ui.naming import is_unmistakable
from p2p_shanghaien.ui.verdicts import game_with_options
from p2p_shanghaien.ui.words import say

COLUMNS: Final = (24, 7, 11, 10, 10, 10, 8)
"""Columns of the table, 80 together: the opponent's, then as in HEADS."""
HEADS: Final = ("games", "results", "margin", "own_cost", "their_cost", "luck")
_RESULTS: Final = 3
"""The number of HEADS that need no evaluator."""


def lines(groups: Sequence[Group], width: int, charset: Charset = UNICODE) -> Iterator[str]:
    """Yield a table for each group, and the sums over all of them. Cells are in the characters of `charset`."""
    for group in groups:
        yield game_with_options(group.game, group.settings)
        yield from _table(group, width, charset)
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


def _table(group: Group, width: int, charset: Charset) -> Iterator[str]:
    """Yield a line for each opponent; if `width` is too small for it, a line for each figure."""
    shown = len(HEADS) if group.has_evaluator else _RESULTS
    heads = [say(f"stats_{head}") for head in HEADS[:shown]]
    in_columns = width >= sum(COLUMNS[: shown + 1])

    def row(name: str, each: Standing) -> Iterator[str]:
        cells = list(_cells(each))[:shown]
        if in_columns:
            yield line([name, *cells], charset)
        else:
            yield name
            yield from (f"  {head}: {cell}" for head, cell in zip(heads, cells, strict=True))

    if in_columns:
        yield line([say("stats_opponent"), *heads], charset)
    for opponent, each in sorted(group.opponents.items(), key=lambda item: -item[1].games):
        name = group.names[opponent]
        yield from row(printable(name), each)
        # the computer players of this machine share a key, which says nothing of them
        if not opponent.level and not is_unmistakable(name, group.names.values()):
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


def line(cells: Iterable[str], charset: Charset = UNICODE) -> str:
    """Return the cells of a row in their columns."""
    first, *others = map(charset.transliterate, cells)
    name = charset.cut(first, COLUMNS[0] - 1)
    text = name + " " * (COLUMNS[0] - cell_len(name))
    for cell, width in zip(others, COLUMNS[1:], strict=False):
        # a margin may be wider than its column: points of other games go by thousands
        text += " " * max(width - cell_len(cell), not text.endswith(" ")) + cell
    return text


def fields(groups: Collection[Group], unreadable: Sequence[str]) -> dict[str, Any]:
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
    """Return the sums that are valid over games of any kind."""
    fields = ("games", "won", "drawn", "lost", "without_result")
    total = dict.fromkeys(fields, 0)
    for each in standings:
        for name in fields:
            total[name] += getattr(each, name)
    return total
