"""The manual page, made from the commands: `python -m tools.manual > man/shanghaien.1`."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Final

import click

from p2p_shanghaien.cli.main import shanghaien
from p2p_shanghaien.cli.options import GameCommand
from p2p_shanghaien.games.registry import GAMES, OURS
from p2p_shanghaien.ui.localized import described
from p2p_shanghaien.ui.words import say

PROGRAM: Final = "shanghaien"
EXIT_CODES: Final = range(7)
"""The exit codes of the program (protocol/RECORD.md, section 5)."""
VARIABLES: Final = (
    *(f"SHANGHAIEN_{name}" for name in ("HOME", "INVITATION", "LANG", "TRACEBACK", "OPPONENT", "GAME")),
    "NO_COLOR",
    "TERM",
)


def manual() -> str:
    """The page in roff, with the macros of man(7). It tells of our own games alone, whatever else is installed."""
    with GAMES.only(OURS):
        return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    with click.Context(shanghaien, info_name=PROGRAM, **shanghaien.context_settings) as context:
        yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {version("p2p-shanghaien")}"'
        yield from _section("man_name", rf"{PROGRAM} \- {_roff(say('man_summary'))}")
        yield from _section("man_synopsis", *_synopsis(context))
        yield from _section("man_description", _roff(say("man_text")))
        yield from _section("man_options", *_options(context))
        yield from _section("man_commands")
        yield from _commands(context)
        yield from _section("man_exit_status", *_items((str(code), say(f"exit_code_{code}")) for code in EXIT_CODES))
        yield from _section("man_environment", *_items((name, say(f"variable_{name}")) for name in VARIABLES))


def _commands(context: click.Context) -> Iterator[str]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        with click.Context(command, info_name=name, parent=context) as inner:
            yield f'.SS "{_roff(inner.command_path.removeprefix(PROGRAM + " "))}"'
            yield from _synopsis(inner)
            yield ".PP"
            yield _roff(command.help or "")
            yield from _options(inner)
            if isinstance(command, GameCommand):
                for game in GAMES:
                    yield ".PP"
                    yield _roff(say("help_options_of_game", game=game)) + ":"
                    yield from _items(described(GAMES[game]))
            if isinstance(command, click.Group):
                yield from _commands(inner)


def _section(code: str, *lines: str) -> Iterator[str]:
    yield f'.SH "{_roff(say(code)).upper()}"'
    yield from lines


def _synopsis(context: click.Context) -> Iterator[str]:
    pieces = context.command.collect_usage_pieces(context)
    yield rf"\fB{_roff(context.command_path)}\fR {_roff(' '.join(pieces))}"


def _options(context: click.Context) -> Iterator[str]:
    # every command has --help: once is enough
    known = context.command.get_help_option(context) if context.parent else None
    options = (each for each in context.command.get_params(context) if isinstance(each, click.Option))
    records = (option.get_help_record(context) for option in options if option is not known)
    yield from _items(record for record in records if record)


def _items(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    for term, text in entries:
        yield ".TP"
        yield rf"\fB{_roff(term)}\fR"
        yield _roff(text)


def _roff(text: str) -> str:
    """`text` on one line, with whatever roff would take for a command made plain."""
    plain = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    return re.sub(r"^(?=[.'])", r"\\&", plain)


if __name__ == "__main__":
    print(manual(), end="")
