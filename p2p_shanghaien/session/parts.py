"""What a session is put together from. The command line picks the real parts; tests pick others."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from p2p_shanghaien.fairplay.handshake import Established, Handshake
from p2p_shanghaien.fairplay.hello import Meeting, Position


class Link(Protocol):
    """A connection that carries whole frames, in order."""

    remote: str

    async def send(self, data: bytes) -> None:
        """Hand over a frame. Raises ConnectionLost."""

    async def receive(self) -> bytes:
        """The next frame. Raises ConnectionLost. Cancelling it loses no frame."""

    async def close(self) -> None:
        """Hang up."""

    def settled(self) -> None:
        """The other side has shown who it is; the connection no longer counts as a stranger's."""


class Connected(NamedTuple):
    """A link whose other end has proved its key."""

    link: Link
    established: Established


class Resumption(NamedTuple):
    """How a game goes on over another connection.

    `handshake` makes a fresh one, which leaves open how far our log goes; `accepts` says whether two hellos are ours
    and the opponent's, for the same game.
    """

    handshake: Callable[[], Handshake]
    accepts: Callable[[Meeting], bool]


class Gate(Protocol):
    """Where the opponent's next connection comes from: a door that it knocks at, or an address that we call."""

    async def first(self) -> Connected:
        """Whoever comes for a new game. Raises CannotConnect."""
        ...

    def expect(self, resumption: Resumption | None) -> None:
        """From now on only this game's opponent is let in; None: the game is over."""

    async def again(self) -> None:
        """Return once the opponent is at a further connection, however long it takes, and `prove` is due.

        Raises CannotConnect where there can be none.
        """
        ...

    async def prove(self, position: Position) -> Connected | None:
        """Prove to the opponent that our log goes so far; None if its connection has come to nothing: `again`.

        Raises CannotConnect where there can be none.
        """
        ...


class Log(Protocol):
    """Where entries are kept."""

    def append(self, entry: bytes) -> None:
        """Write an entry. Raises LocalError."""

    def sync(self) -> None:
        """Return once everything written is on the disk. Raises LocalError."""

    def met(self, established: Established) -> None:
        """Keep the handshake of a further connection, beside the entries. Raises LocalError."""

    def moved(self, address: str) -> None:
        """Keep where the other side is reached from now on, or where we listen for it. Raises LocalError."""

    def resigned(self) -> None:
        """Keep that our side gives the game up, until an entry says so. Raises LocalError."""

    def delivered(self) -> None:
        """Keep that the other side has the whole game, too. Raises LocalError."""

    def close(self) -> None:
        """Let go of it."""

    def discard(self) -> None:
        """Take away a log without entries: no game has come of it. Raises LocalError."""


class Opponent(NamedTuple):
    """Who sits on the other side, as far as it can be known: the name is its own word, the key is proved.

    `called` is what our side calls it, which tells it apart from ourselves and from words of the program's.
    `authentication` is the string that both screens show: the same on both, or somebody sits in between.
    """

    name: str
    called: str
    key: bytes
    remote: str
    authentication: str
