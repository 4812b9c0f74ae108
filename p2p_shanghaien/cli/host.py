"""`shanghaien host`: open a table and wait for a guest."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import click

from p2p_shanghaien.cli.invite import fresh
from p2p_shanghaien.cli.localized import command, option
from p2p_shanghaien.cli.options import GameChoice, GameCommand
from p2p_shanghaien.cli.running import run
from p2p_shanghaien.cli.seats import Sitting, SociableKeeper, finish, seat_options
from p2p_shanghaien.fairplay.invitation import written
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.net.addresses import DEFAULT_PORT, MAX_PORT, Address, is_within_wsl, parse, reachable
from p2p_shanghaien.net.discovery import Sign
from p2p_shanghaien.net.transport import serve
from p2p_shanghaien.session.door import Door, host_games
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.parts import Watcher
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home


@command(cls=GameCommand, help="help_host")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option(
    "--port",
    type=click.IntRange(0, MAX_PORT),
    default=DEFAULT_PORT,
    metavar="metavar_port",
    help="help_option_port",
)
@option("--advertise", metavar="metavar_address", help="help_option_advertise")
@option("--private", is_flag=True, help="help_option_private")
@option("--announce/--no-announce", default=True, help="help_option_announce")
@seat_options()
def host(
    bind: str | None,
    port: int,
    advertise: str | None,
    private: bool,
    announce: bool,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    outside = parse(advertise) if advertise else None
    home = Home.of_user()
    game = sitting.game(home, choice)
    keeper = SociableKeeper(home)
    table = sitting.table(home)
    side = sitting.own_side(home, keeper, table, game.NAME)
    if private:
        side = replace(side, invitation=fresh(side.identity))
    place = Place(bind, port, outside, announced=announce and not private)
    return run(_host(side, keeper, game, place), table)


class Place(NamedTuple):
    """Where a table stands: the address listened at (None: all), the port, an address known to lead here from
    outside, and whether the local network hears of it."""

    bind: str | None
    port: int
    outside: Address | None
    announced: bool


async def _host(side: Side, keeper: SociableKeeper, game: Game, place: Place) -> int:
    hello = partial(side.host_hello, game)
    door = Door(lambda: side.handshake(hello()))
    async with (
        serve(door.receive, place.bind, place.port) as server,
        Sign(side.name, game.NAME, reachable(place.bind, server.port) if place.announced else ()) as sign,
    ):
        door.sign = sign.turn
        sign.turn(True)
        keeper.place = listening_place(place.bind, server.port)
        addresses = [*([place.outside] if place.outside else []), *reachable(place.bind, server.port)]
        side.watcher.told("hosting" if addresses else "hosting_here_only", port=server.port)
        if addresses and place.announced and not sign.can_be_seen:
            side.watcher.told("not_announced")
        tell_addresses(side.watcher, addresses, place.bind, server.port, "shanghaien join")
        if side.invitation:
            side.watcher.told("private_table", invitation=written(side.invitation))
        side.watcher.told("waiting")
        games = host_games(door, lambda: Series(side, door, hello), side.watcher)
        return await finish(games, keeper, side.watcher)


def listening_place(bind: str | None, port: int) -> str:
    """How a host's place is kept, for listening there again: the address bound (nothing: everywhere), and the port."""
    return f"{bind or ''} {port}"


def listened_at(kept: str) -> tuple[str | None, int | None]:
    """Return the address and the port that `listening_place` kept; the port is None where it can be none."""
    bind, _, port = kept.rpartition(" ")
    return bind or None, int(port) if re.fullmatch("[0-9]{1,5}", port) and int(port) <= MAX_PORT else None


def tell_addresses(watcher: Watcher, addresses: Sequence[Address], bind: str | None, port: int, command: str) -> None:
    """Say what a guest has to type, with each of the `addresses` that lead here, or from another terminal."""
    for address in addresses:
        code = "join_line_zone" if address.link_local else "join_line"
        watcher.told(code, command=f"{command} {shlex.quote(str(address))}")
    if addresses and is_within_wsl():
        watcher.told("within_wsl")
    here = Address("127.0.0.1" if bind is None else bind, port)
    if here not in addresses:
        watcher.told("join_line_here", command=f"{command} {shlex.quote(str(here))}")
