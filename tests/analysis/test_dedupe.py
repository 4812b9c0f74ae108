"""Each game counts once, and only where nothing is wrong with it."""

from dataclasses import replace
from random import Random

import pytest

from p2p_shanghaien.analysis.dedupe import Counted, Found, dedupe
from p2p_shanghaien.analysis.draws import Draws, by_deck, chance_model, draws, shared_settings
from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games import record as records
from p2p_shanghaien.games.chance import Die
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.pair import Pair, make_pair
from tests.protocol.files import load
from tests.sweeps import together
from tests.toy import CHANCE, Toy


def drawn(*files: tuple[str, Found]) -> Draws:
    known = chance_model("shanghaien")
    assert known is not None
    return draws(dedupe(files, unsigned=True)[0], known)


def played(seed: int) -> Pair:
    rng = Random(seed)
    pair = make_pair(rng, Shanghaien())
    pair.play(rng)
    return pair


def beginning(log: bytes, entries: int) -> bytes:
    whole = read(log)
    return opening(whole.hellos, whole.proofs) + b"".join(map(length_prefixed, whole.entries[:entries]))


def text_of(log: bytes) -> records.Record:
    """Return the log's game as a text record that was written and read."""
    return records.read(records.write(verify(log, RULES).record()).encode(), RULES)


def sifted(*files: tuple[str, Found], unsigned: bool = False) -> tuple[list[str], dict[str, tuple[str, str]]]:
    counted, left = dedupe(files, unsigned=unsigned)
    return [each.name for each in counted], {each.name: (each.reason, each.other) for each in left}


def checked(name: str, log: bytes) -> tuple[str, Found]:
    return name, verify(log, RULES)


@pytest.fixture(name="log", scope="module")
def fixture_log() -> bytes:
    return played(1).logs[0]


@pytest.mark.parametrize("unsigned", [False, True])
def test_practice_never_counts(log: bytes, unsigned: bool) -> None:
    """Not even with the moves of a signed game, which it costs nothing; any other value of the tag says nothing."""
    practice = replace(text_of(log), tags=records.PRACTICE)
    assert sifted(("practice", practice), unsigned=unsigned) == ([], {"practice": ("practice", "")})
    assert sifted(("practice", practice), checked("log", log), unsigned=unsigned)[0] == ["log"]
    assert sifted(("text", replace(practice, tags={"Practice": "no"})), unsigned=True)[0] == ["text"]


def test_both_sides_logs_are_one_game_and_the_longest_counts(log: bytes) -> None:
    short = checked("short", beginning(log, 30))
    counted, left = sifted(short, checked("host", log), checked("guest", log), checked("other", played(2).logs[1]))
    assert counted == ["host", "other"]
    assert left == {"short": ("same_game", "host"), "guest": ("same_game", "host")}


def test_records_count_where_they_may_and_not_beside_their_log(log: bytes) -> None:
    text = ("text", text_of(log))
    assert sifted(text) == ([], {"text": ("unsigned", "")})
    assert sifted(text, unsigned=True) == (["text"], {})
    assert sifted(text, checked("log", log), unsigned=True) == (["log"], {"text": ("same_game", "log")})
    other = ("other", text_of(played(2).logs[0]))
    counted, left = sifted(text, other, ("again", text[1]), unsigned=True)
    assert sorted(counted) == ["other", "text"]
    assert left == {"again": ("same_game", "text")}


@together("entries", range(1, 40))
def test_the_record_of_a_beginning_is_the_same_game(log: bytes, entries: int) -> None:
    part = ("part", text_of(beginning(log, entries)))
    assert sifted(part, checked("log", log), unsigned=True)[0] == ["log"]


def test_two_ways_of_one_game_both_count_nothing() -> None:
    """Neither log alone shows the fork."""
    pairs = [make_pair(Random(5), Shanghaien()) for _ in (0, 1)]
    for pair, seed in zip(pairs, (1, 2), strict=True):
        pair.play(Random(seed))
    logs = [pair.logs[0] for pair in pairs]
    assert [verify(log, RULES).verdict for log in logs] == [Verdict.COMPLETE, Verdict.COMPLETE]
    counted, left = sifted(checked("one", logs[0]), checked("two", logs[1]))
    assert not counted
    assert {reason for reason, _ in left.values()} == {"copies_differ"}


def test_no_forged_log_counts_anything() -> None:
    """Every vector whose verdict is a violation or an invalid file."""
    bad = [test for test in load("logs") if test["verdict"] not in ("COMPLETE", "DECIDED", "INCOMPLETE")]
    assert len(bad) > 40
    counted, left = sifted(*(checked(test["id"], bytes.fromhex(test["log"])) for test in bad))
    assert not counted
    assert {reason for reason, _ in left.values()} == {"not_sound"}


