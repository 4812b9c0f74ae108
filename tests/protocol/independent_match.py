"""Following and judging a log, written from protocol/SPEC.md, sections 5 and 9, alone."""

from collections.abc import Iterable
from typing import Any

from tests.protocol.independent import (
    Refused,
    decode,
    has_form,
    indices,
    proof_digest,
    read_entry,
    read_hello,
    read_opening,
    read_record,
    read_shown,
    signature_holds,
    tagged_hash,
)
from tests.protocol.independent_game import Impossible, Table
from tests.protocol.independent_game import settings_are_proper as shanghaien_settings_are_proper
from tests.protocol.independent_halunken import Halunken
from tests.protocol.independent_halunken import settings_are_proper as halunken_settings_are_proper
from tests.protocol.independent_macao import Macao, NoDeck, deck_of
from tests.protocol.independent_toy import Toy
from tests.protocol.independent_toy import settings_are_proper as toy_settings_are_proper

GAMES: dict[str, tuple[Any, Any]] = {
    "shanghaien": (Table, shanghaien_settings_are_proper),
    "halunken": (Halunken, halunken_settings_are_proper),
    "toy": (Toy, toy_settings_are_proper),
}


class Unsupported(Exception):
    """A game, or rules, that are not known."""


class IllegalEntry(Exception):
    """A violation by the author of an entry; the argument gives the reason, in section 14's words."""


