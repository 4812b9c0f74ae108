"""The channel as a host and a guest open it: who gets in, what each is told, what a changed byte costs (SPEC 4.4)."""

import asyncio
import random
from collections.abc import Callable

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import InvitationNeeded, bye
from p2p_shanghaien.fairplay.preface import preface
from p2p_shanghaien.session.negotiation import complete_handshake
from p2p_shanghaien.session.ports import SecureLink
from p2p_shanghaien.session.secure_link import answering, calling
from tests.session.memory import MemoryLink, link_pair, seat

KEY, OTHER_KEY = b"\x01" * 32, b"\x02" * 32
MESSAGES = 2
"""Messages of each side before the first that the channel carries."""


class Meeting:
    """Both ends of a new connection, the host's first, and what became of securing each."""

    def __init__(self, host_key: bytes = NO_KEY, guest_key: bytes = NO_KEY) -> None:
        rng = random.Random(9)
        self.raw = link_pair()
        self.ends = [
            asyncio.ensure_future(secure(link))
            for secure, link in zip(
                (answering((host_key,), rng.randbytes), calling(guest_key, rng.randbytes)), self.raw, strict=True
            )
        ]

    async def opened(self) -> tuple[SecureLink, SecureLink]:
        host, guest = await asyncio.wait_for(asyncio.gather(*self.ends), 5)
        return host, guest

    async def codes(self) -> list[str]:
        """Return the errors of both; a link that gets an error is closed, as its owner would."""

        async def code(side: int) -> str:
            try:
                await self.ends[side]
            except (CannotConnect, ConnectionLost) as error:
                await self.raw[side].close()
                return error.code
            return ""

        return list(await asyncio.wait_for(asyncio.gather(code(0), code(1)), 5))


@pytest.mark.parametrize("key", [NO_KEY, KEY])
async def test_both_ends_know_the_same_of_a_channel(key: bytes) -> None:
    host, guest = await Meeting(key, key).opened()
    assert host.secured == guest.secured
    assert host.secured.key == key
    for sender, receiver in ((host, guest), (guest, host)):
        for frame in (b"", b"x", bytes(511), bytes(512), random.Random(1).randbytes(4096)):
            await sender.send(frame)
            assert await receiver.receive() == frame


async def test_each_channel_has_a_name_of_its_own() -> None:
    rng = random.Random(1)

    async def name() -> bytes:
        ours, theirs = link_pair()
        host, _ = await asyncio.gather(answering((KEY,), rng.randbytes)(ours), calling(KEY, rng.randbytes)(theirs))
        return host.secured.channel

    assert len({await name() for _ in range(20)}) == 20


async def test_nothing_is_readable_and_no_length_tells_what_was_said() -> None:
    meeting = Meeting()
    host, guest = await meeting.opened()
    said = [encode(("note", 1, b"Hanna says hello", bytes(64))), encode(("entry", b"-3<")), bye("busy"), b"x" * 400]
    for frame in said:
        await guest.send(frame)
        await host.receive()
    sent = meeting.raw[1].sent[MESSAGES:]
    assert {len(message) for message in sent} == {512 + 16}
    assert all(word not in b"".join(sent) for word in (b"Hanna", b"hello", b"-3<", b"busy", b"xxxx"))


async def test_the_same_frame_is_never_the_same_message() -> None:
    meeting = Meeting()
    _, guest = await meeting.opened()
    for _ in range(300):
        await guest.send(b"again")
    assert len(set(meeting.raw[1].sent)) == 300 + MESSAGES


# Who gets in


async def test_a_guest_without_an_invitation_is_told_that_one_is_needed() -> None:
    meeting = Meeting(host_key=KEY)
    guest = await meeting.ends[1]
    assert await guest.receive() == bye("invitation_needed")
    assert (await meeting.codes())[0] == "invitation_needed"


async def test_a_slow_guest_is_told_so_by_a_host_that_has_hung_up() -> None:
    """The host says it right after its message of the channel, and goes: our next frame finds nobody."""
    meeting = Meeting(host_key=KEY)
    link = await meeting.ends[1]
    with pytest.raises(InvitationNeeded):
        await meeting.ends[0]
    await meeting.raw[0].close()
    meeting.raw[1].outgoing = asyncio.Queue()
    guest = seat("Gustav", random.Random(1)).side
    with pytest.raises(InvitationNeeded):
        await complete_handshake(link, link.receive, guest.handshake(guest.guest_hello, link.secured))


@pytest.mark.parametrize("keys", [(KEY, OTHER_KEY), (NO_KEY, KEY)], ids=["private table", "open table"])
async def test_a_wrong_invitation_opens_nothing_and_the_host_says_no_word(keys: tuple[bytes, bytes]) -> None:
    meeting = Meeting(*keys)
    assert await meeting.codes() == ["wrong_invitation", "wrong_invitation"]
    assert meeting.raw[0].sent == [preface()]


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([b""], "not_our_protocol"),
        ([b"GET / HTTP/1.1\r\n\r\n"], "not_our_protocol"),
        ([preface((7,))], "other_version"),
        ([preface(), b""], "bad_handshake"),
        ([preface(), encode(("commit", bytes(32)))], "bad_handshake"),
        ([preface(), bytes(48)], "wrong_invitation"),
        ([preface(), bytes(16_384)], "bad_handshake"),
    ],
)
async def test_nonsense_gets_a_preface_and_nothing_else(messages: list[bytes], code: str) -> None:
    ours, theirs = link_pair()
    for message in messages:
        await theirs.send(message)
    with pytest.raises(CannotConnect) as caught:
        await answering((NO_KEY,), random.Random(1).randbytes)(ours)
    assert caught.value.code == code
    assert ours.sent == [preface()]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("after", range(MESSAGES))
