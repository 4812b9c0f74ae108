"""Games to make logs of: two peers in memory, forged entries for any point of a game, and what verification says."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay import contents
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.effects import Ask, Effect, Send
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.entries import Entry, Envelope, Kind, parse, sign
from p2p_shanghaien.fairplay.hello import Head, Hellos, open_session, proof_digest
from p2p_shanghaien.fairplay.keys import Identity, Tag, choice_commitment, commitment, tagged_hash
from p2p_shanghaien.fairplay.match import Match, begin
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Drawn, Game
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.lines import read_shown
from protocol.making.common import Vector, plain, some_bytes
from protocol.making.decks import MACAO
from protocol.making.hellos import GUEST, HOST, guest_hello, host_hello
from tests.toy import Toy

KNOWN: Mapping[str, type[Game[Any]]] = {**RULES, MACAO.NAME: MACAO, Toy.NAME: Toy}
"""The games of the logs: ours, with the decks of the vectors, and the one that only `choices` has."""

OTHER_HANDSHAKE = some_bytes("another handshake")

Decide = Callable[[int, Sequence[str]], str]
"""Chooses one of the legal actions, given the number of the entry that it goes into."""


def at_random(label: str) -> Decide:
    """Any legal action, the same ones for the same label."""
    return lambda number, legal: legal[int.from_bytes(some_bytes(f"{label}/{number}", 4), "big") % len(legal)]


def tricky(label: str) -> Decide:
    """Return a trick wherever one is open, each kind as likely."""
    choose, choose_kind = at_random(label), at_random(f"{label}/kind")

    def decide(number: int, legal: Sequence[str]) -> str:
        kinds = sorted({action[:3].rstrip("<>") for action in legal if action[0] == "!"})
        kind = choose_kind(number, kinds) if kinds else ""
        return choose(number, [action for action in legal if action.startswith(kind)])

    return decide


def without_tricks(label: str) -> Decide:
    """Any legal action that is no trick."""
    choose = at_random(label)
    return lambda number, legal: choose(number, [action for action in legal if action[0] != "!"])


class Played(NamedTuple):
    """A whole game: what its log begins with, its entries, and the match before each and after the last.

    `secrets` are what the two sides derived their shares from.
    """

    opening: bytes
    identities: tuple[Identity, Identity]
    secrets: tuple[bytes, bytes]
    entries: tuple[Entry, ...]
    matches: tuple[Match, ...]

    def log(self, count: int | None = None, *more: Entry | bytes) -> bytes:
        """Return the log of the first `count` entries (None: all), with more entries, or any records, behind them."""
        records = [entry.data for entry in self.entries[:count]]
        records += [item.data if isinstance(item, Entry) else item for item in more]
        return self.opening + b"".join(map(length_prefixed, records))

    def find(self, kind: Kind, seat: int | None = None) -> int:
        """Return the number of the first entry of a kind, by a seat."""
        return next(e.number for e in self.entries if e.kind == kind and seat in (None, e.seat))

    def forge(self, place: int, kind: str, content: Any, /, *, signer: int | None = None, **changes: Any) -> Entry:
        """An entry for the number `place`, in its place unless `changes` to the envelope say otherwise.

        `content` is a value, or bytes as they shall stand there. The state hash is that after the entry where there is
        such a state, else the one before. `signer` is the seat whose key signs, None for the seat that the entry names.
        """
        match = self.matches[place]
        data = content if isinstance(content, bytes) else encode(content)
        envelope = Envelope(
            session=match.session.id,
            number=place,
            parent=match.head,
            seat=match.expected.seat if match.expected else 0,
            handshake=self.entries[0].handshake,
            kind=kind,
            content=data,
            state=_state_after(match, kind, data),
        )._replace(**changes)
        return sign(self.identities[envelope.seat if signer is None else signer], envelope)

    def closed(self, number: int, kind: Kind, content: Any, results: int = 2) -> list[Entry]:
        """Return a closing entry at `number` and the results that follow it."""
        entries = [self.forge(number, kind, content)]
        match = self.matches[number].append(entries[0])
        for _ in range(results):
            entries.append(self.following(match).forge(match.number, Kind.RESULT, match.result))
            match = match.append(entries[-1])
        return entries

    def resignation(self, seat: int, head: bytes, session: bytes | None = None, signer: int | None = None) -> bytes:
        """Return the signature of a resignation."""
        digest = tagged_hash(Tag.RESIGNATION, session or self.matches[0].session.id, seat, head)
        return self.identities[seat if signer is None else signer].sign(digest)

    def offer(self, seat: int, number: int) -> bytes:
        """Return the signature of an offer to abandon."""
        return self.identities[seat].sign(tagged_hash(Tag.OFFER, self.matches[0].session.id, seat, number))

    def revealed(self, place: int, action: str) -> bytes:
        """Return a log in which seat 0 commits to any `action` and reveals it truly, in the entry `place`."""
        number = place - 2
        session, salt = self.matches[0].session, some_bytes("a salt")
        hidden = choice_commitment(session.id, number, session.keys[0], salt, action)
        answer = self.entries[place - 1].content
        match, entries = self.matches[number], list[Entry]()
        for kind, content in ((Kind.CHOICE_COMMIT, encode((hidden,))), (Kind.CHOICE_CONTRIBUTION, answer)):
            entries.append(self.following(match).forge(match.number, kind, content))
            match = match.append(entries[-1])
        return self.log(number, *entries, self.following(match).forge(place, Kind.CHOICE_REVEAL, (action, salt, None)))

    def following(self, match: Match) -> "Played":
        """Return the game with `match` as it stands, so that entries can be forged that follow it."""
        return self._replace(matches=(match,) * (match.number + 1))

    def committed(self, number: int, seat: int, share: bytes) -> bytes:
        """Return a commitment in the entry `number`."""
        return commitment(self.matches[0].session.id, number, self.identities[seat].public, share)


def _state_after(match: Match, kind: str, data: bytes) -> bytes:
    try:
        return match.after(contents.read(kind, data)).state_hash
    except (Illegal, Malformed):
        return match.state_hash


def meet(label: str, identities: tuple[Identity, Identity] = (HOST, GUEST), **changes: Any) -> tuple[bytes, bytes]:
    """Return the hellos of a new game; changes go into the host's."""
    host = host_hello(label, key=identities[0].public, **changes)
    return host.encode(), guest_hello(label, key=identities[1].public).encode()


