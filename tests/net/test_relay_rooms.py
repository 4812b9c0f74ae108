"""The rules of a relay: first messages, addresses, rooms, places and speed."""

from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.net.relay_rooms import (
    End,
    Introduction,
    Places,
    Rooms,
    TokenBucket,
    forwarded_for,
    network_of,
    parse_introduction,
)

ROOM, OTHER = bytes(range(16)), bytes(16)


def test_an_introduction_is_17_bytes() -> None:
    assert parse_introduction(b"\0" + ROOM) == (End.HOST, ROOM)
    assert parse_introduction(b"\1" + ROOM) == (End.GUEST, ROOM)
    for data in (b"", b"\0", b"\0" + ROOM[:-1], b"\1" + ROOM + b"\0", b"\2" + ROOM, b"\xff" + ROOM):
        assert parse_introduction(data) is None


@given(st.binary(max_size=20))
def test_introductions_have_one_encoding(data: bytes) -> None:
    introduction = parse_introduction(data)
    assert (introduction is None) != (len(data) == 17 and data[0] < 2)
    assert introduction is None or introduction.encode() == data


def test_what_counts_as_one_user() -> None:
    assert network_of("192.0.2.7") == network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_of("192.0.2.7") != network_of("192.0.2.8")
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("?") == "?"


def test_the_last_address_that_was_forwarded_counts() -> None:
    assert forwarded_for(["192.0.2.1, 192.0.2.2"]) == "192.0.2.2"
    assert forwarded_for(["192.0.2.1", "2001:DB8::1 "]) == "2001:db8::1"
    for values in ([], [""], ["192.0.2.1,"], ["192.0.2.1, unknown"], ["192.0.2.1:5000"]):
        assert forwarded_for(values) is None


def test_the_newest_host_of_a_room_waits() -> None:
    rooms: Rooms[str] = Rooms(8)
    assert rooms.take(ROOM) is None
    assert rooms.wait(ROOM, "older") is None
    assert rooms.wait(OTHER, "elsewhere") is None
    assert rooms.wait(ROOM, "newer") == "older"
    rooms.leave(ROOM, "older")  # which does not wait any more
    assert rooms.take(ROOM) == "newer"
    assert rooms.take(ROOM) is None
    assert rooms.take(OTHER) == "elsewhere"
    assert rooms.is_empty()


def test_a_host_whose_guest_has_gone_waits_again_unless_a_newer_one_does() -> None:
    rooms: Rooms[str] = Rooms(8)
    rooms.wait(ROOM, "host")
    assert rooms.take(ROOM) == "host"
    assert rooms.give_back(ROOM, "host")
    assert rooms.take(ROOM) == "host"
    rooms.wait(ROOM, "newer")
    assert not rooms.give_back(ROOM, "host")
    assert rooms.take(ROOM) == "newer"


def test_a_room_has_so_many_pipes() -> None:
    rooms: Rooms[str] = Rooms(2)
    assert [rooms.open_pipe(ROOM) for _ in range(3)] == [True, True, False]
    assert rooms.open_pipe(OTHER)
    rooms.close_pipe(ROOM)
    assert rooms.open_pipe(ROOM)
    for room in (ROOM, ROOM, OTHER):
        rooms.close_pipe(room)
    assert rooms.is_empty()


def test_the_newest_of_the_network_that_holds_most_goes() -> None:
    places: Places[str] = Places(4)
    for member, network in (("a1", "a"), ("b1", "b"), ("a2", "a"), ("c1", "c")):
        assert places.enter(member, network) is None
    assert places.enter("d1", "d") == "a2"
    assert places.enter("a3", "a") == "a3"
    assert len(places) == 4


def test_of_equals_the_newest_goes_or_the_oldest() -> None:
    for oldest, loser in ((False, "c1"), (True, "a1")):
        places: Places[str] = Places(2, oldest=oldest)
        places.enter("a1", "a")
        places.enter("b1", "b")
        assert places.enter("c1", "c") == loser


def test_a_member_counts_to_where_it_comes_from() -> None:
    places: Places[str] = Places(2)
    places.enter("a1", "proxy")
    places.move("a1", "a")
    places.enter("b1", "proxy")
    places.move("b1", "b")
    assert places.enter("b2", "b") == "b2"
    assert places.enter("c1", "c") == "c1"
    places.move("c1", "d")  # which is not there any more
    places.leave("c1")
    assert len(places) == 2


@given(st.lists(st.sampled_from("abcd"), max_size=60), st.booleans())
def test_whoever_holds_less_than_others_loses_nothing(arrivals: list[str], oldest: bool) -> None:
    limit = 5
    places: Places[int] = Places(limit, oldest=oldest)
    held: dict[int, str] = {}
    for member, network in enumerate(arrivals):
        held[member] = network
        loser = places.enter(member, network)
        if loser is not None:
            counts = [[*held.values()].count(each) for each in held.values()]
            assert [*held.values()].count(held[loser]) == max(counts)
            del held[loser]
        assert len(places) == len(held) <= limit


def test_a_bucket_lets_a_burst_pass_and_then_a_rate() -> None:
    bucket = TokenBucket(rate=10, burst=100, now=5)
    assert bucket.take(100, 5) == 0
    assert bucket.take(5, 5) == 0.5
    assert bucket.take(5, 5) == 1.0  # behind the one before
    assert bucket.take(0, 6) == 0
    assert bucket.take(10, 6.5) == 0.5
    assert bucket.take(100, 1000) == 0  # and never more than a burst at once
    assert bucket.take(1, 1000) == 0.1


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 3)), max_size=50))
def test_a_bucket_never_lets_more_pass_than_its_burst_and_its_rate(takes: list[tuple[int, float]]) -> None:
    now, passed, bucket = 0.0, 0, TokenBucket(rate=7, burst=20, now=0)
    for amount, idle in takes:
        now += idle
        now += bucket.take(amount, now)
        passed += amount
        assert passed <= 20 + 7 * now + 1e-6


def test_the_introduction_of_a_client() -> None:
    assert Introduction(End.GUEST, ROOM).encode() == b"\1" + ROOM
