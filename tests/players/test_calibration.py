"""Win probabilities of master before the last rounds come true in games played to the end."""

from random import Random

import pytest

from benchmarks.calibration import Prediction, binned, game, play_on, summed, table
from fitting.positions import games

PLAYED = 60
DEVIATIONS = 3.5
"""Standard deviations that a mean may be off: one of 2,000 right ones is."""


@pytest.fixture(scope="module")
def predictions() -> list[Prediction]:
    """Return one prediction a game, so that they are independent: before rounds 6, 7 and 8 of games of others."""
    rng = Random(2008)
    begun = [states[5 + place % 3] for place, states in enumerate(games(PLAYED, rng))]
    return [play_on(state, rng)[0] for state in begun]


@pytest.mark.thorough
def test_what_is_expected_comes_true(predictions: list[Prediction]) -> None:
    for low, high in ((0, 1), (0, 0.3), (0.3, 0.7), (0.7, 1)):
        found = summed([prediction for prediction in predictions if low <= prediction.chance <= high])
        assert found.positions > 5
        assert abs(found.won - found.predicted) <= found.reach * DEVIATIONS / 1.96


@pytest.mark.thorough
def test_chances_tell_winners_from_losers(predictions: list[Prediction]) -> None:
    """A mean squared error well below the 0.25 of whoever calls every game even."""
    assert sum((found.chance - found.won) ** 2 for found in predictions) / PLAYED < 0.2


@pytest.mark.thorough
def test_a_game_has_a_prediction_a_round_and_one_result() -> None:
    found = game("1")
    assert [prediction.round for prediction in found] == list(range(1, 9))
    assert len({prediction.won for prediction in found}) == 1


def test_bins_and_their_table() -> None:
    some = [Prediction(8, 0.31, 0.0), Prediction(8, 0.39, 1.0), Prediction(7, 1.0, 1.0), Prediction(2, 0.0, 0.5)]
    bins = binned(some)
    assert [found and found.positions for found in bins] == [1, None, None, 2, None, None, None, None, None, 1]
    alike = bins[3]
    assert alike
    assert alike[1:3] == pytest.approx((0.35, 0.5))
    assert alike.reach == pytest.approx(1.96 * (0.31 * 0.69 + 0.39 * 0.61) ** 0.5 / 2)
    assert "| 30-40% | 35 (0 to 100): 50, 2 |" in table(some)
