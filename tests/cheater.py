"""A peer that breaks rules: it plays by them until it has something to gain, then signs what it likes.

It is an honest seat of a `Pair` whose frames are caught on the wire: what its program wanted to send is taken off, and
something else is delivered in its place.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.effects import Effect, Send, Store, ViolationProved
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Envelope, parse, sign
from p2p_shanghaien.fairplay.keys import Identity, Tag, tagged_hash
from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.games.api import Game, Value
from tests.pair import GAMES, Pair, Side, make_pair


def entry_frame(data: bytes) -> bytes:
    """Return the frame that carries an entry's bytes."""
    return encode(("entry", data))


def entry_in(frame: bytes) -> Entry | None:
    """Return the entry in a frame, or None for a frame of another kind."""
    match decode(frame, MAX_FRAME):
        case ("entry", bytes(data)):
            return parse(data)
    return None


def words(entry: Entry) -> tuple[Any, ...]:
    """Return an entry's content."""
    content = decode(entry.content, MAX_ENTRY)
    assert isinstance(content, tuple)
    return content


def forged(identity: Identity, entry: Entry, *content: Value, **changes: Any) -> bytes:
    """`entry` with other content, or with other fields, signed by `identity`."""
    if content:
        changes["content"] = encode(content)
    return sign(identity, Envelope(*entry[:8])._replace(**changes)).data


def with_signature(entry: Entry, signature: bytes) -> bytes:
    """`entry` under another signature."""
    envelope, _ = decode(entry.data, MAX_ENTRY)  # type: ignore[misc,str-unpack]
    return encode((envelope, signature))


def certificate(identity: Identity, session: bytes, seat: int, head: bytes) -> bytes:
    """Return a resignation's signature."""
    return identity.sign(tagged_hash(Tag.RESIGNATION, session, seat, head))


def offer(identity: Identity, session: bytes, seat: int, number: int) -> bytes:
    """Return the signature of an offer to abandon the game at entry `number`."""
    return identity.sign(tagged_hash(Tag.OFFER, session, seat, number))


@dataclass
class Table:
    """A cheater at `seat`, when its next entry is expected; `due` is the one that its program made."""

    pair: Pair
    seat: int
    due: Entry

    @property
    def victim(self) -> Side:
        """The honest side."""
        return self.pair.sides[1 - self.seat]

    @property
    def own(self) -> Identity:
        """The cheater's key."""
        return self.pair.identities[self.seat]

    @property
    def other(self) -> Identity:
        """The honest side's key, which a cheater does not have: tests make with it what the honest side once made."""
        return self.pair.identities[1 - self.seat]

    @property
    def session(self) -> bytes:
        return self.due.session

    @property
    def entries(self) -> list[Entry]:
        """Return the entries that both have, without the expected one."""
        return self.victim.endpoint.entries

    def forged(self, *content: Value, **changes: Any) -> bytes:
        """Return the entry that is due with other content or fields, signed by the cheater."""
        return forged(self.own, self.due, *content, **changes)

    def next(self, kind: str, *content: Value, **changes: Any) -> bytes:
        """Return an entry by the cheater that fits the place where the honest side's chain now stands."""
        match = self.victim.endpoint.match
        place = {"number": match.number, "parent": match.head, "state": match.state_hash}
        return self.forged(kind=kind, content=encode(content), **(place | changes))

    def deliver(self, frame: bytes) -> list[Effect]:
        """Give the honest side a frame; what it does in return."""
        effects = self.victim.endpoint.receive(frame)
        self.pair.carry_out(1 - self.seat, effects)
        return effects

    def go_on(self, rng: random.Random) -> None:
        """Deliver the entry that was due after all, and play to the end."""
        self.deliver(entry_frame(self.due.data))
        self.pair.play(rng)

    def verdict(self) -> Report:
        """Return what a third party says of the honest side's log."""
        return verify(self.victim.log, GAMES)


def caught(
    kind: str,
    seat: int,
    *,
    game: Game[Any] | None = None,
    seed: object = 0,
    when: Callable[[Pair, Entry], bool] = lambda pair, entry: True,
) -> Table:
    """Play until `seat` has sent an entry of `kind` for which `when` holds, and take it off the wire.

    Games are played, seed after seed, until there is one.
    """
    for attempt in range(1000):
        rng = random.Random(f"{seed} {attempt}")
        pair = make_pair(rng, game)
        if table := catch(pair, kind, seat, rng, when):
            return table
    raise AssertionError(f"no {kind} by seat {seat} in a thousand games")


