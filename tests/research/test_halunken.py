"""Halunken & Spelunken for PettingZoo and OpenSpiel, by their own tests, and against the engine.

`python -m tests.research.test_halunken` writes OpenSpiel's playthrough again.
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
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Simultaneous, Terminal
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.research.numbers import ACTIONS, SIZE, observation
from p2p_shanghaien.games.halunken.rules import State
from tests.games.playing import play

GAMES = [Halunken(), Halunken(blackjack="off"), Halunken(hands="3", theft="may")]
NAMES = ["python_halunken", "python_halunken(blackjack=off)", "python_halunken(hands=3,theft=may)"]
CARDS = "1234567r"
PAIRS = ("shown", "numbers", "captains", "cards", "crews", "scores")
PLAYERS = ("opener", "hirer")
"""Fields of a position that are by player, and those that name one."""
PLAYTHROUGH = Path(__file__).parent / "data" / "python_halunken.txt"

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(dict(game.settings).values()))


# Numbers


def test_every_action_once() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS) == 14 + 42 + 1 + 8 + 64 + 7 + 7 + 42 + 1 + 42


@every_game
def test_whatever_is_legal_has_a_number(game: Halunken) -> None:
    for seed in range(10):
        for before, _, _ in play(game, Random(seed)):
            assert {*before.legal(0), *before.legal(1)} <= set(ACTIONS)


@every_game
def test_observations_are_what_the_space_promises_and_tell_positions_apart(game: Halunken) -> None:
    seen: dict[bytes, State] = {}
    for seed in range(3):
        for before, _, _ in play(game, Random(seed)):
            for player in (0, 1):
                found = observation(before, player)
                assert found.shape == (SIZE,)
                assert found.dtype == np.float32
                assert found.min() >= 0
                assert found.max() <= 1
            if not isinstance(before.node, Chance):
                assert seen.setdefault(observation(before, 0).tobytes(), before) == before


@every_game
def test_either_player_sees_the_own_side_first(game: Halunken) -> None:
    for before, _, _ in play(game, Random(3)):
        pairs = {name: exchanged(getattr(before, name)) for name in PAIRS}
        others = {name: None if getattr(before, name) is None else 1 - getattr(before, name) for name in PLAYERS}
        if not isinstance(before.node, Simultaneous):
            others["player"] = 1 - before.player
        changes: dict[str, Any] = {**pairs, **others}
        swapped = before._replace(**changes)
        assert np.array_equal(observation(before, 0), observation(swapped, 1))


def exchanged(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what is by players, and perhaps Black Jack, with the players exchanged."""
    first, second, *rest = items
    return second, first, *rest


# OpenSpiel


@pytest.fixture(scope="module", name="pyspiel")
def fixture_pyspiel() -> Any:
    """OpenSpiel with our game, which is slow to import."""
    found = pytest.importorskip("pyspiel")
    import_module("p2p_shanghaien.games.halunken.research.spiel")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_passes_the_random_simulation_with_serialisation(pyspiel: Any, name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_its_secret_choices_can_be_made_sequential(pyspiel: Any) -> None:
    """OpenSpiel's own transformation knows them for what they are, so that its tree searches take the game."""
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(NAMES[0]))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION


def test_the_parameters_are_the_options(pyspiel: Any) -> None:
    for name, game in zip(NAMES, GAMES, strict=True):
        assert pyspiel.load_game(name).new_initial_state().position == game.start()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "game"), [*zip(NAMES, GAMES, strict=True)], ids=NAMES)
def test_follows_the_engine(pyspiel: Any, name: str, game: Halunken, seed: int) -> None:
    """Secret choices are simultaneous nodes, and each drawn rogue, card or number is a chance event."""
    state: Any = pyspiel.load_game(name).new_initial_state()
    nodes = Counter[str]()
    for before, step, _ in play(game, Random(seed)):
        assert state.position == before
        match step:
            case Acted(player, action):
                nodes["turn"] += 1
                assert state.current_player() == player
                assert {ACTIONS[number] for number in state.legal_actions()} == set(before.legal(player))
                assert state.legal_actions(1 - player) == []
                assert state.string_to_action(player, action) == ACTIONS.index(action)
                state.apply_action(ACTIONS.index(action))
            case Chosen(actions):
                nodes["choice"] += 1
                assert state.is_simultaneous_node()
                for player in (0, 1):
                    legal = {ACTIONS[number] for number in state.legal_actions(player)}
                    assert legal == set(before.legal(player))
                state.apply_actions([ACTIONS.index(action) for action in actions])
            case Drawn(indices):
                nodes["draw"] += 1
                follow(state, before, indices)
    over = state.position.node
    assert isinstance(over, Terminal)
    assert state.is_terminal()
    assert state.returns() == ([0, 0] if over.winner is None else [1 - 2 * over.winner, 2 * over.winner - 1])
    assert nodes["choice"] == 8 * int(game.hands)
    assert nodes["turn"]
    assert nodes["draw"]


