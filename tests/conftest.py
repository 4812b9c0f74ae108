"""Every test sees this program in English, whatever the machine's language, its other catalogues as they are, our own
games, whatever others are installed, and programs that can be interrupted."""

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import hypothesis
import pytest

from p2p_shanghaien.games.registry import GAMES, OURS
from p2p_shanghaien.ui.language import begin, chosen
from tests import leftovers, preloaded, shortcuts
from tests.toy import INSTALLED, install
from tools.compiling import compile_in_place

os.environ["SHANGHAIEN_LANG"] = "en"

if sys.dont_write_bytecode:  # each of hundreds of programs would compile whatever it imports
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    sys.pycache_prefix, sys.dont_write_bytecode = os.environ["PYTHONPYCACHEPREFIX"], False

# what a shell starts in the background, or with nohup, ignores such signals, and so would all that a test starts
signal.signal(signal.SIGINT, signal.default_int_handler)
for ignored in ("SIGHUP", "SIGQUIT"):
    if (number := getattr(signal, ignored, None)) and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)  # still ignored here, but not by what is started


POSIX: Final = re.compile(
    r"^(?:import|from) (?:pexpect|resource|tests\.(?:cli\.(?:test_person|tmux)|faults\.program|spawned"
    r"|store\.test_bad_files|ui\.terminal))\b|\bos\.(?:geteuid|mkfifo)\b|\bsignal\.SIG(?:HUP|KILL)\b",
    re.MULTILINE,
)
"""Code that needs the terminals, signals, limits or pipes that Windows lacks."""


hypothesis.settings.register_profile("plain", deadline=None, max_examples=15)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=300)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the long tests and whole sweeps too, in CI")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out, on Windows, the tests that could not even be imported."""
    if os.name == "nt" and collection_path.suffix == ".py" and POSIX.search(collection_path.read_text("utf-8")):
        return True
    return None


def pytest_configure(config: pytest.Config) -> None:
    # before tests are collected: many are made for each game that there is
    run = ExitStack()
    run.enter_context(GAMES.only(OURS, "toy"))
    config.add_cleanup(run.close)
    config.pluginmanager.register(leftovers)
    if not hasattr(config, "workerinput"):  # once, before the tests are handed out
        compile_in_place()
    preloaded.always_new = config.getoption("--thorough")
    hypothesis.settings.load_profile("thorough" if preloaded.always_new else "plain")
    if not preloaded.always_new:
        if not hasattr(config, "workerinput"):
            run.enter_context(shortcuts.shared())
        shortcuts.begin(run.enter_context(pytest.MonkeyPatch.context()))


def pytest_collection() -> None:
    gc.disable()  # all that is made now stays


def pytest_collection_finish() -> None:
    gc.freeze()  # and need not be looked through each time
    gc.enable()


def pytest_sessionfinish() -> None:
    preloaded.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--thorough"):
        # first those that take minutes, mostly waiting: in the end there would be nothing else to do beside them
        items.sort(key=lambda item: item.get_closest_marker("timeout") is None)
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Whatever language a test has chosen, and however it ended, the next one begins in English."""
    if chosen() != "en":
        begin(("en",), None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and (spawned := sys.modules.get("tests.spawned")):
        spawned.end_all()
    return report


def pytest_xdist_auto_num_workers() -> int:
    """Return more than there are cores: many a test waits for programs, browsers and clocks.

    Each collects all tests, and imports what programs use: 5 seconds on a core.
    """
    return (os.cpu_count() or 1) + 2


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Say whether the run is to take every step of a sweep, and as many games as it likes."""
    return bool(pytestconfig.getoption("--thorough"))


@pytest.fixture
def _toy_is_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the toy game, as any game from elsewhere is installed: by metadata on the path."""
    yield from _installed(INSTALLED, monkeypatch)


@pytest.fixture(name="toy_as")
def fixture_toy_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Install the toy game by the declaration at a place, in the form `module:attribute`."""

    def declare(place: str) -> None:
        install(tmp_path / "installed", "toy", place)
        GAMES.refresh()

    for _ in _installed(tmp_path / "installed", monkeypatch):
        yield declare


def _installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(folder)
    GAMES.refresh()
    yield
    monkeypatch.undo()
    GAMES.refresh()
