"""Saved games by their short names, as a person types and reads them."""

import json
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from click import Command, Context, Option

from p2p_shanghaien.app.contacts import recognise
from p2p_shanghaien.cli import output
from p2p_shanghaien.cli.files import files_and_kept_games
from p2p_shanghaien.cli.main import run
from p2p_shanghaien.fairplay.keys import Identity, shown_key
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.session.ports import Opponent
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.store.archives import export_archive
from p2p_shanghaien.store.home import COMPUTER, Home
from p2p_shanghaien.store.paths import VARIABLE, watched_path
from p2p_shanghaien.ui.language import LANGUAGES
from p2p_shanghaien.ui.words import say, shown
from tests.pair import GAMES, Pair, make_pair
from tests.protocol.files import load
from tests.store.kept import OTHER, OWN, keep
from tests.sweeps import sweep

RECORD = Path("examples/sample.shrec").resolve()
DAY = datetime(2026, 11, 28, 20, 15).astimezone()
HOUR = 3600

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    home = Home(tmp_path / "home")
    home.adopt(OWN, in_place=False)
    monkeypatch.setenv(VARIABLE, str(home.root))
    return home


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a command: its exit code, and what it prints."""

    def running(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(output, "_warned", set())
        code = run([*map(str, words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return running


def saved(home: Home, pair: Pair, seat: int = 1, age: int = 0) -> Path:
    """Return the log of a game that began on DAY, and was last written so many hours before its evening."""
    path = keep(home.games, pair, seat)
    private = path.with_suffix(".private")
    facts = json.loads(private.read_text())
    private.write_text(json.dumps({**facts, "begun": DAY.isoformat()}) + "\n")
    os.utime(path, (DAY.timestamp() - age * HOUR,) * 2)
    return path


@cache
def played(seed: int, entries: int = 10_000, game: object = None, key: Identity = OTHER) -> Pair:
    """Return a game between Hanna, who has the key `key`, and Gustav, who has OWN, up to so many entries."""
    rng = random.Random(seed)
    pair = make_pair(rng, *([game] if game else []), identities=(key, OWN))  # type: ignore[arg-type]
    pair.play(rng, until=lambda pair: pair.sides[1].endpoint.match.number >= entries)
    return pair


def against_computer(home: Home, entries: int = 10_000) -> Pair:
    rng = random.Random(9)
    pair = make_pair(rng, identities=(OWN, home.identity(COMPUTER)))
    pair.play(rng, until=lambda pair: pair.sides[1].endpoint.match.number >= entries)
    return pair


@pytest.fixture
def ten(home: Home) -> dict[str, Path]:
    """Return ten saved games of every kind, the latest first, by what they are."""
    found = {
        "ours": saved(home, played(1, 20)),
        "theirs": saved(home, played(2, 21)),
        "finished": saved(home, played(3)),
        "halunken": saved(home, played(4, game=Halunken())),
        "computer": saved(home, against_computer(home), seat=0),
        "no sidecar": saved(home, played(5, 20)),
        "moved": saved(home, played(6, 20)),
        "broken": saved(home, played(7, 20)),
        "nothing": saved(home, played(8, 20)),
    }
    keep(home.games, against_computer(home), seat=1)
    found["no sidecar"].with_suffix(".private").unlink()
    export_archive(found["moved"], home.root / "moved", GAMES)
    found["broken"].write_bytes(found["broken"].read_bytes()[:-50] + bytes(50))
    found["nothing"].write_bytes(b"nothing of ours")
    violation = next(test for test in load("logs") if test["id"] == "reveal-other")
    found["violation"] = home.games / f"{'ee' * 32}-guest.shlog"
    found["violation"].write_bytes(bytes.fromhex(violation["log"]))
    for age, path in enumerate(found.values()):
        os.utime(path, (DAY.timestamp() - age * HOUR,) * 2)
    return found


def test_each_game_is_listed_once_and_says_things_once(home: Home, said: Run, ten: dict[str, Path]) -> None:
    code, out, err = said("games")
    assert (code, err) == (0, "")
    head, _, listing = out.partition("\n\n")
    assert head.splitlines() == [
        "Saved games, the latest first. To look at one, type the first of its digits:",
        f"    shanghaien replay {ten['ours'].name[:4]}",
        "To continue an unfinished one:",
        head.splitlines()[3],
    ]
    assert head.splitlines()[3].startswith("    shanghaien resume ")
    lines = listing.splitlines()
    names, states = lines[::2], lines[1::2]
    assert len(names) == len(ten)
    assert all(line.startswith("    ") for line in states)
    assert all(len(line) <= 80 for line in (*head.splitlines(), *names))
    for path, name in zip(ten.values(), names, strict=True):
        assert name.endswith(path.name[:8])
        assert path.stem not in out
    by = dict(zip(ten, (state.strip() for state in states), strict=True))
    shown = dict(zip(ten, names, strict=True))
    assert shown["finished"] == f"2026-11-28 Hanna–Gustav {ten['finished'].name[:8]}"
    assert shown["nothing"].count(" ") == 1, "a day and digits: nothing else is known"
    turns = {by["ours"], by["theirs"]}
    assert any(state.startswith("Shanghaien: your turn since 2026-11-28 ") for state in turns) or any(
        state.startswith("Shanghaien: waiting for ") for state in turns
    )
    assert by["finished"].startswith("Shanghaien: ")
    assert by["halunken"].startswith("Halunken & Spelunken: ")
    assert by["no sidecar"].endswith("It cannot be continued here.")
    assert by["moved"].endswith("It was transferred to another machine.")
    assert "INVALID FILE" in by["broken"]
    assert "INVALID FILE" in by["nothing"]
    assert "VIOLATION" in by["violation"]


def test_the_list_is_one_json_document(home: Home, said: Run, ten: dict[str, Path]) -> None:
    code, out, err = said("games", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["folder"] == str(home.games)
    games = document["games"]
    assert [game["path"] for game in games] == [str(path) for path in ten.values()]
    assert [game["file"] for game in games] == [path.name for path in ten.values()]
    by = dict(zip(ten, games, strict=True))
    assert by["finished"]["name"] == f"2026-11-28 Hanna–Gustav {ten['finished'].name[:8]}"
    assert by["finished"]["session"] == ten["finished"].name[:64], "a tool gets all the digits"
    assert by["finished"]["day"] == "2026-11-28"
    assert datetime.fromisoformat(by["finished"]["written"]).timestamp() == ten["finished"].stat().st_mtime
    assert {name: game["verdict"] for name, game in by.items()} == {
        **dict.fromkeys(("ours", "theirs", "no sidecar", "moved"), "INCOMPLETE"),
        **dict.fromkeys(("finished", "halunken", "computer"), "COMPLETE"),
        **dict.fromkeys(("broken", "nothing"), "INVALID FILE"),
        "violation": "VIOLATION",
    }
    assert {name for name, game in by.items() if game["resumable"]} >= {"ours", "theirs"}
    assert not by["no sidecar"]["resumable"]
    assert [name for name, game in by.items() if game["moved"]] == ["moved"]
    assert not any(game["played_now"] for game in games)
    assert by["computer"]["own_seat"] == 0
    assert by["ours"]["own_seat"] == 1


@pytest.mark.parametrize(
    ("command", "empty"),
    [
        ("games", {"games": []}),
        ("players", {"players": []}),
        ("dice", {"files": [], "games": []}),
        ("stats", {"games": [], "unreadable": []}),
    ],
)
def test_an_empty_list_is_a_json_document_too(home: Home, said: Run, command: str, empty: dict[str, object]) -> None:
    code, out, err = said(command, "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert {name: document[name] for name in empty} == empty


def test_contacts_are_a_json_document(home: Home, said: Run) -> None:
    home.remember(OTHER.public, "Hanna", DAY.date())
    saved(home, played(2, 21))
    (player,) = json.loads(said("players", "--json")[1])["players"]
    assert (player["name"], player["key"], player["since"]) == ("Hanna", OTHER.public.hex(), "2026-11-28")
    assert player["games"] == 1
    assert player["waiting"] in (0, 1)


def test_the_list_has_an_ascii_form(home: Home, said: Run) -> None:
    path = saved(home, played(3))
    assert "Hanna–Gustav" in said("games")[1]
    _, out, _ = said("games", "--ascii")
    assert f"2026-11-28 Hanna-Gustav {path.name[:8]}" in out
    assert out.isascii()
    (home.root / "settings.json").write_text('{"ascii": true}')
    assert said("games")[1] == out


@sweep("lang", sorted(LANGUAGES, reverse=True), every=4)
@pytest.mark.parametrize(
    "command",
    [
        *("games", "verify", "dice", "replay --plain --at end"),
        *(pytest.param(command, marks=pytest.mark.thorough) for command in ("stats", "analyse --plain")),
    ],
)
def test_commands_that_report_have_an_ascii_form(
    home: Home, said: Run, ten: dict[str, Path], command: str, lang: str
) -> None:
    name, *options = command.split()
    files = [] if name in ("games", "dice", "stats") else [path.name[:8] for path in ten.values()]
    files = files[2:3] if name == "replay" else files
    (home.games / f"{'dd' * 32}-host.shlog").mkdir()
    _, out, err = said("--lang", lang, name, *files, *options, "--ascii")
    assert (out + err).isascii()
    assert "\\x" not in out + err
    (home.root / "settings.json").write_text('{"ascii": true}')
    assert said("--lang", lang, name, *files, *options)[1:] == (out, err)


def test_what_is_said_beside_a_game_has_an_ascii_form(home: Home, said: Run, tmp_path: Path) -> None:
    saved(home, played(3))
    files = ("--svg", tmp_path / "Z\N{LATIN SMALL LETTER O WITH DIAERESIS}.svg", "--html", tmp_path / "zo.html")
    for command in (["verify"], ["analyse", "--plain"], ["replay", "--plain", "--at", "end"], ["replay", *files]):
        (home.root / "settings.json").unlink(missing_ok=True)
        code, out, err = said("--lang", "de", *command)
        assert code == 0
        assert not (out + err).isascii()
        wanted = said("--lang", "de", *command, "--ascii")
        assert "".join(wanted[1:]).isascii()
        (home.root / "settings.json").write_text('{"ascii": true}')
        assert said("--lang", "de", *command) == wanted


def test_tables_keep_their_columns_in_ascii(home: Home, said: Run) -> None:
    """Also where a letter has two in ASCII."""
    keep(home.games, against_computer(home), seat=0)
    head, *rows = said("--lang", "de", "stats", "--ascii")[1].splitlines()[1:4]
    assert head.split()[-1] == "Glueck"
    assert {len(row) for row in rows} == {len(head)}


def test_long_names_are_shortened_and_the_digits_stay() -> None:
    name = ShortName(DAY.date(), ("Wolfgang Amadeus Theophilus", "Ann\x1b 00000000"), "078865ab")
    assert shown(name) == "2026-11-28 Wolfgang Amadeus Th…–Ann\\x1b 00000000 078865ab"


@sweep("form", [4, 8, 64, "name", "log"], every=3)
def test_every_command_takes_the_digits(home: Home, said: Run, form: int | str, tmp_path: Path) -> None:
    path, other = saved(home, played(3)), saved(home, played(2))
    assert path.name[:4] != other.name[:4]
    full = f"2026-11-28 Hanna–Gustav {path.name[:8]}"
    text = {"name": full, "log": path.name}[form] if isinstance(form, str) else path.name[:form]
    for command in (["verify"], ["analyse", "--plain"], ["replay", "--plain", "--at", "end"]):
        code, out, err = said(*command, text)
        assert code == 0, err
        assert " ".join(out.split()).startswith(f"{full}: COMPLETE")
        assert err == ""
    assert said("export", text)[1].startswith("[Game")
    assert said("dice", text)[0] == 0
    assert json.loads(said("verify", "--json", text)[1])["file"] == text
    code, out, err = said("export", text, "--move", "-o", tmp_path / "moved")
    assert (code, err) == (0, "")
    assert " ".join(out.split()).startswith(f"{full} is archived")
    code, _, err = said("resume", text)
    assert code == 1
    assert f"{full} was transferred to another machine" in " ".join(err.split())


@pytest.mark.parametrize("command", [["verify"], ["analyse"], ["replay", "--plain", "--at", "start"], ["export"]])
def test_without_a_file_the_latest_is_taken_and_named(home: Home, said: Run, command: list[str]) -> None:
    code, out, err = said(*command)
    assert (code, out) == (1, "")
    assert "There are no saved games" in err
    assert str(home.games) in err
    saved(home, played(2), age=2)
    path = saved(home, played(3), age=1)
    saved(home, played(4), age=3)
    code, out, err = said(*command)
    assert code == 0
    full = f"2026-11-28 Hanna–Gustav {path.name[:8]}"
    assert err == f"The latest game: {full}\n"
    if command != ["export"]:
        assert " ".join(out.split()).startswith(f"{full}: COMPLETE")
    assert said(*command, path)[2] == "", "a path names it"


def test_the_latest_in_ascii(home: Home, said: Run) -> None:
    path = saved(home, played(3))
    for command in (["analyse", "--plain", "--ascii"], ["replay", "--plain", "--ascii", "--at", "start"]):
        code, out, err = said(*command)
        assert code == 0
        assert err == f"The latest game: 2026-11-28 Hanna-Gustav {path.name[:8]}\n"
        assert out.isascii()


def test_json_of_the_latest_names_its_file_whole(home: Home, said: Run) -> None:
    path = saved(home, played(3))
    assert json.loads(said("verify", "--json")[1])["file"] == path.name
    assert json.loads(said("analyse", "--json")[1])["file"] == path.name


def test_what_is_moved_without_a_name_is_what_resume_would_take(home: Home, said: Run, tmp_path: Path) -> None:
    path = saved(home, played(1, 20), age=5)
    finished = saved(home, played(3), age=1)
    archive = tmp_path / "moved"
    code, out, err = said("export", "--move", "-o", archive)
    assert code == 0
    assert path.name[:8] in err
    assert finished.name[:8] not in out + err
    assert not path.with_suffix(".private").exists()
    assert said("import", archive)[0] == 0
    assert f"shanghaien resume {path.name[:8]}" not in err
    assert path.with_suffix(".private").exists()


@pytest.mark.parametrize("command", ["replay", "verify", "analyse", "export", "resume", "dice"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_ambiguous_name_lists_the_candidates(home: Home, said: Run, command: str, lang: str) -> None:
    pairs = [played(seed, 5) for seed in range(18)]
    paths = [saved(home, pair, age=age) for age, pair in enumerate(pairs)]
    first = next(path.name[0] for path in paths if sum(other.name[0] == path.name[0] for other in paths) > 1)
    code, out, err = said("--lang", lang, command, first)
    assert code == 1
    text = " ".join((out + err).split())
    for path in paths:
        assert (f"2026-11-28 Hanna–Gustav {path.name[:8]}" in text) == (path.name[0] == first)


@pytest.mark.parametrize("command", ["replay", "verify", "analyse", "export", "resume", "dice"])
@pytest.mark.parametrize("text", ["", "zz", "-x", "078865ab Ben", "a" * 65, "\N{SNOWMAN}", "a\nb", "../games"])
def test_a_name_that_fits_nothing_says_so_and_where_to_look(home: Home, said: Run, command: str, text: str) -> None:
    saved(home, played(3, 5))
    if (command, text) == ("resume", ""):
        return  # the latest
    code, out, err = said(command, "--", text)
    assert code == 1
    assert "shanghaien games" in " ".join((out + err).split())


def test_a_file_of_that_name_wins(home: Home, said: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = saved(home, played(3))
    other = tmp_path / path.name[:8]
    other.write_bytes(played(2, 20).sides[0].log)
    monkeypatch.chdir(tmp_path)
    assert said("verify", path.name[:8])[1].startswith(f"{path.name[:8]}: INCOMPLETE")
    assert said("verify", path)[1].startswith(f"{path}: COMPLETE"), "a path is called as it was given"


def test_a_game_against_the_computer_is_one_for_every_command(home: Home, said: Run) -> None:
    pair = against_computer(home)
    host = saved(home, pair, seat=0, age=1)
    keep(home.games, pair, seat=1)
    (game,) = json.loads(said("games", "--json")[1])["games"]
    assert game["path"] == str(host)
    code, out, err = said("verify")
    assert code == 0
    name = f"2026-11-28 Hanna–Gustav {host.name[:8]}"
    assert err == f"The latest game: {name}\n"
    assert said("verify", host.name[:8])[1] == out
    assert "guest" not in said("dice")[1].split("The tables")[0]


def test_a_game_against_the_computer_is_not_torn_apart(home: Home, said: Run, tmp_path: Path) -> None:
    pair = against_computer(home, 20)
    host = saved(home, pair, seat=0)
    keep(home.games, pair, seat=1)
    before = sorted(home.games.iterdir())
    code, out, err = said("export", host.name[:8], "--move", "-o", tmp_path / "moved")
    assert (code, out) == (1, "")
    assert f"{host.name[:8]} cannot be transferred" in " ".join(err.split())
    assert sorted(home.games.iterdir()) == before
    assert not (tmp_path / "moved").exists()


def test_names_are_in_no_way_of_the_terminal(home: Home, said: Run) -> None:
    """Whatever a peer is called: nothing of it is a control sequence, and the digits stand last."""
    path = saved(home, played(3, 5))
    data = path.read_bytes()
    with suppress(ValueError):
        path.write_bytes(data.replace(b"Hanna", b"H\x1b[2J", 1))
    _, out, _ = said("games")
    assert "\x1b" not in out


KEY_OR_SESSION = re.compile("[0-9a-f]{16}|([0-9a-f]{4} ){3}")
"""Numbers that nobody reads unless they have asked for them: longer than the digits that name a game."""


@sweep("command", ["replay --plain --at end", "analyse --plain", "verify", "export", "games"], every=5)
def test_no_command_shows_long_hexadecimal_numbers_unasked(
    home: Home, said: Run, ten: dict[str, Path], command: str
) -> None:
    """Also where something is wrong with the game's log, or with the file beside it."""
    ten["theirs"].with_suffix(".private").write_text("nothing of ours")
    (home.games / f"{'dd' * 32}-host.shlog").mkdir()
    name, *options = command.split()
    for path in ten.values():
        _, out, err = said(name, *([] if name == "games" else [path.name[:8]]), *options)
        assert not KEY_OR_SESSION.search(out + err)


