"""`shanghaien resume`: go on with an unfinished game, from either side, whichever starts first."""

import asyncio
import os
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from p2p_shanghaien.cli.completing import kept_games
from p2p_shanghaien.cli.computer import COMPUTER_KEY, computer_side, computers_log, level_of, sit_down
from p2p_shanghaien.cli.external import PlayerChoice
from p2p_shanghaien.cli.hints import hints_on
from p2p_shanghaien.cli.host import listened_at, listening_place, tell_addresses
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.options import HUMAN
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.cli.play import both_sides
from p2p_shanghaien.cli.reports import UNFINISHED, is_unheard, shortened, summary
from p2p_shanghaien.cli.running import run
from p2p_shanghaien.cli.seats import Keeper, Sitting, finish, seat_options
from p2p_shanghaien.errors import InvalidFile, LocalError, UsageError
from p2p_shanghaien.fairplay.hello import Meeting, Role
from p2p_shanghaien.fairplay.keys import SHARE_SIZE
from p2p_shanghaien.fairplay.transcript import MAX_LOG, read
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import DEFAULT_PORT, MAX_PORT, Address, parse, reachable
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.door import Door
from p2p_shanghaien.session.meeting import Side, own_word
from p2p_shanghaien.session.play import Saved, Series
from p2p_shanghaien.store.bundles import is_moved
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.logs import (
    DAMAGED_SUFFIX,
    PRIVATE_SUFFIX,
    TORN_SUFFIX,
    GameLog,
    Private,
    all_logs,
    damaged_sidecar,
    find,
    read_private,
    renew_sidecar,
    salvaged,
    seat_of,
)
from p2p_shanghaien.ui.reading import Quit


class Damage(NamedTuple):
    """A damaged file: `what` it is, as the end of the codes that tell of it, with their details."""

    what: str
    details: dict[str, object]


class Kept(NamedTuple):
    """A game on disk that can go on. `size` is the log's in bytes.

    `is_private_lost` if the sidecar was damaged: `private` then has what could be saved, and a new secret.
    """

    path: Path
    size: int
    report: Report
    private: Private
    seat: int
    is_private_lost: bool

    @property
    def is_damaged(self) -> bool:
        """Whether only the beginning of the log holds."""
        return self.report.verdict == Verdict.INVALID_FILE

    def damages(self) -> Iterator[Damage]:
        """Yield what is damaged."""
        if self.is_damaged:
            aside = self.path.with_suffix(DAMAGED_SUFFIX)
            yield Damage("log", {"file": self.path.name, "reason": self.report.fault, "aside": aside})
        if self.is_private_lost:
            yield Damage(
                "private", {"file": self.path.with_suffix(PRIVATE_SUFFIX), "aside": damaged_sidecar(self.path)}
            )

    @property
    def is_finished(self) -> bool:
        """Whether both have signed the result."""
        return self.report.verdict == Verdict.COMPLETE

    @property
    def is_unheard(self) -> bool:
        """Whether there is nothing to play any more, but perhaps the end to tell."""
        return is_unheard(self.report, self.seat, self.private)

    def saved(self) -> Saved:
        """The game, taken hold of: no other process may play its seat now. Raises LocalError."""
        assert self.report.match is not None
        if self.is_private_lost:
            renew_sidecar(self.path, self.private)
        rest = (self.report.damaged, DAMAGED_SUFFIX) if self.is_damaged else (self.report.torn, TORN_SUFFIX)
        log = GameLog.reopen(self.path, *rest, size=self.size)
        private = self.private
        return Saved(self.report.match, self.report.entries, self.seat, private.secret, log, private.resigned)


