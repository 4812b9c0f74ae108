"""Whatever happens, in whatever order: a peer against a peer over a lossy line, and a peer against an adversary.

What always holds: honest sides that have the same entries have the same state (`logs_are_one_chain`, `check_log`),
nothing is applied twice (`nothing_is_applied_twice`), nothing is revealed before the other side is bound, and of each
number an honest seat signs one entry at most, which it has stored before it is sent (`Honesty`).
"""

import os
import random
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from p2p_shanghaien.errors import ConnectionLost, Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.effects import Effect, Finished, Send, Stepped, Store, ViolationProved
from p2p_shanghaien.fairplay.entries import Entry, Kind
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from tests.cheater import entry_frame, entry_in, forged, words
from tests.pair import GAMES, Pair, Side, guest_hello, host_hello, make_pair, rebuilt, shake_hands
from tests.sweeps import examples
from tests.toy import Toy

EXAMPLES = int(os.environ.get("SHANGHAIEN_EXAMPLES", examples(6)))
"""The number of runs of each machine."""

SETTINGS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=50,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # making a failure smaller would take minutes
    suppress_health_check=list(HealthCheck),
)

CONTRIBUTIONS = {Kind.DRAW_REVEAL: Kind.DRAW_CONTRIBUTION, Kind.CHOICE_REVEAL: Kind.CHOICE_CONTRIBUTION}
"""The kinds of the entries that bind the other seat before something is revealed."""
SEATS = st.integers(0, 1)
NUMBERS = st.integers(0, 2**32 - 1)


@dataclass
class Honesty:
    """All that an honest seat has signed and sent, checked as it does so."""

    seat: int
    signed: dict[tuple[int, bytes, bytes], bytes] = field(default_factory=dict)
    by_number: dict[int, bytes] = field(default_factory=dict)
    frames: list[bytes] = field(default_factory=list)
    claims: dict[bytes, int] = field(default_factory=dict)
    """The length of its log that the peer claimed, by handshake."""
    restored: bool = False
    before: frozenset[bytes] = frozenset()
    """The entries signed before it was last restored from a backup: what they commit to may be known."""

    def restore(self) -> None:
        """It starts again from an old copy of its log."""
        self.restored, self.before = True, frozenset(self.signed.values())

    def watch(self, side: Side, effects: Iterable[Effect]) -> None:
        """Check what `side` is about to do. Its peer has already taken it into its chain."""
        stored = side.log
        for effect in effects:
            if isinstance(effect, Store):
                stored += length_prefixed(effect.entry)
            if isinstance(effect, Send) and (entry := entry_in(effect.frame)) and entry.seat == self.seat:
                assert length_prefixed(entry.data) in stored, "sent before it was stored"
                self._check_entry(side, entry)
            if isinstance(effect, Send):
                self.frames.append(effect.frame)
            if isinstance(effect, ViolationProved) and effect.seat == self.seat:
                self._check_rebuttal(effect.number)

    def _check_entry(self, side: Side, entry: Entry) -> None:
        place = entry.number, entry.parent, entry.handshake
        assert self.signed.setdefault(place, entry.hash) == entry.hash, "two entries for one place"
        if not self.restored:
            assert self.by_number.setdefault(entry.number, entry.hash) == entry.hash, "two entries with one number"
        answered = CONTRIBUTIONS.get(Kind(entry.kind))
        if answered:
            committed, before = side.endpoint.entries[entry.number - 2 : entry.number]
            assert (before.seat, before.kind) == (1 - self.seat, answered), "shown before the other side was bound"
            if committed.hash not in self.before:
                self._check_unknown(entry, words(entry)[0 if answered == Kind.DRAW_CONTRIBUTION else 1])
        elif entry.kind == Kind.DRAW_CONTRIBUTION:
            self._check_unknown(entry, words(entry)[0])

    def _check_unknown(self, entry: Entry, secret: bytes) -> None:
        """Nothing but `entry` has ever shown the secret that it shows."""
        assert all(frame == entry_frame(entry.data) for frame in self.frames if secret in frame), "a secret known early"

    def _check_rebuttal(self, number: int) -> None:
        """We signed two entries for one place: only because the peer itself did not show the earlier one."""
        assert self.restored
        ours = [handshake for at, _, handshake in self.signed if at == number]
        assert any(self.claims.get(handshake, number + 1) <= number for handshake in ours)


def hands(pair: Pair, rng: random.Random, heads: tuple[Head, Head]) -> None:
    """Let the sides of `pair` shake hands again, saying that their logs go so far."""
    session = pair.sides[0].endpoint.match.session
    hellos = (
        host_hello(pair.identities[0], rng.randbytes(32), session.game, resumes=session.id),
        guest_hello(pair.identities[1], rng.randbytes(32), resumes=session.id),
    )
    both = [Handshake(pair.identities[seat], hellos[seat], VERSIONS, head=heads[seat]) for seat in (0, 1)]
    pair.established = shake_hands(both[0], both[1])
    for wire in pair.wires:
        wire.clear()


