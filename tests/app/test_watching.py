"""Watching over real sockets, as a bot does: the log that is kept, cuts, restarts, private tables, refusals."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.invitations import Invited
from p2p_shanghaien.app.lobby import Endpoint, Opened, Result
from p2p_shanghaien.app.watching import Watching
from p2p_shanghaien.errors import CannotConnect, LocalError, ShanghaienError
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.entries import Envelope, parse
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.transcript import MAGIC, read
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import Address, parse_relay
from p2p_shanghaien.net.relay import relay
from p2p_shanghaien.net.relay_client import RelayTable
from p2p_shanghaien.net.transport import Connection, connect, serve
from p2p_shanghaien.session.secure_link import answering
from tests.app.test_lobby import Player, check_complete, cut_game, ended, player

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SECONDS = 30.0
SAMPLE = Path(__file__).parents[2] / "examples" / "sample.shlog"


class Spectator:
    """Somebody who watches, with a folder of their own, and all that they were told."""

    def __init__(
        self,
        folder: Path,
        where: Address | RelayTable,
        invitation: Invitation | None = None,
        ask: Callable[[], Awaitable[Invitation]] | None = None,
    ) -> None:
        self.codes: list[str] = []
        self.verdicts: list[Verdict] = []
        self.has_seen = asyncio.Event()
        self.watching = Watching(folder, where, invitation, self.notify, ask)

    def notify(self, code: str, /, **_: object) -> None:
        self.codes.append(code)

    async def see(self) -> Report | None:
        """Watch until the host leaves; return what has been seen by then."""
        async with asyncio.timeout(SECONDS), aclosing(self.watching.reports()) as reports:
            async for report in reports:
                self.verdicts.append(report.verdict)
                self.has_seen.set()
        return self.watching.report

    def check_whole(self, *results: Result) -> None:
        """Check that the log of the game that these are the results of has been kept."""
        assert self.watching.path is not None
        for result in results:
            assert result.log is not None
            assert self.watching.path.read_bytes() == result.log.read_bytes()
            assert self.watching.path.name == f"{result.log.name[:64]}-watched.shlog"
        assert verify(self.watching.path.read_bytes(), RULES).verdict == Verdict.COMPLETE


async def table(host: Player, game: str = "shanghaien", **endpoint: Any) -> tuple["asyncio.Task[Result]", Address]:
    """Open a table at a free port that two people may watch; its address once guests can come."""
    opened: asyncio.Queue[Opened] = asyncio.Queue()
    place = Endpoint(**{"watchers": 2, **endpoint})
    playing = lobby.host(host.side, host.keeper, RULES[game].from_settings({}), place, opened.put_nowait)
    task = asyncio.create_task(playing)
    return task, (await opened.get()).here


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
async def test_a_whole_game_is_watched_and_kept(tmp_path: Path, game: str) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    hosting, address = await table(host, game)
    spectators = [Spectator(tmp_path / f"watched{number}", address) for number in range(2)]
    seeing = [asyncio.create_task(spectator.see()) for spectator in spectators]
    await asyncio.sleep(1.2)
    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address))
    results = await ended(hosting, joining)
    check_complete(results)
    await asyncio.gather(*seeing)
    for spectator in spectators:
        spectator.check_whole(*results)
        assert spectator.verdicts[0] == Verdict.INCOMPLETE
        assert spectator.codes == ["watching_waits"]
    assert "may_be_watched" in guest.bot.codes
    assert "watchers" in guest.bot.codes
    assert "watchers" in host.bot.codes


async def test_a_cut_is_told_and_watching_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    hosting, address = await table(host)
    spectator = Spectator(tmp_path / "watched", address)
    connections: list[Connection] = []

    async def noted(address: Address) -> Connection:
        connections.append(await connect(address))
        return connections[-1]

    monkeypatch.setattr("p2p_shanghaien.app.watching.connect", noted)
    seeing = asyncio.create_task(spectator.see())
    joining = asyncio.create_task(lobby.join(guest.side, guest.keeper, address))
    for _ in range(3):
        await asyncio.wait_for(spectator.has_seen.wait(), SECONDS)
        spectator.has_seen.clear()
        await connections[-1].close()
    results = await ended(hosting, joining)
    await seeing
    spectator.check_whole(*results)
    assert spectator.codes.count("watching_interrupted") == spectator.codes.count("watching_again") >= 1


@pytest.mark.thorough
async def test_whoever_watched_half_a_game_has_the_rest_another_time(tmp_path: Path) -> None:
    """Both the file and the host's resumed game go on where they were; watchers need no other invitation."""
    invitation: list[Invitation] = []

    async def opened(host: Player) -> tuple["asyncio.Task[Result]", Address]:
        hosting, address = await table(host)
        assert host.side.invitation is not None
        invitation.append(host.side.invitation.watching)
        first = Spectator(tmp_path / "watched", address, invitation[0])
        seeing = asyncio.create_task(first.see())

        async def both() -> Result:
            try:
                return await hosting
            finally:
                hosting.cancel()
                await asyncio.gather(hosting, return_exceptions=True)
                await seeing

        return asyncio.create_task(both()), address

    again, games = await cut_game(tmp_path, is_private=True, table=opened)
    (kept,) = (tmp_path / "watched").iterdir()
    before = kept.read_bytes()
    assert games[0].path.read_bytes().startswith(before)
    assert verify(before, RULES).verdict == Verdict.INCOMPLETE
    kept.write_bytes(before + b"\0\0\1")  # a record that was being written
    where: asyncio.Queue[Opened] = asyncio.Queue()
    hosting = asyncio.create_task(lobby.resume(games[0], again[0].side, again[0].keeper, opened=where.put_nowait))
    second = Spectator(tmp_path / "watched", (await where.get()).here, invitation[0])
    seeing = asyncio.create_task(second.see())
    joining = asyncio.create_task(lobby.resume(games[1], again[1].side, again[1].keeper))
    results = await ended(hosting, joining)
    await seeing
    second.check_whole(*results)
    assert kept.read_bytes().startswith(before)


