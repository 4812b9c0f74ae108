"""The rules of a relay, without sockets: first messages, refusals, rooms, limited places and limited speed (SPEC 4.15).

A connection is whatever object the caller uses for one, compared by identity.
"""

import ipaddress
from collections import Counter
from collections.abc import Hashable, Sequence
from enum import IntEnum
from typing import Final, Generic, NamedTuple, TypeVar

ROOM: Final = 16
"""Bytes of a room."""


class End(IntEnum):
    """The end of a pipe that a connection wants to be; the first byte of its first message."""

    HOST = 0
    GUEST = 1


BEGIN: Final = b"\x01"
"""The message to both ends with which a pipe begins."""


class Refusal(IntEnum):
    """The codes with which a relay of its own accord closes a connection."""

    MALFORMED = 4400
    NO_HOST = 4404
    REPLACED = 4409
    FULL = 4429


class Introduction(NamedTuple):
    """The first message of a connection: which end it wants to be, and the room, 16 bytes."""

    end: End
    room: bytes

    def encode(self) -> bytes:
        """Return the message, 17 bytes."""
        return bytes((self.end,)) + self.room


def parse_introduction(data: bytes) -> Introduction | None:
    """Return the introduction that `data` is; None for anything else."""
    if len(data) != 1 + ROOM or data[0] not in End.__members__.values():
        return None
    return Introduction(End(data[0]), data[1:])


def network_of(address: str) -> str:
    """Return the network that counts as one user: an IPv4 address alone, the /64 of an IPv6 address.

    A text that is no IP address counts as itself.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 6 and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return str(ip) if ip.version == 4 else str(ipaddress.IPv6Network((int(ip), 64), strict=False))


def forwarded_for(values: Sequence[str]) -> str | None:
    """Return the last address in the values of X-Forwarded-For headers, None where it is no IP address.

    The last one is the proxy's own; the others are what its visitor claimed.
    """
    last = values[-1].rpartition(",")[2].strip() if values else ""
    try:
        return str(ipaddress.ip_address(last))
    except ValueError:
        return None


_Member = TypeVar("_Member", bound=Hashable)


class Rooms(Generic[_Member]):
    """The waiting host of each room, at most one, and the number of pipes in it, at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[bytes, _Member] = {}
        self._pipes: Counter[bytes] = Counter()

    def wait(self, room: bytes, host: _Member) -> _Member | None:
        """Let `host` wait. Return the older host that it replaces, if there is one."""
        older = self._waiting.get(room)
        self._waiting[room] = host
        return older

    def take(self, room: bytes) -> _Member | None:
        """Return the host that waits, which then waits no more; None if there is none."""
        return self._waiting.pop(room, None)

    def give_back(self, room: bytes, host: _Member) -> bool:
        """Let a host that was taken wait again. False if a newer one waits in its place."""
        return self._waiting.setdefault(room, host) is host

    def leave(self, room: bytes, host: _Member) -> None:
        """Forget a host that is gone, if it waits."""
        if self._waiting.get(room) is host:
            del self._waiting[room]

    def open_pipe(self, room: bytes) -> bool:
        """Count one more pipe in that room. False if there are as many as it may have."""
        if self._pipes[room] >= self._most:
            return False
        self._pipes[room] += 1
        return True

    def close_pipe(self, room: bytes) -> None:
        """Count one pipe less."""
        self._pipes[room] -= 1
        if not self._pipes[room]:
            del self._pipes[room]

    def is_empty(self) -> bool:
        """Return whether no room is remembered."""
        return not self._waiting and not self._pipes.total()


class Places(Generic[_Member]):
    """A limited number of places, shared out between networks.

    When they are full, the newest member of the network that holds most goes. Of several networks that hold as many,
    it is the newest of all, or, with `oldest`, the oldest.
    """

    def __init__(self, limit: int, *, oldest: bool = False) -> None:
        self._limit = limit
        self._order = -1 if oldest else 1
        self._network: dict[_Member, str] = {}
        self._members: dict[str, dict[_Member, int]] = {}
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._network)

    def enter(self, member: _Member, network: str) -> _Member | None:
        """Give `member` a place. Return the member that has lost its place for it, perhaps itself; None if none has."""
        self._add(member, network)
        if len(self._network) <= self._limit:
            return None
        loser = self._newest(max(self._members, key=self._rank))
        self.leave(loser)
        return loser

    def move(self, member: _Member, network: str) -> None:
        """Count a member to another network, now that it is known; nothing if it has no place."""
        if member in self._network:
            self.leave(member)
            self._add(member, network)

    def leave(self, member: _Member) -> None:
        """Take the member's place away; nothing if it has none."""
        network = self._network.pop(member, None)
        if network is not None:
            del self._members[network][member]
            if not self._members[network]:
                del self._members[network]

    def _add(self, member: _Member, network: str) -> None:
        self._arrivals += 1
        self._network[member] = network
        self._members.setdefault(network, {})[member] = self._arrivals

    def _newest(self, network: str) -> _Member:
        return next(reversed(self._members[network]))

    def _rank(self, network: str) -> tuple[int, int]:
        members = self._members[network]
        return len(members), self._order * members[self._newest(network)]


class TokenBucket:
    """Limits a speed: `burst` at once, then `rate` a second. Times are in seconds."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._then = now

    def take(self, amount: float, now: float) -> float:
        """Take `amount`, which may be more than there is. Return for how many seconds the taker has to wait."""
        self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate) - amount
        self._then = now
        return max(0.0, -self._tokens / self._rate)
