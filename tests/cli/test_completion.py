"""Completion with the Tab key, in the shells themselves."""

import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.store.home import Home
from tests import needs
from tests.cli.program import environment
from tests.store.kept import begun, keep
from tests.sweeps import sweep

GAME = f"{'ab12' * 16}-host"
OTHER = f"{'cd34' * 16}-guest"

COMPLETE = {
    "bash": """
        source <(_SHANGHAIEN_COMPLETE=bash_source shanghaien)
        COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _shanghaien_completion shanghaien
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """,
    # zsh completes at a prompt only: what its function hands to the prompt is printed instead
    "zsh": """
        compdef() {{ :; }}
        _describe() {{ print -rl -- "${{(@P)3}}"; }}
        compadd() {{ print -rl -- "${{(@P)5}}"; }}
        eval "$(_SHANGHAIEN_COMPLETE=zsh_source shanghaien)"
        words=({words}); CURRENT=${{#words}}
        _shanghaien_completion
    """,
    "fish": """
        _SHANGHAIEN_COMPLETE=fish_source shanghaien | source
        complete -C '{line}'
    """,
}
"""The input of each shell, which makes it print its completions behind `line`, the words of which are `words`."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two games, the command `shanghaien` beside it."""
    games = tmp_path / "home" / "games"
    games.mkdir(parents=True)
    for name in (GAME, OTHER):
        (games / f"{name}.shlog").touch()
    command = tmp_path / "bin" / "shanghaien"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m p2p_shanghaien "$@"\n')
    command.chmod(0o755)
    return tmp_path / "home"


def offered(home: Path, shell: str, line: str) -> str:
    """Return what `shell` offers when Tab is pressed behind `line`."""
    words = " ".join(f"'{word}'" for word in line.split(" "))
    path = f"{home.parent / 'bin'}:{os.environ['PATH']}"
    result = subprocess.run(
        [needs.program(shell), "-c", COMPLETE[shell].format(line=line, words=words)],
        env=environment(home, PATH=path, HOME=str(home.parent), PYTHONPATH=str(Path.cwd()), TERM="xterm"),
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return result.stdout


@sweep("shell", COMPLETE, every=3)
def test_commands_options_and_kept_games_are_offered(home: Path, shell: str) -> None:
    commands = offered(home, shell, "shanghaien re")
    assert "resume" in commands
    assert "replay" in commands
    assert "host" not in commands
    assert "--no-announce" in offered(home, shell, "shanghaien host --")
    listed = offered(home, shell, "shanghaien resume ab")
    assert "ab12ab12" in listed
    assert GAME not in listed
    assert GAME in offered(home, shell, "shanghaien replay ab12ab12ab"), "for whoever has typed more than that"


@sweep("shell", COMPLETE, every=3)
def test_no_name_that_a_peer_has_chosen_is_offered(home: Path, shell: str) -> None:
    """A shell would run what stands in it."""
    key = bytes(range(32))
    Home(home).remember(key, "$(touch hacked)", date(2026, 1, 2))
    text = offered(home, shell, "shanghaien players forget ")
    assert fingerprint(key).hex() in text
    # fish shows it beside the fingerprint
    assert not any(line.startswith("$") for line in text.splitlines())
    assert not list(home.parent.rglob("hacked"))


@sweep("shell", COMPLETE, every=3)
def test_a_saved_game_is_completed_by_its_digits_and_described(home: Path, shell: str) -> None:
    """Its players, who may be called anything, are told beside it at most."""
    path = keep(home / "games", begun())
    hanna, guest = b"Hanna", b"`:>a`"
    assert len(hanna) == len(guest)
    path.write_bytes(path.read_bytes().replace(hanna, guest, 1))
    text = offered(home, shell, f"shanghaien replay {path.name[:2]}")
    assert path.name[:8] in text
    assert path.stem not in text
    assert not any(line.startswith(("`", "2026", "20")) for line in text.splitlines() if line != path.name[:8])
    if shell == "fish":
        assert "Gustav" in text
    assert not list(home.parent.rglob("a`"))
    assert not list(home.parent.rglob("a"))


@sweep("shell", COMPLETE, every=3)
def test_the_values_of_a_games_option_are_offered(home: Path, shell: str) -> None:
    text = offered(home, shell, "shanghaien play --variant e")
    assert "extra-wild" in text
    assert "standard" not in text.replace("play --variant", "")


def test_files_are_offered_beside_games(home: Path) -> None:
    (home.parent / "game.shrec").touch()
    assert "game.shrec" in offered(home, "fish", "shanghaien replay ga")


def test_a_home_that_cannot_be_read_offers_nothing(tmp_path: Path, home: Path) -> None:
    shutil.rmtree(home)
    home.touch()
    assert offered(home, "bash", "shanghaien resume ").strip() == ""
