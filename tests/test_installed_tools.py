"""The built wheel, installed as people install programs: with pipx, with uv, and with uvx for once."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs

ROOT = Path(__file__).parent.parent
PACKAGE = "p2p-shanghaien"
BUILT_FROM = ("p2p_shanghaien", "tools", "man", "pyproject.toml", "setup.py", "README.md", "LICENSE")
PATIENCE = 300

pytestmark = pytest.mark.thorough


def ran(*command: object, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Return the output of a command that has to work."""
    words = [*map(str, command)]
    done = subprocess.run(words, env=env, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of wheels: ours and Pig, built from the sources, and whatever they need."""
    folder = tmp_path_factory.mktemp("index")
    ignored = shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.mo", "*.pot")
    sources = tmp_path_factory.mktemp("sources")
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, sources)
    pig = shutil.copytree(ROOT / "examples" / "pig", sources / "pig", ignore=ignored)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    for source in (sources, pig):
        ran(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source, cwd=source)
    fetched = subprocess.run(
        # pipx installs pip, too
        [*pip, "download", "--dest", folder, "-c", ROOT / "constraints.txt", *folder.glob("*.whl"), "pip"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if fetched.returncode:
        needs.missing(f"what the program needs cannot be fetched: {fetched.stderr[-500:]}")
    (folder / "uv.toml").write_text(f"no-index = true\nfind-links = [{json.dumps(str(folder))}]\n")
    return folder


@pytest.fixture
def machine(tmp_path: Path, index: Path) -> dict[str, str]:
    """Return the environment of somebody who has none of our files, and no other index than the folder."""
    beside = os.pathsep.join((str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]))
    foreign = ("PIP", "PYTHON", "UV", "VIRTUAL_ENV", "XDG_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(foreign)},
        "HOME": str(tmp_path),
        "PATH": beside,
        "PIP_FIND_LINKS": str(index),
        "PIP_NO_INDEX": "1",
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "PIPX_DEFAULT_PYTHON": os.path.realpath(sys.executable),
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_MAN_DIR": str(tmp_path / "man"),
        "SHANGHAIEN_HOME": str(tmp_path / "home"),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_CONFIG_FILE": str(index / "uv.toml"),
        "UV_PYTHON": os.path.realpath(sys.executable),
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
        "UV_TOOL_DIR": str(tmp_path / "uv"),
    }


def check(machine: dict[str, str], *program: object) -> None:
    """Fail unless `program` plays, verifies and shows a game, in every language, far from the sources."""
    home = Path(machine["HOME"])

    def said(*arguments: str) -> str:
        return ran(*program, *arguments, env=machine, cwd=home)

    rules = {said("--lang", language, "rules") for language in ("en", "fr", "it", "de")}
    assert len(rules) == 4, "the catalogues are there"
    said("play", "--plain", "--player", "random", "--against", "random")
    assert "COMPLETE" in said("verify")
    said("analyse")
    said("replay", "--html", "game.html")
    said("verify", "--page", "verify.html")
    for page in ("game.html", "verify.html"):
        text = (home / page).read_text(encoding="utf-8")
        assert "<style>" in text
        assert "Copyright (c) 2022 Paul Miller" in text, "the licence of what the verifier is built with"


@pytest.mark.parametrize("backend", ["pip", "uv"])
def test_pipx_installs_the_wheel(machine: dict[str, str], backend: str) -> None:
    pipx, home = needs.program("pipx"), Path(machine["HOME"])
    if backend == "uv":
        needs.program("uv")
    machine = {**machine, "PIPX_DEFAULT_BACKEND": backend}
    ran(pipx, "install", PACKAGE, env=machine)
    program = home / "bin" / "shanghaien"
    check(machine, program)
    if os.name == "posix":
        assert (home / "man" / "man1" / "shanghaien.1").exists(), "man shanghaien"
    assert "pig" not in ran(program, "play", "--help", env=machine)
    ran(pipx, "inject", PACKAGE, "shanghaien-pig", env=machine)
    assert "pig" in ran(program, "play", "--help", env=machine)
    ran(pipx, "uninstall", PACKAGE, env=machine)
    assert not program.exists()
    assert list((home / "home" / "games").glob("*.shlog")), "the games stay"


def test_uv_installs_the_wheel(machine: dict[str, str]) -> None:
    uv, home = needs.program("uv"), Path(machine["HOME"])
    ran(uv, "tool", "install", PACKAGE, env=machine)
    program = home / "bin" / "shanghaien"
    check(machine, program)
    ran(uv, "tool", "install", PACKAGE, "--with", "shanghaien-pig", env=machine)
    assert "pig" in ran(program, "play", "--help", env=machine)
    ran(uv, "tool", "uninstall", PACKAGE, env=machine)
    assert not program.exists()


def test_uvx_runs_the_wheel_without_installing_it(machine: dict[str, str], index: Path) -> None:
    uvx = needs.program("uvx")
    check(machine, uvx, "--from", PACKAGE, "shanghaien")
    (wheel,) = index.glob("p2p_shanghaien-*.whl")
    assert ran(uvx, "--from", wheel, "shanghaien", "--version", env=machine).startswith("shanghaien, version ")
    assert not (Path(machine["HOME"]) / "bin").exists()
