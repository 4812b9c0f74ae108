"""A whole game over a bad line on loopback, as two programs would play it."""

import asyncio
import os
import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.series import Series
from tests.faults.proxy import Line, Plan, proxied
from tests.pair import GAMES, NAMES
from tests.session.memory import Seat, seat
from tests.toy import Toy

KEEPALIVE = float(os.environ.get("SHANGHAIEN_KEEPALIVE", "0.2"))
"""Seconds between pings, and for the answer. With 20, which the program has, what is minutes to a test is minutes."""

MINUTE = 3 * KEEPALIVE


def game(seed: int) -> Toy:
    """Return a round or two that begin with bids, a draw or a decision."""
    return Toy(1 + seed % 2, ("bid", "draw", "turn")[seed % 3])


def seats(seed: int) -> tuple[Seat, Seat]:
    """Return a host and a guest whose choices, keys and secrets follow from `seed`, whatever happens between them."""
    host, guest = (seat(name, random.Random(f"{seed} {name}"), GAMES) for name in NAMES)
    for who in (host, guest):
        # several connections in a row may be bad, and each take a second to be found out
        who.side = replace(who.side, patience=20)
    return host, guest


async def play(
    host: Seat,
    guest: Seat,
    game: Game[Any],
    plans: Iterable[Plan] = (),
    *,
    longest: float = 30,
    deadline: float = 2,
    keepalive: float = KEEPALIVE,
) -> list[Line]:
    """Play one game to its end; the connections that it took. A guest not seated yet comes again, as a person would.

    Handshakes have `deadline` seconds; a connection that is silent for `keepalive` seconds is asked for a sign of life.
    """
    hello = partial(host.side.host_hello, game)
    door = Listener(host.side.secure(Role.HOST), partial(host.side.handshake, hello), deadline)
    hosting = asyncio.create_task(host_games(door, lambda: Series(host.side, door, hello), host.onlooker))
    try:
        async with serve(door.receive, "127.0.0.1", 0, keepalive) as server, proxied(server.port, plans) as proxy:
            await _come(guest, proxy.port, deadline, keepalive)
            await asyncio.wait_for(hosting, longest)
            return proxy.lines
    finally:
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)


async def _come(guest: Seat, port: int, deadline: float, keepalive: float) -> None:
    while True:
        dial = partial(connect, Address("127.0.0.1", port), timeout=deadline, keepalive=keepalive)
        side = guest.side
        handshake = partial(side.handshake, side.guest_hello)
        call = Dialer(dial, side.secure(Role.GUEST), handshake, deadline=deadline, longest_pause=0.02)
        try:
            await Series(guest.side, call, guest.side.guest_hello).play()
        except (CannotConnect, ConnectionLost):
            if guest.logs:
                raise
            await asyncio.sleep(0.01)
        else:
            return
        finally:
            with suppress(ConnectionLost):
                await call.release()


def check_finished(host: Seat, guest: Seat) -> None:
    """Both have the same whole game, and neither ever took the other's words for garbage."""
    (ours,), (theirs,) = host.logs, guest.logs
    assert ours.data == theirs.data
    assert verify(ours.data, GAMES).verdict == Verdict.COMPLETE
    for who in (host, guest):
        reasons = [getattr(details.get("reason"), "code", "") for _, details in who.onlooker.news]
        assert not {"garbage_received", "peer_malformed"} & {*reasons, *who.onlooker.codes}, who.onlooker.news
