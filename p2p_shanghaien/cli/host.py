"""`shanghaien host`: open a table and wait for a guest."""

import asyncio
import shlex
from functools import partial
from typing import Any

import click

from p2p_shanghaien.cli.options import chosen_game, display_name, game_options, seat_options
from p2p_shanghaien.cli.seats import Sitting, SociableKeeper, finish
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.net.addresses import DEFAULT_PORT, Address, parse, reachable
from p2p_shanghaien.net.transport import serve
from p2p_shanghaien.session.door import Door, host_games
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.parts import Watcher
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.words import say


@click.command(help=say("help_host"))
@click.option("--bind", metavar="ADDRESS", help=say("help_option_bind"))
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, help=say("help_option_port"))
@click.option("--advertise", metavar="ADDRESS", help=say("help_option_advertise"))
@game_options
@seat_options
def host(
    bind: str | None,
    port: int,
    advertise: str | None,
    name: str | None,
    player: str,
    patience: float | None,
    ascii_only: bool,
    **options: Any,
) -> int:
    game = chosen_game(options)
    outside = parse(advertise) if advertise else None
    home = Home.of_user()
    keeper = SociableKeeper(home)
    side = Sitting(display_name(name), player, patience, ascii_only).own_side(home, keeper)
    return asyncio.run(_host(side, keeper, game, bind, port, outside))


async def _host(
    side: Side, keeper: SociableKeeper, game: Game, bind: str | None, port: int, outside: Address | None
) -> int:
    hello = partial(side.host_hello, game)
    door = Door(lambda: side.handshake(hello()))
    async with serve(door.receive, bind, port) as server:
        keeper.place = listening_place(bind, server.port)
        tell_addresses(side.watcher, bind, server.port, outside)
        side.watcher.told("waiting")
        games = host_games(door, lambda: Series(side, door, hello), side.watcher)
        return await finish(games, keeper, side.watcher)


def listening_place(bind: str | None, port: int) -> str:
    """How a host's place is kept, for listening there again: the address bound (nothing: everywhere), and the port."""
    return f"{bind or ''} {port}"


def tell_addresses(watcher: Watcher, bind: str | None, port: int, outside: Address | None = None) -> None:
    """Say what a guest has to type, for every address that leads here."""
    addresses = reachable(bind, port)
    everywhere = [outside, *addresses] if outside else addresses
    watcher.told("hosting" if everywhere else "hosting_here_only", port=port)
    for address in everywhere:
        code = "join_line_zone" if address.link_local else "join_line"
        watcher.told(code, command=f"shanghaien join {shlex.quote(str(address))}")
    here = Address("127.0.0.1" if bind is None else bind, port)
    if here not in everywhere:
        watcher.told("join_line_here", command=f"shanghaien join {shlex.quote(str(here))}")
