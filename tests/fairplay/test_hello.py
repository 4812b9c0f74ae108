"""The hellos of two programs, and the session that they fix (SPEC 4.6, 4.7)."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.hello import Hello, Hellos, Role, open_session, parse_hello
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.text import FORBIDDEN
from tests.fairplay.strangers import GUEST, HOST, HOST_NONCE, REFUSED_KEYS, Forger, guest_meets, meets_guest, valid
from tests.pair import GAMES, host_hello
from tests.sweeps import together
from tests.toy import Toy

BAD_NAMES = [
    "",
    " ",
    "a ",
    " a",
    "\u3000a",
    "x" * 33,
    "\u0378",
    "\U000105d2\u0307",
    "a\x00",
    "a\nb",
    "\x1b[2J",
    "a\u202eb",
    "\ufeffa",
    "\ue000",
]

WRONG: dict[str, list[Any]] = {
    "versions": [(), tuple(range(1, 34)), (0,), (-1,), (65536,), (True,), ("1",), (None,), 1, None, True, "1"],
    "role": [2, -1, None, "host", b"\x00", (0,)],
    "nonce": [b"", b"\x11" * 31, b"\x11" * 33, "x" * 32, None, 0],
    "key": [*REFUSED_KEYS.values(), "x" * 32, None, 0],
    "name": [*BAD_NAMES, b"name", None, 0, *(f"a{chr(a)}b" for a, _ in FORBIDDEN if not 0xD800 <= a <= 0xDFFF)],
    "game": ["", " ", "x" * 65, "a\nb", b"shanghaien", 0, True],
    "rules": [0, -1, 65536, True, False, "1", b"\x01"],
    "settings": [
        None,
        "variant",
        ("variant", "standard"),
        (("variant",),),
        (("variant", "standard", ""),),
        (("variant", None),),
        (("variant", 1),),
        ((b"variant", "standard"),),
        (("variant", "standard"), ("variant", "standard")),
        (("variant", "standard"), ("variant", "extra-wild")),
        (("variant", ""),),
        (("", "standard"),),
        (("variant", "x" * 65),),
        (("variant", "a\u202eb"),),
        tuple((f"s{n}", "v") for n in range(17)),
    ],
    "resumes": [b"", b"\x11" * 31, b"\x11" * 33, 0, "x" * 32, False],
    "private": [None, 0, 1, "no", b""],
    "channel": [b"", b"\x11" * 31, b"\x11" * 33, "x" * 32, None, 0],
}


def wrong_hellos(role: Role) -> list[bytes]:
    good = valid(role)
    hellos: list[Any] = [good._replace(**{name: value}) for name, values in WRONG.items() for value in values]
    hellos.append(good._replace(role=1 - role))
    hellos.append(good._replace(role=bool(role)))
    if role == Role.HOST:
        hellos += [good._replace(game=None), good._replace(rules=None)]
    hellos += [good[:10], (*good, None), (), None, 0, "hello", good.encode(), (good,)]
    data = [encode(hello) for hello in hellos]
    whole = good.encode()
    rng = random.Random(1)
    data += [
        b"",
        b"\xc1",
        whole + b"\x00",
        whole[:-1],
        b"\xdc\x00\x0b" + whole[1:],
        b"\x8b" + whole[1:],
        b"\x81\xa4name\xa1a",
        b"\x82\xa4name\xa1a\xa4name\xa1b",
        whole[:-1] + b"\xcb" + bytes(8),
        whole[:-1] + b"\xd4\x00\x00",
        whole[:1] + b"\x91\xcd\x00\x01" + whole[3:],
        b"\x91" * 1000,
        encode(good._replace(name="x" * 1024)),
        encode((*good[:7], tuple((f"{n:064}", "v" * 64) for n in range(16)), *good[8:])),
        *(rng.randbytes(rng.randrange(1, 300)) for _ in range(100)),
    ]
    return data


def test_hellos_of_another_form() -> None:
    for role in Role:
        assert parse_hello(valid(role).encode(), role) == valid(role)
        for data in wrong_hellos(role):
            with pytest.raises(Malformed):
                parse_hello(data, role)


def test_both_sides_refuse_them() -> None:
    for data in wrong_hellos(Role.GUEST):
        with pytest.raises(Malformed):
            meets_guest(Forger(data, GUEST))
    for data in wrong_hellos(Role.HOST):
        with pytest.raises(Malformed):
            guest_meets(data)


clean = st.text("abcdefghijklmnopqrstuvwxyz0123456789äöü漢字🎲-", min_size=1, max_size=32)


@given(
    st.builds(
        Hello,
        versions=st.lists(st.integers(1, 65535), min_size=1, max_size=32).map(tuple),
        role=st.just(1),
        nonce=st.binary(min_size=32, max_size=32),
        key=st.sampled_from([HOST.public, GUEST.public]),
        name=clean,
        game=st.none() | clean,
        rules=st.none() | st.integers(1, 65535),
        settings=st.dictionaries(clean, clean, max_size=4).map(lambda each: tuple(each.items())),
        resumes=st.none() | st.binary(min_size=32, max_size=32),
        private=st.booleans(),
        channel=st.binary(min_size=32, max_size=32),
    )
)
def test_a_hello_is_read_as_it_was_written(hello: Hello) -> None:
    data = hello.encode()
    assert parse_hello(data, Role.GUEST) == hello
    assert parse_hello(data, Role.GUEST).encode() == data


SETTINGS = (("variant", "standard"), ("tricks", "p3 b3 r2"))


@together(
    "settings",
    [
        (),
        SETTINGS[:1],
        SETTINGS[1:],
        SETTINGS[::-1],
        (*SETTINGS, ("more", "x")),
        (("variant", "Standard"), SETTINGS[1]),
        (("variant", "other"), SETTINGS[1]),
        (SETTINGS[0], ("tricks", "p3,b3,r2")),
        (SETTINGS[0], ("tricks", "p3  b3 r2")),
        (SETTINGS[0], ("tricks", "p3 b3 r3")),
        (SETTINGS[0], ("tricks", "b3 p3 r2")),
        (SETTINGS[0], ("tricks", "p03 b3 r2")),
        (SETTINGS[0], ("tricks", "p-1 b7 r2")),
        (SETTINGS[0], ("tricks", "p\N{SUPERSCRIPT THREE} b3 r2")),
        (SETTINGS[0], ("tricks", "p\N{ARABIC-INDIC DIGIT THREE} b3 r2")),
        (("rounds", "3"), ("opening", "bid")),
    ],
)
def test_settings_that_are_not_the_games(settings: tuple[tuple[str, str], ...]) -> None:
    """All of them, in order and canonical spelling, or there is no session."""
    hellos = (valid(Role.HOST)._replace(settings=settings).encode(), valid(Role.GUEST).encode())
    with pytest.raises(Malformed):
        open_session(hellos, GAMES)


def test_unknown_games_and_rules() -> None:
    guests = valid(Role.GUEST).encode()
    for name in ("chess", "Shanghaien", "shanghaien.rules", "os", "__class__", "../shanghaien"):
        with pytest.raises(CannotConnect, match="game_unknown"):
            open_session((valid(Role.HOST)._replace(game=name).encode(), guests), GAMES)
    for rules in (2, 65535):
        with pytest.raises(CannotConnect, match="rules_unknown"):
            open_session((valid(Role.HOST)._replace(rules=rules).encode(), guests), GAMES)


def test_a_session_is_what_the_hellos_say() -> None:
    for game in (Shanghaien(), Shanghaien("extra-wild", (1, 1, 6)), Halunken(hands="3"), Toy(2, "draw")):
        hellos = (host_hello(HOST, HOST_NONCE, game).encode(), valid(Role.GUEST).encode())
        session = open_session(hellos, GAMES)
        assert session.game == game
        assert session.keys == (HOST.public, GUEST.public)
        assert session.id == Hellos(*hellos).session


def test_a_session_begins_with_hellos_that_resume_nothing() -> None:
    for resumes in ((bytes(32), None), (None, bytes(32)), (bytes(32), bytes(32))):
        hellos = (
            valid(Role.HOST)._replace(resumes=resumes[0]).encode(),
            valid(Role.GUEST)._replace(resumes=resumes[1]).encode(),
        )
        with pytest.raises(Malformed):
            open_session(hellos, GAMES)
