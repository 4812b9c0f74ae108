"""The packets of the Port Control Protocol, by the layout of RFC 6887."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.net.pcp import ANY, NONCE, UNSUPPORTED_VERSION, External, MapAnswer, MapRequest, parse_answer
from p2p_shanghaien.net.port_mapping import granted
from tests.net.fake_router import Asked, answer, read

NONCE_HEX = "000102030405060708090a0b"

REQUEST = (
    "02 01 0000 00000e10"  # version, MAP, reserved, one hour
    "00000000000000000000ffffc0a80102"  # 192.168.1.2
    f"{NONCE_HEX} 06 000000 bbfe bbfe"  # TCP, reserved, both ports 48126
    "00000000000000000000ffff00000000"  # any address
)
ANSWER = (
    "02 81 00 00 00000708 00000064 000000000000000000000000"  # half an hour, 100 seconds since the router started
    f"{NONCE_HEX} 06 000000 bbfe 1234"
    "00000000000000000000ffff05090807"  # 5.9.8.7
)

addresses = st.ip_addresses(v=4) | st.ip_addresses(v=6).filter(lambda address: IPv6Address(address).ipv4_mapped is None)
ports = st.integers(0, 0xFFFF)
seconds = st.integers(0, 0xFFFFFFFF)
nonces = st.binary(min_size=NONCE, max_size=NONCE)


def test_a_request_has_the_layout_of_the_rfc() -> None:
    request = MapRequest(48126, bytes.fromhex(NONCE_HEX), 3600, External(ANY, 48126))
    assert request.encode("192.168.1.2") == bytes.fromhex(REQUEST)
    by_ipv6 = request.encode("2001:db8::1")
    assert by_ipv6[8:24] == IPv6Address("2001:db8::1").packed
    assert by_ipv6[44:] == bytes(16), "any IPv6 address"


def test_an_answer_has_the_layout_of_the_rfc() -> None:
    expected = MapAnswer(0, 1800, 100, bytes.fromhex(NONCE_HEX), 48126, External(IPv4Address("5.9.8.7"), 0x1234))
    assert parse_answer(bytes.fromhex(ANSWER)) == expected
    assert parse_answer(bytes.fromhex(ANSWER) + bytes(4)) == expected, "options that nobody asked for are passed over"


@given(ports, nonces, seconds, addresses, ports)
def test_a_router_reads_what_was_asked(
    port: int, nonce: bytes, lifetime: int, address: IPv4Address | IPv6Address, external: int
) -> None:
    asked = read(MapRequest(port, nonce, lifetime, External(address, external)).encode("192.168.1.2"))
    outside = IPv6Address(asked.external_address)
    assert (asked.version, asked.operation, asked.protocol) == (2, 1, 6)
    assert (asked.port, asked.nonce, asked.lifetime, asked.external_port) == (port, nonce, lifetime, external)
    assert (outside.ipv4_mapped or outside) == address


@given(ports, nonces, seconds, st.ip_addresses(v=4), ports, st.integers(2, 255), seconds)
def test_a_client_reads_what_was_answered(
    port: int, nonce: bytes, lifetime: int, address: IPv4Address, external: int, result: int, epoch: int
) -> None:
    asked = Asked(2, 1, lifetime, b"", nonce, 6, port, 0, b"")
    data = answer(asked, str(address), external, result, epoch=epoch)
    assert parse_answer(data) == MapAnswer(result, lifetime, epoch, nonce, port, External(address, external))
    request = MapRequest(port, nonce, lifetime, External(ANY, 0))
    read_back = parse_answer(data)
    assert read_back
    assert read_back.is_to(request)
    assert not read_back.is_to(request._replace(nonce=bytes(11) + b"?"))
    assert not read_back.is_to(request._replace(port=port ^ 1))


@given(st.binary(max_size=1200) | st.binary(max_size=80).map(lambda end: bytes.fromhex("0281") + end))
def test_garbage_is_ignored(data: bytes) -> None:
    found = parse_answer(data)
    assert found is None or found.result == UNSUPPORTED_VERSION or 60 <= len(data) <= 1100
    with suppress(CannotConnect):
        assert granted(found, "192.168.1.1", 48126).external.address.is_global


def test_what_is_no_answer_is_ignored() -> None:
    good = bytes.fromhex(ANSWER)
    for bad in (
        *(good[:size] for size in range(60)),
        good + b"\0",
        good + bytes(1044),
        b"\2\1" + good[2:],  # a request
        b"\2\x82" + good[2:],  # PEER
        good[:36] + b"\x11" + good[37:],  # UDP
    ):
        assert parse_answer(bad) is None, bad.hex()


def test_an_older_version_answers_in_its_own_way() -> None:
    """RFC 6886, section 3.5, and RFC 6887, appendix A."""
    nat_pmp = bytes.fromhex("00 81 0001 00000064")
    assert parse_answer(nat_pmp) == MapAnswer(UNSUPPORTED_VERSION)
    assert parse_answer(bytes.fromhex("02 81 00 01") + bytes(20)) == MapAnswer(UNSUPPORTED_VERSION)
    assert parse_answer(nat_pmp[:3]) is None
