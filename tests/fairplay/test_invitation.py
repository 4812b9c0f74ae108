"""Invitations as text: every one comes back, and no single slip of the hand goes unnoticed."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import ALPHABET, GROUP_SIZE, GROUPS, read, written

BYTES = st.binary(min_size=16, max_size=16)
INVITATIONS = st.builds(Invitation, BYTES, BYTES, is_to_watch=st.booleans())
INVITATION = Invitation(bytes(range(7, 250, 16)), bytes(range(3, 255, 17))[:16])


def refused(text: str) -> Malformed:
    with pytest.raises(Malformed) as caught:
        read(text)
    return caught.value


@given(INVITATIONS)
def test_what_is_written_is_read(invitation: Invitation) -> None:
    text = written(invitation)
    assert read(text) == invitation
    assert re.fullmatch(f"([{ALPHABET}]{{5}}-){{12}}[{ALPHABET}]{{5}}", text)


@given(INVITATIONS)
def test_an_invitation_to_watch_leads_to_nothing_else(invitation: Invitation) -> None:
    """It names another room and another channel, and nothing more can be made of it (SPEC 4.16)."""
    watching = invitation.watching
    assert watching.is_to_watch
    assert watching.host == invitation.host
    assert watching.watching == watching
    assert read(written(watching)) == watching
    if not invitation.is_to_watch:
        assert watching.secret != invitation.secret
        assert (watching.room, watching.channel_key) != (invitation.room, invitation.channel_key)
        assert written(watching)[0] in "23"


@given(st.text())
def test_any_other_text_is_refused_and_nothing_worse(text: str) -> None:
    assert refused(text).code in ("invitation_incomplete", "invitation_mistyped", "invitation_too_long")


def test_every_wrong_character_is_found_in_its_group() -> None:
    text = written(INVITATION).replace("-", "")
    for at, right in enumerate(text):
        for wrong in ALPHABET + "U":
            # the check is by 31, to which 0 and Z are the same
            if wrong == right or {wrong, right} == {"0", "Z"}:
                continue
            error = refused(text[:at] + wrong + text[at + 1 :])
            assert (error.code, error.details["group"]) == ("invitation_mistyped", at // GROUP_SIZE + 1)


def test_every_two_neighbours_that_changed_places_are_found() -> None:
    groups = written(INVITATION).split("-")
    for place, group in enumerate(groups):
        for at in range(GROUP_SIZE - 1):
            swapped = group[:at] + group[at + 1] + group[at] + group[at + 2 :]
            if len({group[at], group[at + 1]}) == 2:
                assert refused("-".join([*groups[:place], swapped, *groups[place + 1 :]])).details["group"] == place + 1
    for place in range(GROUPS - 1):
        order = [*range(place), place + 1, place, *range(place + 2, GROUPS)]
        assert refused("-".join(groups[index] for index in order)).details["group"] == place + 1


def test_a_text_that_ends_early_or_late_is_said_so() -> None:
    text = written(INVITATION)
    for end in range(0, len(text), 6):
        assert refused(text[:end]).details["group"] == end // 6 + 1
    assert refused(text + "-00001").code == "invitation_too_long"


def test_a_lost_character_is_mostly_found_in_its_group() -> None:
    rng = random.Random(1)
    found = 0
    for _ in range(300):
        at = rng.randrange(1, 60)
        text = written(Invitation(rng.randbytes(16), rng.randbytes(16))).replace("-", "")
        error = refused(text[:at] + text[at + 1 :])
        found += error.details["group"] == at // GROUP_SIZE + 1
    assert found > 270, "only one check in 31 holds by chance"


def test_more_than_an_invitation_holds_is_mistyped_although_each_group_is_right() -> None:
    """13 groups hold 260 bits; the first four of an invitation are 0 or 1 (SPEC 4.9)."""
    groups = written(INVITATION).split("-")
    # by the check: place 1, and 31 in the first digit with a weight of 2
    error = refused("-".join(["Z0001", *groups[1:]]))
    assert (error.code, error.details["group"]) == ("invitation_mistyped", 1)
