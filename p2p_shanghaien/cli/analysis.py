"""Games analysed and summed up: `analyse`, `stats`, and `dice`, which tests whether dice and cards were fair."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from p2p_shanghaien.app.library import exit_code
from p2p_shanghaien.cli.files import Scanned, files_and_kept_games, or_latest
from p2p_shanghaien.cli.output import (
    ascii_option,
    dump,
    echo,
    echo_folded,
    in_ascii,
    refuse,
    table_columns,
    warn,
    worst_exit_code,
)
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import game_verdict
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.dedupe import LeftOut

_cores = option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores_analysis")


@command(help="help_analyse")
@argument("files", nargs=-1, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--all", "everything", is_flag=True, help="help_option_everything")
@option("--plain", is_flag=True, help="help_option_no_plot")
@ascii_option
@option("--json", "as_json", is_flag=True, help="help_option_json_analysis")
@_cores
def analyse(
    files: tuple[str, ...], everything: bool, plain: bool, ascii_only: bool | None, as_json: bool, cores: int | None
) -> int:
    from rich.text import Text

    from p2p_shanghaien.app.analysis import analysed
    from p2p_shanghaien.ui.review.fields import fields
    from p2p_shanghaien.ui.review.lines import lines
    from p2p_shanghaien.ui.review.review import Review
    from p2p_shanghaien.ui.screen import Screen
    from p2p_shanghaien.ui.view import viewpoint

    ascii_only = in_ascii(ascii_only)
    screen = Screen(ascii_only=ascii_only)
    scanned = Scanned(or_latest(files, ascii_only=ascii_only))
    codes = []
    output: list[str | Text] = []
    try:
        for name, outcome in analysed(scanned, cores):
            if isinstance(outcome, ShanghaienError):
                codes.append(refuse(scanned.shown(name), outcome, ascii_only=ascii_only))
                continue
            record, report, analysis = outcome
            if as_json:
                dump(fields(name, record, report, analysis))
            else:
                review = Review.of(record, analysis, viewpoint(record.names, None, screen.charset))
                output.append(say("verdict_line", file=scanned.shown(name), verdict=game_verdict(record, report)))
                output += lines(review, everything=everything, drawn=not plain, width=screen.width)
                output.append("")
            codes.append(exit_code(report))
    finally:
        if output:  # not before the bar is gone
            screen.show(*output)
    return worst_exit_code(codes)


@command(help="help_stats")
@ascii_option
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
@_cores
def stats(ascii_only: bool | None, as_json: bool, cores: int | None) -> int:
    from p2p_shanghaien.app.stats import statistics
    from p2p_shanghaien.store.catalogue import saved_games
    from p2p_shanghaien.ui.characters import ASCII, UNICODE
    from p2p_shanghaien.ui.report.stats import fields, lines

    home = Home.of_user()
    ascii_only = in_ascii(ascii_only)
    scanned = Scanned([path for path, _ in saved_games(home.games)])
    unreadable: dict[str, int] = {}

    def refused(name: str, error: ShanghaienError) -> None:
        unreadable[name] = refuse(scanned.shown(name), error, ascii_only=ascii_only)

    groups = statistics(home, scanned, cores, warn, refused)
    if as_json:
        dump(fields(groups, list(unreadable)))
        return worst_exit_code(unreadable.values())
    charset = ASCII if ascii_only else UNICODE
    echo_folded(*lines(groups, table_columns(), charset), ascii_only=ascii_only)
    if unreadable:
        echo_folded(say("stats_unreadable", count=len(unreadable)), ascii_only=ascii_only)
    elif not groups:
        echo(say("no_saved_games", folder=home.games), ascii_only=ascii_only)
    return worst_exit_code(unreadable.values())


def _without_computers_copies(left: "Iterable[LeftOut]") -> "list[LeftOut]":
    """Return what is left out of all saved games, without the copies at the computer's seat: a game has both logs."""
    from p2p_shanghaien.analysis.dedupe import SAME_GAME
    from p2p_shanghaien.store.catalogue import saved_games

    games = {path.name for path, _ in saved_games(Home.of_user().games)}
    return [each for each in left if each.reason != SAME_GAME or {each.name, each.other} <= games]


@command(help="help_dice")
@argument("files", nargs=-1, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--unsigned", is_flag=True, help="help_option_unsigned")
@ascii_option
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
def dice(files: tuple[str, ...], unsigned: bool, ascii_only: bool | None, as_json: bool) -> int:
    from p2p_shanghaien.analysis.dedupe import dedupe
    from p2p_shanghaien.analysis.fairness import grouped
    from p2p_shanghaien.ui.characters import ASCII, UNICODE
    from p2p_shanghaien.ui.report.dice import fields, lines

    ascii_only = in_ascii(ascii_only)
    scanned = Scanned(files)
    counted, left = dedupe(scanned, unsigned=unsigned)
    is_empty = not (files or counted or left)
    groups = grouped(counted, warn)
    if as_json:
        dump(fields(groups, counted, left))
    elif is_empty:
        echo(say("no_saved_games", folder=Home.of_user().games), ascii_only=ascii_only)
    else:
        left_out = left if files else _without_computers_copies(left)
        charset = ASCII if ascii_only else UNICODE
        echo_folded(*lines(groups, left_out, scanned.shown, table_columns(), charset), ascii_only=ascii_only)
    if is_empty:
        return 0
    return worst_exit_code(each.exit_code for each in left) or (0 if groups else 1)