class Match:
    """A match under way between two keys. `expected` is (seat, kind), None once both have signed the result."""

    def __init__(self, session: bytes, keys: list[bytes], table: Any) -> None:
        self.session, self.keys, self.table = session, keys, table
        self.hashes = [session]
        self.first: int | None = None
        self.expected: tuple[int, str] | None = (0, "draw_commit")
        self.pending: dict[str, Any] = {}
        self.ended: list[Any] | None = None
        self.draws: list[dict[str, Any]] = []

    @property
    def number(self) -> int:
        return len(self.hashes) - 1

    def state_hash(self) -> bytes:
        """5.8"""
        return tagged_hash("state", self.first, self.table.value())

    def check_place(self, envelope: list[Any], digest: bytes, signature: bytes) -> None:
        """5.2"""
        session, number, parent, seat = envelope[:4]
        checks = {
            "entry_after_the_end": self.expected is not None,
            "wrong_session": session == self.session,
            "wrong_number": number == self.number,
            "wrong_parent": parent == self.hashes[-1],
            "wrong_seat": self.expected is not None and seat == self.expected[0],
            "bad_signature": signature_holds(self.keys[seat], digest, signature),
        }
        for error, holds in checks.items():
            if not holds:
                raise Refused(error)

    def take(self, envelope: list[Any], digest: bytes) -> None:
        """5.3 to 5.10: take an entry in its place. Raises IllegalEntry."""
        kind, packed, state = envelope[5:]
        try:
            content = decode(packed)
        except Refused:
            raise IllegalEntry("malformed_content") from None
        self._follow(kind, content)
        if state != self.state_hash():
            raise IllegalEntry("wrong_state")
        self.hashes.append(digest)

    def _follow(self, kind: str, content: Any) -> None:
        assert self.expected is not None
        seat, expected = self.expected
        if kind in ("resignation", "abandonment"):
            if self.ended:
                raise IllegalEntry("already_ended")
            self._close(kind, content)
            return
        if kind != expected:
            raise IllegalEntry("wrong_kind")
        forms: dict[str, tuple[Any, ...]] = {
            "draw_commit": (32,),
            "draw_contribution": (32,),
            "draw_reveal": (32, (32, None)),
            "action": (str, (32, None)),
            "choice_commit": (32,),
            "choice_contribution": (str,),
            "choice_reveal": (str, 32, (32, None)),
        }
        if kind == "result":
            # types count: True is not 1
            if repr(content) != repr(self.ended):
                raise IllegalEntry("wrong_result")
            self.expected = (1, "result") if seat == 0 else None
            return
        carries = kind in ("draw_reveal", "action", "choice_reveal")
        if not has_form(content, *forms[kind]):
            # anything else where a commitment may stand is a missing or an idle commitment
            if not carries or not isinstance(content, list) or not has_form(content[:-1], *forms[kind][:-1]):
                raise IllegalEntry("malformed_content")
            if len(content) != len(forms[kind]):
                raise IllegalEntry("malformed_content")
        if kind == "draw_commit":
            self._pend(seat, content[0])
        elif kind == "draw_contribution":
            self.pending["answer"] = content[0]
            self.expected = (1 - seat, "draw_reveal")
        elif kind == "draw_reveal":
            self._reveal(content[0])
        elif kind == "choice_commit":
            self.pending = {"commitment": content[0], "number": self.number}
            self.expected = (1, "choice_contribution")
        elif kind == "choice_contribution":
            if content[0] not in self.table.legal(self._player(1)):
                raise IllegalEntry("illegal_action")
            self.pending["answer"] = content[0]
            self.expected = (0, "choice_reveal")
        else:
            try:
                if kind == "action":
                    self.table.act(content[0])
                else:
                    self._reveal_choice(content[0], content[1])
            except Impossible:
                raise IllegalEntry("illegal_action") from None
        if carries:
            self._go_on(seat, content[-1])

    def _player(self, seat: int) -> int:
        return seat ^ (self.first or 0)

    def _reveal_choice(self, action: str, salt: bytes) -> None:
        """5.7"""
        hidden = tagged_hash("choice", self.session, self.pending["number"], self.keys[0], salt, action)
        if hidden != self.pending["commitment"]:
            raise IllegalEntry("choice_not_committed")
        both = [action, self.pending["answer"]]
        self.table.choose(both if self._player(0) == 0 else both[::-1])

    def _pend(self, seat: int, commitment: bytes) -> None:
        self.pending = {"commitment": commitment, "number": self.number, "seat": seat}
        self.expected = (1 - seat, "draw_contribution")

    def _reveal(self, share: bytes) -> None:
        """5.6 and 6.1"""
        seat, number = self.pending["seat"], self.pending["number"]
        if tagged_hash("commitment", self.session, number, self.keys[seat], share) != self.pending["commitment"]:
            raise IllegalEntry("share_not_committed")
        shares = [share, self.pending["answer"]][:: 1 if seat == 0 else -1]
        bounds = self.table.bounds() or []
        if self.first is None:
            bounds = [2, *bounds]
        seed = tagged_hash("outcome", self.session, self.number, self.hashes[-1], *shares)
        drawn = indices(seed, bounds)
        self.draws.append({"entry": self.number, "bounds": bounds, "indices": list(drawn)})
        if self.first is None:
            self.first = drawn.pop(0)
        if drawn:
            self.table.draw(drawn)

    def _go_on(self, seat: int, carried: Any) -> None:
        """5.3 and 5.4: return the seat and kind of the expected entry."""
        if self.table.bounds():
            if not isinstance(carried, bytes) or len(carried) != 32:
                raise IllegalEntry("no_commitment")
            self._pend(seat, carried)
            return
        if carried is not None:
            raise IllegalEntry("idle_commitment")
        if self.table.waits_for() == "end":
            first, second = self.table.scores()
            scores = [second, first] if self.first else [first, second]
            winner = self.table.winner() if isinstance(self.table, Macao) else _higher(first, second)
            self._end(["over", scores, None if winner is None else self._player(winner)])
        elif self.table.waits_for() == "choice":
            self.expected = (0, "choice_commit")
        else:
            self.expected = (self._player(self.table.player), "action")

    def _close(self, kind: str, content: Any) -> None:
        """5.9"""
        assert self.expected is not None
        seat, expected = self.expected
        if kind == "abandonment":
            if expected in ("draw_reveal", "choice_reveal"):
                raise IllegalEntry("abandoned_instead_of_reveal")
            if not has_form(content, bytes):
                raise IllegalEntry("malformed_content")
            offer = tagged_hash("offer", self.session, 1 - seat, self.number)
            if not signature_holds(self.keys[1 - seat], offer, content[0]):
                raise IllegalEntry("false_offer")
            self._end(["abandoned", None, None])
            return
        if not has_form(content, int, bytes, bytes) or content[0] not in (0, 1):
            raise IllegalEntry("malformed_content")
        gone, head, signature = content
        certificate = tagged_hash("resignation", self.session, gone, head)
        if head not in self.hashes or not signature_holds(self.keys[gone], certificate, signature):
            raise IllegalEntry("false_resignation")
        self._end(["resigned", None, 1 - gone])

    def _end(self, result: list[Any]) -> None:
        self.ended, self.expected = result, (0, "result")


def _higher(first: int, second: int) -> int | None:
    """Return the player with the higher score."""
    return None if first == second else int(second > first)


