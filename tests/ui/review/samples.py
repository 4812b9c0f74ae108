"""Analysed games to be shown."""

from functools import cache
from pathlib import Path

from p2p_shanghaien.cli.analysing import analyse, review
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.review.view import Review
from tests.ui.ledger import load

THRESHOLDS = (80_000, 40_000, 20_000)


@cache
def sample(path: Path) -> tuple[Record, Review]:
    """The game in a file, and its analysis."""
    record = load(path)
    return record, review(analyse(record))
