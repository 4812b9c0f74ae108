"""A port of the router: opened, renewed and closed, at routers that answer in every way that they are known to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from p2p_shanghaien.errors import NetCode
from p2p_shanghaien.net import port_mapping
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.pcp import PcpRouter
from p2p_shanghaien.net.port_mapping import DefaultGateway, EitherRouter, Find, Router, Timing, port_opened
from p2p_shanghaien.net.upnp import UpnpRouter
from p2p_shanghaien.ui.words import describe, say
from tests.net.fake_router import Asked, Behaviour, FakeRouter, answer, routing

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

NONCE = bytes(range(12))
PATIENCE = 30.0
TIMING = Timing(answer=PATIENCE, closing=PATIENCE, again=0.02, soonest=0.02)
SHORT = replace(TIMING, answer=0.3, closing=0.1)
"""For a router that does not answer."""

Told = asyncio.Queue[tuple[str, dict[str, Any]]]


@asynccontextmanager
async def opened(behaves: Behaviour, timing: Timing = TIMING) -> AsyncIterator[tuple[FakeRouter, Told]]:
    """Yield a router that is asked to open port 48126, and what is told of it."""
    told: Told = asyncio.Queue()
    async with (
        routing(behaves) as router,
        asyncio.timeout(PATIENCE),
        port_opened(48126, NONCE, [router.found], lambda code, **details: told.put_nowait((code, details)), timing),
    ):
        yield router, told


async def failure(behaves: Behaviour) -> tuple[str, dict[str, Any]]:
    async with opened(behaves, SHORT) as (_, told):
        return await told.get()


async def test_a_port_is_opened_and_closed() -> None:
    async with opened(lambda asked: [answer(asked)]) as (router, told):
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7")})
    first, *_, last = router.asked
    assert (first.lifetime, first.port, first.external_port, first.nonce) == (3600, 48126, 48126, NONCE)
    assert first.client[12:] == bytes((127, 0, 0, 1))
    assert (last.lifetime, last.port, last.external_port, last.nonce) == (0, 48126, 0, NONCE)


async def test_another_port_than_ours_is_taken_as_it_comes() -> None:
    async with opened(lambda asked: [answer(asked, port=5000)]) as (_, told):
        assert await told.get() == ("port_opened", {"address": Address("5.9.8.7", 5000)})


async def test_it_is_renewed_at_half_of_the_lease_with_what_there_is() -> None:
    async with opened(lambda asked: [answer(asked, port=5000, lifetime=min(asked.lifetime, 1))]) as (router, told):
        await told.get()
        while router.asked[-1].external_port != 5000:
            await asyncio.sleep(0.01)
        assert router.times[-1] - router.times[0] >= 0.5
        assert router.asked[-1].external_address[12:] == bytes((5, 9, 8, 7))
        assert told.empty()


async def test_a_lease_longer_than_asked_for_is_renewed_as_it_was_asked_for() -> None:
    timing = replace(TIMING, lease=1)
    async with opened(lambda asked: [answer(asked, port=5000, lifetime=0xFFFFFFFF)], timing) as (router, _):
        while not router.asked or router.asked[-1].external_port != 5000:
            await asyncio.sleep(0.01)


async def test_it_is_renewed_as_soon_as_a_suspended_machine_wakes() -> None:
    """While it was suspended, the event loop's clock stood still."""
    now = 1000.0
    timing = replace(TIMING, glance=0.02, clock=lambda: now)
    async with opened(lambda asked: [answer(asked, port=5000)], timing) as (router, told):
        await told.get()
        await asyncio.sleep(0.1)
        assert router.asked[-1].external_port == 48126
        now += 1801
        while router.asked[-1].external_port != 5000:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("result", [*range(2, 15), 255])
async def test_an_error_is_told(result: int) -> None:
    code, details = await failure(lambda asked: [answer(asked, "0.0.0.0", 0, result)])
    behind = result in (7, 8, 12)
    assert code == (NetCode.ROUTER_BEHIND_ANOTHER if behind else NetCode.ROUTER_REFUSES)
    assert behind or details == {"router": "127.0.0.1", "port": 48126, "result": result}


