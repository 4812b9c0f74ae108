"""Random games of Halunken & Spelunken at the plain table, as steps for any implementation to follow."""

from collections.abc import Sequence
from random import Random
from typing import Final

from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Step
from tests.games.halunken.table import Table

RANDOM: Final = "random"
"""Players who do anything legal, and pass half of the time."""
SPENDER: Final = "spender"
"""Players who get rid of their rogues: they bid, leave rogues, and agree most times on cards that cancel each other."""
STYLES: Final = (RANDOM, SPENDER)


def next_step(table: Table, rng: Random, style: str) -> Step:
    """Return anything that may come next. Only `rng.random()` is called, the same in every version of Python."""
    kind, *rest = table.waits.split()
    if kind == "draw":
        return Drawn(tuple(int(rng.random() * int(bound)) for bound in rest))
    if kind == "simultaneous":
        return Chosen(_cards(table, rng, style))
    player = int(rest[0])
    return Acted(player, _action(sorted(table.legal(player)), rng, style))


def take(table: Table, step: Step) -> None:
    match step:
        case Acted(_, action):
            table.act(action)
        case Chosen((one, other)):
            table.choose(one, other)
        case Drawn(indices):
            table.draw(indices)


def _action(actions: Sequence[str], rng: Random, style: str) -> str:
    if style == SPENDER:
        actions = [action for action in actions if action.startswith(("bid:", "leave"))] or actions
    elif "pass" in actions and rng.random() < 0.5:
        return "pass"
    return _pick(actions, rng)


def _cards(table: Table, rng: Random, style: str) -> tuple[str, str]:
    one, other = sorted(table.legal(0)), sorted(table.legal(1))
    common = sorted({action[0] for action in one} & {action[0] for action in other})
    if style == SPENDER and common and rng.random() < 0.75:
        card = _pick(common, rng)
        one = [action for action in one if action[0] == card]
        other = [action for action in other if action[0] == card]
    return _pick(one, rng), _pick(other, rng)


def _pick(actions: Sequence[str], rng: Random) -> str:
    return actions[int(rng.random() * len(actions))]
