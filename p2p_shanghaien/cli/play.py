"""`shanghaien play`: a game against the computer, by a real host and a real guest on this machine."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from p2p_shanghaien.cli.computer import LOOPBACK, computer_side, sit_down
from p2p_shanghaien.cli.external import PlayerChoice
from p2p_shanghaien.cli.hints import hints
from p2p_shanghaien.cli.invite import fresh
from p2p_shanghaien.cli.localized import command, option
from p2p_shanghaien.cli.options import HUMAN, GameChoice, GameCommand
from p2p_shanghaien.cli.people import AtHome
from p2p_shanghaien.cli.running import run
from p2p_shanghaien.cli.seats import Keeper, Sitting, finish, seat_options
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.net.transport import serve
from p2p_shanghaien.session.door import Door, host_games
from p2p_shanghaien.session.meeting import Side, own_word
from p2p_shanghaien.session.parts import Opponent
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home


@command(cls=GameCommand, help="help_play")
@option("--against", type=PlayerChoice(), help="help_option_against")
@seat_options()
def play(
    against: str | None,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    home = Home.of_user()
    game = sitting.game(home, choice, against)
    keeper = Keeper(home)
    table = sitting.table(home, hints(game.NAME))
    ours = replace(sitting.own_side(home, keeper, table, game.NAME), recognise=_introduced, call=own_word)
    if sitting.player == HUMAN:
        ours = replace(ours, decider=AtHome(table))
    computer = computer_side(home, against or GAMES[game.NAME].opponent, game.NAME, table.thinks)
    return run(_play(ours, keeper, computer, game), table)


def _introduced(opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    yield "against_computer", {"name": opponent.name}


async def _play(ours: Side, keeper: Keeper, computer: Side, game: Game) -> int:
    # nobody else on this machine may take the computer's seat, and the computer sits down nowhere else
    invitation = fresh(ours.identity)
    ours, computer = replace(ours, invitation=invitation), replace(computer, invitation=invitation)
    hello = partial(ours.host_hello, game)
    door = Door(lambda: ours.handshake(hello()))

    games = partial(host_games, door, lambda: Series(ours, door, hello), ours.watcher)
    ending = partial(finish, keeper=keeper, watcher=ours.watcher)
    return await both_sides(door, games, partial(sit_down, computer), ending)


async def both_sides(
    door: Door,
    games: Callable[[], Coroutine[Any, Any, None]],
    guest: Callable[[int], Coroutine[Any, Any, None]],
    finish: Callable[[Coroutine[Any, Any, None]], Coroutine[Any, Any, int]],
) -> int:
    """Run a host and its guest in this process, over a real socket; the exit code of the host's side.

    What ends either of them ends both. `finish` is given games that raise what the guest fails with.
    """
    async with serve(door.receive, LOOPBACK, 0) as server:
        sitting = asyncio.create_task(guest(server.port))
        try:
            return await finish(_while_it_sits(sitting, games()))
        finally:
            sitting.cancel()
            await asyncio.gather(sitting, return_exceptions=True)


async def _while_it_sits(sitting: asyncio.Task[None], games: Coroutine[Any, Any, None]) -> None:
    """Play `games`; where the other side, which is `sitting`, fails, they end with its failure."""
    playing = asyncio.create_task(games)
    try:
        await asyncio.wait({playing, sitting}, return_when=asyncio.FIRST_COMPLETED)
        if sitting.done():
            sitting.result()
        await playing
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
