"""Genuine entries prove no violation by their author, wherever somebody without the key puts them (SPEC 5.11).

The cheater has its own key, everything that the honest player ever signed (entries, proofs, resignations, offers), and
may put together any file, or say anything on the wire.
"""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.contents import read as read_content
from p2p_shanghaien.fairplay.effects import ViolationProved
from p2p_shanghaien.fairplay.entries import Entry, Envelope, Kind, parse, sign
from p2p_shanghaien.fairplay.hello import open_session
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Match, begin
from p2p_shanghaien.fairplay.notes import NoteKind
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import Table, certificate, entry_frame, entry_in, offer, with_signature
from tests.pair import GAMES, Pair, make_pair
from tests.sweeps import sweep
from tests.toy import Toy

HONEST, CHEATER = Identity(b"\x0a" * 32), Identity(b"\x0b" * 32)


class Past(NamedTuple):
    """The cheater's collection: logs of whole games between the two, and everything that the honest player signed."""

    logs: tuple[bytes, ...]
    entries: tuple[Entry, ...]
    signatures: tuple[bytes, ...]
    certificates: tuple[tuple[int, bytes, bytes], ...]
    """Resignations of the honest player: seat, head, signature."""
    offers: tuple[bytes, ...]


@cache
def past() -> Past:
    """Games of both kinds, in each of which the honest player sat at the other seat; one it resigned."""
    pairs = []
    games: tuple[tuple[int, Game[Any]], ...] = ((0, Toy(2)), (1, Toy(2)), (0, Shanghaien()), (1, Toy(2)))
    for number, (seat, game) in enumerate(games):
        rng = random.Random(number)
        identities = (HONEST, CHEATER) if seat == 0 else (CHEATER, HONEST)
        pair = make_pair(rng, game, identities=identities)
        pair.play(rng, until=_over(30) if isinstance(game, Shanghaien) else lambda pair: False)
        pairs.append((pair, seat))
    certificates, offers = [], []
    for pair, seat in pairs:
        match = pair.sides[seat].endpoint.match
        certificates += [(seat, head, certificate(HONEST, match.session.id, seat, head)) for head in match.hashes[::5]]
        offers += [offer(HONEST, match.session.id, seat, number) for number in range(0, len(match.hashes), 3)]
    entries = tuple(entry for pair, _ in pairs for entry in pair.sides[0].endpoint.entries)
    signatures = [entry.signature for entry in entries if entry.seat == 0]
    signatures += [proof for pair, seat in pairs for proof in (pair.established[seat].proofs[seat],)]
    signatures += [signature for _, _, signature in certificates] + offers
    logs = tuple(pair.sides[seat].log for pair, seat in pairs)
    return Past(logs, entries, tuple(signatures), tuple(certificates), tuple(offers))


def _over(number: int) -> Callable[[Pair], bool]:
    return lambda pair: pair.sides[0].endpoint.match.number > number


class Forgery:
    """A file in the making. `match` is as far as it is sound; the cheater signs what is its own to sign."""

    def __init__(self, base: bytes, keep: int) -> None:
        log = read(base)
        self.records = list(log.entries[:keep])
        self.begun = opening(log.hellos, log.proofs)
        self.match: Match | None = begin(open_session(log.hellos, GAMES))
        for data in self.records:
            self.follow(data)

    @property
    def data(self) -> bytes:
        return self.begun + b"".join(map(length_prefixed, self.records))

    def follow(self, data: bytes) -> None:
        if self.match is None:
            return
        try:
            entry = parse(data)
            self.match.check_place(entry)
            self.match = self.match.append(entry)
        except (Malformed, Illegal):
            self.match = None

    def add(self, data: bytes) -> None:
        self.records.append(data)
        self.follow(data)

    def placed(self, entry: Entry, **changes: object) -> Envelope:
        """`entry` moved to where the file now ends."""
        envelope = Envelope(*entry[:8])
        match = self.match
        if match is not None and match.expected is not None:
            envelope = envelope._replace(
                session=match.session.id, number=match.number, parent=match.head, seat=match.expected.seat
            )
        return envelope._replace(**changes)  # type: ignore[arg-type]

    def legal_turn(self, rng: random.Random) -> bytes | None:
        """Make another legal entry of the cheater's own in place of the genuine one, if one is expected that it can
        make.
        """
        match = self.match
        if match is None or match.expected is None or match.session.keys[match.expected.seat] != CHEATER.public:
            return None
        expected = match.expected
        legal = match.state.legal(match.player(expected.seat))
        options: dict[Kind, tuple[Any, ...]] = {
            Kind.DRAW_COMMIT: ((rng.randbytes(32),),),
            Kind.DRAW_CONTRIBUTION: ((rng.randbytes(32),),),
            Kind.CHOICE_COMMIT: ((rng.randbytes(32),),),
            Kind.ACTION: tuple((action, carried) for action in legal for carried in (None, rng.randbytes(32))),
            Kind.CHOICE_CONTRIBUTION: tuple((action,) for action in legal),
            Kind.RESULT: (match.result,) if match.result else (),
        }
        choices = list(options.get(expected.kind, ()))
        rng.shuffle(choices)
        for content in choices:
            try:
                after = match.after(read_content(expected.kind, encode(content)))
            except Illegal:
                continue
            blank = Envelope(
                match.session.id, match.number, match.head, expected.seat, bytes(32), str(expected.kind), b"", b""
            )
            return sign(CHEATER, blank._replace(content=encode(content), state=after.state_hash)).data
        return None


