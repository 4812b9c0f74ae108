"""Handshake: versions, commitment, proofs and invitations, and everything one of the two can try (SPEC 4)."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from p2p_shanghaien.errors import CannotConnect, Malformed, ShanghaienError
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.handshake import Bye, Handshake, Refused, bye, is_commitment
from p2p_shanghaien.fairplay.hello import Head, Invitation, Role, open_session
from p2p_shanghaien.fairplay.keys import Identity, Tag, authentication_string, fingerprint, tagged_hash
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.text import is_clean
from tests.fairplay.strangers import (
    GUEST,
    GUEST_NONCE,
    HOST,
    HOST_NONCE,
    REFUSED_KEYS,
    STRANGER,
    Forger,
    guest,
    guest_meets,
    honest_guest,
    honest_host,
    host,
    meets_guest,
    meets_host,
    valid,
)
from tests.pair import GAMES, guest_hello, host_hello, shake_hands
from tests.sweeps import together

SECRET = b"\x05" * 16


def test_two_honest_sides_meet() -> None:
    for one, other in (shake_hands(host(), guest()), shake_hands(host(), guest())):
        assert one.hellos == other.hellos
        assert one.proofs == other.proofs
        assert (one.seat, other.seat) == (0, 1)
        assert one.theirs == other.theirs == Head(0, one.hellos.session)
        assert authentication_string(one.hellos.session) == authentication_string(other.hellos.session)
    assert meets_guest(honest_guest()).established is not None
    assert meets_host(honest_host()).established is not None


def test_fresh_nonces_make_another_session() -> None:
    seen = set()
    for nonce in (b"\x33" * 32, b"\x44" * 32):
        for changes in ((nonce, GUEST_NONCE), (HOST_NONCE, nonce)):
            one = Handshake(HOST, host_hello(HOST, changes[0], Shanghaien()), VERSIONS)
            established, _ = shake_hands(one, Handshake(GUEST, guest_hello(GUEST, changes[1]), VERSIONS))
            seen |= {established.hellos.session, established.hellos.handshake}
    assert len(seen) == 8


def test_a_tag_for_each_use_so_that_no_hash_passes_for_another() -> None:
    assert len({tagged_hash(tag, b"", b"") for tag in Tag}) == len(Tag)
    established, _ = shake_hands(host(), guest())
    assert established.hellos.session != established.hellos.handshake


# Versions and channels


@pytest.mark.parametrize("versions", [(1, 2), (2, 1), (2,), (1, 1)])
def test_versions_stripped_from_a_preface_are_seen_in_the_signed_hello(versions: tuple[int, ...]) -> None:
    """Somebody in between lets a preface pass with version 1 alone."""
    with pytest.raises(Malformed, match="version_stripped"):
        meets_guest(honest_guest(versions=versions))
    with pytest.raises(Malformed, match="version_stripped"):
        meets_host(honest_host(versions=versions))


def test_a_later_program_that_also_speaks_our_version_is_welcome() -> None:
    later = (1, 2)
    victim = Handshake(HOST, host_hello(HOST, HOST_NONCE, Shanghaien()), later)
    assert meets_guest(honest_guest(versions=later), victim).established is not None


def test_a_hello_of_another_channel() -> None:
    """Somebody in between has a channel to each, and can do no more than carry their hellos from one to the other."""
    with pytest.raises(Malformed, match="other_channel"):
        meets_guest(honest_guest(channel=b"\x77" * 32))
    with pytest.raises(Malformed, match="other_channel"):
        meets_host(honest_host(channel=b"\x77" * 32))


# Roles, nonces and commitments


def test_equal_roles() -> None:
    """Two hosts wait for each other's commitment; two guests are told that a hello was due; a false role is refused."""
    (commitment,) = guest().start()
    with pytest.raises(Malformed, match="unexpected_frame"):
        guest().receive(commitment)
    assert host().start() == []
    with pytest.raises(Malformed, match="wrong_role"):
        meets_guest(honest_guest(role=0))
    with pytest.raises(Malformed, match="wrong_role"):
        guest_meets(valid(Role.HOST)._replace(role=1).encode())
    with pytest.raises(Malformed, match="wrong_role"):
        guest_meets(guest_hello(GUEST, GUEST_NONCE).encode())


