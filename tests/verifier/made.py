"""Logs for both verifiers: fresh games that end in every way, and what an opponent or a disk could make of them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final, NamedTuple

from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.contents import Kind
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.hello import MAX_HELLO, Head, Hellos, proof_digest
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import begin
from p2p_shanghaien.fairplay.phases import Act
from p2p_shanghaien.fairplay.transcript import MAGIC, length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import KeptHandshake
from p2p_shanghaien.games.api import Chance, Game
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.store.lines import handshake_lines
from protocol.making.decks import CHOICES, DATA, OTHER, SHORT_DIGEST
from protocol.making.table import KNOWN, Played, meet, proofs
from tests.cheater import words
from tests.pair import Pair, make_pair


class Case(NamedTuple):
    """A log to verify, the data that are there, and the handshakes that are shown with it."""

    label: str
    log: bytes
    data: Mapping[str, bytes]
    shown: str = ""


class Fresh(NamedTuple):
    """A game between two honest peers, as a case and as forgers need it."""

    case: Case
    played: Played


def any_game(rng: Random) -> Game[Any]:
    """Return a game with any settings."""
    cut = sorted(rng.randrange(9) for _ in range(2))
    games: tuple[Game[Any], ...] = (
        Shanghaien(rng.choice(("standard", "extra-wild")), (cut[0], cut[1] - cut[0], 8 - cut[1])),
        Halunken(rng.choice(("on", "on", "off")), rng.choice("113"), rng.choice(("takes", "may"))),
        rng.choice((Macao(), OTHER)),
    )
    return rng.choice(games)


# fresh games


def fresh(rng: Random, longest: int = 1000) -> Fresh:
    """Return the log of a game of at most so many entries, or a few more, whole or as far as it was played.

    Peers play at random or greedily; they resign, offer to abandon, lose connections and restore backups.
    """
    game = any_game(rng)
    pair = make_pair(rng, game, KNOWN, identities=_identities(rng))
    shown = _play(pair, rng, rng.choice((longest, rng.randrange(longest), min(longest, 60))))
    if rng.random() < 0.3:
        pair.resign(rng.randrange(2))
        pair.settle()
    side = rng.choice(pair.sides)
    log = side.log
    if rng.random() < 0.2:
        log = log[: rng.randrange(len(side.log))]
    case = Case(f"fresh {game.NAME} {game.settings}", log, DATA, handshake_lines(shown).decode())
    return Fresh(case, _played(pair))


def _identities(rng: Random) -> tuple[Identity, Identity]:
    """Return the keys of both seats, which are rarely the same."""
    host, guest = Identity(rng.randbytes(32)), Identity(rng.randbytes(32))
    return host, rng.choice((host, *[guest] * 9))


def _play(pair: Pair, rng: Random, longest: int) -> list[KeptHandshake]:
    """Play to the end, or until there are so many entries; return the handshakes of later connections."""
    name = pair.sides[0].endpoint.match.session.game.NAME
    players = [computer_player(name, rng.choice(("random", "greedy"))) for _ in range(2)]
    shown: list[KeptHandshake] = []
    pair.settle()
    while len(pair.sides[0].endpoint.entries) < longest:
        seat = next((seat for seat in (0, 1) if pair.sides[seat].asked), None)
        if seat is None:
            break
        asked, endpoint, other = pair.sides[seat].asked, pair.sides[seat].endpoint, pair.sides[1 - seat].endpoint
        assert asked is not None
        match rng.choices(("act", "resign", "offer", "cut", "restore"), (90, 0.3, 2, 2, 1))[0]:
            case "resign":
                pair.resign(rng.randrange(2))
            case "offer" if other.refusal(Act.OFFER) is None:
                pair.carry_out(1 - seat, other.offer())
                pair.settle()
                if rng.random() < 0.1 and endpoint.refusal(Act.ACCEPT) is None:
                    pair.sides[seat].asked = None
                    pair.carry_out(seat, endpoint.accept())
            case "cut":
                pair.resume(rng)
                shown += _kept(pair)
            case "restore":
                pair.restart(rng.randrange(2), rng.randrange(len(endpoint.entries) + 1))
                pair.resume(rng)
                shown += _kept(pair)
            case _:
                pair.act(seat, players[seat](asked.state, asked.player, rng))
        pair.settle()
    return shown


def _kept(pair: Pair) -> list[KeptHandshake]:
    return [KeptHandshake(met.hellos, met.proofs, met.theirs) for met in pair.established]


def _played(pair: Pair) -> Played:
    """Return the game for forgers."""
    side = pair.sides[0]
    log = read(side.log)
    matches = [begin(side.endpoint.match.session)]
    for entry in side.endpoint.entries:
        matches.append(matches[-1].append(parse(entry.data)))
    secrets = (pair.sides[0].secret, pair.sides[1].secret)
    return Played(
        opening(log.hellos, log.proofs), pair.identities, secrets, tuple(side.endpoint.entries), tuple(matches)
    )


def disputed(rng: Random, longest: int = 60) -> Case:
    """Return a fork with handshakes that may rebut it: a peer restores a backup, and the other says it has no more."""
    game = any_game(rng)
    pair = make_pair(rng, game, KNOWN, identities=_identities(rng))
    shown = _play(pair, rng, rng.randrange(8, longest))
    seat, signed = rng.randrange(2), list(pair.sides[0].endpoint.entries)
    kept = rng.randrange(len(signed) + 1)
    pair.restart(seat, kept)
    pair.restart(1 - seat, kept + rng.choice((0, 0, 1, 2)))
    pair.resume(rng)
    shown += _kept(pair)
    shown += _play(pair, rng, longest)
    accusation = rng.choice(pair.sides).log + length_prefixed(rng.choice(signed).data)
    text = handshake_lines(rng.sample(shown, rng.randrange(len(shown) + 1))).decode()
    if rng.random() < 0.3:
        text = _damaged_text(text, rng)
    return Case(f"disputed {game.NAME}", accusation, DATA, text)


def _damaged_text(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return (
        text[:at]
        + rng.choice(("", " ", "\n", "0", "A", '"', "1e3", "\r\n", "null", "\ufeff"))
        + text[at + rng.randrange(3) :]
    )


# damaged files


def damaged(case: Case, others: Sequence[Fresh], rng: Random) -> Case:
    """Return a log as a disk, or somebody without a key, could have made it."""
    name, damage = rng.choice(_DAMAGES)
    log = case.log
    for _ in range(rng.choice((1, 1, 2))):
        log = damage(log, others, rng)
    return case._replace(label=f"{name}: {case.label}", log=log)


def _flipped(log: bytes, _: Sequence[Fresh], rng: Random) -> bytes:
    data = bytearray(log)
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _cut(log: bytes, _: Sequence[Fresh], rng: Random) -> bytes:
    return log[: rng.randrange(len(log) + 1)]


def _appended(log: bytes, _: Sequence[Fresh], rng: Random) -> bytes:
    return log + rng.choice(
        (bytes(4), b"\0\0\1", length_prefixed(rng.randbytes(40)), length_prefixed(bytes(1025)), b"\xff" * 5)
    )


def _records(change: Callable[[list[bytes], list[bytes], Random], None]) -> Callable[..., bytes]:
    """Return what changes the records of a log, the opening record the first; `change` is given another log's, too."""

    def changed(log: bytes, others: Sequence[Fresh], rng: Random) -> bytes:
        records, foreign = _split(log), _split(rng.choice(others).case.log)
        if records and foreign:
            change(records, foreign, rng)
        return MAGIC + b"".join(map(length_prefixed, records))

    return changed


