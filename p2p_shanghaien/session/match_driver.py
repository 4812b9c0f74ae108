"""The driver that carries out a peer's effects over as many connections as needed (protocol/SPEC.md, 5 to 7 and 11)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Malformed, SessionCode, Violation
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.challenge import Terms
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.effects import (
    Ask,
    Begun,
    ChoiceMade,
    Closed,
    Drew,
    Effect,
    Finished,
    Heard,
    Lapsed,
    Offered,
    Regained,
    Send,
    Stepped,
    Store,
    ViolationProved,
)
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.handshake import Bye, HungUp
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.match import ChoiceCommitted, Session
from p2p_shanghaien.fairplay.notes import Note, NoteKind, Notes
from p2p_shanghaien.fairplay.phases import Act, Phase
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.record import ABANDONED
from p2p_shanghaien.session.challenges import Challenges
from p2p_shanghaien.session.deadlines import Due
from p2p_shanghaien.session.event_queue import Answer, Entered, EventQueue
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.idle_timer import IdleTimer
from p2p_shanghaien.session.negotiation import Declined, Side, say_bye
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Recounted, Resign
from p2p_shanghaien.session.ports import Connected, Connector, Log, Opponent
from p2p_shanghaien.session.rate_limit import RateLimit

CHAT_SENT: Final = 10, 1.0
CHAT_HEARD: Final = 60, 2.0
"""Lines of chat at once, and for each further second, that we send and that we show.

A slow network delivers many together, so more are shown than a program sends (SPEC 7.4).
"""

UNPRODUCTIVE: Final = 300, 30.0
"""Frames at once, and for each further second, that do not advance the game and are read without delay."""
THROTTLE: Final = 0.002
"""Seconds for which nothing is read after each further one: a flood then costs little processor time."""

OPEN_TO_ANSWER: Final[dict[type[Effect], tuple[str, str]]] = {
    ChoiceMade: ("choice_made", "has_chosen"),
    Offered: ("offer_made", "offered"),
}
"""News about a choice or an offer that awaits the other seat's: of our own, and of the peer's."""

FINAL: Final = (Bye.VIOLATION, Bye.OTHER_SESSION)
"""Reasons of the peer's `bye` after which there is nothing to continue."""

BEFORE_A_GAME: Final = (Bye.BUSY, Bye.LEAVING, Bye.MALFORMED, Bye.TIMEOUT)
"""The same, while nothing has been signed yet."""


class NotConnected(ConnectionLost):
    """There has been no connection since the game was resumed."""

    def __init__(self) -> None:
        super().__init__(SessionCode.NOT_CONNECTED)


