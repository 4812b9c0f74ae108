"""Carries out what a `Peer` wants done, over as many connections as it takes (protocol/SPEC.md, 5 to 7 and 11)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Malformed, SessionCode, Violation
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.effects import (
    Ask,
    Begun,
    Closed,
    Convicted,
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
)
from p2p_shanghaien.fairplay.handshake import MAX_FRAME, Bye, HungUp
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.match import ABANDONED
from p2p_shanghaien.fairplay.notes import Note, NoteKind, Notes
from p2p_shanghaien.fairplay.peer import Peer
from p2p_shanghaien.fairplay.phases import Deed, Phase
from p2p_shanghaien.games.api import State
from p2p_shanghaien.session.deadlines import Due
from p2p_shanghaien.session.mailbox import Answer, Mailbox, Said
from p2p_shanghaien.session.meeting import Side, declined, say_bye
from p2p_shanghaien.session.pace import Pace
from p2p_shanghaien.session.participant import Accept, Offer, Remark, Resign, Say
from p2p_shanghaien.session.parts import Connected, Gate, Log, Opponent
from p2p_shanghaien.session.silence import Silence

CHAT_SENT: Final = 10, 1.0
CHAT_HEARD: Final = 60, 2.0
"""Lines of chat at once, and each further second, that we send and that we show: what a network delays comes in a heap,
so more are shown than a program sends (SPEC 7.4)."""

IDLE: Final = 300, 30.0
"""Frames at once, and each further second, that bring the game no further and are read without delay."""
BRAKE: Final = 0.002
"""Seconds for which nothing is read after one more of them: a flood then costs little of a processor."""

FINAL: Final = (Bye.VIOLATION, Bye.OTHER_SESSION)
"""Reasons of the peer for hanging up after which there is nothing to go on with."""

BEFORE_A_GAME: Final = (Bye.BUSY, Bye.LEAVING, Bye.MALFORMED, Bye.TIMEOUT)
"""The same, while nothing has been signed yet."""


class NotConnected(ConnectionLost):
    """There has been no connection yet since the game was taken up again."""

    def __init__(self) -> None:
        super().__init__(SessionCode.NOT_CONNECTED)


class Driver:
    """Plays one match with one opponent, then asks about another."""

    def __init__(
        self,
        peer: Peer,
        mailbox: Mailbox,
        gate: Gate,
        *,
        side: Side,
        opponent: Opponent,
        start_log: Callable[[], Log],
    ) -> None:
        self.opponent = opponent
        self._side = side
        self._peer = peer
        self._mailbox = mailbox
        self._gate = gate
        self._watcher = side.watcher
        self._decider = side.decider
        self._start_log = start_log
        self._log: Log | None = None
        self._over = False
        self._lost: ConnectionLost | None = None
        """Why there is no connection, while there is none."""
        self.wish: int | None = None
        """What the peer has said to another game."""
        self._silence = Silence(self._tell_silence, side.later)
        self._due = Due(side.deadlines.program)
        self._said = Pace(*CHAT_SENT, side.clock)
        self._shown = Pace(*CHAT_HEARD, side.clock)
        self._idle = Pace(*IDLE, side.clock)
        self._flooded = False
        """Whether our side knows that not all of what the peer says is shown."""

    @property
    def lost(self) -> ConnectionLost | None:
        """Why there is no connection, while there is none."""
        return self._lost

    @property
    def _names(self) -> tuple[str, str]:
        """What the players are called here, by seat."""
        ours, theirs = self._peer.match.session.names[self._peer.seat], self.opponent.called
        return (ours, theirs) if self._peer.seat == Role.HOST else (theirs, ours)

    async def play(self, handshake: bytes, notes: Notes, *, again: bool = False) -> None:
        """Play a new match until both have signed the result, whatever happens to the connection.

        `again` is for a further game with the same peer, to which its person has agreed already.

        Raises ConnectionLost where the other side stays away for longer than our side wants to wait (the log is
        sound, and ends where the game stopped), Violation (the log ends with the evidence), CannotConnect where the
        other side declines before anything has happened (nothing is kept then).
        """
        agreement: list[Effect] = []
        if self._peer.seat == Role.GUEST:
            # whoever has agreed has a log to come back with, whatever the host has signed by then (SPEC 4.10)
            self._keep()
            agreement.append(Send(notes.write(NoteKind.AGREE)))
            deadlines = self._side.deadlines
            self._due.opening = deadlines.handshake if again else deadlines.person
            if not again:
                self._mailbox.ask(self._decider.stop_waiting("wait_for_host", name=self.opponent.called))
        await self._to_the_end(agreement + self._peer.begin(handshake, notes))

    async def resume(self) -> None:
        """Go on with a match that has been kept, once the opponent is there. Raises as `play`."""
        self._log = self._start_log()
        if self._peer.match.first is not None:
            self._begun(self._peer.match.first, self._peer.match.state)
        if self._peer.has_resigned:
            self._watcher.told("resignation_kept", name=self.opponent.called)
        self._lost = NotConnected()
        await self._to_the_end([])

    async def _to_the_end(self, effects: list[Effect]) -> None:
        try:
            await self._carry_out(effects)
            self._mind_silence()
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
            self._silence.end()
            await self._mailbox.withdraw()
            await self._mailbox.stop_listening()

    def close(self) -> None:
        """Let go of the log. Until then every effect of a frame can be carried out."""
        if self._log:
            self._log.close()

    async def say_again(self, wish: int) -> None:
        """Tell the peer what our side says to another game. Raises ConnectionLost."""
        await self._mailbox.link.send(self._peer.note(NoteKind.AGAIN, wish).frame)

    async def receive(self, frame: bytes) -> None:
        """Do what follows from a frame. Raises ConnectionLost where it is garbage, and Violation."""
        try:
            effects = self._peer.receive(frame)
            await self._carry_out(effects)
        except Malformed as error:
            await say_bye(self._mailbox.link, Bye.MALFORMED)
            raise ConnectionLost(SessionCode.GARBAGE_RECEIVED, reason=error) from None
        if not any(isinstance(effect, Store) for effect in effects) and not self._idle.allows():
            await asyncio.sleep(BRAKE)

    async def takes_late(self, frame: bytes) -> bool:
        """Receive `frame` if it is an entry: once the match is over, one can still prove a violation. As `receive`."""
        with suppress(Malformed):  # a preface is no frame of a match
            match decode(frame, MAX_FRAME):
                case ("entry", bytes()):
                    await self.receive(frame)
                    return True
        return False

    async def _hear(self) -> None:
        """Deal with the next frame, or with what our side decides or says."""
        try:
            async with asyncio.timeout_at(self._due.at(self._peer)):
                came = await self._mailbox.next()
        except TimeoutError:
            await self._give_up_waiting()
            return
        except ConnectionLost as lost:
            self._lost = lost
            return
        try:
            match came:
                case Answer() if self._peer.match.first is None:
                    if self._due.opening is not None:
                        raise CannotConnect(SessionCode.STOPPED_WAITING, name=self.opponent.called)
                case Answer(action):
                    await self._act(action)
                    self._mind_silence()
                case Said(remark):
                    await self._heed(remark)
                case bytes(frame):
                    await self.receive(frame)
                    self._mind_silence()
        except ConnectionLost as lost:
            self._lost = lost

    async def _give_up_waiting(self) -> None:
        """Do without what was due: before the game leave it, after its end stop, else find the peer again."""
        await say_bye(self._mailbox.link, Bye.TIMEOUT)
        if self._due.opening is not None:
            raise CannotConnect(SessionCode.HOST_UNDECIDED, name=self.opponent.called)
        self._lost = ConnectionLost(SessionCode.PROGRAM_SILENT, name=self.opponent.called)
        self._over = self._peer.match.owed is None

    async def _recover(self, lost: ConnectionLost) -> None:
        """Wait for the opponent's next connection, and bring both logs to the same length over it."""
        await self._mailbox.hang_up()
        if isinstance(lost, HungUp):
            if not self._peer.entries and lost.reason in BEFORE_A_GAME:
                raise CannotConnect(lost.code, **lost.details)
            if lost.reason in FINAL:
                raise lost
        if isinstance(lost, NotConnected):
            self._watcher.told("opponent_awaited", name=self.opponent.called)
        else:
            self._watcher.told("interrupted_game", name=self.opponent.called, reason=lost)
        signed = self._peer.match.owed is None
        limits = (self._side.patience, self._side.last_word if signed else None)
        try:
            async with asyncio.timeout(min((limit for limit in limits if limit is not None), default=None)):
                link, established = await self._met_again()
        except (TimeoutError, CannotConnect) as error:
            if signed:
                # our log is whole; the other side has it too, and has left, or can ask for it another time
                self._over = True
                return
            if isinstance(error, CannotConnect):
                if not self._peer.entries:
                    raise CannotConnect(SessionCode.NEVER_BEGUN, name=self.opponent.called) from None
                raise ConnectionLost(error.code, **error.details) from None
            raise lost from None
        self._lost = None
        await self._mailbox.switch(link)
        if self._log:
            self._log.met(established)
        handshake = established.meeting.handshake
        notes = Notes(self._side.identity, self._peer.seat, handshake, self.opponent.key)
        effects = self._peer.resume(handshake, notes, established.theirs)
        self._watcher.told(
            "chains_differ" if self._peer.phase is Phase.PARTED else "reconnected", name=self.opponent.called
        )
        self._due.restart()
        await self._carry_out(effects)
        self._mind_silence()

    async def _met_again(self) -> Connected:
        """The opponent, over its next connection.

        While it is waited for, our side can say something, and sign it. From our proof on nothing else happens until
        the game goes on, or that connection has come to nothing: so the position that was proved stays true (SPEC
        11.1).
        """
        while True:
            await self._mailbox.meanwhile(self._gate.again(), self._heed)
            if connected := await self._gate.prove(self._peer.position):
                return connected

    async def _act(self, action: str) -> None:
        if not self._is_refused(Deed.DECIDE, action):
            await self._carry_out(self._peer.act(action))
        elif self._peer.decides:  # else the peer asks as soon as it is our turn
            self._ask(Ask(self._peer.match.state, self._peer.player))

    def _is_refused(self, deed: Deed, action: str = "") -> bool:
        """Tell our side why it may not do this now, where it may not."""
        refusal = self._peer.refusal(deed, action)
        if refusal:
            self._watcher.told(refusal.code, **refusal.details)
        return refusal is not None

    async def _carry_out(self, effects: list[Effect]) -> None:
        """Do it all, in order. A send that fails is made up for by the next connection."""
        for effect in effects:
            match effect:
                case Store(entry):
                    self._due.opening = None
                    self._keep().append(entry)
                case Send(frame):
                    await self._send(frame)
                case Ask():
                    self._sync()
                    self._ask(effect)
                case Begun(first):
                    await self._mailbox.withdraw()  # the host is no longer waited for
                    self._begun(first)
                case Drew(seat=seat):
                    self._watcher.drew(effect, seat == self._peer.seat)
                case Stepped(before, step, after):
                    self._watcher.stepped(before, step, after)
                case Closed(ending):
                    await self._mailbox.withdraw()
                    if ending.seat is not None:
                        self._watcher.told(
                            "resigned", name=self._names[ending.seat], other=self._names[1 - ending.seat]
                        )
                    elif ending.reason == ABANDONED:
                        self._watcher.told("abandoned")
                case Heard(note):
                    self._heard(note)
                case Offered(seat):
                    self._watcher.told(
                        "offer_made" if seat == self._peer.seat else "offered", name=self.opponent.called
                    )
                case Lapsed(seat) if seat == self._peer.seat or self._shows_more():
                    code = "own_offer_lapsed" if seat == self._peer.seat else "offer_lapsed"
                    self._watcher.told(code, name=self.opponent.called)
                case Regained(count):
                    self._watcher.told("own_entries_regained", name=self.opponent.called, count=count)
                case Finished():
                    self._over = True
                    self._keep().delivered()
                    host, guest = self._names
                    self._watcher.told("both_signed", host=host, guest=guest)
                case Convicted(seat, number, offence):
                    self._sync()
                    await say_bye(self._mailbox.link, Bye.VIOLATION)
                    ours = seat == self._peer.seat
                    broken = SessionCode.WE_BROKE_RULES if ours else SessionCode.PEER_BROKE_RULES
                    raise Violation(broken, name=self.opponent.called, number=number, reason=offence)
        self._sync()

    async def _heed(self, remark: Remark) -> None:
        """Do what our side says besides deciding, and listen for more."""
        name = self.opponent.called
        match remark:
            case Say() if self._lost:
                self._watcher.told("not_said", name=name)
            case Say() if not self._said.allows():
                self._watcher.told("chat_too_fast")
            case Say(text):
                await self._send(self._peer.note(NoteKind.CHAT, text).frame)
                self._watcher.told("chat", name=self._names[self._peer.seat], text=text)
            case Resign():
                effects = self._peer.resign()
                if self._peer.has_resigned:
                    self._keep().resigned()
                    if self._lost:
                        self._watcher.told("resignation_kept", name=name)
                await self._carry_out(effects)
            case Offer():
                if not self._is_refused(Deed.OFFER):
                    effects = self._peer.offer()
                    if not effects:
                        self._watcher.told("offer_kept", name=name)
                    await self._carry_out(effects)
            case Accept():
                if not self._is_refused(Deed.ACCEPT):
                    await self._carry_out(self._peer.accept())
        self._mailbox.listen(self._decider.remark())

    def _mind_silence(self) -> None:
        """Begin to wait for what the other side owes, if anything."""
        owed = self._peer.match.owed
        if owed and owed.seat != self._peer.seat and not self._peer.match.ending:
            self._silence.begin()
        else:
            self._silence.end()

    def _tell_silence(self, seconds: int) -> None:
        code = "silent_and_away" if self._lost else "silent"
        self._watcher.told(code, name=self.opponent.called, count=seconds // 60)

    async def _send(self, frame: bytes) -> None:
        """Nothing is sent before what it follows from is on the disk."""
        self._sync()
        if self._lost:
            return
        try:
            await self._mailbox.link.send(frame)
        except ConnectionLost as lost:
            self._lost = lost

    def _keep(self) -> Log:
        """The log, started when it is needed: a meeting that comes to nothing leaves none."""
        if self._log is None:
            self._log = self._start_log()
        return self._log

    def _sync(self) -> None:
        if self._log:
            self._log.sync()

    def _ask(self, ask: Ask) -> None:
        """Ask our side, unless it is thinking about this very position since before the connection was lost."""
        if not self._mailbox.asks:
            self._mailbox.ask(self._decider.decide(ask.state, ask.player, ask.state.legal(ask.player)))

    def _begun(self, first: int, state: State | None = None) -> None:
        session = self._peer.match.session
        names = (self._names[first], self._names[1 - first])
        self._watcher.begun(session.game, names, self._peer.player, state)
        self._mailbox.listen(self._decider.remark())

    def _heard(self, note: Note) -> None:
        match note.kind, note.words:
            case NoteKind.AGAIN, (int(wish),):
                self.wish = wish
            case NoteKind.DECLINE, (str(reason),) if not self._peer.entries:
                raise declined(reason, self.opponent.called)
            case NoteKind.CHAT, (str(text),) if self._shows_more():
                self._watcher.told("chat", name=self.opponent.called, text=text)

    def _shows_more(self) -> bool:
        """Return whether the peer has not said too much by now; where it has, our side is told so once."""
        shows = self._shown.allows()
        if not shows and not self._flooded:
            self._flooded = True
            self._watcher.told("chat_flood", name=self.opponent.called)
        return shows
