"""Negotiation: from a bare connection to a game that both want (protocol/SPEC.md, section 4)."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, FairplayCode, Malformed, SessionCode, UsageError
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.challenge import Terms
from p2p_shanghaien.fairplay.channel import MAX_FRAME, NO_KEY, Secured, WrongInvitation
from p2p_shanghaien.fairplay.data import MAX_OFFER, Offering, offer, parse_offer, want
from p2p_shanghaien.fairplay.handshake import (
    Bye,
    Established,
    Handshake,
    InvitationNeeded,
    OtherSession,
    Refused,
    bye,
)
from p2p_shanghaien.fairplay.hello import Head, Hello, Hellos, Invitation, Role, open_session, parse_hello
from p2p_shanghaien.fairplay.keys import NONCE_SIZE, Identity, authentication_string
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.notes import Decline, NoteKind, Notes
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.games.api import DataMissing, Game, Reading, Unplayable
from p2p_shanghaien.session.challenges import Challenges
from p2p_shanghaien.session.deadlines import Deadlines
from p2p_shanghaien.session.event_queue import Answer, EventQueue
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.idle_timer import Clock
from p2p_shanghaien.session.participant import Decider, Observer
from p2p_shanghaien.session.ports import ChallengeStore, Link, Log, Opponent, Secure
from p2p_shanghaien.session.secure_link import answering, calling

_T = TypeVar("_T")

_DECLINED: Final[Mapping[Decline, SessionCode]] = {
    Decline.DECLINED: SessionCode.PEER_DECLINED,
    Decline.GAME_UNKNOWN: SessionCode.PEER_GAME_UNKNOWN,
    Decline.RULES_UNKNOWN: SessionCode.PEER_RULES_UNKNOWN,
    Decline.DATA_MISSING: SessionCode.PEER_DATA_MISSING,
    Decline.OTHER_SETTINGS: SessionCode.PEER_OTHER_SETTINGS,
}

GAME: Final = "game"
"""The name of the game among the wishes of a guest that insists on one."""

WARNINGS: Final = frozenset(
    {"opponent_name_taken", "opponent_lookalike", "opponent_took_name", "opponent_not_looked_up"}
)
"""Warnings of `recognise` that call for a more deliberate answer.

The opponent's name, or one that looks like it, is known with another key, or nobody can tell.
"""


def own_name(name: str, _: Role) -> str:
    """Return the name that a peer gives itself: good enough for a known peer."""
    return name


@dataclass(frozen=True)
class Side:
    """The local parts of a table.

    `keep` starts the log of a session, given the session, our seat, the log's first bytes, the secret that shares are
    derived from, the channel's key, and the peer's address. `recognise` returns warnings about an opponent, as codes
    with details, to be shown before the local player agrees. `call` returns the local name for a peer of that name at
    that seat. `random_bytes` is the source of nonces and secrets. `invitation` is that of a private table,
    `resumed_key` the channel's key of a game that is resumed. `patience` is the number of seconds to wait for a lost
    opponent; None: for ever. `last_word` is the limit of seconds, once both have signed, to hear that it has both
    signatures; None: as long as `patience` says. `deadlines` are for a connected peer. `challenges` are those of a
    person; None: nobody here challenges to a rematch. `gallery` is a host's; None: nobody may watch.
    """

    identity: Identity
    name: str
    observer: Observer
    decider: Decider
    games: Mapping[str, type[Game[Any]]]
    keep: Callable[[Session, int, bytes, bytes, bytes, str], Log]
    recognise: Callable[[Opponent], Iterable[tuple[str, dict[str, object]]]] = lambda _: ()
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    call: Callable[[str, Role], str] = own_name
    invitation: Invitation | None = None
    resumed_key: bytes | None = None
    patience: float | None = None
    last_word: float | None = 60.0
    loop: Callable[[], Clock] = asyncio.get_running_loop
    deadlines: Deadlines = field(default_factory=Deadlines)
    clock: Callable[[], float] = time.monotonic
    challenges: ChallengeStore | None = None
    gallery: Gallery | None = None

    @property
    def channel_key(self) -> bytes:
        """The pre-shared key of channels (SPEC 4.4)."""
        if self.invitation:
            return self.invitation.channel_key
        return NO_KEY if self.resumed_key is None else self.resumed_key

    def secure(self, role: Role) -> Secure:
        """Return what opens the channel over a new link, at this end of it."""
        if role == Role.GUEST:
            return calling(self.channel_key, self.random_bytes)
        watching = (self.gallery.key,) if self.gallery else ()
        return answering((self.channel_key, *watching), self.random_bytes)

    def host_hello(self, game: Game[Any], channel: bytes) -> Hello:
        """Return a host's hello with the proposed game and a fresh nonce."""
        hello = self._hello(Role.HOST, game.NAME, game.RULES_VERSION, game.settings, channel)
        return hello._replace(private=self.invitation is not None, watchable=self.gallery is not None)

    def guest_hello(self, channel: bytes, wishes: tuple[tuple[str, str], ...] = ()) -> Hello:
        """Return a guest's hello with a fresh nonce.

        `wishes` are what it insists on: settings, and the game under the name `game`.
        """
        settings = tuple((name, value) for name, value in wishes if name != GAME)
        return self._hello(Role.GUEST, dict(wishes).get(GAME), None, settings, channel)

    def _hello(
        self,
        role: Role,
        game: str | None,
        rules: int | None,
        settings: tuple[tuple[str, str], ...],
        channel: bytes,
    ) -> Hello:
        nonce, key = self.random_bytes(NONCE_SIZE), self.identity.public
        return Hello(VERSIONS, role, nonce, key, self.name, game, rules, settings, None, False, False, channel)

    def handshake(self, hello: Callable[[bytes], Hello], secured: Secured) -> Handshake:
        """Return our end of the handshake for a new game through a channel, with its `hello`."""
        return Handshake(self.identity, hello(secured.channel), secured.versions, invitation=self.invitation)


