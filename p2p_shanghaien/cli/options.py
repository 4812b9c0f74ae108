"""Options that several commands share."""

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

import click

from p2p_shanghaien.app.choice import GameChoice, option_names
from p2p_shanghaien.app.invitations import Invited, is_invited, read_invited
from p2p_shanghaien.app.participants.external_engine import PREFIX
from p2p_shanghaien.cli.output import echo, settings_of, tell_unusable_games
from p2p_shanghaien.errors import CliCode, LocalError, Malformed, UsageError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.net.addresses import Address, parse
from p2p_shanghaien.players import all_levels, levels
from p2p_shanghaien.settings import MAX_LOSS, Settings
from p2p_shanghaien.shutdown import SHUTDOWN
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.localized import Choice, Command, Option, described
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from p2p_shanghaien.ui.full.base import FullScreen

_T = TypeVar("_T")

HUMAN: Final = "human"
INVITATION_VARIABLE: Final = "SHANGHAIEN_INVITATION"
"""Holds an invitation: never the command line, which every user of the machine can read in the list of processes."""
_CHOICE: Final = "choice"
_NAMED: Final = "p2p_shanghaien.named_game"
"""The key in a command's context of the game that `--game` names."""


class GameOption(click.Option):
    """An option of one or several games; its value is a word that the chosen game reads."""

    def get_help_record(self, ctx: click.Context) -> None:
        """Games tell of their options themselves (`described`)."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        from click.shell_completion import CompletionItem

        named = ctx.meta.get(_NAMED)
        settings = [each for spec in GAMES.values() if named in (None, spec.name) for each in spec.settings]
        ours = [each for each in settings if f"--{each.name}" in self.opts]
        choices = dict.fromkeys(choice for each in ours for choice in each.choices)
        files = [CompletionItem(incomplete, type="file")] if any(each.names_data for each in ours) else []
        return [*files, *(CompletionItem(choice) for choice in choices if choice.startswith(incomplete))]


class NamingCommand(Command):
    """A command with `--game`, which comes to it as `game`: help and completion are those of the game that is named."""

    GAME_HELP: ClassVar = "help_option_game"

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *params, help_ = super().get_params(ctx)
        return [*params, Option(["--game"], type=Choice(list(GAMES)), help=self.GAME_HELP), help_]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # help needs it before options are parsed
        named = self.given(ctx, "game", args)
        ctx.meta[_NAMED] = named if named in GAMES else None
        len(GAMES)
        tell_unusable_games()
        return super().parse_args(ctx, args)


class GameCommand(NamingCommand):
    """A command with `--game` and every option of every installed game; they come to it as its `choice`.

    Options of one name are one option. Help tells each game's options under the game's name, those of a single game
    where `--game` names it.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *params, help_ = super().get_params(ctx)
        taken = {option for param in (*params, help_) for option in param.opts}
        names = dict.fromkeys(
            name for spec in GAMES.values() for name in option_names(spec) if f"--{name}" not in taken
        )
        options = (GameOption([f"--{name}", f"game_{name.replace('-', '_')}"]) for name in names)
        return [*params, *options, help_]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        options = [param for param in self.get_params(ctx) if isinstance(param, GameOption)]
        given = {option.opts[0].removeprefix("--"): ctx.params.pop(str(option.name), None) for option in options}
        settings = {name: value for name, value in given.items() if value is not None}
        ctx.params[_CHOICE] = GameChoice(
            ctx.params.pop("game"), settings, lambda: settings_of(Home.of_user()).game, lambda: Home.of_user().games
        )
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        named = ctx.meta.get(_NAMED)
        for spec in GAMES.values():
            if spec.settings and named in (None, spec.name):
                with formatter.section(say("help_options_of_game", game=spec.name)):
                    formatter.write_dl(described(spec))


