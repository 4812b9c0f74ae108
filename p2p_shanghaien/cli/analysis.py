"""Games analysed and summed up: `analyse`, `stats`, and `dice`, which tests whether dice and cards were fair."""

import click

from p2p_shanghaien.app.library import exit_code
from p2p_shanghaien.cli.files import files_and_kept_games, scanned
from p2p_shanghaien.cli.options import settings_of
from p2p_shanghaien.cli.output import dump, echo, refuse, table_columns, warn
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.verify import worst
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import game_verdict
from p2p_shanghaien.ui.words import say

_cores = option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores_analysis")


@command(help="help_analyse")
@argument("files", nargs=-1, required=True, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--all", "everything", is_flag=True, help="help_option_everything")
@option("--plain", is_flag=True, help="help_option_no_plot")
@option("--ascii", "ascii_only", is_flag=True, help="help_option_ascii")
@option("--json", "as_json", is_flag=True, help="help_option_json_analysis")
@_cores
def analyse(
    files: tuple[str, ...], everything: bool, plain: bool, ascii_only: bool, as_json: bool, cores: int | None
) -> int:
    from rich.text import Text

    from p2p_shanghaien.app.analysis import analysed
    from p2p_shanghaien.ui.review.fields import fields
    from p2p_shanghaien.ui.review.lines import lines
    from p2p_shanghaien.ui.screen import Screen
    from p2p_shanghaien.ui.view import seating

    screen = Screen(ascii_only=ascii_only or settings_of(Home.of_user()).ascii)
    codes = []
    told: list[str | Text] = []
    try:
        for name, outcome in analysed(scanned(files), cores):
            if isinstance(outcome, ShanghaienError):
                codes.append(refuse(name, outcome))
                continue
            record, report, analysis = outcome
            if as_json:
                dump(fields(name, record, report, analysis))
            else:
                who = seating(record.names, None, screen.charset)
                told.append(say("verdict_line", file=name, verdict=game_verdict(record, report)))
                told += lines(record, analysis, who, everything=everything, drawn=not plain, width=screen.width)
                told.append("")
            codes.append(exit_code(report))
    finally:
        if told:  # not before the bar is gone
            screen.show(*told)
    return worst(codes)


@command(help="help_stats")
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
@_cores
def stats(as_json: bool, cores: int | None) -> int:
    from p2p_shanghaien.app.stats import statistics
    from p2p_shanghaien.ui.report.stats import fields, lines

    home = Home.of_user()
    unreadable: dict[str, int] = {}

    def refused(name: str, error: ShanghaienError) -> None:
        unreadable[name] = refuse(name, error)

    groups = statistics(home, scanned(()), cores, warn, refused)
    if as_json:
        dump(fields(groups, list(unreadable)))
        return worst(unreadable.values())
    echo(*lines(groups, table_columns()))
    if unreadable:
        echo(say("stats_unreadable", count=len(unreadable)))
    elif not groups:
        echo(say("no_games", folder=home.games))
    return worst(unreadable.values())


@command(help="help_dice")
@argument("files", nargs=-1, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--unsigned", is_flag=True, help="help_option_unsigned")
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
def dice(files: tuple[str, ...], unsigned: bool, as_json: bool) -> int:
    from p2p_shanghaien.analysis.dedupe import dedupe
    from p2p_shanghaien.analysis.fairness import grouped
    from p2p_shanghaien.ui.report.dice import fields, lines

    counted, left = dedupe(scanned(files), unsigned=unsigned)
    if not (files or counted or left):
        echo(say("no_games", folder=Home.of_user().games))
        return 0
    groups = grouped(counted, warn)
    if as_json:
        dump(fields(groups, counted, left))
    else:
        echo(*lines(groups, left, table_columns()))
    return worst(each.exit_code for each in left) or (0 if groups else 1)