def open_match(opening: list[bytes], data: Iterable[bytes] = ()) -> Match:
    """9, steps 1 to 4; `data` is what the program has from outside the games (4.6)."""
    host, guest = read_hello(opening[0], 0), read_hello(opening[1], 1)
    if host[2] == guest[2]:
        raise Refused("reflected_nonce")
    if host[8] is not None or guest[8] is not None:
        raise Refused("bad_opening")
    if host[5] not in {*GAMES, "macao"} or host[6] != 1:
        raise Unsupported("rules_unknown" if host[5] in {*GAMES, "macao"} else "game_unknown")
    table = _table(host[5], host[7], data)
    session = tagged_hash("session", *opening[:2])
    handshake = tagged_hash("handshake", *opening[:2])
    keys = [host[3], guest[3]]
    for seat in (0, 1):
        if not signature_holds(keys[seat], proof_digest(handshake, session, seat, 0, session), opening[2 + seat]):
            raise Refused("bad_proof")
    return Match(session, keys, table)


def _table(game: str, settings: list[list[str]], data: Iterable[bytes]) -> Any:
    if game == "macao":
        try:
            return Macao(deck_of(settings, data))
        except NoDeck as error:
            reason = str(error)
            raise (Unsupported if reason == "data_missing" else Refused)(reason) from None
    table, settings_are_proper = GAMES[game]
    if not settings_are_proper(settings):
        raise Refused("settings")
    return table(settings)


def verify(data: bytes, shown: str = "", outside: Iterable[bytes] = ()) -> dict[str, Any]:
    """9: the verdict on a log, with what the vectors say of it.

    `shown` is a file of handshakes (8.5), `outside` the data from outside the games (4.6).
    """
    try:
        opening, at = read_opening(data)
        match = open_match(opening, outside)
    except Refused as error:
        return {"verdict": "INVALID FILE", "truncated": 0, "reason": str(error)}
    except Unsupported as error:
        return {"verdict": "UNSUPPORTED", "truncated": 0, "reason": str(error)}
    handshakes = read_shown(shown)
    envelopes: list[list[Any]] = []
    known = _known(match)

    def verdict(word: str, **more: Any) -> dict[str, Any]:
        return {"verdict": word, "truncated": 0, **known, **more}

    while True:
        place = len(envelopes)
        try:
            record = read_record(data, at)
        except Refused as error:
            return verdict("INVALID FILE", reason=str(error))
        if record is None:
            break
        at += 4 + len(record)
        try:
            envelope, digest, signature = read_entry(record)
            number, seat = envelope[1], envelope[3]
            if number < len(envelopes):
                # 5.11: another entry for the same session, number, parent and seat
                same = [envelope[item] == envelopes[number][item] for item in (0, 2, 3)]
                other = digest != match.hashes[number + 1]
                if all(same) and other and signature_holds(match.keys[seat], digest, signature):
                    named = [each[4] for each in (*envelopes[: number + 1], envelope)]
                    if any(rebuts(each, match, named, 1 - seat) for each in handshakes):
                        return verdict("INVALID FILE", entry=number, reason="fork_rebutted")
                    return verdict("VIOLATION", seat=seat, entry=number, reason="fork")
            match.check_place(envelope, digest, signature)
        except Refused as error:
            return verdict("INVALID FILE", entry=place, reason=str(error))
        try:
            match.take(envelope, digest)
        except IllegalEntry as violation:
            return verdict("VIOLATION", seat=seat, entry=place, reason=str(violation))
        envelopes.append(envelope)
        known = _known(match)
    truncated = len(data) - at
    if match.expected is None:
        return verdict("COMPLETE", truncated=truncated)
    if match.ended:
        return verdict("DECIDED", truncated=truncated, awaiting=list(range(match.expected[0], 2)))
    return verdict("INCOMPLETE", truncated=truncated, awaiting=[match.expected[0]])


def rebuts(shown: dict[str, Any], match: Match, named: list[bytes], accuser: int) -> bool:
    """11.4: whether the accuser proved to lack one half of a fork, in a handshake that the other is the first to name.

    `named` are the handshakes of all entries before the fork, and of its two halves.
    """
    *before, one, other = named
    hellos = list(map(bytes.fromhex, shown["hellos"]))
    if tagged_hash("session", *hellos) == match.session:
        return False
    handshake = tagged_hash("handshake", *hellos)
    length, head = shown["theirs"]
    length = int(length)
    digest = proof_digest(handshake, match.session, accuser, length, bytes.fromhex(head))
    proof = bytes.fromhex(shown["proofs"][accuser])
    first = handshake not in before and (handshake == one) != (handshake == other)
    return first and length <= len(before) and signature_holds(match.keys[accuser], digest, proof)


def _known(match: Match) -> dict[str, Any]:
    """Return what the sound entries tell."""
    return {
        "session": match.session.hex(),
        "sound": match.number,
        "head": match.hashes[-1].hex(),
        "first": match.first,
        "draws": list(match.draws),
        "result": match.ended,
    }
