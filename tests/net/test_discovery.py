"""Tables that are found on the local network, by machines of their own with real cables between them."""

import asyncio
import itertools
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from errno import ENODEV
from typing import Any

import pytest
from zeroconf import Error, ServiceStateChange
from zeroconf.asyncio import AsyncServiceInfo

from p2p_shanghaien.app import lobby
from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.net import discovery
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.text import MAX_NAME, is_clean
from tests.net.machines import ROOT, Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = needs_networks


@pytest.fixture
def pair() -> Iterator[tuple[Machine, Machine]]:
    """Two laptops with one cable."""
    with ExitStack() as machines:
        host, guest = machines.enter_context(Machine()), machines.enter_context(Machine())
        host.cable("eth0", guest, "lan7")
        host.ip("address add 192.168.77.1/24 dev eth0")
        guest.ip("address add 192.168.77.2/24 dev lan7")
        for machine in (host, guest):
            machine.ip("route add 224.0.0.0/4 dev " + ("eth0" if machine is host else "lan7"))
        yield host, guest


@contextmanager
def sign(machine: Machine, name: str, bind: str = "", *gone: str, seen: bool = True) -> Iterator[Callable[[str], None]]:
    """An open table on `machine`; calling it with "open" or "taken" turns the sign."""
    program = subprocess.Popen(
        machine.python("announce", name, bind, *gone),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    stdin, stdout = program.stdin, program.stdout
    assert json.loads(stdout.readline()) is seen
    time.sleep(1.5)

    def turn(word: str) -> None:
        stdin.write(word + "\n")
        stdin.flush()
        assert json.loads(stdout.readline()) == word
        time.sleep(1.5)

    try:
        yield turn
    finally:
        program.communicate(timeout=20)
        assert program.returncode == 0


def found(machine: Machine, *gone: str) -> list[list[Any]]:
    tables: list[list[Any]] = machine.ask("look", 2.0, *gone)
    return tables


@pytest.mark.thorough
def test_an_open_table_is_found_and_a_taken_one_is_not(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    assert found(guest) == []
    with sign(host, "Hanna") as turn:
        assert found(guest) == [["Hanna", "shanghaien", ["192.168.77.1:5000"]]]
        turn("taken")
        assert found(guest) == []
        turn("open")
        assert found(guest) == [["Hanna", "shanghaien", ["192.168.77.1:5000"]]]
    assert found(guest) == []


@pytest.mark.thorough
def test_two_hosts_of_one_name_are_two_tables(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    host.ip("address add 192.168.77.9/24 dev eth0")
    with sign(host, "Ada", "192.168.77.1"), sign(host, "Ada", "192.168.77.9"):
        assert [name for name, _, _ in found(guest)] == ["Ada", "Ada"]


@pytest.mark.thorough
def test_a_table_is_announced_on_the_chosen_interface_alone(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with ExitStack() as machines:
        other = machines.enter_context(Machine())
        host.cable("eth1", other, "lan9")
        host.ip("address add 192.168.99.1/24 dev eth1")
        other.ip("address add 192.168.99.2/24 dev lan9")
        other.ip("route add 224.0.0.0/4 dev lan9")
        with sign(host, "Hanna", "192.168.77.1"):
            assert [name for name, _, _ in found(guest)] == ["Hanna"]
            assert found(other) == []


@pytest.mark.thorough
def test_a_hostile_name_is_only_text(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with sign(host, "a\x1b]52;c;x\x07\u202e" + "é" * 200):
        ((seen, _, _),) = found(guest)
        assert is_clean(seen, MAX_NAME)
        assert seen.startswith("a]52;c;xé")


def test_without_a_network_nothing_can_be_looked_for_or_seen_and_that_is_told() -> None:
    with Machine() as alone:
        assert alone.ask("look", 2.0) == "cannot_search"
        with sign(alone, "Hanna", seen=False):
            pass


GONE = ("192.168.55.5", "fd55::5")
"""Addresses of interfaces that have gone since they were listed."""


@pytest.mark.thorough
def test_an_interface_that_has_gone_takes_no_other_with_it(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with sign(host, "Hanna", "", *GONE):
        ((name, _, addresses),) = found(guest, *GONE)
        assert name == "Hanna"
        assert "192.168.77.1" in addresses
        assert not set(GONE) & set(addresses)


@pytest.mark.parametrize("error", [OSError(ENODEV, "no such device"), RuntimeError("No adapter found"), Error()])
async def test_an_interface_that_goes_while_it_is_opened(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library fails for all of them; those that are still there are opened."""
    there = {"192.168.77.1", "192.168.55.5"}
    asked: list[list[str]] = []

    class Failing:
        """Multicast DNS that cannot be opened at the first attempt."""

        def __init__(self, interfaces: list[str]) -> None:
            asked.append(interfaces)
            if len(asked) == 1:
                there.remove("192.168.55.5")
                raise error

        async def async_close(self) -> None: ...

    monkeypatch.setattr(discovery, "AsyncZeroconf", Failing)
    monkeypatch.setattr(discovery, "_takes_multicast", there.__contains__)
    listed = [Address("192.168.55.5"), Address("192.168.77.1")]
    async with discovery.Sign("Hanna", "", listed) as shown:
        assert shown.can_be_seen
    assert asked[1:] == [["192.168.77.1"]]
    there.clear()
    async with discovery.Sign("Hanna", "", listed) as unseen:
        assert not unseen.can_be_seen


@pytest.fixture
def lan(monkeypatch: pytest.MonkeyPatch) -> list[AsyncServiceInfo]:
    """What is announced on a local network without cables."""
    announced: list[AsyncServiceInfo] = []

    class Multicast:
        zeroconf = None

        def __init__(self, interfaces: list[str]) -> None: ...

        async def async_register_service(self, info: AsyncServiceInfo, *, allow_name_change: bool) -> None:
            assert allow_name_change
            announced.append(info)

        async def async_unregister_service(self, info: AsyncServiceInfo) -> None:
            announced.remove(info)

        async def async_close(self) -> None: ...

    class Browser:
        def __init__(self, _: object, service: str, handlers: list[Callable[..., None]]) -> None:
            for info in announced:
                assert info.type == service
                handlers[0](name=info.name, state_change=ServiceStateChange.Added)

        async def async_cancel(self) -> None: ...

    class Info(AsyncServiceInfo):
        def __init__(self, service: str, name: str, **details: Any) -> None:
            if not details:  # looked for
                (info,) = [each for each in announced if each.name == name]
                details = {"port": info.port, "properties": info.properties, "addresses": info.addresses}
            super().__init__(service, name, **details)

        async def async_request(self, *_: object) -> bool:
            return True

    monkeypatch.setattr(discovery, "AsyncZeroconf", Multicast)
    monkeypatch.setattr(discovery, "AsyncServiceBrowser", Browser)
    monkeypatch.setattr(discovery, "AsyncServiceInfo", Info)
    monkeypatch.setattr(discovery, "_takes_multicast", lambda _: True)
    return announced


@pytest.mark.parametrize("watchable", [False, True])
async def test_a_table_that_can_be_watched_is_announced_while_it_is_taken(
    lan: list[AsyncServiceInfo], watchable: bool
) -> None:
    where = [Address("192.168.77.1", 5000)]

    async def seen() -> list[discovery.OpenTable]:
        await asyncio.sleep(0.01)
        return await discovery.find(where, 0)

    async with discovery.Sign("Hanna", "shanghaien", where, watchable=watchable) as sign:
        assert await seen() == []
        table = discovery.OpenTable("Hanna", "shanghaien", tuple(where), True, watchable)
        sign.turn(True)
        assert await seen() == [table]
        sign.turn(False)
        assert await seen() == ([table._replace(is_free=False)] if watchable else [])
        sign.turn(True)
        assert await seen() == [table]
    assert lan == []


async def test_guests_are_offered_free_tables_and_watchers_those_that_can_be_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where = (Address("192.168.77.1", 5000),)
    tables = [discovery.OpenTable("", "", where, *each) for each in itertools.product((True, False), repeat=2)]

    async def find(_: object) -> list[discovery.OpenTable]:
        return tables

    monkeypatch.setattr(discovery, "find", find)
    assert await lobby.open_tables() == [each for each in tables if each.is_free]
    assert await lobby.open_tables(to_watch=True) == [each for each in tables if each.is_watchable]
    tables = [tables[-1]]
    for to_watch, code in ((False, "no_table_found"), (True, "no_table_to_watch")):
        with pytest.raises(CannotConnect) as caught:
            await lobby.open_tables(to_watch=to_watch)
        assert caught.value.code == code


@pytest.mark.thorough
def test_where_every_interface_has_gone_that_is_told() -> None:
    with Machine() as alone:
        assert alone.ask("look", 2.0, *GONE) == "cannot_search"
        with sign(alone, "Hanna", "", *GONE, seen=False):
            pass


@contextmanager
def forger(machine: Machine, count: int, *addresses: str) -> Iterator[None]:
    """Many tables announced by `machine`, at addresses of its choice."""
    program = subprocess.Popen(
        machine.python("forge", count, *addresses), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        assert json.loads(program.stdout.readline()) == "forged"
        yield
    finally:
        program.communicate("", timeout=20)


@pytest.mark.thorough
def test_forged_tables_elsewhere_come_behind_those_nearby_and_have_an_end(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with ExitStack() as machines:
        third = machines.enter_context(Machine())
        third.cable("eth0", guest, "lan8")
        third.ip("address add 192.168.88.1/24 dev eth0")
        guest.ip("address add 192.168.88.2/24 dev lan8")
        third.ip("route add 224.0.0.0/4 dev eth0")
        with sign(host, "Hanna"), forger(third, 40, "10.0.9.N"):
            seen = found(guest)
            assert seen[0] == ["Hanna", "shanghaien", ["192.168.77.1:5000"]]
            assert 1 < len(seen) <= 41


@pytest.mark.thorough
def test_of_tables_at_one_address_there_is_one(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with forger(host, 10, "192.168.77.1", "10.0.0.N"):
        ((_, _, addresses),) = found(guest)
        assert addresses[0] == "192.168.77.1:5000", "nearby addresses come first"


@pytest.mark.thorough
def test_what_nobody_could_join_is_not_offered(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    nowhere = ("0.0.0.0", "127.0.0.1", "224.0.0.7", "255.255.255.255", "::", "::1", "fe80::1", "ff02::1")
    with forger(host, 1, *nowhere):
        assert found(guest) == []
    with forger(host, 1, *nowhere, "192.168.77.1"):
        assert [addresses for _, _, addresses in found(guest)] == [["192.168.77.1:5000"]]
