"""Both ends of handing data over, written from protocol/SPEC.md, section 4.17, alone."""

from hashlib import sha256

from tests.protocol.independent import Refused, decode, encode, has_form

FRAME = 4096
LARGEST = 4000


class Host:
    """A host whose settings name these data by their digests."""

    def __init__(self, named: list[bytes]) -> None:
        self.left = {sha256(data).digest(): data for data in named}

    def answer(self, frame: bytes) -> bytes | None:
        """Return the frame that answers a guest's; None: it declines. Raises Refused."""
        value = decode(frame, FRAME)
        if not has_form(value, str, 32) or value[0] != "want":
            raise Refused("not_data")
        if value[1] not in self.left:
            raise Refused("data_not_named")
        data = self.left.pop(value[1])
        return encode(["data", data]) if len(data) <= LARGEST else None


def take(frame: bytes, digest: bytes) -> bytes:
    """Return the data that a host hands over to a guest that has asked for those with the digest. Raises Refused."""
    value = decode(frame, FRAME)
    if not has_form(value, str, bytes) or value[0] != "data" or not value[1]:
        raise Refused("not_data")
    if len(value[1]) > LARGEST:
        raise Refused("too_long")
    if sha256(value[1]).digest() != digest:
        raise Refused("other_data")
    return bytes(value[1])


def ask(digest: bytes) -> bytes:
    """Return the frame by which a guest asks for data."""
    return encode(["want", digest])
