"""Fair draws pass, unfair ones do not, and chances are what they claim to be."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
import pytest

from p2p_shanghaien.analysis.draws import Dealt, Draws, chance_model
from p2p_shanghaien.analysis.fairness import (
    CHI_SQUARE,
    EXACT,
    LEVEL,
    SIMULATED,
    Finding,
    Findings,
    dice_needed,
    findings,
)
from p2p_shanghaien.games.chance import Die
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.sweeps import sweep

MODEL = chance_model("shanghaien")
assert MODEL is not None
DECK = MODEL.deck(Shanghaien())
KEYS = (b"host", b"guest")
FAIR = [1 / 6] * 6

Shuffle = Callable[[np.random.Generator], Sequence[str]]


def shuffled(rng: np.random.Generator) -> Sequence[str]:
    return [DECK[at] for at in rng.permutation(len(DECK))]


def findings_of(draws: Draws) -> Findings:
    (found,) = findings([draws])
    return found


def pair(first: int, second: int) -> tuple[Die, ...]:
    return Die(6, first), Die(6, second)


def collection(
    rng: np.random.Generator,
    games: int,
    rolls: int = 20,
    *,
    faces: Sequence[float] = FAIR,
    shuffle: Shuffle = shuffled,
    rounds: Callable[[int], int] = lambda game: 8,
) -> Draws:
    """Draws as logs hold them: the seats roll in turn."""
    assert MODEL is not None
    found = Draws(MODEL, games, names=dict(zip(KEYS, ("Ada", "Ben"), strict=True)))
    for game in range(games):
        dice = rng.choice(6, size=(rolls, 2), p=faces) + 1
        chain = [pair(int(a), int(b)) for a, b in dice]
        found.chains.append(chain)
        for number, roll in enumerate(chain):
            found.rolls[tuple(sorted(roll)), number % 2, KEYS[number % 2]] += 1
        deck = shuffle(rng)
        deals = [tuple(deck[at : at + 6]) for at in range(0, 6 * rounds(game), 6)]
        found.dealt.append(Dealt(DECK, deals))
        found.starts[int(rng.integers(2))] += 1
    return found


def by_code(result: Findings) -> dict[str, Finding]:
    return {test.code + (test.key or b"").decode(): test for test in result.tests}


SMALL, LARGE = 3, 25
"""Games: few enough that everything is simulated, and enough that nothing is (cards come out of 48)."""


@pytest.mark.thorough
@pytest.mark.parametrize(("games", "times"), [(SMALL, 80), (LARGE, 200)])
def test_chances_are_uniform_where_all_is_fair(games: int, times: int) -> None:
    """By the Kolmogorov-Smirnov distance, whose 0.1% point is 1.95 over the root of the number."""
    rng = np.random.default_rng(3)
    found: dict[str, list[tuple[float, float]]] = {}
    strange = 0
    for _ in range(times):
        result = findings_of(collection(rng, games))
        strange += result.is_strange
        for code, test in by_code(result).items():
            found.setdefault(code, []).append((test.tails.uneven, test.tails.even))
    assert {"faces", "rolls", "serial", "cards_nationality", "cards_value"} < set(found)
    for code, chances in found.items():
        for tail in (0, 1):
            values = np.sort([chance[tail] for chance in chances])
            above = np.arange(1, times + 1) / times - values
            # counts are whole numbers, so that a chance may only be too large: the test then says too little
            assert above.max() < 1.95 / sqrt(times), (code, tail)
            if code.startswith(("faces", "serial", "cards")):
                assert (values - np.arange(times) / times).max() < 1.95 / sqrt(times) + 0.02, (code, tail)
    assert strange <= times * LEVEL + 4 * sqrt(times * LEVEL)


@pytest.mark.parametrize("games", [SMALL, LARGE])
def test_methods(games: int) -> None:
    tests = by_code(findings_of(collection(np.random.default_rng(4), games)))
    assert tests["rolls"].tails.method == tests["cards_value"].tails.method == tests["serial"].tails.method
    assert tests["rolls"].tails.method == (SIMULATED if games == SMALL else CHI_SQUARE)
    assert tests["doubles"].tails.method == tests["starts"].tails.method == EXACT


def test_the_same_collection_gives_the_same_numbers() -> None:
    draws = collection(np.random.default_rng(5), SMALL)
    assert findings_of(draws) == findings_of(draws)


def test_a_loaded_die_is_found_as_often_as_promised(thorough: bool) -> None:
    """One face two points in a hundred too likely, and as many dice as the verdict asks for."""
    rng = np.random.default_rng(6)
    loaded = [1 / 6 + 0.02, *[1 / 6 - 0.004] * 5]
    tests = len(findings_of(collection(rng, LARGE)).tests)
    games = -(-dice_needed(0.02, 6, tests) // 400)
    times = 60 if thorough else 6
    found = [findings_of(collection(rng, games, 200, faces=loaded)) for _ in range(times)]
    assert sum(result.is_strange for result in found) > times * (0.8 - 3 * sqrt(0.8 * 0.2 / times))
    assert all(result.least is not None and result.least < 0.0201 for result in found)
    worst = [min(result.tests, key=lambda test: test.adjusted).code for result in found if result.is_strange]
    assert Counter(worst).most_common(1)[0][0] == "faces"


def test_counts_that_are_too_even_are_strange() -> None:
    draws = collection(np.random.default_rng(7), LARGE)
    draws.rolls = Counter()
    for face in range(1, 7):
        draws.rolls[pair(face, face), 0, KEYS[0]] = 5 * 6
        for other in range(face + 1, 7):
            draws.rolls[pair(face, other), 0, KEYS[0]] = 2 * 5 * 6
    result = findings_of(draws)
    faces = by_code(result)["faces"]
    assert faces.tails.statistic == 0
    assert faces.tails.even < 1e-9
    assert faces.tails.uneven == 1
    assert result.is_strange


def test_dice_that_go_by_the_roll_before_are_found() -> None:
    rng = np.random.default_rng(8)
    draws = collection(rng, LARGE)
    for chain in draws.chains:
        for at in range(1, len(chain)):
            if rng.random() < 0.3:
                chain[at] = (chain[at - 1][0], chain[at][1])
    assert by_code(findings_of(draws))["serial"].adjusted < LEVEL


def test_serial_pairs_stay_within_a_game() -> None:
    draws = collection(np.random.default_rng(9), 2, 3)
    draws.chains = [[pair(1, 6), pair(2, 6), pair(3, 6)], [pair(4, 6), pair(5, 6)]]
    seen = by_code(findings_of(draws))["serial"].seen
    pairs = {(row + 1, column + 1) for row in range(6) for column in range(6) if seen[row][column]}
    assert pairs == {(1, 2), (2, 3), (4, 5)}


@pytest.mark.parametrize("games", [SMALL, LARGE])
def test_a_stacked_deck_is_found(games: int) -> None:
    """Tricks come early."""

    def stacked(rng: np.random.Generator) -> Sequence[str]:
        return sorted(shuffled(rng), key=lambda card: rng.random() - (card[0] == "X"))

    tests = by_code(findings_of(collection(np.random.default_rng(10), games, shuffle=stacked)))
    assert tests["cards_nationality"].adjusted < LEVEL
    assert tests["cards_value"].adjusted < LEVEL
    assert tests["faces"].adjusted > LEVEL


@sweep("rounds, games", [(lambda game: 8, LARGE), (lambda game: 3 + game % 6, 6), (lambda game: 1, LARGE)], every=3)
def test_cards_without_replacement_have_the_spread_that_is_reckoned_with(
    rounds: Callable[[int], int], games: int, thorough: bool
) -> None:
    """The statistic's mean is exactly its degrees of freedom, for whole games and for those that broke off."""
    rng = np.random.default_rng(11)
    chances = [
        by_code(findings_of(collection(rng, games, 2, rounds=rounds)))["cards_nationality"].tails
        for _ in range(70 if thorough else 5)
    ]
    (freedom,) = {chance.freedom for chance in chances}
    mean = np.mean([chance.statistic for chance in chances])
    assert abs(mean - freedom) < 4 * sqrt(2 * freedom / len(chances))