def _split(log: bytes) -> list[bytes]:
    """Return the whole records behind the first bytes of a log that was not damaged, or not much."""
    records, at = [], len(MAGIC)
    while at + 4 <= len(log):
        end = at + 4 + int.from_bytes(log[at : at + 4], "big")
        if end > len(log):
            break
        records.append(log[at + 4 : end])
        at = end
    return records


def _drop(records: list[bytes], _: list[bytes], rng: Random) -> None:
    records.pop(rng.randrange(len(records)))


def _swap(records: list[bytes], _: list[bytes], rng: Random) -> None:
    one, other = rng.randrange(len(records)), rng.randrange(len(records))
    records[one], records[other] = records[other], records[one]


def _repeat(records: list[bytes], _: list[bytes], rng: Random) -> None:
    records.insert(rng.randrange(len(records) + 1), rng.choice(records))


def _splice(records: list[bytes], foreign: list[bytes], rng: Random) -> None:
    at, other = rng.randrange(len(records)), rng.randrange(len(foreign))
    records[at : at + rng.randrange(2)] = foreign[other : other + rng.randrange(1, 4)]


def _exchange_opening(records: list[bytes], foreign: list[bytes], _: Random) -> None:
    records[0] = foreign[0]


_DAMAGES: Final[tuple[tuple[str, Callable[[bytes, Sequence[Fresh], Random], bytes]], ...]] = (
    ("flipped", _flipped),
    ("flipped", _flipped),
    ("cut", _cut),
    ("appended", _appended),
    ("dropped", _records(_drop)),
    ("swapped", _records(_swap)),
    ("repeated", _records(_repeat)),
    ("spliced", _records(_splice)),
    ("opening of another", _records(_exchange_opening)),
)


