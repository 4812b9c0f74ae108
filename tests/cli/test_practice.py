"""`shanghaien play --practice` and `--tutor` as a person uses them, and what becomes of the records."""

import json
import re
from pathlib import Path

import pytest

from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.language import LANGUAGES
from tests.cli.program import logs, shanghaien
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

PLAIN = ("play", "--practice", "--plain", "--name", "Ada")
SOME = ("1",) * 12
"""First choices, among which are decisions, whoever starts and whatever is rolled."""


def records(home: Path) -> list[Path]:
    """Return the records of practice kept under `home`."""
    return sorted((home / "practice").glob("*.shrec"))


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def practised(home: Path, *typed: str, game: str = "shanghaien") -> Path:
    """Play a little, and return the record."""
    done = shanghaien(home, *PLAIN, "--game", game, stdin=lines(*typed))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (path,) = records(home)
    assert f"shanghaien replay {path.stem}\n" in done.stdout
    return path


def test_nothing_is_signed_and_the_record_says_so(tmp_path: Path) -> None:
    path = practised(tmp_path, *SOME)
    assert logs(tmp_path) == []
    assert not (tmp_path / "identity.key").exists()
    text = path.read_text()
    assert '[Practice "yes"]' in text
    assert '"Ada"' in text
    assert path.stat().st_mode & 0o077 == 0
    assert read(path.read_bytes(), RULES).is_practice


def news(output: str) -> list[str]:
    """Return the sentences on what was rolled and placed, in order."""
    return re.findall(r"^(?:You|Computer \(easy\)) (?:rolled|placed) [^.]*", output, re.MULTILINE)


def test_undo_and_the_same_again(tmp_path: Path) -> None:
    """A decision that was taken back and is made again has the same consequences, dice and all."""
    done = shanghaien(tmp_path, *PLAIN, stdin=lines(*SOME, "undo", "undo", *SOME))
    assert done.stdout.count("Your last decision is taken back.") == 2
    first, _, again = map(news, done.stdout.split("Your last decision is taken back."))
    assert again
    assert any(first[at:] == again[: len(first) - at] for at in range(len(first)))


def test_undo_at_the_beginning_is_refused(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, *PLAIN, stdin=lines("undo", "UNDO", "leave"))
    assert done.returncode == 0
    assert done.stdout.count("there is nothing to take back") == 2
    assert "Round 1 of 8" not in done.stdout.split("nothing to take back")[1], "the table need not be drawn again"
    assert records(tmp_path) == []


def test_nobody_is_there_to_talk_to(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, *PLAIN, stdin=lines("say hello", "offer", "resign", "accept", "leave"))
    assert done.stdout.count("Nobody is there to talk to") == 4
    assert "You have left the table." in done.stdout


def test_help_explains_undo(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, *PLAIN, stdin=lines("?"))
    assert "undo" in done.stdout.split("Your choice", 2)[1]


@sweep("code", LANGUAGES, every=2)
def test_the_word_is_that_of_the_language(tmp_path: Path, code: str) -> None:
    word = {"en": "undo", "de": "zurück", "fr": "revenir", "it": "annulla"}[code]
    done = shanghaien(tmp_path, "--lang", code, *PLAIN, stdin=lines(*SOME, word, "undo"), PYTHONUTF8="1")
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.count({"en": "taken back.", "de": "zurückgenommen.", "fr": "annulée.", "it": "annullata."}[code])
        == 2
    )


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
def test_a_record_can_be_looked_at_analysed_and_exported(tmp_path: Path, game: str) -> None:
    typed = SOME if game == "shanghaien" else ("9", "5", *["1", "pass"] * 6)
    path = practised(tmp_path, *typed, game=game)
    for command in (["replay", path, "--json"], ["replay", path, "--plain", "--at", "end"], ["analyse", path]):
        done = shanghaien(tmp_path, *command)
        assert done.returncode == 0, done.stderr
        if "--json" not in command:
            assert "practice" in done.stdout
    done = shanghaien(tmp_path, "export", path)
    assert done.stdout == path.read_text()