def test_a_reflected_nonce() -> None:
    with pytest.raises(Malformed, match="reflected_nonce"):
        meets_guest(honest_guest(nonce=HOST_NONCE))
    with pytest.raises(Malformed, match="reflected_nonce"):
        meets_host(honest_host(nonce=GUEST_NONCE))
    hellos = (valid(Role.HOST).encode(), valid(Role.GUEST)._replace(nonce=HOST_NONCE).encode())
    with pytest.raises(Malformed, match="reflected_nonce"):
        open_session(hellos, GAMES)


def test_our_own_frames_reflected() -> None:
    with pytest.raises(Malformed):
        host().receive(encode(("hello", valid(Role.HOST).encode())))
    side = guest()
    (commitment,) = side.start()
    with pytest.raises(Malformed):
        side.receive(commitment)


def test_a_hello_that_was_not_committed_to() -> None:
    """A guest that looks for a hello after it has seen the host's."""
    other = valid(Role.GUEST)._replace(nonce=b"\x33" * 32).encode()
    for commitment in (tagged_hash(Tag.HELLO, other), bytes(32), tagged_hash(Tag.SESSION, honest_guest().hello)):
        with pytest.raises(Malformed, match="hello_not_committed"):
            meets_guest(honest_guest(), commitment=commitment)


@pytest.mark.parametrize(
    ("frame", "meant"),
    [
        (encode(("commit", bytes(32))), True),
        (encode(("commit", bytes(31))), False),
        (encode(("commit",)), False),
        (encode(("hello", bytes(32))), False),
        (b"\xc1", False),
        (b"", False),
    ],
)
def test_a_visitor_who_begins_a_handshake_is_told_from_others(frame: bytes, meant: bool) -> None:
    assert is_commitment(frame) == meant


# Proofs


def test_an_old_meeting_replayed_gains_nothing() -> None:
    """Every frame of a genuine guest, to a host with a fresh nonce; and of a genuine host, to a guest with one."""
    frames: dict[int, list[bytes]] = {0: [], 1: []}
    one, other = host(), guest()
    wires: dict[int, list[bytes]] = {0: other.start(), 1: one.start()}
    while wires[0] or wires[1]:
        for seat, side in ((0, one), (1, other)):
            while wires[seat]:
                frame = wires[seat].pop(0)
                frames[seat].append(frame)
                wires[1 - seat] += side.receive(frame)
    assert one.established is not None
    fresh_host = Handshake(HOST, host_hello(HOST, b"\x77" * 32, Shanghaien()), VERSIONS)
    with pytest.raises(Malformed, match=r"bad_proof|not_a_proof"):
        replay(fresh_host, frames[0])
    fresh_guest = Handshake(GUEST, guest_hello(GUEST, b"\x77" * 32), VERSIONS)
    with pytest.raises(Malformed, match=r"bad_proof|not_a_proof"):
        replay(fresh_guest, frames[1])
    replay(host(), frames[0])
    assert fresh_host.established is None
    assert fresh_guest.established is None


def replay(side: Handshake, frames: list[bytes]) -> None:
    side.start()
    for frame in frames:
        side.receive(frame)


Meet = Callable[..., Handshake]
BOTH: list[tuple[Meet, Callable[..., Forger], Identity]] = [
    (meets_guest, honest_guest, GUEST),
    (meets_host, honest_host, HOST),
]


@pytest.mark.parametrize(("meet", "honest", "identity"), BOTH, ids=["guest", "host"])
def test_false_proofs(meet: Meet, honest: Callable[..., Forger], identity: Identity) -> None:
    seat = 1 if identity is GUEST else 0
    flip = 1 - seat
    wrong_signatures: list[dict[str, Any]] = [
        {"signature": bytes(64)},
        {"signature": b""},
        {"signature": bytes(63)},
        {"signature": bytes(65)},
        {"signature": b"\x01" + bytes(63)},
        {"seat": flip},
        {"seat": bool(seat)},
        {"session": bytes(32)},
        {"handshake": bytes(32)},
        {"log_head": Head(1, bytes(32))},
    ]
    for changes in wrong_signatures:
        with pytest.raises(Malformed, match="bad_proof"):
            meet(honest(), **changes)
    with pytest.raises(Malformed, match="bad_proof"):
        meet(Forger(honest().hello, STRANGER))
    for changes in (
        {"length": 1},
        {"length": True},
        {"length": False},
        {"length": -1},
        {"length": 2**32},
        {"length": None},
        {"length": "0"},
        {"head": bytes(32)},
        {"head": b""},
        {"head": None},
        {"head": "x" * 32},
        {"signature": None},
        {"signature": "x" * 64},
        {"seal": 0},
        {"seal": "x"},
        {"seal": False},
    ):
        with pytest.raises(Malformed):
            meet(honest(), **changes)