def test_no_refusal_to_resume_shows_long_hexadecimal_numbers(home: Home, said: Run, ten: dict[str, Path]) -> None:
    ten["theirs"].with_suffix(".private").write_text("nothing of ours")
    for kind in ("theirs", "no sidecar", "moved", "nothing", "violation"):
        code, out, err = said("resume", ten[kind].name[:8])
        assert code != 0
        assert not KEY_OR_SESSION.search(out + err)


@sweep("command", ["stats", "dice"], every=2)
def test_players_are_told_apart_by_their_keys_where_names_are_not_enough(home: Home, said: Run, command: str) -> None:
    saved(home, played(3))
    assert not KEY_OR_SESSION.search(said(command)[1])
    for seed in range(4):
        saved(home, played(seed, key=Identity(b"\x07" * 32)))
    assert KEY_OR_SESSION.search(said(command)[1])


@pytest.mark.parametrize("known", [{}, {"Ben": OWN}, {"Hanna": OTHER}], ids=["nobody", "others", "the opponent"])
def test_a_key_is_shown_in_warnings_only(home: Home, known: dict[str, Identity]) -> None:
    def introduced() -> str:
        opponent = Opponent("Hanna", "Hanna", OTHER.public, "192.0.2.7", "12345 67890")
        return "\n".join(say(code, **details) for code, details in recognise(home, opponent))

    for name, key in known.items():
        home.remember(key.public, name, DAY.date())
    assert not KEY_OR_SESSION.search(introduced())
    home.forget(OTHER.public)
    home.remember(Identity(b"\x07" * 32).public, "Hanna", DAY.date())
    assert introduced().count(shown_key(OTHER.public)) == 1


