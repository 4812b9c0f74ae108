"""A tournament of two computer players."""

from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.analysis.tournament import Interval, Summary
from p2p_shanghaien.ui.words import say


def lines(summary: Summary) -> Iterator[str]:
    """Yield the score, and the strength of the players."""
    yield say("tournament_score", won=summary.won, drawn=summary.drawn, lost=summary.lost)
    yield _line("tournament_win_rate", summary.win_rate, 100, ".1f")
    yield _line("tournament_margin", summary.margin, 1, "+.2f")
    if summary.adjusted_win_rate and summary.adjusted_margin:
        yield say("tournament_adjusted")
        yield _line("tournament_win_rate", summary.adjusted_win_rate, 100, ".1f")
        yield _line("tournament_margin", summary.adjusted_margin, 1, "+.2f")


def _line(code: str, interval: Interval, scale: float, form: str) -> str:
    shown = {name: format(scale * value, form) for name, value in interval._asdict().items() if value is not None}
    return say(code if "low" in shown else f"{code}_alone", **shown)


def fields(summary: Summary) -> dict[str, Any]:
    """Return the summary for other programs: each interval as its mean and its ends."""
    return {
        name: value._asdict() if isinstance(value, Interval) else value for name, value in summary._asdict().items()
    }