@pytest.mark.parametrize(("meet", "honest", "identity"), BOTH, ids=["guest", "host"])
def test_a_new_game_begins_with_nothing(meet: Meet, honest: Callable[..., Forger], identity: Identity) -> None:
    """A position of something else, though well signed; and false in place of 0."""
    for log_head in (Head(3, b"\x03" * 32), Head(0, b"\x03" * 32)):
        with pytest.raises(Malformed, match="not_a_proof"):
            meet(honest(), length=log_head.length, head=log_head.digest, log_head=log_head)
    session = shake_hands(host(), guest())[0].hellos.session
    assert meet(honest(), length=0, log_head=Head(0, session)).established is not None
    with pytest.raises(Malformed, match="not_a_proof"):
        meet(honest(), length=False, log_head=Head(False, session))


@together("name", [name for name in REFUSED_KEYS if len(REFUSED_KEYS[name]) == 32])
def test_refused_keys(name: str) -> None:
    """Under the neutral point, R = the key and S = 0 would fit any message."""
    key = REFUSED_KEYS[name]
    for signature in (key + bytes(32), b"\x01" + bytes(63), bytes(64)):
        with pytest.raises(Malformed, match="refused_key"):
            meets_guest(honest_guest(key=key), signature=signature)
        with pytest.raises(Malformed, match="refused_key"):
            meets_host(honest_host(key=key), signature=signature)


def test_a_swapped_key() -> None:
    """Another player's key in one's hello; one's own key in another player's hello changes the session."""
    with pytest.raises(Malformed, match="bad_proof"):
        meets_guest(honest_guest(key=STRANGER.public))
    with pytest.raises(Malformed, match="bad_proof"):
        meets_host(honest_host(key=STRANGER.public))
    with pytest.raises(Malformed, match="bad_proof"):
        meets_guest(honest_guest(key=HOST.public))


def test_the_same_key_on_both_sides_is_allowed() -> None:
    same = Handshake(HOST, guest_hello(HOST, GUEST_NONCE), VERSIONS)
    established, _ = shake_hands(host(), same)
    assert open_session(established.hellos, GAMES).keys == (HOST.public, HOST.public)


# Frames out of order and of other forms


def stages() -> dict[str, tuple[Callable[[], Handshake], list[bytes]]]:
    """Return each state of a handshake: who, and the frames that lead there."""
    guests, hosts = honest_guest(), honest_host()
    commitment = encode(("commit", tagged_hash(Tag.HELLO, guests.hello)))
    return {
        "host, commitment due": (host, []),
        "host, hello due": (host, [commitment]),
        "guest, hello due": (guest, []),
        "guest, proof due": (guest, [encode(("hello", hosts.hello))]),
    }


@pytest.mark.parametrize("stage", stages())
def test_frames_that_are_not_due(stage: str) -> None:
    make, before = stages()[stage]
    rng = random.Random(1)
    guests, hosts = honest_guest(), honest_host()
    hellos = (hosts.hello, guests.hello)
    frames = {
        "commitment": encode(("commit", tagged_hash(Tag.HELLO, guests.hello))),
        "host's hello": encode(("hello", hosts.hello)),
        "guest's hello": encode(("hello", guests.hello, *guests.proof(1, hellos))),
        "proof": encode(("proof", *hosts.proof(0, hellos))),
    }
    due = {"host, commitment due": "commitment", "host, hello due": "guest's hello"}
    due |= {"guest, hello due": "host's hello", "guest, proof due": "proof"}
    wrong = [frame for name, frame in frames.items() if due.get(stage) != name]
    wrong += [
        b"",
        b"\xc0",
        b"\x91" * 4096,
        bytes(MAX_FRAME + 1),
        b"\x91" * 100_000,
        b"\xdd\xff\xff\xff\xff" * 800,
        b"\x82\xa5hello\xc0\xa5hello\xc0",
        encode(("commit",)),
        encode(("commit", bytes(31))),
        encode(("commit", "x" * 32)),
        encode(("commit", bytes(32), None)),
        encode(("hello",)),
        encode(("hello", guests.hello.hex())),
        encode(("hello", hosts.hello, None)),
        encode(("hello", guests.hello, *guests.proof(1, hellos)[:3])),
        encode(("hello", guests.hello, *guests.proof(1, hellos), None)),
        encode(("proof",)),
        encode(("proof", *hosts.proof(0, hellos), None)),
        encode(("entry", b"")),
        encode(("note", 0, b"", bytes(64))),
        encode(("bye",)),
        encode(("bye", 1)),
        frames[due[stage]] + b"\x00",
        b"p2p-shanghaien\x00\x01",
        *(rng.randbytes(rng.randrange(1, 300)) for _ in range(100)),
    ]
    for frame in wrong:
        side = make()
        for each in before:
            side.receive(each)
        with pytest.raises((Malformed, CannotConnect)):
            side.receive(frame)
        assert side.established is None