@pytest.mark.parametrize("address", ["192.168.0.2", "10.0.0.1", "100.64.0.1", "169.254.1.1", "0.0.0.0", "127.0.0.1"])
async def test_an_address_that_is_not_of_the_internet_leads_nowhere(address: str) -> None:
    async with opened(lambda asked: [answer(asked, address)]) as (router, told):
        assert (await told.get())[0] == NetCode.ROUTER_BEHIND_ANOTHER
        while router.asked[-1].lifetime:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "refusal",
    [
        lambda asked: answer(asked, lifetime=0),
        lambda asked: answer(asked, port=0),
    ],
    ids=["no lifetime", "no port"],
)
async def test_a_mapping_that_is_none_is_a_refusal(refusal: Callable[[Asked], bytes]) -> None:
    assert (await failure(lambda asked: [refusal(asked)]))[0] == NetCode.ROUTER_REFUSES


@pytest.mark.parametrize(
    "ignored",
    [
        lambda asked: b"",
        lambda asked: answer(asked)[:59],
        lambda asked: answer(asked._replace(nonce=bytes(12))),
        lambda asked: answer(asked._replace(port=5000)),
        lambda asked: answer(asked._replace(protocol=17)),
        lambda asked: answer(asked, result=2)[:24],
        lambda asked: bytes(1200),
    ],
    ids=["nothing", "too short", "another nonce", "another port", "another protocol", "no mapping", "too long"],
)
async def test_what_is_no_answer_to_the_request_is_ignored(ignored: Callable[[Asked], bytes]) -> None:
    assert await failure(lambda asked: [ignored(asked)]) == (
        NetCode.ROUTER_SILENT,
        {"router": "127.0.0.1", "port": 48126},
    )
    async with opened(lambda asked: [ignored(asked), answer(asked)]) as (_, told):
        assert (await told.get())[0] == "port_opened"


async def test_a_lost_request_is_sent_again() -> None:
    seen: list[Asked] = []

    def third(asked: Asked) -> Sequence[bytes]:
        seen.append(asked)
        return [answer(asked)] if len(seen) > 2 else []

    async with opened(third) as (_, told):
        assert (await told.get())[0] == "port_opened"


async def test_an_answer_from_another_socket_is_ignored() -> None:
    async with opened(lambda asked: [], replace(SHORT, answer=0.5)) as (router, told):
        loop = asyncio.get_running_loop()
        other, _ = await loop.create_datagram_endpoint(asyncio.DatagramProtocol, local_addr=("127.0.0.1", 0))
        router.sends = other
        router.behaves = lambda asked: [answer(asked)]
        assert (await told.get())[0] == NetCode.ROUTER_SILENT
        other.close()


@pytest.mark.parametrize("data", [bytes.fromhex("0081000100000009"), bytes.fromhex("02810001") + bytes(20)])
async def test_a_router_of_another_version_does_not_answer_by_ours(data: bytes) -> None:
    assert (await failure(lambda asked: [data]))[0] == NetCode.ROUTER_SILENT


async def test_nobody_listens_at_the_router() -> None:
    async with routing(lambda asked: []) as router:
        gone = await router.found()
    told: asyncio.Queue[str] = asyncio.Queue()
    timing = replace(SHORT, answer=5)
    async with asyncio.timeout(PATIENCE), port_opened(48126, NONCE, [_found(gone)], _to(told), timing):
        assert await told.get() == NetCode.ROUTER_SILENT


async def test_one_way_that_is_open_is_enough() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    async with routing(lambda asked: [answer(asked)]) as router, asyncio.timeout(PATIENCE):
        async with port_opened(48126, NONCE, [_found(None), router.found], _to(told), TIMING):
            assert await told.get() == "port_opened"
        assert told.empty()


async def test_if_no_way_is_open_the_first_is_told() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    async with routing(lambda asked: [answer(asked, result=2)]) as router, asyncio.timeout(PATIENCE):
        async with port_opened(48126, NONCE, [router.found, _found(None)], _to(told), TIMING):
            assert await told.get() == NetCode.ROUTER_REFUSES
        assert told.empty()


async def test_there_is_no_router() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    async with asyncio.timeout(PATIENCE), port_opened(48126, NONCE, [_found(None)], _to(told), TIMING):
        assert await told.get() == NetCode.NO_ROUTER


@pytest.mark.parametrize("bind", ["127.0.0.1", "::1", "2001:db8::1"])
async def test_no_router_leads_to_a_host_that_listens_elsewhere(bind: str) -> None:
    assert await DefaultGateway(bind).find() is None


