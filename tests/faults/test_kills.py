"""Either program, or both, killed before and after every write, fsync and send of a game, and started again."""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect, NetCode
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.session.listener import Listener
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.series import Series
from tests.faults.mortal import Killed, Life, MortalLink, Player, play_on
from tests.pair import GAMES
from tests.session.memory import MemoryLink, dialer, link_pair, listener
from tests.sweeps import sweep
from tests.toy import Toy

GAME = Toy(1)
PAIRS = int(os.environ.get("SHANGHAIEN_KILLS", "96"))
"""The number of games in which both programs are killed, at random steps."""

SEED = 0


class World:
    """Two homes, and a cable in memory between whatever runs in them."""

    def __init__(self, homes: Path, seed: int) -> None:
        self.players = tuple(Player(seat, homes, seed) for seat in (0, 1))
        self.rng = random.Random(seed)
        self.steps: list[list[str]] = [[], []]
        self.kept: tuple[list[bytes], list[bytes]] = [], []
        """The logs on disk after each death."""
        self._door: Listener | None = None
        self._links: list[MemoryLink] = []
        self._visits: list[asyncio.Task[None]] = []
        self._host_life = Life()

    async def _dial(self, life: Life) -> MortalLink:
        if self._door is None:
            raise CannotConnect(NetCode.CONNECTION_REFUSED, address="memory")
        ours, theirs = link_pair()
        self._links += (ours, theirs)
        self._visits.append(asyncio.create_task(self._visit(MortalLink(ours, self._host_life))))
        return MortalLink(theirs, life)

    async def _visit(self, link: MortalLink) -> None:
        assert self._door is not None
        with suppress(Killed):
            await self._door.receive(link)

    @asynccontextmanager
    async def _hosting(self, side: Side) -> AsyncIterator[Series]:
        hello = partial(side.host_hello, GAME)
        self._door = door = listener(side, hello, deadline=2)
        try:
            yield Series(side, door, hello)
        finally:
            await door.release()
            await self._close_door()

    @asynccontextmanager
    async def _joining(self, life: Life, side: Side) -> AsyncIterator[Series]:
        call = dialer(partial(self._dial, life), side, longest_pause=0.02)
        try:
            yield Series(side, call, side.guest_hello)
        finally:
            await call.release()

    async def live(self, seat: int, deaths: Sequence[int]) -> None:
        """One seat's programs: each but the last dies at its step of `deaths`."""
        for last in (*deaths, None):
            life = Life(last)
            if seat == 0:
                self._host_life = life
            seated = self._hosting if seat == 0 else partial(self._joining, life)
            survived = await life.run(play_on(self.players[seat], life, seated))
            self.steps[seat] = life.steps
            await self._hang_up(seat)
            if survived:
                return
            if self.rng.random() < 0.3:
                self.players[seat].lose_power(self.rng)
            self.kept[seat].extend(path.read_bytes() for path in self.players[seat].paths)

    async def _close_door(self) -> None:
        """End as a server does: no visitor is left without a host."""
        self._door = None
        visits, self._visits = self._visits, []
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        for link in self._links[::2]:
            await link.close()

    async def _hang_up(self, seat: int) -> None:
        """Close a connection as the system does for a program that has ended."""
        if seat == 0:
            await self._close_door()
        for link in self._links[seat::2]:
            await link.close()
        player = self.players[seat]
        if player.log:
            player.log.close()

    async def play(self, host_deaths: Sequence[int] = (), guest_deaths: Sequence[int] = ()) -> None:
        """Live both lives to their ends, which is when both have the whole game."""
        async with asyncio.timeout(20):
            await asyncio.gather(self.live(0, host_deaths), self.live(1, guest_deaths))

    def check(self) -> None:
        """Both homes hold the same whole game, and no entry that was stored has been taken back."""
        (ours,), (theirs,) = (player.paths for player in self.players)
        whole = ours.read_bytes()
        assert theirs.read_bytes() == whole
        for player, kept in zip(self.players, self.kept, strict=True):
            report = player.report()
            assert report is not None
            assert report.verdict == Verdict.COMPLETE
            for found in kept:
                before = verify(found, GAMES)
                assert not before.entries or whole.startswith(found[: len(found) - before.truncated])


@contextmanager
def noted(what: str) -> Iterator[None]:
    """Say `what` was done beside whatever comes of it."""
    try:
        yield
    except BaseException as error:
        error.add_note(what)
        raise


async def steps(homes: Path) -> tuple[int, int]:
    """Return how many steps each side takes in a game that nothing happens to."""
    world = World(homes, SEED)
    await world.play()
    world.check()
    return len(world.steps[0]), len(world.steps[1])


@pytest.mark.parametrize("seat", [0, 1])
async def test_killed_at_any_step_a_side_goes_on_with_the_same_game(tmp_path: Path, seat: int, thorough: bool) -> None:
    total = (await steps(tmp_path / "whole"))[seat]
    assert total > 40
    for last in range(1, total + 1, 1 if thorough else 7):
        world = World(tmp_path / str(last), SEED)
        with noted(f"seat {seat} killed at step {last} of {total}"):
            await world.play(*([last], []) if seat == 0 else ([], [last]))
            world.check()


@sweep("seed", range(PAIRS), every=12)
async def test_both_killed_again_and_again_go_on_with_the_same_game(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    deaths = [[rng.randint(1, 50) for _ in range(rng.randint(1, 3))] for _ in (0, 1)]
    world = World(tmp_path, seed)
    with noted(f"killed at {deaths}"):
        await world.play(*deaths)
        world.check()
