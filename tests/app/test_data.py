"""Decks of one's own over real sockets: handed over, kept beside the log, found there, and never believed unseen."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.choice import GameChoice
from p2p_shanghaien.app.library import load, read, rules_beside, verified
from p2p_shanghaien.app.lobby import Endpoint, Opened, Result
from p2p_shanghaien.app.saved import read_saved
from p2p_shanghaien.errors import CannotConnect, LocalError, UsageError
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import DataMissing, Game, Reading
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.store.archives import export_archive, import_archive, read_archive
from p2p_shanghaien.store.data import data_name
from tests.app.test_lobby import CUT, Player, check_complete, ended, player
from tests.app.test_watching import Spectator

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

DECK = reconstruction().canonical().replace(b'"a",3,2,""', b'"a",4,2,""', 1)
"""The canonical bytes of a deck in which a killer brings a coin more."""
DIGEST = sha256(DECK).hexdigest()


def with_deck(deck: bytes = DECK) -> Game[Any]:
    """Return the game by that deck."""
    kind = Reading({"macao": Macao}, {sha256(deck).hexdigest(): deck}.get)["macao"]
    return kind.from_settings({"deck": sha256(deck).hexdigest()})


def having(host: Player, kind: type[Game[Any]] | None = None) -> Player:
    """Return a host that has the deck, without a file, or whose game is of that class."""
    games = {"macao": kind} if kind else Reading({"macao": Macao}, {DIGEST: DECK}.get)
    return host._replace(side=replace(host.side, games=games))


async def table(host: Player, game: Game[Any], **endpoint: Any) -> tuple["asyncio.Task[Result]", Address]:
    opened: asyncio.Queue[Opened] = asyncio.Queue()
    playing = lobby.host(host.side, host.keeper, game, Endpoint(**endpoint), opened.put_nowait)
    task = asyncio.create_task(playing)
    return task, (await opened.get()).here


def verdict(log: Path) -> Report:
    (report,) = verified([log])
    assert isinstance(report, Report)
    return report


async def test_the_deck_comes_to_the_guest_and_the_watcher_and_stays_beside_their_logs(tmp_path: Path) -> None:
    host, guest = having(player(tmp_path, "Hanna")), player(tmp_path, "Gus")
    hosting, address = await table(host, with_deck(), watchers=1)
    spectator = Spectator(tmp_path / "watched", address)
    seeing = asyncio.create_task(spectator.see())
    results = await ended(hosting, asyncio.create_task(lobby.join(guest.side, guest.keeper, address)))
    await seeing
    assert spectator.codes.count("macao:other_deck") == 1
    assert guest.bot.codes.index("data_offered") < guest.bot.codes.index("macao:other_deck")
    logs = [result.log for result in results if result.log]
    check_complete(results)
    assert spectator.watching.path is not None
    for log in (*logs, spectator.watching.path):
        assert (log.parent / data_name(DIGEST)).read_bytes() == DECK
        assert log.read_bytes() == logs[0].read_bytes()
        assert verdict(log).verdict == Verdict.COMPLETE
        assert isinstance(read(log), Report)
        assert load(str(log), tmp_path).record.game.named_data() == {DIGEST: DECK}
    deck = logs[0].parent / data_name(DIGEST)
    for content in (None, b"", DECK[:-1], reconstruction().canonical()):
        deck.unlink(missing_ok=True)
        if content is not None:
            deck.write_bytes(content)
        report = verdict(logs[0])
        assert report.verdict == Verdict.UNSUPPORTED
        assert isinstance(report.error, DataMissing)
        assert report.error.digest == DIGEST


class _Cheat(Macao):
    """A host's game that hands over other data than its digest names."""

    HANDED: bytes = DECK

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Any:
        return cls(settings["deck"], reconstruction())

    def named_data(self) -> Mapping[str, bytes]:
        return {self.deck: self.HANDED}


NO_DECK = b'["macao-cards-1","amw",[],[]]'
POOR = DECK.replace(b'"a",4,2,""', b'"a",9,2,""', 1)
"""A killer brings more than the best politician: no deck (SPEC 16.2)."""


