"""`shanghaien relay`: a relay for players who cannot reach each other."""

import asyncio
import ipaddress
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Final

import click

from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.net.addresses import MAX_PORT, RELAY_PORT, reachable
from p2p_shanghaien.net.relay import Happening, Limits, Notice
from p2p_shanghaien.net.relay import relay as relaying
from p2p_shanghaien.net.transport import Server
from p2p_shanghaien.shutdown import SHUTDOWN
from p2p_shanghaien.ui import lifecycle
from p2p_shanghaien.ui.localized import command, option
from p2p_shanghaien.ui.words import say

MINUTE: Final = 60.0
"""Seconds between summaries."""

_MOST: Final = 1000  # events that wait to be told: more in a second are not worth reading
_OTHER_FILES: Final = 100  # files besides connections


class Journal:
    """The log of a relay. It has no rooms; `addresses` says whether each event is told, with its address."""

    def __init__(self, now: float, *, addresses: bool) -> None:
        self._addresses = addresses
        self._counts: Counter[Happening] = Counter()
        self._events: deque[tuple[float, Notice]] = deque(maxlen=_MOST)
        self._pipes = 0
        self._summed = now

    def note(self, notice: Notice, now: float) -> None:
        """Remember an event, at `now` in seconds since the epoch."""
        self._counts[notice.happening] += 1
        self._pipes = notice.pipes
        if self._addresses:
            self._events.append((now, notice))

    def lines(self, now: float) -> Iterator[str]:
        """Yield what is due: new events, and once a minute their number, if there were any."""
        for when, notice in self._events:
            yield say("relay_event", time=_clock(when), address=notice.address, event=say(f"relay_{notice.happening}"))
        self._events.clear()
        if now - self._summed >= MINUTE:
            if self._counts:
                counts = ((say(f"relay_{each}"), self._counts[each]) for each in Happening if self._counts[each])
                events = ", ".join(say("relay_count", event=event, count=count) for event, count in counts)
                yield say("relay_summary", time=_clock(now), pipes=self._pipes, events=events)
            self._counts.clear()
            self._summed = now


def affordable(files: int | None) -> Limits:
    """Return the limits of a relay that may open so many files; None: as many as it likes."""
    usual = Limits()
    wanted = _wanted_files()
    if files is None or files >= wanted:
        return usual
    share = max(files - _OTHER_FILES, 0) / (wanted - _OTHER_FILES)
    arriving, waiting, pipes = (max(1, int(count * share)) for count in (usual.arriving, usual.waiting, usual.pipes))
    return Limits(arriving=arriving, waiting=waiting, pipes=pipes)


def _wanted_files() -> int:
    usual = Limits()
    return usual.arriving + usual.waiting + 2 * usual.pipes + _OTHER_FILES


def _ip_address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise click.BadParameter(say("not_an_ip_address", value=text)) from None


@command(help="help_relay")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option(
    "--port",
    type=click.IntRange(0, MAX_PORT),
    default=RELAY_PORT,
    metavar="metavar_port",
    help="help_option_port_relay",
)
@option(
    "--trust-proxy",
    "trusted",
    type=_ip_address,
    multiple=True,
    metavar="metavar_address",
    help="help_option_trust_proxy",
)
@option("--log-addresses", is_flag=True, help="help_option_log_addresses")
def relay(bind: str | None, port: int, trusted: Sequence[str], log_addresses: bool) -> int:
    SHUTDOWN.code = lambda: 0  # it has nothing to finish
    lifecycle.run(_run(bind, port, trusted, Journal(time.time(), addresses=log_addresses)))
    return 0


async def _run(bind: str | None, port: int, trusted: Sequence[str], journal: Journal) -> None:
    def note(notice: Notice) -> None:
        journal.note(notice, time.time())

    async with relaying(bind, port, trusted, notify=note, limits=affordable(_open_files())) as server:
        _tell_where(bind, server)
        while True:
            await asyncio.sleep(1)
            echo(*journal.lines(time.time()))


def _tell_where(bind: str | None, server: Server) -> None:
    addresses = reachable(bind, server.port)
    echo(say("relay_open" if addresses else "relay_open_here_only", port=server.port))
    hosts = [f"[{address.host}]" if ":" in address.host else address.host for address in addresses]
    for name in [f"ws://{host}:{server.port}" for host in hosts] or ["relay.example.org"]:
        click.echo(f"    shanghaien host --relay {name}")


def _open_files() -> int | None:
    """Return how many files the program may open, as many as the system lets it; None if it does not say."""
    try:
        import resource
    except ImportError:  # not on every system
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    wanted = _wanted_files()
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(soft, allowed)


def _clock(now: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
