"""The option of Shadows of Macao: the deck by name, or by the digest of one from outside."""

import pickle
from hashlib import sha256

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.games.api import InvalidSetting
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import RECONSTRUCTION_DIGEST, reconstruction
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
