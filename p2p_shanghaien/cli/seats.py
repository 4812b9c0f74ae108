"""Our side of a table, put together from the key, the name, the store and whoever decides."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial, wraps
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

import click

from p2p_shanghaien.cli.ending import ENDING
from p2p_shanghaien.cli.external import ENGINE, PREFIX, EngineAtTable, PlayerChoice
from p2p_shanghaien.cli.localized import option
from p2p_shanghaien.cli.options import HUMAN, GameChoice, display_name, settings_of
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.cli.people import Computer, Person, VisitingComputer
from p2p_shanghaien.errors import ConnectionLost, LocalError, Violation
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.lookalikes import look_alike
from p2p_shanghaien.players import computer_player, levels
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.parts import Decider, Opponent, Watcher
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.home import IDENTITY, Home, Known
from p2p_shanghaien.store.logs import GameLog, Private, log_path
from p2p_shanghaien.store.settings import Settings
from p2p_shanghaien.ui.advice import Advise
from p2p_shanghaien.ui.line import LineTable, Quit
from p2p_shanghaien.ui.naming import called
from p2p_shanghaien.ui.place import Place
from p2p_shanghaien.ui.streams import has_full_screen
from p2p_shanghaien.ui.words import say

MACHINE_PATIENCE: Final = 60.0
"""Seconds that a computer player waits for a lost opponent, unless told otherwise."""


class Keeper:
    """Starts the logs of a side's games, and knows the last one."""

    def __init__(self, home: Home, key: str = IDENTITY) -> None:
        self._home = home
        self._key = key
        self.place: str | None = None
        """Where we listen, kept in place of the other side's address: a host is not the one who calls."""
        self._logs: list[Path] = []
        self.trouble: LocalError | None = None
        """Why the other side is not remembered, if it should be."""

    @property
    def last(self) -> Path | None:
        """The log of the last game that came about: one of which nothing came has been taken away."""
        return next((path for path in reversed(self._logs) if path.exists()), None)

    @last.setter
    def last(self, path: Path | None) -> None:
        self._logs = [path] if path else []

    def keep(self, session: Session, seat: int, opening: bytes, secret: bytes, address: str) -> GameLog:
        """The log of a game that begins now, under the home's `games`. Raises LocalError."""
        path = log_path(self._home.games, session.id, seat)
        log = GameLog.start(path, opening, Private(secret, self._key, self.place or address))
        self._logs.append(path)
        return log

    def verdict(self) -> Report:
        """Verify the last game as far as it has come, by its log. Raises LocalError."""
        assert self.last is not None
        return verify(read_bytes(self.last, MAX_LOG), RULES)

    def played(self) -> Record:
        """The last game as far as it has come, by its log. Raises LocalError."""
        return self.verdict().record()


class SociableKeeper(Keeper):
    """Also remembers whom one has played with."""

    def keep(self, session: Session, seat: int, opening: bytes, secret: bytes, address: str) -> GameLog:
        try:
            self._home.remember(session.keys[1 - seat], session.names[1 - seat], date.today())
        except LocalError as error:
            # no list is worth a game
            self.trouble = error
        return super().keep(session, seat, opening, secret, address)


def decider(table: Place, player: str, game: str | None, keeper: Keeper) -> Decider:
    """Return the person at `table`, or the computer player of that name. Raises as `machine`."""
    if player == HUMAN:
        return Person(table)
    return machine(player, game, keeper, table.thinks)


def computer_name(player: str) -> str:
    """What the computer player `player`, or the external one, is called at the table."""
    return say("computer_name", player=ENGINE if player.startswith(PREFIX) else player)


def machine(player: str, game: str | None, keeper: Keeper, thinks: Callable[[str | None], None]) -> Decider:
    """Return the computer player `player`, or the external one, at a seat whose games are kept by `keeper`.

    `game` is the name of the game that is played, or None for a guest, who learns it from its host; `thinks` as for
    `Computer`. Raises LocalError, and UsageError for a level that the game lacks.
    """
    name = computer_name(player)
    if player.startswith(PREFIX):
        return EngineAtTable(player.removeprefix(PREFIX), keeper.played, name, thinks)
    if game is None:
        return VisitingComputer(player, SystemRandom(), name, thinks)
    return Computer(computer_player(game, player), SystemRandom(), name, thinks)