async def test_a_connection_that_ends_while_the_channel_is_opened(side: int, after: int) -> None:
    ours, theirs = link_pair()
    rng = random.Random(1)
    link = (ours, theirs)[side]
    secure = calling(NO_KEY, rng.randbytes) if side else answering((NO_KEY,), rng.randbytes)
    opening = asyncio.ensure_future(secure(link))
    if after:
        await (ours, theirs)[1 - side].send(preface())
    await asyncio.sleep(0.01)
    await link.close()
    with pytest.raises((CannotConnect, ConnectionLost)):
        await asyncio.wait_for(opening, 5)


# Somebody in between


def replaced(links: tuple[MemoryLink, MemoryLink], side: int, number: int, change: Callable[[bytes], bytes]) -> None:
    """Have a message of `side` changed on its way, by its number."""
    link = links[side]
    link.spoil = lambda message: change(message) if len(link.sent) == number + 1 else message


def flipped(message: bytes) -> bytes:
    return message[:-1] + bytes((message[-1] ^ 1,))


@pytest.mark.parametrize("change", [flipped, lambda _: preface((1, 2)), lambda m: m[:-1], lambda m: m + b"x"])
@pytest.mark.parametrize("number", range(MESSAGES))
@pytest.mark.parametrize("side", [0, 1])
async def test_a_change_while_the_channel_is_opened_opens_none(
    side: int, number: int, change: Callable[[bytes], bytes]
) -> None:
    meeting = Meeting()
    replaced(meeting.raw, side, number, change)
    codes = await meeting.codes()
    # whose message was changed last may have sent all it has to, and learns of it when the other hangs up
    assert codes[1 - side]
    assert codes[side] or number == 1


@pytest.mark.parametrize("change", [flipped, lambda _: b"", lambda m: m[:-1], lambda m: m + b"x", lambda _: bytes(528)])
@pytest.mark.parametrize("side", [0, 1])
async def test_a_changed_message_ends_the_connection(side: int, change: Callable[[bytes], bytes]) -> None:
    meeting = Meeting()
    ends = await meeting.opened()
    replaced(meeting.raw, side, MESSAGES + 1, change)
    await ends[side].send(b"first")
    await ends[side].send(b"second")
    assert await ends[1 - side].receive() == b"first"
    with pytest.raises(ConnectionLost, match="channel_broken"):
        await ends[1 - side].receive()
    assert meeting.raw[1 - side].is_closed
    count = len(meeting.raw[1 - side].sent)
    await ends[1 - side].send(b"still there")
    assert len(meeting.raw[1 - side].sent) == count


@pytest.mark.parametrize("how", ["dropped", "repeated", "swapped", "reflected"])
async def test_messages_dropped_repeated_swapped_or_reflected(how: str) -> None:
    meeting = Meeting()
    host, guest = await meeting.opened()
    await guest.send(b"a")
    await guest.send(b"b")
    own = meeting.raw[1].outgoing
    first, second = own.get_nowait(), own.get_nowait()
    if how == "reflected":
        await host.send(b"a")
        first = meeting.raw[0].sent[-1]
    for message in {"dropped": [second], "repeated": [first, first], "swapped": [second, first], "reflected": [first]}[
        how
    ]:
        own.put_nowait(message)
    if how == "repeated":
        assert await host.receive() == b"a"
    with pytest.raises(ConnectionLost, match="channel_broken"):
        await host.receive()


# A send that is interrupted


@pytest.fixture
async def stuck() -> tuple[Meeting, SecureLink, SecureLink]:
    """Give a meeting whose guest's messages do not get away."""
    meeting = Meeting()
    host, guest = await meeting.opened()
    send = meeting.raw[1].send

    async def never(data: bytes) -> None:
        await asyncio.Event().wait()
        await send(data)

    meeting.raw[1].send = never  # type: ignore[method-assign]
    return meeting, host, guest


async def test_a_send_that_is_cancelled_ends_the_connection(stuck: tuple[Meeting, SecureLink, SecureLink]) -> None:
    """The number of the next message would be a guess."""
    meeting, host, guest = stuck
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await guest.send(b"a")
    assert meeting.raw[1].is_closed
    await guest.send(b"b")
    for end in (guest, host):
        with pytest.raises(ConnectionLost):
            await end.receive()


async def test_waiting_for_a_frame_can_be_cancelled_without_loss() -> None:
    host, guest = await Meeting().opened()
    for number in range(20):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await host.receive()
        await guest.send(bytes((number,)))
        assert await host.receive() == bytes((number,))
