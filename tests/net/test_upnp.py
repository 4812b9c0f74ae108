"""A port of the router, opened by UPnP: routers that answer in every way that they are known to, and liars."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import psutil
import pytest

from p2p_shanghaien.errors import NetCode
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.port_mapping import EitherRouter, Find, Router, Timing, port_opened
from p2p_shanghaien.net.upnp import UpnpRouter, is_installed
from p2p_shanghaien.ui.words import say
from tests.net.fake_igd import (
    DESCRIPTION,
    SERVICE,
    Answer,
    Behaviour,
    Error,
    FakeIgd,
    Mapping,
    instead,
    page_of,
    serving,
    well_behaved,
)
from tests.net.fake_router import FakeRouter, answer, routing
from tests.sweeps import sweep

pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.sockets,
    pytest.mark.skipif(not is_installed(), reason="needs miniupnpc, the extra upnp"),
]

PATIENCE = 30.0
TIMING = Timing(answer=PATIENCE, closing=PATIENCE, again=0.05, soonest=0.05)
SHORT = replace(TIMING, answer=1.0, closing=0.5)
"""For a router that answers nothing to what it is asked."""
OURS = Mapping("127.0.0.1", 48126, "shanghaien", 3600)
NEIGHBOUR = Mapping("127.0.0.9", 48126, "shanghaien", 3600)

Told = asyncio.Queue[tuple[str, dict[str, Any]]]


@asynccontextmanager
async def asked(find: Find, timing: Timing = TIMING) -> AsyncIterator[Told]:
    """Yield what is told of a router that is asked to open port 48126."""
    told: Told = asyncio.Queue()
    async with (
        asyncio.timeout(PATIENCE),
        port_opened(48126, bytes(12), [find], lambda code, **details: told.put_nowait((code, details)), timing),
    ):
        yield told


def finds(router: Router) -> Find:
    async def find() -> Router:
        return router

    return find


async def first_told(igd: FakeIgd, timing: Timing = TIMING) -> tuple[str, dict[str, Any]]:
    async with serving(igd), asked(finds(igd.router()), timing) as told:
        return await told.get()


async def failure(behaves: Behaviour, timing: Timing = TIMING) -> tuple[str, dict[str, Any]]:
    igd = FakeIgd(behaves)
    told = await first_told(igd, timing)
    assert not igd.opened, "what is not told is not open"
    return told


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    """No process of the library outlives its call."""
    yield
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # it ends, or has ended
            assert not any("upnp_worker" in word for word in child.cmdline())


async def first_told_of(router: Router) -> tuple[str, dict[str, Any]]:
    async with asked(finds(router)) as told:
        return await told.get()


@asynccontextmanager
async def both(pcp: Callable[..., Any], timing: Timing = TIMING) -> AsyncIterator[tuple[FakeRouter, FakeIgd, Told]]:
    """Yield a router that is asked by PCP and then by UPnP, and what is told of it."""
    igd = FakeIgd()
    async with routing(pcp) as router, serving(igd):
        either = EitherRouter(await router.found(), igd.router(), patience=0.3)
        async with asked(finds(either), timing) as told:
            yield router, igd, told


# Opening, renewing and closing.


async def test_a_port_is_opened_and_closed() -> None:
    igd = FakeIgd()
    async with serving(igd), asked(finds(igd.router())) as told:
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7")})
        assert igd.mappings == {48126: OURS}
    assert igd.mappings == {}
    assert igd.fetched == 2, "no search and one description for each call"


@pytest.mark.parametrize("target", [SERVICE, SERVICE.replace("WANIP", "WANPPP")])
async def test_a_router_that_answers_for_its_service_only(target: str) -> None:
    igd = FakeIgd()
    igd.target = igd.service = target
    assert (await first_told(igd))[0] == "port_opened"


@pytest.mark.parametrize(
    "taken",
    [
        NEIGHBOUR,
        OURS._replace(port=5000),
        OURS._replace(description="game"),
        OURS._replace(description=""),
    ],
    ids=["another machine", "another port", "another program", "no description"],
)
async def test_a_port_that_is_taken_stays_whose_it_is(taken: Mapping) -> None:
    igd = FakeIgd()
    igd.mappings = {48126: taken, 48127: taken}
    async with serving(igd), asked(finds(igd.router())) as told:
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7", 48128)})
    assert igd.mappings == {48126: taken, 48127: taken}
    assert [arguments["NewExternalPort"] for action, arguments in igd.asked if action == "AddPortMapping"] == ["48128"]


async def test_a_port_whose_description_is_no_text_is_taken() -> None:
    entry = (
        b"<NewInternalClient>127.0.0.1</NewInternalClient><NewInternalPort>48126</NewInternalPort>"
        b"<NewPortMappingDescription>B\xfcro</NewPortMappingDescription><NewLeaseDuration>9</NewLeaseDuration>"
    )

    def behaves(igd: FakeIgd, action: str, arguments: dict[str, str]) -> Answer:
        is_this = action == "GetSpecificPortMappingEntry" and arguments["NewExternalPort"] == "48126"
        return page_of(entry) if is_this else well_behaved(igd, action, arguments)

    assert await first_told(FakeIgd(behaves)) == ("port_opened", {"address": Address("5.9.8.7", 48127)})


async def test_a_conflict_that_was_not_seen_leads_to_another_port() -> None:
    def behaves(igd: FakeIgd, action: str, arguments: dict[str, str]) -> Answer:
        is_this = action == "AddPortMapping" and arguments["NewExternalPort"] == "48126"
        return Error(718) if is_this else well_behaved(igd, action, arguments)

    assert await first_told(FakeIgd(behaves)) == ("port_opened", {"address": Address("5.9.8.7", 48127)})


async def test_where_all_are_taken_none_is_opened() -> None:
    igd = FakeIgd()
    igd.mappings = dict.fromkeys(range(48126, 48136), NEIGHBOUR)
    code, details = await first_told(igd)
    assert (code, details["error"]) == (NetCode.UPNP_REFUSES, "ConflictInMappingEntry")
    assert set(igd.mappings.values()) == {NEIGHBOUR}


@pytest.mark.parametrize("number", [48126, 48128])
async def test_what_a_killed_program_left_is_renewed_and_closed(number: int) -> None:
    igd = FakeIgd()
    igd.mappings = {48126: NEIGHBOUR, 48127: NEIGHBOUR, number: OURS._replace(lease=7)}
    async with serving(igd), asked(finds(igd.router())) as told:
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7", number)})
        assert igd.mappings[number] == OURS
    assert number not in igd.mappings


async def test_it_is_renewed_at_half_of_the_lease_with_what_there_is() -> None:
    """Though the wanted port is free by then, and the router has a description of its own for ours."""
    igd = FakeIgd()
    igd.mappings[48126] = NEIGHBOUR
    async with serving(igd), asked(finds(igd.router()), replace(TIMING, lease=1)) as told:
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7", 48127)})
        del igd.mappings[48126]
        igd.mappings[48127] = OURS._replace(description="UPnP (48127)", lease=1)
        started = time.monotonic()
        while igd.actions.count("AddPortMapping") < 2:
            await asyncio.sleep(0.01)
        assert time.monotonic() - started >= 0.3
        while not igd.opened:
            await asyncio.sleep(0.01)
        assert list(igd.mappings) == [48127]
        assert told.empty()
    assert not igd.mappings


async def test_another_address_is_told_when_it_comes() -> None:
    igd = FakeIgd()
    async with serving(igd), asked(finds(igd.router()), replace(TIMING, lease=1)) as told:
        await told.get()
        igd.address = "5.9.8.9"
        assert await told.get() == ("port_opened_again", {"address": Address("5.9.8.9")})


async def test_a_renewal_that_fails_is_told_once_and_tried_again() -> None:
    igd = FakeIgd()
    async with serving(igd), asked(finds(igd.router()), replace(TIMING, lease=1)) as told:
        await told.get()
        igd.address = "10.0.0.1"
        code, details = await told.get()
        assert (code, details["reason"].code) == ("port_not_renewed", NetCode.ROUTER_BEHIND_ANOTHER)
        await asyncio.sleep(0.3)
        assert told.empty()
        igd.address = "5.9.8.7"
        assert await told.get() == ("port_opened_again", {"address": Address("5.9.8.7")})


async def test_a_router_that_was_started_anew_is_found_again() -> None:
    async with AsyncExitStack() as stack:
        async with serving(FakeIgd()) as before:
            router = UpnpRouter("127.0.0.1", port=before.searched, pause=0.05, patience=PATIENCE)
            told = await stack.enter_async_context(asked(finds(router), replace(TIMING, lease=1)))
            assert (await told.get())[0] == "port_opened"
        after = await stack.enter_async_context(serving(FakeIgd(), before.searched))
        while not after.opened:
            await asyncio.sleep(0.02)
        assert told.empty()


# What routers are known to answer.


async def test_a_router_that_knows_only_permanent_leases_is_refused() -> None:
    code, details = await failure(instead(AddPortMapping=Error(725)))
    assert (code, details) == (NetCode.ROUTER_PERMANENT, {"router": "127.0.0.1", "port": 48126})
    assert "host with --relay" in say(code, **details)


@pytest.mark.parametrize("lease", ["0", "", "-1", "for ever"])
async def test_a_router_that_forgets_the_lease_is_refused_and_the_port_closed(lease: str) -> None:
    def behaves(igd: FakeIgd, action: str, arguments: dict[str, str]) -> Answer:
        results = well_behaved(igd, action, arguments)
        return {**results, "NewLeaseDuration": lease} if isinstance(results, dict) and len(results) > 1 else results

    assert (await failure(behaves))[0] == NetCode.ROUTER_PERMANENT


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (401, "Invalid Action"),
        (402, "Invalid Args"),
        (501, "Action Failed"),
        (606, "Action not authorized"),
        (724, "SamePortValuesRequired"),
        (728, "NoPortMapsAvailable"),
        (899, "UnknownError"),
    ],
)
async def test_an_error_is_told(error: int, name: str) -> None:
    assert await failure(instead(AddPortMapping=Error(error))) == (
        NetCode.UPNP_REFUSES,
        {"router": "127.0.0.1", "port": 48126, "error": name},
    )


@pytest.mark.parametrize(
    "address",
    [
        "192.168.0.2",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.1.1",
        "0.0.0.0",
        "127.0.0.1",
        "224.0.0.1",
        "",
        "::1",
        "?",
        "\x7f",
    ],
)
async def test_an_address_that_is_not_of_the_internet_leads_nowhere(address: str) -> None:
    igd = FakeIgd()
    igd.address = address
    assert (await first_told(igd))[0] == NetCode.ROUTER_BEHIND_ANOTHER
    assert "AddPortMapping" not in igd.actions


async def test_a_router_without_an_address_is_behind_another() -> None:
    assert (await failure(instead(GetExternalIPAddress=Error(501))))[0] == NetCode.ROUTER_BEHIND_ANOTHER


async def test_a_router_that_does_not_give_its_address_refuses() -> None:
    code, details = await failure(instead(GetExternalIPAddress=Error(606)))
    assert (code, details["error"]) == (NetCode.UPNP_REFUSES, "Action not authorized")


async def test_a_mapping_that_is_granted_and_not_there_is_a_refusal() -> None:
    code, details = await failure(instead(AddPortMapping={}))
    assert (code, details["error"]) == (NetCode.UPNP_REFUSES, "NoSuchEntryInArray")


async def test_a_mapping_that_leads_to_another_machine_is_a_refusal() -> None:
    def behaves(igd: FakeIgd, action: str, arguments: dict[str, str]) -> Answer:
        if action == "AddPortMapping":
            igd.mappings[48126] = NEIGHBOUR
            return {}
        return well_behaved(igd, action, arguments)

    igd = FakeIgd(behaves)
    assert (await first_told(igd))[0] == NetCode.UPNP_REFUSES
    assert igd.mappings == {48126: NEIGHBOUR}


GARBAGE = (
    b"",
    page_of(b""),
    page_of(b"<?xml"),
    page_of(bytes(range(256)) * 8),
    page_of(b"<html><body>Log in</body></html>"),
    page_of(b"<" * 5000),
    page_of(b"<a>" * 5000),
    page_of(b"&" * 5000),
    page_of(b"<errorCode></errorCode>"),
    b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + b"x" * 5000,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n" + b"x" * 5000,
    b"\0" * 5000,
    page_of(b"moved", "302 Found", "Location: http://127.0.0.2/"),
)


@sweep("garbage", GARBAGE, every=3, ids=lambda garbage: f"{len(garbage)} {garbage[-7:]!r}")
async def test_garbage_is_no_answer(garbage: bytes) -> None:
    """In place of the description, or of the answer to any action."""
    igd = FakeIgd()
    igd.page = garbage
    assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    for action in ("GetExternalIPAddress", "AddPortMapping", "GetSpecificPortMappingEntry"):
        code, _ = await failure(instead(**{action: garbage}))
        assert code in (NetCode.ROUTER_SILENT, NetCode.UPNP_REFUSES)


@pytest.mark.parametrize("action", ["GetExternalIPAddress", "AddPortMapping", "GetSpecificPortMappingEntry"])
async def test_silence_is_no_answer(action: str) -> None:
    assert (await failure(instead(**{action: None}), SHORT))[0] == NetCode.ROUTER_SILENT


# What a device may try.


@sweep(
    "flood, seconds",
    [
        (b"x" * 65536, 0.0),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"<a>" * 20000, 0.0),
        (b"HTTP/1.1 200 OK\r\n", 0.05),
    ],
    every=3,
    ids=["a head without end", "a description without end", "a trickle"],
)
async def test_a_device_that_sends_without_end_is_left(flood: bytes, seconds: float) -> None:
    igd = FakeIgd()
    igd.page = b""
    igd.flood = flood, seconds
    started = time.monotonic()
    assert (await first_told(igd, replace(SHORT, answer=2.0)))[0] == NetCode.ROUTER_SILENT
    assert time.monotonic() - started < 15
    igd.flood = None


async def test_a_device_at_another_address_is_ignored() -> None:
    """It answers a search for the router; or the router names a description there."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(asyncio.DatagramProtocol, local_addr=("127.0.0.2", 0))
    igd, other = FakeIgd(), FakeIgd(host="127.0.0.2")
    igd.sends = transport
    assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    transport.close()
    async with serving(other):
        igd.sends = None
        igd.location = other.location
        assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    assert igd.searches
    assert igd.fetched == other.fetched == 0


