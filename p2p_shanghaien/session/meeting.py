"""From a bare connection to two sides that both want this game (protocol/SPEC.md, section 4)."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, FairplayCode, Malformed, SessionCode, UsageError
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.handshake import (
    MAX_FRAME,
    Bye,
    Established,
    Handshake,
    OtherSession,
    Refused,
    WrongInvitation,
    bye,
)
from p2p_shanghaien.fairplay.hello import (
    VERSIONS,
    Hello,
    Invitation,
    Meeting,
    Position,
    Role,
    open_session,
    parse_hello,
)
from p2p_shanghaien.fairplay.keys import NONCE_SIZE, Identity, authentication_string
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.notes import Decline, NoteKind, Notes
from p2p_shanghaien.games.api import Game, Unplayable
from p2p_shanghaien.session.deadlines import Deadlines
from p2p_shanghaien.session.mailbox import Answer, Mailbox
from p2p_shanghaien.session.participant import Decider, Watcher
from p2p_shanghaien.session.parts import Link, Log, Opponent
from p2p_shanghaien.session.silence import Later, later

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
"""What `recognise` may say of an opponent that takes a more deliberate answer: its name, or one that looks like it, is
known with another key, or nobody can tell."""


def own_word(name: str, _: Role) -> str:
    """Return what a peer calls itself: good enough for a peer that is no stranger."""
    return name


@dataclass(frozen=True)
class Side:
    """Everything of ours that sits down at a table.

    `keep` starts the log of a session, given the session, our seat, the log's first bytes, the secret that shares
    are derived from and where the other side is. `recognise` says what our side should hear of an opponent before it
    agrees, as codes of words with details. `call` gives what our side calls a peer of that name at
    that seat. `random_bytes` is the source of nonces and secrets.
    `invitation` is what a private table asks for. `patience` is for how many seconds a lost opponent is waited for;
    None: for ever. `last_word` is for how many at most, once both have signed, to hear that it has both signatures;
    None: as long as `patience` says. `deadlines` are for a peer that is connected.
    """

    identity: Identity
    name: str
    watcher: Watcher
    decider: Decider
    games: Mapping[str, type[Game[Any]]]
    keep: Callable[[Session, int, bytes, bytes, str], Log]
    recognise: Callable[[Opponent], Iterable[tuple[str, dict[str, object]]]]
    random_bytes: Callable[[int], bytes]
    call: Callable[[str, Role], str] = own_word
    invitation: Invitation | None = None
    patience: float | None = None
    last_word: float | None = 60.0
    later: Later = later
    deadlines: Deadlines = field(default_factory=Deadlines)
    clock: Callable[[], float] = time.monotonic

    def host_hello(self, game: Game[Any]) -> Hello:
        """What a host says of itself and of the game it proposes, with a fresh nonce."""
        private = self.invitation is not None
        return self._hello(Role.HOST, game.NAME, game.RULES_VERSION, game.settings, private)

    def guest_hello(self, wishes: tuple[tuple[str, str], ...] = ()) -> Hello:
        """Return what a guest says of itself, with a fresh nonce.

        `wishes` are what it insists on: settings, and the game under the name `game`.
        """
        settings = tuple((name, value) for name, value in wishes if name != GAME)
        return self._hello(Role.GUEST, dict(wishes).get(GAME), None, settings, False)

    def _hello(
        self, role: Role, game: str | None, rules: int | None, settings: tuple[tuple[str, str], ...], private: bool
    ) -> Hello:
        nonce = self.random_bytes(NONCE_SIZE)
        return Hello(VERSIONS, role, nonce, self.identity.public, self.name, game, rules, settings, None, private)

    def handshake(self, hello: Hello) -> Handshake:
        """Our side of the handshake for a new game, with this hello."""
        return Handshake(self.identity, hello, invitation=self.invitation)


Receive: TypeAlias = Callable[[], Awaitable[bytes]]
"""Gives a link's next frame."""


async def meet(link: Link, receive: Receive, handshake: Handshake) -> Established:
    """Exchange hellos and proofs for a new game. Raises as `approach`."""
    await approach(link, receive, handshake)
    return established(link, handshake)


