"""The computer's side of a game on this machine: a real guest, with a key of its own."""

import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from p2p_shanghaien.cli.external import ENGINE
from p2p_shanghaien.cli.people import Silent
from p2p_shanghaien.cli.seats import Keeper, computer_name, machine
from p2p_shanghaien.errors import CannotConnect, ConnectionLost, UsageError
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect
from p2p_shanghaien.players import NAMES
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.play import Saved, Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, log_path

LOOPBACK: Final = "127.0.0.1"
COMPUTER_KEY: Final = "computer"
"""The name of the key that the computer plays with, so that a log tells the two apart."""


def computer_side(home: Home, player: str, thinks: Callable[[str | None], None], game: Path | None = None) -> Side:
    """The side of the computer player of that name, for new games or to go on with `game`.

    `thinks` as for `Computer`. Raises LocalError.
    """
    keeper = Keeper(home, COMPUTER_KEY)
    keeper.last = game
    return Side(
        identity=home.identity(COMPUTER_KEY),
        name=computer_name(player),
        watcher=Silent(),
        decider=machine(player, keeper, thinks),
        games=CATALOGUE,
        keep=keeper.keep,
        recognise=lambda _: (),
        random_bytes=secrets.token_bytes,
    )


def computers_log(games: Path, session: Session) -> Path | None:
    """Return the log of the computer's seat in the game of that session, where it was played against the computer here.

    The key tells, and not the sidecar, which may be damaged. Raises LocalError.
    """
    path = log_path(games, session.id, Role.GUEST)
    is_ours = Home(games.parent).holder(session.keys[Role.GUEST], COMPUTER_KEY) is not None
    return path if is_ours and os.path.lexists(path.with_suffix(PRIVATE_SUFFIX)) else None


def level_of(name: str) -> str:
    """The computer player that sits at the table under that name: a log has the name, and no other word of it.

    Raises UsageError where it is an external one, which only its command names.
    """
    words = re.findall(r"\w+", name)
    if ENGINE in words:
        raise UsageError("engine_to_be_named")
    return next((level for level in NAMES if level in words), NAMES[0])


async def sit_down(side: Side, port: int, saved: Saved | None = None) -> None:
    """Play as the guest of the host at `port` of this machine, to whatever end the person brings the game."""
    call = Call(partial(connect, Address(LOOPBACK, port)), lambda: side.handshake(side.guest_hello()))
    series = Series(side, call, side.guest_hello)
    try:
        with suppress(CannotConnect, ConnectionLost):
            await (series.resume(saved) if saved else series.play())
    finally:
        await call.release()
