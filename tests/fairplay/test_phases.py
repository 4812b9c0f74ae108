"""The table of phases: SPEC 11.6 and the model have the same, and a peer keeps to it whatever it is sent."""

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay import data
from p2p_shanghaien.fairplay.contents import DECISIONS
from p2p_shanghaien.fairplay.effects import Effect, Finished, Store, ViolationProved
from p2p_shanghaien.fairplay.entries import Entry, Envelope, sign
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.notes import NoteKind, Notes
from p2p_shanghaien.fairplay.phases import RULES, Act, Phase, Received, Response
from tests.cheater import certificate, entry_frame, forged, offer
from tests.pair import Pair, make_pair, rebuilt
from tests.toy import Toy

PROTOCOL = Path(__file__).parents[2] / "protocol"


def tables() -> list[list[list[str]]]:
    """Return the rows of each table of SPEC 11.6, heads included."""
    text = (PROTOCOL / "SPEC.md").read_text(encoding="utf-8")
    section = text[text.index("### 11.6 Phases") : text.index("## 12 Shanghaien")]
    found = re.findall(r"(?:^\|.*\|\n)+", section, re.MULTILINE)
    return [[[cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()] for table in found]


def words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_the_specification_has_the_same_table() -> None:
    named, received, done = tables()
    assert [words(row[0]) for row in named[2:]] == [{phase} for phase in Phase]
    assert received[0] == ["phase", *Received]
    assert {row[0].strip("`"): row[1:] for row in received[2:]} == {
        phase: [rules.receives[each] for each in Received] for phase, rules in RULES.items()
    }
    assert {row[0].strip("`"): (words(row[1]), words(row[2])) for row in done[2:]} == {
        phase: (set(rules.does), set(rules.leads_to)) for phase, rules in RULES.items()
    }


def test_the_model_has_the_same_phases() -> None:
    model = (PROTOCOL / "model/protocol.pml").read_text(encoding="utf-8")
    declared = re.search(r"mtype = \{ (unconnected\b[^}]*) \}", model)
    assert declared
    assert declared[1].split(", ") == list(Phase)


@cache
def played(seed: int) -> Pair:
    """Return a whole game over one connection."""
    rng = random.Random(seed)
    pair = make_pair(rng, Toy(1))
    pair.play(rng)
    assert pair.finished(0)
    assert pair.finished(1)
    return pair


CLAIMS = ("none", "nothing", "fewer", "as many", "more", "other head")
"""The lengths that the peer proves of its log, relative to ours; or there is no connection."""


def reachable(phase: Phase) -> set[Phase]:
    """Return where a frame can lead from `phase`, with the entries of our own that follow from it."""
    found, new = {phase}, {phase}
    while new:
        new = {each for known in new for each in RULES[known].leads_to} - found
        found |= new
    return found


class Program:
    """The program at `seat` as it was when the game had so many entries, connected anew to somebody with the other key.

    The connection has the hash of the game's own, so that the game can go on with the entries that it had.
    """

    def __init__(self, seed: int, seat: int, length: int, claim: str) -> None:
        pair = played(seed)
        self.pair, self.seat = pair, seat
        self.whole: Sequence[Entry] = pair.sides[0].endpoint.entries
        self.hashes = pair.sides[0].endpoint.match.hashes
        match = pair.sides[0].endpoint.match
        length %= len(self.whole) + 1
        stored = [entry.data for entry in self.whole[:length]]
        self.endpoint = rebuilt(match.session, seat, pair.identities[seat], pair.sides[seat].secret, stored)
        self.handshake = pair.established[seat].hellos.handshake
        self.key = pair.identities[1 - seat]
        self.notes = Notes(self.key, 1 - seat, self.handshake, pair.identities[seat].public)
        self.log = list(stored)
        if claim == "none":
            return
        claimed = {"nothing": 0, "fewer": length - 1, "more": length + 1}.get(claim, length)
        claimed = min(max(claimed, 0), len(self.whole))
        head = bytes(32) if claim == "other head" and claimed else self.hashes[claimed]
        ours = Notes(pair.identities[seat], seat, self.handshake, self.key.public)
        self.carry_out(self.endpoint.resume(self.handshake, ours, Head(claimed, head)))

    def carry_out(self, effects: list[Effect]) -> list[Effect]:
        self.log += [effect.entry for effect in effects if isinstance(effect, Store)]
        return effects

    def frame(self, received: Received, at: int) -> bytes | None:
        """Return a frame by the peer that brings this, or None if there can be none; `at` chooses an entry."""
        endpoint, session = self.endpoint, self.endpoint.match.session.id
        head, number, cheat = endpoint.match.head, endpoint.match.number, 1 - self.seat
        theirs = [entry for entry in endpoint.entries if entry.seat == cheat]
        match received:
            case Received.NEXT if self.follows():
                return entry_frame(self.whole[number].data)
            case Received.NEXT:
                blank = Envelope(session, number, head, cheat, self.handshake, "draw_contribution", b"\x90", bytes(32))
                return entry_frame(sign(self.key, blank).data)
            case Received.DUPLICATE:
                return entry_frame(endpoint.entries[at % number].data) if number else None
            case Received.FORK:
                return entry_frame(forged(self.key, theirs[at % len(theirs)], content=b"")) if theirs else None
            case Received.OFFER:
                return self.notes.write(NoteKind.OFFER, number, offer(self.key, session, cheat, number))
            case Received.RESIGN:
                return self.notes.write(NoteKind.RESIGN, head, certificate(self.key, session, cheat, head))
            case Received.HERE:
                return self.notes.write(NoteKind.HERE, *endpoint.head)
            case Received.OTHER_NOTE:
                return self.notes.write(NoteKind.CHAT, "hello")

    def follows(self) -> bool:
        """Return whether the game itself has a next entry that is not ours to make."""
        number, head = self.endpoint.match.number, self.endpoint.match.head
        if number >= len(self.whole) or self.hashes[number] != head:
            return False
        return self.whole[number].seat != self.seat or self.endpoint.phase is Phase.CATCHING_UP

    def receive(self, received: Received, at: int = 0) -> bool:
        """Give the program such a frame and check what becomes of it; whether the connection is still there."""
        endpoint, follows = self.endpoint, self.follows()
        frame = self.frame(received, at)
        if frame is None:
            return True
        before, rules = (endpoint.phase, endpoint.match, list(endpoint.entries), list(self.log)), RULES[endpoint.phase]
        response = rules.receives[received]
        dropped = None
        try:
            effects = self.carry_out(endpoint.receive(frame))
        except Malformed as error:
            dropped = error.code
        if dropped:
            assert (endpoint.phase, endpoint.match, endpoint.entries, self.log) == before, (
                "what is dropped changes nothing"
            )
            arrival = before[0] is Phase.PARTED and dropped == "head_not_reached"
            out_of_place = received is Received.NEXT and not follows
            assert response is Response.DROP or arrival or out_of_place, (before[0], received, dropped)
            return False
        assert response is not Response.DROP, (before[0], received)
        assert endpoint.phase in reachable(before[0])
        if response is Response.IGNORE:
            assert effects == []
            assert (endpoint.phase, endpoint.match, endpoint.entries, self.log) == before
        proved = [effect for effect in effects if isinstance(effect, ViolationProved)]
        assert bool(proved) == (endpoint.phase is Phase.VIOLATION != before[0])
        if response is Response.PROVE:
            assert [each.seat for each in proved] == [1 - self.seat]
        if received is Received.NEXT and response is Response.TAKE:
            assert len(self.log) > len(before[3])
            assert not (follows and proved), "the game itself convicts nobody"
        assert (Finished() in effects) == (endpoint.phase is Phase.FINISHED != before[0])
        return True

    def do(self, deed: Act) -> None:
        """Let our peer try this, and check whether it may."""
        endpoint, before = self.endpoint, (self.endpoint.phase, list(self.log))
        may = deed in RULES[endpoint.phase].does
        action = next(iter(endpoint.match.state.legal(endpoint.player)), "")
        refusal, refused = endpoint.refusal(deed, action), None
        effects: list[Effect] = []
        try:
            match deed:
                case Act.SIGN:
                    return
                case Act.DECIDE:
                    effects = endpoint.act(action)
                case Act.ACCEPT:
                    effects = endpoint.accept()
                case Act.OFFER:
                    effects = endpoint.offer()
                case Act.RESIGN:
                    effects = endpoint.resign()
        except Illegal as error:
            refused = error.code
        assert refused == (refusal and refusal.code), "asked before, a peer says what it will do"
        self.carry_out(effects)
        assert not (refused and may) or refused in ("no_offer", "offered_already", "already_ended")
        if refused or not may:
            assert effects == []
            assert (endpoint.phase, self.log) == before


LENGTH = 40
"""More entries than the games here have."""


def test_every_message_in_every_phase() -> None:
    reached = set()
    for seed, seat, claim in [(seed, seat, claim) for seed in (1, 2) for seat in (0, 1) for claim in CLAIMS]:
        for length in range(len(played(seed).sides[0].endpoint.entries) + 1):
            for received in Received:
                program = Program(seed, seat, length, claim)
                phase = program.endpoint.phase
                if program.receive(received):
                    reached.add((phase, received))
                    for again in Received if program.endpoint.phase is Phase.VIOLATION else ():
                        reached.add((Phase.VIOLATION, again))
                        program.receive(again)
                elif RULES[phase].receives[received] is Response.DROP:
                    reached.add((phase, received))
    assert reached == {(phase, received) for phase in Phase for received in Received}


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 3),
    seat=st.integers(0, 1),
    length=st.integers(0, LENGTH),
    claim=st.sampled_from(CLAIMS),
    happens=st.lists(st.tuples(st.sampled_from([*Received, *Act]), st.integers(0, LENGTH)), max_size=12),
)
def test_whatever_happens_one_after_the_other(
    seed: int, seat: int, length: int, claim: str, happens: list[tuple[Received | Act, int]]
) -> None:
    program = Program(seed, seat, length, claim)
    for event, at in happens:
        if isinstance(event, Act):
            program.do(event)
        elif not program.receive(event, at):
            break


