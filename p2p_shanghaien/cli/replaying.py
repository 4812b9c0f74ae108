"""The full screen of a game on file: what verification found, what is added to it, and whom to ask about decisions."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from p2p_shanghaien.app.library import GameFile, Growing
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.cli.screens import looks_of
from p2p_shanghaien.cli.watch import PAUSE
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.advice import Advise
from p2p_shanghaien.ui.full.critique import Critic
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.full.walk import Finding
from p2p_shanghaien.ui.review.view import Review
from p2p_shanghaien.ui.verdicts import proved
from p2p_shanghaien.ui.words import Later, later

TONES: Final = {Verdict.COMPLETE: "good", Verdict.VIOLATION: "bad"}
"""Styles of the verdicts that are not just `strong`."""


def full_replay(
    home: Home, game: GameFile, growing: Growing | None, advise: Advise | None, *, ascii_only: bool
) -> GameFile:
    """Let the person look through the game, and on as its log is `growing`; what has become of it when they leave.

    Without `advise` nothing is said of decisions at all. Raises LocalError, InvalidFile.
    """
    looks, keep = looks_of(home)
    growth = _growth(growing, game) if growing and not growing.is_over() else None
    critic = Critic(advise, _review) if advise else None
    app = ReplayApp(finding(game), looks, keep, growth, critic, ascii_only=ascii_only or None)
    attended(app.attend())
    if app.failure:
        raise app.failure
    return game if growing is None else game.grown(growing.report)


async def _review(record: Record) -> Review:
    """The analysis of a game, made in a thread. Raises LocalError."""
    # these bring numpy, which opening the screen must not wait for
    from p2p_shanghaien.app.analysing import analyse
    from p2p_shanghaien.cli.analysing import review

    return review(await Worker().run(partial(analyse, record)))


async def _growth(growing: Growing, game: GameFile) -> AsyncIterator[Finding]:
    """Whatever is found as the log grows."""
    while not growing.is_over():
        await asyncio.sleep(PAUSE)
        if growing.look():
            yield finding(game.grown(growing.report))


def finding(game: GameFile) -> Finding:
    """What verification found, as a screen is told of it."""
    report = game.report
    if report is None:
        return Finding(game.record, Later(lambda: proved(game.report)), "quiet")
    tone, breach = TONES.get(report.verdict, "strong"), None
    if report.verdict == Verdict.VIOLATION:
        assert report.session is not None
        assert report.offender is not None
        assert report.fault is not None
        name = report.session.names[report.offender]
        breach = later("replay_breach", name=name, number=report.number, reason=report.fault)

    def draw(steps: int) -> Drew | None:
        made = [reveal for reveal in report.reveals if reveal.steps <= steps]
        return Drew.of(made[-1].before, made[-1].entry) if made else None

    return Finding(game.record, Later(lambda: proved(game.report)), tone, breach or "", draw)
