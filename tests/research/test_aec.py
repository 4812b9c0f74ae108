"""The PettingZoo environment, by PettingZoo's own tests and against the engine."""

import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.shanghaien.research.aec import AGENTS, ShanghaienEnv, env
from p2p_shanghaien.games.shanghaien.research.numbers import ACTIONS

# PettingZoo's test warns of what its own documentation asks for: a dictionary with a mask, empty where nothing is legal
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

OPTIONS: list[dict[str, Any]] = [{}, {"variant": "extra-wild", "tricks": "p0 b8 r0"}]


@pytest.mark.parametrize("options", OPTIONS)
def test_passes_the_api_test(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(**options), num_cycles=500)
    assert "Passed API test" in capsys.readouterr().out


def test_passes_the_seed_test() -> None:
    seed_test(env, num_cycles=200)


def play(game: Any, seed: int) -> list[str]:
    """Return the actions of a random game."""
    game.reset(seed=seed)
    rng = np.random.default_rng(seed)
    done = []
    for _ in game.agent_iter():
        seen, _, terminated, truncated, _ = game.last()
        if terminated or truncated:
            game.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        done.append(ACTIONS[action])
        game.step(action)
    return done


def test_the_seed_decides() -> None:
    assert play(env(), 1) == play(env(), 1) != play(env(), 2)


@pytest.mark.parametrize("seed", range(5))
def test_whoever_wins_is_rewarded(seed: int) -> None:
    game = ShanghaienEnv(render_mode="ansi")
    game.reset(seed=seed)
    total = dict.fromkeys(AGENTS, 0.0)
    rng = np.random.default_rng(seed)
    for agent in game.agent_iter():
        seen, reward, terminated, _, _ = game.last()
        assert seen is not None
        total[agent] += reward
        game.step(None if terminated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    over = game.position.node
    assert isinstance(over, Terminal)
    expected = (0.0, 0.0) if over.winner is None else (1.0 - 2 * over.winner, 2.0 * over.winner - 1)
    assert tuple(total.values()) == expected
    assert "round=8" in str(game.render())


def test_an_illegal_action_loses(caplog: pytest.LogCaptureFixture) -> None:
    game = env()
    game.reset(seed=1)
    game.step(ACTIONS.index("#"))
    assert "Illegal move" in caplog.text
    assert game.terminations == dict.fromkeys(AGENTS, True)
    assert game.rewards["player_0"] == -1


def test_can_be_copied_to_another_process() -> None:
    made = ShanghaienEnv("extra-wild", "p0 b8 r0")
    copy = pickle.loads(pickle.dumps(made))
    assert play(copy, 4) == play(made, 4)
