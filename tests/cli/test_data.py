"""A game may be played by data from outside it, which its options name by digest: whoever has it, verifies by it."""

import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from p2p_shanghaien.store.data import keep_data
from tests.cli.program import RANDOM, shanghaien
from tests.toy import INSTALLED, install

ROOT = Path(__file__).parent.parent.parent
DECK = bytes([77, 1, 2, 3])
DIGEST = sha256(DECK).hexdigest()


@pytest.fixture(name="paths")
def fixture_paths(tmp_path: Path) -> dict[str, str]:
    """Return the environment in which the toy is installed, and a game beside it that is played by a deck."""
    folder = install(tmp_path / "installed", "decked", "tests.decked:SPEC")
    return {"PYTHONPATH": os.pathsep.join(map(str, (folder, INSTALLED, ROOT)))}


def test_a_log_is_verified_by_those_who_have_the_data(tmp_path: Path, paths: dict[str, str]) -> None:
    home = tmp_path / "home"
    command = ("play", "--game", "decked", "--deck", DIGEST, "--plain", *RANDOM)
    without = shanghaien(home, *command, **paths)
    assert without.returncode == 2
    assert DIGEST in without.stderr
    assert not list((home / "games").glob("*.shlog"))
    keep_data(home / "games", DECK)
    played = shanghaien(home, *command, **paths)
    assert played.returncode == 0, played.stderr
    assert f"(deck {DIGEST[:8]}…)" in played.stdout
    assert DIGEST not in played.stdout
    (log,) = (home / "games").glob("*-host.shlog")
    verified = shanghaien(home, "verify", "--details", log, **paths).stdout
    assert "COMPLETE" in verified
    assert f"; deck {DIGEST}" in verified
    shown = shanghaien(home, "export", log, **paths)
    assert f'[Deck "{DIGEST}"]' in shown.stdout
    assert "COMPLETE" in shanghaien(tmp_path / "elsewhere", "verify", log, **paths).stdout, "they are beside it"
    log = Path(shutil.copy(log, tmp_path))
    elsewhere = shanghaien(tmp_path / "elsewhere", "verify", log, **paths)
    assert elsewhere.returncode == 1
    assert "UNSUPPORTED" in elsewhere.stdout
    assert DIGEST in elsewhere.stdout
    record = tmp_path / "game.shrec"
    record.write_text(shown.stdout, encoding="utf-8")
    for looked_at in (("replay", "--plain", record), ("replay", "--json", log), ("analyse", log), ("dice", log)):
        refused = shanghaien(tmp_path / "elsewhere", *looked_at, **paths)
        assert refused.returncode, looked_at
        assert DIGEST in " ".join((refused.stdout + refused.stderr).split()), looked_at
