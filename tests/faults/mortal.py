"""Programs that are killed at a chosen step: before or after a write, an fsync or a send."""

import asyncio
import os
import random
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.handshake import Established
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.ports import Link, Log
from p2p_shanghaien.session.series import Saved, Series
from p2p_shanghaien.store.logs import GameLog, Sidecar, read_sidecar
from p2p_shanghaien.store.paths import log_path
from tests.pair import GAMES, NAMES, SECURED
from tests.session.memory import Decisive, Onlooker


class Killed(BaseException):
    """The program is no more; nothing that it does after this has any effect."""


def collapse() -> None:
    """Die as far as that is possible inside a test."""
    raise Killed


@dataclass
class Life:
    """One run of a program, which ends at its step number `last`, from 1 on; None: when it has done its work."""

    last: int | None = None
    kill: Callable[[], None] = collapse
    steps: list[str] = field(default_factory=list)
    died: asyncio.Event = field(default_factory=asyncio.Event)

    def step(self, what: str) -> None:
        """Something is about to happen, or has just happened."""
        if not self.died.is_set():
            self.steps.append(what)
            if len(self.steps) != self.last:
                return
            self.died.set()
        self.kill()

    async def run(self, work: Coroutine[Any, Any, None]) -> bool:
        """Do `work`, unless death comes first; whether it did not."""
        working, dying = asyncio.create_task(work), asyncio.create_task(self.died.wait())
        await asyncio.wait({working, dying}, return_when=asyncio.FIRST_COMPLETED)
        for task in (working, dying):
            task.cancel()
        (end, _) = await asyncio.gather(working, dying, return_exceptions=True)
        if not self.died.is_set() and isinstance(end, BaseException):
            raise end
        return not self.died.is_set()


class MortalLog:
    """A log whose writer may die at it. `safe` is how many bytes of it would outlast a power cut."""

    def __init__(self, log: GameLog, life: Life) -> None:
        self.safe = 0
        self.path = log.path
        self._log = log
        self._life = life

    def append(self, entry: bytes) -> None:
        self._around("append", lambda: self._log.append(entry))

    def sync(self) -> None:
        if self.safe < (size := self.path.stat().st_size):
            self._around("sync", self._log.sync)
            self.safe = size

    def add_handshake(self, established: Established) -> None:
        self._around("met", lambda: self._log.add_handshake(established))

    def set_address(self, address: str) -> None:
        self._around("moved", lambda: self._log.set_address(address))

    def mark_delivered(self) -> None:
        self._around("delivered", self._log.mark_delivered)

    def mark_resigned(self) -> None:
        self._around("resigned", self._log.mark_resigned)

    def close(self) -> None:
        self._log.close()

    def discard(self) -> None:
        self._around("discard", self._log.discard)

    def _around(self, what: str, work: Callable[[], None]) -> None:
        self._life.step(f"before {what}")
        work()
        self._life.step(f"after {what}")


class MortalLink:
    """A link whose user may die at sending; its channel is open already, unless another is opened over it."""

    secured = SECURED

    def __init__(self, link: Link, life: Life) -> None:
        self.remote = link.remote
        self._link = link
        self._life = life

    async def send(self, data: bytes) -> None:
        self._life.step("before send")
        await self._link.send(data)
        self._life.step("after send")

    async def receive(self) -> bytes:
        return await self._link.receive()

    async def close(self) -> None:
        await self._link.close()

    def settled(self) -> None:
        self._link.settled()


@dataclass
class Player:
    """One seat's home, key and habits, which outlast its program. `homes` is the folder of both homes.

    `last_word` as for a Side.
    """

    seat: int
    homes: Path
    seed: int
    onlooker: Onlooker = field(default_factory=Onlooker)
    log: MortalLog | None = None
    last_word: float = 0.3

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed} {self.seat}")
        self.identity = Identity(self.rng.randbytes(32))

    @property
    def games(self) -> Path:
        return self.homes / NAMES[self.seat]

    @property
    def paths(self) -> list[Path]:
        return sorted(self.games.glob("*.shlog")) if self.games.exists() else []

    def report(self) -> Report | None:
        """Return what the log on the disk shows, if there is one with an entry."""
        reports = [verify(path.read_bytes(), GAMES) for path in self.paths]
        begun = [report for report in reports if report.entries or report.match]
        assert len(begun) <= 1
        return begun[0] if begun else None

    def side(self, life: Life, patience: float | None = 5) -> Side:
        """Return the side of a program that runs now."""

        def keep(session: Session, at: int, opening: bytes, secret: bytes, channel_key: bytes, address: str) -> Log:
            life.step("before start")
            private = Sidecar(secret, "identity", address, channel_key)
            log = GameLog.start(log_path(self.games, session.id, at), opening, private)
            self.log = MortalLog(log, life)
            life.step("after start")
            return self.log

        return Side(
            self.identity,
            NAMES[self.seat],
            self.onlooker,
            Decisive(self.rng),
            GAMES,
            keep,
            lambda opponent: (),
            os.urandom,
            patience=patience,
            last_word=self.last_word,
        )

    def is_done(self) -> bool:
        """Return whether nothing is missing: both signatures are there, and whoever signed last knows that both have
        them.
        """
        report = self.report()
        if report is None or report.verdict != Verdict.COMPLETE:
            return False
        return self.seat == 0 or read_sidecar(self.paths[0]).delivered

    def saved(self, life: Life) -> Saved | None:
        """Return the game on the disk, taken hold of, if there is one."""
        report = self.report()
        if report is None or report.match is None:
            return None
        path = log_path(self.games, report.match.session.id, self.seat)
        private = read_sidecar(path)
        log = GameLog.reopen(path, report.truncated)
        self.log = MortalLog(log, life)
        return Saved(report.match, report.entries, self.seat, private.secret, self.log)

    def lose_power(self, rng: random.Random) -> None:
        """Lose some of the data that was written and not synced."""
        if self.log and self.log.safe and (path := self.log.path).exists():
            length = rng.randint(self.log.safe, path.stat().st_size)
            with path.open("r+b") as file:
                file.truncate(length)


async def play_on(player: Player, life: Life, seated: Callable[[Side], AbstractAsyncContextManager[Series]]) -> None:
    """Play as a person does: continue the saved game, or else start one, until it is finished."""
    while not player.is_done():
        side = player.side(life)
        saved = player.saved(life)
        try:
            async with seated(side) as series:
                await (series.resume(saved) if saved else series.play())
        except (CannotConnect, ConnectionLost):
            await asyncio.sleep(0.01)
        else:
            return
