"""Whole games over real sockets, with the connection cut, frozen, slowed down and chopped up on the way."""

import os
from collections.abc import Sequence

import pytest

from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.fairplay.verify import verify
from tests.faults.proxy import TO_GUEST, TO_HOST, Plan
from tests.faults.sitting import check_finished, game, play, seats
from tests.pair import GAMES
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SHARDS = 4
STRIDE = int(os.environ.get("SHANGHAIEN_CUT_STRIDE", "41"))
"""Every how many bytes a game is cut; 1 is every byte, and takes twenty minutes."""

EVERYTHING = 0
"""The seed of a game that has every kind of entry (checked below)."""


async def lengths(seed: int) -> tuple[int, int]:
    """Return how many bytes a game takes in each direction, if nothing happens to it."""
    host, guest = seats(seed)
    (line,) = await play(host, guest, game(seed))
    check_finished(host, guest)
    return line.passed[TO_HOST], line.passed[TO_GUEST]


async def test_the_game_that_is_cut_has_every_kind_of_entry() -> None:
    host, guest = seats(EVERYTHING)
    await play(host, guest, game(EVERYTHING))
    kinds = {entry.kind for entry in verify(host.logs[0].data, GAMES).entries}
    assert kinds == set(Kind) - {Kind.RESIGNATION, Kind.ABANDONMENT}


@sweep("shard", range(SHARDS), every=SHARDS)
@sweep("direction", [TO_HOST, TO_GUEST], every=2)
async def test_cut_at_any_byte_a_game_is_finished_all_the_same(direction: int, shard: int) -> None:
    length = (await lengths(EVERYTHING))[direction]
    for at in range(shard * STRIDE, length, SHARDS * STRIDE):
        await cut(EVERYTHING, [direction], at)


@sweep("shard", range(SHARDS), every=SHARDS)
@sweep("direction", [TO_HOST, TO_GUEST], every=2)
async def test_cut_at_any_byte_of_meeting_again_a_game_is_finished_all_the_same(direction: int, shard: int) -> None:
    for at in range(shard * STRIDE, 1800, SHARDS * STRIDE):
        await cut(EVERYTHING, [TO_GUEST, direction], 1900, at)


async def cut(seed: int, directions: Sequence[int], *bytes_passed: int) -> None:
    """Play a game whose first connections are cut so."""
    host, guest = seats(seed)
    cuts = [(at, None) if way == TO_HOST else (None, at) for way, at in zip(directions, bytes_passed, strict=True)]
    try:
        lines = await play(host, guest, game(seed), [Plan(cut=cut, abrupt=bool(sum(bytes_passed) % 2)) for cut in cuts])
        check_finished(host, guest)
    except BaseException as error:
        error.add_note(f"cut in {directions} after {bytes_passed} bytes")
        raise
    assert all(line.passed[way] <= at for line, way, at in zip(lines, directions, bytes_passed, strict=False))
