"""An analysed game for other programs (protocol/RECORD.md, section 6)."""

from collections.abc import Iterator
from typing import Any, Final

from p2p_shanghaien.analysis.annotate import GAME, POINT, THRESHOLDS, Analysis, Annotated, Decision, StepKind
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.snapshots import move_numbers

BROKEN_OFF: Final = {Verdict.VIOLATION: "violation", Verdict.INVALID_FILE: "damaged"}
"""Ends of games whose beginning alone is sound."""


def fields(name: str, record: Record, report: Report | None, analysis: Analysis) -> dict[str, Any]:
    """Return the analysis of the game in the file called `name`."""
    return {
        "file": name,
        "verdict": report.verdict if report else None,
        "names": record.names,
        "game": record.game.NAME,
        **record.game.settings_fields(),
        "end": _end(record, report),
        "units": {"chance": GAME, "points": POINT},
        "thresholds": THRESHOLDS,
        "start": analysis.start._asdict(),
        "steps": list(_steps(record, analysis)),
        "players": [
            {
                "start": analysis.start.to_player(player)._asdict(),
                "luck": analysis.luck(player)._asdict(),
                "skill": analysis.skill(player)._asdict(),
                **({"matchup": analysis.matchup(player)._asdict()} if analysis.has_simultaneous else {}),
                "given_up": analysis.given_up.change_to(player)._asdict(),
                "result": analysis.result.to_player(player)._asdict(),
                "rolls": tally.rolls._asdict(),
                "decisions": tally.decisions,
                "lost": tally.lost._asdict(),
                "grades": {grade: tally.grades[grade] for grade in THRESHOLDS},
            }
            for player, tally in enumerate(analysis.tallies)
        ],
    }


def _end(record: Record, report: Report | None) -> str:
    """Return the end of the game, or that it is unfinished."""
    if report and report.verdict in BROKEN_OFF:
        return BROKEN_OFF[report.verdict]
    if isinstance(record.last().node, Terminal):
        return "over"
    return record.ended.reason if record.ended else "unfinished"


def _steps(record: Record, analysis: Analysis) -> Iterator[dict[str, Any]]:
    for step, place in zip(analysis.steps, move_numbers(record), strict=True):
        about = {"step": step.step, "place": str(place), "kind": step.kind, "player": step.player}
        yield {**about, "before": step.before._asdict(), "after": step.after._asdict(), **_found(step)}


def _found(step: Annotated) -> dict[str, Any]:
    """Return the fields of a draw, of simultaneous choices, or of a decision, forced ones included."""
    if step.kind == StepKind.DRAW:
        return {"luck": step.luck._asdict()}
    if step.kind == StepKind.SIMULTANEOUS:
        decisions = [{"player": each.player, **_decided(each)} for each in step.decisions]
        return {"matchup": step.matchup._asdict(), "decisions": decisions}
    return _decided(step.decisions[0])


def _decided(decision: Decision) -> dict[str, Any]:
    """Return the fields of a player's action: it alone if it was forced."""
    if not decision.options:
        return {"action": decision.action}
    options = [{"action": each.action, "cost": each.cost._asdict()} for each in decision.options]
    found = {"action": decision.action, "best": decision.best, "cost": decision.cost._asdict(), "grade": decision.grade}
    return {**found, "options": options}