def test_pages_and_verdicts_call_it_practice(tmp_path: Path) -> None:
    path = practised(tmp_path, *SOME)
    page, picture = tmp_path / "page.html", tmp_path / "picture.svg"
    done = shanghaien(tmp_path, "replay", path, "--html", page, "--svg", picture)
    assert done.stdout.count("practice (not signed") == 2
    assert "from the record of a practice game." in page.read_text()
    for shown in (page, picture):
        assert "practice (not signed" in shown.read_text()
        assert "text record" not in shown.read_text()
    done = shanghaien(tmp_path, "verify", path)
    assert (done.returncode, done.stderr) == (3, "")
    verdict, about = done.stdout.splitlines()
    assert verdict.endswith("INVALID FILE (it is not a game log)")
    assert about == "  This is the record of a practice game, which nobody signed. To look at it: shanghaien replay"
    (verdict,) = shanghaien(tmp_path, "verify", path, "--json").stdout.splitlines()
    assert json.loads(verdict)["reason"] == "not_a_log"


def test_other_records_are_called_text_records(tmp_path: Path) -> None:
    record, page = Path("examples/sample.shrec").resolve(), tmp_path / "page.html"
    shanghaien(tmp_path, "replay", record, "--html", page)
    assert "from a text record." in page.read_text()
    assert "practice" not in page.read_text()
    assert "This is a text record, which nobody signed." in shanghaien(tmp_path, "verify", record).stdout
    nothing = tmp_path / "nothing.shrec"
    nothing.write_text("nothing of ours")
    assert len(shanghaien(tmp_path, "verify", nothing).stdout.splitlines()) == 1


def test_practice_counts_nowhere(tmp_path: Path) -> None:
    path = practised(tmp_path, *SOME)
    assert json.loads(shanghaien(tmp_path, "games", "--json").stdout)["games"] == []
    assert "no saved games" in shanghaien(tmp_path, "stats").stdout
    for options in ([], ["--unsigned"]):
        done = shanghaien(tmp_path, "dice", tmp_path / "practice", *options)
        assert "it is practice" in " ".join(done.stdout.split())
        assert "No game counts" in done.stdout
        found = json.loads(shanghaien(tmp_path, "dice", path, *options, "--json").stdout)
        assert [(each["counted"], each["reason"]) for each in found["files"]] == [(False, "practice")]
        assert found["games"] == []
    assert shanghaien(tmp_path, "verify", path).returncode != 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--practice", "--player", "easy"], ["--practice", "easy"]),
        (["--tutor", "--player", "engine:cat"], ["--tutor", "engine:cat"]),
        (["--tutor-from", "3", "--player", "random"], ["--tutor", "random"]),
        (["--practice", "--patience", "5"], ["--practice", "--patience"]),
        (["--practice", "--port", "48126"], ["--port"]),
        (["--practice", "--private"], ["--private"]),
        (["--tutor-from", "much"], ["much"]),
        (["--tutor-from", "-1"], ["-1"]),
        (["--tutor-from", "100.1%"], ["100.1%"]),
        (["--tutor-from", "nan"], ["nan"]),
        (["--practice", "--against", "nobody"], ["nobody"]),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, options: list[str], named: list[str]) -> None:
    done = shanghaien(tmp_path, "play", *options)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert all(word in done.stderr for word in named), done.stderr
    assert done.stdout == ""


def test_hosts_and_guests_have_no_practice(tmp_path: Path) -> None:
    for command in ("host", "join", "resume"):
        assert shanghaien(tmp_path, command, "--practice").returncode == 2


def test_a_signed_game_is_never_taken_back(tmp_path: Path) -> None:
    """The tutor speaks, at a threshold of nothing; taking back is refused, and the decision stands."""
    typed = [word for _ in SOME for word in ("1", "undo")]
    done = shanghaien(
        tmp_path, "play", "--plain", "--tutor", "--tutor-from", "0%", "--against", "random", stdin=lines(*typed)
    )
    output = " ".join(done.stdout.split())
    assert "A signed game is never taken back." in output
    assert "Your decision stands: a signed game is never taken back." in output
    assert "Take the decision back?" not in output
    assert len(logs(tmp_path)) == 2
    assert records(tmp_path) == []


