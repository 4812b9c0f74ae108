"""Shadows of Macao for PettingZoo and OpenSpiel, by their own tests, and against the engine.

`python -m tests.research.test_macao` writes OpenSpiel's playthrough again.
"""

import pickle
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import Acted, Chance, Drawn, Terminal, Turn
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.research.numbers import ACTIONS, CARDS, COPIES, SIZE, TILES, observation
from p2p_shanghaien.games.macao.research.steps import MacaoInSteps, Stepwise
from p2p_shanghaien.games.macao.rules import Phase, State
from tests.research.test_halunken import marked

PLAYTHROUGH = Path(__file__).parent / "data" / "python_macao.txt"


# Payments card by card


def parts(action: str) -> list[str]:
    """Return the steps in which an action is taken."""
    start, _, paid = action.partition("=")
    return [start, *(f"pay:{card}" for card in paid.split("+") if card)]


def eager(legal: tuple[str, ...], rng: Random) -> str:
    """Return an action that mostly recruits or opens."""
    liked = [action for action in legal if action.startswith(("recruit", "open"))] if rng.random() < 0.8 else []
    return rng.choice(liked or legal)


def games(seed: int) -> Any:
    """Yield the steps of a game, with the positions before them, at which much is recruited."""
    rng, state = Random(seed), Macao().start()
    while not isinstance(node := state.node, Terminal):
        step: Acted | Drawn
        if isinstance(node, Chance):
            step = Drawn(tuple(rng.randrange(bound) for bound in node.bounds))
            after = state.apply_chance(step.indices)
        else:
            assert isinstance(node, Turn)
            step = Acted(node.player, eager(state.legal(node.player), rng))
            after = state.apply(step.action)
        yield state, step, after
        state = after


def test_every_legal_action_can_be_taken_in_steps_and_no_other() -> None:
    for before, step, _ in games(1):
        if isinstance(step, Acted):
            found = set()
            begun: list[tuple[Stepwise, tuple[str, ...]]] = [(Stepwise(before), ())]
            while begun:
                state, taken = begun.pop()
                for action in state.legal(step.player):
                    after, so_far = state.apply(action), (*taken, action)
                    if after.begun:
                        assert after.position == before
                        begun.append((after, so_far))
                    else:
                        found.add(so_far)
                        assert after.position == before.apply(joined(so_far))
            assert found == {tuple(parts(action)) for action in before.legal(step.player)}


def joined(taken: tuple[str, ...]) -> str:
    start, *paid = taken
    return start + ("=" if paid else "") + "+".join(card.removeprefix("pay:") for card in paid)


def test_what_is_not_open_is_refused() -> None:
    state = MacaoInSteps().start()
    with pytest.raises(Illegal):
        state.apply("take:1")
    for before, step, _ in games(1):
        if isinstance(step, Acted) and "=" in step.action:
            begun = Stepwise(before).apply(parts(step.action)[0])
            for action in ("take:1", parts(step.action)[0], "pay:killer-x"):
                with pytest.raises(Illegal):
                    begun.apply(action)
            assert begun.legal(1 - step.player) == ()
            assert begun.encode() == (before.encode(), parts(step.action)[0])
            return
    raise AssertionError


# Numbers


def test_every_action_once() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS) == 4 + 3 * 33 + 2 * 10


def test_observations_are_what_the_space_promises_and_tell_positions_apart() -> None:
    """But for the order of the known cards in a pile."""
    seen: dict[bytes, object] = {}
    for seed in range(3):
        for before, step, _ in games(seed):
            state = Stepwise(before)
            for action in parts(step.action) if isinstance(step, Acted) else ():
                for player in (0, 1):
                    found = observation(state, player)
                    assert found.shape == (SIZE,)
                    assert found.dtype == np.float32
                    assert found.min() >= 0
                    assert found.max() <= 1
                piles = [(pile.top, pile.unseen, sorted(pile.known)) for pile in before.piles]
                rest = (*(item for at, item in enumerate(before.encode()) if at != 10), piles, state.begun)
                assert seen.setdefault(observation(state, 0).tobytes(), rest) == rest
                state = state.apply(action)
            assert {*state.legal(0), *state.legal(1)} <= {*ACTIONS}


def test_either_player_sees_the_own_side_first() -> None:
    for before, _, _ in games(3):
        # in phase 6 the other decides; the turn is seen from either side alike
        swapped = before._replace(sides=before.sides[::-1], player=1 - before.player)
        for player in (0, 1):
            found = observation(Stepwise(before), player)
            assert np.array_equal(found, observation(Stepwise(swapped), 1 - player))


# OpenSpiel


@pytest.fixture(scope="module", name="pyspiel")
def fixture_pyspiel() -> Any:
    """OpenSpiel with our game, which is slow to import."""
    found = pytest.importorskip("pyspiel")
    import_module("p2p_shanghaien.games.macao.research.spiel")
    return found