@dataclass(frozen=True)
class Sitting:
    """What the options that every seat shares say."""

    name: str
    player: str
    patience: float | None
    ascii_only: bool
    silent: bool = False
    plain: bool = False

    def game(self, home: Home, choice: GameChoice, level: str | None = None) -> Game:
        """Return the game that `choice` asks for; at the full screen the person picks it where it is left open.

        They pick from the games that have the computer player `level`, if one is given. Raises UsageError, LocalError,
        and click's Exit where the person leaves.
        """
        games: Sequence[str] = ()
        if self._at_full_screen(settings_of(home)):
            games = [game for game in choice.open() if not level or level.startswith(PREFIX) or level in levels(game)]
        if games:
            choice = choice._replace(name=games[0] if len(games) == 1 else self._picked(home, games))
        return choice.game()

    def _picked(self, home: Home, games: Sequence[str]) -> str:
        from p2p_shanghaien.cli.screens import picked_game

        name = picked_game(home, games, ascii_only=self.ascii_only)
        if name is None:
            echo(say("you_left"))
            raise click.exceptions.Exit(ENDING.code())
        return name

    def table(self, home: Home, advise: Advise | None = None) -> Place:
        """Where the person sits: the full screen where the terminal can show it and nobody wants lines.

        `advise` gives them hints; None: there are none.
        """
        settings = settings_of(home)
        bell = settings.bell and not self.silent
        if not self._at_full_screen(settings):
            return LineTable(ascii_only=self.ascii_only or settings.ascii, bell=bell, advise=advise)
        from p2p_shanghaien.cli.screens import full_table

        return full_table(home, ascii_only=self.ascii_only, bell=not self.silent, advise=advise)

    def _at_full_screen(self, settings: Settings) -> bool:
        return not self.plain and not settings.plain and self.player == HUMAN and has_full_screen()

    def call(self, name: str, seat: Role) -> str:
        """Return what our side calls a peer of that name at `seat`."""
        return called("called_host" if seat == Role.HOST else "called_guest", name, self.name)

    def own_side(self, home: Home, keeper: Keeper, table: Place, game: str | None = None, key: str = IDENTITY) -> Side:
        """Return the side of whoever started this program and sits at `table`, with the home's `key`.

        `game` and what is raised as for `machine`.
        """
        return Side(
            identity=home.identity(key),
            name=self.name,
            watcher=table,
            decider=decider(table, self.player, game, keeper),
            games=RULES,
            keep=keeper.keep,
            recognise=partial(recognise, home),
            call=self.call,
            random_bytes=secrets.token_bytes,
            # a person decides how long to wait; a program must not wait for ever
            patience=MACHINE_PATIENCE if self.patience is None and self.player != HUMAN else self.patience,
        )


_NAME_OPTION: Final = option("--name", metavar="metavar_name", help="help_option_name")
_SEAT_OPTIONS: Final = (
    option("--player", type=PlayerChoice(HUMAN), default=HUMAN, help="help_option_player"),
    option(
        "--patience",
        type=click.FloatRange(min=0),
        metavar="metavar_seconds",
        help="help_option_patience",
    ),
    option("--ascii", "ascii_only", is_flag=True, help="help_option_ascii"),
    option("--no-bell", "silent", is_flag=True, help="help_option_no_bell"),
    option("--plain", is_flag=True, help="help_option_plain"),
)


def seat_options(*, named: bool = True) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options on who sits at our side and how it looks; what they say comes as its `sitting`.

    `named` is whether one of them is the name; else it is the one that is kept.
    """

    def taking(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def seated(
            *,
            player: str,
            patience: float | None,
            ascii_only: bool,
            silent: bool,
            plain: bool,
            name: str | None = None,
            **others: Any,
        ) -> int:
            sitting = Sitting(display_name(name) if named else "", player, patience, ascii_only, silent, plain)
            return command(sitting=sitting, **others)

        for added in reversed((_NAME_OPTION, *_SEAT_OPTIONS) if named else _SEAT_OPTIONS):
            seated = added(seated)
        return seated

    return taking


def recognise(home: Home, opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    """What our person should know of whoever sits there: met before or not, or a known name with another key."""
    details: dict[str, object] = {"name": opponent.called, "remote": opponent.remote, "key": shown_key(opponent.key)}
    try:
        known = home.known_players()
    except LocalError as error:
        yield "opponent_not_looked_up", {**details, "reason": error}
    else:
        yield _recognised(home, opponent, known, details)
    yield "authentication", {"string": opponent.authentication}


def _recognised(
    home: Home, opponent: Opponent, known: Mapping[bytes, Known], details: dict[str, object]
) -> tuple[str, dict[str, object]]:
    if opponent.key == home.identity().public:
        return "opponent_same_key", details
    others = {player.name for key, player in known.items() if key != opponent.key}
    other = next((name for name in sorted(others) if look_alike(name, opponent.name)), None)
    if before := known.get(opponent.key):
        if before.name == opponent.name:
            code = "opponent_known"
        else:
            code = "opponent_renamed" if other is None else "opponent_took_name"
        former = called("called_before", before.name, "")
        return code, {**details, "before": former, "since": before.since, "count": before.games}
    if opponent.name in others:
        return "opponent_name_taken", details
    if other is not None:
        return "opponent_lookalike", {**details, "other": called("called_before", other, "")}
    return "opponent_new", details


def shown_key(key: bytes) -> str:
    """A key's fingerprint as people compare it."""
    text = fingerprint(key).hex()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


async def finish(games: Coroutine[Any, Any, None], keeper: Keeper, watcher: Watcher) -> int:
    """Run the games to their end, whatever it is; say where the log is and return the exit code."""
    ENDING.code = lambda: ConnectionLost.exit_code if keeper.last else 1
    code = 0
    try:
        with GAMES.named_in_errors():
            await games
    except (Quit, asyncio.CancelledError):
        # Ctrl-C at a prompt, or while the other side is to move
        watcher.told("you_left")
        code = keeper.verdict().exit_code if keeper.last else 1
    except (ConnectionLost, Violation) as error:
        watcher.told(error.sentence, **error.details)
        code = error.exit_code
    except LocalError:
        if keeper.last:
            watcher.told("log_5", path=keeper.last)
        raise
    ENDING.code = lambda: code
    if keeper.trouble:
        watcher.told("not_remembered", reason=keeper.trouble)
    if keeper.last:
        watcher.told(f"log_{code}", path=keeper.last)
    return code