@pytest.fixture
def practised(home: Home) -> dict[str, Path]:
    """Return three records of practice, the latest first, by what they are."""
    home.practice.mkdir(parents=True)
    whole = RECORD.read_text().replace("\n\n", '\n[Practice "yes"]\n\n', 1)
    found = {
        "finished": ("shanghaien-2026-11-28-201500", whole),
        "begun": (
            "shanghaien-2026-11-28-201500-2",
            "".join(whole.splitlines(keepends=True)[:3]) + '[Practice "yes"]\n',
        ),
        "broken": ("halunken-2026-11-28-201501", "nothing of ours"),
    }
    paths = {kind: home.practice / f"{name}.shrec" for kind, (name, _) in found.items()}
    for age, (kind, (_, text)) in enumerate(found.items()):
        paths[kind].write_text(text)
        os.utime(paths[kind], (DAY.timestamp() - age * HOUR,) * 2)
    return paths


def test_practice_is_listed_under_its_own_heading(home: Home, said: Run, practised: dict[str, Path]) -> None:
    code, out, err = said("games")
    assert (code, err) == (0, "")
    head, listing = out.split("\n\n")
    assert head.endswith("\n    shanghaien replay shanghaien-2026-11-28-201500")
    finished, begun, broken = (part.strip().split("\n    ") for part in re.split("\n(?=[a-z])", listing))
    assert finished[0] == "shanghaien-2026-11-28-201500"
    assert re.fullmatch(r"Shanghaien: (Hanna|Gustav) \d+ and (Hanna|Gustav) \d+\.", finished[1])
    assert begun == ["shanghaien-2026-11-28-201500-2", "Shanghaien: not played to its end."]
    assert broken[0] == "halunken-2026-11-28-201501"
    assert broken[1].startswith("Line 1")
    saved(home, played(3))
    assert said("games")[1].startswith("Saved games, ")
    assert said("games")[1].endswith(f"\n\n{out}")


