"""`shanghaien`: finds the command, and ends it with the right exit code (protocol/RECORD.md, "Exit codes")."""

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

from p2p_shanghaien.cli.output import echo, tell_unusable_games, trace
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.store.paths import games_folder, home_folder, settings_file
from p2p_shanghaien.ui import language
from p2p_shanghaien.ui.language import LANGUAGES
from p2p_shanghaien.ui.localized import Choice, Group, group, option
from p2p_shanghaien.ui.words import describe, say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM: Final = "shanghaien"

COMMANDS: Final = {
    "play": "table",
    "learn": "learn",
    "host": "table",
    "join": "table",
    "watch": "watching",
    "resume": "table",
    "games": "games",
    "players": "people",
    "identity": "people",
    "replay": "replay",
    "verify": "verify",
    "export": "games",
    "import": "games:import_game",
    "rules": "rules",
    "tournament": "tournament",
    "dice": "analysis",
    "analyse": "analysis",
    "stats": "analysis",
    "engine": "tournament",
    "relay": "relay",
}
"""The module of each command, which has the command's name unless another follows the colon. A module is imported
when its command is used."""

FURTHER: Final = ("import", "tournament", "dice", "analyse", "stats", "engine", "relay")
"""Commands that are not for playing: the list of commands has them in one line, so that it fits a small screen."""

_FIRST_CLAUSE: Final = re.compile(r"[.:;](?: |$)")
"""Ends what the list of commands says of each: one line; the rest is in the command's own help."""


class Commands(Group):
    """Commands that are imported when used, so that `--help` is there at once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # before anything is said in it: help, a completion, or an error that stands in front of --lang
        wishes = (self.given(ctx, "lang", args), os.environ.get(language.VARIABLE))
        language.begin(wishes, _kept_language(), language.system_languages)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        RULES.data = _kept
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"p2p_shanghaien.cli.{module}"), name or cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            # click knows commands that are imported already, and these are not
            raise click.NoSuchCommand(args[0], error.message, COMMANDS, ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        # the options: what click's own does for a command that is no group
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=say(f"help_{name}")) for name in names] + options

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section(say("help_commands")):
            names = [name for name in COMMANDS if name not in FURTHER]
            lines = [(name, _FIRST_CLAUSE.split(say(f"help_{name}"))[0].rstrip()) for name in names]
            formatter.write_dl([*lines, (say("help_further"), say("help_further_names", names=", ".join(FURTHER)))])


def _tell_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(say("program_version", program=PROGRAM, version=version("p2p-shanghaien")))
        ctx.exit()


@group(cls=Commands, help="help_program", context_settings={"help_option_names": ["-h", "--help"]})
@option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="help_version")
@option("--lang", type=Choice(list(LANGUAGES)), is_eager=True, expose_value=False, help="help_lang")
def shanghaien() -> None:
    """The language that --lang names is chosen by `Commands`."""


def _kept_language() -> str | None:
    """Return the language in the settings, if any. Trouble with the file is left to what needs more of it."""
    try:
        path = settings_file(home_folder())
    except LocalError:
        return None
    if not os.path.lexists(path):
        return None
    from p2p_shanghaien.store.settings import load

    return load(path).settings.language


def _kept(digest: str) -> bytes | None:
    from p2p_shanghaien.store.data import kept_data

    return kept_data(games_folder(home_folder()), digest)


def run(arguments: list[str]) -> int:
    """The exit code of the command line `arguments`; what went wrong is said on standard error."""
    try:
        with GAMES.named_in_errors():
            result: Any = shanghaien.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except ShanghaienError as error:
        trace(error)
        echo(say("error", message=describe(error)), err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        echo(say("interrupted"), err=True)
        return 1
    except BrokenPipeError:  # whoever read our output has had enough
        return 1
    finally:
        tell_unusable_games()
    return result if isinstance(result, int) else 0
