"""Shortcuts of a plain run, past what something else of the same run has shown; a thorough run takes none.

`begin` is for the processes that run tests, and for the one that is forked into programs (`tests.preloaded`).
"""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from p2p_shanghaien.analysis.annotate import Analysis, annotate
from p2p_shanghaien.app import analysis
from p2p_shanghaien.fairplay.keys import PublicKey
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Evaluator

FOLDER: Final = "SHANGHAIEN_TEST_ANALYSES"
"""The environment variable that names the folder of a run's analyses."""


@contextmanager
def shared() -> Iterator[None]:
    """Have the processes of this run share what they analyse."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, folder)
        yield


def begin(patch: pytest.MonkeyPatch) -> None:
    """Take the shortcuts from now on, until `patch` is undone."""
    # each further process imports everything anew; a test that wants more than one says so
    for module in (os, analysis):
        patch.setattr(module, "cpu_count", lambda: 1)
    # nine checks in ten are of the same few games, cut off, damaged or played again
    patch.setattr(PublicKey, "verifies", lru_cache(maxsize=2**16)(PublicKey.verifies))
    # hundreds of programs and tests want the analyses of a few records, which take a second or two each
    patch.setattr(analysis, "annotate", _annotate_once)


def skip_the_disk(patch: pytest.MonkeyPatch) -> None:
    """Leave what is written to the system: a program that ends or is killed loses nothing of it."""
    patch.setattr(os, "fsync", lambda descriptor: os.fstat(descriptor) and None)


def _annotate_once(record: Record, evaluator: Evaluator[Any]) -> Analysis:
    """Return the analysis of a game, the same that any process of this run has made of it.

    Only our own evaluators are known to give the same each time.
    """
    kind = type(evaluator)
    if FOLDER not in os.environ or not kind.__module__.startswith("p2p_shanghaien."):
        return annotate(record, evaluator)
    game = record.game
    game_played = (game.NAME, game.settings, record.steps, record.ended, kind.__module__, kind.__qualname__)
    path = Path(os.environ[FOLDER], sha256(pickle.dumps(game_played)).hexdigest())
    if not path.exists():
        analysed = annotate(record, evaluator)
        begun = path.with_suffix(f".{os.getpid()}")
        begun.write_bytes(pickle.dumps(analysed))
        begun.replace(path)
        return analysed
    found: Analysis = pickle.loads(path.read_bytes())
    return found
