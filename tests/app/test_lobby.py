"""The lobby as a bot uses it: two sides in one process over a real socket, without a terminal or a command."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.library import read
from p2p_shanghaien.app.lobby import Keeper, Opened, Result
from p2p_shanghaien.app.saved import SavedGame, latest, read_saved
from p2p_shanghaien.errors import CannotConnect, ConnectionLost, LocalError, Quit
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import InvitationNeeded
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.notes import NO_MORE
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.store.home import Home

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SECONDS = 60.0
CUT = 20
"""Decisions of one side before the connection is cut."""


class Bot:
    """Decides at random, and notes what it is told; `leaves` is the decision at which it leaves the table."""

    def __init__(self, seed: int, leaves: int | None = None) -> None:
        self._rng = Random(seed)
        self._leaves = leaves
        self.decisions = 0
        self.codes: list[str] = []
        self.reached = asyncio.Event()
        """The signal that the cut has been reached."""

    def begun(self, *_: object) -> None: ...

    def drew(self, *_: object) -> None: ...

    def stepped(self, *_: object) -> None: ...

    def notify(self, code: str, /, **_: object) -> None:
        self.codes.append(code)

    async def agrees(self, code: str, /, **_: object) -> bool:
        return True

    def stop_waiting(self, code: str, /, **_: object) -> None:
        return None

    async def decide(self, state: State, player: int) -> str:
        if self.decisions == self._leaves:
            raise Quit
        self.decisions += 1
        if self.decisions == CUT:
            self.reached.set()
        return self._rng.choice(state.legal(player))

    def command(self) -> None:
        return None

    async def again(self) -> int:
        return NO_MORE

    async def challenges(self, name: str) -> bool:
        return False


class Player(NamedTuple):
    """A bot with a home of its own."""

    home: Home
    keeper: Keeper
    bot: Bot
    side: Side


def player(root: Path, name: str, *, log: Path | None = None, leaves: int | None = None) -> Player:
    home, bot = Home(root / name), Bot(len(name), leaves)
    keeper = Keeper(home, log=log)
    return Player(home, keeper, bot, keeper.side(name, bot, bot))


async def table(host: Player) -> tuple["asyncio.Task[Result]", Address]:
    """Open a table at a free port; its address once guests can come."""
    opened: asyncio.Queue[Opened] = asyncio.Queue()
    playing = lobby.host(host.side, host.keeper, RULES["shanghaien"].from_settings({}), opened=opened.put_nowait)
    task = asyncio.create_task(playing)
    return task, (await opened.get()).here


async def ended(*tasks: "asyncio.Task[Result]") -> list[Result]:
    async with asyncio.timeout(SECONDS):
        return list(await asyncio.gather(*tasks))


def check_complete(results: Sequence[Result]) -> None:
    """Both sides keep the same bytes, which prove a whole game."""
    logs = [result.log for result in results]
    assert all(logs)
    assert len({log.read_bytes() for log in logs if log}) == 1
    for result in results:
        report = read(result.log or Path())
        assert isinstance(report, Report)
        assert report.verdict == Verdict.COMPLETE
        assert (result.exit_code, result.has_left) == (0, False)


async def test_two_bots_play_a_whole_game(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    hosting, address = await table(host)
    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address))
    check_complete(await ended(hosting, joining))
    assert host.bot.decisions > CUT


async def cut_game(
    root: Path,
    *,
    is_private: bool,
    table: Callable[[Player], Awaitable[tuple["asyncio.Task[Result]", Address]]] = table,
) -> tuple[list[Player], list[SavedGame]]:
    """Cut a game of two sides at a `table`; each side as a program that starts again, and its saved game."""
    host, guest = player(root, "Hanna"), player(root, "Gus")
    if is_private:
        invitation = lobby.new_invitation(host.side.identity)
        host, guest = (each._replace(side=replace(each.side, invitation=invitation)) for each in (host, guest))
    hosting, address = await table(host)
    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address))
    async with asyncio.timeout(SECONDS):
        await host.bot.reached.wait()
    for task in (hosting, joining):
        task.cancel()
    assert all(
        isinstance(each, asyncio.CancelledError)
        for each in await asyncio.gather(hosting, joining, return_exceptions=True)
    )
    games = [latest(each.home) for each in (host, guest)]
    assert {game.report.verdict for game in games} == {Verdict.INCOMPLETE}
    again = [player(root, each.side.name, log=game.path) for each, game in zip((host, guest), games, strict=True)]
    return again, games


@pytest.mark.parametrize("is_private", [False, True])
async def test_a_game_that_was_cut_is_resumed_from_disk(tmp_path: Path, is_private: bool) -> None:
    """A private table's channel has the same key again, and nobody needs the invitation."""
    again, games = await cut_game(tmp_path, is_private=is_private)
    assert {game.sidecar.channel_key != NO_KEY for game in games} == {is_private}
    # the guest may be there first, and calls until the host is
    tasks = [
        asyncio.create_task(lobby.resume(game, each.side, each.keeper))
        for game, each in zip(reversed(games), reversed(again), strict=True)
    ]
    check_complete(await ended(*tasks))
    with pytest.raises(LocalError) as nothing:
        latest(again[0].home)
    assert nothing.value.code == "nothing_to_resume"


