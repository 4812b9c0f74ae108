"""Our side of a table, put together from the key, the name, the store and whoever decides."""

import asyncio
import secrets
from collections.abc import Coroutine, Iterable
from datetime import date
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any

from p2p_shanghaien.cli.options import HUMAN
from p2p_shanghaien.cli.people import Computer, Person
from p2p_shanghaien.errors import ConnectionLost, Violation
from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.parts import Decider, Opponent, Watcher
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.logs import GameLog, Private, log_path
from p2p_shanghaien.ui.line import LineTable, Quit


class Keeper:
    """Starts the logs of a side's games, and knows the last one."""

    def __init__(self, home: Home, key: str = IDENTITY) -> None:
        self._home = home
        self._key = key
        self.last: Path | None = None

    def keep(self, session: Session, seat: int, opening: bytes, secret: bytes, address: str) -> GameLog:
        """The log of a game that begins now, under the home's `games`. Raises LocalError."""
        path = log_path(self._home.games, session.id, seat)
        log = GameLog.start(path, opening, Private(secret, self._key, address))
        self.last = path
        return log


class SociableKeeper(Keeper):
    """Also remembers whom one has played with."""

    def keep(self, session: Session, seat: int, opening: bytes, secret: bytes, address: str) -> GameLog:
        self._home.remember(session.keys[1 - seat], session.names[1 - seat], date.today())
        return super().keep(session, seat, opening, secret, address)


def decider(table: LineTable, player: str) -> Decider:
    """The person at `table`, or the computer player of that name."""
    return Person(table) if player == HUMAN else Computer(computer_player(player), SystemRandom())


def own_side(home: Home, keeper: Keeper, name: str, table: LineTable, player: str) -> Side:
    """The side of whoever started this program: their key, their table, and `player` deciding. Raises LocalError."""
    who = decider(table, player)
    about = partial(recognise, home)
    return Side(home.identity(), name, table, who, CATALOGUE, keeper.keep, about, secrets.token_bytes)


def recognise(home: Home, opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    """What our person should know of whoever sits there: met before or not, or a known name with another key."""
    known = home.known_players()
    details: dict[str, object] = {"name": opponent.name, "remote": opponent.remote, "key": shown_key(opponent.key)}
    if opponent.key == home.identity().public:
        yield "opponent_same_key", details
    elif before := known.get(opponent.key):
        code = "opponent_known" if before.name == opponent.name else "opponent_renamed"
        yield code, {**details, "before": before.name, "since": before.since, "count": before.games}
    elif any(player.name == opponent.name for player in known.values()):
        yield "opponent_name_taken", details
    else:
        yield "opponent_new", details
    yield "authentication", {"string": opponent.authentication}


def shown_key(key: bytes) -> str:
    """A key's fingerprint as people compare it."""
    text = fingerprint(key).hex()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


async def finish(games: Coroutine[Any, Any, None], keeper: Keeper, watcher: Watcher) -> int:
    """Run the games to their end, whatever it is; say where the log is and return the exit code."""
    code = 0
    try:
        await games
    except (Quit, asyncio.CancelledError):
        # Ctrl-C at a prompt, or while the other side is to move
        watcher.told("you_left")
        code = ConnectionLost.exit_code if keeper.last else 1
    except (ConnectionLost, Violation) as error:
        watcher.told(error.code, **error.details)
        code = error.exit_code
    if keeper.last:
        watcher.told(f"log_{code}", path=keeper.last)
    return code