@pytest.mark.parametrize(
    ("handed", "named", "reason"),
    [
        (DECK[:-1] + b" ]", DECK, "other_data"),
        (reconstruction().canonical(), DECK, "other_data"),
        (NO_DECK, NO_DECK, "macao:bad_deck"),
        (POOR, POOR, "macao:bad_deck"),
        (DECK + b" ", DECK + b" ", "macao:bad_deck"),
    ],
)
async def test_a_host_that_cheats_with_its_deck(tmp_path: Path, handed: bytes, named: bytes, reason: str) -> None:
    kind: type[_Cheat] = type("Cheat", (_Cheat,), {"HANDED": handed})
    host, guest = having(player(tmp_path, "Hanna"), kind), player(tmp_path, "Gus")
    hosting, address = await table(host, kind.from_settings({"deck": sha256(named).hexdigest()}))
    with pytest.raises(CannotConnect) as raised:
        await lobby.join(guest.side, guest.keeper, address)
    assert raised.value.code == "bad_handshake"
    error = raised.value.details["reason"]
    assert getattr(error, "code", None) == reason
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)
    for each in (host, guest):
        assert not list(each.home.games.glob("*.shlog"))
    assert not list(guest.home.games.glob("*.shdata"))


@pytest.mark.thorough
async def test_a_game_by_a_deck_is_resumed_and_moves_to_another_machine(tmp_path: Path) -> None:
    host, guest = having(player(tmp_path, "Hanna")), player(tmp_path, "Gus", leaves=CUT)
    hosting, address = await table(host, with_deck())
    result = await lobby.join(guest.side, guest.keeper, address)
    assert result.has_left
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)
    (log,) = guest.home.games.glob("*.shlog")
    archive, elsewhere = tmp_path / "game.zip", tmp_path / "elsewhere"
    export_archive(log, archive, rules_beside(log))
    with pytest.raises(LocalError):
        read_archive(archive, {})
    path = import_archive(read_archive(archive, RULES), elsewhere / "games")
    assert (path.parent / data_name(DIGEST)).read_bytes() == DECK
    assert verdict(path).verdict == Verdict.INCOMPLETE
    # the key moves separately
    guest.home.games.rename(tmp_path / "left")
    (elsewhere / "games").rename(guest.home.games)
    (log,) = host.home.games.glob("*.shlog")
    kept = [read_saved(each.home, *each.home.games.glob("*.shlog")) for each in (host, guest)]
    assert [each.seat for each in kept] == [Role.HOST, Role.GUEST]
    assert all(each.session.game.named_data() == {DIGEST: DECK} for each in kept)
    players = [player(tmp_path, name, log=saved.path) for name, saved in zip(("Hanna", "Gus"), kept, strict=True)]
    going = [
        asyncio.create_task(lobby.resume(saved, each.side, each.keeper))
        for saved, each in zip(kept, players, strict=True)
    ]
    check_complete(await ended(*going))


def test_the_owner_of_a_box_names_a_file(tmp_path: Path) -> None:
    games = tmp_path / "games"
    file = tmp_path / "box"
    file.write_bytes(DECK)

    def choice(value: str) -> GameChoice:
        return GameChoice("macao", {"deck": value}, folder=lambda: games)

    assert choice(str(file)).game().settings == (("deck", DIGEST),)
    assert (games / data_name(DIGEST)).read_bytes() == DECK
    assert choice(str(file)).insisted() == (("game", "macao"), ("deck", DIGEST))
    file.write_bytes(reconstruction().canonical())
    assert choice(str(file)).game() == RULES["macao"].from_settings({})
    for content in (b"", b"[1]", POOR, NO_DECK):
        file.write_bytes(content)
        with pytest.raises(UsageError, match="bad_data_file"):
            choice(str(file)).game()
    file.write_bytes(bytes(65_537))
    with pytest.raises(LocalError):
        choice(str(file)).game()
    with pytest.raises(UsageError, match="unknown_deck"):
        choice(str(tmp_path / "missing")).game()
    assert len(list(games.iterdir())) == 2
