"""`shanghaien identity`: the key and the name, shown, kept, carried to another machine and replaced."""

import os
import re
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.home import Home
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien, take_guest
from tests.sweeps import sweep


def public_key(home: Path) -> str:
    found = re.search(r"public key: ([0-9a-f]{64})$", shanghaien(home, "identity").stdout, re.MULTILINE)
    assert found
    return found[1]


def test_the_key_is_made_once_and_shown_with_its_fingerprint(tmp_path: Path) -> None:
    shown = shanghaien(tmp_path, "identity")
    assert shown.returncode == 0
    assert re.search(r"(\b[0-9a-f]{4} ){7}[0-9a-f]{4}\b", shown.stdout)
    assert public_key(tmp_path) in shown.stdout
    assert Home(tmp_path).identity().public.hex() == public_key(tmp_path)
    assert Home(tmp_path).identity().private_bytes().hex() not in shown.stdout
    assert stat.S_IMODE((tmp_path / "identity.key").stat().st_mode) == 0o600


@pytest.mark.thorough
def test_a_kept_name_is_used_unless_another_is_given(tmp_path: Path) -> None:
    named = shanghaien(tmp_path, "identity", "name", "Ada Lovelace")
    assert named.returncode == 0
    assert "You play as Ada Lovelace" in shanghaien(tmp_path, "identity").stdout
    assert shanghaien(tmp_path, "play", *RANDOM).returncode == 0
    assert "Ada Lovelace–Computer (easy)" in shanghaien(tmp_path, "games").stdout
    assert shanghaien(tmp_path, "play", *RANDOM, "--name", "Augusta").returncode == 0
    assert "Augusta–Computer (easy)" in shanghaien(tmp_path, "games").stdout
    assert "You play as Ada Lovelace" in shanghaien(tmp_path, "identity").stdout


@pytest.mark.parametrize("name", ["", " ", "a\x1b]52;c;x\x07b", "x" * 33, "a\u202eb"])
def test_a_name_that_cannot_be_shown_is_not_kept(tmp_path: Path, name: str) -> None:
    refused = shanghaien(tmp_path, "identity", "name", name)
    assert refused.returncode == 2
    assert "cannot be shown" in refused.stderr
    assert refused.stderr.isascii()
    assert not (tmp_path / "settings.json").exists()


@sweep("content", ["", "[]", '{"name": 3}', '{"name": "a\\u001bb"}', "\udcff"], every=3)
def test_settings_that_cannot_be_read_are_said_so_and_written_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "settings.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    refused = shanghaien(tmp_path, "identity")
    assert refused.returncode == 1
    assert "identity name NAME" in refused.stderr.replace("\n", " ")
    assert shanghaien(tmp_path, "identity", "name", "Ada").returncode == 0
    assert "You play as Ada" in shanghaien(tmp_path, "identity").stdout


def test_an_exported_key_is_the_same_player_on_another_machine(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "ada.key"
    before = os.umask(0)
    try:
        exported = shanghaien(here, "identity", "export", file)
    finally:
        os.umask(before)
    assert exported.returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "can play as you" in exported.stdout.replace("\n", " ")
    assert "one machine at a time" in exported.stdout.replace("\n", " ")
    imported = shanghaien(there, "identity", "import", file)
    assert imported.returncode == 0, imported.stderr
    assert public_key(there) == public_key(here)
    assert shanghaien(there, "identity", "import", file).returncode == 0, "the same key again is no other key"
    assert not list(there.glob("*.old-*"))


def test_an_export_never_replaces_a_file(tmp_path: Path) -> None:
    file = tmp_path / "letters.txt"
    file.write_text("dear")
    refused = shanghaien(tmp_path, "identity", "export", file)
    assert refused.returncode == 1
    assert "exists already" in refused.stderr
    assert file.read_text() == "dear"
    nowhere = shanghaien(tmp_path, "identity", "export", tmp_path / "absent" / "key")
    assert nowhere.returncode == 1
    assert "Traceback" not in nowhere.stderr


def test_another_key_is_replaced_on_request_only_and_never_lost(tmp_path: Path) -> None:
    home, keys = tmp_path / "home", []
    for number in range(3):
        shanghaien(tmp_path / str(number), "identity", "export", tmp_path / f"{number}.key")
        keys.append((tmp_path / f"{number}.key").read_bytes())
    assert shanghaien(home, "identity", "import", tmp_path / "0.key").returncode == 0
    refused = shanghaien(home, "identity", "import", tmp_path / "1.key")
    assert refused.returncode == 1
    assert "--replace" in refused.stderr
    assert public_key(home) == public_key(tmp_path / "0")
    for number in (1, 2):
        replaced = shanghaien(home, "identity", "import", "--replace", tmp_path / f"{number}.key")
        assert replaced.returncode == 0
        assert f"identity.key.old-{number}" in replaced.stdout
        assert public_key(home) == public_key(tmp_path / str(number))
    kept = [(home / name).read_bytes() for name in ("identity.key.old-1", "identity.key.old-2", "identity.key")]
    assert kept == keys
    assert {stat.S_IMODE(path.stat().st_mode) for path in home.glob("identity.key*")} == {0o600}


@pytest.mark.parametrize("content", [b"", b"\xff", b"12" * 31, b"hello"])
def test_a_file_without_a_key_is_not_imported(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    refused = shanghaien(tmp_path, "identity", "import", "--replace", file)
    assert refused.returncode == 1
    assert "is not a key file" in refused.stderr
    assert not (tmp_path / "identity.key").exists()


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_game_goes_on_with_the_key_it_was_begun_with(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "other.key"
    shanghaien(tmp_path / "third", "identity", "export", file)
    with ExitStack() as stack:
        host = stack.enter_context(Host(here, "--name", "Hanna"))
        guest = stack.enter_context(Running(there, "join", host.address, *RANDOM))
        take_guest(host)
        host.stop()
        assert shanghaien(here, "identity", "import", "--replace", file).returncode == 0
        resumed = shanghaien(here, "resume", *RANDOM)
        assert resumed.returncode == guest.exit_code() == 0, resumed.stdout + resumed.stderr
    (log,) = logs(here)
    assert verify(log.read_bytes(), RULES).verdict == Verdict.COMPLETE