def catch(
    pair: Pair,
    kind: str,
    seat: int,
    rng: random.Random,
    when: Callable[[Pair, Entry], bool] = lambda pair, entry: True,
) -> Table | None:
    """Play on until `seat` has sent such an entry, or (None) to the end of the game."""
    victim = 1 - seat
    while True:
        if pair.wires[victim]:
            entry = entry_in(pair.wires[victim][0])
            if entry and entry.kind == kind and when(pair, entry):
                pair.wires[victim].popleft()
                return Table(pair, seat, entry)
            pair.hand_over(victim)
        elif pair.wires[seat]:
            pair.hand_over(seat)
        else:
            asked = [each for each in (0, 1) if pair.sides[each].asked]
            if not asked:
                return None
            pair.act_at_random(asked[0], rng)


def check_proved(table: Table, data: bytes, code: str, *, number: int | None = None) -> None:
    """Check that the honest peer proves the violation `code` at once, and that its log proves it to anybody."""
    victim, honest_log = table.victim, table.victim.log
    before = verify(honest_log, GAMES)
    assert before.verdict != Verdict.VIOLATION
    match, entries = victim.endpoint.match, list(victim.endpoint.entries)
    number = table.due.number if number is None else number
    effects = table.deliver(entry_frame(data))

    assert effects[0] == Store(data)
    assert [type(effect) for effect in effects] == [Store, ViolationProved], "nothing more is said to a cheater"
    proved = effects[1]
    assert isinstance(proved, ViolationProved)
    assert (proved.seat, proved.number, proved.violation.code) == (table.seat, number, code)
    assert victim.log == honest_log + length_prefixed(data)

    report = table.verdict()
    assert (report.verdict, report.violator, report.number) == (Verdict.VIOLATION, table.seat, number)
    assert isinstance(report.error, Illegal)
    assert report.error.code == code
    assert report.exit_code == 6
    assert (report.match, report.steps) == (before.match, before.steps), "the game as far as it is sound"

    check_silent(table)
    assert victim.endpoint.match == match
    assert victim.endpoint.entries == entries


def check_silent(table: Table) -> None:
    """Check that the honest peer neither takes nor sends anything after a violation."""
    victim, log = table.victim, table.victim.log
    for frame in (entry_frame(table.due.data), entry_frame(victim.log[-300:]), b"anything"):
        assert table.deliver(frame) == []
    assert victim.endpoint.resume(*table.pair.connection(1 - table.seat), victim.endpoint.head) == []
    assert victim.endpoint.resign() == []
    legal = victim.endpoint.match.state.legal(victim.endpoint.player)
    for action in (*legal, "roll"):
        with pytest.raises(Illegal, match="not_your_turn"):
            victim.endpoint.act(action)
    assert victim.log == log


def check_dropped(table: Table, frame: bytes, *codes: str) -> None:
    """The honest side takes `frame` for garbage that proves nothing, and its log and position are unharmed."""
    victim = table.victim
    log, match, entries = victim.log, victim.endpoint.match, list(victim.endpoint.entries)
    with pytest.raises(Malformed) as caught_:
        table.deliver(frame)
    assert not codes or caught_.value.code in codes, caught_.value
    assert (victim.log, victim.endpoint.match, victim.endpoint.entries) == (log, match, entries)


def check_unharmed(table: Table) -> None:
    """The honest log is sound, and the game can go on to its end as if nothing had happened."""
    before = table.verdict()
    assert before.verdict in (Verdict.INCOMPLETE, Verdict.DECIDED)
    assert table.seat in before.awaited
    assert before.match == table.victim.endpoint.match
    table.go_on(random.Random(0))
    assert table.verdict().verdict == Verdict.COMPLETE


def check_proves_nothing(table: Table, data: bytes) -> None:
    """Check that a dropped entry proves no violation in a file, either."""
    report = verify(table.victim.log + length_prefixed(data), GAMES)
    assert report.verdict == Verdict.INVALID_FILE
    assert report.violator is None
    assert report.number == len(table.entries)
    assert isinstance(report.error, Malformed)


def sent(effects: list[Effect]) -> list[bytes]:
    """Return the frames among effects."""
    return [effect.frame for effect in effects if isinstance(effect, Send)]