async def approach(link: Link, receive: Receive, handshake: Handshake, *, stranger: Bye = Bye.OTHER_SESSION) -> Meeting:
    """Exchange hellos and proofs; in a game that is resumed, as far as that goes without our own position.

    Both hellos are returned. Raises CannotConnect; the other side has then been told why, where it may be. One that
    does not come for the session that we are at is told `stranger`.
    """
    return await _exchange(link, receive, handshake, handshake.start(), stranger)


async def prove(link: Link, handshake: Handshake, position: Position) -> Established:
    """Prove our position, and exchange what is left of the proofs. Raises as `approach`."""
    await _exchange(link, link.receive, handshake, handshake.prove(position), Bye.OTHER_SESSION)
    return established(link, handshake)


async def _exchange(
    link: Link, receive: Receive, handshake: Handshake, frames: Sequence[bytes], stranger: Bye
) -> Meeting:
    """Send `frames`, and what answers the other side's, until nothing more is due; return both hellos."""
    try:
        while True:
            for frame in frames:
                await link.send(frame)
            if meeting := handshake.met:
                return meeting
            frames = handshake.receive(await receive())
    except OtherSession:
        await say_bye(link, stranger)
        raise
    except WrongInvitation:
        await say_bye(link, Bye.WRONG_INVITATION)
        raise
    except Malformed as error:
        await say_bye(link, Bye.MALFORMED)
        raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
    except ConnectionLost:
        raise CannotConnect(SessionCode.DROPPED_IN_HANDSHAKE) from None


def declined(reason: str, name: str) -> CannotConnect:
    """Return the error for a note in which the peer called `name` declines the game."""
    return CannotConnect(_DECLINED[Decline(reason)], name=name)


def established(link: Link, handshake: Handshake) -> Established:
    """Return what was agreed over `link`, whose time for the handshake is over: both proofs have been exchanged."""
    assert handshake.established is not None, "both proofs have been exchanged"
    link.settled()
    return handshake.established


async def say_bye(link: Link, reason: Bye) -> None:
    """Tell the other side why we hang up, if it still listens."""
    with suppress(ConnectionLost):
        await link.send(bye(reason))