@pytest.mark.parametrize("stage", stages())
def test_a_bye(stage: str) -> None:
    make, before = stages()[stage]
    for reason in (*Bye, "", "\x1b]52;c;aGk=\x07", "x" * 4000):
        side = make()
        for each in before:
            side.receive(each)
        with pytest.raises(CannotConnect) as error:
            side.receive(bye(reason))
        said = f"peer_{reason}" if reason in set(Bye) else "peer_hung_up"
        # a guest can ask for the invitation that the host wants
        wanted = reason == Bye.INVITATION_NEEDED and make is guest
        assert error.value.code == ("invitation_needed" if wanted else said)
        assert "\x1b" not in str(error.value.details)


def test_nothing_more_is_taken_once_both_have_met() -> None:
    for side in (meets_guest(honest_guest()), meets_host(honest_host())):
        for frame in (encode(("commit", bytes(32))), encode(("proof", 0, bytes(32), bytes(64), None)), b""):
            with pytest.raises(ShanghaienError):
                side.receive(frame)
        assert side.established is not None


# Invitations


def invitation(secret: bytes = SECRET, key: Identity = HOST) -> Invitation:
    return Invitation(secret, fingerprint(key.public))


def test_an_invitation_opens_a_private_table() -> None:
    one, other = shake_hands(host(invitation(), private=True), guest(invitation()))
    assert one.hellos == other.hellos


@pytest.mark.parametrize(
    ("hosts", "guests"),
    [
        (invitation(), None),
        (None, invitation()),
        (invitation(), invitation(b"\x06" * 16)),
        (invitation(), invitation(key=STRANGER)),
        (invitation(key=STRANGER), invitation()),
    ],
)
def test_a_wrong_invitation(hosts: Invitation | None, guests: Invitation | None) -> None:
    with pytest.raises(CannotConnect, match="wrong_invitation"):
        shake_hands(host(hosts), guest(guests))


def test_somebody_else_who_was_invited_cannot_pose_as_the_host() -> None:
    """Whoever was given the invitation can make its MACs; the key is the host's alone."""
    poser = Handshake(STRANGER, host_hello(STRANGER, HOST_NONCE, Shanghaien()), VERSIONS, invitation=invitation())
    with pytest.raises(CannotConnect, match="wrong_invitation"):
        shake_hands(poser, guest(invitation()))


def test_no_invitation_for_a_private_table() -> None:
    with pytest.raises(CannotConnect, match="invitation_needed"):
        shake_hands(host(invitation(), private=True), guest())


def test_a_seal_is_bound_to_seat_and_hellos() -> None:
    hellos, secret = (honest_host().hello, honest_guest().hello), invitation()
    assert meets_guest(honest_guest(), host(secret), seal=secret.mac(1, hellos)).established is not None
    assert meets_host(honest_host(), guest(secret), seal=secret.mac(0, hellos)).established is not None
    others = (hellos[0], honest_guest(name="Other").hello)
    for meet, honest, victim, seat in ((meets_guest, honest_guest, host, 1), (meets_host, honest_host, guest, 0)):
        reflected = secret.mac(1 - seat, hellos)
        exchanged = secret.mac(seat, (hellos[1], hellos[0]))
        for wrong in (reflected, exchanged, secret.mac(seat, others), secret.mac(seat, hellos)[:31], b"", None):
            with pytest.raises(CannotConnect, match="wrong_invitation"):
                meet(honest(), victim(secret), seal=wrong)


# Resuming a session


def test_going_on_needs_the_same_session_on_both_sides() -> None:
    for ours, theirs in ((bytes(32), None), (None, bytes(32)), (bytes(32), b"\x01" * 32)):
        with pytest.raises(CannotConnect, match="other_session"):
            shake_hands(host(resumes=ours), guest(resumes=theirs))


