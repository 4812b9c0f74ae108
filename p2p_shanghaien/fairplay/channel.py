"""The secure channel under a connection (protocol/SPEC.md, 4.4).

`ChannelOpening` takes messages and returns messages; it has no socket, clock or randomness. A channel authenticates
nobody: the hellos that are sent through it do, and each of them names it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.errors import CannotConnect, FairplayCode, Malformed
from p2p_shanghaien.fairplay import noise
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.keys import mac
from p2p_shanghaien.fairplay.preface import check_version, parse_preface, preface

__all__ = ["NO_KEY", "Channel", "ChannelOpening", "Secured", "WrongInvitation"]

NO_KEY: Final = bytes(32)
"""The pre-shared key of a table without an invitation."""

EPHEMERAL_SIZE: Final = noise.KEY_SIZE
MESSAGE_SIZE: Final = noise.KEY_SIZE + noise.TAG_SIZE
"""Bytes of each of the two messages that open a channel: they have no payload."""

BLOCK: Final = 512
"""Frames are padded to a multiple of this many bytes: their lengths shall not tell a roll from a call."""

MAX_FRAME: Final = 4096
MAX_MESSAGE: Final = MAX_FRAME + BLOCK + noise.TAG_SIZE

_PROLOGUE: Final = "p2p-shanghaien channel"
_END: Final = b"\x01"


class WrongInvitation(CannotConnect):
    """The invitation is for another table."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.WRONG_INVITATION)


class Secured(NamedTuple):
    """The facts about an open channel.

    The versions of the peer's preface; the 32 bytes by which both hellos name the channel; the pre-shared key.
    """

    versions: tuple[int, ...]
    channel: bytes
    key: bytes


class Channel:
    """An open channel: `seal` what is sent, in the order of sending, and `open` what comes, in the order of arrival."""

    def __init__(self, secured: Secured, sending: bytes, receiving: bytes) -> None:
        self.secured = secured
        self._sending, self._receiving = noise.Cipher(sending), noise.Cipher(receiving)

    def seal(self, frame: bytes) -> bytes:
        """Return the message that carries `frame`, of at most MAX_FRAME bytes."""
        return self._sending.encrypt(_padded(frame + _END))

    def open(self, message: bytes) -> bytes:
        """Return the frame in `message`. Raises Malformed; the channel is of no more use then."""
        if len(message) > MAX_MESSAGE:
            raise Malformed(FairplayCode.NOT_SEALED)
        padded = self._receiving.decrypt(message)
        ended = padded.rstrip(b"\0")
        if padded != _padded(ended) or not ended.endswith(_END):
            raise Malformed(FairplayCode.NOT_SEALED)
        return ended[: -len(_END)]


def _padded(ended: bytes) -> bytes:
    return ended + bytes(-len(ended) % BLOCK)


class ChannelOpening:
    """One end of the opening of a channel: send what `start` and `receive` return, until there is a `channel`.

    A guest has one key; a host tries its `keys` in turn on what the guest sends. `ephemeral` is 32 random bytes for
    this connection alone.
    """

    def __init__(self, role: Role, keys: Sequence[bytes], ephemeral: bytes) -> None:
        self._role = role
        self._keys = keys
        self._ephemeral = ephemeral
        self._theirs = b""
        """The peer's preface, once it has come."""
        self._begun: noise.Handshake | None = None
        """A guest's handshake, whose first message has been sent."""
        self.channel: Channel | None = None

    def start(self) -> list[bytes]:
        """Return the messages to send before anything is received."""
        return [preface()]

    def receive(self, message: bytes) -> list[bytes]:
        """Return the messages to send in answer to `message`.

        Raises NotOurGame for another program or version, WrongInvitation if none of a host's keys fits, and Malformed:
        the connection is to be closed without a word.
        """
        assert self.channel is None, "it is open"
        if not self._theirs:
            check_version(parse_preface(message))
            self._theirs = message
            return [] if self._role == Role.HOST else [self._first()]
        if len(message) != MESSAGE_SIZE:
            raise Malformed(FairplayCode.NOT_SEALED)
        if self._begun is None:
            return [self._second(message)]
        self._begun.read_second(message)
        keys = self._begun.split()
        self.channel = Channel(self._secured(keys, self._keys[0]), keys.initiator, keys.responder)
        return []

    def _first(self) -> bytes:
        self._begun = self._handshake(self._keys[0])
        return self._begun.write_first()

    def _second(self, message: bytes) -> bytes:
        for key in self._keys:
            handshake = self._handshake(key)
            try:
                handshake.read_first(message)
            except Malformed:
                continue
            answer = handshake.write_second()
            keys = handshake.split()
            self.channel = Channel(self._secured(keys, key), keys.responder, keys.initiator)
            return answer
        raise WrongInvitation

    def _handshake(self, key: bytes) -> noise.Handshake:
        guest, host = (preface(), self._theirs) if self._role == Role.GUEST else (self._theirs, preface())
        return noise.Handshake(encode((_PROLOGUE, guest, host)), key, self._ephemeral)

    def _secured(self, keys: noise.Keys, key: bytes) -> Secured:
        return Secured(parse_preface(self._theirs), mac(keys.third, keys.digest), key)
