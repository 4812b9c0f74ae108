"""Whole programs whose opponent signs a second version of an entry once both have signed the result: exit code 6."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.ports import Link, Secure, SecureLink
from p2p_shanghaien.session.series import Series
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien
from tests.session.memory import Seat, seat
from tests.session.test_after_the_end import second_version
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


class Cheater:
    """A side that answers the question after another game with a fork, at seat `at`."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seat: Seat = seat("Sly", random.Random(at))
        self.link: SecureLink | None = None
        self.seat.decider.again = self.cheats  # type: ignore[method-assign]

    async def cheats(self) -> int:
        assert self.link is not None
        await self.link.send(second_version(self.seat, self.at, 3))
        await asyncio.Event().wait()
        raise AssertionError

    def secure(self, role: Role) -> Secure:
        """Return what opens a channel, and keeps it for the fork."""

        async def secure(link: Link) -> SecureLink:
            self.link = await self.seat.side.secure(role)(link)
            return self.link

        return secure

    async def joins(self, port: int) -> None:
        side = self.seat.side
        call = Dialer(
            partial(connect, Address("127.0.0.1", port)),
            self.secure(Role.GUEST),
            partial(side.handshake, side.guest_hello),
        )
        await Series(side, call, side.guest_hello).play()

    async def hosts(self, ready: "asyncio.Future[int]") -> None:
        side = self.seat.side
        hello = partial(side.host_hello, Shanghaien())
        door = Listener(self.secure(Role.HOST), partial(side.handshake, hello))
        async with serve(door.receive, "127.0.0.1", 0) as server:
            ready.set_result(server.port)
            series = partial(Series, side, door, hello)
            await host_games(door, series, self.seat.onlooker)


async def check_proves_violation(victim: Running, home: Path, cheater_at: int) -> None:
    """The program ends by itself with the violation's code, says what happened, and has the evidence on its disk."""
    assert await asyncio.to_thread(victim.exit_code) == 6
    assert "Traceback" not in victim.output
    assert "signed an entry that breaks a rule" in " ".join(victim.output.split())
    (log,) = logs(home)
    assert f"shanghaien verify {log.name[:8]}" in " ".join(victim.output.split())
    assert log.stem not in victim.output
    report = verify(log.read_bytes(), RULES)
    assert (report.verdict, report.violator) == (Verdict.VIOLATION, cheater_at)
    assert (await asyncio.to_thread(shanghaien, home, "verify", log)).returncode == 6


@sweep("player", [RANDOM, ()], ids=["computer", "person"], every=2)
async def test_a_host_keeps_and_says_what_its_guest_signed_too_late(tmp_path: Path, player: tuple[str, ...]) -> None:
    cheater = Cheater(1)
    with await asyncio.to_thread(Host, tmp_path, *player) as host:
        joining = asyncio.create_task(cheater.joins(host.port))
        if not player:
            await asyncio.to_thread(host.wait_for, "Play with")
            host.type("y")
            for _ in range(400):  # whatever the list offers first; what is typed too early waits for its question
                host.type("1")
        await check_proves_violation(host, tmp_path, 1)
        await asyncio.gather(joining, return_exceptions=True)


@pytest.mark.thorough
async def test_a_guest_keeps_and_says_what_its_host_signed_too_late(tmp_path: Path) -> None:
    cheater = Cheater(0)
    ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    hosting = asyncio.create_task(cheater.hosts(ready))
    with Running(tmp_path, "join", f"127.0.0.1:{await ready}", *RANDOM) as guest:
        await check_proves_violation(guest, tmp_path, 0)
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)
