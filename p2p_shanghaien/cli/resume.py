"""`shanghaien resume`: go on with an unfinished game, from either side, whichever starts first."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from p2p_shanghaien.cli.completing import kept_games
from p2p_shanghaien.cli.computer import COMPUTER_KEY, computer_side, computers_log, level_of, sit_down
from p2p_shanghaien.cli.external import PlayerChoice
from p2p_shanghaien.cli.hints import hints_on
from p2p_shanghaien.cli.host import listened_at, listening_place, tell_addresses
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.cli.play import both_sides
from p2p_shanghaien.cli.reports import UNFINISHED, is_unheard, shortened, summary
from p2p_shanghaien.cli.running import run
from p2p_shanghaien.cli.seats import Keeper, Sitting, finish, seat_options
from p2p_shanghaien.errors import LocalError, UsageError
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.net.addresses import MAX_PORT, Address, parse, reachable
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.players import NAMES
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.door import Door
from p2p_shanghaien.session.meeting import Side, own_word
from p2p_shanghaien.session.play import Saved, Series
from p2p_shanghaien.store.bundles import is_moved
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, GameLog, Private, all_logs, find, read_private, seat_of
from p2p_shanghaien.ui.words import say


class Kept(NamedTuple):
    """A game on disk that can go on."""

    path: Path
    report: Report
    private: Private
    seat: int

    @property
    def is_unheard(self) -> bool:
        """Whether there is nothing to play any more, but perhaps the end to tell."""
        return is_unheard(self.report, self.seat, self.private)

    def saved(self) -> Saved:
        """The game, taken hold of: no other process may play its seat now. Raises LocalError."""
        assert self.report.match is not None
        log = GameLog.reopen(self.path, self.report.torn)
        private = self.private
        return Saved(self.report.match, self.report.entries, self.seat, private.secret, log, private.resigned)


@click.command(help=say("help_resume"))
@click.argument("game", default="", metavar=f"[{say('metavar_game')}]", shell_complete=kept_games)
@click.argument("address", default="", metavar=f"[{say('metavar_address')}]")
@click.option("--bind", metavar=say("metavar_address"), help=say("help_option_bind"))
@click.option(
    "--port", type=click.IntRange(0, MAX_PORT), metavar=say("metavar_port"), help=say("help_option_port_again")
)
@click.option("--against", type=PlayerChoice(NAMES), help=say("help_option_against_again"))
@seat_options(named=False)
def resume(
    game: str,
    address: str,
    bind: str | None,
    port: int | None,
    against: str | None,
    sitting: Sitting,
) -> int:
    home = Home.of_user()
    kept = _kept(find(home.games, game)) if game else _latest(home)
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
    side = replace(sitting.own_side(home, keeper, table, kept.private.key), identity=identity)
    computers = computers_log(home.games, session.id) if kept.seat == Role.HOST else None
    if against and computers is None:
        raise UsageError("against_a_person", name=sitting.call(session.names[1 - kept.seat], Role(1 - kept.seat)))
    side.watcher.told("resuming", game=shortened(kept.path), verdict=summary(kept.report))
    if kept.seat == Role.GUEST:
        return run(_as_guest(side, keeper, kept, parse(address) if address else _kept_address(kept)), table)
    if computers:
        level = against or level_of(session.names[Role.GUEST])
        other = computer_side(home, level, table.thinks, computers)
        return run(_against_computer(replace(side, call=own_word), keeper, kept, other, _kept(computers)), table)
    bound, before = listened_at(kept.private.address)
    port = before if port is None else port
    if port is None:
        raise LocalError("bad_kept_port", path=kept.path.with_suffix(PRIVATE_SUFFIX))
    return run(_as_host(side, keeper, kept, bind or bound, port), table)


def _kept_address(kept: Kept) -> Address:
    """Return where the host was last reached. Raises LocalError where that is no address."""
    try:
        return parse(kept.private.address)
    except UsageError:
        path = kept.path.with_suffix(PRIVATE_SUFFIX)
        raise LocalError("bad_kept_address", path=path, log=shortened(kept.path)) from None


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
    """The unfinished game that was played last, or else one to tell the end of. Raises LocalError for none."""
    unheard = None
    for path in all_logs(home.games):
        if not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX)):
            continue
        try:
            if read_private(path).key == COMPUTER_KEY:
                continue
            kept = _read(path)
        except LocalError as error:
            warn(error)
            continue
        if kept.report.verdict in UNFINISHED:
            return kept
        if kept.is_unheard and unheard is None:
            unheard = kept
    if unheard is None:
        raise LocalError("nothing_to_resume", folder=home.games)
    return unheard


def _kept(path: Path) -> Kept:
    """The game at `path`. Raises LocalError where it cannot go on, saying why."""
    kept = _read(path)
    if kept.report.verdict not in UNFINISHED and not kept.is_unheard:
        raise LocalError("not_resumable", file=path.name, reason=summary(kept.report))
    return kept


def _read(path: Path) -> Kept:
    """The game at `path`; a log that lies there without its neighbour can only be looked at."""
    report = verify(read_bytes(path, MAX_LOG), CATALOGUE)
    if is_moved(path):
        raise LocalError("moved_elsewhere", file=path.name)
    if report.verdict not in UNFINISHED and not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX)):
        raise LocalError("not_resumable", file=path.name, reason=summary(report))
    return Kept(path, report, read_private(path), seat_of(path))
