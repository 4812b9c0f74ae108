"""A program that crashed says the same again; one that was set back to an older backup says something new (SPEC 10)."""

import random
from typing import Any

import pytest

from p2p_shanghaien.fairplay.effects import Effect, Store
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import words
from tests.pair import Pair, make_pair
from tests.pair import rebuilt as started_anew
from tests.toy import Toy

SECRET = b"\x07" * 32


def rebuilt(pair: Pair, seat: int, log: bytes, *, secret: bytes, handshake: bytes) -> tuple[Endpoint, list[Effect]]:
    """Return a program started anew from its log, the session's secret and its key, and what it does once it is
    connected.
    """
    session = pair.sides[seat].endpoint.match.session
    endpoint = started_anew(session, seat, pair.identities[seat], secret, read(log).entries)
    notes = Notes(pair.identities[seat], seat, handshake, session.keys[1 - seat])
    return endpoint, endpoint.resume(handshake, notes, endpoint.head)


def played(game: Game[Any], seed: int) -> tuple[Pair, tuple[bytes, bytes]]:
    """Return a game played to its end, and the secrets of both seats."""
    secrets = (b"\x01" * 32, b"\x02" * 32)
    rng = random.Random(seed)
    pair = make_pair(rng, game, secrets=secrets)
    pair.play(rng)
    return pair, secrets


GAMES: list[Game[Any]] = [Shanghaien(), Halunken(), Toy(), Toy(opening="draw"), Toy(opening="turn")]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join((game.NAME, *dict(game.settings).values())))
@pytest.mark.parametrize("seat", [0, 1])
def test_after_a_crash_at_any_point_the_same_bytes_come_again(game: Game[Any], seat: int) -> None:
    """The log is cut before an own entry: the program makes that very entry, if its person decides alike."""
    pair, secrets = played(game, seat)
    log = pair.sides[seat].log
    entries = pair.sides[seat].endpoint.entries
    handshake = pair.established[seat].hellos.handshake
    ends = [len(log) - sum(len(each.data) + 4 for each in entries[number:]) for number in range(len(entries))]
    wanted = [entry for entry in entries if entry.seat == seat]
    for entry in wanted[:12] + wanted[-4:]:
        endpoint, effects = rebuilt(pair, seat, log[: ends[entry.number]], secret=secrets[seat], handshake=handshake)
        if not effects or not isinstance(effects[0], Store):
            effects = endpoint.act(decided(pair, seat, entry.number))
        assert effects[0] == Store(entry.data)


def decided(pair: Pair, seat: int, number: int) -> str:
    """Return what the person at `seat` decided with entry `number`, be it in the open or in secret."""
    entries = pair.sides[seat].endpoint.entries
    entry = entries[number]
    action = words(entries[number + 2] if entry.kind == "choice_commit" else entry)[0]
    assert isinstance(action, str)
    return action


def a_roll(seed: int) -> tuple[Pair, bytes, int]:
    """Return a game that has come to a roll: the pair, the log before it, and who rolls."""
    rng = random.Random(seed)
    pair = make_pair(rng, secrets=(SECRET, SECRET))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 15)
    while True:
        seat = next(seat for seat in (0, 1) if pair.sides[seat].asked)
        asked = pair.sides[seat].asked
        assert asked is not None
        if asked.state.legal(asked.player) == ("roll",):
            return pair, pair.sides[seat].log, seat
        pair.act_at_random(seat, rng)
        pair.settle()


def commitment_to_a_roll(endpoint: Endpoint) -> bytes:
    effects = endpoint.act("roll")
    assert isinstance(effects[0], Store)
    carried = words(parse(effects[0].entry))[1]
    assert isinstance(carried, bytes)
    return carried


