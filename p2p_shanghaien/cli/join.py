"""`shanghaien join`: sit down at somebody's table."""

from dataclasses import replace
from functools import partial

from p2p_shanghaien.cli.invite import ask, from_environment
from p2p_shanghaien.cli.localized import argument, command
from p2p_shanghaien.cli.options import HUMAN, GameChoice, GameCommand
from p2p_shanghaien.cli.running import run
from p2p_shanghaien.cli.search import found_table
from p2p_shanghaien.cli.seats import Sitting, SociableKeeper, finish, seat_options
from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.net.addresses import Address, parse
from p2p_shanghaien.net.transport import connect
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.play import Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.place import Place


@command(cls=GameCommand, help="help_join")
@argument("address", default="", metavar="metavar_address")
@seat_options()
def join(
    address: str,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    where = parse(address) if address.strip() else None
    wishes = choice.insisted()
    home = Home.of_user()
    keeper = SociableKeeper(home)
    invitation = from_environment()
    table = sitting.table(home)
    side = sitting.own_side(home, keeper, table)
    games = _join(replace(side, invitation=invitation), where, wishes, person=sitting.player == HUMAN)
    return run(finish(games, keeper, table), table)


async def _join(side: Side, where: Address | None, wishes: tuple[tuple[str, str], ...], *, person: bool) -> None:
    """Play with the host at `where`, or at a table found on the local network."""
    where = where or await found_table(side.watcher, asks=person)
    side.watcher.told("joining", address=where)
    await _games(side, where, wishes, asks=person and side.invitation is None)


async def _games(side: Side, where: Address, wishes: tuple[tuple[str, str], ...], *, asks: bool) -> None:
    """Play with the host at `where`; where that takes an invitation, ask our person for it if we may."""
    hello = partial(side.guest_hello, wishes)
    call = Call(partial(connect, where), lambda: side.handshake(hello()))
    try:
        await Series(side, call, hello).play()
    except CannotConnect as error:
        if error.code != "invitation_needed" or not (asks and isinstance(side.watcher, Place)):
            raise
        # what a host wants is in its hello; the table is knocked at again, and this time with the invitation
        invitation = await ask(side.watcher)
        await _games(replace(side, invitation=invitation), where, wishes, asks=False)
    finally:
        await call.release()