@pytest.mark.parametrize("seat", [0, 1])
def test_an_entry_that_passes_over_the_place_where_the_chains_differ_is_dropped(seat: int) -> None:
    """SPEC 11.2: the first that is no duplicate is a fork, or malformed, even one that would be in its place."""
    for length in range(1, len(played(1).sides[0].endpoint.entries)):
        program = Program(1, seat, length, "other head")
        if program.follows():
            assert program.endpoint.phase is Phase.PARTED
            with pytest.raises(Malformed, match="head_not_reached"):
                program.endpoint.receive(entry_frame(program.whole[length].data))


@pytest.mark.parametrize("frame", [data.want("0" * 64), data.offer(b"deck")])
def test_data_have_no_place_in_a_match(frame: bytes) -> None:
    """SPEC 11.6: they come before the first phase alone; a stored violation is the end of all answers."""
    reached = set()
    for claim in CLAIMS:
        for length in range(LENGTH):
            program = Program(1, length % 2, length, claim)
            phase, log = program.endpoint.phase, list(program.log)
            reached.add(phase)
            with pytest.raises(Malformed):
                program.endpoint.receive(frame)
            assert (program.endpoint.phase, program.log) == (phase, log)
    assert reached >= {Phase.UNCONNECTED, Phase.CATCHING_UP, Phase.PARTED, Phase.OUR_TURN, Phase.THEIR_TURN}


