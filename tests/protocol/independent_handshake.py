"""One side of a handshake as it judges what comes in, written from protocol/SPEC.md, section 4, alone."""

from typing import Any

from tests.protocol.independent import (
    Refused,
    decode,
    encode,
    fingerprint,
    has_form,
    invitation_mac,
    is_normal,
    proof_digest,
    read_hello,
    signature_holds,
    tagged_hash,
)

HOST, GUEST = 0, 1
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def meet(test: dict[str, Any]) -> dict[str, Any]:
    """Return what the side that a vector describes knows at the end. Raises Refused at the frame it refuses."""
    return _Side(test).run()


def read_invitation(text: str) -> tuple[bool, bytes, bytes]:
    """4.9: whether it is to watch, the secret and the host's fingerprint. Raises Refused."""
    kept = [character.upper() for character in text if character.isascii() and character.isalnum()]
    digits = [DIGITS.find({"I": "1", "L": "1", "O": "0"}.get(character, character)) for character in kept]
    if len(digits) != 65 or -1 in digits:
        raise Refused("not 65 digits")
    number = 0
    for p in range(1, 14):
        a, b, c, d, check = digits[5 * p - 5 : 5 * p]
        if check != (p + 2 * a + 3 * b + 4 * c + 5 * d) % 31:
            raise Refused("invitation_mistyped")
        number = number * 2**20 + a * 2**15 + b * 2**10 + c * 2**5 + d
    data = number.to_bytes(33, "big")
    if data[0] not in (0, 1):
        raise Refused("invitation_mistyped")
    return data[0] == 1, data[1:17], data[17:]


def write_invitation(to_watch: bool, secret: bytes, host: bytes) -> str:
    """4.9"""
    bits = f"{int.from_bytes(bytes([to_watch]) + secret + host, 'big'):0260b}"
    digits = [int(bits[at : at + 5], 2) for at in range(0, 260, 5)]
    groups = []
    for p in range(1, 14):
        a, b, c, d = digits[4 * p - 4 : 4 * p]
        check = (p + 2 * a + 3 * b + 4 * c + 5 * d) % 31
        groups.append("".join(DIGITS[digit] for digit in (a, b, c, d, check)))
    return "-".join(groups)


class _Side:
    def __init__(self, test: dict[str, Any]) -> None:
        self.role = test["role"]
        self.own = bytes.fromhex(test["hello"])
        self.hello = read_hello(self.own, self.role)
        self.versions = test["versions"]
        invitation = test["invitation"]
        self.invitation = invitation and (bytes.fromhex(invitation["secret"]), bytes.fromhex(invitation["host"]))
        position = test["position"]
        self.position = position and (position["length"], bytes.fromhex(position["head"]))
        self.exchange = test["exchange"]

    def run(self) -> dict[str, Any]:
        """4.5 to 4.9"""
        frames = [bytes.fromhex(step["receive"]) for step in self.exchange[1:]]
        if self.role == HOST:
            commitment = self._expect(frames[0], "commit", 32)[1]
            hello, *proof = self._expect(frames[1], "hello", bytes, int, 32, 64, (32, None))[1:]
            if tagged_hash("hello", hello) != commitment:
                raise Refused("hello_not_committed")
            self._agree_on_hellos(self.own, hello, hello)
        else:
            hello = self._expect(frames[0], "hello", bytes)[1]
            self._agree_on_hellos(hello, self.own, hello)
            if self.invitation and fingerprint(self.theirs[3]) != self.invitation[1]:
                raise Refused("wrong_invitation")
            if self.theirs[9] and not self.invitation:
                raise Refused("invitation_needed")
            proof = self._expect(frames[1], "proof", int, 32, 64, (32, None))[1:]
        self._check_proof(*proof)
        return {
            "handshake": self.handshake.hex(),
            "session": self.session.hex(),
            "theirs": {"length": proof[0], "head": proof[1].hex()},
        }

    def _expect(self, frame: bytes, word: str, *forms: Any) -> list[Any]:
        value = decode(frame, 4096)
        if not has_form(value, str, *forms) or value[0] != word:
            raise Refused("unexpected_frame")
        return list(value)

    def _agree_on_hellos(self, host: bytes, guest: bytes, theirs: bytes) -> None:
        """4.6 and 4.7"""
        self.theirs = read_hello(theirs, 1 - self.role)
        if self.theirs[2] == self.hello[2] or self.theirs[0] != self.versions:
            raise Refused("malformed")
        if self.theirs[11] != self.hello[11]:
            raise Refused("other_channel")
        words = [word for setting in self.theirs[7] for word in setting]
        if not all(map(is_normal, (self.theirs[4], self.theirs[5] or "", *words))):
            raise Refused("malformed")
        if self.theirs[8] != self.hello[8]:
            raise Refused("other_session")
        self.hellos = host, guest
        self.handshake = tagged_hash("handshake", host, guest)
        self.session = self.hello[8] or tagged_hash("session", host, guest)

    def _check_proof(self, length: int, head: bytes, signature: bytes, mac: bytes | None) -> None:
        """4.8 and 4.9"""
        seat = 1 - self.role
        if self.invitation:
            secret, host = self.invitation
            if mac != invitation_mac(secret, seat, host, *self.hellos):
                raise Refused("wrong_invitation")
        empty = self.hello[8] is None or length == 0
        if not 0 <= length < 2**32 or (empty and (length, head) != (0, self.session)):
            raise Refused("not_a_proof")
        digest = proof_digest(self.handshake, self.session, seat, length, head)
        if not signature_holds(self.theirs[3], digest, signature):
            raise Refused("bad_proof")

    def check_sent(self) -> None:
        """Check that the frames of this end in the vector are as section 4 requires. Raises AssertionError."""
        sent = [bytes.fromhex(frame) for step in self.exchange for frame in step["send"]]
        length, head = self.position or (0, self.session)
        key = self.hello[3]
        *_, signature, _ = decode(sent[-1])
        assert signature_holds(key, proof_digest(self.handshake, self.session, self.role, length, head), signature)
        mac = self.invitation and invitation_mac(self.invitation[0], self.role, self.invitation[1], *self.hellos)
        proof = [length, head, signature, mac]
        if self.role == HOST:
            expected = [["hello", self.own], ["proof", *proof]]
        else:
            expected = [["commit", tagged_hash("hello", self.own)], ["hello", self.own, *proof]]
        assert sent == list(map(encode, expected))


def check_sent(test: dict[str, Any]) -> None:
    """A valid vector's own frames are those that section 4 wants. Raises AssertionError."""
    side = _Side(test)
    side.run()
    side.check_sent()