@pytest.mark.thorough
def test_the_tutor_speaks_in_a_resumed_game(tmp_path: Path) -> None:
    """A signed game, as in `play`, is never taken back; without the option there is no tutor."""
    tutored = ("--plain", "--tutor-from", "0")
    done = shanghaien(tmp_path, "play", *tutored, "--against", "random", stdin=lines(*["1"] * 3))
    assert done.returncode == 5
    again = shanghaien(tmp_path, "resume", *tutored, stdin=lines(*[word for _ in SOME for word in ("1", "undo")]))
    output = " ".join(again.stdout.split())
    assert "percentage points of win probability" in output
    assert "Your decision stands: a signed game is never taken back." in output
    assert "A signed game is never taken back." in output
    assert "Take the decision back?" not in output
    assert "percentage points" not in shanghaien(tmp_path, "resume", "--plain", stdin=lines(*["1"] * 9)).stdout
    assert len(logs(tmp_path)) == 2


def test_the_tutor_of_a_resumed_game_is_for_a_person(tmp_path: Path) -> None:
    assert shanghaien(tmp_path, "play", "--plain", "--against", "random", stdin=lines("1")).returncode == 5
    done = shanghaien(tmp_path, "resume", "--tutor", "--player", "easy")
    assert done.returncode == 2
    assert all(word in done.stderr for word in ("--tutor", "easy"))


def test_the_tutor_does_not_keep_a_damaged_game_from_being_repaired(tmp_path: Path) -> None:
    """The person is asked, as without it."""
    assert shanghaien(tmp_path, "play", "--plain", "--against", "random", stdin=lines(*["1"] * 9)).returncode == 5
    (log,) = tmp_path.glob("games/*-host.shlog")
    whole = log.read_bytes()
    log.write_bytes(whole[:-9] + bytes(9))
    done = shanghaien(tmp_path, "resume", "--plain", "--tutor", stdin="no\n")
    assert "Set the rest aside?" in " ".join(done.stdout.split())
    assert log.read_bytes() == whole[:-9] + bytes(9)
    done = shanghaien(tmp_path, "resume", "--plain", "--tutor", stdin="yes\n1\n")
    assert done.returncode == 5
    assert log.read_bytes()[: len(whole)] == whole


def test_the_tutor_offers_to_take_back(tmp_path: Path) -> None:
    """Whoever agrees decides anew; whoever declines goes on."""
    typed = ["", "1", "y", "2", "y", "3", "y", "4", "n"] + ["1", "n"] * 12
    done = shanghaien(tmp_path, *PLAIN, "--tutor-from", "0", stdin=lines(*typed))
    output = " ".join(done.stdout.split())
    assert done.stderr == ""
    assert "Take the decision back?" in output
    assert re.search(r"Better: .* \[\S+\]\. Win probability: [\d.]+% instead of [\d.]+%", output)
    assert re.search(r"costs [\d.]+ percentage points of win probability", output)
    assert "How the round would probably end" in output
    (path,) = records(tmp_path)
    assert read(path.read_bytes(), RULES).is_practice


def test_a_tutor_that_minds_nothing_is_silent(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, *PLAIN, "--tutor-from", "100", stdin=lines(*["1"] * 20))
    assert "costs" not in done.stdout
    assert "back?" not in done.stdout


@pytest.mark.thorough
def test_the_threshold_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"tutor_loss": 100}')
    silent = shanghaien(tmp_path, *PLAIN, "--tutor", stdin=lines(*["1"] * 20))
    assert "costs" not in silent.stdout
    (tmp_path / "settings.json").write_text('{"tutor_loss": 0}')
    typed = ["", "1", "n"] * 12
    assert "costs" in shanghaien(tmp_path, *PLAIN, "--tutor", stdin=lines(*typed)).stdout