STEPS = ("genuine", "resigned", "transplanted", "legal", "certificate", "offer", "drop", "exchange", "again", "cut")


def manipulate(forgery: Forgery, step: str, rng: random.Random) -> None:
    known = past()
    entry = rng.choice(known.entries)
    match step:
        case "genuine":
            forgery.add(entry.data)
        case "resigned":
            forgery.add(sign(CHEATER, forgery.placed(entry)).data)
        case "transplanted":
            unsigned = sign(CHEATER, forgery.placed(entry))
            forgery.add(with_signature(unsigned, rng.choice(known.signatures)))
        case "legal":
            if data := forgery.legal_turn(rng):
                forgery.add(data)
        case "certificate":
            content = encode(rng.choice(known.certificates))
            forgery.add(sign(CHEATER, forgery.placed(entry, kind="resignation", content=content)).data)
        case "offer":
            content = encode((rng.choice(known.offers),))
            forgery.add(sign(CHEATER, forgery.placed(entry, kind="abandonment", content=content)).data)
        case _ if not forgery.records:
            pass
        case "drop":
            del forgery.records[rng.randrange(len(forgery.records))]
        case "exchange":
            one, other = rng.randrange(len(forgery.records)), rng.randrange(len(forgery.records))
            forgery.records[one], forgery.records[other] = forgery.records[other], forgery.records[one]
        case "again":
            forgery.records.insert(rng.randrange(len(forgery.records) + 1), rng.choice(forgery.records))
        case "cut":
            del forgery.records[rng.randrange(len(forgery.records)) :]