def test_practice_is_in_the_json_document(home: Home, said: Run, practised: dict[str, Path]) -> None:
    document = json.loads(said("games", "--json")[1])
    assert document["games"] == []
    finished, begun, broken = document["practice"]
    assert [game["path"] for game in document["practice"]] == [*map(str, practised.values())]
    assert (finished["game"], finished["reason"], len(finished["result"])) == ("shanghaien", None, 2)
    assert {*finished["names"]} == {"Hanna", "Gustav"}
    assert (begun["game"], begun["result"]) == ("shanghaien", None)
    assert broken["reason"]


@sweep(
    "name, kind",
    [
        ("shanghaien-2026-11-28-201500-", "begun"),
        ("shanghaien-2026-11-28-201500", "finished"),
        ("shanghaien-2026-11-28-201500.shrec", "finished"),
    ],
    every=3,
)
def test_commands_take_the_name_of_a_practice_game(
    home: Home, said: Run, practised: dict[str, Path], name: str, kind: str
) -> None:
    code, out, err = said("export", name)
    assert (code, err) == (0, "")
    assert read(out.encode(), RULES) == read(practised[kind].read_bytes(), RULES)
    code, out, err = said("replay", name, "--plain", "--at", "start")
    assert (code, err) == (0, "")
    assert out.startswith(f"{practised[kind].stem}: practice")
    assert json.loads(said("analyse", name, "--json")[1])["file"] == name


