"""`shanghaien join`: sit down at somebody's table."""

import asyncio
from functools import partial
from typing import Any

import click

from p2p_shanghaien.cli.options import display_name, game_options, insisted, seat_options
from p2p_shanghaien.cli.seats import Sitting, SociableKeeper, finish
from p2p_shanghaien.net.addresses import Address, parse
from p2p_shanghaien.net.transport import connect
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.words import say


@click.command(help=say("help_join"))
@click.argument("address")
@game_options
@seat_options
def join(address: str, name: str | None, player: str, patience: float | None, ascii_only: bool, **options: Any) -> int:
    where = parse(address)
    settings = insisted(options)
    home = Home.of_user()
    keeper = SociableKeeper(home)
    side = Sitting(display_name(name), player, patience, ascii_only).own_side(home, keeper)
    return asyncio.run(_join(side, keeper, where, settings))


async def _join(side: Side, keeper: SociableKeeper, where: Address, settings: tuple[tuple[str, str], ...]) -> int:
    side.watcher.told("joining", address=where)
    hello = partial(side.guest_hello, settings)
    call = Call(partial(connect, where), lambda: side.handshake(hello()))
    try:
        return await finish(Series(side, call, hello).play(), keeper, side.watcher)
    finally:
        await call.release()