@command(help="help_resume")
@argument("game", default="", metavar="metavar_game", shell_complete=kept_games)
@argument("address", default="", metavar="metavar_address")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option("--port", type=click.IntRange(0, MAX_PORT), metavar="metavar_port", help="help_option_port_again")
@option("--against", type=PlayerChoice(), help="help_option_against_again")
@option("--repair", is_flag=True, help="help_option_repair")
@seat_options(named=False)
def resume(
    game: str,
    address: str,
    bind: str | None,
    port: int | None,
    against: str | None,
    repair: bool,
    sitting: Sitting,
) -> int:
    home = Home.of_user()
    kept = _read(home, find(home.games, game)) if game else _latest(home)
    session = kept.report.session
    assert session is not None
    if address and kept.seat == Role.HOST:
        raise UsageError("host_needs_no_address", address=address)
    keeper = Keeper(home, kept.private.key)
    keeper.last = kept.path
    sitting = replace(sitting, name=session.names[kept.seat])
    table = sitting.table(home, hints_on(kept.report, session.game.NAME, home.games))
    identity = home.holder(session.keys[kept.seat], kept.private.key)
    if identity is None:
        raise LocalError("key_of_game_missing", key=kept.private.key)
    side = replace(sitting.own_side(home, keeper, table, session.game.NAME, kept.private.key), identity=identity)
    computers = computers_log(home.games, session) if kept.seat == Role.HOST else None
    name = sitting.call(session.names[1 - kept.seat], Role(1 - kept.seat))
    if against and computers is None:
        raise UsageError("against_a_person", name=name)
    theirs = _read(home, computers) if computers else None
    if kept.is_finished and (theirs is None or theirs.is_finished):
        if theirs or kept.private.key == COMPUTER_KEY:
            raise LocalError("not_resumable", file=kept.path.name, reason=summary(kept.report))
        # whoever takes a finished game up again does so for a peer whose log lacks the end, and waits for that
        side = replace(side, last_word=None)
        side.watcher.told("handing_over", name=name)
    if not kept.is_damaged:
        side.watcher.told("resuming", game=shortened(kept.path), verdict=summary(kept.report))
    if kept.seat == Role.GUEST:
        play = partial(_as_guest, side, keeper, kept, parse(address) if address else _kept_address(kept))
    elif computers and theirs:
        level = against or level_of(session.names[Role.GUEST], session.game.NAME)
        other = computer_side(home, level, session.game.NAME, table.thinks, computers)
        play = partial(_against_computer, replace(side, call=own_word), keeper, kept, other, theirs)
    else:
        bound, before = listened_at(kept.private.address)
        port = before if port is None else port
        if port is None:
            raise LocalError("bad_kept_port", path=kept.path.with_suffix(PRIVATE_SUFFIX))
        play = partial(_as_host, side, keeper, kept, bind or bound, port)
    games = [each for each in (kept, theirs) if each]
    return run(_once_agreed(games, side, play, repair=repair, asks=sitting.player == HUMAN), table)


def _kept_address(kept: Kept) -> Address:
    """Return where the host was last reached. Raises LocalError where that is no address."""
    try:
        return parse(kept.private.address)
    except UsageError:
        path = kept.path.with_suffix(PRIVATE_SUFFIX)
        raise LocalError("bad_kept_address", path=path, log=shortened(kept.path)) from None


async def _once_agreed(
    games: Iterable[Kept], side: Side, play: Callable[[], Coroutine[Any, Any, int]], *, repair: bool, asks: bool
) -> int:
    """Run `play` if the person agrees to set aside what is damaged of `games`, or has said so by `repair`.

    Nobody but a person is asked. Raises InvalidFile where nobody agrees; nothing has been changed then.
    """
    for kept in games:
        for what, details in kept.damages():
            if repair:
                side.watcher.told(f"repairing_{what}", **details)
            elif not asks or not await _agrees(side, what, details):
                raise InvalidFile(f"damaged_{what}", game=shortened(kept.path), **details)
    return await play()


async def _agrees(side: Side, what: str, details: dict[str, object]) -> bool:
    """Return whether the person agrees; leaving, or the end of the input, is a no."""
    try:
        return await side.decider.agrees(f"repair_{what}", **details)
    except (Quit, asyncio.CancelledError):
        return False


async def _as_host(side: Side, keeper: Keeper, kept: Kept, bind: str | None, port: int) -> int:
    door, series, saved = _at_the_door(side, kept)
    async with serve(door.receive, bind, port) as server:
        keeper.place = listening_place(bind, server.port)
        if keeper.place != kept.private.address:
            saved.log.moved(keeper.place)
        addresses = reachable(bind, server.port)
        code = "hosting_again" if addresses else "hosting_again_here_only"
        session = saved.match.session
        side.watcher.told(code, name=side.call(session.names[Role.GUEST], Role.GUEST), port=server.port)
        tell_addresses(side.watcher, addresses, bind, server.port, f"shanghaien resume {shortened(kept.path)}")
        return await finish(series.resume(saved), keeper, side.watcher)