Receive: TypeAlias = Callable[[], Awaitable[bytes]]
"""A function that returns a link's next frame."""


async def complete_handshake(link: Link, receive: Receive, handshake: Handshake) -> Established:
    """Exchange hellos and proofs for a new game. Raises as `begin_handshake`."""
    await begin_handshake(link, receive, handshake)
    return established(link, handshake)


async def begin_handshake(
    link: Link, receive: Receive, handshake: Handshake, *, stranger: Bye = Bye.OTHER_SESSION
) -> Hellos:
    """Exchange hellos and proofs; in a game that is resumed, as far as that goes without our own position.

    Both hellos are returned. Raises CannotConnect; the peer has then been told why, where it may be. One that
    does not come for the session that we are at is told `stranger`.
    """
    return await _exchange(link, receive, handshake, handshake.start(), stranger)


async def authenticate(link: Link, handshake: Handshake, head: Head) -> Established:
    """Prove our log head, and exchange the remaining proofs. Raises as `begin_handshake`."""
    await _exchange(link, link.receive, handshake, handshake.authenticate(head), Bye.OTHER_SESSION)
    return established(link, handshake)


async def _exchange(
    link: Link, receive: Receive, handshake: Handshake, frames: Sequence[bytes], stranger: Bye
) -> Hellos:
    """Send `frames`, and the answers to the peer's, until nothing more is expected; return both hellos."""
    try:
        while True:
            for frame in frames:
                await link.send(frame)
            if hellos := handshake.hellos:
                return hellos
            frames = handshake.receive(await receive())
    except OtherSession:
        await say_bye(link, stranger)
        raise
    except (WrongInvitation, InvitationNeeded):
        await say_bye(link, Bye.WRONG_INVITATION)
        raise
    except Malformed as error:
        await say_bye(link, Bye.MALFORMED)
        raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
    except ConnectionLost:
        raise CannotConnect(SessionCode.DROPPED_IN_HANDSHAKE) from None


class Declined(CannotConnect):
    """The peer called `name` declines the game in a note, for this `reason`."""

    def __init__(self, reason: str, name: str) -> None:
        self.reason = Decline(reason)
        super().__init__(_DECLINED[self.reason], name=name)


def established(link: Link, handshake: Handshake) -> Established:
    """Return the terms agreed over `link`, whose time for the handshake is over: both proofs have been exchanged."""
    assert handshake.established is not None, "both proofs have been exchanged"
    link.settled()
    return handshake.established


async def say_bye(link: Link, reason: Bye) -> None:
    """Tell the peer why we close the connection, if it still listens."""
    await link.send(bye(reason))


