"""Options that several commands share."""

import getpass
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from p2p_shanghaien.cli.choosing import Choice
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.errors import Malformed, UsageError
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.settings import Settings
from p2p_shanghaien.text import MAX_NAME, cleaned, is_name
from p2p_shanghaien.ui.words import say

HUMAN: Final = "human"
DEFAULT_GAME: Final = next(iter(CATALOGUE))

_Command = TypeVar("_Command", bound=Callable[..., Any])


def game_options(command: _Command) -> _Command:
    """`--game` where there is a choice, and an option for every setting of every game."""
    for name, kind in reversed(list(CATALOGUE.items())):
        for setting in reversed(kind.SETTINGS):
            text = say(f"help_{name}_{setting.name}", default=setting.default)
            command = click.option(f"--{setting.name}", metavar=say("metavar_value"), help=text)(command)
    if len(CATALOGUE) > 1:
        choice = Choice(list(CATALOGUE))
        command = click.option("--game", type=choice, default=DEFAULT_GAME, help=say("help_option_game"))(command)
    return command


def given_settings(options: Mapping[str, Any]) -> dict[str, str]:
    """What was said in the options that `game_options` added."""
    return {name: value for name, value in options.items() if name != "game" and value is not None}


def chosen_game(options: Mapping[str, Any]) -> Game:
    """The game that the options ask for. Raises UsageError."""
    try:
        return CATALOGUE[options.get("game", DEFAULT_GAME)].from_settings(given_settings(options))
    except Malformed as error:
        raise UsageError(error.code, **error.details) from None


def insisted(options: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The settings named in the options, in canonical spelling. Raises UsageError."""
    given = given_settings(options)
    return tuple((name, value) for name, value in chosen_game(options).settings if name in given)


def settings_of(home: Home) -> Settings:
    """Return how the user likes the program; name what in the settings cannot be used."""
    loaded = home.settings()
    for fault in loaded.faults:
        warn(fault)
    return loaded.settings


def display_name(given: str | None) -> str:
    """The name shown to the other side: as given, or as kept, or the system's name for the user.

    Raises UsageError and LocalError.
    """
    if given is not None:
        name = cleaned(given, MAX_NAME, "")
        if not is_name(name) or name != " ".join(given.split()):
            raise UsageError("bad_own_name", name=given, limit=MAX_NAME)
        return name
    if kept := Home.of_user().own_name:
        return kept
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    name = cleaned(user, MAX_NAME, "")
    return name if is_name(name) else say("nameless")
