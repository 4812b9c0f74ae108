"""`shanghaien dice`: whether dice and cards came as chance alone brings them, over any number of games."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click

from p2p_shanghaien.analysis.draws import Draws, draws, lots
from p2p_shanghaien.analysis.fairness import POWER, SIMULATIONS, TELLING, Finding, Tails, Verdict, dice_needed, verdict
from p2p_shanghaien.analysis.gathering import SAME_GAME, Counted, LeftOut, sift
from p2p_shanghaien.cli.completing import files_and_kept_games
from p2p_shanghaien.cli.many import read_many
from p2p_shanghaien.cli.output import echo, table_columns
from p2p_shanghaien.cli.reports import summary
from p2p_shanghaien.cli.seats import shown_key
from p2p_shanghaien.errors import ShanghaienError, Violation
from p2p_shanghaien.fairplay.verify import SEVERITY, Report
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.words import describe, say

WIDTH: Final = 78
"""Columns of a table."""
FEW_COPIES: Final = 4
"""Copies that are told one by one; --json names them all."""


@click.command(help=say("help_dice"))
@click.argument("files", nargs=-1, metavar=f"[{say('metavar_file')}...]", shell_complete=files_and_kept_games)
@click.option("--unsigned", is_flag=True, help=say("help_option_unsigned"))
@click.option("--json", "as_json", is_flag=True, help=say("help_option_json_result"))
def dice(files: tuple[str, ...], unsigned: bool, as_json: bool) -> int:
    counted, left = sift(read_many(files), unsigned=unsigned)
    if not files and not counted and not left:
        echo(say("no_games", folder=Home.of_user().games))
        return 0
    kinds: dict[str, list[Counted]] = {}
    for game in counted:
        kinds.setdefault(game.record.game.NAME, []).append(game)
    results = []
    for kind, games in kinds.items():
        if known := lots(kind):
            found = draws(games, known)
            results.append((kind, found, verdict(found)))
    if as_json:
        fields = [_fields(kind, found, result) for kind, found, result in results]
        click.echo(json.dumps({"files": _files(counted, left), "games": fields}))
    else:
        copies = [each for each in left if each.reason == SAME_GAME]
        for each in left if len(copies) <= FEW_COPIES else (each for each in left if each not in copies):
            echo(_why_not(each))
        if len(copies) > FEW_COPIES:
            echo(say("dice_copies", count=len(copies)))
        for kind, found, result in results:
            _tell(kind, found, result, proved=all(game.report for game in counted))
        if not results:
            echo(say("dice_nothing"))
    return max((_exit_code(each) for each in left), key=SEVERITY.index, default=0) or (0 if results else 1)


def _exit_code(left: LeftOut) -> int:
    """What a file that does not count says of the whole: nothing, if it is merely a copy or not signed."""
    if isinstance(left.found, Report | ShanghaienError):
        return left.found.exit_code
    return Violation.exit_code if left.reason in ("copies_differ", "game_convicted") else 0


def _why_not(left: LeftOut) -> str:
    reason = ""
    if isinstance(left.found, Report):
        reason = summary(left.found)
    elif isinstance(left.found, ShanghaienError):
        reason = describe(left.found)
    return say(f"dice_left_{left.reason}", file=left.name, other=left.other, reason=reason)


def _tell(kind: str, found: Draws, result: Verdict, *, proved: bool) -> None:
    rolls = found.thrown()
    thrown = sum(len(faces) * count for faces, count in rolls.items())
    cards = sum(len(deal) for game in found.dealt for deal in game.deals)
    echo(say("dice_counted", game=kind, count=found.games, rolls=rolls.total(), dice=thrown, cards=cards))
    if found.unrevealed:
        echo(say("dice_unrevealed", count=found.unrevealed))
    echo(say("dice_tables"))
    for test in result.tests:
        echo("\n" + _title(test, found))
        for line in _table(test):
            click.echo(line)
        for line in _conclusion(test.tails):
            echo(line, margin=2)
    click.echo()
    for line in _overall(result, found, thrown):
        echo(line)
    if proved:
        echo(say("dice_proof"))


def _title(test: Finding, found: Draws) -> str:
    if test.key is not None:
        return say(f"dice_{test.code}", name=found.names[test.key], fingerprint=shown_key(test.key))
    return say(f"dice_{test.code}")


def _table(test: Finding) -> Iterator[str]:
    """Counts with what was expected, as many columns beside each other as there is room for."""
    cells = [
        [f"{seen}/{_rounded(expected)}" for seen, expected in zip(*row, strict=True)]
        for row in zip(test.seen, test.expected, strict=True)
    ]
    named = test.code in ("doubles", "starts")
    columns = [say(f"dice_label_{label}") if named else label for label in test.columns]
    width = 2 + max(len(text) for text in [*columns, *(cell for row in cells for cell in row)])
    margin = 4
    room = max(1, (min(WIDTH, table_columns()) - margin) // width)
    for start in range(0, len(columns), room):
        part = slice(start, start + room)
        yield " " * margin + "".join(label.rjust(width) for label in columns[part])
        for label, row in zip(test.rows, cells, strict=True):
            yield label.rjust(margin) + "".join(cell.rjust(width) for cell in row[part])


def _rounded(expected: float) -> str:
    return f"{expected:.1f}" if expected < 100 else f"{expected:.0f}"


def _conclusion(chance: Tails) -> Iterator[str]:
    too_even = chance.even < chance.uneven and chance.strange < 0.05
    rate = chance.even if too_even else chance.uneven
    method = say(
        f"dice_by_{chance.method}", statistic=f"{chance.statistic:.2f}", freedom=chance.freedom, count=SIMULATIONS
    )
    yield say("dice_even" if too_even else "dice_uneven", rate=_rate(rate), method=method, p=f"{rate:.2g}")


def _rate(chance: float) -> str:
    """A probability as so many of a hundred, of a thousand, or of ten thousand."""
    for total in (100, 1_000, 10_000):
        if total * chance >= 1:
            return say("dice_rate", count=round(total * chance), total=total)
    return say("dice_rate_below", total=10_000)


def _overall(result: Verdict, found: Draws, thrown: int) -> Iterator[str]:
    count = len(result.tests)
    if result.is_strange:
        (worst,) = [test for test in result.tests if test.adjusted == result.strange][:1]
        yield say("dice_strange", count=count, rate=_rate(result.strange), test=_title(worst, found))
    else:
        code = "dice_fine" if result.says_much else "dice_little"
        yield say(code, count=count, rate=_rate(result.strange))
    if result.least is not None:
        sides = found.lots.sides
        yield say("dice_power", dice=thrown, points=f"{100 * result.least:.1f}", fair=f"{100 / sides:.1f}")
        for points in (100 * TELLING, 2, 1):
            if points < 100 * result.least:
                needed = dice_needed(points / 100, sides, count)
                games = -(-needed * found.games // thrown)
                yield say("dice_needed", points=f"{points:.0f}", needed=needed, games=games)
                return


def _files(counted: Sequence[Counted], left: Sequence[LeftOut]) -> list[dict[str, Any]]:
    return [{"file": game.name, "counted": True, "signed": game.report is not None} for game in counted] + [
        {"file": each.name, "counted": False, "reason": each.reason, **({"other": each.other} if each.other else {})}
        for each in left
    ]


def _fields(kind: str, found: Draws, result: Verdict) -> dict[str, Any]:
    """The result for other programs. Chances are chances, not percentages."""
    return {
        "game": kind,
        "counted": found.games,
        "rolls": found.thrown().total(),
        "unrevealed": found.unrevealed,
        "strange": result.strange,
        "least_bias": result.least,
        "power": POWER,
        "tests": [
            {
                "test": test.code,
                "key": test.key.hex() if test.key else None,
                "rows": test.rows,
                "columns": test.columns,
                "seen": test.seen,
                "expected": test.expected,
                **test.tails._asdict(),
                "strange": test.tails.strange,
                "adjusted": test.adjusted,
            }
            for test in result.tests
        ],
    }
