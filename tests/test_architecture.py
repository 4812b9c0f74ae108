"""The folders are the architecture: what each may import, and what every module must be like."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from p2p_shanghaien.store.paths import VARIABLE
from tests import kinds

PACKAGE = Path(__file__).parent.parent / "p2p_shanghaien"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "errors": set(),
    "unassigned": set(),
    "text": {"unassigned"},
    "lookalikes": set(),
    "settings": set(),
    "short_name": set(),
    "waiting": set(),
    "shutdown": set(),
    "games": {"errors", "text"},
    "fairplay": {"errors", "text", "games"},
    "store": {"errors", "text", "settings", "short_name", "games", "fairplay"},
    "net": {"errors", "text"},
    "session": {"errors", "text", "games", "fairplay"},
    "players": {"errors", "games"},
    "research": {"errors", "games"},
    "analysis": {"errors", "games", "players", "fairplay"},
    "app": {
        *("errors", "text", "lookalikes", "waiting", "shutdown", "games", "fairplay", "store", "net", "session"),
        *("players", "analysis", "short_name"),
    },
    "ui": {
        *("errors", "text", "lookalikes", "settings", "waiting", "shutdown", "games", "fairplay", "session", "players"),
        *("analysis", "short_name"),
    },
    "cli": {
        *(
            "errors",
            "text",
            "lookalikes",
            "settings",
            "shutdown",
            "games",
            "fairplay",
            "store",
            "net",
            "session",
            "players",
        ),
        *("short_name", "analysis", "app", "ui"),
    },
    "__main__": {"cli"},
    "__init__": set(),
}
"""The parts of the package that each part may import besides itself. A game's folder has a table of its own."""

GAME_MAY_IMPORT = {
    "rules": {"errors", "text", "games"},
    "display": {"errors", "text", "games", "ui"},
    "players": {"errors", "games", "players"},
    "research": {"errors", "games", "research"},
}
"""The parts of the package that each part of a game's folder may import besides itself and the game's rules.

Whatever stands in no other part belongs to the rules: states, options, records, chance, and the words that name them.
"""

OUTSIDE = {
    "cryptography": {"fairplay.keys", "fairplay.noise"},
    "websockets": {"net.relay", "net.transport"},
    "miniupnpc": {"net.upnp_worker"},
}
"""Libraries that few modules may import."""

READING_SIDE = {"entries", "keys", "match", "transcript", "verify"}
"""The modules of fairplay that analysis may use: for finished logs, not games in progress."""

SHOWN = {
    "fairplay": {"effects", "verify"},
    "session": {"participant"},
    "players": {"players", "options", "tutoring"},
    "analysis": {"annotate", "dedupe", "draws", "fairness", "standing", "tournament", "turning_points"},
}
"""The modules of values that the screen shows as they are: nothing that holds a key, a file or a connection."""

ALSO_SHOWN = {name: {"fairplay.keys"} for name in ("ui.verdicts", "ui.report.dice", "ui.report.stats")}
"""Modules of others that a few modules of the screen import: they show the fingerprints of public keys."""

IMPURE = {"os", "io", "socket", "ssl", "asyncio", "time", "datetime", "random", "secrets", "uuid", "pathlib"}
IMPURE |= {"subprocess", "threading", "locale", "logging", "sys"}
"""Modules of the standard library that a pure function has no use for."""