class Negotiation:
    """A host and a guest who have proved their keys, before they agree to play."""

    def __init__(self, side: Side, events: EventQueue, established: Established) -> None:
        self.side = side
        self.events = events
        self.link = link = events.link
        self.established = established
        self.seat = established.seat
        hellos = established.hellos
        self.hellos = parse_hello(hellos[0], Role.HOST), parse_hello(hellos[1], Role.GUEST)
        theirs = self.hellos[1 - self.seat]
        authentication = authentication_string(established.hellos.session)
        called = side.call(theirs.name, Role(1 - self.seat))
        self.opponent = Opponent(theirs.name, called, theirs.key, link.remote, authentication)
        self.notes = Notes(side.identity, self.seat, established.hellos.handshake, theirs.key)
        host = self.hellos[Role.HOST]
        assert host.game is not None and host.rules is not None, "a host names them"  # noqa: PT018
        self._challenges = Challenges(side, self.opponent, Terms(host.game, host.rules, host.settings))
        self._doubtful = False
        """True if the local player was warned of the opponent."""

    def introduce(self) -> None:
        """Notify the local player of the opponent."""
        for code, details in self.side.recognise(self.opponent):
            self.side.observer.notify(code, **details)
            self._doubtful |= code in WARNINGS

    @property
    def _minutes(self) -> int:
        """The number of minutes that each user has to agree, as they are told."""
        return round(self.side.deadlines.person / 60)

    async def agree(self, *, ask: bool = True) -> Session:
        """Return once the local player, and for a host the guest too, wants this game.

        Raises CannotConnect; both know the reason then. Without `ask` both users have agreed already: they play again
        with each other. A guest agrees by itself, once it has a log to return with (`MatchDriver.play`).
        """
        try:
            if ask and (challenge := self._challenges.pass_on()):
                await self.link.send(self.notes.write(NoteKind.CHALLENGE, *challenge.words))
            session = await (self._propose(ask) if self.seat == Role.HOST else self._consider(ask))
            self._challenges.answered()
            return session
        except UsageError:
            # the local program cannot play this game, whatever it was asked to do
            await self._decline(Decline.DECLINED)
            raise
        finally:
            await self.events.withdraw()

    async def _propose(self, ask: bool) -> Session:
        """Do the host's part: get the local player's consent and the guest's note, in whichever order they come."""
        if wanted := self._conflict():
            self.side.observer.notify("guest_insists", name=self.opponent.called, settings=wanted)
            # the guest comes to the same result, and can only decline
            due = self._due(ask=False)
            while not self._read_note(await self._in_time(self.events.frame(), due), NoteKind.DECLINE):
                pass
        name, decider = self.opponent.called, self.side.decider
        session = open_session(self.established.hellos, self.side.games)
        # in another game the guest has what the former one needed
        offering = Offering(session.game.named_data() if ask else {})
        waits_for_us, waits_for_guest, due = ask, True, self._due(ask)
        if waits_for_us:
            code = "play_with_doubtful_guest" if self._doubtful else "play_with_guest"
            self.events.ask(decider.agrees(code, name=name, minutes=self._minutes))
        while waits_for_us or waits_for_guest:
            match await self._in_time(self.events.next(), due if waits_for_guest else None):
                case Answer(True):
                    waits_for_us = False
                    if waits_for_guest:
                        self.side.observer.notify("guest_considers", name=name)
                        self.events.ask(decider.stop_waiting("wait_for_guest", name=name))
                case Answer():
                    await self._decline(Decline.DECLINED)
                    raise CannotConnect(
                        SessionCode.WE_DECLINED if waits_for_us else SessionCode.GUEST_SENT_AWAY, name=name
                    )
                case bytes(frame):
                    if not (waits_for_guest and await self._hands_over(frame, offering)):
                        waits_for_guest &= not self._read_note(frame, NoteKind.AGREE)
        return session

    async def _hands_over(self, frame: bytes, offering: Offering) -> bool:
        """Return whether a frame asks for data, which have been sent then (SPEC 4.17). Raises CannotConnect."""
        async with self._told_if_malformed():
            asked = offering.asked(frame)
        if asked is None:
            return False
        digest, data = asked
        if len(data) > MAX_OFFER:
            await self._decline(Decline.DATA_MISSING)
            raise CannotConnect(SessionCode.DATA_TOO_LARGE, name=self.opponent.called, file=f"{digest}.shdata")
        await self.link.send(offer(data))
        return True

    @asynccontextmanager
    async def _told_if_malformed(self) -> AsyncIterator[None]:
        """Tell the peer if the block finds what it sent malformed, and raise that as CannotConnect."""
        try:
            yield
        except Malformed as error:
            await say_bye(self.link, Bye.MALFORMED)
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None

    async def _consider(self, ask: bool) -> Session:
        """Do the guest's part: check that the game is known and as insisted on, and let the local player agree."""
        host = self.hellos[Role.HOST]
        if wanted := self._conflict():
            await self._decline(Decline.OTHER_SETTINGS)
            raise CannotConnect(SessionCode.OTHER_SETTINGS, wanted=wanted, offered=_worded(_wishes(host)))
        try:
            async with self._told_if_malformed():
                session = await self._opened(ask)
        except Unplayable as error:
            await self._decline(Decline(error.code))
            raise
        if ask:
            for code, details in session.game.data_news():
                self.side.observer.notify(code, **details)
            if host.watchable:
                self.side.observer.notify("may_be_watched", name=self.opponent.called)
            code = "take_terms_of_doubtful_host" if self._doubtful else "take_terms"
            terms = {"game": host.game, "settings": _worded(host.settings), "minutes": self._minutes}
            self.events.ask(self.side.decider.agrees(code, name=self.opponent.called, **terms))
            # a host can only challenge us, or decline
            while isinstance(came := await self.events.next(), bytes):
                self._read_note(came, NoteKind.DECLINE)
            if came != Answer(True):
                await self._decline(Decline.DECLINED)
                raise CannotConnect(SessionCode.WE_DECLINED)
            self.side.observer.notify("host_awaited", name=self.opponent.called)
        return session

    async def _opened(self, ask: bool) -> Session:
        """Return the session of the hellos, with data that the host hands over if this machine lacks them (SPEC 4.17).

        Without `ask` there is nobody who could agree to them. Raises Malformed and CannotConnect.
        """
        offered: dict[str, bytes] = {}
        games = self.side.games
        while True:
            try:
                session = open_session(self.established.hellos, games)
            except DataMissing as missing:
                if not ask or missing.digest in offered:
                    raise
                offered[missing.digest] = await self._fetched(missing)
                games = Reading(self.side.games, offered.get)
            else:
                if offered:
                    self.side.observer.notify("data_offered", name=self.opponent.called)
                return session

    async def _fetched(self, missing: DataMissing) -> bytes:
        """Return the missing data, as the host hands them over. Raises Malformed, CannotConnect, or `missing`."""
        await self.link.send(want(missing.digest))
        due = self._due(ask=False)
        while True:
            frame = await self._in_time(self.events.frame(), due, SessionCode.DATA_NOT_OFFERED)
            data = parse_offer(frame, missing.digest)
            if data is not None:
                return data
            try:
                # besides data, a host can only challenge us, or decline
                self._read_note(frame, NoteKind.DECLINE)
            except Declined as error:
                raise (missing if error.reason == Decline.DATA_MISSING else error) from None

    def _due(self, ask: bool) -> float:
        """The time by which the guest must have answered, by the loop's clock; `ask` if its user has to be asked."""
        deadlines = self.side.deadlines
        return asyncio.get_running_loop().time() + (deadlines.person if ask else deadlines.handshake)

    async def _in_time(
        self, coming: Coroutine[Any, Any, _T], due: float | None, late: SessionCode = SessionCode.GUEST_UNDECIDED
    ) -> _T:
        """Return what is `coming`. Raises CannotConnect, as `late`, if it has not come in time; the peer is told."""
        try:
            async with asyncio.timeout_at(due):
                return await coming
        except TimeoutError:
            await say_bye(self.link, Bye.TIMEOUT)
            raise CannotConnect(late, name=self.opponent.called) from None

    def _conflict(self) -> str:
        """Return the difference between the guest's wishes and the host's proposal, in words; empty for none."""
        proposed = dict(_wishes(self.hellos[Role.HOST]))
        insisted = _wishes(self.hellos[Role.GUEST])
        return _worded(tuple((name, value) for name, value in insisted if proposed.get(name) != value))

    async def _decline(self, reason: Decline) -> None:
        await self.link.send(self.notes.write(NoteKind.DECLINE, reason))

    def _read_note(self, frame: bytes, wanted: NoteKind) -> bool:
        """Read a note; return whether it is the wanted one. If it is not, it was a challenge, and is told.

        Raises CannotConnect: anything else ends the connection.
        """
        try:
            message = decode(frame, MAX_FRAME)
            match message:
                case ("bye", str(reason)):
                    raise Refused(reason)
                case ("note", *_):
                    note = self.notes.read(message)
                case _:
                    raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected=wanted.value)
            if note.kind == NoteKind.CHALLENGE:
                self._challenges.hear(note.words)
                return False
        except Malformed as error:
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
        match note.kind, note.words:
            case NoteKind.DECLINE, (str(reason),):
                if reason == Decline.DECLINED:
                    self._challenges.answered()
                raise Declined(reason, self.opponent.called)
        if note.kind != wanted:
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=note.kind.value)
        return True


def _wishes(hello: Hello) -> tuple[tuple[str, str], ...]:
    """Return the game of a hello as pairs of name and value."""
    game = ((GAME, hello.game),) if hello.game is not None else ()
    rules = (("rules", str(hello.rules)),) if hello.rules is not None else ()
    return (*game, *rules, *hello.settings)


def _worded(settings: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings)