def test_expected_counts_are_what_the_rules_say() -> None:
    tests = by_code(findings_of(collection(np.random.default_rng(12), 4)))
    faces, rolls, cards = tests["faces"], tests["rolls"], tests["cards_nationality"]
    assert faces.expected[0] == pytest.approx([160 / 6] * 6)
    by_label = dict(zip(rolls.columns, rolls.expected[0], strict=True))
    assert len(by_label) == 21
    assert by_label["11"] == pytest.approx(80 / 36)
    assert by_label["12"] == pytest.approx(2 * 80 / 36)
    assert dict(zip(cards.rows, cards.expected, strict=True))["X"] == pytest.approx([4 * 8 * 6 / 48] * 8)
    assert dict(zip(cards.rows, cards.expected, strict=True))["F"] == pytest.approx([4 * 5 * 6 / 48] * 8)
    assert sum(map(sum, cards.seen)) == 4 * 48
    assert tests["doubles"].expected[0] == pytest.approx([80 / 6, 80 * 5 / 6])


@pytest.mark.thorough
def test_each_key_with_enough_rolls_has_a_test() -> None:
    draws = collection(np.random.default_rng(13), 10)
    found = by_code(findings_of(draws))
    assert found["faces_keyhost"].seen == found["faces_host"].seen
    few = by_code(findings_of(collection(np.random.default_rng(13), 1)))
    assert not [code for code in few if code.startswith("faces_key")]


def test_holm() -> None:
    result = findings_of(collection(np.random.default_rng(14), SMALL))
    order = sorted(result.tests, key=lambda test: test.tails.strange)
    assert order[0].adjusted == pytest.approx(min(1, len(order) * order[0].tails.strange)) == result.strange
    assert [test.adjusted for test in order] == sorted(test.adjusted for test in order)


@pytest.mark.parametrize("games", [0, 1])
def test_next_to_nothing_says_next_to_nothing(games: int) -> None:
    result = findings_of(collection(np.random.default_rng(15), games, 1))
    assert not result.is_strange
    assert not result.says_much
    assert all(0 < test.adjusted <= 1 for test in result.tests)


def test_no_cards_and_no_dice_where_nothing_was_drawn() -> None:
    assert MODEL is not None
    result = findings_of(Draws(MODEL, 1))
    assert result == Findings((), 1.0, (), 0)
