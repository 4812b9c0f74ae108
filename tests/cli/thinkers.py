"""The program with computer players that make trouble: `python -m tests.cli.thinkers LEVEL ARGUMENTS...`.

`easy` is played by the one of that name here. It says on a line of its own when it begins to think.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

from p2p_shanghaien.cli.launcher import main
from p2p_shanghaien.games import shanghaien
from p2p_shanghaien.games.api import Action, Part, State

LATE = 1.0
"""Seconds of a decision that takes long."""


def slow(state: State, player: int, rng: Random) -> Action:
    time.sleep(LATE)
    return rng.choice(state.legal(player))


def endless(state: State, player: int, rng: Random) -> Action:
    print("thinks for ever", flush=True)
    time.sleep(3600)
    raise AssertionError("nobody waits that long")


def faulty(state: State, player: int, rng: Random) -> Action:
    raise ValueError("boom")


THINKERS: dict[str, Callable[[State, int, Random], Action]] = {
    thinker.__name__: thinker for thinker in (slow, endless, faulty)
}

if __name__ == "__main__":
    easy = Part(f"tests.cli.thinkers:{sys.argv.pop(1)}")
    # before the registry reads it
    shanghaien.SPEC = replace(shanghaien.SPEC, levels={**shanghaien.SPEC.levels, "easy": easy})  # type: ignore[misc]
    main()
