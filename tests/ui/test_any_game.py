"""A game that the program has never heard of is played as soon as it brings its table along."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

import pytest

from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Simultaneous, State, Step, Terminal, Turn, advance
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.page import Proof, drawn, page
from p2p_shanghaien.ui.snapshots import closing, snapshots
from p2p_shanghaien.ui.stepper import show_place
from p2p_shanghaien.ui.view import viewpoint
from tests.sweeps import sweep
from tests.toy import Toy
from tests.ui.desk import Desk
from tests.ui.full.desk import full_table, settled, shown, text

NAMES = ("Ada", "Ben")
Decide = Callable[[State, Sequence[str]], Awaitable[str]]


pytestmark = pytest.mark.usefixtures("_toy_is_installed")


async def _play(decide: Decide, stepped: Callable[[State, Step, State], None], seed: int) -> State:
    """Return a whole game: `decide` is asked for player 0, chance and player 1 are random."""
    rng = random.Random(seed)
    state: State = Toy().start()
    while not isinstance(state.node, Terminal):
        match state.node:
            case Simultaneous():
                step: Step = Chosen((await decide(state, state.legal(0)), rng.choice(state.legal(1))))
            case Turn(0):
                step = Acted(0, await decide(state, state.legal(0)))
            case Turn(player):
                step = Acted(player, rng.choice(state.legal(player)))
            case Chance(bounds):
                step = Drawn(tuple(rng.randrange(bound) for bound in bounds))
        before, state = state, advance(state, step)
        stepped(before, step, state)
    return state


@pytest.mark.parametrize("seed", range(5))
async def test_line_mode_plays_it(seed: int) -> None:
    desk = Desk(["nonsense", *["1"] * 50])
    desk.table.begun(Toy(), NAMES, 0)
    end = await _play(lambda state, _: desk.table.decide(state, 0), desk.table.stepped, seed)
    seen = "\n".join(desk.shown())
    assert "nonsense is not open." in seen
    assert "The bids: " in seen
    assert f"0 rounds left; Ada {end.node.scores[0]}, Ben {end.node.scores[1]}" in seen  # type: ignore[union-attr]


@sweep("seed", range(3), every=3)
async def test_the_full_screen_plays_it_by_keys(seed: int) -> None:
    table = full_table()
    async with shown(table, (120, 40)) as pilot:
        table.begun(Toy(), NAMES, 0)

        async def decide(state: State, legal: Sequence[str]) -> str:
            deciding = asyncio.create_task(table.decide(state, 0))
            await asyncio.sleep(0)
            await settled(table, pilot)
            assert "Toy" in text(table)
            await pilot.press(legal[-1][0], "enter")
            action = await deciding
            assert action == legal[-1]
            return action

        end = await _play(decide, table.stepped, seed)
        await settled(table, pilot)
        assert f"0 rounds left; Ada {end.node.scores[0]}, Ben {end.node.scores[1]}" in text(table)  # type: ignore[union-attr]


def _record(seed: int) -> Record:
    rng = random.Random(seed)
    steps: list[Step] = []

    async def decide(state: State, legal: Sequence[str]) -> str:
        return rng.choice(legal)

    asyncio.run(_play(decide, lambda before, step, after: steps.append(step), seed))
    return Record(Toy(), NAMES, tuple(steps))


def test_it_is_replayed_in_lines_pictures_and_pages() -> None:
    record = _record(3)
    seen = tuple(snapshots(record))
    desk = Desk()
    show_place(record, seen, desk.table)
    first, second = record.last().node.scores  # type: ignore[union-attr]
    end = f"0 rounds left; Ada {first}, Ben {second}"
    assert end in "\n".join(desk.shown())
    assert end in drawn(record, seen, "verified")
    assert end in page(record, Proof("verified", ("verified",)))


@pytest.mark.parametrize(("me", "drawn_first"), [(0, 0), (1, 0), (None, 1)])
def test_the_table_is_drawn_once_where_a_secret_choice_comes_next(me: int | None, drawn_first: int) -> None:
    """Equal bids open a stage in which both bid again; the question draws the table."""
    desk = Desk(["1"])
    desk.table.begun(Toy(), NAMES, me)
    state = Toy().start()
    again = state.apply_joint(("2", "2"))
    desk.table.stepped(state, Chosen(("2", "2")), again)
    assert "\n".join(desk.shown()).count("rounds left") == drawn_first
    if me is not None:
        asyncio.run(desk.table.decide(again, me))
        assert "\n".join(desk.shown()).count("rounds left") == 1


def test_a_record_that_ends_before_secret_choices_says_so() -> None:
    assert str(closing(Record(Toy(), NAMES), viewpoint(NAMES, None))) == (
        "The record ends here; both are to choose in secret."
    )