class MatchDriver:
    """A driver that plays one match with one opponent, then asks about another."""

    def __init__(
        self,
        endpoint: Endpoint,
        events: EventQueue,
        connector: Connector,
        *,
        side: Side,
        opponent: Opponent,
        start_log: Callable[[], Log],
    ) -> None:
        self.opponent = opponent
        self._side = side
        self._endpoint = endpoint
        self._events = events
        self._connector = connector
        self._observer = side.observer
        self._challenges = Challenges(side, opponent, Terms.of(endpoint.match.session.game))
        self._decider = side.decider
        self._start_log = start_log
        self._log: Log | None = None
        self._over = False
        self._lost: ConnectionLost | None = None
        """The reason for the missing connection, while there is none."""
        self.wish: int | None = None
        """The peer's answer to another game."""
        self._idle_timer = IdleTimer(self._notify_idle, side.loop())
        self._due = Due(side.deadlines.program)
        self._chat_sent = RateLimit(*CHAT_SENT, side.clock)
        self._chat_shown = RateLimit(*CHAT_HEARD, side.clock)
        self._idle = RateLimit(*UNPRODUCTIVE, side.clock)
        self._flooded = False
        """True if the local player knows that some of the peer's chat is hidden."""

    @property
    def lost(self) -> ConnectionLost | None:
        """The reason for the missing connection, while there is none."""
        return self._lost

    @property
    def session(self) -> Session:
        """The session of the match."""
        return self._endpoint.match.session

    @property
    def _names(self) -> tuple[str, str]:
        """The local names of the players, by seat."""
        ours, theirs = self._endpoint.match.session.names[self._endpoint.seat], self.opponent.called
        return (ours, theirs) if self._endpoint.seat == Role.HOST else (theirs, ours)

    async def play(self, handshake: bytes, notes: Notes, *, again: bool = False) -> None:
        """Play a new match until both have signed the result, whatever happens to the connection.

        `again` is for a further game with the same peer, to which its user has agreed already.

        Raises ConnectionLost if the peer stays away for longer than the local player wants to wait (the log is sound,
        and ends where the game stopped), Violation (the log ends with the evidence), CannotConnect if the peer declines
        before anything has happened (nothing is kept then).
        """
        agreement: list[Effect] = []
        if self._endpoint.seat == Role.GUEST:
            # after agreeing there is a log to return with, whatever the host has signed by then (SPEC 4.11)
            self._keep()
            agreement.append(Send(notes.write(NoteKind.AGREE)))
            deadlines = self._side.deadlines
            self._due.opening = deadlines.handshake if again else deadlines.person
            if not again:
                self._events.ask(self._decider.stop_waiting("wait_for_host", name=self.opponent.called))
        await self._to_the_end(agreement + self._endpoint.begin(handshake, notes))

    async def resume(self) -> None:
        """Continue a saved match, once the opponent has connected. Raises as `play`."""
        self._log = self._start_log()
        if self._endpoint.match.first is not None:
            self._begun(self._endpoint.match.first, self._endpoint.match.state)
        if self._endpoint.has_resigned:
            self._observer.notify("resignation_kept", name=self.opponent.called)
        if isinstance(stage := self._endpoint.match.stage, ChoiceCommitted):
            await self._carry_out([ChoiceMade(stage.pending.seat)])
        self._lost = NotConnected()
        await self._to_the_end([])

    async def _to_the_end(self, effects: list[Effect]) -> None:
        try:
            await self._carry_out(effects)
            self._restart_idle_timer()
            while not self._over:
                if self._lost:
                    await self._recover(self._lost)
                else:
                    await self._hear()
        except CannotConnect:
            if self._log:
                self._log.discard()
            raise
        finally:
            self._idle_timer.end()
            await self._events.withdraw()
            await self._events.stop_listening()

    def close(self) -> None:
        """Close the log. Until then every effect of a frame can be carried out."""
        if self._log:
            self._log.close()

    def challenge(self) -> None:
        """Challenge the opponent, who has left, to another game like this one."""
        self._challenges.make(self._endpoint.match.session)

    async def say_again(self, wish: int) -> None:
        """Send the peer our answer to another game."""
        await self._events.link.send(self._endpoint.note(NoteKind.AGAIN, wish).frame)

    async def receive(self, frame: bytes) -> None:
        """Carry out the effects of a frame. Raises ConnectionLost if it is malformed, and Violation."""
        try:
            effects = self._endpoint.receive(frame)
            await self._carry_out(effects)
        except Malformed as error:
            await say_bye(self._events.link, Bye.MALFORMED)
            raise ConnectionLost(SessionCode.GARBAGE_RECEIVED, reason=error) from None
        if not any(isinstance(effect, Store) for effect in effects) and not self._idle.allows():
            await asyncio.sleep(THROTTLE)

    async def takes_late(self, frame: bytes) -> bool:
        """Receive `frame` if it is an entry: once the match is over, one can still prove a violation.

        Raises as `receive`.
        """
        with suppress(Malformed):  # a preface is no frame of a match
            match decode(frame, MAX_FRAME):
                case ("entry", bytes()):
                    await self.receive(frame)
                    return True
        return False

    async def _hear(self) -> None:
        """Handle the next frame, or the next decision or command of the local player."""
        try:
            async with self._due.limit(self._endpoint):
                came = await self._events.next()
        except TimeoutError:
            await self._give_up_waiting()
            return
        except ConnectionLost as lost:
            self._lost = lost
            return
        try:
            match came:
                case Answer() if self._endpoint.match.first is None:
                    if self._due.opening is not None:
                        raise CannotConnect(SessionCode.STOPPED_WAITING, name=self.opponent.called)
                case Answer(action):
                    await self._act(action)
                    self._restart_idle_timer()
                case Entered(command):
                    await self._execute(command)
                case bytes(frame):
                    await self.receive(frame)
                    self._restart_idle_timer()
        except ConnectionLost as lost:
            self._lost = lost

    async def _give_up_waiting(self) -> None:
        """Handle an expired deadline: leave before the game, stop after its end, else find the peer again."""
        await say_bye(self._events.link, Bye.TIMEOUT)
        if self._due.opening is not None:
            raise CannotConnect(SessionCode.HOST_UNDECIDED, name=self.opponent.called)
        self._lost = ConnectionLost(SessionCode.PROGRAM_SILENT, name=self.opponent.called)
        self._over = self._endpoint.match.expected is None

    async def _recover(self, lost: ConnectionLost) -> None:
        """Wait for the opponent's next connection, and bring both logs to the same length over it."""
        await self._events.hang_up()
        if isinstance(lost, HungUp):
            if not self._endpoint.entries and lost.reason in BEFORE_A_GAME:
                raise CannotConnect(lost.code, **lost.details)
            if lost.reason in FINAL:
                raise lost
        if isinstance(lost, NotConnected):
            self._observer.notify("opponent_awaited", name=self.opponent.called)
        else:
            self._observer.notify("interrupted_game", name=self.opponent.called, reason=lost)
        signed = self._endpoint.match.expected is None
        limits = (self._side.patience, self._side.last_word if signed else None)
        try:
            async with asyncio.timeout(min((limit for limit in limits if limit is not None), default=None)):
                link, established = await self._met_again()
        except (TimeoutError, CannotConnect) as error:
            if signed:
                # our log is complete; the peer has it too, and has left, or can ask for it another time
                self._over = True
                return
            if isinstance(error, CannotConnect):
                if not self._endpoint.entries:
                    raise CannotConnect(SessionCode.NEVER_BEGUN, name=self.opponent.called) from None
                raise ConnectionLost(error.code, **error.details) from None
            raise lost from None
        self._lost = None
        await self._events.switch(link)
        if self._log:
            self._log.add_handshake(established)
        handshake = established.hellos.handshake
        notes = Notes(self._side.identity, self._endpoint.seat, handshake, self.opponent.key)
        effects = self._endpoint.resume(handshake, notes, established.theirs)
        self._observer.notify(
            "chains_differ" if self._endpoint.phase is Phase.PARTED else "reconnected", name=self.opponent.called
        )
        self._due.restart()
        await self._carry_out(effects)
        if self._side.gallery and self._side.gallery.told and not self._lost:
            await self._send(self._endpoint.note(NoteKind.WATCHERS, self._side.gallery.told).frame)
        self._restart_idle_timer()

    async def _met_again(self) -> Connected:
        """Return the opponent, over its next connection.

        While it is awaited, the local player can enter and sign commands. After our proof nothing else happens until
        the game continues, or that connection is lost: so the proved log head stays true (SPEC 11.1).
        """
        while True:
            await self._events.meanwhile(self._connector.reconnect(), self._execute)
            if connected := await self._connector.authenticate(self._endpoint.head):
                return connected

    async def _act(self, action: str) -> None:
        if not self._notify_if_refused(Act.DECIDE, action):
            await self._carry_out(self._endpoint.act(action))
        elif self._endpoint.decides:  # else the peer asks as soon as it is our turn
            self._ask(Ask(self._endpoint.match.state, self._endpoint.player))

    def _notify_if_refused(self, deed: Act, action: str = "") -> bool:
        """Tell the local player why this may not be done now, if it may not; return whether that is so."""
        refusal = self._endpoint.refusal(deed, action)
        if refusal:
            self._observer.notify(refusal.code, **refusal.details)
        return refusal is not None

    async def _carry_out(self, effects: list[Effect]) -> None:
        """Carry out all effects, in order. The next connection makes up for what is sent over one that has ended."""
        for effect in effects:
            match effect:
                case Store(entry):
                    self._store(entry)
                case Send(frame):
                    await self._send(frame)
                case Stepped(before, step, after):
                    self._observer.stepped(before, step, after)
                case Drew(seat=seat):
                    self._observer.drew(effect, seat == self._endpoint.seat)
                case Ask():
                    self._sync()
                    self._ask(effect)
                case Begun(first):
                    await self._events.withdraw()  # the host is no longer awaited
                    self._begun(first)
                case Closed(ending):
                    await self._events.withdraw()
                    if ending.seat is not None:
                        self._observer.notify(
                            "resigned", name=self._names[ending.seat], other=self._names[1 - ending.seat]
                        )
                    elif ending.reason == ABANDONED:
                        self._observer.notify("abandoned")
                case Heard(note):
                    self._heard(note)
                case ChoiceMade(seat) | Offered(seat):
                    codes = OPEN_TO_ANSWER[type(effect)]
                    self._observer.notify(codes[seat != self._endpoint.seat], name=self.opponent.called)
                case Lapsed(seat) if seat == self._endpoint.seat or self._shows_more():
                    code = "own_offer_lapsed" if seat == self._endpoint.seat else "offer_lapsed"
                    self._observer.notify(code, name=self.opponent.called)
                case Regained(count):
                    self._observer.notify("own_entries_regained", name=self.opponent.called, count=count)
                case Finished():
                    self._over = True
                    self._keep().mark_delivered()
                    host, guest = self._names
                    self._observer.notify("both_signed", host=host, guest=guest)
                case ViolationProved(seat, number, violation):
                    self._sync()
                    await say_bye(self._events.link, Bye.VIOLATION)
                    ours = seat == self._endpoint.seat
                    broken = SessionCode.WE_BROKE_RULES if ours else SessionCode.PEER_BROKE_RULES
                    raise Violation(broken, name=self.opponent.called, number=number, reason=violation)
        self._sync()

    async def _execute(self, command: Command | Recounted) -> None:
        """Execute a command of the local player, or tell how many watch, and listen for more."""
        name = self.opponent.called
        if isinstance(command, Recounted):
            await self._tell_watchers(command.count)
            self._listen_to_gallery()
            return
        match command:
            case Chat() if self._lost:
                self._observer.notify("not_said", name=name)
            case Chat() if not self._chat_sent.allows():
                self._observer.notify("chat_too_fast")
            case Chat(text):
                await self._send(self._endpoint.note(NoteKind.CHAT, text).frame)
                self._observer.notify("chat", name=self._names[self._endpoint.seat], text=text)
            case Resign():
                effects = self._endpoint.resign()
                if self._endpoint.has_resigned:
                    self._keep().mark_resigned()
                    if self._lost:
                        self._observer.notify("resignation_kept", name=name)
                await self._carry_out(effects)
            case Offer():
                if not self._notify_if_refused(Act.OFFER):
                    effects = self._endpoint.offer()
                    if not effects:
                        self._observer.notify("offer_kept", name=name)
                    await self._carry_out(effects)
            case Accept():
                if not self._notify_if_refused(Act.ACCEPT):
                    await self._carry_out(self._endpoint.accept())
        self._events.listen(self._decider.command())

    async def _tell_watchers(self, count: int) -> None:
        """Tell both players how many watch."""
        self._notify_watchers(count)
        if not self._lost:
            await self._send(self._endpoint.note(NoteKind.WATCHERS, count).frame)

    def _notify_watchers(self, count: int) -> None:
        self._observer.notify("watchers" if count else "watchers_none", count=count)

    def _listen_to_gallery(self) -> None:
        async def recounted(gallery: Gallery) -> Recounted:
            return Recounted(await gallery.recount())

        if self._side.gallery:
            self._events.listen(recounted(self._side.gallery))

    def _restart_idle_timer(self) -> None:
        """Start waiting for the entry that is expected of the peer, if any."""
        expected = self._endpoint.match.expected
        if expected and expected.seat != self._endpoint.seat and not self._endpoint.match.ending:
            self._idle_timer.begin()
        else:
            self._idle_timer.pause()

    def _notify_idle(self, seconds: int) -> None:
        code = "silent_and_away" if self._lost else "silent"
        self._observer.notify(code, name=self.opponent.called, count=seconds // 60)

    async def _send(self, frame: bytes) -> None:
        """Sync the log: nothing is sent before its causes are on disk."""
        self._sync()
        if not self._lost:
            await self._events.link.send(frame)

    def _store(self, entry: bytes) -> None:
        self._due.opening = None
        self._keep().append(entry)
        if self._side.gallery:
            self._side.gallery.append(entry)

    def _keep(self) -> Log:
        """Return the log, created on first use: a handshake without a game leaves none."""
        if self._log is None:
            self._log = self._start_log()
        return self._log

    def _sync(self) -> None:
        if self._log:
            self._log.sync()

    def _ask(self, ask: Ask) -> None:
        """Ask the local player, unless it is still thinking about this very position after a lost connection."""
        if not self._events.asks:
            self._events.ask(self._decider.decide(ask.state, ask.player))

    def _begun(self, first: int, state: State | None = None) -> None:
        session = self._endpoint.match.session
        names = (self._names[first], self._names[1 - first])
        self._observer.begun(session.game, names, self._endpoint.player, state)
        self._events.listen(self._decider.command())
        self._listen_to_gallery()

    def _heard(self, note: Note) -> None:
        match note.kind, note.words:
            case NoteKind.AGAIN, (int(wish),):
                self.wish = wish
            case NoteKind.DECLINE, (str(reason),) if not self._endpoint.entries:
                raise Declined(reason, self.opponent.called)
            case NoteKind.CHAT, (str(text),) if self._shows_more():
                self._observer.notify("chat", name=self.opponent.called, text=text)
            case NoteKind.WATCHERS, (int(count),) if self._shows_more():
                self._notify_watchers(count)
            case NoteKind.CHALLENGE, words if self._shows_more():
                self._challenges.hear(words)

    def _shows_more(self) -> bool:
        """Return whether the peer is within its rate limit; if not, notify the local player once."""
        shows = self._chat_shown.allows()
        if not shows and not self._flooded:
            self._flooded = True
            self._observer.notify("chat_flood", name=self.opponent.called)
        return shows