def test_passes_the_random_simulation_with_serialisation(pyspiel: Any) -> None:
    pyspiel.random_sim_test(pyspiel.load_game("python_macao"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("seed", range(3))
def test_follows_the_engine(pyspiel: Any, seed: int) -> None:
    """Payments are decisions card by card, and each drawn tile or card is a chance event."""
    state: Any = pyspiel.load_game("python_macao").new_initial_state()
    paid = 0
    for before, step, _ in games(seed):
        assert state.position == Stepwise(before)
        if isinstance(step, Drawn):
            follow(state, before, step.indices)
            continue
        for action in parts(step.action):
            assert state.current_player() == step.player
            legal = {ACTIONS[number] for number in state.legal_actions()}
            assert legal == {*state.position.legal(step.player)}
            assert state.legal_actions(1 - step.player) == []
            assert state.string_to_action(step.player, action) == ACTIONS.index(action)
            state.apply_action(ACTIONS.index(action))
            paid += action.startswith("pay:")
    assert paid
    over = state.position.node
    assert isinstance(over, Terminal)
    assert state.is_terminal()
    assert state.returns() == ([0, 0] if over.winner is None else [1 - 2 * over.winner, 2 * over.winner - 1])


def follow(state: Any, before: State, indices: tuple[int, ...]) -> None:
    """Apply a draw, one event for each index; an outcome is as likely as it has copies."""
    tiles, unseen = [*before.deck.tile_ids], [*before.unseen]
    piles = range(1, 5) if before.phase == Phase.SET_UP else [before.pile + 1]
    places = [*(["tile"] * (len(indices) - len(piles))), *map(str, piles)]
    for place, index in zip(places, indices, strict=True):
        left = tiles if place == "tile" else unseen
        outcomes = dict(state.chance_outcomes())
        counts = Counter(left)
        names = TILES if place == "tile" else CARDS
        assert outcomes == pytest.approx({names.index(name): n / len(left) for name, n in counts.items()})
        drawn = names.index(left.pop(index))
        assert state.action_to_string(drawn) == f"{place}:{names[drawn]}"
        state.apply_action(drawn)


def test_the_limits_hold(pyspiel: Any) -> None:
    game = pyspiel.load_game("python_macao")
    for seed in range(3):
        rng, state = Random(seed), game.new_initial_state()
        decisions = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                chances += 1
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            else:
                decisions += 1
                state.apply_action(rng.choice(state.legal_actions()))
        assert chances <= game.max_chance_nodes_in_history()
        assert decisions <= game.max_game_length()


def playthrough() -> str:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    from p2p_shanghaien.games.macao.research import spiel

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    text: str = generate_playthrough.playthrough(spiel.SHORT_NAME, None, seed=2019)
    return text + "\n"


@pytest.mark.thorough
@pytest.mark.usefixtures("pyspiel")
def test_the_playthrough_is_the_one_that_is_kept() -> None:
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


# PettingZoo


@pytest.fixture(name="aec")
def fixture_aec() -> Any:
    pytest.importorskip("pettingzoo")
    return import_module("p2p_shanghaien.games.macao.research.aec")


@marked
def test_passes_the_api_test(aec: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test

    api_test(aec.env(), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@marked
def test_passes_the_seed_test(aec: Any) -> None:
    from pettingzoo.test import seed_test

    seed_test(aec.env, num_cycles=100)


def step(game: Any, rng: Random) -> str:
    """Take any legal action; return it."""
    seen, *_ = game.last()
    action = int(rng.choice([*np.flatnonzero(seen["action_mask"])]))
    game.step(action)
    return ACTIONS[action]


@pytest.mark.parametrize("seed", range(2))
def test_whoever_wins_is_rewarded(aec: Any, seed: int) -> None:
    game = aec.MacaoEnv()
    game.reset(seed=seed)
    total = dict.fromkeys(game.possible_agents, 0.0)
    rng = np.random.default_rng(seed)
    for agent in game.agent_iter():
        seen, reward, terminated, _, _ = game.last()
        total[agent] += reward
        game.step(None if terminated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    over = game.position.node
    assert isinstance(over, Terminal)
    expected = (0.0, 0.0) if over.winner is None else (1.0 - 2 * over.winner, 2.0 * over.winner - 1)
    assert tuple(total.values()) == expected


def test_can_be_copied_to_another_process(aec: Any) -> None:
    made = aec.MacaoEnv("ansi")
    copy = pickle.loads(pickle.dumps(made))
    for game in (made, copy):
        game.reset(seed=3)
    rngs = Random(4), Random(4)
    assert [step(made, rngs[0]) for _ in range(30)] == [step(copy, rngs[1]) for _ in range(30)]
    assert made.render() == copy.render()


def test_copies_are_those_of_a_game() -> None:
    """Three widows and 45 others."""
    assert sum(COPIES.values()) == 48


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