def proofs(hellos: tuple[bytes, bytes], identities: tuple[Identity, Identity] = (HOST, GUEST)) -> tuple[bytes, bytes]:
    """Return both proofs for a new game."""
    both = Hellos(*hellos)
    head = Head(0, both.session)
    digests = [proof_digest(both.handshake, both.session, seat, head) for seat in (0, 1)]
    return identities[0].sign(digests[0]), identities[1].sign(digests[1])


@cache
def played(
    label: str,
    decide: Decide | None = None,
    settings: tuple[tuple[str, str], ...] | None = None,
    identities: tuple[Identity, Identity] = (HOST, GUEST),
    game: str = "shanghaien",
    *,
    watchable: bool = False,
) -> Played:
    """Return a whole game by two honest peers."""
    hellos = meet(label, identities, game=game, watchable=watchable, **({"settings": settings} if settings else {}))
    session = open_session(hellos, KNOWN)
    handshake = Hellos(*hellos).handshake
    secrets = some_bytes(f"{label}/secret 0"), some_bytes(f"{label}/secret 1")
    endpoints = [Endpoint(begin(session), seat, identities[seat], secret=secrets[seat]) for seat in (0, 1)]
    notes = [Notes(identities[seat], seat, handshake, session.keys[1 - seat]) for seat in (0, 1)]
    started = [(seat, effect) for seat in (0, 1) for effect in endpoints[seat].begin(handshake, notes[seat])]
    _play(endpoints, started, decide or at_random(label))
    entries = tuple(endpoints[0].entries)
    assert entries == tuple(endpoints[1].entries)
    matches = [begin(session)]
    for entry in entries:
        matches.append(matches[-1].append(parse(entry.data)))
    return Played(opening(hellos, proofs(hellos, identities)), identities, secrets, entries, tuple(matches))


def _play(endpoints: Sequence[Endpoint], started: Sequence[tuple[int, Effect]], decide: Decide) -> None:
    tasks = deque(started)
    while tasks:
        seat, effect = tasks.popleft()
        match effect:
            case Send(frame):
                tasks.extend((1 - seat, answer) for answer in endpoints[1 - seat].receive(frame))
            case Ask(state, player):
                action = decide(endpoints[seat].match.number, state.legal(player))
                tasks.extend((seat, answer) for answer in endpoints[seat].act(action))


def standard() -> Played:
    """Return a whole game with the default settings."""
    return played("standard")


def resigned(game: Played) -> bytes:
    """Return a short complete log: seat 0 resigns instead of opening."""
    session = game.matches[0].session.id
    return game.log(0, *game.closed(0, Kind.RESIGNATION, (0, session, game.resignation(0, session))))


def evaluated(
    name: str,
    comment: str,
    data: bytes,
    expected: Verdict,
    reason: str | None = None,
    shown: str = "",
) -> Vector:
    """Return a log, perhaps `shown` with a file of handshakes, and the result of verifying it, which must be
    `expected`.
    """
    report = verify(data, KNOWN, read_shown(shown.encode()))
    if (report.verdict, report.reason) != (expected, reason):
        raise AssertionError(f"{name}: {report.verdict} {report.reason}")
    vector: Vector = {
        "id": name,
        "comment": comment,
        "log": data.hex(),
        **({"handshakes": shown} if shown else {}),
        "verdict": str(expected),
        "exit": report.exit_code,
        "reason": reason,
        "entry": report.number,
        "seat": report.violator,
        "awaiting": list(report.awaited),
        "truncated": report.truncated,
        "damaged": report.damaged,
    }
    match = report.match
    if match is None:
        return vector
    return {
        **vector,
        "session": match.session.id.hex(),
        "game": match.session.game.NAME,
        "rules": match.session.game.RULES_VERSION,
        "settings": plain(match.session.game.settings),
        "names": list(match.session.names),
        "keys": [key.hex() for key in match.session.keys],
        "one_key": match.session.keys[0] == match.session.keys[1],
        "sound": match.number,
        "head": match.head.hex(),
        "first": match.first,
        "indices": [list(step.indices) for step in report.steps if isinstance(step, Drawn)],
        "result": plain(match.result) if match.ending else None,
    }
