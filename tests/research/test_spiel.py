"""The OpenSpiel game, by OpenSpiel's own tests, against the engine, and against a playthrough that is kept.

`python -m tests.research.test_spiel` writes the playthrough again.
"""

from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.games.api import Acted, Drawn, Terminal
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import ACTIONS, CARDS, ROLLS
from tests.games.playing import play

NAMES = ["python_shanghaien", "python_shanghaien(variant=extra-wild,tricks=p0 b8 r0)"]
PLAYTHROUGH = Path(__file__).parent / "data" / "python_shanghaien.txt"


@pytest.fixture(scope="module", name="pyspiel")
def fixture_pyspiel() -> Any:
    """OpenSpiel with our game, which is slow to import."""
    found = pytest.importorskip("pyspiel")
    import_module("p2p_shanghaien.games.shanghaien.research.spiel")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_passes_the_random_simulation_with_serialisation(pyspiel: Any, name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_the_parameters_are_the_options(pyspiel: Any) -> None:
    state: Any = pyspiel.load_game(NAMES[1]).new_initial_state()
    assert state.position == Shanghaien("extra-wild", (0, 8, 0)).start()
    assert pyspiel.load_game(NAMES[0]).new_initial_state().position == Shanghaien().start()


@pytest.mark.parametrize("seed", range(5))
def test_follows_the_engine(pyspiel: Any, seed: int) -> None:
    """A row is six chance events, a roll one; probabilities are those of the cards and dice that are left."""
    game = pyspiel.load_game("python_shanghaien(variant=extra-wild)")
    state: Any = game.new_initial_state()
    for before, step, after in play(Shanghaien("extra-wild"), Random(seed), "!"):
        assert state.position == before
        match step:
            case Acted(player, action):
                assert state.current_player() == player
                assert {ACTIONS[number] for number in state.legal_actions()} == set(before.legal(player))
                assert state.string_to_action(player, action) == ACTIONS.index(action)
                state.apply_action(ACTIONS.index(action))
            case Drawn() if after.dice:
                assert dict(state.chance_outcomes()) == pytest.approx(rolled())
                state.apply_action(ROLLS.index(after.dice))
            case _:
                left = list(before.pile)
                for card in after.row:
                    outcomes = {CARDS[number]: chance for number, chance in state.chance_outcomes()}
                    assert outcomes == pytest.approx({each: left.count(each) / len(left) for each in left})
                    state.apply_action(CARDS.index(card))
                    left.remove(card)
    over = state.position.node
    assert isinstance(over, Terminal)
    assert state.is_terminal()
    signs = [0, 0] if over.winner is None else [1 - 2 * over.winner, 2 * over.winner - 1]
    assert state.returns() == signs


def rolled() -> dict[int, float]:
    """Return the chance of each roll, by counting all 36."""
    both = [tuple(sorted(dice)) for dice in product(range(1, 7), repeat=2)]
    return {number: both.count(dice) / 36 for number, dice in enumerate(ROLLS)}


def test_the_limits_hold_and_are_reached(pyspiel: Any) -> None:
    """A player who rolls as long as possible and plays a trick in every round has the longest game."""
    game = pyspiel.load_game("python_shanghaien(variant=extra-wild,tricks=p0 b0 r8)")
    for seed in range(30):
        rng, state = Random(seed), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            else:
                legal = [action for action in state.legal_actions() if ACTIONS[action] != "#"]
                tricks = [action for action in legal if ACTIONS[action][0] == "!"]
                state.apply_action(rng.choice(tricks or legal or state.legal_actions()))
        history = state.full_history()
        chances = sum(event.player == pyspiel.PlayerId.CHANCE for event in history)
        assert chances <= game.max_chance_nodes_in_history()
        assert len(history) - chances <= game.max_game_length()


def playthrough() -> str:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    from p2p_shanghaien.games.shanghaien.research import spiel

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    text: str = generate_playthrough.playthrough(spiel.SHORT_NAME, None, seed=2008)
    return text + "\n"


@pytest.mark.usefixtures("pyspiel")
def test_the_playthrough_is_the_one_that_is_kept() -> None:
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