# what a cheater signs

_OPEN_DECISIONS: Final = (Kind.ACTION, Kind.CHOICE_CONTRIBUTION)


def cheated(made: Fresh, rng: Random) -> Case:
    """Return a log in which a peer signs with its own key what it should not have, and honest entries may follow."""
    played = made.played
    last = len(played.entries)
    cheat = rng.choice(_CHEATS)
    places = [entry.number for entry in played.entries if cheat is not _other_decision or entry.kind in _OPEN_DECISIONS]
    place = rng.choice((*(places and [rng.choice(places)] * 3), max(0, last - rng.randrange(4)), last))
    name, entry = cheat(played, place, rng)
    # with the genuine entry before it, it is a fork
    kept = rng.randint(place, last) if rng.random() < 0.2 else place
    log = played.log(kept, entry, *played.entries[kept : kept + rng.randrange(3)])
    return made.case._replace(label=f"cheated, {name}, entry {place}: {made.case.label}", log=log)


def _genuine(played: Played, place: int) -> Entry:
    return played.entries[min(place, len(played.entries) - 1)]


def _other_content(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    genuine = _genuine(played, place)
    content = list(words(genuine))
    at = rng.randrange(len(content))
    match rng.randrange(10):
        case 0:
            content.pop(at)
        case 1:
            content.append(rng.choice((None, 0, b"", "")))
        case 2:
            content.reverse()
        case _:
            content[at] = _other(content[at], played, place, rng)
    return "other content", played.forge(place, genuine.kind, tuple(content))


def _other(value: Any, played: Played, place: int, rng: Random) -> Any:
    """Return another value than an item of a content, often a plausible one."""
    match value:
        case bytes():
            return rng.choice((rng.randbytes(len(value)), value[:-1], value + b"\0", None, value.hex(), b""))
        case str():
            return _other_action(value, played, place, rng)
        case bool() | int():
            return rng.choice((value + 1, value - 1, 1 - value, bool(value), None, str(value), 2**63, -(2**63)))
        case tuple():
            return rng.choice((value[::-1], value[:1], (), tuple(_other(item, played, place, rng) for item in value)))
    return rng.choice((rng.randbytes(32), rng.randbytes(31), 0, False, 1, "", (), played.matches[place].head))


def _other_action(action: str, played: Played, place: int, rng: Random) -> str:
    match = played.matches[place]
    legal = [action for player in (0, 1) for action in match.state.legal(player)]
    said = [str(words(entry)[0]) for entry in played.entries if entry.kind in _OPEN_DECISIONS]
    at = rng.randrange(len(action) + 1)
    changed = (
        action[:at] + rng.choice(("", "0", "1", "+", "=", ":", "a", "-", " ", "é")) + action[at + rng.randrange(2) :]
    )
    return rng.choice(
        (rng.choice(legal or [""]), rng.choice(legal or [""]), rng.choice(said or [""]), changed, action * 9)
    )


def _other_decision(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    """Return a decision in its place that is often forbidden, with everything else as it should be."""
    match, genuine = played.matches[place], _genuine(played, place)
    if genuine.kind not in _OPEN_DECISIONS or place == len(played.entries):
        return _other_content(played, place, rng)
    action, *carried = words(genuine)
    other = _other_action(action, played, place, rng)
    if genuine.kind == Kind.ACTION and other in match.state.legal(match.player(genuine.seat)):
        draws = isinstance(match.state.apply(other).node, Chance)
        carried = [rng.randbytes(32) if draws else None]
    return f"decision {other}", played.forge(place, genuine.kind, (other, *carried))


def _other_bytes(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    """Return an entry whose content holds no canonical value, or any."""
    genuine = _genuine(played, place)
    data = bytearray(genuine.content)
    match rng.randrange(4):
        case 0:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 1:
            del data[rng.randrange(len(data)) :]
        case 2:
            data += rng.randbytes(rng.randrange(1, 4))
        case _:
            data = bytearray(encode(_deep(rng.randrange(1, 12))))
    return "other bytes", played.forge(place, genuine.kind, bytes(data))


def _deep(depth: int) -> Any:
    value: Any = ()
    for _ in range(depth - 1):
        value = (value,)
    return value if depth <= 8 else "deep"


def _other_kind(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    genuine, other = _genuine(played, place), rng.choice(played.entries)
    kind = rng.choice((*Kind, Kind.RESULT, "cheat", "", "é"))
    return f"kind {kind}", played.forge(place, kind, rng.choice((genuine, other)).content)


def _other_place(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    genuine = _genuine(played, place)
    match = played.matches[place]
    field, values = rng.choice(
        (
            ("session", (rng.randbytes(32), match.session.id[:31])),
            ("number", (place + 1, place - 1, 2**32, 2**64 - 1, True)),
            ("parent", (rng.randbytes(32), match.session.id, match.head)),
            ("seat", (1 - genuine.seat, 2, bool(genuine.seat))),
            ("handshake", (rng.randbytes(32), rng.randbytes(33))),
            ("state", (rng.randbytes(32), match.state_hash, played.matches[0].state_hash)),
        )
    )
    signer = rng.randrange(2)
    return f"other {field}", played.forge(
        place, genuine.kind, genuine.content, signer=signer, **{field: rng.choice(values)}
    )


def _closing(played: Played, place: int, rng: Random) -> tuple[str, Entry]:
    """Return a resignation or an abandonment, with a signature that often holds."""
    seat, signer, number = rng.randrange(2), rng.randrange(2), rng.choice((place, place, place + 1))
    head = rng.choice(
        (rng.choice(played.matches[: place + 1]).head, rng.choice(played.matches).head, rng.randbytes(32))
    )
    content: tuple[Any, ...]
    if rng.random() < 0.5:
        content = (rng.choice((seat, seat, 2)), head, played.resignation(seat, head, signer=rng.choice((seat, signer))))
        return "resignation", played.forge(place, Kind.RESIGNATION, content)
    return "abandonment", played.forge(place, Kind.ABANDONMENT, (played.offer(seat, number),))


_CHEATS: Final[tuple[Callable[[Played, int, Random], tuple[str, Entry]], ...]] = (
    _other_content,
    _other_content,
    _other_decision,
    _other_decision,
    _other_bytes,
    _other_kind,
    _other_place,
    _other_place,
    _closing,
)


# openings that both signed


def agreed_otherwise(made: Fresh, rng: Random) -> Case:
    """Return a log with hellos in which something is otherwise, signed by both, and no entries or those of the game."""
    genuine: list[Any] = [decode(data, MAX_HELLO) for data in read(made.played.opening).hellos]
    hellos = [list(hello) for hello in genuine]
    changes = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        seat = rng.choice((0, 0, 1))
        field, value = rng.choice(_hello_changes(genuine, seat, rng))
        hellos[seat][field] = value
        changes.append(f"{seat}.{field} = {value!r}")
    host, guest = (encode(_tuples(hello)) for hello in hellos)
    both = Hellos(host, guest)
    digests = [proof_digest(both.handshake, both.session, seat, Head(0, both.session)) for seat in (0, 1)]
    first, second = (key.sign(digest) for key, digest in zip(made.played.identities, digests, strict=True))
    begun = opening((host, guest), (first, second))
    return made.case._replace(
        label=f"agreed otherwise: {changes}", log=begun + made.case.log[len(made.played.opening) :][:400]
    )


def _hello_changes(hellos: Sequence[Sequence[Any]], seat: int, rng: Random) -> list[tuple[int, Any]]:
    """Return possible changes of a hello, each as the place of an item and its new value."""
    hello = hellos[seat]
    settings = [list(setting) for setting in hello[7]]
    shuffled = rng.sample(settings, len(settings))
    texts = (
        "",
        "A" * 33,
        "A" * 32,
        "a\u0301",
        "\u0007",
        "\u202e",
        " A ",
        "A\n",
        "\ufeffA",
        "é",
        "\U000e0001",
        "\u0378",
    )
    words_ = (
        *texts,
        "on",
        "off",
        "1",
        "3",
        "takes",
        "may",
        "standard",
        "p3 b3 r2",
        "p9 b0 r0",
        "p03 b3 r2",
        "p4 b3 r2",
    )
    decks = ("reconstruction-1", SHORT_DIGEST, OTHER.deck, "0" * 64, OTHER.deck.upper())
    changed = [list(setting) for setting in settings]
    if changed:
        changed[rng.randrange(len(changed))][rng.choice((0, 1, 1, 1))] = rng.choice(
            (*words_, *decks, None, 1, "a" * 65)
        )
    return [
        (0, rng.choice(([], [0], [65536], [65535], [2], [1] * 33, [1] * 32, [True], 1))),
        (1, rng.choice((0, 1, 2, bool(seat), None))),
        (2, rng.choice((rng.randbytes(32), rng.randbytes(31), hellos[1 - seat][2], ""))),
        (3, rng.choice((rng.randbytes(32), bytes(32), b"\1" + bytes(31), b"\xff" * 32, hellos[1 - seat][3]))),
        (4, rng.choice((*texts, None, 1))),
        (5, rng.choice((None, "shanghaien", "halunken", "macao", "toy", "", "constructor", "a" * 65))),
        (6, rng.choice((None, 0, 1, 2, 65535, 65536, True))),
        (7, rng.choice((changed, shuffled, settings[1:], [*settings, *settings], [*settings, ["a", "b"]], [], None))),
        (7, changed),
        (8, rng.choice((rng.randbytes(32), rng.randbytes(31), "", False))),
        (9, rng.choice((True, None, 0))),
        (10, rng.choice((True, None, 1))),
        (11, rng.choice((rng.randbytes(32), rng.randbytes(33), None))),
    ]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


# decks

_DECK_TEXTS: Final = ("", "a", "w", "d", "x", "aa", "wa", "aw", "awmj", "aaaaaaa", "é", "blue 6", "kinds 6", "casino")


def named_deck(rng: Random) -> Case:
    """Return a log without entries of Shadows of Macao, and bytes for its deck that may be none."""
    content = _other_deck(rng)
    digest = sha256(content).hexdigest()
    hellos = meet("a deck", game="macao", settings=(("deck", digest),))
    return Case(f"deck {content!r}", opening(hellos, proofs(hellos)), {digest: content})


def _other_deck(rng: Random) -> bytes:
    deck = json.loads(CHOICES.canonical())
    _, _, cards, tiles = deck
    for _ in range(rng.choice((1, 1, 2))):
        entries = rng.choice((cards, cards, tiles))
        entry = rng.choice(entries)
        at = rng.randrange(len(entry))
        match rng.randrange(10), entry[at]:
            case 0, _:
                entry.pop(at)
            case 1, _:
                entries.append(list(entry))
            case 2, _:
                deck[rng.randrange(len(deck))] = rng.choice(
                    ("macao-cards-2", "aawm", "awdj", "jmwa", "aw", [], None, 1)
                )
            case ((3 | 4 | 5), int() as number):
                entry[at] = number + rng.choice((-1, 1, 1.5, 20))
            case ((3 | 4 | 5), str() as text):
                entry[at] = rng.choice((text[::-1], f"{text}1", f"{text}0", text[:1] + text, text[1:], text.upper()))
            case _:
                entry[at] = rng.choice((*_DECK_TEXTS, None, True, -9, -10, 0, 20, 21, 45))
    copies = [card for card in cards if len(card) == 8 and card[1] != "widow" and isinstance(card[6], int)]
    if rng.random() < 0.5 and isinstance(deck[2], list):
        # as many characters as there must be, so that their number is not the only error
        rng.choice(copies)[6] += 45 - sum(card[6] for card in copies)
    content = json.dumps(deck, separators=(",", ":"), ensure_ascii=rng.random() < 0.9).encode()
    if rng.random() < 0.1:
        at = rng.randrange(len(content))
        content = content[:at] + rng.choice((b" ", b"0", b"\n", b".0", b"\xff", b"")) + content[at:][rng.randrange(2) :]
    return content


# all together


def mutated(rng: Random) -> Iterator[Case]:
    """Yield logs that are seldom sound, without end: of short games, which take little time."""
    while True:
        bases = [fresh(rng, longest=rng.choice((12, 30, 60))) for _ in range(4)]
        bases = [base for base in bases if base.played.entries]
        for base in bases:
            yield damaged(base.case, bases, rng)
            yield cheated(base, rng)
            yield cheated(base, rng)
            yield damaged(cheated(base, rng), bases, rng)
            yield agreed_otherwise(base, rng)
        yield named_deck(rng)
        yield disputed(rng)
        yield damaged(disputed(rng), bases, rng)