def test_a_share_is_fresh_wherever_anything_before_it_differs() -> None:
    pair, log, seat = a_roll(1)
    handshake = pair.established[seat].hellos.handshake
    same = [rebuilt(pair, seat, log, secret=SECRET, handshake=handshake)[0] for _ in range(2)]
    commitments = [commitment_to_a_roll(endpoint) for endpoint in same]
    assert commitments[0] == commitments[1], "the same place, the same share"

    seen = {commitments[0]}
    for other in (b"\x01" * 32, b"\x02" * 32):
        seen.add(commitment_to_a_roll(rebuilt(pair, seat, log, secret=SECRET, handshake=other)[0]))
        seen.add(commitment_to_a_roll(rebuilt(pair, seat, log, secret=other, handshake=handshake)[0]))
    assert len(seen) == 5


def shares(endpoint: Endpoint, entries: list[bytes]) -> list[bytes]:
    """Return all shares in the clear that this seat has given in these entries."""
    parsed = [parse(data) for data in entries]
    return [
        words(entry)[0]
        for entry in parsed
        if entry.seat == endpoint.seat and entry.kind in ("draw_contribution", "draw_reveal")
    ]


def test_a_share_given_to_a_restored_opponent_is_a_new_one() -> None:
    """Seat 1 answers a roll; its backup, under a new handshake, answers the same roll with another share.

    So an opponent that saw the first answer cannot look for an entry of its own that makes the roll it wants.
    """
    rng = random.Random(4)
    pair = make_pair(rng, secrets=(SECRET, SECRET))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 30)
    entries = pair.sides[1].endpoint.entries
    log = pair.sides[1].log
    given = [entry for entry in entries if entry.kind == "draw_contribution" and entry.seat == 1]
    assert len(given) > 2
    for entry in given:
        tail = sum(len(each.data) + 4 for each in entries[entry.number :])
        backup = log[: len(log) - tail]
        fresh = {words(entry)[0]}
        for handshake in (b"\x01" * 32, b"\x02" * 32, b"\x03" * 32):
            _, effects = rebuilt(pair, 1, backup, secret=SECRET, handshake=handshake)
            assert isinstance(effects[0], Store)
            answer = parse(effects[0].entry)
            assert (answer.kind, answer.number, answer.parent) == ("draw_contribution", entry.number, entry.parent)
            fresh.add(words(answer)[0])
        assert len(fresh) == 4
        _, again = rebuilt(pair, 1, backup, secret=SECRET, handshake=entry.handshake)
        assert again[0] == Store(entry.data)


@pytest.mark.parametrize("seat", [0, 1])
def test_no_share_and_no_salt_is_ever_used_twice_in_a_game(seat: int) -> None:
    for game in GAMES:
        pair, _ = played(game, seat)
        given = shares(pair.sides[seat].endpoint, list(read(pair.sides[seat].log).entries))
        salts = [words(entry)[1] for entry in pair.sides[seat].endpoint.entries if entry.kind == "choice_reveal"]
        assert len(set(given + salts)) == len(given) + len(salts)


def test_another_parent_gives_another_share() -> None:
    """Number and handshake are the same, but the peer said something else before."""
    parents = {}
    for bid in "123":
        rng = random.Random(9)
        pair = make_pair(rng, Toy(), secrets=(SECRET, SECRET))
        pair.settle()
        pair.act(0, "2")
        pair.settle()
        pair.act(1, bid)
        pair.settle()
        entry = pair.sides[0].endpoint.entries[5]
        assert entry.kind == "choice_reveal"
        if words(entry)[2] is not None:
            parents[entry.parent] = words(entry)[2]
    assert len(parents) == 2, "bids one apart lead to a draw"
    assert len(set(parents.values())) == 2


def test_another_choice_gives_another_salt() -> None:
    """Or a choice could be found by trying, once one was revealed after a restored backup."""
    hidden = set()
    salts = set()
    for bid in "123":
        pair = make_pair(random.Random(9), Toy(), secrets=(SECRET, SECRET))
        pair.settle()
        pair.act(0, bid)
        pair.settle()
        pair.act(1, "1" if bid != "1" else "3")
        pair.settle()
        choice, revealed = pair.sides[0].endpoint.entries[3], pair.sides[0].endpoint.entries[5]
        assert (choice.kind, revealed.kind) == ("choice_commit", "choice_reveal")
        hidden |= set(words(choice))
        salts.add(words(revealed)[1])
    assert len(hidden) == len(salts) == 3