@lru_cache(maxsize=8)
def verified(log: bytes) -> Report:
    """Return the verdict on a log; most steps leave it as it was."""
    return verify(log, GAMES)


def check_log(side: Side) -> None:
    """Check that the stored log is the one that the peer uses, each entry once, and proves no violation."""
    chain = b"".join(length_prefixed(entry.data) for entry in side.endpoint.entries)
    log = read(side.log)
    assert side.log == opening(log.hellos, log.proofs) + chain
    assert [entry.number for entry in side.endpoint.entries] == list(range(len(side.endpoint.entries)))
    report = verified(side.log)
    assert report.verdict in (Verdict.INCOMPLETE, Verdict.DECIDED, Verdict.COMPLETE)
    assert report.match is not None
    assert report.match.state_hash == side.endpoint.match.state_hash


@dataclass
class Watched(Pair):
    """A pair of which the seats in `honest` are watched."""

    honest: Mapping[int, Honesty] = field(default_factory=dict)

    def carry_out(self, seat: int, effects: list[Effect]) -> None:
        if seat in self.honest:
            self.honest[seat].watch(self.sides[seat], effects)
        super().carry_out(seat, effects)


def watched(seed: int, game: Toy, seats: Iterable[int]) -> Watched:
    """Return a new game between two, of whom those in `seats` are watched."""
    pair = make_pair(random.Random(seed), game, start=False)
    honest = {seat: Honesty(seat) for seat in seats}
    return Watched(pair.sides, pair.wires, pair.identities, pair.established, honest)


class Machine(RuleBasedStateMachine):
    """The start of both machines."""

    SEATS: tuple[int, ...] = (0, 1)

    @initialize(
        seed=NUMBERS,
        rounds=st.integers(1, 3),
        start=st.sampled_from(["bid", "draw", "turn"]),
        turns=st.integers(0, 40),
    )
    def meet(self, seed: int, rounds: int, start: str, turns: int) -> None:
        self.rng = random.Random(seed)
        self.pair = watched(seed, Toy(rounds, start), self.SEATS)
        for seat in (0, 1):
            self.pair.begin(seat)
        self.lead_in(turns)

    def lead_in(self, turns: int) -> None:
        """Play properly for a while."""
        raise NotImplementedError

    @invariant()
    def nothing_is_applied_twice(self) -> None:
        if not hasattr(self, "pair"):
            return
        for seat, honesty in self.pair.honest.items():
            side = self.pair.sides[seat]
            if not honesty.restored:
                shown = [effect.step for effect in side.effects if isinstance(effect, Stepped)]
                assert shown == list(verified(side.log).steps)


class LossyLine(Machine):
    """Two honest peers. Frames arrive in order, or not at all; programs die and start again, also from old copies."""

    def lead_in(self, turns: int) -> None:
        self.play_on(turns)

    @rule(seat=SEATS)
    def deliver(self, seat: int) -> None:
        if self.pair.wires[seat]:
            self.pair.hand_over(seat)

    @rule(seat=SEATS, choice=st.integers(0, 8))
    def act(self, seat: int, choice: int) -> None:
        asked = self.pair.sides[seat].asked
        if asked:
            legal = asked.state.legal(asked.player)
            self.pair.act(seat, legal[choice % len(legal)])

    @rule(turns=st.integers(1, 12))
    def play_on(self, turns: int) -> None:
        for _ in range(turns):
            if not self.pair.deliver():
                for seat in (0, 1):
                    if self.pair.sides[seat].asked:
                        self.pair.act_at_random(seat, self.rng)

    @rule(seat=SEATS)
    def resign(self, seat: int) -> None:
        if self.rng.random() < 0.2:
            self.pair.resign(seat)

    @rule()
    def reconnect(self) -> None:
        self.pair.resume(self.rng)

    @rule(seats=st.sets(SEATS, min_size=1))
    def kill(self, seats: set[int]) -> None:
        for seat in seats:
            self.pair.restart(seat)
        self.pair.resume(self.rng)

    @rule(seat=SEATS, lost=st.integers(0, 12))
    def restore_a_backup(self, seat: int, lost: int) -> None:
        kept = max(0, len(self.pair.sides[seat].endpoint.entries) - lost)
        self.pair.honest[seat].restore()
        self.pair.restart(seat, kept)
        self.pair.resume(self.rng)

    @invariant()
    def logs_are_one_chain(self) -> None:
        if not hasattr(self, "pair"):
            return
        chains = [[entry.hash for entry in side.endpoint.entries] for side in self.pair.sides]
        shorter = min(map(len, chains))
        assert chains[0][:shorter] == chains[1][:shorter]
        if len(chains[0]) == len(chains[1]):
            first, second = (side.endpoint.match for side in self.pair.sides)
            assert (first.state, first.first, first.ending) == (second.state, second.first, second.ending)
        for side in self.pair.sides:
            check_log(side)
            assert not any(isinstance(effect, ViolationProved) for effect in side.effects)

    def teardown(self) -> None:
        if not hasattr(self, "pair"):
            return
        for seat in (0, 1):
            self.pair.restart(seat)
        self.pair.resume(self.rng)
        self.pair.play(self.rng)
        self.pair.settle()
        self.logs_are_one_chain()
        for side in self.pair.sides:
            assert verified(side.log).verdict == Verdict.COMPLETE
            assert Finished() in side.effects


