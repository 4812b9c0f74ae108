"""Games of Shadows of Macao with either deck, and the positions on their way."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from p2p_shanghaien.games.api import advance
from p2p_shanghaien.games.macao.deck import Deck, read, reconstruction
from p2p_shanghaien.games.macao.rules import State, start
from tests.games.macao.plain import DECK_OF_CHOICES, RECONSTRUCTION, Table
from tests.games.macao.playing import STYLES, next_step, take
from tests.games.playing import Moment

FILES = (RECONSTRUCTION, DECK_OF_CHOICES)
files = st.sampled_from(FILES)
styles = st.sampled_from(STYLES)


def deck_of(file: Any) -> Deck:
    return reconstruction() if file is RECONSTRUCTION else read(json.dumps(file).encode())


def moments(file: Any, rng: Random, style: str) -> Iterator[Moment[State]]:
    """Yield a random game, played at the plain table: every step with the positions before and after it."""
    table = Table(file)
    state = start(deck_of(file))
    while table.waits != "over":
        step = next_step(table, rng, style)
        take(table, step)
        after = advance(state, step)
        yield Moment(state, step, after)
        state = after
