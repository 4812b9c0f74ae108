"""Choosing in secret: each side is told that the other has chosen, and not what."""

import asyncio
import random
from functools import partial

import pytest

from p2p_shanghaien.fairplay.effects import ChoiceMade
from p2p_shanghaien.games.api import Chosen, Simultaneous
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.session.series import Saved, Series
from tests.pair import Pair, make_pair
from tests.session.memory import MemoryLog, listener, seat
from tests.session.test_series import play
from tests.toy import Toy


def before_a_choice(rng: random.Random) -> Pair:
    """Return a pair of which seat 0 is asked for a secret choice."""
    pair = make_pair(rng, Toy())
    pair.play(rng, until=lambda pair: isinstance(pair.sides[0].endpoint.match.state.node, Simultaneous))
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
        assert [effect for effect in side.effects if isinstance(effect, ChoiceMade)] == [ChoiceMade(0)]
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
    assert await play(host, guest, game=Halunken()) == (None, None)
    choices = sum(isinstance(step, Chosen) for step in host.onlooker.steps)
    assert choices == 8
    for who, code, other in ((host, "choice_made", "Gustav"), (guest, "has_chosen", "Hanna")):
        told = [details for each, details in who.onlooker.news if each in ("choice_made", "has_chosen")]
        assert told == [{"name": other}] * choices
        assert who.onlooker.codes.count(code) == choices


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize(("number", "code"), [(0, "choice_made"), (1, "has_chosen")])
async def test_whoever_starts_the_program_again_sees_that_a_choice_was_made(
    number: int, code: str, committed: bool
) -> None:
    """This is before the peer is connected."""
    rng = random.Random(5)
    pair = before_a_choice(rng)
    if committed:
        pair.act(0, "2")
        pair.settle()
    endpoint, who = pair.sides[number].endpoint, seat("Ada", rng)
    hello = partial(who.side.host_hello, Toy())
    series = Series(who.side, listener(who.side, hello), hello)
    kept = MemoryLog(endpoint.match.session.id, b"")
    resumed = asyncio.create_task(
        series.resume(Saved(endpoint.match, endpoint.entries, number, bytes(32), kept, False))
    )
    while "opponent_awaited" not in who.onlooker.codes:
        await asyncio.sleep(0)
    assert (code in who.onlooker.codes) == committed
    resumed.cancel()
    await asyncio.wait({resumed})
