"""Games of Halunken & Spelunken with any options, and the positions on their way."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from p2p_shanghaien.games.api import advance
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from tests.games.halunken.playing import STYLES, next_step, take
from tests.games.halunken.table import Table
from tests.games.playing import Moment

OPTIONS = [
    {"blackjack": blackjack, "hands": hands, "theft": theft}
    for blackjack, hands, theft in product(("on", "off"), ("1", "3"), ("takes", "may"))
]
options = st.sampled_from(OPTIONS)
styles = st.sampled_from(STYLES)


def table_with(settings: Mapping[str, str]) -> Table:
    return Table(settings["blackjack"] == "on", int(settings["hands"]), settings["theft"] == "may")


def moments(settings: Mapping[str, str], rng: Random, style: str) -> Iterator[Moment[State]]:
    """Yield a random game, played at the plain table: every step with the positions before and after it."""
    table = table_with(settings)
    state = Halunken.from_settings(settings).start()
    while table.waits != "over":
        step = next_step(table, rng, style)
        take(table, step)
        after = advance(state, step)
        yield Moment(state, step, after)
        state = after


def events_of(settings: Mapping[str, str], rng: Random, style: str) -> Iterator[tuple[Moment[State], dict[str, Any]]]:
    """Yield the events of a random game, each with the step that it comes from."""
    game = Halunken.from_settings(settings)
    earlier: list[dict[str, Any]] = []
    for moment in moments(settings, rng, style):
        new = [*game.events(*moment, earlier)]
        yield from ((moment, event) for event in new)
        earlier += new
