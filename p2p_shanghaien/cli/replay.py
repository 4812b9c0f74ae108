"""`shanghaien replay`: a game on file as text, as JSON, as a picture, as a page, or as it is being played."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from p2p_shanghaien.app import library
from p2p_shanghaien.app.library import GameFile
from p2p_shanghaien.cli.arguments import files_and_kept_games
from p2p_shanghaien.cli.hints import hints_on
from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.cli.loading import loaded
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.options import settings_of
from p2p_shanghaien.errors import CliCode, UsageError
from p2p_shanghaien.games import record
from p2p_shanghaien.players import Advise
from p2p_shanghaien.store.files import explained
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.verdicts import details, summary
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Markup

_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@command(help="help_replay")
@argument("file", metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--at", "place", metavar="metavar_place", help="help_option_at")
@option("--svg", type=_FILE, help="help_option_svg")
@option("--html", type=_FILE, help="help_option_html")
@option("--analysis", is_flag=True, help="help_option_analysis")
@option("--json", "as_json", is_flag=True, help="help_option_json")
@option("--follow/--no-follow", default=None, help="help_option_follow")
@option("--ascii", "ascii_only", is_flag=True, help="help_option_ascii")
@option("--plain", is_flag=True, help="help_option_lines")
def replay(
    file: str,
    place: str | None,
    svg: Path | None,
    html: Path | None,
    analysis: bool,
    as_json: bool,
    follow: bool | None,
    ascii_only: bool,
    plain: bool,
) -> int:
    drawn = svg is not None or html is not None
    if (as_json and (place is not None or drawn or follow)) or (follow and (place is not None or drawn)):
        raise UsageError(CliCode.ONE_KIND_OF_REPLAY)
    if analysis and html is None:
        raise UsageError(CliCode.ANALYSIS_IS_FOR_PAGES)
    game = loaded(file)
    if as_json:
        for event in _events(game):
            click.echo(json.dumps(event))
    elif drawn:
        _draw(game, place, svg, html, analysis=analysis)
    elif place is not None:
        _show_place(file, game, place, ascii_only)
    else:
        game = _look_through(file, game, follow, ascii_only=ascii_only, plain=plain)
    return game.exit_code


def _look_through(file: str, game: GameFile, follow: bool | None, *, ascii_only: bool, plain: bool) -> GameFile:
    """On a full screen where the terminal can show it and nobody wants lines; what has become of the game."""
    from p2p_shanghaien.cli.watch import follow as tell
    from p2p_shanghaien.ui.streams import has_full_screen

    grows = follow or (follow is None and game.is_played)
    home = Home.of_user()
    advise = hints_on(game.report, game.record.game.NAME, home)
    if not (plain or settings_of(home).plain) and has_full_screen():
        from p2p_shanghaien.cli.replaying import full_replay

        log = library.watch(game, forever=bool(follow)) if grows else None
        game = full_replay(home, game, log, advise, ascii_only=ascii_only)
        click.echo(say("verdict_line", file=file, verdict=summary(game.report)))
    elif grows:
        game = tell(file, game, ascii_only, forever=bool(follow))
    else:
        _step_through(file, game, advise, ascii_only)
    return game


def _step_through(file: str, game: GameFile, advise: Advise | None, ascii_only: bool) -> None:
    from p2p_shanghaien.ui.line import LineTable
    from p2p_shanghaien.ui.stepper import step_through

    table = LineTable(ascii_only=ascii_only or None, advise=advise)
    table.told("verdict_line", file=file, verdict=summary(game.report))
    attended(step_through(game.record, table))


def _show_place(file: str, game: GameFile, place: str, ascii_only: bool) -> None:
    from p2p_shanghaien.ui.line import LineTable
    from p2p_shanghaien.ui.stepper import show_place
    from p2p_shanghaien.ui.stops import stops, until

    seen = until(tuple(stops(game.record)), place, game.record.game.NAME)
    table = LineTable(ascii_only=ascii_only or None)
    table.told("verdict_line", file=file, verdict=summary(game.report))
    show_place(game.record, seen, table)


def _draw(game: GameFile, place: str | None, svg: Path | None, html: Path | None, *, analysis: bool) -> None:
    """Write the picture of one position, or the page of the whole game, or both."""
    from p2p_shanghaien.ui import page, stops

    if html is not None and place is not None and svg is None:
        raise UsageError(CliCode.PAGE_HAS_EVERY_PLACE)
    if svg is not None:
        seen = stops.until(tuple(stops.stops(game.record)), place or stops.END, game.record.game.NAME)
        _write(svg, page.drawn(game.record, seen, summary(game.report)))
        click.echo(say("picture_written", path=svg, verdict=summary(game.report)))
    if html is not None:
        found = _analysis(game.record) if analysis else page.NOTHING
        _write(html, page.page(game.record, page.Proof(summary(game.report), tuple(_proof(game))), found))
        click.echo(say("page_written", path=html, verdict=summary(game.report)))


def _analysis(written: record.Record) -> "Markup":
    """What the page says of who played how well. Raises LocalError."""
    from p2p_shanghaien.app.analysing import analyse
    from p2p_shanghaien.ui.review.page import section
    from p2p_shanghaien.ui.view import seating

    return section(written, analyse(written), seating(written.names, None))


def _write(path: Path, text: str) -> None:
    """Write what others may read, and what can be made again at any time. Raises LocalError."""
    with explained(path):
        path.write_text(text, encoding="utf-8")


def _proof(game: GameFile) -> Iterator[str]:
    """What a page says of what was verified when it was made, and how to verify it again."""
    made = {"when": f"{datetime.now(UTC):%Y-%m-%d %H:%M}", "version": version("p2p-shanghaien")}
    if game.report is None:
        yield say("page_unsigned", **made)
        return
    yield say("page_verified", verdict=summary(game.report), **made)
    yield from details(game.report)
    yield say("page_log", file=game.path.name, size=len(game.data), digest=sha256(game.data).hexdigest())
    yield say("page_no_proof", file=game.path.name)


def _events(game: GameFile) -> Iterator[dict[str, object]]:
    """Yield the replay's events; a violation, or damage, stands in the place of the end."""
    report = game.report
    if report is None or report.fault is None:
        yield from record.events(game.record)
        return
    yield from (event for event in record.events(game.record) if event["event"] not in ("unfinished", "ended"))
    where = {"entry": report.number, "reason": report.fault.code.unqualified}
    if report.match is None or report.offender is None:
        yield {"event": "damaged", **where}
    else:
        yield {"event": "violation", "player": report.match.player(report.offender), **where}