def test_a_game_whose_other_copy_proves_a_violation_counts_nothing() -> None:
    test = next(test for test in load("logs") if test["id"] == "reveal-other")
    log = bytes.fromhex(test["log"])
    good = beginning(log, test["entry"])
    assert sifted(checked("good", good))[0] == ["good"]
    counted, left = sifted(checked("good", good), checked("bad", log))
    assert not counted
    assert left["good"] == ("game_violated", "bad")


def test_what_cannot_be_read_is_left_out() -> None:
    assert sifted(("gone", LocalError(StoreCode.NO_SUCH_FILE, name="gone"))) == ([], {"gone": ("not_sound", "")})


def test_draws_are_those_of_the_game(log: bytes) -> None:
    report = verify(log, RULES)
    found = drawn(("log", report))
    events = list(records.events(report.record()))
    dice = [event for event in events if event["event"] == "dice"]
    rows = [event["row"] for event in events if event["event"] == "round"]
    seats = events[0]["seats"]
    assert found.rolls.total() == len(dice)
    for seat in (0, 1):
        own = sorted(tuple(Die(6, face) for face in event["dice"]) for event in dice if seats[event["player"]] == seat)
        assert sorted(found.thrown(seat=seat).elements()) == own
        assert report.session is not None
        assert found.thrown(key=report.session.keys[seat]) == found.thrown(seat=seat)
    assert [sorted(die.face for die in roll) for roll in found.chains[0]] == [event["dice"] for event in dice]
    assert [list(deal) for deal in found.dealt[0].deals] == rows
    assert found.starts == {seats[0]: 1}
    assert found.unrevealed == 0


def test_a_text_record_has_rolls_and_no_seats(log: bytes) -> None:
    found = drawn(("text", text_of(log)))
    assert found.thrown()
    assert not found.thrown(seat=0)
    assert not found.chains
    assert not found.starts
    assert not found.names


def test_a_draw_that_one_side_knew_and_kept_to_itself_is_told_of(log: bytes) -> None:
    kinds = [entry.kind for entry in verify(log, RULES).entries]
    revealed = [number for number, kind in enumerate(kinds) if kind == Kind.DRAW_REVEAL][5]
    for entries, unrevealed in ((revealed - 1, 0), (revealed, 1), (revealed + 1, 0)):
        assert drawn(checked("log", beginning(log, entries))).unrevealed == unrevealed


def test_a_game_of_which_another_is_no_beginning_counts_beside_it() -> None:
    """The text of one is the beginning of the other's, or is so without its last word."""
    texts = {
        "short": "2:1 5,29",
        "long": "2:1 5,299 pass",
        "taken": "2:1 5,299 take",
        "on": "2:1 5,299 pass dare",
        "more rounds": "2:1 5,29 take",
    }
    found = {
        name: records.read(
            f'[Game "toy"]\n[Rounds "{1 + (name == "more rounds")}"]\n{text}\n'.encode(), {Toy.NAME: Toy}
        )
        for name, text in texts.items()
    }
    counted, left = sifted(*found.items(), unsigned=True)
    assert sorted(counted) == ["more rounds", "on", "short", "taken"]
    assert left == {"long": ("same_game", "on")}


def test_games_are_divided_by_the_deck_that_their_options_make() -> None:
    model = chance_model("shanghaien")
    assert model is not None
    settings: tuple[dict[str, str], ...] = ({}, {"variant": "extra-wild"}, {"tricks": "p8 b0 r0"})
    games = [Counted(str(given), records.Record(Shanghaien.from_settings(given))) for given in settings]
    parts = by_deck(games, model)
    assert [[game.name for game in part] for part in parts] == [[games[0].name, games[1].name], [games[2].name]]
    assert [shared_settings(part) for part in parts] == [
        {"tricks": "p3 b3 r2"},
        {"variant": "standard", "tricks": "p8 b0 r0"},
    ]


def test_each_die_of_a_draw_has_its_own_sides() -> None:
    record = records.read(b'[Game "toy"]\n[Rounds "1"]\n2:1 0,299 0,65535,1 take\n', {Toy.NAME: Toy})
    found = draws([Counted("toy", record)], CHANCE)
    assert found.thrown() == {
        (Die(6, 1), Die(300, 300)): 1,
        (Die(1, 1), Die(2, 2), Die(65_536, 65_536)): 1,
    }