class LevelChoice(Choice):
    """A computer player of any game, or one of `words`.

    Help, completion and refusals list those of the game that `--game` names, where it names one.
    """

    def __init__(self, *words: str) -> None:
        super().__init__(())
        self._words = words

    def listed(self, ctx: click.Context | None) -> list[str]:
        """Return what is listed."""
        game = ctx.meta.get(_NAMED) if ctx else None
        return [*self._words, *(levels(game) if game else all_levels())]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        # a level of another game is refused by the game, which names its own
        return value if value in self.listed(None) else Choice(self.listed(ctx)).convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:  # noqa: ARG002
        return f"[{'|'.join(self.listed(ctx))}]"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return Choice(self.listed(ctx)).get_missing_message(param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        return Choice(self.listed(ctx)).shell_complete(ctx, param, incomplete)


class PlayerChoice(LevelChoice):
    """A level, or `engine:COMMAND`."""

    def listed(self, ctx: click.Context | None) -> list[str]:
        return [*super().listed(ctx), PREFIX + say("metavar_command")]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.startswith(PREFIX):
            with suppress(ValueError):
                if shlex.split(value.removeprefix(PREFIX)):
                    return value
            self.fail(Choice(self.listed(ctx)).get_invalid_choice_message(value, ctx), param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        return [item for item in super().shell_complete(ctx, param, incomplete) if not item.value.startswith(PREFIX)]


def percentage(text: str) -> float:
    """Return the percentage from 0 to 100 that `text` means, such as 2, 2.5 or 2%. Raises click's BadParameter."""
    with suppress(ValueError):
        number = float(text.strip().removesuffix("%").replace(",", "."))
        if 0 <= number <= MAX_LOSS:
            return number
    raise click.BadParameter(say("not_a_percentage", value=text, limit=MAX_LOSS))


@dataclass(frozen=True)
class Display:
    """The options `--ascii` and `--plain` of a command, and the user's settings: how it shows things at the terminal.

    `ascii_only` is None where the settings decide, which may change at a full screen.
    """

    home: Home
    ascii_only: bool | None
    plain: bool

    @property
    def settings(self) -> Settings:
        """The user's settings."""
        return settings_of(self.home)

    @property
    def is_full_screen(self) -> bool:
        """True where the terminal can show a full screen and nobody wants lines."""
        from p2p_shanghaien.ui.streams import has_full_screen

        return not self.plain and not self.settings.plain and has_full_screen()

    @property
    def ascii_lines(self) -> bool | None:
        """True if lines are written in ASCII; None leaves it to the encoding of the output."""
        return self.ascii_only or self.settings.ascii

    def keep(self, changed: Settings) -> None:
        """Keep the settings that can be changed at a full screen."""
        from p2p_shanghaien.ui.full.theme import EDITABLE_SETTINGS

        values = {name: getattr(changed, name) for name in EDITABLE_SETTINGS}
        # settings that cannot be kept cost nobody a game
        with suppress(LocalError):
            self.home.keep_settings(replace(self.home.settings().settings, **values))

    def ask(self, screen: "Callable[..., FullScreen[_T]]") -> _T:
        """Return what the person answers at a full screen. Raises click's Exit if they leave it."""
        from p2p_shanghaien.ui import lifecycle

        answer = lifecycle.run(screen(self.settings, ascii_only=self.ascii_only).present())
        if answer is None:
            echo(say("you_left"))
            raise click.exceptions.Exit(SHUTDOWN.code())
        return answer


def table_named(address: str, command: str) -> tuple[Address | Invited | None, Invitation | None]:
    """Return where the table is, if `address` or else SHANGHAIEN_INVITATION says so, and the invitation in the latter.

    Raises UsageError, also for an invitation in place of the address that `command` takes.
    """
    if is_invited(address):
        raise UsageError(CliCode.INVITATION_IN_ARGUMENT, command=command, variable=INVITATION_VARIABLE)
    text = os.environ.get(INVITATION_VARIABLE, "")
    try:
        invited = read_invited(text) if text else None
    except Malformed as error:
        raise UsageError(CliCode.BAD_INVITATION, variable=INVITATION_VARIABLE, reason=error) from None
    where = parse(address) if address.strip() else invited if invited and invited.relay else None
    return where, invited.invitation if invited else None
