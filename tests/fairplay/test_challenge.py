"""Challenges to a rematch: whose they are, to whom, and to which game (SPEC 7.5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.challenge import Challenge, Terms, parse_challenge, sign_challenge
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien

ADA, BEN, EVE = (Identity(bytes((number,)) * 32) for number in (1, 2, 3))
KEYS = {"Ada": ADA.public, "Ben": BEN.public, "Eve": EVE.public}
GAMES = [Shanghaien(), Shanghaien("extra-wild"), Halunken(), Halunken("off", "3")]


def challenge(game: Any) -> Challenge:
    return sign_challenge(ADA, BEN.public, Session(bytes(range(32)), game, (BEN.public, ADA.public), ("Ben", "Ada")))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_it_is_read_as_it_was_written(game: Any) -> None:
    made = challenge(game)
    words = decode(encode(made.words), 2048)
    assert isinstance(words, tuple)
    assert parse_challenge(words) == made
    assert made.terms == Terms(game.NAME, game.RULES_VERSION, game.settings)


@pytest.mark.parametrize("by", KEYS)
@pytest.mark.parametrize("to", KEYS)
def test_it_is_by_one_player_to_one_other(by: str, to: str) -> None:
    assert challenge(Shanghaien()).is_between(KEYS[by], KEYS[to]) == ((by, to) == ("Ada", "Ben"))


changed_settings = st.lists(st.tuples(st.text("abc", min_size=1), st.text("xyz", min_size=1)), max_size=4).map(tuple)
changes = st.one_of(
    st.binary(min_size=32, max_size=32).map(lambda session: {"session": session}),
    st.binary(min_size=64, max_size=64).map(lambda signature: {"signature": signature}),
    st.builds(Terms, st.text("abc", min_size=1), st.integers(1, 65535), changed_settings).map(
        lambda terms: {"terms": terms}
    ),
)


@given(changes)
def test_nothing_of_it_can_be_changed(change: dict[str, Any]) -> None:
    made = challenge(Shanghaien())
    assert made._replace(**change) != made
    assert not made._replace(**change).is_between(ADA.public, BEN.public)
