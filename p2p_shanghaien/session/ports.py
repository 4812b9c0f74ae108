"""The ports of a session. The command line connects the real parts, tests connect others."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeAlias

from p2p_shanghaien.fairplay.challenge import Challenge
from p2p_shanghaien.fairplay.channel import Secured
from p2p_shanghaien.fairplay.handshake import Established, Handshake
from p2p_shanghaien.fairplay.hello import Head, Hellos


class Link(Protocol):
    """A connection that carries whole frames, in order."""

    remote: str

    async def send(self, data: bytes) -> None:
        """Send a frame. Where the connection has ended nothing is raised: `receive` says so."""

    async def receive(self) -> bytes:
        """Return the next frame. Cancelling it loses no frame.

        Raises ConnectionLost once the connection has ended and all frames that came before have been returned.
        """

    async def close(self) -> None:
        """Close the connection."""

    def settled(self) -> None:
        """Count the connection as authenticated: the peer has proved its key."""


class SecureLink(Link, Protocol):
    """A link through a secure channel: whoever listens in can read nothing."""

    secured: Secured


Secure: TypeAlias = Callable[[Link], Awaitable[SecureLink]]
"""A function that opens the channel over a new link. Raises CannotConnect and ConnectionLost."""


class Connected(NamedTuple):
    """A link whose other end has proved its key."""

    link: SecureLink
    established: Established


class Resumption(NamedTuple):
    """The means to continue a game over another connection.

    `handshake` makes a fresh one for a channel, which leaves our log head open; `accepts` says whether two hellos are
    ours and the opponent's, for the same game.
    """

    handshake: Callable[[Secured], Handshake]
    accepts: Callable[[Hellos], bool]


class Connector(Protocol):
    """The source of the opponent's connections: a listener, or an address that we dial."""

    async def first(self) -> Connected:
        """Return the opponent for a new game. Raises CannotConnect."""
        ...

    def expect(self, resumption: Resumption | None) -> None:
        """Admit only this game's opponent from now on; None: the game is over."""

    async def reconnect(self) -> None:
        """Wait until the opponent has another connection, however long it takes, and `authenticate` is expected.

        Raises CannotConnect if there can be none.
        """
        ...

    async def authenticate(self, head: Head) -> Connected | None:
        """Prove our log head to the opponent; None if its connection is lost: `reconnect`.

        Raises CannotConnect if there can be none.
        """
        ...


class Log(Protocol):
    """A store of entries."""

    def append(self, entry: bytes) -> None:
        """Write an entry. Raises LocalError."""

    def sync(self) -> None:
        """Wait until all written entries are on disk. Raises LocalError."""

    def add_handshake(self, established: Established) -> None:
        """Keep the handshake of a further connection, beside the entries. Raises LocalError."""

    def set_address(self, address: str) -> None:
        """Keep the new address of the peer, or the one where we listen for it. Raises LocalError."""

    def mark_resigned(self) -> None:
        """Keep our resignation until an entry says so. Raises LocalError."""

    def mark_delivered(self) -> None:
        """Keep that the peer has the whole game, too. Raises LocalError."""

    def close(self) -> None:
        """Close it."""

    def discard(self) -> None:
        """Delete a log without entries: no game has come of it. Raises LocalError."""


class ChallengeStore(Protocol):
    """A store of the local player's challenges to a rematch, one for each opponent, by public key."""

    def challenge_to(self, opponent: bytes) -> Challenge | None:
        """Return our challenge to this opponent, if there is one. Raises LocalError."""

    def keep_challenge(self, opponent: bytes, name: str, challenge: Challenge | None) -> None:
        """Save a challenge in place of an earlier one, or drop that; the opponent's own `name`. Raises LocalError."""


class Opponent(NamedTuple):
    """The opponent: its self-asserted name and its proved key.

    `called` is the local name for it, which differs from ours and from words of the program. `authentication` is the
    SAS that both screens show: if it differs, there is a man in the middle.
    """

    name: str
    called: str
    key: bytes
    remote: str
    authentication: str
