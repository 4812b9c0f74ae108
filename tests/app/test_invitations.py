"""Invitations as they are handed over, with the relay where they are of use."""

import pytest

from p2p_shanghaien.app.invitations import Invited, is_invited, read_invited
from p2p_shanghaien.errors import Malformed, UsageError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import written
from p2p_shanghaien.net.addresses import parse_relay

INVITATION = Invitation(bytes(range(16)), bytes(range(16, 32)))
GROUPS = written(INVITATION)


@pytest.mark.parametrize(
    "relay",
    ["relay.example.org", "relay.example.org:8443", "ws://relay.example.org", "ws://127.0.0.1:5000", "10.0.0.7"],
)
def test_a_line_says_the_relay_as_it_was_given(relay: str) -> None:
    invited = Invited(INVITATION, parse_relay(relay))
    assert str(invited) == f"{relay}/{GROUPS}"
    assert read_invited(str(invited)) == invited
    assert is_invited(str(invited))


def test_without_a_relay_it_is_the_invitation_alone() -> None:
    assert read_invited(GROUPS) == Invited(INVITATION)
    assert str(Invited(INVITATION)) == GROUPS
    assert is_invited(GROUPS)


@pytest.mark.parametrize(
    "text",
    [
        f" relay.example.org/{GROUPS}\n",
        f"relay.example.org/ {GROUPS[:40]} {GROUPS[40:]}",
        f"relay.example.org/{GROUPS.lower().replace('-', ' ')}",
        f"relay.example.org/{GROUPS.replace('-', '')}",
    ],
)
def test_as_people_paste_it(text: str) -> None:
    assert is_invited(text)
    assert read_invited(text) == Invited(INVITATION, parse_relay("relay.example.org"))


def test_a_mistyped_line() -> None:
    with pytest.raises(Malformed, match="invitation_incomplete"):
        read_invited(f"relay.example.org/{GROUPS[:-6]}")
    wrong = GROUPS[1] + GROUPS[0] + GROUPS[2:]
    with pytest.raises(Malformed, match="invitation_mistyped"):
        read_invited(f"relay.example.org/{wrong if wrong != GROUPS else 'Z' + GROUPS[1:]}")
    with pytest.raises(UsageError, match="address_name"):
        read_invited(f"relay example/{GROUPS}")
    for line in (f"relay.example.org/{GROUPS[:-6]}", f"relay example/{GROUPS}"):
        assert is_invited(line), "so that it is not taken for an address"


@pytest.mark.parametrize(
    "text",
    [
        *("", "192.168.1.20", "192.168.1.20:5000", "ws://name.example.org:5000/", "[fe80::1%eth0]:5000"),
        *("a-b.example.org", "0a" * 32, f"/home/a-b-c-d-e/f-g-h-i-j-k/games/{'0a' * 32}-host.shlog"),
    ],
)
def test_an_address_and_the_name_of_a_game_are_no_invitation(text: str) -> None:
    assert not is_invited(text)