def follow(state: Any, before: State, indices: tuple[int, ...]) -> None:
    """Apply a draw, one event for each index; all outcomes of an event are equally likely."""
    pile = [*before.pile]
    for index, den in zip(indices, before.hidden or (0,), strict=True):
        names = [state.action_to_string(number) for number, _ in state.chance_outcomes()]
        if den:
            drawn = f"{den}:{pile.pop(index)}"
            assert len(names) == len(pile) + 1
        elif before.shown[2]:
            drawn = f"J={index + 1}"
            assert names == [f"J={number}" for number in range(1, 8)]
        else:
            drawn = f"J:{before.cards[2][index]}"
            assert names == [f"J:{card}" for card in before.cards[2]]
        chances = [chance for _, chance in state.chance_outcomes()]
        assert chances == pytest.approx([1 / len(names)] * len(names))
        state.apply_action(state.chance_outcomes()[names.index(drawn)][0])


@pytest.mark.parametrize("name", NAMES)
def test_the_limits_hold(pyspiel: Any, name: str) -> None:
    """Players bid as low as they can, so that auctions are long, and agree on cards as often as they can."""
    game = pyspiel.load_game(name)
    for seed in range(10):
        rng, state = Random(seed), game.new_initial_state()
        decisions = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                chances += 1
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
                continue
            decisions += 1
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
                continue
            bids = [action for action in state.legal_actions() if ACTIONS[action].startswith("bid:")]
            lowest = sorted(bids, key=lambda action: int(ACTIONS[action][5:]))
            state.apply_action(lowest[0] if lowest else rng.choice(state.legal_actions()))
        assert chances <= game.max_chance_nodes_in_history()
        assert decisions <= game.max_game_length()


def playthrough() -> str:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    from p2p_shanghaien.games.halunken.research import spiel

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    text: str = generate_playthrough.playthrough(spiel.SHORT_NAME, None, seed=2008)
    return text + "\n"


@pytest.mark.usefixtures("pyspiel")
def test_the_playthrough_is_the_one_that_is_kept() -> None:
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


# PettingZoo

# PettingZoo's test warns of what its own documentation asks for: a dictionary with a mask, empty where nothing is legal
quietly = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.fixture(name="aec")
def fixture_aec() -> Any:
    pytest.importorskip("pettingzoo")
    return import_module("p2p_shanghaien.games.halunken.research.aec")


def marked(function: Any) -> Any:
    for mark in quietly:
        function = mark(function)
    return function


@marked
@pytest.mark.parametrize("options", [{}, {"blackjack": "off"}, {"hands": "3", "theft": "may"}])
def test_passes_the_api_test(aec: Any, options: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test

    api_test(aec.env(**options), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@marked
def test_passes_the_seed_test(aec: Any) -> None:
    from pettingzoo.test import seed_test

    seed_test(aec.env, num_cycles=200)


def at_a_choice(aec: Any, seed: int, round_: int) -> Any:
    """Return the environment at the secret choice of a round."""
    game = aec.HalunkenEnv(render_mode="ansi")
    game.reset(seed=seed)
    rng = Random(seed)
    while not (isinstance(game.position.node, Simultaneous) and game.position.round == round_):
        step(game, rng)
    return game


def step(game: Any, rng: Random) -> str:
    """Take any legal action; return it."""
    seen, *_ = game.last()
    action = int(rng.choice([*np.flatnonzero(seen["action_mask"])]))
    game.step(action)
    return ACTIONS[action]


def views(game: Any) -> list[bytes]:
    seen = [game.observe(agent)[name] for agent in game.possible_agents for name in ("observation", "action_mask")]
    return [array.tobytes() for array in seen]


@pytest.mark.parametrize("round_", [1, 4, 8])
def test_the_second_does_not_see_what_the_first_has_chosen(aec: Any, round_: int) -> None:
    """Whatever it is, all that either agent, or the screen, can see is the same."""
    count = len(at_a_choice(aec, 1, round_).position.legal(0))
    seen = set()
    for place in range(count):
        game = at_a_choice(aec, 1, round_)
        before = game.observe("player_1")["observation"]
        assert game.agent_selection == "player_0"
        game.step(ACTIONS.index(game.position.legal(0)[place]))
        assert game.agent_selection == "player_1"
        assert np.array_equal(game.observe("player_1")["observation"], before)
        seen.add((*views(game), game.render(), str(game.rewards), str(game.infos)))
    assert len(seen) == 1


@pytest.mark.parametrize("seed", range(4))
def test_both_choices_take_effect_together(aec: Any, seed: int) -> None:
    game = at_a_choice(aec, seed, 2)
    before = game.position
    chosen = step(game, Random(1))
    assert game.position == before
    answer = step(game, Random(2))
    after = before.apply_joint((chosen, answer))
    found = game.position
    assert (found.shown, found.cards) == (after.shown, after.cards) or found.round > before.round


def test_the_first_choice_is_checked_at_once(aec: Any) -> None:
    game = at_a_choice(aec, 1, 2)
    used = next(card for card in CARDS if card not in game.position.cards[0])
    his = f"+{game.position.cards[2][0]}" if game.position.hirer == 0 else ""
    with pytest.raises(Illegal):
        game.step(ACTIONS.index(used + his))
    assert game.agent_selection == "player_0"


@pytest.mark.parametrize("seed", range(5))
def test_whoever_wins_is_rewarded(aec: Any, seed: int) -> None:
    game = aec.HalunkenEnv()
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
    made = aec.HalunkenEnv("off", "3", "may")
    copy = pickle.loads(pickle.dumps(made))
    for game in (made, copy):
        game.reset(seed=3)
    rngs = Random(4), Random(4)
    assert [step(made, rngs[0]) for _ in range(30)] == [step(copy, rngs[1]) for _ in range(30)]


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
