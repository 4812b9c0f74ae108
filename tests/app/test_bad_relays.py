"""Relays that are not what they should be: they see no hello, begin no log and convict nobody (SPEC 4.4, 4.15)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.invitations import Invited
from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Malformed
from p2p_shanghaien.fairplay.channel import NO_KEY, ChannelOpening
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.preface import preface
from p2p_shanghaien.net import relay_client
from p2p_shanghaien.net.addresses import parse_relay
from p2p_shanghaien.net.relay_rooms import BEGIN, Refusal
from tests.app.test_lobby import SECONDS, Player, check_complete, ended, player
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

Mangle = Callable[[int, int, bytes], Sequence[bytes]]
"""Returns what the relay sends on in place of a message, given its sender (0 the host) and its number from there."""

ATTEMPTS = 8
"""Attempts of a guest before its host comes."""

OPENING = 2
"""Messages of each side before the first that the channel carries."""


class BadRelay:
    """A relay that joins a host and a guest, and does with their messages what `mangle` says, in each pipe anew."""

    def __init__(self) -> None:
        self.mangle: Mangle = lambda _sender, _number, message: [message]
        self.seen: list[bytes] = []
        self.pipes = 0
        self.hosts: list[ServerConnection] = []
        self.address = ""
        self.rooms: list[bytes] = []

    async def visited(self, connection: ServerConnection) -> None:
        first = await connection.recv()
        assert isinstance(first, bytes)
        self.rooms.append(first[1:])
        if first[0] == Role.HOST:
            self.hosts.append(connection)
            await connection.wait_closed()
            return
        waiting = [host for host in self.hosts if host.close_code is None]
        if not waiting:
            await connection.close(Refusal.NO_HOST)
            return
        host = waiting.pop()
        self.hosts.remove(host)
        self.pipes += 1
        for end in (host, connection):
            await end.send(BEGIN)
        await asyncio.gather(self._carry(Role.HOST, host, connection), self._carry(Role.GUEST, connection, host))

    async def _carry(self, sender: Role, source: ServerConnection, target: ServerConnection) -> None:
        number = 0
        try:
            async for message in source:
                assert isinstance(message, bytes)
                self.seen.append(message)
                for each in self.mangle(sender, number, message):
                    await target.send(each)
                number += 1
        except ConnectionClosed:
            pass
        await target.close()

    def once(self, sender: Role, at: int, instead: Callable[[bytes], Sequence[bytes]]) -> None:
        """Mangle one message of `sender`, in the first pipe alone."""

        def mangle(who: int, number: int, message: bytes) -> Sequence[bytes]:
            return instead(message) if (self.pipes, who, number) == (1, sender, at) else [message]

        self.mangle = mangle


@asynccontextmanager
async def relaying() -> AsyncIterator[BadRelay]:
    relay = BadRelay()
    async with serve(relay.visited, "127.0.0.1", 0, compression=None) as server:
        relay.address = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        yield relay


def invited(tmp_path: Path, relay: BadRelay) -> tuple[Player, Player, Invited]:
    """Return a host and a guest, and the invitation from one to the other."""
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gustav")
    invitation = lobby.new_invitation(host.side.identity)
    host = host._replace(side=replace(host.side, invitation=invitation))
    return host, guest, Invited(invitation, parse_relay(relay.address))


async def table(host: Player, line: Invited, watchers: int = 0) -> "asyncio.Task[lobby.Result]":
    opened: asyncio.Queue[lobby.Opened] = asyncio.Queue()
    game = host.side.games["shanghaien"].from_settings({})
    endpoint = lobby.Endpoint(relay=line.relay, watchers=watchers)
    task = asyncio.create_task(lobby.host(host.side, host.keeper, game, endpoint, opened.put_nowait))
    await opened.get()
    return task


def flipped(message: bytes) -> Sequence[bytes]:
    return [message[:-1] + bytes((message[-1] ^ 1,))]


TRICKS: dict[str, Callable[[bytes], Sequence[bytes]]] = {
    "flips a bit": flipped,
    "repeats it": lambda message: [message, message],
    "puts a preface in its place": lambda _: [preface((1, 2))],
    "puts nonsense before it": lambda message: [b"\x00" * 528, message],
}


@sweep("sender, number, trick", product(Role, range(OPENING + 2), TRICKS), every=13)
async def test_a_handshake_that_is_tampered_with_begins_no_game(
    tmp_path: Path, sender: Role, number: int, trick: str
) -> None:
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        hosting = await table(host, line)
        relay.once(sender, number, TRICKS[trick])
        joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, line))
        try:
            (result,) = await ended(joining)
        except CannotConnect:
            assert guest.keeper.last is None
            assert host.keeper.last is None
            assert "begun" not in host.bot.codes
            # a guest that calls again, through a relay that has stopped it, plays
            joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, line))
            (result,) = await ended(joining)
        (hosted,) = await ended(hosting)
        check_complete([result, hosted])


@sweep("sender, trick", product(Role, TRICKS), every=8)
async def test_a_game_that_is_tampered_with_is_resumed_and_convicts_nobody(
    tmp_path: Path, sender: Role, trick: str
) -> None:
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        hosting = await table(host, line)
        relay.once(sender, 20, TRICKS[trick])
        joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, line))
        check_complete(await ended(hosting, joining))
        assert relay.pipes >= 2
        for each in (host, guest):
            assert "interrupted_game" in each.bot.codes
            assert "peer_broke_rules" not in each.bot.codes


async def test_what_a_relay_sees_of_a_game_is_of_a_few_lengths_and_no_hello(tmp_path: Path) -> None:
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        hosting = await table(host, line)
        check_complete(await ended(hosting, asyncio.create_task(lobby.join(guest.side, guest.keeper, line))))
    passed = b"".join(relay.seen)
    assert {len(message) for message in relay.seen} == {len(preface()), 48, 528, 1040} & {
        len(message) for message in relay.seen
    }
    # words of five bytes and more: three bytes stand in a hundred thousand random ones once in 170 games
    for secret in (b"Hanna", b"Gustav", host.side.identity.public, guest.side.identity.public, b"standard"):
        assert secret not in passed


@pytest.mark.parametrize("key", [NO_KEY, b"\x07" * 32])
@pytest.mark.parametrize("room", ["players", "watchers"])
async def test_a_relay_that_comes_as_a_guest_or_as_a_watcher_sees_no_hello(
    tmp_path: Path, room: str, key: bytes
) -> None:
    """It knows both rooms and neither invitation, and what is shown to watchers it does not see, either."""
    async with relaying() as relay:
        host, _, line = invited(tmp_path, relay)
        hosting = await table(host, line, watchers=1)
        while len(relay.hosts) < 2:
            await asyncio.sleep(0.01)
        number = relay.rooms.index(line.invitation.room if room == "players" else line.invitation.watching.room)
        relay.hosts = [relay.hosts[number]]
        opening = ChannelOpening(Role.GUEST, (key,), b"\x05" * 32)
        got: list[bytes] = []
        async with connect(f"{relay.address}/1", compression=None) as intruder:
            await intruder.send(b"\x01" + relay.rooms[number])
            assert await intruder.recv() == BEGIN
            for message in opening.start():
                await intruder.send(message)
            async for received in intruder:
                assert isinstance(received, bytes)
                if opening.channel:
                    got.append(opening.channel.open(received))
                else:
                    for answer in opening.receive(received):
                        await intruder.send(answer)
        assert got == ([bye("invitation_needed")] if key == NO_KEY else [])
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)
        assert host.keeper.last is None


async def test_a_relay_that_poses_as_the_host_sees_no_hello(tmp_path: Path) -> None:
    """Even with a copy of the host's key it cannot answer the guest's first message."""
    got: list[bytes] = []

    async def pose(connection: ServerConnection) -> None:
        await connection.recv()
        await connection.send(BEGIN)
        await connection.send(preface())
        opening = ChannelOpening(Role.HOST, (NO_KEY,), b"\x05" * 32)
        async for message in connection:
            assert isinstance(message, bytes)
            got.append(message)
            try:
                opening.receive(message)
            except (Malformed, CannotConnect):
                await connection.close()

    async with serve(pose, "127.0.0.1", 0, compression=None) as server:
        relay = BadRelay()
        relay.address = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        _, guest, line = invited(tmp_path, relay)
        with pytest.raises(CannotConnect) as caught:
            await lobby.join(guest.side, guest.keeper, line)
    assert caught.value.code == "wrong_invitation"
    assert [len(message) for message in got] == [len(preface()), 48]
    assert guest.keeper.last is None


@pytest.mark.thorough
async def test_pipes_that_are_swapped(tmp_path: Path) -> None:
    """In the middle of a game the relay joins the guest's end with a second connection of the host."""
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        hosting = await table(host, line)
        held: list[bytes] = []

        def mangle(sender: int, number: int, message: bytes) -> Sequence[bytes]:
            # a message of the first pipe comes out of the second one
            if (relay.pipes, sender, number) == (1, Role.HOST, 20):
                held.append(message)
                return [message[::-1]]
            if (relay.pipes, sender, number) == (2, Role.HOST, OPENING):
                return [held[0], message]
            return [message]

        relay.mangle = mangle
        joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, line))
        check_complete(await ended(hosting, joining))
        assert relay.pipes >= 3
        assert "peer_broke_rules" not in (*host.bot.codes, *guest.bot.codes)