@pytest.mark.parametrize("is_base", [True, False])
async def test_a_description_that_names_another_address_is_ignored(is_base: bool) -> None:
    igd, other = FakeIgd(), FakeIgd(host="127.0.0.2")
    async with serving(other):
        elsewhere = other.location.removesuffix("rootDesc.xml")
        if is_base:
            page = DESCRIPTION.format(service=SERVICE, control="control")
            igd.page = page_of(page.replace("<device>", f"<URLBase>{elsewhere}</URLBase><device>", 1).encode())
        else:
            igd.control = f"{elsewhere}control"
        assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    assert igd.fetched
    assert other.asked == []


async def test_a_redirect_leads_nowhere() -> None:
    igd, other = FakeIgd(), FakeIgd(host="127.0.0.2")
    async with serving(other):
        igd.page = page_of(b"", "301 Moved Permanently", f"Location: {other.location}")
        assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    assert (other.fetched, other.asked) == (0, [])


async def test_another_kind_of_device_is_ignored() -> None:
    igd = FakeIgd()
    igd.target = "urn:schemas-upnp-org:device:MediaServer:1"
    assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT
    assert igd.fetched == 0


async def test_nothing_listens_where_the_description_should_be() -> None:
    igd = FakeIgd()
    igd.location = "http://127.0.0.1:9/rootDesc.xml"
    assert (await first_told(igd))[0] == NetCode.ROUTER_SILENT