async def _as_guest(side: Side, keeper: Keeper, kept: Kept, where: Address) -> int:
    saved = kept.saved()
    if str(where) != kept.private.address:
        saved.log.moved(str(where))
    call = Call(partial(connect, where), lambda: side.handshake(side.guest_hello()))
    try:
        return await finish(Series(side, call, side.guest_hello).resume(saved), keeper, side.watcher)
    finally:
        await call.release()


async def _against_computer(side: Side, keeper: Keeper, kept: Kept, other: Side, computers: Kept) -> int:
    door, series, saved = _at_the_door(side, kept)
    guest = partial(sit_down, other, saved=computers.saved())
    ending = partial(finish, keeper=keeper, watcher=side.watcher)
    return await both_sides(door, partial(series.resume, saved), guest, ending)


def _at_the_door(side: Side, kept: Kept) -> tuple[Door, Series, Saved]:
    assert kept.report.session is not None
    hello = partial(side.host_hello, kept.report.session.game)
    door = Door(lambda: side.handshake(hello()))
    return door, Series(side, door, hello), kept.saved()


def _latest(home: Home) -> Kept:
    """Return the unfinished game that was played last, or else a damaged one, or one to tell the end of.

    Raises LocalError for none.
    """
    damaged: Kept | None = None
    unheard: Kept | None = None
    for path in all_logs(home.games):
        if not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX)):
            continue
        try:
            kept = _read(home, path)
        except (LocalError, InvalidFile) as error:
            if error.code not in ("moved_elsewhere", "not_resumable"):
                warn(error)
            continue
        if kept.private.key == COMPUTER_KEY:
            continue
        if kept.is_private_lost:
            warn(LocalError("bad_private_file", path=path.with_suffix(PRIVATE_SUFFIX)))
        elif kept.report.verdict in UNFINISHED:
            return kept
        # of a damaged game it is kept beside the log whether it had come to its end
        if kept.is_private_lost or (kept.is_damaged and not kept.private.delivered):
            damaged = damaged or kept
        elif kept.is_unheard:
            unheard = unheard or kept
    found = damaged or unheard
    if found is None:
        raise LocalError("nothing_to_resume", folder=home.games)
    return found


def _read(home: Home, path: Path) -> Kept:
    """Return the game at `path`; a log that lies there without its sidecar can only be looked at.

    Raises LocalError where it cannot go on, saying why, InvalidFile for a log without a sound beginning.
    """
    data = read_bytes(path, MAX_LOG)
    report = verify(data, RULES)
    if is_moved(path):
        raise LocalError("moved_elsewhere", file=path.name)
    if report.match is None and not (report.verdict == Verdict.UNSUPPORTED and _is_named_after_opening(path, data)):
        raise InvalidFile("opening_damaged", file=path.name, reason=report.fault)
    unplayable = report.verdict in (Verdict.VIOLATION, Verdict.UNSUPPORTED)
    if unplayable or (report.verdict not in UNFINISHED and not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX))):
        raise LocalError("not_resumable", file=path.name, reason=summary(report))
    seat = seat_of(path)
    assert report.session is not None
    key = _key_name(home, report.session.keys[seat])
    try:
        private = read_private(path, key)
    except LocalError as error:
        if error.code != "bad_private_file" or key is None:
            raise
        address = f" {DEFAULT_PORT}" if seat == Role.HOST else ""
        private = salvaged(path, Private(secrets.token_bytes(SHARE_SIZE), key, address))
        return Kept(path, len(data), report, private, seat, is_private_lost=True)
    return Kept(path, len(data), report, private, seat, is_private_lost=False)


def _key_name(home: Home, public: bytes) -> str | None:
    """Return the name of the key in the home that has this public key, if one has."""
    return next((name for name in (IDENTITY, COMPUTER_KEY) if home.holder(public, name)), None)


def _is_named_after_opening(path: Path, data: bytes) -> bool:
    """Return whether the log's name is that of its hellos' session: if not, an unknown game is a damaged name."""
    return path.name.startswith(Meeting(read(data).hellos).session.hex())
