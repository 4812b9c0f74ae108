"""Our end of a match: what it takes, makes, stores and sends in each of its phases (protocol/SPEC.md, 5 to 7 and 11).

Frames and decisions go in, effects come out, to be carried out in their order. Nothing here awaits, reads a clock or
makes a random number.
"""

from collections.abc import Sequence

from p2p_shanghaien.errors import FairplayCode, GameCode, Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.contents import (
    DECISIONS,
    Abandonment,
    Action,
    ChoiceContribution,
    Content,
    Resignation,
)
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
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.handshake import HungUp
from p2p_shanghaien.fairplay.hello import Head, Role
from p2p_shanghaien.fairplay.keys import Identity, Tag, tagged_hash
from p2p_shanghaien.fairplay.match import AwaitingResult, ChoiceCommitted, Choosing, Match, Signed
from p2p_shanghaien.fairplay.notes import Note, NoteKind, Notes
from p2p_shanghaien.fairplay.phases import RULES, Act, Phase, Received, Response
from p2p_shanghaien.fairplay.signer import Signer
from p2p_shanghaien.games.api import Value

__all__ = ["Endpoint"]


class Endpoint:
    """A match from the point of view of one seat, ours. `entries` are all that led to `match`, in order.

    `secret` (32 bytes) is the session's; shares and salts are derived from it. Start a new game with `begin`, and
    continue one, also over another connection, with `resume`.
    """

    def __init__(
        self, match: Match, seat: int, identity: Identity, *, secret: bytes, entries: Sequence[Entry] = ()
    ) -> None:
        self.match = match
        self.seat = seat
        self.entries = list(entries)
        self._identity = identity
        self._signer = Signer(seat, identity, secret, match.session.id)
        self._handshake: bytes
        self._notes: Notes
        self._theirs = Head(0, match.session.id)
        self._resignation: Resignation | None = None
        self._offers: dict[int, tuple[int, bytes]] = {}
        """The last offer of each seat: the entry at which it may be accepted, and the signature."""
        self._offer_kept = False
        self._regained = 0
        """The number of our entries that came back from the peer."""
        self._phase = Phase.UNCONNECTED

    @property
    def player(self) -> int:
        """The player at this seat, once the opening draw has determined it."""
        return self.match.player(self.seat)

    @property
    def head(self) -> Head:
        """The head of our log."""
        return Head(len(self.entries), self.match.head)

    @property
    def phase(self) -> Phase:
        """The phase of our program; without a connection, that of the last one."""
        return self._phase

    @property
    def decides(self) -> bool:
        """True where the next entry is a decision of our player, as far as we know all that came before."""
        return self._decides(self.seat)

    @property
    def has_resigned(self) -> bool:
        """True if we have resigned, and no entry says so yet."""
        return self._resignation is not None and self._resignation[0] == self.seat and not self.match.ending

    @property
    def awaits_program(self) -> bool:
        """Return whether an entry is expected that the peer's program makes without its user."""
        match self.phase:
            case Phase.FINISHED | Phase.VIOLATION | Phase.OUR_TURN:
                return False
            case Phase.THEIR_TURN:
                return not self._decides(1 - self.seat)
        return True

    def begin(self, handshake: bytes, notes: Notes) -> list[Effect]:
        """Play a new game, agreed on over the connection with this handshake hash: make the entries expected of us."""
        self._handshake, self._notes = handshake, notes
        self._phase = self._reached()
        return self._go_on()

    def resume(self, handshake: bytes, notes: Notes, theirs: Head) -> list[Effect]:
        """Continue over another connection, whose handshake has proved that the head of the peer's log is `theirs`.

        The seat that is ahead sends the missing entries, unchanged. Nothing new is signed before we have all that the
        peer has (SPEC 11.2). The claims of an earlier handshake no longer count.
        """
        if self.phase is Phase.VIOLATION:
            return []
        self._handshake, self._notes, self._theirs = handshake, notes, theirs
        if theirs.length <= len(self.entries) and self.match.hashes[theirs.length] != theirs.digest:
            return self._part()
        if self.phase is not Phase.FINISHED:
            self._phase = self._reached()
        if self.phase is Phase.CATCHING_UP:
            return []
        effects = [*self._resent(theirs.length), *self._told_regained()]
        if self.match.expected is None and theirs.length == len(self.entries):
            effects += self._finish()
        return effects + self._said_again() + self._go_on()

    def receive(self, frame: bytes) -> list[Effect]:
        """Take a frame from the peer.

        Raises Malformed if it proves nothing (drop the connection; the game can be resumed), ConnectionLost if the peer
        says that it leaves.
        """
        if self.phase is Phase.VIOLATION:
            return []
        match decode(frame, MAX_FRAME):
            case _ if self.phase is Phase.UNCONNECTED:
                pass
            case ("entry", bytes(data)):
                return self._take(parse(data))
            case ("note", *_) as message:
                return self._take_note(self._notes.read(message))
            case ("bye", str(reason)):
                raise HungUp(reason)
        raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected="entry")

    def refusal(self, deed: Act, action: str = "") -> Illegal | None:
        """Return why our player may not decide (for `action`), offer or accept now; None where they may."""
        match deed:
            case Act.DECIDE if not self.decides:
                return Illegal(FairplayCode.NOT_YOUR_TURN)
            case Act.DECIDE if action not in self.match.state.legal(self.player):
                return Illegal(GameCode.ILLEGAL_ACTION, action=action)
            case Act.OFFER if self.match.ending or not self._may(deed):
                return Illegal(FairplayCode.ALREADY_ENDED)
            case Act.OFFER if self._offer_kept or self._stands(self.seat):
                return Illegal(FairplayCode.OFFERED_ALREADY)
            case Act.ACCEPT if not (self.decides and self._stands(1 - self.seat)):
                return Illegal(FairplayCode.NO_OFFER)
        return None

    def act(self, action: str) -> list[Effect]:
        """Our player's decision. Raises Illegal, and nothing has happened, where there is a `refusal`."""
        self._check(Act.DECIDE, action)
        content: Content
        match self.match.stage:
            case Choosing():
                content = self._signer.hidden(self.match, self._handshake, action)
            case ChoiceCommitted():
                content = ChoiceContribution(action)
            case _:
                content = Action(action)
        return [*self._say(content), *self._go_on()]

    def note(self, kind: NoteKind, *words: Value) -> Send:
        """Return the effect that sends a note."""
        return Send(self._notes.write(kind, *words))

    def resign(self) -> list[Effect]:
        """Resign by a certificate, which the seat whose entry is expected embeds in it, ours or the peer's."""
        if self.match.ending or not self._may(Act.RESIGN):
            return []
        head = self.match.head
        signature = self._identity.sign(tagged_hash(Tag.RESIGNATION, self.match.session.id, self.seat, head))
        # kept even so: an entry that crosses our note makes it our turn
        self._resignation = Resignation(self.seat, head, signature)
        if self._may(Act.SIGN):
            return self._go_on()
        return [] if self.phase is Phase.UNCONNECTED else [self.note(NoteKind.RESIGN, head, signature)]

    def offer(self) -> list[Effect]:
        """Offer to abandon the game by consent, with the peer's next decision; keep the offer until that is expected.

        Raises Illegal if there is a `refusal`: the match has ended, or an offer of ours is made or kept already.
        """
        self._check(Act.OFFER)
        self._offer_kept = True
        return self._kept_offer()

    def accept(self) -> list[Effect]:
        """Accept the peer's offer. Raises Illegal where there is a `refusal`: none stands."""
        self._check(Act.ACCEPT)
        _, signature = self._offers[1 - self.seat]
        return [*self._say(Abandonment(signature)), *self._go_on()]

    def _check(self, deed: Act, action: str = "") -> None:
        """Raise what `refusal` returns, if anything."""
        if refusal := self.refusal(deed, action):
            raise refusal

    def _stands(self, seat: int) -> bool:
        """Return whether an offer of `seat` names the entry that is expected now."""
        return seat in self._offers and self._offers[seat][0] == self.match.number

    def _kept_offer(self) -> list[Effect]:
        """Make the kept offer, if the peer has to decide now."""
        if not (self._offer_kept and self._decides(1 - self.seat)):
            return []
        self._offer_kept, number = False, self.match.number
        digest = tagged_hash(Tag.OFFER, self.match.session.id, self.seat, number)
        self._offers[self.seat] = number, self._identity.sign(digest)
        return [self.note(NoteKind.OFFER, *self._offers[self.seat]), Offered(self.seat)]

    def _decides(self, seat: int) -> bool:
        """Return whether the next entry is a decision of `seat`, as far as we know all entries before it."""
        turn = Phase.OUR_TURN if seat == self.seat else Phase.THEIR_TURN
        return self.phase is turn and (expected := self.match.expected) is not None and expected.kind in DECISIONS

    def _may(self, deed: Act) -> bool:
        return deed in RULES[self.phase].does

    def _takes(self, received: Received) -> bool:
        return RULES[self.phase].receives[received] is Response.TAKE

    def _enter(self, phase: Phase) -> None:
        """Enter the phase to which the table lets an entry, or a `here`, lead."""
        assert phase is self.phase or phase in RULES[self.phase].leads_to, f"from {self.phase} to {phase}"
        self._phase = phase

    def _reached(self) -> Phase:
        """Return the phase that our entries have led to, on a connection on which the chains agree."""
        if len(self.entries) < self._theirs.length:
            return Phase.CATCHING_UP
        match self.match.stage:
            case Signed():
                return Phase.SIGNED
            case AwaitingResult():
                return Phase.CLOSING
            case stage:
                return Phase.OUR_TURN if stage.seat == self.seat else Phase.THEIR_TURN

    def _go_on(self) -> list[Effect]:
        """Make all entries of ours that need no user; ask for a decision that does."""
        effects: list[Effect] = []
        while self._may(Act.SIGN) and (expected := self.match.expected) and expected.seat == self.seat:
            if self._resignation and not self.match.ending:
                effects += self._say(self._resignation)
            elif expected.kind in DECISIONS:
                if self._stands(1 - self.seat):
                    effects.append(Offered(1 - self.seat))
                effects.append(Ask(self.match.state, self.player))
                break
            else:
                effects += self._say(self._signer.content(self.match, self._handshake, self.entries))
        return effects + self._kept_offer()

    def _say(self, content: Content) -> list[Effect]:
        """Sign an entry, store it, then send it."""
        entry, after = self._signer.entry(self.match, self._handshake, content)
        effects: list[Effect] = [Store(entry.data), Send(encode(("entry", entry.data)))]
        return effects + self._move(entry, after)

    def _take(self, entry: Entry) -> list[Effect]:
        """Take an entry from the peer: known already, next in the chain, a violation, or out of place."""
        if entry.number < len(self.entries):
            return self._compare(entry, self.entries[entry.number])
        self.match.check_place(entry)
        # the entries that the peer has proved may be of an older connection, and may be ours: we can have lost them
        if entry.number >= self._theirs.length:
            if entry.seat == self.seat:
                raise Malformed(FairplayCode.OWN_ENTRY, number=entry.number)
            if entry.handshake != self._handshake:
                raise Malformed(FairplayCode.OTHER_HANDSHAKE, number=entry.number)
        if not self._takes(Received.NEXT):
            # our chains differ, and the entry in which they do must come first
            raise Malformed(FairplayCode.HEAD_NOT_REACHED, number=entry.number)
        try:
            after = self.match.append(entry)
        except Illegal as violation:
            return self._prove_violation(entry, violation)
        # before anything changes: a refused entry must neither be known nor stored
        self._check_arrival(entry)
        self._regained += entry.seat == self.seat
        effects: list[Effect] = [Store(entry.data), *self._move(entry, after)]
        if len(self.entries) == self._theirs.length:
            effects += self._told_regained() + self._said_again()
        if self.phase is Phase.SIGNED:
            effects += self._finish()
        return effects + self._go_on()

    def _check_arrival(self, entry: Entry) -> None:
        """Check that the last entry that the peer has proved to have has the hash that it named. Raises Malformed."""
        if entry.number == self._theirs.length - 1 and entry.hash != self._theirs.digest:
            raise Malformed(FairplayCode.HEAD_NOT_REACHED, number=entry.number)

    def _told_regained(self) -> list[Effect]:
        count, self._regained = self._regained, 0
        return [Regained(count)] if count else []

    def _said_again(self) -> list[Effect]:
        """Return the notes of ours that still stand, for a connection on which they have not been sent."""
        effects: list[Effect] = []
        if self._resignation and self.has_resigned and self.phase is not Phase.OUR_TURN:
            effects.append(self.note(NoteKind.RESIGN, *self._resignation[1:]))
        if self._stands(self.seat) and not self.match.ending:
            effects.append(self.note(NoteKind.OFFER, *self._offers[self.seat]))
        return effects

    def _finish(self) -> list[Effect]:
        """Say that we have the whole chain, since the peer may wait for it."""
        here = self.note(NoteKind.HERE, *self.head)
        return [here, *self._finished_once()]

    def _finished_once(self) -> list[Effect]:
        if self.phase is Phase.FINISHED:
            return []
        self._enter(Phase.FINISHED)
        return [Finished()]

    def _resent(self, start: int) -> list[Effect]:
        """Return the effects that send our stored entries from number `start` on, unchanged."""
        return [Send(encode(("entry", entry.data))) for entry in self.entries[start:]]

    def _part(self) -> list[Effect]:
        """Send all our entries: the chains differ before the shorter one's end, and both will see where."""
        self._phase = Phase.PARTED
        return self._resent(0)

    def _compare(self, entry: Entry, known: Entry) -> list[Effect]:
        """Take an entry whose number is taken: the same again, or the other half of a fork."""
        if entry.hash == known.hash:
            if self.phase is Phase.PARTED:
                self._check_arrival(entry)
            return []
        # of the entries that the peer has proved, even one of ours can be new: we can have lost it and continued
        redelivered = entry.number < self._theirs.length
        if (entry.seat != self.seat or redelivered) and self.match.is_fork(entry, known):
            shown = self._part() if redelivered and self.phase is not Phase.PARTED else []
            return [*shown, *self._prove_violation(entry, Illegal(FairplayCode.FORK, number=entry.number))]
        raise Malformed(FairplayCode.WRONG_NUMBER, number=entry.number, expected=self.match.number)

    def _prove_violation(self, entry: Entry, violation: Illegal) -> list[Effect]:
        self._enter(Phase.VIOLATION)
        return [Store(entry.data), ViolationProved(entry.seat, entry.number, violation)]

    def _move(self, entry: Entry, after: Match) -> list[Effect]:
        """Take `entry` into the chain and report what it changed."""
        before, self.match = self.match, after
        self.entries.append(entry)
        self._enter(self._reached())
        effects: list[Effect] = []
        if before.first is None and after.first is not None:
            effects.append(Begun(after.first))
        if isinstance(after.stage, ChoiceCommitted):
            effects.append(ChoiceMade(entry.seat))
        if drew := Drew.of(before, entry):
            effects.append(drew)
        if after.step is not None:
            effects.append(Stepped(before.state, after.step, after.state))
        if after.ending is None:
            effects += [Lapsed(seat) for seat, (number, _) in self._offers.items() if number == before.number]
        elif before.ending is None:
            effects.append(Closed(after.ending))
        return effects

    def _take_note(self, note: Note) -> list[Effect]:
        match note.kind, note.words:
            case NoteKind.HERE, (int(length), bytes(head)):
                said = self._takes(Received.HERE) and (length, head) == self.head
                return self._finished_once() if said else []
            case NoteKind.RESIGN, (bytes(head), bytes(signature)):
                return self._accept_resignation(head, signature)
            case NoteKind.OFFER, (int(number), bytes(signature)):
                return self._hear_offer(number, signature)
            case NoteKind.WATCHERS, _ if self.seat == Role.HOST or not self.match.session.watchable:
                raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected="another note")
        return [Heard(note)]

    def _hear_offer(self, number: int, signature: bytes) -> list[Effect]:
        seat = 1 - self.seat
        if not self.match.signed_by(seat, tagged_hash(Tag.OFFER, self.match.session.id, seat, number), signature):
            raise Malformed(FairplayCode.FALSE_OFFER)
        repeated = seat in self._offers and self._offers[seat][0] >= number  # over another connection
        if repeated or not self._takes(Received.OFFER):
            return []
        self._offers[seat] = number, signature
        if number < self.match.number and not self.match.ending:
            return [Lapsed(seat)]
        return [Offered(seat)] if self._stands(seat) and self._decides(self.seat) else []

    def _accept_resignation(self, head: bytes, signature: bytes) -> list[Effect]:
        seat = 1 - self.seat
        digest = tagged_hash(Tag.RESIGNATION, self.match.session.id, seat, head)
        if head not in self.match.hashes or not self.match.signed_by(seat, digest, signature):
            raise Malformed(FairplayCode.FALSE_RESIGNATION)
        if not self._takes(Received.RESIGN):
            return []
        self._resignation = Resignation(seat, head, signature)
        return self._go_on()
