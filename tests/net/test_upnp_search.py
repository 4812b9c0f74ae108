"""The search for a router by UPnP: what is believed of what devices answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.net.upnp import parse_description, search
from p2p_shanghaien.net.upnp_worker import leads_to
from tests.net.fake_igd import DEVICE, found


@pytest.mark.parametrize(
    "url",
    [
        "https://192.168.1.1/",
        "http://192.168.1.1",
        "http://192.168.1.10/",
        "http://192.168.1.1.example.org/",
        "http://user@192.168.1.1/",
        "http://192.168.1.2:1@192.168.1.1/",
        "http://192.168.1.1:1@192.168.1.2/",
        "http://192.168.1.1:/",
        "http://192.168.1.1:800000/",
        "http://192x168.1.1/",
        "http://[::ffff:192.168.1.1]/",
        "http://192.168.1.1/a b",
        "http://192.168.1.1/\r\nX: y",
        "http://192.168.1.1/é",
        " http://192.168.1.1/",
        "http://3232235777/",
        "//192.168.1.1/",
        "/rootDesc.xml",
        "",
    ],
)
def test_only_one_form_of_url_leads_to_the_router(url: str) -> None:
    assert not leads_to(url, "192.168.1.1")


@pytest.mark.parametrize("url", ["http://192.168.1.1/", "http://192.168.1.1:5000/a/b.xml?c=d%20"])
def test_a_url_at_the_router_leads_there(url: str) -> None:
    assert leads_to(url, "192.168.1.1")
    for line in (f"Location: {url}", f"LOCATION:{url} ", f"location: \t{url}"):
        data = f"HTTP/1.1 200 OK\r\nst: {DEVICE}\r\n{line}\r\n\r\n".encode()
        assert parse_description(data, "192.168.1.1") == url
        assert parse_description(data, "192.168.1.2") is None


def test_what_is_no_answer_of_a_gateway_is_ignored() -> None:
    good = found("http://192.168.1.1:5000/rootDesc.xml")
    assert parse_description(good, "192.168.1.1")
    for bad in (
        b"",
        b"\xff\xfe",
        good.replace(b"200 OK", b"404 Not Found"),
        good.replace(b"HTTP/1.1 200 OK", b"NOTIFY * HTTP/1.1"),
        good.replace(b"InternetGatewayDevice", b"MediaServer"),
        good.replace(b"ST:", b"NT:"),
        good.replace(b"Location:", b"X-Location:"),
        good.replace(b"192.168.1.1", b"192.168.1.7"),
        good + bytes(1400),
    ):
        assert parse_description(bad, "192.168.1.1") is None, bad


@given(
    st.binary(max_size=1500) | st.text(max_size=60).map(lambda url: found(url.replace("\n", "")).replace(b"\r", b""))
)
def test_garbage_leads_nowhere_else(data: bytes) -> None:
    url = parse_description(data, "192.168.1.1")
    assert url is None or leads_to(url, "192.168.1.1")


def test_a_search_has_the_layout_of_the_standard() -> None:
    """UPnP Device Architecture 1.1, section 1.3.2."""
    assert search(DEVICE) == (
        b'M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: "ssdp:discover"\r\nMX: 1\r\n'
        b"ST: urn:schemas-upnp-org:device:InternetGatewayDevice:1\r\n\r\n"
    )