@given(
    base=st.integers(0, 3),
    keep=st.integers(0, 60),
    steps=st.lists(st.sampled_from(STEPS), max_size=6),
    rest=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_no_file_accuses_who_was_honest(base: int, keep: int, steps: list[str], rest: bool, seed: int) -> None:
    rng = random.Random(seed)
    log = past().logs[base]
    forgery = Forgery(log, keep)
    for step in steps:
        manipulate(forgery, step, rng)
    if rest:
        for data in read(log).entries[keep:]:
            forgery.add(data)
    check_innocent(forgery.data)


def test_the_cheater_proves_its_own_violation_often_enough() -> None:
    """The manipulations reach every verdict, so that the test above is about something."""
    rng = random.Random(1)
    verdicts: Counter[Verdict] = Counter()
    for _ in range(300):
        forgery = Forgery(rng.choice(past().logs), rng.randrange(40))
        for _ in range(rng.randrange(5)):
            manipulate(forgery, rng.choice(STEPS), rng)
        verdicts[check_innocent(forgery.data)] += 1
    assert set(verdicts) >= {Verdict.COMPLETE, Verdict.INCOMPLETE, Verdict.VIOLATION, Verdict.INVALID_FILE}


def check_innocent(data: bytes) -> Verdict:
    known = past()
    report = verify(data, GAMES)
    if report.verdict == Verdict.VIOLATION:
        assert report.session is not None
        assert report.violator is not None
        assert report.session.keys[report.violator] == CHEATER.public
    if report.verdict == Verdict.COMPLETE:
        # all that the honest player signed covers what came before; seat 1 alone can sign its last entry anew
        honest = [whole_until(each, HONEST) for each in known.logs]
        assert whole_until(data, HONEST) in honest
    return report.verdict


def whole_until(data: bytes, signer: Identity) -> bytes:
    """Return a log up to the last entry of one player."""
    log = read(data)
    keys = open_session(log.hellos, GAMES).keys
    entries = [parse(each) for each in log.entries]
    while keys[entries[-1].seat] != signer.public:
        entries.pop()
    return opening(log.hellos, log.proofs) + b"".join(length_prefixed(entry.data) for entry in entries)


@pytest.mark.parametrize("base", range(4))
def test_each_single_manipulation_of_a_log(base: int) -> None:
    """Every entry left out, repeated anywhere, exchanged with its neighbour, or replaced by one of another game."""
    known = past()
    log = read(known.logs[base])
    begun, entries = opening(log.hellos, log.proofs), list(log.entries)
    for at in range(len(entries)):
        rest = entries[:at] + entries[at + 1 :]
        files = [rest, [*entries[:at], entries[at], *entries[at:]], entries[:at]]
        files += [[*rest[:other], entries[at], *rest[other:]] for other in range(at % 5, len(rest), 5)]
        files += [[*entries[:at], each.data, *entries[at + 1 :]] for each in known.entries[at % 7 :: 7]]
        for records in files:
            data = begun + b"".join(map(length_prefixed, records))
            report = verify(data, GAMES)
            assert report.verdict != Verdict.VIOLATION
            if records != entries:
                assert report.verdict != Verdict.COMPLETE


def test_beginnings_put_together_from_two_games() -> None:
    known = past()
    logs = [read(data) for data in known.logs]
    proofs = [proof for log in logs for proof in log.proofs]
    for first in logs:
        for second in logs:
            for host_proof in proofs:
                for guest_proof in proofs:
                    begun = opening((first.hellos[0], second.hellos[1]), (host_proof, guest_proof))
                    report = verify(begun + length_prefixed(first.entries[0]), GAMES)
                    genuine = first is second and (host_proof, guest_proof) == first.proofs
                    assert report.verdict == (Verdict.INCOMPLETE if genuine else Verdict.INVALID_FILE)


# On the wire


@sweep("seed", range(60), every=4)
def test_nothing_said_on_the_wire_makes_an_honest_program_prove_its_own_violation(seed: int) -> None:
    """The cheater mixes what is due with repetitions, forgeries, notes and rubbish, and never lets go."""
    rng = random.Random(seed)
    seat = seed % 2
    pair = make_pair(rng, Toy(2) if seed % 3 else None, identities=(HONEST, CHEATER) if seat else (CHEATER, HONEST))
    pair.play(rng, until=_over(rng.randrange(20)))
    cheat = pair.sides[seat].endpoint
    table = Table(pair, seat, pair.sides[0].endpoint.entries[0])
    victim = table.victim
    for _ in range(120):
        if victim.asked and rng.random() < 0.7:
            pair.act_at_random(1 - seat, rng)
        due = pair.wires[1 - seat][0] if pair.wires[1 - seat] else None
        entry = entry_in(due) if due else None
        if entry and rng.random() < 0.9:
            frame = due
        else:
            source = entry or rng.choice(victim.endpoint.entries)
            frame = rng.choice(
                [
                    entry_frame(rng.choice(victim.endpoint.entries).data),
                    entry_frame(rng.choice(past().entries).data),
                    entry_frame(table.next(source.kind, bytes(32), seat=rng.randrange(2), session=bytes(32))),
                    entry_frame(with_signature(source, rng.choice(past().signatures))),
                    entry_frame(sign(CHEATER, Envelope(*source[:8])._replace(handshake=bytes(32))).data),
                    cheat.note(NoteKind.CHAT, "hm").frame,
                    rng.randbytes(rng.randrange(200)),
                ]
            )
        try:
            table.deliver(frame or b"")
        except Malformed:
            pass
        else:
            if frame is due and pair.wires[1 - seat]:
                pair.wires[1 - seat].popleft()
        if pair.wires[seat]:
            pair.hand_over(seat)
    own = [entry for entry in map(parse, read(victim.log).entries) if entry.seat == 1 - seat]
    assert len({(entry.number, entry.parent) for entry in own}) == len(own), "never two entries for one place"
    report = verify(victim.log, GAMES)
    assert report.verdict != Verdict.INVALID_FILE
    assert report.violator in (None, seat)
    assert any(isinstance(effect, ViolationProved) for effect in victim.effects) == (
        report.verdict == Verdict.VIOLATION
    )