class Adversary(Machine):
    """An honest seat against somebody who has the other's key and a working program, and sends whatever it likes."""

    HONEST = 0
    SEATS = (0,)

    def __init__(self) -> None:
        super().__init__()
        self.is_down = False
        self.is_over = False
        self.archive: list[bytes] = []
        """All frames that were ever sent by either."""

    @property
    def victim(self) -> Side:
        return self.pair.sides[self.HONEST]

    @property
    def honesty(self) -> Honesty:
        return self.pair.honest[self.HONEST]

    def give(self, frame: bytes) -> None:
        """Send `frame` to the victim, which may hang up."""
        self.archive.append(frame)
        if self.is_down or self.is_over:
            return
        before = self.victim.log, self.victim.endpoint.head
        try:
            effects = self.victim.endpoint.receive(frame)
        except (Malformed, ConnectionLost):
            self.is_down = True
            assert (self.victim.log, self.victim.endpoint.head) == before, "garbage changed something"
            return
        self.pair.carry_out(self.HONEST, effects)
        self.archive += [effect.frame for effect in effects if isinstance(effect, Send)]
        self._look_for_verdict(effects)

    def _look_for_verdict(self, effects: list[Effect]) -> None:
        proved = [effect for effect in effects if isinstance(effect, ViolationProved)]
        if proved:
            self.is_over = True
            if proved[0].seat == self.HONEST:
                assert self.honesty.restored
            report = verified(self.victim.log)
            assert (report.verdict, report.violator) == (Verdict.VIOLATION, proved[0].seat)

    def lead_in(self, turns: int) -> None:
        self.play_along(turns)

    @rule(frames=st.integers(1, 12))
    def play_along(self, frames: int) -> None:
        """Send what a proper program in the adversary's place would, with the victim playing at random."""
        ours = 1 - self.HONEST
        if self.is_down and not self.is_over:
            self.claim(self.victim.endpoint.head)
        for _ in range(frames):
            if self.pair.wires[self.HONEST]:
                self.give(self.pair.wires[self.HONEST].popleft())
                continue
            with suppress(Malformed, ConnectionLost, Illegal, AssertionError):
                # it may know no way to go on from what was forged in its name
                if self.pair.wires[ours]:
                    frame = self.pair.wires[ours].popleft()
                    self.pair.carry_out(ours, self.pair.sides[ours].endpoint.receive(frame))
                    continue
                if self.pair.sides[ours].asked:
                    self.pair.act_at_random(ours, self.rng)
                    continue
            self.honest_choice(self.rng.randrange(9))

    @rule(choice=st.integers(0, 8))
    def honest_choice(self, choice: int) -> None:
        asked = self.victim.asked
        if asked and not self.is_over and not self.is_down:
            legal = asked.state.legal(asked.player)
            before = self.victim.log
            done = len(self.victim.effects)
            try:
                self.pair.act(self.HONEST, legal[choice % len(legal)])
            except Illegal:
                # it was asked before the adversary claimed to know more
                assert self.victim.log == before
            self.archive += [effect.frame for effect in self.victim.effects[done:] if isinstance(effect, Send)]

    @rule(
        at=st.integers(0, 60),
        changes=st.dictionaries(
            st.sampled_from(["number", "parent", "seat", "handshake", "kind", "content", "state", "session"]),
            st.integers(0, 5),
            max_size=2,
        ),
    )
    def forge(self, at: int, changes: dict[str, int]) -> None:
        """Sign any entry that was ever seen anew, changed in any way."""
        seen = [entry for frame in (*self.archive, *self.pair.wires[self.HONEST]) if (entry := self._parsed(frame))]
        if not seen:
            return
        entry = seen[-1 - at % len(seen)]
        endpoint = self.victim.endpoint
        values: dict[str, list[Any]] = {
            "number": [entry.number + 1, endpoint.match.number, 0],
            "parent": [endpoint.match.head, bytes(32)],
            "seat": [0, 1],
            "handshake": [self.pair.established[self.HONEST].hellos.handshake, bytes(32)],
            "kind": ["draw_contribution", "draw_reveal", "action", "result", "resignation", "nonsense"],
            "content": [encode((self.rng.randbytes(32),)), encode(("take", None)), encode(("2",)), b"", b"\xc1"],
            "state": [endpoint.match.state_hash, bytes(32)],
            "session": [entry.session, bytes(32)],
        }
        picked = {name: values[name][which % len(values[name])] for name, which in changes.items()}
        self.give(entry_frame(forged(self.pair.identities[1 - self.HONEST], entry, **picked)))

    @staticmethod
    def _parsed(frame: bytes) -> Entry | None:
        try:
            return entry_in(frame)
        except Malformed:
            return None

    @rule(at=NUMBERS)
    def replay(self, at: int) -> None:
        """Send again what was sent once, by either side."""
        if self.archive:
            self.give(self.archive[at % len(self.archive)])

    @rule(noise=st.binary(max_size=40))
    def babble(self, noise: bytes) -> None:
        self.give(noise)

    @rule(
        known=st.integers(-12, 5), truly=st.booleans(), restart=st.booleans(), lost=st.sampled_from([0] * 6 + [1, 3, 8])
    )
    def reconnect(self, known: int, truly: bool, restart: bool, lost: int) -> None:
        """Come again and claim any position; the victim may have been killed meanwhile, or restored from a backup."""
        if self.is_over:
            return
        if restart or lost:
            if lost:
                self.honesty.restore()
            self.pair.restart(self.HONEST, max(0, len(self.victim.endpoint.entries) - lost) if lost else None)
        endpoint = self.victim.endpoint
        length = max(0, len(endpoint.entries) + known)
        hashes = endpoint.match.hashes
        head = hashes[length] if truly and length < len(hashes) else self.rng.choice([*hashes[1:], bytes(32)])
        self.claim(Head(length, head) if length else Head(0, endpoint.match.session.id))

    @rule()
    def accuse(self) -> None:
        """Show what the victim signed before it was restored, if it has signed something else for that place since."""
        if self.is_over:
            return
        entries = self.victim.endpoint.entries
        for entry in filter(None, map(self._parsed, self.archive)):
            if entry.seat == self.HONEST and entry.number < len(entries):
                known = entries[entry.number]
                if (entry.parent, entry.seat) == (known.parent, known.seat) and entry.hash != known.hash:
                    self.claim(Head(entry.number + 1, entry.hash))
                    self.give(entry_frame(entry.data))
                    return

    def claim(self, head: Head) -> None:
        """Come again, with a log that is said to go so far."""
        self._renew_program()
        endpoint = self.victim.endpoint
        hands(self.pair, self.rng, (endpoint.head, head) if self.HONEST == 0 else (head, endpoint.head))
        met = self.pair.established[self.HONEST]
        self.honesty.claims[met.hellos.handshake] = head.length
        self.is_down = False
        effects = endpoint.resume(*self.pair.connection(self.HONEST), met.theirs)
        self.pair.carry_out(self.HONEST, effects)
        self.archive += [effect.frame for effect in effects if isinstance(effect, Send)]
        self._look_for_verdict(effects)
        theirs = self.pair.sides[1 - self.HONEST]
        with suppress(Illegal, AssertionError):
            other = theirs.endpoint.resume(*self.pair.connection(1 - self.HONEST), endpoint.head)
            self.pair.carry_out(1 - self.HONEST, other)

    def _renew_program(self) -> None:
        """The adversary's program goes on from the victim's log, whatever it had itself."""
        theirs = self.pair.sides[1 - self.HONEST]
        match = theirs.endpoint.match
        stored = [entry.data for entry in self.victim.endpoint.entries]
        theirs.endpoint = rebuilt(
            match.session, 1 - self.HONEST, self.pair.identities[1 - self.HONEST], theirs.secret, stored
        )
        theirs.asked = None

    @invariant()
    def the_victims_log_is_sound(self) -> None:
        if hasattr(self, "pair") and not self.is_over:
            check_log(self.victim)

    @invariant()
    def the_victim_is_not_framed(self) -> None:
        if hasattr(self, "pair") and not self.honesty.restored:
            assert verified(self.victim.log).violator != self.HONEST


class AdversaryOfTheGuest(Adversary):
    """The same, from the host's place."""

    HONEST = 1
    SEATS = (1,)


TestLossyLine = LossyLine.TestCase
TestLossyLine.settings = SETTINGS
TestAdversary = Adversary.TestCase
TestAdversary.settings = SETTINGS
TestAdversaryOfTheGuest = AdversaryOfTheGuest.TestCase
TestAdversaryOfTheGuest.settings = SETTINGS
