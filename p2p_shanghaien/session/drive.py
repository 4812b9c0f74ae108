"""Carries out what a `Peer` wants done: store, send, ask, show (protocol/SPEC.md, sections 5 to 7)."""

from collections.abc import Callable

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Illegal, Malformed, Violation
from p2p_shanghaien.fairplay.handshake import MALFORMED, VIOLATION
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE, Note, NoteKind
from p2p_shanghaien.fairplay.peer import (
    Ask,
    Begun,
    Closed,
    Convicted,
    Effect,
    Finished,
    Heard,
    Peer,
    Send,
    Stepped,
    Store,
)
from p2p_shanghaien.session.mailbox import Answer, Mailbox
from p2p_shanghaien.session.meeting import Side, say_bye
from p2p_shanghaien.session.parts import Link, Log, Opponent


class Driver:
    """Plays one match on one connection, then asks about another."""

    def __init__(
        self,
        peer: Peer,
        link: Link,
        mailbox: Mailbox,
        *,
        side: Side,
        opponent: Opponent,
        start_log: Callable[[], Log],
    ) -> None:
        self.opponent = opponent
        self._peer = peer
        self._link = link
        self._mailbox = mailbox
        self._watcher = side.watcher
        self._decider = side.decider
        self._start_log = start_log
        self._log: Log | None = None
        self._finished = False
        self._wish: int | None = None
        """What the other side has said about another game."""

    async def play(self) -> None:
        """Play the match until both have signed the result.

        Raises ConnectionLost (the log is sound, and ends where the game stopped), Violation (the log ends with the
        evidence), CannotConnect where the other side declines before anything has happened.
        """
        try:
            await self._carry_out(self._peer.begin())
            while not self._finished:
                match await self._mailbox.next():
                    case Answer(action):
                        await self._act(action)
                    case bytes(frame):
                        await self._receive(frame)
        finally:
            await self._mailbox.withdraw()
            if self._log:
                self._log.close()

    async def another(self) -> bool:
        """Whether one side asks for another game and neither is against it. Raises ConnectionLost."""
        ours: int | None = None
        self._mailbox.ask(self._decider.again())
        try:
            while ours is None or self._wish is None:
                match await self._mailbox.next():
                    case Answer(int(wish)):
                        ours = wish
                        await self._link.send(self._peer.note(NoteKind.AGAIN, wish).frame)
                        if ours == NO_MORE:
                            return False
                        if self._wish is None and ours == ONE_MORE:
                            self._watcher.told("asked_again")
                    case bytes(frame):
                        await self._receive(frame)
                        if self._wish == NO_MORE:
                            self._watcher.told("no_more")
                            return False
        finally:
            await self._mailbox.withdraw()
        return max(ours, self._wish) > IF_YOU_LIKE

    async def _act(self, action: str) -> None:
        try:
            effects = self._peer.act(action)
        except Illegal as error:
            self._watcher.told(error.code, **error.details)
            self._ask(Ask(self._peer.match.state, self._peer.player))
            return
        await self._carry_out(effects)

    async def _receive(self, frame: bytes) -> None:
        try:
            effects = self._peer.receive(frame)
        except Malformed as error:
            await say_bye(self._link, MALFORMED)
            raise ConnectionLost("garbage_received", reason=error) from None
        await self._carry_out(effects)

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Store(entry):
                    self._keep().append(entry)
                case Send(frame):
                    self._sync()
                    await self._link.send(frame)
                case Ask():
                    self._sync()
                    self._ask(effect)
                case Begun(first):
                    self._begun(first)
                case Stepped(before, step, after):
                    self._watcher.stepped(before, step, after)
                case Closed(ending):
                    await self._mailbox.withdraw()
                    if ending.seat is not None:
                        self._watcher.told("resigned", name=self._peer.match.session.names[ending.seat])
                case Heard(note):
                    self._heard(note)
                case Finished():
                    self._finished = True
                    host, guest = self._peer.match.session.names
                    self._watcher.told("both_signed", host=host, guest=guest)
                case Convicted(seat, number, offence):
                    self._sync()
                    await say_bye(self._link, VIOLATION)
                    name = self._peer.match.session.names[seat]
                    raise Violation("peer_broke_rules", name=name, number=number, reason=offence)
        self._sync()

    def _keep(self) -> Log:
        """The log, started with the first entry: a meeting that comes to nothing leaves none."""
        if self._log is None:
            self._log = self._start_log()
        return self._log

    def _sync(self) -> None:
        """Nothing is sent or shown before it is on the disk."""
        if self._log:
            self._log.sync()

    def _ask(self, ask: Ask) -> None:
        legal = ask.state.legal(ask.player)
        self._mailbox.ask(self._decider.decide(ask.state, ask.player, legal))

    def _begun(self, first: int) -> None:
        session = self._peer.match.session
        names = (session.names[first], session.names[1 - first])
        self._watcher.begun(session.game, names, self._peer.player)

    def _heard(self, note: Note) -> None:
        match note.kind, note.words:
            case NoteKind.AGAIN, (int(wish),):
                self._wish = wish
            case NoteKind.DECLINE, (str(reason),) if not self._peer.entries:
                raise CannotConnect(f"peer_{reason}", name=self.opponent.name)
            case NoteKind.CHAT, (str(text),):
                self._watcher.told("chat", name=self.opponent.name, text=text)
