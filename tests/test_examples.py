"""The examples run as they say, and the samples are what they claim to be."""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES
from tests.sweeps import together

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
PACKAGE = ROOT / "p2p_shanghaien"
DOCS = ROOT / "docs"

PUBLIC = {
    *("errors", "games.api", "games.chance", "games.lesson", "games.outlook", "games.record", "players"),
    *("ui.full.drawing", "ui.picture", "ui.view", "ui.words"),
}
"""The modules that a game of another distribution may import (CONTRIBUTING.md, "Adding a game")."""

LIBRARY = PUBLIC | {
    *(
        "games.registry",
        "players.options",
        "players.simultaneous",
        "players.tutoring",
        "analysis.annotate",
        "analysis.tournament",
    ),
    *(
        "fairplay.challenge",
        "fairplay.channel",
        "fairplay.data",
        "fairplay.effects",
        "fairplay.entries",
        "fairplay.handshake",
        "fairplay.hello",
        "fairplay.keys",
    ),
    *("fairplay.match", "fairplay.notes", "fairplay.endpoint", "fairplay.preface"),
    *("fairplay.transcript", "fairplay.verify"),
}
"""Modules that other programs may import; `__all__` names what they may use of each."""


def code(path: Path) -> str:
    """Return the Python in a file: all of it, or the code blocks of a page, each line at its own number."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    lines = [""] * text.count("\n")
    for start, language, block in blocks(text):
        if language == "python":
            lines[start : start + block.count("\n")] = block.splitlines()
    return "\n".join(lines)


def blocks(page: str) -> Iterator[tuple[int, str, str]]:
    """Yield the lines before each fenced block of a page, its language and its text."""
    for token in MarkdownIt().parse(page):
        if token.type == "fence":
            assert token.map
            yield token.map[0] + 1, token.info, token.content


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import from the program."""
    for node in ast.walk(ast.parse(code(path))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("p2p_shanghaien."):
            yield from ((node.module.removeprefix("p2p_shanghaien."), alias.name) for alias in node.names)


def run(*arguments: object) -> str:
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_two_endpoints(tmp_path: Path) -> None:
    assert run(EXAMPLES / "two_endpoints.py", tmp_path / "game.shlog").startswith("COMPLETE")
    assert verify((tmp_path / "game.shlog").read_bytes(), RULES).verdict == Verdict.COMPLETE


def test_own_player() -> None:
    won, lost = (int(part.split()[2]) for part in run(EXAMPLES / "own_player.py", 60).split(", ")[:2])
    assert won > lost, "keeping tricks and rolling on beats chance"


@pytest.mark.parametrize(("name", "game"), [("sample", "shanghaien"), ("halunken", "halunken"), ("macao", "macao")])
def test_the_samples_are_one_game(name: str, game: str) -> None:
    report = verify((EXAMPLES / f"{name}.shlog").read_bytes(), RULES)
    assert report.verdict == Verdict.COMPLETE
    written = record.read((EXAMPLES / f"{name}.shrec").read_bytes(), RULES)
    assert type(written.game) is RULES[game]
    signed = list(record.events(report.record()))
    assert signed[0].pop("seats")
    assert list(record.events(written)) == signed


PAGES = [path for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))) if code(path).strip()]


def test_a_page_has_examples() -> None:
    assert DOCS / "library.md" in PAGES


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_code_of_a_page_prints_what_the_page_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a page run one after another; a block of text after one is its output."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for start, language, block in blocks(path.read_text(encoding="utf-8")):
        if language == "python":
            assert not printed, f"the page does not show what the block before line {start} prints"
            output = StringIO()
            with redirect_stdout(output):
                exec(compile("\n" * start + block, path, "exec"), names)
            printed = output.getvalue()
        elif language == "text":
            assert printed == block, f"line {start}"
            printed = ""
    assert not printed


@together("path", sorted((EXAMPLES / "pig" / "shanghaien_pig").glob("*.py")), ids=lambda path: path.stem)
def test_pig_imports_what_a_game_may(path: Path) -> None:
    assert {module for module, _ in imported(path)} <= PUBLIC


EXAMPLE_FILES = sorted([*EXAMPLES.glob("*.py"), *(EXAMPLES / "pig" / "shanghaien_pig").glob("*.py")])


@together("path", EXAMPLE_FILES, ids=lambda path: path.stem)
def test_examples_use_what_is_public(path: Path) -> None:
    for module, name in imported(path):
        assert module in LIBRARY
        assert name in import_module(f"p2p_shanghaien.{module}").__all__, f"{module}.{name}"


@together("name", sorted(LIBRARY))
def test_what_is_public_is_documented(name: str) -> None:
    module = import_module(f"p2p_shanghaien.{name}")
    for public in module.__all__:
        value = getattr(module, public)
        if getattr(value, "__module__", None) != module.__name__:
            continue  # a constant, or a name for a type, has a comment instead
        assert inspect.getdoc(value), public
        if inspect.isclass(value):
            for member, defined in vars(value).items():
                if not member.startswith("_") and isinstance(defined, (property, classmethod, type(run))):
                    assert inspect.getdoc(defined), f"{public}.{member}"


def test_a_type_checker_reads_the_annotations() -> None:
    assert (PACKAGE / "py.typed").is_file(), "PEP 561"


def test_nothing_in_the_program_knows_pig() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert "shanghaien_pig" not in path.read_text(encoding="utf-8")
