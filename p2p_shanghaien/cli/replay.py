"""`shanghaien replay`: a game on file as text, as JSON, as a picture, as a page, or as it is being played."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from p2p_shanghaien.app.hints import hints_on
from p2p_shanghaien.app.library import GameFile, Growing
from p2p_shanghaien.cli.files import NEW_FILE, files_and_kept_games, loaded, write_text
from p2p_shanghaien.cli.options import Display
from p2p_shanghaien.cli.output import ascii_option, dump, echo, warn
from p2p_shanghaien.errors import CliCode, UsageError
from p2p_shanghaien.players import Advise, has_evaluator
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui import lifecycle
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import game_verdict, summary
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from p2p_shanghaien.ui.plain import PlainTable


@command(help="help_replay")
@argument("file", required=False, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--at", "place", metavar="metavar_place", help="help_option_at")
@option("--svg", type=NEW_FILE, metavar="metavar_file", help="help_option_svg")
@option("--html", type=NEW_FILE, metavar="metavar_file", help="help_option_html")
@option("--analysis", is_flag=True, help="help_option_analysis")
@option("--json", "as_json", is_flag=True, help="help_option_json")
@option("--follow/--no-follow", default=None, help="help_option_follow")
@ascii_option
@option("--plain", is_flag=True, help="help_option_lines")
def replay(
    file: str | None,
    place: str | None,
    svg: Path | None,
    html: Path | None,
    analysis: bool,
    as_json: bool,
    follow: bool | None,
    ascii_only: bool | None,
    plain: bool,
) -> int:
    drawn = svg is not None or html is not None
    if (as_json and (place is not None or drawn or follow)) or (follow and (place is not None or drawn)):
        raise UsageError(CliCode.ONE_KIND_OF_REPLAY)
    if analysis and html is None:
        raise UsageError(CliCode.ANALYSIS_IS_FOR_PAGES)
    display = Display(Home.of_user(), ascii_only, plain)
    game = loaded(file, ascii_only=display.ascii_lines)
    if as_json:
        for event in game.events():
            dump(event)
    elif drawn:
        for news, path in _draw(game, place, svg, html, analysis=analysis):
            verdict = game_verdict(game.record, game.report)
            echo(say(news, path=path, verdict=verdict), ascii_only=display.ascii_lines)
    elif place is not None:
        _show_place(game, place, display)
    else:
        game = _look_through(game, follow, display)
    return game.exit_code


def _look_through(game: GameFile, follow: bool | None, display: Display) -> GameFile:
    """Show the game on a full screen where the terminal can show it and nobody wants lines; return it as it is by then.

    Raises LocalError, InvalidFile, and UsageError where it is to be followed and cannot grow.
    """
    grows = follow or (follow is None and game.is_played)
    log = Growing(game, forever=bool(follow)) if grows else None
    advise = hints_on(game.report, game.record.game.NAME, display.home, warn)
    if display.is_full_screen:
        game = _on_full_screen(display, game, log, advise)
        verdict = game_verdict(game.record, game.report)
        echo(say("verdict_line", file=game.name, verdict=verdict), ascii_only=display.ascii_lines)
    elif log:
        _follow(game, log, _table(game, display))
        game = game.grown(log.report)
    else:
        from p2p_shanghaien.ui.stepper import step_through

        lifecycle.run(step_through(game.record, _table(game, display, advise)))
    return game


def _on_full_screen(display: Display, game: GameFile, log: Growing | None, advise: Advise | None) -> GameFile:
    """Let the person look through the game, and on as its `log` grows; without `advise` decisions are not judged."""
    from p2p_shanghaien.app.worker import analysed_aside
    from p2p_shanghaien.ui.full.annotations import Annotator
    from p2p_shanghaien.ui.full.cursor import Recorded
    from p2p_shanghaien.ui.full.replay import ReplayApp

    growth = log.reports() if log and not log.is_over else None
    annotator = Annotator(advise, analysed_aside) if advise and has_evaluator(game.record.game.NAME) else None
    shown, ascii_only = Recorded(game.record, game.report), display.ascii_only
    app = ReplayApp(shown, display.settings, display.keep, growth, annotator, ascii_only=ascii_only)
    lifecycle.run(app.present())
    if app.failure:
        raise app.failure
    return game if log is None else game.grown(log.report)


def _table(game: GameFile, display: Display, advise: Advise | None = None) -> "PlainTable":
    """Return where the game is shown in lines, its verdict first."""
    from p2p_shanghaien.ui.plain import PlainTable

    table = PlainTable(ascii_only=display.ascii_lines, advise=advise)
    table.notify("verdict_line", file=game.name, verdict=game_verdict(game.record, game.report))
    return table


def _follow(game: GameFile, log: Growing, table: "PlainTable") -> None:
    """Tell the game as its log grows; Ctrl-C ends that as well."""
    from p2p_shanghaien.ui.stepper import follow

    grows = not log.is_over
    is_told = lifecycle.run(follow(log.report, log.reports() if grows else None, table))
    if not grows:
        return
    if not is_told:
        table.notify("following_stopped")
    elif not log.is_over:
        table.notify("following_over")
    table.notify("verdict_line", file=game.name, verdict=summary(log.report))


def _show_place(game: GameFile, place: str, display: Display) -> None:
    from p2p_shanghaien.ui.snapshots import snapshots, until
    from p2p_shanghaien.ui.stepper import show_place

    seen = until(tuple(snapshots(game.record)), place, game.record.game.NAME)
    show_place(game.record, seen, _table(game, display))


def _draw(
    game: GameFile, place: str | None, svg: Path | None, html: Path | None, *, analysis: bool
) -> Iterator[tuple[str, Path]]:
    """Write the picture of one position, or the page of the whole game, or both; yield the news, by code, and where."""
    from p2p_shanghaien.ui import page, snapshots

    record = game.record
    if html is not None and place is not None and svg is None:
        raise UsageError(CliCode.PAGE_HAS_EVERY_PLACE)
    if svg is not None:
        seen = snapshots.until(tuple(snapshots.snapshots(record)), place or snapshots.END, record.game.NAME)
        write_text(svg, page.drawn(record, seen, game_verdict(record, game.report)))
        yield "picture_written", svg
    if html is not None:
        found = page.NOTHING
        if analysis:
            from p2p_shanghaien.app.analysis import analyse
            from p2p_shanghaien.ui.review.page import section
            from p2p_shanghaien.ui.review.review import Review
            from p2p_shanghaien.ui.view import viewpoint

            found = section(Review.of(record, analyse(record), viewpoint(record.names, None)))
        write_text(html, page.page(record, page.proof(record, game.report, game.path.name, game.data), found))
        yield "page_written", html
