"""Tournaments of computer players, on the cores of this machine."""

from collections.abc import Callable
from os import cpu_count
from typing import Any

from p2p_shanghaien.analysis.tournament import Contest, Pair, play
from p2p_shanghaien.app.participants.external_engine import PREFIX, EnginePlayer
from p2p_shanghaien.app.processes import workers
from p2p_shanghaien.players import ComputerPlayer, Historian, computer_player


def competitor(player: str, game: str) -> ComputerPlayer[Any] | Historian:
    """Return the computer player `player`, a level or `engine:COMMAND`. Raises UsageError, LocalError."""
    return EnginePlayer(player.removeprefix(PREFIX)) if player.startswith(PREFIX) else computer_player(game, player)


def played(
    contest: Contest, count: int, cores: int | None, advance: Callable[[int], object] = lambda _: None
) -> tuple[list[Pair], bool]:
    """Return the pairs of games that were finished, and whether those are all: Ctrl-C ends a tournament early.

    `cores` None: all of them. `advance` is notified of the number of further finished games. Raises LocalError.
    """
    pairs = []
    try:
        with workers(min(cores or cpu_count() or 1, count)) as executor:
            for pair in play(contest, range(count), executor):
                pairs.append(pair)
                advance(len(pair.results))
    except KeyboardInterrupt:
        return pairs, False
    return pairs, True
