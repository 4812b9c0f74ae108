"""Words that are mistyped on the command line: the one that was probably meant is asked for, in every language."""

from pathlib import Path

import pytest

from p2p_shanghaien.text import nearest
from tests.cli.program import RANDOM, logs, shanghaien
from tests.sweeps import sweep

ASKED = {"en": "Did you mean", "fr": "Vouliez-vous dire", "it": "Intendevi", "de": "Meintest du"}
MISTYPED = (
    (("jion",), "'join'"),
    (("identity", "nmae"), "'name'"),
    (("play", "--agianst", "easy"), "'--against'"),
    (("play", "--against", "gredy"), "greedy"),
    (("host", "--player", "Master"), "master"),
    (("tournament", "easy", "randon"), "random"),
    (("engine", "--level", "mastr"), "master"),
    (("play", "--variant", "extra_wild"), "extra-wild"),
    (("rules", "shanghai"), "shanghaien"),
)


@sweep("lang, arguments, meant", [(lang, *words) for lang in ASKED for words in MISTYPED], every=4)
def test_the_word_that_was_meant_is_asked_for(
    tmp_path: Path, lang: str, arguments: tuple[str, ...], meant: str
) -> None:
    done = shanghaien(tmp_path, "--lang", lang, *arguments)
    assert done.returncode == 2
    last = " ".join(done.stderr.split()[-14:])
    assert ASKED[lang].casefold() in last.casefold()
    assert meant in last
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("frobnicate",), ("play", "--against", "foo"), ("play", "--variant", "x")])
def test_nothing_is_asked_for_where_nothing_is_like_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = shanghaien(tmp_path, *arguments)
    assert done.returncode == 2
    assert "Did you mean" not in done.stderr


def test_another_program_is_named_among_the_players(tmp_path: Path) -> None:
    for arguments in (("play", "--against", "foo"), ("host", "--player", "foo"), ("tournament", "easy", "foo")):
        assert "'engine:COMMAND'" in shanghaien(tmp_path, *arguments).stderr
    assert "'engine:BEFEHL'" in shanghaien(tmp_path, "--lang", "de", "play", "--against", "foo").stderr


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_kept_game_and_a_known_player_are_asked_for(tmp_path: Path) -> None:
    assert shanghaien(tmp_path, "play", "--against", "random", *RANDOM).returncode == 0
    (kept,) = [path for path in logs(tmp_path) if path.stem.endswith("host")]
    name = kept.name[:8]
    mistyped = name[:3] + name[4] + name[3] + name[5:] if name[3] != name[4] else name[:4] + "-" + name[5:]
    for command in ("verify", "replay", "resume", "export"):
        done = shanghaien(tmp_path, command, mistyped)
        assert f"Did you mean {name}?" in " ".join((done.stdout + done.stderr).split())


def test_of_what_is_like_it_the_nearest_is_meant() -> None:
    assert nearest("GREEDY", ["random", "greedy"]) == "greedy"
    assert nearest("paly", ["play", "replay"]) == "play"
    assert nearest("", ["play"]) is None
    assert nearest("x", []) is None