def test_several_practice_games_of_a_name_are_listed(home: Home, said: Run, practised: dict[str, Path]) -> None:
    code, _, err = said("replay", "shanghaien-2026")
    assert code == 1
    assert "shanghaien-2026-11-28-201500 and shanghaien-2026-11-28-201500-2" in " ".join(err.split())
    code, _, err = said("replay", "halunken-2026-11-28-201502")
    assert "halunken-2026-11-28-201501" in " ".join(err.split())


def test_what_needs_a_signed_log_knows_no_practice(home: Home, said: Run, practised: dict[str, Path]) -> None:
    for command in (["resume"], ["export", "--handshakes"], ["export", "--move", "-o", home.root / "moved"]):
        code, _, err = said(*command, "shanghaien-2026-11-28-201500")
        assert (code, "no saved game" in " ".join(err.split())) == (1, True)


def test_completion_offers_practice(home: Home, practised: dict[str, Path]) -> None:
    (home.practice / "`date`.shrec").write_text("")
    context = Context(Command("replay"))
    offered = files_and_kept_games(context, Option(["--file"]), "sh")
    assert [item.value for item in offered] == ["sh", *[practised[kind].stem for kind in ("finished", "begun")]]


def test_commands_take_the_digits_of_a_watched_game(home: Home, said: Run) -> None:
    game = played(3)
    path = watched_path(home.watched, game.sides[0].endpoint.match.session.id)
    path.parent.mkdir(parents=True)
    path.write_bytes(game.sides[0].log)
    os.utime(path, (DAY.timestamp(),) * 2)
    digits = path.name[:8]
    for code, out, err in (said("verify", digits[:5]), said("replay", digits, "--plain", "--at", "start")):
        assert (code, err) == (0, "")
        assert out.startswith(f"2026-11-28 Hanna–Gustav {digits}: COMPLETE")
    assert {*read(said("export", digits)[1].encode(), RULES).names} == {"Hanna", "Gustav"}
    assert json.loads(said("analyse", digits, "--json")[1])["file"] == digits
    offered = files_and_kept_games(Context(Command("replay")), Option(["--file"]), digits[:2])
    assert [item.value for item in offered] == [digits[:2], digits]
    code, _, err = said("resume", digits)
    assert (code, "no saved game" in " ".join(err.split())) == (1, True)
    saved(home, game)
    (shown,) = files_and_kept_games(Context(Command("replay")), Option(["--file"]), f"{digits}-")[1:]
    assert shown.value == f"{digits}-watched"


