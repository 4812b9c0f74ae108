"""Analysed games to be shown."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from p2p_shanghaien.analysis.annotate import Analysis, Decision
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.games.record import Record
from tests.ui.ledger import load


@cache
def recorded(path: Path) -> Record:
    """Return the game in a file."""
    return load(path)


@cache
def analysed(path: Path) -> Analysis:
    """Return its analysis, which takes a while."""
    return analyse(recorded(path))


def sample(path: Path) -> tuple[Record, Analysis]:
    """Return the game in a file, and its analysis."""
    return recorded(path), analysed(path)


class Marked(NamedTuple):
    """A decision that has a grade, and its step."""

    step: int
    decided: Decision


def marked(found: Analysis) -> list[Marked]:
    """Return every decision with a grade, in the order of the game."""
    return [Marked(each.step, decided) for each in found.steps for decided in each.chosen if decided.grade]