async def test_no_way_leads_to_the_router() -> None:
    far = UpnpRouter("127.0.0.1", "192.0.2.1", patience=0.1)
    assert (await first_told_of(far))[0] == NetCode.ROUTER_SILENT


@pytest.mark.parametrize("action", ["GetSpecificPortMappingEntry", "DeletePortMapping"])
async def test_leaving_takes_no_longer_than_closing_may(action: str) -> None:
    igd = FakeIgd()
    async with serving(igd):
        async with asked(finds(igd.router()), replace(TIMING, closing=0.3)) as told:
            await told.get()
            igd.behaves = instead(**{action: None})
            started = time.monotonic()
        assert time.monotonic() - started < 2


async def test_leaving_while_the_router_is_asked() -> None:
    """What is open by then is closed."""
    igd = FakeIgd(instead(AddPortMapping=None))
    async with serving(igd):
        async with asked(finds(igd.router())):
            while "AddPortMapping" not in igd.actions:
                await asyncio.sleep(0.01)
            igd.mappings[48126] = OURS
        assert igd.mappings == {}


# After PCP.


async def test_a_port_that_pcp_opens_needs_no_upnp() -> None:
    async with both(lambda asked: [answer(asked)]) as (_, igd, told):
        assert (await told.get())[0] == "port_opened"
    assert igd.fetched == 0


