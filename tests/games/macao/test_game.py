"""The option of Shadows of Macao: the deck by name, or by the digest of one from outside."""

import json
import pickle
from hashlib import sha256
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.data import MAX_OFFER
from p2p_shanghaien.games.api import InvalidSetting
from p2p_shanghaien.games.macao import deck
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import KINDS, RECONSTRUCTION_DIGEST, difference, reconstruction
from p2p_shanghaien.games.macao.game import Macao

OTHER = reconstruction().canonical().replace(b'"a",3,2,""', b'"a",4,2,""', 1)
"""The canonical bytes of a deck in which a killer brings a coin more."""


def test_a_game_by_a_deck_from_outside() -> None:
    other = OTHER
    digest, wrong = sha256(other).hexdigest(), sha256(b"?").hexdigest()
    reading = Macao.reading({digest: other, wrong: b"?"}.get)
    one, again_ = (reading.from_settings({"deck": digest}) for _ in range(2))
    assert one == again_ != reading.from_settings({})
    assert one.start() == again_.start() != reading.from_settings({}).start()
    assert one.settings == (("deck", digest),)
    assert one.settings_fields() == {"deck": digest}
    # as a process of a tournament gets it
    there = pickle.loads(pickle.dumps(one))
    assert there == one != object()
    assert hash(there) == hash(one)
    assert there.start() == one.start()
    with pytest.raises(InvalidSetting) as invalid:
        reading.from_settings({"deck": wrong})
    assert invalid.value.code is MacaoCode.BAD_DECK
    with pytest.raises(CannotConnect) as missing:
        Macao.from_settings({"deck": digest})
    assert missing.value.details == {"game": "macao", "setting": "deck", "digest": digest}


def test_a_game_says_which_data_it_is_played_by_and_what_differs() -> None:
    digest = sha256(OTHER).hexdigest()
    game = Macao.reading({digest: OTHER}.get).from_settings({"deck": digest})
    assert game.named_data() == {digest: OTHER}
    assert list(game.data_news()) == [("macao:other_deck", {"cards": 2, "tiles": 0, "usual": "reconstruction-1"})]
    usual = Macao.from_settings({})
    assert usual.named_data() == {}
    assert list(usual.data_news()) == []


def test_a_file_may_hold_either_form_of_a_deck() -> None:
    data = Path(deck.__file__).with_name("macao-cards.json").read_bytes()
    assert Macao.canonical_data("deck", data) == Macao.canonical_data("deck", reconstruction().canonical())
    for content in (b"", b"[", b"[]", b"{}", data[:-2], OTHER + b"x"):
        with pytest.raises(Malformed):
            Macao.canonical_data("deck", content)


def test_the_order_of_a_file_makes_another_deck_that_differs_in_no_card() -> None:
    file = json.loads(Path(deck.__file__).with_name("macao-cards.json").read_text("utf-8"))
    file["cards"].reverse()
    other = deck.read(json.dumps(file).encode())
    assert other != reconstruction()
    assert difference(other, reconstruction()) == (0, 0)


def test_any_deck_fits_a_frame() -> None:
    """The longest: each card another one, each figure as long as it may be (SPEC 4.17, 16.2)."""
    file = json.loads(Path(deck.__file__).with_name("macao-cards.json").read_text("utf-8"))
    kinds = [kind for kind in KINDS if kind not in ("widow", "politician")] + ["politician"] * 38
    digits = iter([f"{letter}{digit}" for letter in "abcefghi" for digit in range(1, 10)])
    cards = []
    for kind in kinds:
        end = next(digits)
        red = end[0] * (2 if kind == "sailor" else 1)
        pair = {"pair": "ab"} if kind == "trader" else {}
        coins = 20 if kind == "politician" else -9
        cards.append(
            {"id": f"{kind}-{end}", "kind": kind, "blue": end[0], "cost": "abcefg", "red": red, "coins": coins}
            | {"count": 1}
            | pair
        )
    file["resources"] = "abcefghi"
    file["cards"] = [*cards, {**file["cards"][-1], "cost": "abcefg"}]
    for tile in file["tiles"]:
        if "cost" in tile:
            tile["cost"] = "abcefghi"
    found = Macao.canonical_data("deck", json.dumps(file).encode())
    assert 2_800 < len(found) <= MAX_OFFER


def test_one_name_for_one_deck() -> None:
    game = Macao.from_settings({"deck": RECONSTRUCTION_DIGEST})
    assert game == Macao.from_settings({}) == Macao.from_settings({"deck": "reconstruction-1"})
    assert game.settings == (("deck", "reconstruction-1"),)
    for value in ("", "reconstruction-2", RECONSTRUCTION_DIGEST.upper(), RECONSTRUCTION_DIGEST[:-1], "box"):
        with pytest.raises(InvalidSetting) as caught_:
            Macao.from_settings({"deck": value})
        assert caught_.value.setting == "deck"
    with pytest.raises(InvalidSetting) as unknown:
        Macao.from_settings({"colour": "red"})
    assert unknown.value.setting == "colour"
