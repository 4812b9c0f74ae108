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
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect
from p2p_shanghaien.players import levels
from p2p_shanghaien.session.call import Call
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.play import Saved, Series
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, log_path
from p2p_shanghaien.ui.words import listed

LOOPBACK: Final = "127.0.0.1"
COMPUTER_KEY: Final = "computer"
"""The name of the key that the computer plays with, so that a log tells the two apart."""


def computer_side(
    home: Home, player: str, game: str, thinks: Callable[[str | None], None], log: Path | None = None
) -> Side:
    """Return the side of that computer player at the game of that name, for new games or to go on with `log`.

    `thinks` as for `Computer`. Raises LocalError, and UsageError for a level that the game lacks.
    """
    keeper = Keeper(home, COMPUTER_KEY)
    keeper.last = log
    return Side(
        identity=home.identity(COMPUTER_KEY),
        name=computer_name(player),
        watcher=Silent(),
        decider=machine(player, game, keeper, thinks),
        games=RULES,
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


def level_of(name: str, game: str) -> str:
    """Return the level at `game` that sits at the table under that name: a log has the name, and no other word of it.

    Raises UsageError where the name tells no level of the game: an external player has only its command.
    """
    words = re.findall(r"\w+", name)
    if ENGINE in words:
        raise UsageError("engine_to_be_named")
    found = [level for level in levels(game) if level in words]
    if not found:
        raise UsageError("level_to_be_named", name=name, game=game, known=listed(levels(game)))
    return found[0]


async def sit_down(side: Side, port: int, saved: Saved | None = None) -> None:
    """Play as the guest of the host at `port` of this machine, to whatever end the person brings the game."""
    call = Call(partial(connect, Address(LOOPBACK, port)), lambda: side.handshake(side.guest_hello()))
    series = Series(side, call, side.guest_hello)
    try:
        with suppress(CannotConnect, ConnectionLost):
            await (series.resume(saved) if saved else series.play())
    finally:
        await call.release()
