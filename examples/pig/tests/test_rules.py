"""The rules, by examples and by many random games."""

from random import Random

import pytest

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import Chance, Terminal, Turn
from shanghaien_pig.rules import HOLD, ROLL, State


def rolled(state: State, *faces: int) -> State:
    for face in faces:
        state = state.apply(ROLL).apply_chance((face - 1,))
    return state


def test_a_turn_begins_with_a_roll() -> None:
    state = State(100)
    assert state.node == Turn(0)
    assert state.legal(0) == (ROLL,)
    assert state.legal(1) == ()
    with pytest.raises(Illegal):
        state.apply(HOLD)
    assert state.apply(ROLL).node == Chance((6,))


def test_rolls_add_up_until_the_player_holds() -> None:
    state = rolled(State(100), 3, 6, 2)
    assert (state.node, state.total, state.scores) == (Turn(0), 11, (0, 0))
    assert state.legal(0) == (ROLL, HOLD)
    state = state.apply(HOLD)
    assert (state.node, state.total, state.scores) == (Turn(1), 0, (11, 0))


def test_a_one_loses_the_turn_and_nothing_else() -> None:
    state = rolled(rolled(State(100), 5).apply(HOLD), 6, 6, 1)
    assert (state.node, state.total, state.scores) == (Turn(0), 0, (5, 0))


@pytest.mark.parametrize(("faces", "reached"), [((6, 3), False), ((6, 4), True), ((6, 6), True)])
def test_who_has_enough_holds_and_wins(faces: tuple[int, ...], reached: bool) -> None:
    state = rolled(State(10), *faces)
    assert state.legal(0) == ((HOLD,) if reached else (ROLL, HOLD))
    over = state.apply(HOLD).node
    assert over == (Terminal((sum(faces), 0), 0) if reached else Turn(1))


def test_the_second_player_can_win() -> None:
    state = rolled(rolled(State(10), 1), 5, 5).apply(HOLD)
    assert state.node == Terminal((0, 10), 1)
    assert state.legal(0) == state.legal(1) == ()


@pytest.mark.parametrize("indices", [(), (6,), (-1,), (0, 0)])
def test_the_die_has_six_sides(indices: tuple[int, ...]) -> None:
    with pytest.raises(Illegal) as raised:
        State(100).apply(ROLL).apply_chance(indices)
    assert raised.value.code == "draw_out_of_bounds"


def test_what_is_not_awaited_is_illegal() -> None:
    with pytest.raises(Illegal):
        State(100).apply_chance((0,))
    with pytest.raises(Illegal):
        State(100).apply_joint((ROLL, ROLL))
    with pytest.raises(Illegal):
        State(100).apply(ROLL).apply(ROLL)


@pytest.mark.parametrize("seed", range(20))
def test_every_game_ends_with_one_winner(seed: int) -> None:
    rng, state = Random(seed), State(goal=30)
    while not isinstance(node := state.node, Terminal):
        before = state
        match node:
            case Chance((sides,)):
                state = state.apply_chance((rng.randrange(sides),))
            case Turn(player):
                state = state.apply(rng.choice(state.legal(player)))
        assert state.encode() != before.encode()
        assert all(now >= then for now, then in zip(state.scores, before.scores, strict=True))
    assert node.winner is not None
    assert node.scores[node.winner] >= 30 > node.scores[1 - node.winner]