def test_going_on_tells_both_how_far_the_other_is() -> None:
    session = b"\x09" * 32
    log_heads = (Head(7, b"\x07" * 32), Head(5, b"\x05" * 32))
    one, other = shake_hands(
        host(log_head=log_heads[0], resumes=session), guest(log_head=log_heads[1], resumes=session)
    )
    assert (one.theirs, other.theirs) == (log_heads[1], log_heads[0])


def test_a_position_is_signed() -> None:
    session, log_head = b"\x09" * 32, Head(3, b"\x03" * 32)
    forger = honest_guest(resumes=session)
    good: dict[str, Any] = {"length": 3, "head": log_head.digest, "session": session, "log_head": log_head}
    wrong: list[dict[str, Any]] = [
        {"length": 3, "head": log_head.digest},
        good | {"length": 4},
        good | {"length": True, "log_head": Head(1, log_head.digest)},
        good | {"length": True, "log_head": Head(True, log_head.digest)},
        good | {"length": False, "log_head": Head(False, log_head.digest)},
        good | {"head": b"\x04" * 32},
        good | {"session": bytes(32)},
    ]
    for changes in wrong:
        with pytest.raises(Malformed):
            meets_guest(forger, host(resumes=session, log_head=Head(0, session)), **changes)
    assert meets_guest(forger, host(resumes=session, log_head=Head(0, session)), **good).established is not None


@pytest.mark.parametrize("late", [0, 1])
def test_a_position_may_be_told_when_the_proof_is_due_and_not_before(late: int) -> None:
    """The host's proof is due once it has checked the guest's, the guest's once it has seen the host's hello."""
    session, log_heads = b"\x09" * 32, (Head(4, b"\x04" * 32), Head(3, b"\x03" * 32))
    given = [None if seat == late else log_heads[seat] for seat in (0, 1)]
    sides = host(log_head=given[0], resumes=session), guest(log_head=given[1], resumes=session)
    wires = [sides[1].start(), sides[0].start()]
    proved, seen = 0, [side.hellos for side in sides]
    assert seen == [None, None]
    while any(wires):
        for seat in (0, 1):
            for frame in wires[seat]:
                wires[seat] = wires[seat][1:]
                wires[1 - seat] += sides[seat].receive(frame)
            if sides[seat].awaits_head:
                assert seat == late
                assert sides[seat].established is None
                seen[seat] = sides[seat].hellos
                with pytest.raises(Malformed, match="unexpected_frame"):
                    sides[seat].receive(encode(("proof", 0, bytes(32), bytes(64), None)))
                wires[1 - seat] += sides[seat].authenticate(log_heads[seat])
                proved += 1
    assert proved == 1
    for seat in (0, 1):
        established = sides[seat].established
        assert established is not None
        assert established.theirs == log_heads[1 - seat]
        assert sides[seat].hellos == established.hellos
        assert seen[seat] == (established.hellos if seat == late else None)


def test_in_a_new_game_no_position_is_waited_for() -> None:
    sides = host(), guest()
    assert not any(side.awaits_head for side in sides)
    shake_hands(*sides)
    assert not any(side.awaits_head for side in sides)


@pytest.mark.parametrize("name", ["\u0301", "\u0336\u0337", "\u2800"])
def test_nobody_sits_down_under_a_name_that_cannot_be_seen(name: str) -> None:
    with pytest.raises(Malformed, match="bad_name"):
        meets_guest(honest_guest(name=name))
    with pytest.raises(Malformed, match="bad_name"):
        meets_host(honest_host(name=name))


@pytest.mark.parametrize("changes", [{"name": "e\u0301"}, {"game": "e\u0301"}, {"settings": (("e\u0301", "x"),)}])
def test_a_player_refuses_text_that_is_not_in_its_normal_form(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="bad_name"):
        meets_guest(honest_guest(**changes))
    with pytest.raises(Malformed, match="bad_name"):
        meets_host(honest_host(**changes))


@pytest.mark.parametrize("reason", ["x" * 4000, "gone\u001b[2J", "gone" + " " * 90 + "You win."])
def test_a_reason_for_hanging_up_is_shown_in_one_short_clean_line(reason: str) -> None:
    error = Refused(reason)
    assert error.code == "peer_hung_up"
    assert is_clean(str(error.details["reason"]), 64)
