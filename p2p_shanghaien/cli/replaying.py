"""The full screen of a game on file: what is added to it, and whom to ask about decisions."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.app.library import GameFile, Growing
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.cli.screens import kept_settings
from p2p_shanghaien.cli.watch import PAUSE
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Advise
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.full.critique import Critic
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.full.walk import Recorded


def full_replay(
    home: Home, game: GameFile, growing: Growing | None, advise: Advise | None, *, ascii_only: bool
) -> GameFile:
    """Let the person look through the game, and on as its log is `growing`; what has become of it when they leave.

    Without `advise` nothing is said of decisions at all. Raises LocalError, InvalidFile.
    """
    settings, keep = kept_settings(home)
    growth = _growth(growing) if growing and not growing.is_over() else None
    critic = Critic(advise, _analysis) if advise else None
    app = ReplayApp(Recorded(game.record, game.report), settings, keep, growth, critic, ascii_only=ascii_only or None)
    attended(app.attend())
    if app.failure:
        raise app.failure
    return game if growing is None else game.grown(growing.report)


async def _analysis(record: Record) -> Analysis:
    """The analysis of a game, made in a thread. Raises LocalError."""
    # this brings numpy, which opening the screen must not wait for
    from p2p_shanghaien.app.analysing import analyse

    return await Worker().run(partial(analyse, record))


async def _growth(growing: Growing) -> AsyncIterator[Report]:
    """Yield what the log has come to prove, whenever it has grown."""
    while not growing.is_over():
        await asyncio.sleep(PAUSE)
        if growing.look():
            yield growing.report