def name_of(path: Path) -> str:
    """Return a module's name within the package: `fairplay.keys`; a folder's own module has the folder's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Everything a module imports, wherever in it, by full name; `from a import b` is `a.b`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> Iterator[str]:
    """Yield what a module imports from this package: `fairplay.keys.Tag`."""
    prefix = "p2p_shanghaien."
    yield from (name.removeprefix(prefix) for name in imports(path) if name.startswith(prefix))


def of_module(name: str) -> str:
    """Return the module that an imported name stands in."""
    while name and not (
        (PACKAGE / name.replace(".", "/")).is_dir() or (PACKAGE / f"{name.replace('.', '/')}.py").is_file()
    ):
        name = name.rpartition(".")[0]
    return name


def each_of(modules: list[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Return a decorator that makes one test of all modules: a thousand tests that take no time take some together."""

    def decorate(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            for path in modules:
                try:
                    check(path)
                except AssertionError as error:
                    error.add_note(name_of(path))
                    raise

        test.__doc__ = check.__doc__
        return test

    return decorate


def game_and_part(name: str) -> tuple[str, str] | None:
    """Return the game that a module belongs to, and the part of its folder; None for what belongs to no game."""
    match name.split("."):
        case ["games", game, *rest] if (PACKAGE / "games" / game).is_dir():
            return game, rest[0] if rest and rest[0] in GAME_MAY_IMPORT else "rules"
    return None


IN_GAMES = [path for path in MODULES if game_and_part(name_of(path))]
ELSEWHERE = [path for path in MODULES if path not in IN_GAMES]


@each_of(ELSEWHERE)
def test_imports_point_one_way(path: Path) -> None:
    part = name_of(path).split(".")[0]
    for name in own_imports(path):
        other = name.split(".")[0]
        assert other == part or other in MAY_IMPORT[part], f"{name_of(path)} imports {name}"


@each_of(IN_GAMES)
def test_a_games_parts_rest_on_its_rules(path: Path) -> None:
    here = game_and_part(name_of(path))
    assert here is not None
    game, part = here
    for name in own_imports(path):
        if there := game_and_part(of_module(name)):
            assert there in (here, (game, "rules")), f"{name_of(path)} imports {name}"
        else:
            assert name.split(".")[0] in GAME_MAY_IMPORT[part], f"{name_of(path)} imports {name}"


@each_of(MODULES)
def test_libraries_with_one_user(path: Path) -> None:
    for name in imports(path):
        users = OUTSIDE.get(name.split(".")[0])
        assert users is None or name_of(path) in users, f"{name_of(path)} imports {name}"


@each_of(ELSEWHERE)
def test_no_concrete_game_where_games_are_played(path: Path) -> None:
    """A new game is a folder, and a line that declares it."""
    for name in own_imports(path):
        assert game_and_part(of_module(name)) is None, f"{name_of(path)} imports {name}"


@each_of([path for path in MODULES if name_of(path).startswith("fairplay")])
def test_fair_play_knows_no_game_and_no_catalogue(path: Path) -> None:
    for name in own_imports(path):
        module = of_module(name)
        assert not module.startswith("games") or module in ("games.api", "games.record"), (
            f"{name_of(path)} imports {name}"
        )


@each_of(MODULES)
def test_analysis_only_reads(path: Path) -> None:
    if name_of(path).startswith("analysis"):
        for name in own_imports(path):
            part, _, rest = name.partition(".")
            assert part != "fairplay" or rest.split(".")[0] in READING_SIDE, f"{name_of(path)} imports {name}"


@each_of([path for path in MODULES if name_of(path).startswith("ui")])
def test_the_screen_shows_values(path: Path) -> None:
    for name in own_imports(path):
        module = of_module(name)
        part, _, rest = module.partition(".")
        allowed = part not in SHOWN or (rest or part) in SHOWN[part] or module in ALSO_SHOWN.get(name_of(path), ())
        assert allowed, f"{name_of(path)} imports {name}"


@each_of(
    [
        path
        for path in MODULES
        if name_of(path).startswith("games") and (game_and_part(name_of(path)) or ("", "rules"))[1] == "rules"
    ]
)
def test_games_are_pure(path: Path) -> None:
    """No I/O, no clock, no randomness, no cryptography."""
    for name in imports(path):
        assert name.split(".")[0] not in IMPURE | {"hashlib", "hmac", "msgpack"}, f"{name_of(path)} imports {name}"


@each_of([path for path in MODULES if name_of(path).startswith("fairplay")])
def test_fair_play_has_no_hands_and_no_clock(path: Path) -> None:
    """Nonces and secrets are passed in, bytes and effects come out."""
    for name in imports(path):
        assert name.split(".")[0] not in IMPURE, f"{name_of(path)} imports {name}"


@each_of([path for path in MODULES if name_of(path).startswith("ui")])
def test_the_screen_touches_no_sockets_and_no_keys(path: Path) -> None:
    for name in imports(path):
        assert name.split(".")[0] not in {"socket", "ssl", "secrets", "websockets", "cryptography"}, name


@each_of([path for path in MODULES if name_of(path).startswith("app")])
def test_the_program_without_a_terminal_has_no_command_line(path: Path) -> None:
    for name in imports(path):
        assert name.split(".")[0] not in {"click", "rich", "textual", "prompt_toolkit"}, name


@each_of(MODULES)
def test_modules_say_what_they_are_for(path: Path) -> None:
    assert ast.get_docstring(tree(path)), f"{name_of(path)} has no docstring"


def yields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether `function` is a generator. A function within it may be one without that."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return False


def wrong_beginnings(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the words with which the docstring of `node` cannot begin."""
    gives = "None" if isinstance(node, ast.ClassDef) or node.returns is None else ast.unparse(node.returns).strip("'")
    if gives == "None":
        return {"Return", "Yield"}
    if not isinstance(node, ast.ClassDef) and yields(node):
        return set() if any("contextmanager" in ast.unparse(each) for each in node.decorator_list) else {"Return"}
    return set() if gives.startswith(("Iterator[", "AsyncIterator[", "Iterable[")) else {"Yield"}


@each_of(MODULES)
def test_docstrings_begin_with_what_is_done(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            begins = (ast.get_docstring(node) or "").partition(" ")[0]
            assert begins not in wrong_beginnings(node), f"line {node.lineno}: {node.name}: {begins}"


def test_the_modules_of_the_screen_form_no_circle() -> None:
    """Imports within functions and for types count as well."""
    graph = {
        name_of(path): {of_module(name) for name in own_imports(path)} - {name_of(path)}
        for path in MODULES
        if name_of(path).startswith("ui")
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' -> '.join(error.args[1])}")


def test_every_part_is_in_the_table() -> None:
    assert {name_of(path).split(".")[0] for path in MODULES} <= set(MAY_IMPORT)
    assert len(MODULES) > 40


def test_the_command_line_imports_lazily() -> None:
    """`--help` needs no screen, no network, no cryptography and no game."""
    program = (
        "import sys, p2p_shanghaien.cli.main\n"
        "heavy = ('rich', 'prompt_toolkit', 'websockets', 'cryptography', 'p2p_shanghaien.games.shanghaien')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


@each_of(MODULES)
def test_errors_are_told_apart_by_their_class(path: Path) -> None:
    """Nothing compares the code of an error with another."""
    codes = {code.value for enum in kinds.codes() for code in enum}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare):
            parts = list(ast.walk(node))
            of_error = any(isinstance(part, ast.Attribute) and part.attr == "code" for part in parts)
            named = {part.value for part in parts if isinstance(part, ast.Constant)} & codes
            members = [part for part in parts if isinstance(part, ast.Name) and part.id.endswith("Code")]
            assert not of_error or not (named or members), f"line {node.lineno}: {ast.unparse(node)}"


def test_verifying_loads_what_it_needs(tmp_path: Path) -> None:
    """`verify FILE` has no use for a session, a table, records, settings, other programs or an event loop."""
    program = (
        "import atexit, sys\n"
        "from p2p_shanghaien.cli.launcher import main\n"
        "sys.argv[1:] = ['verify', 'examples/sample.shlog']\n"
        "atexit.register(lambda: print(*sys.modules))\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PACKAGE.parent,
        env={**os.environ, VARIABLE: str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    verdict, modules = done.stdout.splitlines()
    assert "COMPLETE" in verdict
    loaded = set(modules.split())
    assert not {"asyncio", "subprocess", "multiprocessing", "websockets", "rich", "prompt_toolkit"} & loaded
    ours = sorted(name for name in loaded if name.split(".")[0] == "p2p_shanghaien")
    assert len(ours) <= 45, ours


def test_the_first_full_screen_needs_no_prompt_and_no_numbers() -> None:
    """Modules that only plain mode, an opened table or a computer player needs are imported when that comes."""
    program = (
        "import sys, p2p_shanghaien.cli.table, p2p_shanghaien.ui.full.picking, p2p_shanghaien.ui.full.table\n"
        "from p2p_shanghaien.players import computer_player\n"
        "computer_player('shanghaien', 'easy')\n"
        "assert 'textual.app' in sys.modules\n"
        "heavy = ('prompt_toolkit', 'numpy', 'zeroconf', 'babel',\n"
        "         'p2p_shanghaien.ui.picture', 'p2p_shanghaien.ui.page', 'textual.widgets._markdown')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