class Table:
    """A host and a guest who have proved their keys, before they agree to play."""

    def __init__(self, side: Side, mailbox: Mailbox, established: Established) -> None:
        self.side = side
        self.mailbox = mailbox
        self.link = link = mailbox.link
        self.established = established
        self.seat = established.seat
        hellos = established.meeting.hellos
        self.hellos = parse_hello(hellos[0], Role.HOST), parse_hello(hellos[1], Role.GUEST)
        theirs = self.hellos[1 - self.seat]
        authentication = authentication_string(established.meeting.session)
        called = side.call(theirs.name, Role(1 - self.seat))
        self.opponent = Opponent(theirs.name, called, theirs.key, link.remote, authentication)
        self.notes = Notes(side.identity, self.seat, established.meeting.handshake, theirs.key)
        self._doubtful = False
        """Whether our side was warned of the opponent."""

    def introduce(self) -> None:
        """Tell our side who is there."""
        for code, details in self.side.recognise(self.opponent):
            self.side.watcher.told(code, **details)
            self._doubtful |= code in WARNINGS

    @property
    def _minutes(self) -> int:
        """How long each person has to agree, as they are told."""
        return round(self.side.deadlines.person / 60)

    async def agree(self, *, ask: bool = True) -> Session:
        """Return once our side wants this game, as a host the guest too. Raises CannotConnect, and both know why.

        Without `ask` both people have agreed already: they play again with each other. A guest says so itself, once
        it has somewhere to come back to (`Driver.play`).
        """
        try:
            return await (self._propose(ask) if self.seat == Role.HOST else self._consider(ask))
        except UsageError:
            # our side cannot play this game, whatever it was asked to do
            await self._decline(Decline.DECLINED)
            raise
        finally:
            await self.mailbox.withdraw()

    async def _propose(self, ask: bool) -> Session:
        """The host's part: our own person's consent and the guest's note, in whichever order they come."""
        if wanted := self._conflict():
            self.side.watcher.told("guest_insists", name=self.opponent.called, settings=wanted)
            # the guest finds the same, and can only decline
            self._heed(await self._in_time(self.mailbox.frame(), self._due(ask=False)), NoteKind.DECLINE)
        name, decider = self.opponent.called, self.side.decider
        waits_for_us, waits_for_guest, due = ask, True, self._due(ask)
        if waits_for_us:
            code = "play_with_doubtful_guest" if self._doubtful else "play_with_guest"
            self.mailbox.ask(decider.agrees(code, name=name, minutes=self._minutes))
        while waits_for_us or waits_for_guest:
            match await self._in_time(self.mailbox.next(), due if waits_for_guest else None):
                case Answer(True):
                    waits_for_us = False
                    if waits_for_guest:
                        self.side.watcher.told("guest_considers", name=name)
                        self.mailbox.ask(decider.stop_waiting("wait_for_guest", name=name))
                case Answer():
                    await self._decline(Decline.DECLINED)
                    raise CannotConnect(
                        SessionCode.WE_DECLINED if waits_for_us else SessionCode.GUEST_SENT_AWAY, name=name
                    )
                case bytes(frame):
                    self._heed(frame, NoteKind.AGREE)
                    waits_for_guest = False
        return open_session(self.established.meeting.hellos, self.side.games)

    async def _consider(self, ask: bool) -> Session:
        """The guest's part: check that the game is known and as insisted on, and let our person agree to it."""
        host = self.hellos[Role.HOST]
        if wanted := self._conflict():
            await self._decline(Decline.OTHER_SETTINGS)
            raise CannotConnect(SessionCode.OTHER_SETTINGS, wanted=wanted, offered=_worded(_wishes(host)))
        try:
            session = open_session(self.established.meeting.hellos, self.side.games)
        except Unplayable as error:
            await self._decline(Decline(error.code))
            raise
        except Malformed as error:
            await say_bye(self.link, Bye.MALFORMED)
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
        if ask:
            code = "take_terms_of_doubtful_host" if self._doubtful else "take_terms"
            terms = {"game": host.game, "settings": _worded(host.settings), "minutes": self._minutes}
            self.mailbox.ask(self.side.decider.agrees(code, name=self.opponent.called, **terms))
            match await self.mailbox.next():
                case Answer(True):
                    self.side.watcher.told("host_awaited", name=self.opponent.called)
                case Answer():
                    await self._decline(Decline.DECLINED)
                    raise CannotConnect(SessionCode.WE_DECLINED)
                case bytes(frame):
                    self._heed(frame, NoteKind.AGREE)
        return session

    def _due(self, ask: bool) -> float:
        """When the guest must have answered, by the loop's clock; `ask` is for its person having to be asked."""
        deadlines = self.side.deadlines
        return asyncio.get_running_loop().time() + (deadlines.person if ask else deadlines.handshake)

    async def _in_time(self, coming: Coroutine[Any, Any, _T], due: float | None) -> _T:
        """Return what is `coming`. Raises CannotConnect where it has not come when it is due, and the guest knows."""
        try:
            async with asyncio.timeout_at(due):
                return await coming
        except TimeoutError:
            await say_bye(self.link, Bye.TIMEOUT)
            raise CannotConnect(SessionCode.GUEST_UNDECIDED, name=self.opponent.called) from None

    def _conflict(self) -> str:
        """What the guest insists on and the host does not propose, in words; empty for nothing."""
        proposed = dict(_wishes(self.hellos[Role.HOST]))
        insisted = _wishes(self.hellos[Role.GUEST])
        return _worded(tuple((name, value) for name, value in insisted if proposed.get(name) != value))

    async def _decline(self, reason: Decline) -> None:
        with suppress(ConnectionLost):
            await self.link.send(self.notes.write(NoteKind.DECLINE, reason))

    def _heed(self, frame: bytes, wanted: NoteKind) -> None:
        """Accept the note that is waited for; anything else ends the meeting. Raises CannotConnect."""
        try:
            message = decode(frame, MAX_FRAME)
            match message:
                case ("bye", str(reason)):
                    raise Refused(reason)
                case ("note", *_):
                    note = self.notes.read(message)
                case _:
                    raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected=wanted.value)
        except Malformed as error:
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
        match note.kind, note.words:
            case NoteKind.DECLINE, (str(reason),):
                raise declined(reason, self.opponent.called)
        if note.kind != wanted or self.seat == Role.GUEST:
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=note.kind.value)


def _wishes(hello: Hello) -> tuple[tuple[str, str], ...]:
    """All that a hello says about the game, a name and a value each."""
    game = ((GAME, hello.game),) if hello.game is not None else ()
    rules = (("rules", str(hello.rules)),) if hello.rules is not None else ()
    return (*game, *rules, *hello.settings)


def _worded(settings: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings)