async def test_where_pcp_is_silent_upnp_opens_the_port() -> None:
    async with both(lambda asked: []) as (pcp, igd, told):
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7")})
        requests = len(pcp.asked)
        assert igd.opened
    assert not igd.opened
    assert len(pcp.asked) == requests, "what UPnP has opened is closed by it alone"


async def test_what_upnp_has_opened_it_renews() -> None:
    async with both(lambda asked: [], replace(TIMING, lease=1)) as (pcp, igd, told):
        await told.get()
        requests = len(pcp.asked)
        while igd.actions.count("AddPortMapping") < 2:
            await asyncio.sleep(0.01)
        assert len(pcp.asked) == requests
        assert told.empty()


async def test_where_pcp_refuses_upnp_opens_the_port() -> None:
    async with both(lambda asked: [answer(asked, result=2)]) as (_, _, told):
        assert (await told.get())[0] == "port_opened"


async def test_of_two_refusals_the_last_is_told() -> None:
    async with both(lambda asked: [answer(asked, result=2)]) as (_, igd, told):
        igd.behaves = instead(AddPortMapping=Error(606))
        assert (await told.get())[0] == NetCode.UPNP_REFUSES


async def test_a_refusal_by_pcp_is_told_where_upnp_is_silent() -> None:
    async with both(lambda asked: [answer(asked, result=2)]) as (_, igd, told):
        igd.target = ""
        code, details = await told.get()
        assert (code, details["result"]) == (NetCode.ROUTER_REFUSES, 2)


async def test_a_router_that_pcp_says_is_behind_another_is_not_asked_again() -> None:
    async with both(lambda asked: [answer(asked, "10.0.0.1")]) as (_, igd, told):
        assert (await told.get())[0] == NetCode.ROUTER_BEHIND_ANOTHER
    assert igd.fetched == 0


async def test_both_are_silent() -> None:
    async with both(lambda asked: []) as (_, igd, told):
        igd.target = ""
        assert (await told.get())[0] == NetCode.ROUTER_SILENT
