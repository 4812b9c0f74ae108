"""`shanghaien play`: a game against the computer, by a real host and a real guest on this machine."""

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import SystemRandom
from typing import Any, Final

import click

from p2p_shanghaien.cli.options import HUMAN, chosen_game, display_name, game_options, seat_options
from p2p_shanghaien.cli.people import AtHome, Computer, Silent
from p2p_shanghaien.cli.seats import Keeper, finish, own_side
from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.keys import INVITATION_SIZE, fingerprint
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.players import NAMES, computer_player
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.door import Door, host_games
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.parts import Opponent
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.line import LineTable
from p2p_shanghaien.ui.words import say

LOOPBACK: Final = "127.0.0.1"
COMPUTER_KEY: Final = "computer"
"""The name of the key that the computer plays with: its own, so that a log tells the two apart."""


@click.command(help=say("help_play"))
@click.option("--against", type=click.Choice(NAMES), default=NAMES[0], help=say("help_option_against"))
@game_options
@seat_options
def play(against: str, name: str | None, player: str, ascii_only: bool, **options: Any) -> int:
    game = chosen_game(options)
    home = Home.of_user()
    table = LineTable(ascii_only=ascii_only or None)
    keeper = Keeper(home)
    ours = replace(own_side(home, keeper, display_name(name), table, player), recognise=_introduced)
    if player == HUMAN:
        ours = replace(ours, decider=AtHome(table))
    computer = Side(
        identity=home.identity(COMPUTER_KEY),
        name=say("computer_name", player=against),
        watcher=Silent(),
        decider=Computer(computer_player(against), SystemRandom()),
        games=CATALOGUE,
        keep=Keeper(home, COMPUTER_KEY).keep,
        recognise=lambda _: (),
        random_bytes=secrets.token_bytes,
    )
    return asyncio.run(_play(ours, keeper, computer, game))


def _introduced(opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    yield "against_computer", {"name": opponent.name}


async def _play(ours: Side, keeper: Keeper, computer: Side, game: Game) -> int:
    # nobody else on this machine may take the computer's seat, and the computer sits down nowhere else
    invitation = Invitation(secrets.token_bytes(INVITATION_SIZE), fingerprint(ours.identity.public))
    ours, computer = replace(ours, invitation=invitation), replace(computer, invitation=invitation)
    hello = partial(ours.host_hello, game)
    door = Door(lambda: ours.handshake(hello()))
    async with serve(door.receive, LOOPBACK, 0) as server, asyncio.TaskGroup() as group:
        guest = group.create_task(_computer(computer, server.port))
        code = await finish(host_games(door, lambda: Series(ours, door, hello), ours.watcher), keeper, ours.watcher)
        guest.cancel()
        return code


async def _computer(side: Side, port: int) -> None:
    """The guest's side, to whatever end the person brings the game."""
    call = Call(partial(connect, Address(LOOPBACK, port)), lambda: side.handshake(side.guest_hello()))
    try:
        with suppress(CannotConnect, ConnectionLost):
            await Series(side, call, side.guest_hello).play()
    finally:
        await call.release()
