"""The manual page: whole, up to date, and proper roff."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from p2p_shanghaien.cli.main import shanghaien
from p2p_shanghaien.games.registry import GAMES
from tests import needs
from tools.manual import manual

PAGE = Path(__file__).parents[1] / "man" / "shanghaien.1"


def test_the_kept_page_is_what_the_commands_say_now() -> None:
    assert PAGE.read_text() == manual(), "run: python -m tools.manual > man/shanghaien.1"


@pytest.mark.usefixtures("_toy_is_installed")
def test_it_tells_of_our_own_games_whatever_else_is_installed() -> None:
    assert "toy" in GAMES
    assert PAGE.read_text() == manual()
    assert "toy" in GAMES


def test_it_is_proper_roff() -> None:
    found = subprocess.run(
        [needs.program("mandoc"), "-T", "lint", "-W", "warning", PAGE], capture_output=True, text=True, check=False
    )
    # when the page was made says nothing; the version stands in it
    assert [line for line in found.stdout.splitlines() if "missing date" not in line] == []


def _every(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield context.command_path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _every(inner, click.Context(inner, info_name=name, parent=context))


@pytest.fixture(scope="module")
def shown() -> str:
    """Return the page as a reader sees it, without its line breaks."""
    text = subprocess.run(
        [needs.program("mandoc"), "-T", "ascii", PAGE], capture_output=True, text=True, check=True
    ).stdout
    plain = subprocess.run(["col", "-bx"], input=text, capture_output=True, text=True, check=True).stdout
    return " ".join(plain.split())


def test_every_command_and_every_option_is_described(shown: str) -> None:
    commands = dict(_every(shanghaien, click.Context(shanghaien, info_name="shanghaien")))
    assert {"shanghaien", "shanghaien host", "shanghaien players forget"} <= commands.keys()
    for path, command in commands.items():
        assert f"{path} [OPTIONS]" in shown
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help
                assert " ".join(option.help.split()) in shown, (path, option.name)


def test_it_says_what_each_exit_code_means(shown: str) -> None:
    codes = shown.partition("EXIT STATUS")[2].partition("ENVIRONMENT")[0]
    assert [f" {code} " in codes for code in range(7)] == [True] * 7


def test_a_file_is_called_so_in_the_language_in_use() -> None:
    """The name of click's type is in the language in which the command was loaded."""
    for path, command in _every(shanghaien, click.Context(shanghaien, info_name="shanghaien")):
        for each in command.params:
            assert each.metavar or not isinstance(each.type, click.Path), (path, each.name)
