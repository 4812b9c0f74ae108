"""Dice of any number of sides, and rolls of any size, in one game: each kind is tested as what it is."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.analysis.draws import Dealt, Draws
from p2p_shanghaien.analysis.fairness import CELLS, FEW, LEVEL, Finding, Findings, dice_needed, findings
from p2p_shanghaien.games.chance import Die
from tests.sweeps import examples, sweep
from tests.toy import CHANCE

ROLLS = ((4,), (6, 6), (20,), (4, 6, 20), (6, 20), (20, 20), (4, 4, 4))
"""The rolls of a made-up game: 1, 2 and 3 dice with 4, 6 and 20 sides."""
KEYS = (b"host", b"guest")

Roll = tuple[Die, ...]


def drawn(games: Sequence[Sequence[Roll]]) -> Draws:
    """Return these rolls as logs hold them: the seats roll in turn."""
    found = Draws(CHANCE, len(games), names=dict(zip(KEYS, ("Ada", "Ben"), strict=True)))
    for game in games:
        found.chains.append(list(game))
        for number, roll in enumerate(game):
            found.rolls[tuple(sorted(roll)), number % 2, KEYS[number % 2]] += 1
        found.dealt.append(Dealt(()))
    return found


def collection(
    rng: np.random.Generator, games: int, rolls: int, loaded: Mapping[int, float] | None = None
) -> list[list[Roll]]:
    """Return games of random rolls; the first face of a `loaded` die is so much likelier, and all others alike less."""

    def die(sides: int) -> Die:
        bias = (loaded or {}).get(sides, 0.0)
        first = rng.random() < 1 / sides + bias
        return Die(sides, 1 if first else int(rng.integers(2, sides + 1)))

    return [
        [tuple(die(sides) for sides in ROLLS[int(rng.integers(len(ROLLS)))]) for _ in range(rolls)]
        for _ in range(games)
    ]


def findings_of(games: Sequence[Sequence[Roll]]) -> Findings:
    (found,) = findings([drawn(games)])
    return found


def by_kind(result: Findings) -> dict[tuple[str, tuple[int, ...]], Finding]:
    return {(test.code, test.dice): test for test in result.tests if test.key is None}


def test_each_kind_of_die_and_of_roll_has_its_tests() -> None:
    tests = by_kind(findings_of(collection(np.random.default_rng(1), 4, 60)))
    for sides in (4, 6, 20):
        for code in ("faces", "serial", "faces_host", "faces_guest"):
            assert (code, (sides,)) in tests
    together = {dice for code, dice in tests if code == "rolls"}
    assert together == {tuple(sorted(dice)) for dice in ROLLS if len(dice) > 1}
    assert {dice for code, dice in tests if code == "doubles"} == together


def test_expected_counts_are_what_combinatorics_say() -> None:
    """Every outcome is enumerated."""
    games = [[tuple(Die(sides, 1) for sides in dice) for dice in ((6, 6), (6, 4), (4, 4, 4)) for _ in range(10)]]
    tests = by_kind(findings_of(games))
    for dice in ((6, 6), (4, 6), (4, 4, 4)):
        outcomes = list(product(*(range(1, sides + 1) for sides in dice)))
        chances = Counter[str]()
        for outcome in outcomes:
            ordered = sorted(zip(dice, outcome, strict=True))
            chances["".join(str(face) for _, face in ordered)] += 1
        found = tests["rolls", dice]
        assert set(found.columns) == set(chances)
        for label, expected in zip(found.columns, found.expected[0], strict=True):
            assert expected == pytest.approx(10 * Fraction(chances[label], len(outcomes)))
        alike = sum(len(set(outcome)) == 1 for outcome in outcomes)
        assert tests["doubles", dice].expected[0][0] == pytest.approx(10 * alike / len(outcomes))
        assert found.seen[0][found.columns.index("1" * len(dice))] == 10
    assert tests["faces", (4,)].expected[0] == pytest.approx([40 / 4] * 4)


@pytest.mark.parametrize(
    ("dice", "cells"), [((20, 20), 55), ((6,) * 5, 21), ((100, 100), 120), ((2, 65_536), 40), ((6,) * 200, None)]
)
def test_too_many_combinations_are_counted_by_ranges(dice: tuple[int, ...], cells: int | None) -> None:
    """The chances of the ranges are those of the faces in them, and add up to one."""
    tests = by_kind(findings_of([[tuple(Die(sides, sides) for sides in dice)] * 20]))
    if cells is None:
        assert ("rolls", dice) not in tests
        return
    found = tests["rolls", dice]
    assert len(found.columns) == cells <= CELLS
    assert sum(found.expected[0]) == pytest.approx(20)
    assert found.seen[0][-1] == 20
    if dice == (20, 20):
        by_label = dict(zip(found.columns, found.expected[0], strict=True))
        assert by_label["1-2,1-2"] == pytest.approx(20 * 4 / 400)
        assert by_label["1-2,19-20"] == pytest.approx(20 * 8 / 400)


@pytest.mark.thorough
def test_chances_are_uniform_where_all_is_fair(thorough: bool) -> None:
    """The Kolmogorov-Smirnov distance has its 0.1% point at 1.95 over the root of the number."""
    rng, times = np.random.default_rng(2), 50 if thorough else 6
    found: dict[tuple[str, tuple[int, ...]], list[tuple[float, float]]] = {}
    strange = 0
    for _ in range(times):
        result = findings_of(collection(rng, 3, 30))
        strange += result.is_strange
        for kind, test in by_kind(result).items():
            found.setdefault(kind, []).append((test.tails.uneven, test.tails.even))
    assert {dice for _, dice in found} == {(4,), (6,), (20,), (6, 6), (4, 6, 20), (6, 20), (20, 20), (4, 4, 4)}
    for kind, chances in found.items():
        for tail in (0, 1):
            values = np.sort([chance[tail] for chance in chances])
            above = np.arange(1, len(values) + 1) / len(values) - values
            assert above.max() < 1.95 / math.sqrt(len(values)), (kind, tail)
    assert strange <= times * LEVEL + 4 * math.sqrt(times * LEVEL)


def test_the_next_roll_may_depend_on_the_last_one(thorough: bool) -> None:
    """A 6 is followed by a d20, and an odd d20 by another: no kind of die is less fair for that."""
    rng, times, strange = np.random.default_rng(3), 40 if thorough else 5, 0
    for _ in range(times):
        games: list[list[Roll]] = []
        for _ in range(3):
            game: list[Roll] = []
            sides = 6
            for _ in range(80):
                face = int(rng.integers(1, sides + 1))
                game.append((Die(sides, face),))
                sides = 20 if face == 6 or (sides == 20 and face % 2) else 6
            games.append(game)
        result = findings_of(games)
        assert {("serial", (6,)), ("serial", (20,))} <= set(by_kind(result))
        strange += result.is_strange
    assert strange <= times * LEVEL + 4 * math.sqrt(times * LEVEL)


@pytest.mark.thorough
@sweep("sides", [4, 6, 20], every=3)
def test_a_loaded_die_of_each_kind_is_found_and_the_others_are_not_blamed(sides: int) -> None:
    """The rate is the stated one: one face 5 points in a hundred too likely, with the number of dice of the verdict."""
    rng, bias, times = np.random.default_rng(4), 0.05, 12
    sample = findings_of(collection(rng, 1, 1000))
    (dice,) = [each.dice for each in sample.sensitivities if each.sides == sides]
    rolls = math.ceil(1.1 * 1000 * dice_needed(bias, sides, sample.family) / dice)
    found = [findings_of(collection(rng, 1, rolls, {sides: bias})) for _ in range(times)]
    assert sum(result.is_strange for result in found) > times * (0.8 - 3 * math.sqrt(0.8 * 0.2 / times))
    blamed: Counter[tuple[int, ...]] = Counter()
    for result in found:
        (least,) = [each.least for each in result.sensitivities if each.sides == sides]
        assert least < bias * 1.02
        blamed.update(min(result.tests, key=lambda test: test.adjusted).dice for _ in [0] if result.is_strange)
    assert all(sides in dice for dice in blamed)
    assert blamed.most_common(1)[0][0] == (sides,)


def test_dice_that_stick_together_are_found_where_they_are_thrown_together() -> None:
    rng = np.random.default_rng(5)
    (game,) = collection(rng, 1, 4000)
    for at, roll in enumerate(game):
        if [die.sides for die in roll] == [6, 20] and rng.random() < 0.3:
            game[at] = (roll[0], Die(20, roll[0].face))
    tests = by_kind(findings_of([game]))
    assert tests["rolls", (6, 20)].adjusted < LEVEL
    assert tests["doubles", (6, 20)].adjusted < LEVEL
    assert tests["doubles", (6, 6)].adjusted > LEVEL
    assert tests["faces", (6,)].adjusted > LEVEL


def test_dice_that_go_by_the_one_of_their_kind_before_are_found() -> None:
    rng = np.random.default_rng(6)
    (game,) = collection(rng, 1, 4000)
    last: dict[int, int] = {}
    for at, roll in enumerate(game):
        if len(roll) == 1 and roll[0].sides == 4 and 4 in last and rng.random() < 0.5:
            game[at] = (Die(4, last[4]),)
        last.update(reversed(game[at]))
    tests = by_kind(findings_of([game]))
    assert tests["serial", (4,)].adjusted < LEVEL
    assert tests["serial", (6,)].adjusted > LEVEL
    assert tests["serial", (20,)].adjusted > LEVEL


def test_a_key_has_a_test_of_each_kind_that_it_has_rolled_often_enough() -> None:
    dice = [Die(6, 1 + at % 6) for at in range(2 * FEW)] + [Die(4, 1)] * (2 * FEW - 2)
    rolls: list[Roll] = [(die,) for die in dice]
    (found,) = findings([drawn([rolls])])
    own = Counter(test.dice for test in found.tests if test.code == "faces_key")
    assert own == {(6,): 2}


def test_collections_that_are_asked_for_together_are_one_family() -> None:
    """Holm's correction, by hand."""
    rng = np.random.default_rng(7)
    collections = [drawn(collection(rng, 2, 20)), drawn([[(Die(8, 1),)] * 30])]
    both = findings(collections)
    tests = [test for result in both for test in result.tests]
    assert {result.family for result in both} == {len(tests)}
    least, expected = 0.0, {}
    for place, test in enumerate(sorted(tests, key=lambda test: test.tails.strange)):
        least = max(least, min(1.0, (len(tests) - place) * test.tails.strange))
        expected[id(test)] = least
    for test in tests:
        assert test.adjusted == pytest.approx(expected[id(test)])
    alone = [findings([each])[0] for each in collections]
    assert sum(result.family for result in alone) == len(tests)
    assert both[1].is_strange
    assert not both[0].is_strange


DICE = st.sampled_from([1, 2, 3, 4, 6, 12, 20, 144, 145, 300, 65_536]).flatmap(
    lambda sides: st.builds(Die, st.just(sides), st.integers(1, sides))
)


@settings(max_examples=examples(5))
@given(st.lists(st.lists(st.lists(DICE, max_size=7).map(tuple), max_size=12), max_size=3))
def test_any_rolls_have_a_verdict(games: list[list[Roll]]) -> None:
    result = findings_of(games)
    for test in result.tests:
        for chance in (test.tails.uneven, test.tails.even, test.tails.strange, test.adjusted):
            assert 0 <= chance <= 1
        assert math.isfinite(test.tails.statistic)
        assert test.adjusted >= test.tails.strange
        assert sum(map(sum, test.seen)) == pytest.approx(sum(map(sum, test.expected)))
        assert {len(row) for row in test.seen} == {len(test.columns)}
    thrown = Counter(die.sides for game in games for roll in game for die in roll if die.sides > 1)
    assert {each.sides: each.dice for each in result.sensitivities} == thrown
    assert all(0 < each.least < math.inf for each in result.sensitivities)
    assert 0 <= result.strange <= 1
