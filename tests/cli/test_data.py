"""A game may be played by data from outside it, which its options name by digest: whoever has it, verifies by it."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.games.registry import Rules
from p2p_shanghaien.store.data import MAX_DATA, keep_data, kept_data
from tests.cli.program import RANDOM, shanghaien
from tests.decked import SPEC
from tests.toy import INSTALLED, install

ROOT = Path(__file__).parent.parent.parent
DECK = bytes([77, 1, 2, 3])
DIGEST = sha256(DECK).hexdigest()


@pytest.fixture(name="paths")
def fixture_paths(tmp_path: Path) -> dict[str, str]:
    """The environment in which the toy is installed, and a game beside it that is played by a deck."""
    folder = install(tmp_path / "installed", "decked", "tests.decked:SPEC")
    return {"PYTHONPATH": os.pathsep.join(map(str, (folder, INSTALLED, ROOT)))}


def test_data_is_kept_under_its_digest(tmp_path: Path) -> None:
    assert kept_data(tmp_path, DIGEST) is None
    assert keep_data(tmp_path, DECK) == keep_data(tmp_path, DECK) == DIGEST
    assert kept_data(tmp_path, DIGEST) == DECK
    assert [path.name for path in (tmp_path / "data").iterdir()] == [DIGEST]


@pytest.mark.parametrize("digest", ["", "../settings.json", DIGEST.upper(), f"{DIGEST}\n", "0" * 64])
def test_a_name_of_another_kind_is_no_path(tmp_path: Path, digest: str) -> None:
    keep_data(tmp_path, DECK)
    assert kept_data(tmp_path, digest) is None


@pytest.mark.parametrize("changed", [b"", DECK + b"!", bytes(MAX_DATA + 1)])
def test_data_that_was_changed_is_not_taken(tmp_path: Path, changed: bytes) -> None:
    keep_data(tmp_path, DECK)
    (tmp_path / "data" / DIGEST).write_bytes(changed)
    assert kept_data(tmp_path, DIGEST) is None


def test_games_by_the_same_data_are_equal() -> None:
    rules = Rules({"decked": SPEC})
    rules.data = {DIGEST: DECK}.get
    one, other = (rules["decked"].from_settings({"deck": DIGEST}) for _ in range(2))
    assert one == other
    assert one.start() == other.start() != rules["decked"].from_settings({}).start()
    rules.data = lambda _: None
    with pytest.raises(CannotConnect) as raised:
        rules["decked"].from_settings({"deck": DIGEST})
    assert (raised.value.code, raised.value.details["digest"]) == ("data_missing", DIGEST)


def test_a_log_is_verified_by_those_who_have_the_data(tmp_path: Path, paths: dict[str, str]) -> None:
    home = tmp_path / "home"
    command = ("play", "--game", "decked", "--deck", DIGEST, "--plain", *RANDOM)
    without = shanghaien(home, *command, **paths)
    assert without.returncode == 2
    assert DIGEST in without.stderr
    assert not list((home / "games").glob("*.shlog"))
    keep_data(home, DECK)
    played = shanghaien(home, *command, **paths)
    assert played.returncode == 0, played.stderr
    (log,) = (home / "games").glob("*-host.shlog")
    assert "COMPLETE" in shanghaien(home, "verify", log, **paths).stdout
    shown = shanghaien(home, "export", log, **paths)
    assert f'[Deck "{DIGEST}"]' in shown.stdout
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
