"""The fast courses of a round lead where the rules lead, and have the same values."""

from random import Random
from statistics import fmean

import numpy as np
import pytest

from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players.courses import Rows, finish, row
from p2p_shanghaien.games.halunken.players.crews import PLACE, bits, gains, losses, members, points, sizes
from p2p_shanghaien.games.halunken.rogues import DECK, score
from p2p_shanghaien.games.halunken.rules import Phase, State
from tests.games.playing import play
from tests.sweeps import sweep

MIDDLE = (
    Phase.NAME,
    Phase.ROB_CAPTAIN,
    Phase.ROB_JACK,
    Phase.JACK_CARD,
    Phase.JACK_NAME,
    Phase.JACK_NUMBER,
    Phase.JACK_ROB,
    Phase.LOSE,
)


def random_crew(rng: Random) -> tuple[str, ...]:
    return tuple(rogue for rogue in DECK if rng.random() < 0.2)


def test_crews_are_worth_what_the_rules_say() -> None:
    rng = Random(1)
    for _ in range(200):
        crew = random_crew(rng)
        array = np.array([bits(crew)], np.uint64)
        now = score(crew).points
        assert points(array) == [now]
        assert sizes(array) == [len(crew)]
        assert {DECK[place] for place in np.flatnonzero(members(array)[0])} == set(crew)
        for rogue in DECK:
            if rogue in crew:
                fewer = [each for each in crew if each != rogue]
                assert losses(array)[0, PLACE[rogue]] == now - score(fewer).points
            else:
                assert gains(array)[0, PLACE[rogue]] == score((*crew, rogue)).points - now


def middle(phase: int, count: int, **options: str) -> list[State]:
    """Return positions of a phase in random games, one of each game."""
    found: list[State] = []
    for seed in range(1000):
        for moment in play(Halunken(**options), Random(seed)):
            if moment.before.phase == phase and moment.before.round > 8 - (seed % 8):
                found.append(moment.before)
                break
        if len(found) == count:
            return found
    raise AssertionError(phase)


def fingerprint(rows: Rows) -> np.ndarray:
    """Return a number for each position, of the size of a margin, that depends on all but tops and pile."""
    parts = [
        points(rows.crews[:, 0]) - points(rows.crews[:, 1]),
        0.01 * (rows.captains @ np.array([3, 5])),
        0.013 * rows.jack,
        0.0017 * sizes(rows.boat),
        0.00011 * (rows.left @ np.arange(1, 15)),
    ]
    return np.asarray(sum(parts), float)


def by_rules(state: State, number: int) -> float:
    """Return the value of a position by the rules, step by step: `fingerprint` at the end of the round."""
    if state.round != number or isinstance(state.node, Terminal):
        return float(fingerprint(row(state))[0])
    match state.node:
        case Turn(player):
            values = [by_rules(state.apply(action), number) for action in state.legal(player)]
            return (max, min)[player](values)
        case Chance((bound,)):
            return fmean(by_rules(state.apply_chance((index,)), number) for index in range(bound))
        case Chance(bounds):
            # two dens, and nothing depends on what comes up there
            return by_rules(state.apply_chance([0 for _ in bounds]), number)
        case _:
            raise AssertionError(state)


@pytest.mark.parametrize("phase", MIDDLE)
@sweep("theft", ["may", "takes"], every=2)
def test_courses_have_the_values_of_the_rules(phase: int, theft: str, thorough: bool) -> None:
    for state in middle(phase, 6 if thorough else 2, theft=theft):
        courses = finish(state, thorough=True)
        (value,) = courses.fold(fingerprint(courses.rows)[:, None])[0]
        assert value == pytest.approx(by_rules(state, state.round)), state


def test_courses_of_the_simple_game_have_the_values_of_the_rules(thorough: bool) -> None:
    for state in middle(Phase.NAME, 10 if thorough else 3, blackjack="off"):
        courses = finish(state, thorough=True)
        jack = courses.rows.jack.copy()
        courses.rows.jack[:] = -1
        (value,) = courses.fold(fingerprint(courses.rows)[:, None])[0]
        assert (jack < 0).all()
        simple = by_rules(state, state.round)
        assert value == pytest.approx(simple + 0.013 * (-1 - int(row(state).jack[0])))


def test_quick_courses_steal_and_lose_what_is_best_at_once() -> None:
    """In the last round, with one theft or loss to come, that is best."""
    for phase in (Phase.JACK_ROB, Phase.LOSE):
        for state in middle(phase, 8):
            if phase == Phase.LOSE and len(state.met) > 1:
                continue
            for each in (finish(state, thorough=True), finish(state, thorough=False)):
                margin = points(each.rows.crews[:, 0]) - points(each.rows.crews[:, 1])
                (value,) = each.fold(margin[:, None].astype(float))[0]
                best = [state.apply(action) for action in state.legal(state.player)]
                margins = [score(after.crews[0]).points - score(after.crews[1]).points for after in best]
                assert value == (max, min)[state.player](margins)