async def test_a_resumed_private_game_is_closed_to_whoever_lacks_its_key(tmp_path: Path) -> None:
    (host, guest), (at_host, at_guest) = await cut_game(tmp_path, is_private=True)
    opened: asyncio.Queue[Opened] = asyncio.Queue()
    hosting = asyncio.create_task(lobby.resume(at_host, host.side, host.keeper, opened=opened.put_nowait))
    stranger = player(tmp_path, "Stranger")
    with pytest.raises(InvitationNeeded):
        await ended(asyncio.create_task(lobby.join(stranger.side, stranger.keeper, (await opened.get()).here)))
    check_complete(await ended(hosting, asyncio.create_task(lobby.resume(at_guest, guest.side, guest.keeper))))


async def test_a_side_that_leaves_has_a_result_and_the_other_an_error(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus", leaves=3)
    hosting, address = await table(host._replace(side=replace(host.side, patience=0.0)))
    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address))
    (left,) = await ended(joining)
    assert left.has_left
    assert left.exit_code == ConnectionLost.exit_code
    assert "you_left" in guest.bot.codes
    with pytest.raises(ConnectionLost):
        await ended(hosting)
    assert host.keeper.result is not None
    assert host.keeper.result.exit_code == ConnectionLost.exit_code
    assert read_saved(guest.home, left.log or Path()).report.verdict == Verdict.INCOMPLETE


async def test_whoever_is_not_invited_is_asked_and_nobody_else_sits_down(tmp_path: Path) -> None:
    host, guest, stranger = player(tmp_path, "Hanna"), player(tmp_path, "Gus"), player(tmp_path, "Eve")
    invitation = lobby.new_invitation(host.side.identity)
    hosting, address = await table(host._replace(side=replace(host.side, invitation=invitation)))
    with pytest.raises(CannotConnect) as refused:
        await lobby.join(stranger.side, stranger.keeper, address)
    assert refused.value.code == "invitation_needed"

    async def ask() -> Invitation:
        return invitation

    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address, ask_invitation=ask))
    check_complete(await ended(hosting, joining))


async def test_both_sides_in_one_call(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    async with asyncio.timeout(SECONDS):
        result = await lobby.play(host.side, host.keeper, guest.side, RULES["shanghaien"].from_settings({}))
    report = host.keeper.verdict()
    assert result.exit_code == 0
    assert report.verdict == Verdict.COMPLETE
    assert report.session is not None
    assert report.session.names == ("Hanna", "Gus")


def test_it_needs_no_command_line_and_no_screen() -> None:
    program = (
        "import sys, p2p_shanghaien.app.lobby, p2p_shanghaien.app.library, p2p_shanghaien.app.contacts\n"
        "barred = ('click', 'rich', 'textual', 'prompt_toolkit', 'p2p_shanghaien.cli', 'p2p_shanghaien.ui')\n"
        "print(*(name for name in barred if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
