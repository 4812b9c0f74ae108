"""Analysed games to be shown."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from p2p_shanghaien.app.analysing import analyse
from p2p_shanghaien.cli.analysing import review
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.review.view import Decided, Review
from tests.ui.ledger import load


@cache
def sample(path: Path) -> tuple[Record, Review]:
    """The game in a file, and its analysis."""
    record = load(path)
    return record, review(analyse(record))


class Marked(NamedTuple):
    """A decision that has a grade, and its step."""

    step: int
    decided: Decided


def marked(found: Review) -> list[Marked]:
    """Return every decision with a grade, in the order of the game."""
    return [Marked(moment.step, decided) for moment in found.moments for decided in moment.decisions if decided.grade]