def test_a_program_is_waited_for_where_no_person_decides() -> None:
    rng = random.Random(5)
    pair = make_pair(rng)
    endpoints = [side.endpoint for side in pair.sides]
    assert endpoints[0].awaits_program, "the guest's, which contributes to the opening draw"
    pair.settle()
    while deciding := [seat for seat in (0, 1) if pair.sides[seat].asked]:
        assert not any(endpoint.awaits_program for endpoint in endpoints)
        (seat,) = deciding
        pair.act_at_random(seat, rng)
        pending = endpoints[seat].match.expected
        assert pending is not None
        assert endpoints[seat].awaits_program == (pending.kind not in DECISIONS)
        assert not endpoints[1 - seat].awaits_program, "it has heard of nothing yet"
        pair.settle()
    assert pair.finished(0)
    assert not any(endpoint.awaits_program for endpoint in endpoints)


def test_what_is_not_legal_is_not_done() -> None:
    pair = make_pair(random.Random(5))
    pair.settle()
    (seat,) = (seat for seat in (0, 1) if pair.sides[seat].asked)
    log = pair.sides[seat].log
    for who, code in [(seat, "illegal_action"), (1 - seat, "not_your_turn")]:
        with pytest.raises(Illegal) as caught:
            pair.sides[who].endpoint.act("no such thing")
        assert caught.value.code == code
    pair.settle()
    assert pair.logs == (log, log)
