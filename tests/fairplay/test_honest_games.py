"""Two honest peers in memory: whatever happens, both end with the same log, and a third party finds it sound."""

import os
import random
from collections import Counter
from typing import Any

import pytest

from p2p_shanghaien.fairplay.effects import Begun, Closed, Drew, Stepped, ViolationProved, draws_in
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Chosen, Drawn, Game, Terminal
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.pair import GAMES, Pair, identity, make_pair
from tests.sweeps import sweep
from tests.toy import Toy

GAMES_EACH = int(os.environ.get("SHANGHAIEN_TEST_GAMES", "10"))
"""Games for each case below; the toy game is short and is played five times as often."""

BATCHES = 4
"""Each case is several tests, so that they can run at the same time."""

CASES: dict[str, tuple[Game[Any], int]] = {
    "standard": (Shanghaien(), 1),
    "extra wild": (Shanghaien("extra-wild"), 1),
    "other tricks": (Shanghaien("extra-wild", (1, 1, 6)), 1),
    "one hand": (Halunken(), 1),
    "the simple game": (Halunken(blackjack="off"), 1),
    "toy that begins with a choice": (Toy(), 5),
    "toy that begins with a draw": (Toy(opening="draw"), 5),
    "toy that begins with a turn": (Toy(opening="turn"), 5),
}


def check_sound(pair: Pair) -> None:
    """Both sides say the same, bytes and all, and so does the verifier."""
    first, second = pair.sides
    assert first.log == second.log
    assert first.endpoint.match == second.endpoint.match
    report = verify(first.log, GAMES)
    assert (report.verdict, report.error, report.truncated, report.awaited) == (Verdict.COMPLETE, None, 0, ())
    assert report.match == first.endpoint.match
    draws = list(draws_in(report.entries, first.endpoint.match.session))
    for side in pair.sides:
        assert not any(isinstance(effect, ViolationProved) for effect in side.effects)
        assert [draw for _, draw in draws] == [effect for effect in side.effects if isinstance(effect, Drew)]
        stepped = [effect for effect in side.effects if isinstance(effect, Stepped)]
        assert report.steps == tuple(effect.step for effect in stepped)
        assert [effect.before for effect in stepped[1:]] == [effect.after for effect in stepped[:-1]]
        assert [type(effect) for effect in side.effects].count(Closed) == 1
    assert pair.finished(0)
    assert pair.finished(1)
    assert report.record().last() == report.match.state
    drawn = {number: step.indices for number, step in enumerate(report.steps, start=1) if isinstance(step, Drawn)}
    for at, (steps, draw) in enumerate(draws):
        # the opening draw also seats the players
        assert (draw.indices if at else draw.indices[1:]) == drawn.pop(steps, ())
    assert not drawn


def batches() -> list[tuple[str, int]]:
    return [(case, batch) for case in CASES for batch in range(BATCHES)]


@sweep("case, batch", batches(), every=2)
def test_played_to_the_end(case: str, batch: int, thorough: bool) -> None:
    game, times = CASES[case]
    starters: Counter[int | None] = Counter()
    for number in range(GAMES_EACH * times // BATCHES // (1 if thorough else 3) or 1):
        rng = random.Random(f"{case} {batch} {number}")
        pair = make_pair(rng, game)
        pair.play(rng)
        check_sound(pair)
        match = pair.sides[0].endpoint.match
        assert isinstance(match.state.node, Terminal)
        assert match.first is not None
        assert all(Begun(match.first) in side.effects for side in pair.sides)
        starters[match.first] += 1
    assert set(starters) <= {0, 1}


@sweep("case, batch", batches(), every=2)
def test_frames_and_resignations_in_any_order(case: str, batch: int, thorough: bool) -> None:
    game, times = CASES[case]
    for number in range(GAMES_EACH * times // BATCHES // (1 if thorough else 3) or 1):
        rng = random.Random(f"any order {case} {batch} {number}")
        pair = make_pair(rng, game)
        pair.play_in_any_order(rng, resignations=rng.choice((0, 0.001, 0.01, 0.1, 0.3)))
        check_sound(pair)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", [Shanghaien(), Halunken(), Toy(rounds=9)], ids=lambda game: game.NAME)
def test_a_resignation_at_each_point_of_a_game(game: Game[Any], seat: int, thorough: bool) -> None:
    """After so many frames, whatever is on its way or asked for just then, from before the opening draw on."""
    for frames in range(40) if thorough else range(seat, 40, 3):
        rng = random.Random("resign everywhere")
        pair = make_pair(rng, game)
        for _ in range(frames):
            if not pair.deliver():
                for each in (0, 1):
                    if pair.sides[each].asked:
                        pair.act_at_random(each, rng)
        pair.resign(seat)
        pair.settle()
        check_sound(pair)
        assert pair.sides[0].endpoint.match.result == ("resigned", None, 1 - seat)


@pytest.mark.parametrize("game", [Shanghaien(), Halunken(), Toy()], ids=lambda game: game.NAME)
def test_either_seat_may_turn_out_to_be_player_0(game: Game[Any]) -> None:
    """64 draws miss one of the two with odds of 2 to the 63rd against, and the seeds are fixed besides."""
    firsts: Counter[int] = Counter()
    for seed in range(64):
        pair = make_pair(random.Random(seed), game)
        pair.settle()
        first = pair.sides[0].endpoint.match.first
        assert first is not None
        firsts[first] += 1
        asked = [seat for seat in (0, 1) if pair.sides[seat].asked]
        if not isinstance(game, Toy):
            assert asked == [first]
            assert [pair.sides[seat].endpoint.player for seat in (0, 1)] == [first, 1 - first]
    assert set(firsts) == {0, 1}
    assert min(firsts.values()) > 10


def test_one_key_at_both_seats_works() -> None:
    """Two terminals with one home."""
    rng = random.Random(1)
    key = identity(rng)
    for game in (Shanghaien(), Halunken(), Toy()):
        pair = make_pair(rng, game, identities=(key, key))
        pair.play(rng)
        check_sound(pair)
        session = verify(pair.sides[0].log, GAMES).session
        assert session is not None
        assert session.keys[0] == session.keys[1] == key.public


def test_the_same_seeds_make_the_same_bytes() -> None:
    logs = []
    for _ in range(2):
        rng = random.Random("again")
        pair = make_pair(rng)
        pair.play(rng)
        logs.append(pair.sides[1].log)
    assert logs[0] == logs[1]


def test_the_toy_game_has_everything_that_a_game_may_ask_for() -> None:
    kinds: set[tuple[type, type]] = set()
    for seed in range(20):
        rng = random.Random(seed)
        pair = make_pair(rng, Toy())
        pair.play(rng)
        report = verify(pair.sides[0].log, GAMES)
        for before, after in zip(report.steps, report.steps[1:], strict=False):
            kinds.add((type(before), type(after)))
    assert (Chosen, Drawn) in kinds, "a secret choice that leads to a draw"
    assert (Drawn, Drawn) in kinds, "a draw that leads to another"
    assert (Chosen, Chosen) in kinds, "a choice that leads to another"
