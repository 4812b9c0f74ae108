"""Verdicts (SPEC 9), and no damage to a log that goes unseen."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from p2p_shanghaien.errors import InvalidFile, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.hello import Role, open_session, parse_hello
from p2p_shanghaien.fairplay.match import Match, begin
from p2p_shanghaien.fairplay.transcript import MAGIC, MAX_OPENING, Log, length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import EXIT_CODES, Verdict, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import caught, entry_frame, forged, with_signature
from tests.pair import GAMES, Pair, identity, make_pair
from tests.sweeps import sweep, together
from tests.toy import Toy

PARTS = 4
"""A sweep over a log is so many tests, each a stride through all of it."""


def finished(game: Game[Any], seed: int) -> Pair:
    rng = random.Random(seed)
    pair = make_pair(rng, game)
    pair.play(rng)
    return pair


@cache
def log_of(name: str) -> bytes:
    """Return a finished log by name."""
    if name == "resigned at once":
        pair = make_pair(random.Random(1), start=False)
        pair.begin(1)
        pair.resign(1)
        pair.begin(0)
        pair.settle()
        return pair.sides[0].log
    games: dict[str, Game[Any]] = {"toy": Toy(1), "shanghaien": Shanghaien("extra-wild")}
    return finished(games[name], 2).sides[0].log


@cache
def chain(name: str) -> tuple[Log, tuple[Match, ...], tuple[int, ...]]:
    """Return a log, the match before each entry and after the last, and where each record begins, the end of the file
    last.
    """
    log = read(log_of(name))
    matches = [begin(open_session(log.hellos, GAMES))]
    starts = [len(opening(log.hellos, log.proofs))]
    for data in log.entries:
        matches.append(matches[-1].append(parse(data)))
        starts.append(starts[-1] + 4 + len(data))
    assert starts[-1] == len(log_of(name))
    return log, tuple(matches), tuple(starts)


def test_a_log_that_is_none_holds_no_game() -> None:
    report = verify(b"no log", GAMES)
    assert (report.verdict, report.match) == (Verdict.INVALID_FILE, None)
    with pytest.raises(InvalidFile, match="log_unusable"):
        report.record()


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


@sweep("part", range(PARTS), every=PARTS)
def test_every_bit_of_a_short_log(part: int) -> None:
    log = log_of("resigned at once")
    assert verify(log, GAMES).verdict == Verdict.COMPLETE
    for at in range(part, len(log), PARTS):
        for bit in range(8):
            assert verify(flipped(log, at, bit), GAMES).verdict != Verdict.COMPLETE, (at, bit)


@pytest.mark.thorough
@sweep("part", range(PARTS), every=PARTS)
def test_a_bit_of_every_byte_of_a_whole_toy_game(part: int) -> None:
    log = log_of("toy")
    assert verify(log, GAMES).verdict == Verdict.COMPLETE
    for at in range(part, len(log), PARTS):
        report = verify(flipped(log, at, at // PARTS % 8), GAMES)
        assert report.verdict not in (Verdict.COMPLETE, Verdict.VIOLATION), at


@pytest.mark.thorough
@sweep("part", range(PARTS), every=PARTS)
def test_a_bit_of_every_byte_of_a_whole_game_of_shanghaien(part: int) -> None:
    """Each entry is looked at where it stands in the chain, which is all that `verify` does with it."""
    log, matches, starts = chain("shanghaien")
    whole = log_of("shanghaien")
    rng = random.Random(part)
    for at in range(part, starts[0], PARTS):
        report = verify(flipped(whole, at, rng.randrange(8)), GAMES)
        assert report.verdict in (Verdict.INVALID_FILE, Verdict.UNSUPPORTED)
    for number in range(part, len(log.entries), PARTS):
        data = log.entries[number]
        for at in range(len(data)):
            with pytest.raises(Malformed):
                matches[number].check_place(parse(flipped(data, at, rng.randrange(8))))
        at = starts[number] + 4 + rng.randrange(len(data))
        report = verify(flipped(whole, at, rng.randrange(8)), GAMES)
        assert (report.verdict, report.number, report.match) == (Verdict.INVALID_FILE, number, matches[number])
        for at in range(starts[number], starts[number] + 4):
            report = verify(flipped(whole, at, rng.randrange(8)), GAMES)
            assert report.verdict not in (Verdict.COMPLETE, Verdict.VIOLATION)


def check_cut(name: str, length: int) -> None:
    _, matches, starts = chain(name)
    report = verify(log_of(name)[:length], GAMES)
    if length < starts[0]:
        assert report.verdict == Verdict.INVALID_FILE
        assert report.match is None
        return
    number = max(index for index, start in enumerate(starts) if start <= length)
    match = matches[number]
    assert (report.match, report.error, report.truncated) == (match, None, length - starts[number])
    if match.expected is None:
        assert (report.verdict, report.awaited) == (Verdict.COMPLETE, ())
        assert length == starts[-1]
    elif match.ending:
        assert report.verdict == Verdict.DECIDED
        assert report.awaited == ((0, 1) if match.expected.seat == 0 else (1,))
    else:
        assert (report.verdict, report.awaited) == (Verdict.INCOMPLETE, (match.expected.seat,))


@sweep("part", range(PARTS), every=PARTS)
@pytest.mark.parametrize("name", ["resigned at once", "toy"])
def test_cut_at_every_length(name: str, part: int) -> None:
    for length in range(part, len(log_of(name)) + 1, PARTS):
        check_cut(name, length)


@sweep("part", range(PARTS), every=PARTS)
def test_a_game_of_shanghaien_cut_around_its_entries(part: int) -> None:
    _, _, starts = chain("shanghaien")
    rng = random.Random(part)
    for start, end in list(pairwise(starts))[part :: 3 * PARTS]:
        for length in (start, start + 4, rng.randrange(start, end)):
            check_cut("shanghaien", length)
    for length in range(part, starts[0], PARTS):
        check_cut("shanghaien", length)


def test_random_bytes_never_raise(thorough: bool) -> None:
    rng = random.Random(1)
    log = log_of("toy")
    for _ in range(3000 if thorough else 500):
        data = rng.randbytes(rng.randrange(400))
        at, end = sorted((rng.randrange(len(log)), rng.randrange(len(log))))
        for wild in (data, MAGIC + data, MAGIC + length_prefixed(data or b"x"), log[:at] + data + log[end:]):
            assert verify(wild, GAMES).verdict not in (Verdict.COMPLETE, Verdict.VIOLATION)


# What stands behind the end


def test_a_torn_write_changes_no_verdict() -> None:
    whole = log_of("toy")
    _, _, starts = chain("toy")
    for length in (starts[-1], starts[-2], starts[5]):
        sound = verify(whole[:length], GAMES)
        for truncated in (b"\x00", bytes(3), b"\x00\x00\x00\x09", b"\x00\x00\x04\x00" + bytes(1023)):
            assert verify(whole[:length] + truncated, GAMES) == sound._replace(truncated=len(truncated))
        for corrupt in (bytes(4), bytes(1024), b"\xff\xff\xff\xff", b"\x00\x00\x04\x01"):
            report = verify(whole[:length] + corrupt, GAMES)
            assert (report.verdict, report.error and report.error.code) == (Verdict.INVALID_FILE, "bad_record_length")


def test_entries_after_the_end() -> None:
    log, matches, _ = chain("toy")
    whole = log_of("toy")
    for data in log.entries:
        report = verify(whole + length_prefixed(data), GAMES)
        assert (report.verdict, report.number) == (Verdict.INVALID_FILE, len(log.entries))
        assert report.error is not None
        assert report.error.code == "entry_after_the_end"
    assert matches[-1].expected is None


@pytest.mark.parametrize("change", ["one bit", "the other's key", "no point"])
def test_a_wrong_signature_stands_before_whatever_comes_later(change: str) -> None:
    """A violation, a fork, damage or a truncated write: unsigned bytes prove no violation (SPEC 9.1)."""
    table = caught("action", 1)
    sound, entries = table.victim.log, table.entries
    own = next(entry for entry in entries if entry.seat == 1)
    endings = {
        "nothing": b"",
        "a violation": length_prefixed(table.forged("nonsense", None)),
        "a fork": length_prefixed(forged(table.own, own, content=b"")),
        "a game that goes on": length_prefixed(table.due.data),
        "what is no entry": length_prefixed(b"x"),
        "an impossible length": bytes(4),
        "a torn write": b"\x00\x00\x00\x09x",
    }
    starts = [sound.index(length_prefixed(entry.data)) for entry in entries]
    for number, entry in enumerate(entries):
        before = verify(sound[: starts[number]], GAMES)
        signature = {
            "one bit": flipped(entry.signature, 40, 3),
            "the other's key": (table.own, table.other)[entry.seat].sign(entry.hash),
            "no point": b"\xff" * 64,
        }[change]
        unsigned = length_prefixed(with_signature(entry, signature))
        behind = sound[starts[number] + len(unsigned) :]
        for name, ending in endings.items():
            report = verify(sound[: starts[number]] + unsigned + behind + ending, GAMES)
            assert report.error is not None
            assert report.error.code == "bad_signature"
            expected = before._replace(
                verdict=Verdict.INVALID_FILE,
                number=number,
                error=report.error,
                awaited=(),
                damaged=len(unsigned + behind + ending),
            )
            assert report == expected, name


def test_an_violation_with_a_wrong_signature_proves_nothing() -> None:
    table = caught("action", 1)
    violation = parse(table.forged("nonsense", None))
    for signature in (flipped(violation.signature, 40, 3), table.other.sign(violation.hash), table.due.signature):
        report = verify(table.victim.log + length_prefixed(with_signature(violation, signature)), GAMES)
        assert report.error is not None
        assert (report.verdict, report.number, report.error.code) == (
            Verdict.INVALID_FILE,
            violation.number,
            "bad_signature",
        )
        assert report.violator is None


# The beginning


def openings() -> Iterator[tuple[bytes, str]]:
    """Yield openings that do not hold, with the error."""
    log, _, _ = chain("toy")
    other = read(finished(Toy(1), 77).sides[0].log)
    (host, guest), (first, second) = log.hellos, log.proofs
    yield opening((host, guest), (second, first)), "bad_proof"
    yield opening((host, guest), (first, first)), "bad_proof"
    yield opening((host, guest), (bytes(64), second)), "bad_proof"
    yield opening((host, guest), (first, other.proofs[1])), "bad_proof"
    yield opening((host, other.hellos[1]), (first, second)), "bad_proof"
    yield opening((other.hellos[0], guest), other.proofs), "bad_proof"
    yield opening((guest, host), (second, first)), "wrong_role"
    yield opening((host, host), (first, first)), "wrong_role"
    yield opening((b"", guest), (first, second)), "not_canonical"
    yield opening((host, guest + b"\x00"), (first, second)), "not_canonical"
    yield opening((encode(None), guest), (first, second)), "not_a_hello"
    small = list(decode(guest, MAX_OPENING))  # type: ignore[arg-type]
    small[3] = (1).to_bytes(32, "little")
    yield opening((host, encode(small)), (first, (1).to_bytes(32, "little") + bytes(32))), "refused_key"


@together(("begun", "code"), list(openings()))
def test_an_opening_that_does_not_hold(begun: bytes, code: str) -> None:
    _, _, starts = chain("toy")
    for data in (begun, begun + log_of("toy")[starts[0] :]):
        report = verify(data, GAMES)
        assert report.verdict == Verdict.INVALID_FILE
        assert report.error is not None
        assert report.error.code == code
        assert (report.match, report.session, report.number, report.violator) == (None, None, None, None)


def test_games_and_rules_that_are_not_known() -> None:
    class Later(Toy):
        RULES_VERSION = 2

    for games, code in ((RULES, "game_unknown"), ({}, "game_unknown"), ({"toy": Later}, "rules_unknown")):
        report = verify(log_of("toy"), games)
        assert (report.verdict, report.exit_code) == (Verdict.UNSUPPORTED, 1)
        assert report.error is not None
        assert report.error.code == code


# Verdicts


def test_each_verdict_has_its_exit_code() -> None:
    names = {"COMPLETE": 0, "DECIDED": 0, "INCOMPLETE": 5, "VIOLATION": 6, "INVALID FILE": 3, "UNSUPPORTED": 1}
    assert {str(verdict): code for verdict, code in EXIT_CODES.items()} == names


def test_keys_that_took_no_part() -> None:
    report = verify(log_of("toy"), GAMES)
    assert report.session
    keys, others = report.session.keys, (b"\x09" * 32, b"\x08" * 32)
    assert report.absent(keys) == []
    assert report.absent((others[0], keys[1], *others)) == [others[1], others[0]]
    assert verify(b"", GAMES).absent(others[:1]) == [others[0]]


def test_a_commitment_is_only_carried_where_one_is_needed() -> None:
    match = chain("toy")[1][-1]
    assert match.carrying(bytes(32)) is match


def test_a_missing_signature_under_the_result() -> None:
    log, matches, starts = chain("toy")
    over = next(number for number, match in enumerate(matches) if match.ending)
    assert over == len(log.entries) - 2
    report = verify(log_of("toy")[: starts[over]], GAMES)
    assert (report.verdict, report.awaited, report.exit_code) == (Verdict.DECIDED, (0, 1), 0)
    report = verify(log_of("toy")[: starts[over + 1]], GAMES)
    assert (report.verdict, report.awaited, report.exit_code) == (Verdict.DECIDED, (1,), 0)
    assert report.record() == verify(log_of("toy"), GAMES).record()


@together("seat", [0, 1])
@together(
    "kind",
    [
        "draw_commit",
        "draw_contribution",
        "draw_reveal",
        "action",
        "choice_commit",
        "choice_contribution",
        "choice_reveal",
    ],
)
def test_an_unfinished_log_names_who_owed_what(kind: str, seat: int) -> None:
    if (kind, seat) in (("draw_commit", 1), ("choice_commit", 1), ("choice_reveal", 1), ("choice_contribution", 0)):
        seat = 1 - seat
    table = caught(kind, seat, game=Toy(9))
    report = table.verdict()
    assert (report.verdict, report.awaited, report.exit_code) == (Verdict.INCOMPLETE, (seat,), 5)
    assert report.match is not None
    assert report.match.expected is not None
    assert report.match.expected.kind == kind
    assert report.record().ended is None


def test_a_record_is_by_player_and_names_seats() -> None:
    starters = set()
    for seed in range(12):
        pair = finished(Toy(1), seed)
        report = verify(pair.sides[0].log, GAMES)
        assert report.match is not None
        starter = report.match.first
        assert starter is not None
        starters.add(starter)
        record_ = report.record()
        names = report.match.session.names
        assert record_.seats == (starter, 1 - starter)
        assert record_.names == (names[starter], names[1 - starter])
    assert starters == {0, 1}


def test_a_resignation_in_a_record_is_by_player() -> None:
    for seed in range(8):
        rng = random.Random(seed)
        pair = make_pair(rng)
        pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 12)
        pair.resign(0)
        pair.settle()
        report = verify(pair.sides[1].log, GAMES)
        ended = report.record().ended
        assert ended is not None
        assert report.record().seats == ((0, 1) if ended.by == 0 else (1, 0))
        assert (ended.by, ended.winner) in ((0, 1), (1, 0))


def test_names_prove_nothing_and_one_key_may_sit_twice() -> None:
    rng = random.Random(1)
    key = identity(rng)
    pair = make_pair(rng, Toy(1), identities=(key, key))
    pair.play(rng)
    session = verify(pair.sides[0].log, GAMES).session
    assert session is not None
    assert session.keys == (key.public, key.public)


def test_the_evidence_is_the_log_as_the_honest_side_has_it() -> None:
    """A truncated copy of it is an unfinished game; with one byte less it proves nothing any more."""
    table = caught("action", 1)
    violation = table.forged("nonsense", None)
    table.deliver(entry_frame(violation))
    evidence = table.victim.log
    assert verify(evidence, GAMES).verdict == Verdict.VIOLATION
    for length in range(len(evidence) - len(violation), len(evidence)):
        report = verify(evidence[:length], GAMES)
        assert report.verdict == Verdict.INCOMPLETE
        assert report.truncated > 0


@together("settings", [(("variant", "none"), ("tricks", "p3 b3 r2")), (("dice", "7"),), (("variant", "standard"),)])
def test_settings_that_no_game_has_are_one_reason(settings: tuple[tuple[str, str], ...]) -> None:
    """Which of a game's rules on settings it is, is told to people alone (SPEC 14)."""
    log = read(log_of("shanghaien"))
    hello = parse_hello(log.hellos[0], Role.HOST)._replace(settings=settings)
    report = verify(opening((hello.encode(), log.hellos[1]), log.proofs), GAMES)
    assert (report.verdict, report.reason) == (Verdict.INVALID_FILE, "bad_setting")


def test_a_log_without_fault_has_no_reason() -> None:
    assert verify(log_of("shanghaien"), GAMES).reason is None
    assert verify(b"", GAMES).reason == "not_a_log"