def test_watched_games_are_listed_below_those_that_were_played(home: Home, said: Run) -> None:
    for number, game in enumerate((played(3), played(4, 12))):
        path = watched_path(home.watched, game.sides[0].endpoint.match.session.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(game.sides[0].log)
        os.utime(path, (DAY.timestamp() - number,) * 2)
    whole, begun = json.loads(said("games", "--json")[1])["watched"]
    assert (whole["verdict"], begun["verdict"]) == ("COMPLETE", "INCOMPLETE")
    assert whole["path"] == str(watched_path(home.watched, bytes.fromhex(whole["session"])))
    assert (whole["digits"], whole["day"]) == (whole["session"][:8], "2026-11-28")
    assert "resumable" not in whole
    listed = said("games")[1]
    head, _, rest = listed.partition("\n\n")
    assert head.startswith("Watched games, the latest first.")
    assert head.endswith(f"    shanghaien replay {whole['digits'][:4]}")
    assert rest.startswith(f"2026-11-28 Hanna–Gustav {whole['digits']}\n    Shanghaien: ")
    assert "waiting for" in rest.split("\n")[3]
    assert "cannot be continued" not in rest
    saved(home, played(3))
    (one, other) = said("games")[1].split("Watched games")
    assert f"shanghaien replay {whole['digits'][:4]}\n" in one
    # its digits mean the one that was played
    assert f"shanghaien replay {whole['digits']}-watched\n" in other


def test_watched_games_that_cannot_be_listed_are_not_offered(home: Home) -> None:
    home.watched.parent.mkdir(parents=True, exist_ok=True)
    home.watched.touch()
    assert len(files_and_kept_games(Context(Command("replay")), Option(["--file"]), "a")) == 1
