"""Who sits at our side of a table and how it looks, by the options of a command."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Final

import click

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.contacts import recognise
from p2p_shanghaien.app.ending import ENDING
from p2p_shanghaien.app.lobby import Keeper, Result
from p2p_shanghaien.app.participants.computer import machine, shown_level
from p2p_shanghaien.app.participants.engine import PREFIX
from p2p_shanghaien.app.participants.human import Person
from p2p_shanghaien.app.place import Place
from p2p_shanghaien.cli.lifecycle import run
from p2p_shanghaien.cli.localized import option
from p2p_shanghaien.cli.options import HUMAN, GameChoice, PlayerChoice, display_name, settings_of
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.errors import ConnectionLost, Violation
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.players import Advise, levels
from p2p_shanghaien.session.meeting import Side
from p2p_shanghaien.session.participant import Decider
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.store.home import COMPUTER, IDENTITY, Home
from p2p_shanghaien.ui.line import LineTable
from p2p_shanghaien.ui.naming import called
from p2p_shanghaien.ui.streams import has_full_screen
from p2p_shanghaien.ui.words import say

MACHINE_PATIENCE: Final = 60.0
"""Seconds that a computer player waits for a lost opponent, unless told otherwise."""


@dataclass(frozen=True)
class Sitting:
    """What the options that every seat shares say."""

    name: str
    player: str
    patience: float | None
    ascii_only: bool
    silent: bool = False
    plain: bool = False

    def game(self, home: Home, choice: GameChoice, level: str | None = None) -> Game[Any]:
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
        if self.player == HUMAN:
            # a person decides how long to wait; a program must not wait for ever
            decider: Decider = Person(table)
            patience = self.patience
        else:
            decider = machine(self.player, game, computer_name(self.player), keeper.played, table.thinks)
            patience = MACHINE_PATIENCE if self.patience is None else self.patience
        known = partial(recognise, home, called=lambda name: called("called_before", name, ""))
        side = lobby.own_side(home, keeper, self.name, table, decider, key)
        return replace(side, recognise=known, call=self.call, patience=patience)


def computer_name(player: str) -> str:
    """Return what the computer player `player`, or the external one, is called at the table."""
    return say("computer_name", player=shown_level(player))


def computer_side(home: Home, player: str, game: str, table: Place, keeper: Keeper) -> Side:
    """Return the side of the computer player `player` at the game of that name, with a key of its own.

    Raises as `machine`.
    """
    name = computer_name(player)
    decider = machine(player, game, name, keeper.played, table.thinks)
    return lobby.own_side(home, keeper, name, lobby.Silent(), decider, COMPUTER)


def run_at(table: Place, keeper: Keeper, playing: Coroutine[Any, Any, Result]) -> int:
    """Play at `table`, whose games `keeper` stores, and return the exit code. Raises as `playing` before a game."""

    def code() -> int:
        if keeper.result:
            return keeper.result.exit_code
        return ConnectionLost.exit_code if keeper.last else 1

    async def played() -> int:
        try:
            await playing
        except (ConnectionLost, Violation, asyncio.CancelledError):
            # the table has been told of it
            if keeper.result is None:
                raise
        return code()

    ENDING.code = code
    return run(played(), table)


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
