"""Choosing in secret: each side is told that the other has chosen, and not what."""

import random

import pytest

from p2p_shanghaien.fairplay.effects import Committed
from p2p_shanghaien.games.api import Chosen, Simultaneous
from p2p_shanghaien.games.halunken.game import Halunken
from tests.pair import Pair, make_pair
from tests.session.memory import seat
from tests.session.test_series import play
from tests.toy import Toy


def before_a_choice(rng: random.Random) -> Pair:
    """Return a pair of which seat 0 is asked for a secret choice."""
    pair = make_pair(rng, Toy())
    pair.play(rng, until=lambda pair: isinstance(pair.sides[0].peer.match.state.node, Simultaneous))
    assert pair.sides[0].asked
    assert not pair.sides[1].asked
    return pair


def test_a_commitment_is_known_to_both() -> None:
    pair = before_a_choice(random.Random(5))
    for side in pair.sides:
        side.effects.clear()
    pair.act(0, "2")
    pair.settle()
    for side in pair.sides:
        assert [effect for effect in side.effects if isinstance(effect, Committed)] == [Committed(0)]
    assert pair.sides[1].asked, "now seat 1 is to choose"


def test_what_is_sent_for_a_choice_is_of_one_length() -> None:
    frames = set()
    for choice in ("1", "2", "3"):
        pair = before_a_choice(random.Random(5))
        pair.act(0, choice)
        frames.add(tuple(map(len, pair.wires[1])))
    assert len(frames) == 1


@pytest.mark.parametrize("number", range(2))
async def test_each_is_told_that_the_other_has_chosen_and_nothing_else(number: int) -> None:
    rng = random.Random(number)
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    assert await play(host, guest, host_changes=host.side.host_hello(Halunken())._asdict()) == (None, None)
    choices = sum(isinstance(step, Chosen) for step in host.onlooker.steps)
    assert choices == 8
    for who, code, other in ((host, "choice_made", "Gustav"), (guest, "has_chosen", "Hanna")):
        told = [details for each, details in who.onlooker.news if each in ("choice_made", "has_chosen")]
        assert told == [{"name": other}] * choices
        assert who.onlooker.codes.count(code) == choices
