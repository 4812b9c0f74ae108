"""The pages name commands and options that exist, and the API reference has all that is public."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
from markdown_it import MarkdownIt

from p2p_shanghaien.cli.main import shanghaien
from tests.sweeps import together
from tests.test_examples import DOCS, LIBRARY, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
PROGRAM = "shanghaien"
ELSEWHERE = {"--option"}
"""Options of other programs: of `python -m benchmarks`."""


def spans(path: Path) -> Iterator[str]:
    """Yield the inline code of a page, and the lines of its shell blocks."""
    for token in MarkdownIt().enable("table").parse(path.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info == "sh":
            yield from token.content.splitlines()
        yield from (child.content for child in token.children or () if child.type == "code_inline")


def options(command: click.Command, context: click.Context) -> dict[str, click.Parameter]:
    """Return the options of a command by each of their names."""
    found = command.get_params(context)
    return {name: parameter for parameter in found for name in (*parameter.opts, *parameter.secondary_opts)}


def check(words: list[str]) -> None:
    """Fail unless the words behind the program's name are commands and options that it has."""
    command: click.Command = shanghaien
    context = click.Context(command, info_name=PROGRAM, **command.context_settings)
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            option = options(command, context)[word.partition("=")[0]]
            if isinstance(option, click.Option) and not option.is_flag and "=" not in word:
                next(rest)
        elif isinstance(command, click.Group) and not word.isupper():
            found = command.get_command(context, word)
            assert found, f"{context.command_path} has no command {word}"
            command, context = found, click.Context(found, info_name=word, parent=context)


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the words behind the program's name wherever a page runs it."""
    for span in spans(path):
        if re.search(rf"(^|[/ ]){PROGRAM} [a-z-]", span):
            words = [
                word.rpartition("/")[2] if word.endswith(PROGRAM) else word for word in shlex.split(span, comments=True)
            ]
            yield words[words.index(PROGRAM) + 1 :]


def test_pages_have_commands() -> None:
    assert sum(1 for path in PAGES for _ in commands(path)) > 40


@together("path", PAGES, ids=lambda path: path.stem)
def test_commands_exist(path: Path) -> None:
    for words in commands(path):
        check(words)


@together("path", PAGES, ids=lambda path: path.stem)
def test_options_exist(path: Path) -> None:
    context = click.Context(shanghaien)
    known = {*ELSEWHERE, *options(shanghaien, context)}
    for name in shanghaien.list_commands(context):
        command = shanghaien.get_command(context, name)
        assert command
        known |= options(command, click.Context(command, parent=context)).keys()
    assert {span.split()[0] for span in spans(path) if span.startswith("--")} <= known


def test_every_command_is_listed() -> None:
    listed = (DOCS / "commands.md").read_text(encoding="utf-8")
    for name in shanghaien.list_commands(click.Context(shanghaien)):
        assert re.search(rf"`{name}\b", listed), name


def test_the_reference_has_all_that_is_public() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md"))
    assert sorted(re.findall(r"automodule:: p2p_shanghaien\.(\S+)", pages)) == sorted(LIBRARY)
