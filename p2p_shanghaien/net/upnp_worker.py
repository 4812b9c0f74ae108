"""The calls of the library miniupnpc, as a program of its own: `upnp_worker.py TASK URL ROUTER CLIENT PORT HELD LEASE`.

The library waits for as long as a device likes, keeps all that a device sends, and complains on standard error, which
may be the full screen of a game. So it runs in a process that can be ended at any time. The process prints an outcome
as JSON, and imports nothing of ours.
"""

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum, auto
from ipaddress import IPv4Address
from typing import Any, Final

DESCRIPTION: Final = "shanghaien"
"""The description of our mappings, which the router shows to everybody on the local network."""
NUMBERS: Final = 10
"""The number of external ports that are tried, from the wanted one on."""
PERMANENT: Final = "OnlyPermanentLeasesSupported"
"""The library's name for error 725 (WANIPConnection:1, section 2.4.16)."""

_TAKEN: Final = frozenset(("ConflictInMappingEntry", "ConflictWithOtherMechanisms"))
_FAILED: Final = "Action Failed"  # 501
_NO_ENTRY: Final = "NoSuchEntryInArray"  # 714
_UNANSWERED: Final = "Miniupnpc"
"""The library's errors begin so if there is no answer, or none that it can read."""
_LONGEST: Final = 15.0
_MEMORY: Final = 128 << 20  # bytes; the interpreter needs a fifth of it

Outcome = dict[str, Any] | None
"""A mapping (`address`, `number`, `lifetime`); an `error`; nothing if the router has no address on the internet; None
without an answer."""


class Refusal(Exception):
    """An error of the router, by the library's name for it; or the lack of an answer."""


def leads_to(url: str, router: str) -> bool:
    """Return whether `url`, which a device named, leads to the IPv4 address `router` and nowhere else.

    Only one form is allowed, so that no two programs can read it in two ways.
    """
    return re.fullmatch(rf"http://{re.escape(router)}(:[0-9]{{1,5}})?/[!-~]*", url, re.ASCII) is not None


class Holder(Enum):
    """The holder of an external port."""

    NOBODY = auto()
    OURSELVES = auto()
    ANOTHER = auto()


class GatewayDevice:
    """An Internet Gateway Device (IGD) as the library has selected it, which is asked for TCP `port` of `client`.

    `held` is the external port that the program has at present (0: none).
    """

    def __init__(self, device: Any, client: str, port: int, held: int) -> None:
        self._device = device
        self._own = client, port
        self._held = held

    def open(self, lease: int) -> Outcome:
        """Open the port for `lease` seconds, or renew it. Raises Refusal."""
        address = self._external_address()
        if address is None:
            return {}
        for number in self._numbers():
            if self._holder(number) is Holder.ANOTHER:
                continue
            try:
                _called(self._device.addportmapping, number, "TCP", *self._own, DESCRIPTION, "", lease)
            except Refusal as refusal:
                if str(refusal) in _TAKEN:
                    continue
                raise
            return {"address": address, "number": number, "lifetime": self._confirmed(number)}
        raise Refusal("ConflictInMappingEntry")

    def close(self) -> Outcome:
        """Close the port, wherever it is. Raises Refusal."""
        for number in self._numbers():
            holder = self._holder(number)
            if holder is Holder.OURSELVES:
                _called(self._device.deleteportmapping, number, "TCP")
            if holder is not Holder.ANOTHER:
                break
        return None

    def _external_address(self) -> str | None:
        """Return the router's address on the internet, if it has one. Raises Refusal."""
        try:
            address = IPv4Address(_called(self._device.externalipaddress))
        except ValueError:
            return None
        except Refusal as refusal:
            if str(refusal) == _FAILED:
                return None
            raise
        return str(address) if address.is_global and not address.is_multicast else None

    def _numbers(self) -> Iterator[int]:
        first = self._held or self._own[1]
        return (number for number in range(first, first + NUMBERS) if number < 1 << 16)

    def _entry(self, number: int) -> tuple[Any, ...] | None:
        """Return client, port, description, whether it is enabled, and seconds left of a mapping; None for none."""
        try:
            entry = _called(self._device.getspecificportmapping, number, "TCP")
        except UnicodeError:  # nothing that we would write
            return "", 0, "", False, 0
        return None if entry is None else tuple(entry)

    def _holder(self, number: int) -> Holder:
        entry = self._entry(number)
        if entry is None:
            return Holder.NOBODY
        # some routers keep a description of their own
        is_ours = entry[:2] == self._own and (entry[2] == DESCRIPTION or number == self._held)
        return Holder.OURSELVES if is_ours else Holder.ANOTHER

    def _confirmed(self, number: int) -> int:
        """Return for how many seconds the router keeps a mapping that it granted. Raises Refusal.

        A router may grant a mapping and not make it, or ignore the lease; the library takes any garbage for a grant.
        """
        entry = self._entry(number)
        if entry and entry[:2] != self._own:
            raise Refusal(_NO_ENTRY)
        if entry and entry[4] > 0:
            return int(entry[4])
        with suppress(Refusal):
            _called(self._device.deleteportmapping, number, "TCP")
        raise Refusal(PERMANENT if entry else _NO_ENTRY)


def _called(call: Callable[..., Any], *arguments: object) -> Any:
    """Return what `call` does. Raises Refusal, and UnicodeError for text that is not UTF-8."""
    try:
        return call(*arguments)
    except UnicodeError:
        raise
    except Exception as error:  # noqa: BLE001 - the library has no class of its own
        raise Refusal(str(error)) from None


def outcome(task: str, url: str, router: str, client: str, *numbers: str) -> Outcome:
    """Carry out `open` or `close` at the router whose description is at `url`; the numbers are PORT, HELD and LEASE."""
    import miniupnpc  # noqa: PLC0415 - this module is imported without it

    device = miniupnpc.UPnP()
    port, held, lease = map(int, numbers)
    try:
        control = _called(device.selectigd, url)
    except (Refusal, UnicodeError):
        return None
    # the description says where requests go, and may name any machine
    if not leads_to(control, router):
        return None
    gateway = GatewayDevice(device, client, port, held)
    try:
        return gateway.open(lease) if task == "open" else gateway.close()
    except Refusal as refusal:
        return None if str(refusal).startswith(_UNANSWERED) else {"error": str(refusal)}


def _limit() -> None:
    """End this process if it runs for too long, even within a call; and have it fail if it keeps too much."""
    watchdog = threading.Timer(_LONGEST, os._exit, (1,))
    watchdog.daemon = True
    watchdog.start()
    with suppress(ImportError, ValueError, OSError):  # Windows has no limits, and macOS not this one
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    _limit()
    sys.stdout.write(json.dumps(outcome(*sys.argv[1:])))
