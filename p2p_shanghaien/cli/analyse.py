"""`shanghaien analyse`: what every decision cost, and what luck brought."""

import json
from collections.abc import Iterator
from os import cpu_count
from typing import TYPE_CHECKING, Any, Final

import click

from p2p_shanghaien.analysis.annotate import GAME, POINT, THRESHOLDS, Annotated, Decision, Kind
from p2p_shanghaien.app.analysing import Analysed, analysed
from p2p_shanghaien.app.library import exit_code
from p2p_shanghaien.cli.arguments import files_and_kept_games
from p2p_shanghaien.cli.loading import scanned
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.verify import SEVERITY, Verdict
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.ui.verdicts import summary, trouble
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from rich.text import Text

    from p2p_shanghaien.ui.screen import Screen


BROKEN_OFF: Final = {Verdict.VIOLATION: "violation", Verdict.INVALID_FILE: "damaged"}
"""Ends of games, in JSON, of which only the beginning is sound."""


@command(help="help_analyse")
@argument("files", nargs=-1, required=True, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--all", "everything", is_flag=True, help="help_option_everything")
@option("--plain", is_flag=True, help="help_option_no_plot")
@option("--ascii", "ascii_only", is_flag=True, help="help_option_ascii")
@option("--json", "as_json", is_flag=True, help="help_option_json_analysis")
@option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores_analysis")
def analyse(
    files: tuple[str, ...], everything: bool, plain: bool, ascii_only: bool, as_json: bool, cores: int | None
) -> int:
    from p2p_shanghaien.ui.screen import Screen

    screen = Screen(ascii_only=ascii_only or None)
    codes = []
    told: list[str | Text] = []
    try:
        for name, outcome in analysed(scanned(files), cores or cpu_count() or 1):
            if isinstance(outcome, ShanghaienError):
                echo(say("error", message=trouble(name, outcome)), err=True)
                codes.append(outcome.exit_code)
                continue
            if as_json:
                click.echo(json.dumps(_fields(name, outcome)))
            else:
                told += _told(name, outcome, screen, everything=everything, drawn=not plain)
            codes.append(exit_code(outcome.report))
    finally:
        if told:  # not before the bar is gone
            screen.show(*told)
    return max(codes, key=SEVERITY.index)


def _told(name: str, game: Analysed, screen: "Screen", *, everything: bool, drawn: bool) -> "Iterator[str | Text]":
    from p2p_shanghaien.ui.review.lines import lines
    from p2p_shanghaien.ui.view import seating

    yield say("verdict_line", file=name, verdict=summary(game.report))
    who = seating(game.record.names, None, screen.symbols, screen.fit)
    yield from lines(game.record, game.analysis, who, everything=everything, drawn=drawn, width=screen.width)
    yield ""


def _fields(name: str, game: Analysed) -> dict[str, Any]:
    """The analysis for other programs (protocol/RECORD.md, section 6)."""
    record, report, analysis = game
    return {
        "file": name,
        "verdict": report.verdict if report else None,
        "names": record.names,
        "game": record.game.NAME,
        **record.game.settings_fields(),
        "end": _end(game),
        "units": {"chance": GAME, "points": POINT},
        "thresholds": THRESHOLDS,
        "start": analysis.start._asdict(),
        "steps": list(_steps(game)),
        "players": [
            {
                "start": analysis.start.of_position(player)._asdict(),
                "luck": analysis.luck(player)._asdict(),
                "skill": analysis.skill(player)._asdict(),
                **({"matchup": analysis.matchup(player)._asdict()} if analysis.has_simultaneous else {}),
                "given_up": analysis.given_up.seen_by(player)._asdict(),
                "result": analysis.result.of_position(player)._asdict(),
                "rolls": tally.rolls._asdict(),
                "decisions": tally.decisions,
                "lost": tally.lost._asdict(),
                "grades": {grade: tally.grades[grade] for grade in THRESHOLDS},
            }
            for player, tally in enumerate(analysis.tallies)
        ],
    }


def _end(game: Analysed) -> str:
    """How the game ended, or that it has not."""
    if game.report and game.report.verdict in BROKEN_OFF:
        return BROKEN_OFF[game.report.verdict]
    if isinstance(game.record.last().node, Terminal):
        return "over"
    return game.record.ended.reason if game.record.ended else "unfinished"


def _steps(game: Analysed) -> Iterator[dict[str, Any]]:
    from p2p_shanghaien.ui.stops import places

    for step, place in zip(game.analysis.steps, places(game.record), strict=True):
        about = {"step": step.step, "place": str(place), "kind": step.kind, "player": step.player}
        yield {**about, "before": step.before._asdict(), "after": step.after._asdict(), **_found(step)}


def _found(step: Annotated) -> dict[str, Any]:
    """Return the fields of a draw, of simultaneous choices, of a decision, or of what had to be done."""
    if step.kind == Kind.DRAW:
        return {"luck": step.luck._asdict()}
    if step.kind == Kind.SIMULTANEOUS:
        decisions = [{"player": each.player, **_decided(each)} for each in step.decisions]
        return {"matchup": step.matchup._asdict(), "decisions": decisions}
    return _decided(step.decisions[0])


def _decided(decision: Decision) -> dict[str, Any]:
    """The fields of what a player did: the action alone where it was forced."""
    if not decision.options:
        return {"action": decision.action}
    options = [{"action": each.action, "cost": each.cost._asdict()} for each in decision.options]
    found = {"action": decision.action, "best": decision.best, "cost": decision.cost._asdict(), "grade": decision.grade}
    return {**found, "options": options}
