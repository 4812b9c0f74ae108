"""Random games of Shadows of Macao at the plain table, as steps for any implementation to follow."""

from collections.abc import Sequence
from random import Random
from typing import Final

from p2p_shanghaien.games.api import Acted, Drawn, Step
from tests.games.macao.plain import Table

RANDOM: Final = "random"
"""Players who do anything legal."""
EAGER: Final = "eager"
"""Players who mostly recruit and open when they can."""
HOARDER: Final = "hoarder"
"""Players who mostly take, recruit innkeepers and policemen, and open tiles."""
REAPER: Final = "reaper"
"""Players who mostly recruit croupiers and killers, and give their widows away."""
DIGGER: Final = "digger"
"""Players who mostly take from one pile, and recruit when nothing is to be discarded for it."""
GRABBER: Final = "grabber"
"""Players who mostly go for tiles, and for the policemen that reserve them; player 1 keeps policemen for too long."""
STYLES: Final = (RANDOM, EAGER, HOARDER, REAPER, DIGGER, GRABBER)
_LIKED: Final = {
    RANDOM: (),
    EAGER: ("recruit", "open"),
    HOARDER: ("open", "recruit:innkeeper", "recruit:policeman", "take"),
    REAPER: (
        "discard:widow",
        "open",
        "recruit:widow",
        "recruit:croupier",
        "recruit:killer",
        "recruit:trader",
        "recruit",
    ),
    GRABBER: ("recruit:policeman", "open", "recruit:sailor", "recruit:croupier", "take"),
    DIGGER: ("recruit", "take:4", "take:3", "take:2", "take:1"),
}
"""The beginnings of what players of each style do if they can, best first."""


def next_step(table: Table, rng: Random, style: str) -> Step:
    """Return anything that may come next. Only `rng.random()` is called, the same in every version of Python."""
    kind, *rest = table.waits.split()
    if kind == "draw":
        return Drawn(tuple(int(rng.random() * int(bound)) for bound in rest))
    player = int(rest[0])
    actions = table.legal(player)
    if style == GRABBER and player == 1 and table.centre:
        actions = [action for action in actions if not action.startswith("recruit:policeman")]
    return Acted(player, _action(actions, rng, style))


def take(table: Table, step: Step) -> None:
    match step:
        case Acted(_, action):
            table.act(action)
        case Drawn(indices):
            table.draw(indices)


def _action(actions: Sequence[str], rng: Random, style: str) -> str:
    if rng.random() < 0.8:
        for start in _LIKED[style]:
            if liked := [action for action in actions if action.startswith(start)]:
                actions = liked
                break
    return actions[int(rng.random() * len(actions))]