async def test_a_relay_that_vanishes_in_the_middle(tmp_path: Path) -> None:
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        hosting = await table(host, line)
        joining = asyncio.create_task(lobby.join(replace(guest.side, patience=0.5), guest.keeper, line))
        async with asyncio.timeout(20):
            await host.bot.reached.wait()
    with pytest.raises(ConnectionLost):
        await ended(joining)
    assert "interrupted_game" in guest.bot.codes
    async with asyncio.timeout(20):
        while "relay_away" not in host.bot.codes:
            await asyncio.sleep(0.01)
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)


async def test_a_guest_that_is_early_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the first attempt, since a host that lost its connection is soon back."""
    told: list[int] = []
    early, is_open = asyncio.Event(), asyncio.Event()

    async def hasten(_: float) -> None:
        told.append(guest.bot.codes.count("relay_nobody_waits"))
        if len(told) >= ATTEMPTS:
            early.set()
            await is_open.wait()

    monkeypatch.setattr(relay_client, "_jittered", hasten)
    async with relaying() as relay:
        host, guest, line = invited(tmp_path, relay)
        joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, line))
        await asyncio.wait_for(early.wait(), SECONDS)
        hosting = await table(host, line)
        is_open.set()
        check_complete(await ended(hosting, joining))
    assert (told[0], told[-1]) == (0, 1)