async def test_an_invitation_to_watch_is_asked_for_and_leads_to_nothing_else(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    invitation = lobby.new_invitation(host.side.identity)
    hosting, address = await table(host._replace(side=replace(host.side, invitation=invitation)))

    async def ask() -> Invitation:
        return invitation.watching

    spectator, stranger = Spectator(tmp_path / "a", address, ask=ask), Spectator(tmp_path / "b", address)
    seeing = asyncio.create_task(spectator.see())
    assert await refusal(stranger) == "invitation_needed"
    wrong = lobby.new_invitation(host.side.identity).watching
    assert await refusal(Spectator(tmp_path / "c", address, wrong)) == "wrong_invitation"
    eve = player(tmp_path, "Eve")
    with pytest.raises(CannotConnect) as refused:
        await lobby.join(replace(eve.side, invitation=invitation.watching), eve.keeper, address)
    assert refused.value.code == "peer_wrong_invitation"
    joining = asyncio.create_task(lobby.join(replace(guest.side, invitation=invitation), guest.keeper, address))
    results = await ended(hosting, joining)
    await seeing
    spectator.check_whole(*results)


@pytest.mark.thorough
async def test_watchers_come_through_a_relay_to_a_room_of_their_own(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    invitation = lobby.new_invitation(host.side.identity)
    async with relay("127.0.0.1", 0) as server:
        address = parse_relay(f"ws://127.0.0.1:{server.port}")
        hosting, _ = await table(host._replace(side=replace(host.side, invitation=invitation)), relay=address)
        watching = invitation.watching
        spectator = Spectator(tmp_path / "watched", RelayTable(address, watching.room), watching)
        seeing = asyncio.create_task(spectator.see())
        joining = asyncio.create_task(
            lobby.join(replace(guest.side, invitation=invitation), guest.keeper, Invited(invitation, address))
        )
        results = await ended(hosting, joining)
        await seeing
    spectator.check_whole(*results)
    assert "connected_by_relay" in spectator.codes


async def refusal(spectator: Spectator) -> str:
    """Return the code of the error that ends watching."""
    with pytest.raises(ShanghaienError) as refused:
        await spectator.see()
    return refused.value.code


async def test_a_host_that_admits_nobody_and_one_that_is_full(tmp_path: Path) -> None:
    host = player(tmp_path, "Hanna")
    for watchers, code in ((0, "not_watchable"), (1, "watchers_full")):
        hosting, address = await table(host, watchers=watchers)
        first = Spectator(tmp_path / "a", address)
        seeing = asyncio.create_task(first.see())
        async with asyncio.timeout(SECONDS):
            while watchers and "watching_waits" not in first.codes:
                await asyncio.sleep(0.01)
        assert await refusal(Spectator(tmp_path / "b", address)) == code
        for task in (seeing, hosting):
            task.cancel()
        await asyncio.gather(seeing, hosting, return_exceptions=True)


async def test_nobody_is_there(tmp_path: Path) -> None:
    async with serve(ignore, "127.0.0.1", 0) as server:
        port = server.port
    assert await refusal(Spectator(tmp_path, Address("127.0.0.1", port))) == "connection_refused"


async def ignore(_: Connection) -> None: ...


@pytest.mark.thorough
async def test_the_same_game_is_watched_once_on_a_machine(tmp_path: Path) -> None:
    host, guest = player(tmp_path, "Hanna"), player(tmp_path, "Gus")
    hosting, address = await table(host)
    both = [Spectator(tmp_path / "watched", address) for _ in range(2)]
    seeing = [asyncio.create_task(each.see()) for each in both]
    async with asyncio.timeout(SECONDS):
        while not all("watching_waits" in each.codes for each in both):
            await asyncio.sleep(0.01)
    results = await ended(hosting, asyncio.create_task(lobby.join(guest.side, guest.keeper, address)))
    seen = await asyncio.gather(*seeing, return_exceptions=True)
    # the game may be shown to either of them first
    (refused,) = [each for each in seen if isinstance(each, LocalError)]
    assert refused.code == "watched_already"
    both[1 - seen.index(refused)].check_whole(*results)


# A host that is none of ours


class Liar:
    """A host that shows whatever frames it likes, one lot for each connection."""

    def __init__(self, *lots: list[bytes], key: bytes = NO_KEY) -> None:
        self._lots = [*lots]
        self._key = key

    async def receive(self, connection: Connection) -> None:
        link = await answering((self._key,), secrets.token_bytes)(connection)
        await link.receive()
        for frame in self._lots.pop(0) if self._lots else [bye("leaving")]:
            await link.send(frame)
        if self._lots:
            return
        await asyncio.sleep(SECONDS)


async def shown(folder: Path, *lots: list[bytes], invitation: Invitation | None = None) -> Spectator:
    """Return somebody to whom a host shows these frames."""
    liar = Liar(*lots, key=invitation.channel_key if invitation else NO_KEY)
    async with serve(liar.receive, "127.0.0.1", 0) as server:
        spectator = Spectator(folder, Address("127.0.0.1", server.port), invitation)
        try:
            await spectator.see()
        except ShanghaienError as error:
            spectator.codes.append(error.code)
    return spectator


def sample() -> tuple[bytes, tuple[bytes, ...]]:
    """Return the frame that begins the sample log, and its entries."""
    log = read(SAMPLE.read_bytes())
    return encode(("log", log.opening[len(MAGIC) + 4 :])), log.entries


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([b"\xc1"], "cannot_watch"),
        ([b""], "cannot_watch"),
        ([encode(("entries", (b"x",)))], "cannot_watch"),
        ([encode(("log", b"x"))], "cannot_watch"),
        ([encode(("hello", b"x"))], "cannot_watch"),
        ([sample()[0], encode(("entries", ()))], "cannot_watch"),
        ([sample()[0], encode(("entries", (b"x",)))], "cannot_watch"),
        ([sample()[0], sample()[0]], "cannot_watch"),
        ([sample()[0], encode(("entries", sample()[1][1:2]))], "cannot_watch"),
    ],
    ids=["garbage", "empty", "no log", "no opening", "a hello", "no entry", "not an entry", "twice", "not the first"],
)
async def test_what_is_no_game_ends_watching(tmp_path: Path, frames: list[bytes], code: str) -> None:
    assert (await shown(tmp_path, frames)).codes[-1] == code