async def test_an_address_from_which_no_way_leads_to_the_router() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    far = PcpRouter("127.0.0.1", "192.0.2.1")
    async with asyncio.timeout(PATIENCE), port_opened(48126, NONCE, [_found(far)], _to(told), TIMING):
        assert await told.get() == NetCode.ROUTER_SILENT


async def test_another_address_is_told_when_it_comes() -> None:
    """The provider gives another address, or the router was started anew (its epoch goes back)."""
    async with opened(lambda asked: [answer(asked, lifetime=min(asked.lifetime, 1), epoch=900)]) as (router, told):
        await told.get()
        router.behaves = lambda asked: [answer(asked, "5.9.8.9", 5001, epoch=1)]
        assert await told.get() == ("port_opened_again", {"address": Address("5.9.8.9", 5001)})


async def test_a_renewal_that_fails_is_told_once_and_tried_again() -> None:
    async with opened(lambda asked: [answer(asked, lifetime=min(asked.lifetime, 1))]) as (router, told):
        await told.get()
        router.behaves = lambda asked: [answer(asked, result=2)]
        code, details = await told.get()
        assert (code, details["reason"].code) == ("port_not_renewed", NetCode.ROUTER_REFUSES)
        await asyncio.sleep(0.2)
        assert told.empty()
        router.behaves = lambda asked: [answer(asked)]
        assert await told.get() == ("port_opened_again", {"address": Address("5.9.8.7")})


@pytest.mark.parametrize("finds", [True, False])
async def test_leaving_takes_no_longer_than_closing_may(finds: bool) -> None:
    """The router has gone silent; or what finds it hangs."""
    told: asyncio.Queue[str] = asyncio.Queue()
    async with routing(lambda asked: []) as router, asyncio.timeout(PATIENCE):
        find: Find = router.found if finds else _never
        async with port_opened(48126, NONCE, [find], _to(told), replace(SHORT, answer=2 * PATIENCE)):
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("answers", [False, True])
async def test_if_upnp_is_not_installed_a_refusal_says_so(answers: bool) -> None:
    async with routing(lambda asked: [answer(asked, result=2)] if answers else []) as router:
        code, details = await _failure_of(EitherRouter(await router.found(), None, patience=4.0 if answers else 0.1))
    assert code == NetCode.UPNP_NOT_INSTALLED
    assert details["reason"].code == (NetCode.ROUTER_REFUSES if answers else NetCode.ROUTER_SILENT)
    sentence = say(code, **details)
    assert sentence.startswith(describe(details["reason"]))
    assert sentence.endswith(" UPnP can be tried as well, after pip install 'p2p-shanghaien[upnp]'.")


async def test_for_a_router_behind_another_upnp_need_not_be_installed() -> None:
    async with routing(lambda asked: [answer(asked, "10.0.0.1")]) as router:
        code, _ = await _failure_of(EitherRouter(await router.found(), None))
    assert code == NetCode.ROUTER_BEHIND_ANOTHER


async def test_the_gateway_of_the_moment_is_asked() -> None:
    """It is one and the same router by UPnP as long as the machine stays, since that knows what is open."""
    here = "192.168.1.1"
    made: list[UpnpRouter] = []

    async def default_gateway() -> str:
        return here

    def make(address: str, bind: str | None) -> UpnpRouter:
        made.append(UpnpRouter(address, bind))
        return made[-1]

    with (
        patch.object(port_mapping, "default_gateway", default_gateway),
        patch.object(port_mapping, "is_installed", lambda: True),
        patch.object(port_mapping, "UpnpRouter", make),
    ):
        gateway = DefaultGateway(None)
        found = [str(await gateway.find()), str(await gateway.find())]
        here = "10.0.0.1"
        found.append(str(await gateway.find()))
    assert found == ["192.168.1.1", "192.168.1.1", "10.0.0.1"]
    assert list(map(str, made)) == ["192.168.1.1", "10.0.0.1"]


async def _failure_of(router: Router) -> tuple[str, dict[str, Any]]:
    told: Told = asyncio.Queue()
    async with (
        asyncio.timeout(PATIENCE),
        port_opened(48126, NONCE, [_found(router)], lambda code, **details: told.put_nowait((code, details)), SHORT),
    ):
        return await told.get()


async def _never() -> PcpRouter | None:
    return await asyncio.Future()


def _found(router: Router | None) -> Find:
    async def found() -> Router | None:
        return router

    return found


def _to(told: "asyncio.Queue[str]") -> Callable[..., object]:
    return lambda code, **_: told.put_nowait(code)
