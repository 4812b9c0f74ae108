"""Games at random over lines that are cut, freeze, dawdle, chop and say things twice at random."""

import os
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.faults.proxy import STRAIGHT, TO_GUEST, TO_HOST, Plan
from tests.faults.sitting import check_finished, game, play, seats
from tests.sweeps import sweep
from tests.toy import Toy

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

GAMES = int(os.environ.get("SHANGHAIEN_FAULTY_GAMES", "32"))
"""The number of games with random faults."""


def errors(rng: random.Random, longest: int) -> Iterator[Plan]:
    """Up to eight bad connections, whose troubles begin within `longest` bytes."""
    for _ in range(rng.randrange(1, 9)):
        ends: list[int | None] = [None, None]
        ends[rng.randrange(2)] = rng.randrange(longest)
        pair = ends[TO_HOST], ends[TO_GUEST]
        piece, delay = rng.choice(((1, 0.0), (7, 0.0), (100, 0.005))) if rng.random() < 0.3 else (65_536, 0.0)
        plan = Plan(piece=piece, delay=delay, doubled=rng.random() < 0.3)
        if rng.random() < 0.25:
            yield plan._replace(freeze=pair)
        else:
            yield plan._replace(cut=pair, abrupt=rng.random() < 0.5)


@sweep("seed", range(GAMES), every=20)
async def test_whatever_happens_to_the_line_both_finish_the_same_game(seed: int) -> None:
    rng = random.Random(seed)
    whole: Game[Any] = Shanghaien() if seed % 16 == 0 else Toy(3)
    host, guest = seats(seed)
    await play(host, guest, whole, errors(rng, 40_000 if seed % 16 == 0 else 4_000))
    check_finished(host, guest)


async def test_a_line_that_hands_over_single_bytes_is_slow_and_nothing_else() -> None:
    host, guest = seats(1)
    lines = await play(host, guest, game(1), [Plan(piece=1)], deadline=20, keepalive=20)
    check_finished(host, guest)
    assert len(lines) == 1


async def test_a_line_that_says_everything_twice_disturbs_nobody() -> None:
    """Over the second connection the guest proves nothing: its signature is over what the host said on the first."""
    host, guest = seats(1)
    lines = await play(host, guest, game(1), [Plan(doubled=True)])
    check_finished(host, guest)
    assert len(lines) == 1


@pytest.mark.thorough
@sweep("at, direction", product([0, 100, 700, 1200, 1500], [TO_HOST, TO_GUEST]), every=3)
async def test_a_line_that_freezes_and_stays_open_is_replaced(at: int, direction: int) -> None:
    """Nothing passes and nobody is told: only the missing answer to a ping shows it."""
    host, guest = seats(1)
    freeze = (at, None) if direction == TO_HOST else (None, at)
    lines = await play(host, guest, game(1), [Plan(freeze=freeze), STRAIGHT])
    check_finished(host, guest)
    assert len(lines) > 1