async def test_a_host_with_another_key_than_the_invitation_says(tmp_path: Path) -> None:
    opening, _ = sample()
    spectator = await shown(tmp_path, [opening], invitation=Invitation(bytes(16), bytes(16)).watching)
    assert spectator.codes[-1] == "other_host"
    assert spectator.watching.path is None


def instead_of(entry: bytes, **changes: Any) -> bytes:
    """Return an entry by nobody who plays, like `entry` but for these items."""
    fields = Envelope(*parse(entry)[:8])._replace(**changes)
    return encode((encode(fields), bytes(64)))


@pytest.mark.parametrize("number", [7, 8], ids=["one that was shown", "the next one"])
async def test_two_games_shown_as_one_end_watching_and_accuse_nobody(tmp_path: Path, number: int) -> None:
    """What was shown before stays, and a verifier finds nothing wrong with it."""
    opening, entries = sample()
    other = instead_of(entries[number], parent=bytes(32))
    spectator = await shown(
        tmp_path, [opening, encode(("entries", entries[:4]))], [opening, encode(("entries", (*entries[4:8], other)))]
    )
    assert spectator.codes[-1] == "shown_two_games"
    assert spectator.watching.path is not None
    report = verify(spectator.watching.path.read_bytes(), RULES)
    assert (report.verdict, len(report.entries)) == (Verdict.INCOMPLETE, 8)


async def test_a_host_that_is_gone_after_a_whole_game_is_not_waited_for(tmp_path: Path) -> None:
    """Without a word: its machine was switched off."""
    opening, entries = sample()
    lots = [encode(("entries", entries[at : at + 8])) for at in range(0, len(entries), 8)]
    seen = asyncio.Event()

    async def show(connection: Connection) -> None:
        link = await answering((NO_KEY,), secrets.token_bytes)(connection)
        await link.receive()
        for frame in (opening, *lots):
            await link.send(frame)
        await seen.wait()

    async with serve(show, "127.0.0.1", 0) as server:
        spectator = Spectator(tmp_path, Address("127.0.0.1", server.port))
        seeing = asyncio.create_task(spectator.see())
        async with asyncio.timeout(SECONDS):
            while Verdict.COMPLETE not in spectator.verdicts:
                await asyncio.sleep(0.01)
    seen.set()
    report = await seeing
    assert report is not None
    assert report.verdict == Verdict.COMPLETE


async def test_a_game_that_is_not_known_here_cannot_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opening, _ = sample()
    monkeypatch.setattr("p2p_shanghaien.app.watching.RULES", {})
    assert (await shown(tmp_path, [opening])).codes[-1] == "cannot_watch"


async def test_a_disk_that_is_full_is_told(tmp_path: Path) -> None:
    opening, entries = sample()
    (tmp_path / "watched").write_bytes(b"a file where the folder is to be")
    spectator = await shown(tmp_path / "watched", [opening, encode(("entries", entries[:8]))])
    assert spectator.codes[-1] == "file_trouble"
