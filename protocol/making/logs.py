"""Vectors of SPEC sections 5, 8 and 9: whole logs, at least one for each verdict and each reason."""

from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.fairplay.hello import Head, Hellos, proof_digest
from p2p_shanghaien.fairplay.transcript import MAGIC, length_prefixed, opening
from p2p_shanghaien.fairplay.verify import Verdict
from protocol.making.common import Vector, some_bytes
from protocol.making.hellos import GUEST, HOST, guest_hello, host_hello
from protocol.making.moves import unlawful
from protocol.making.table import (
    OTHER_HANDSHAKE,
    Played,
    evaluated,
    meet,
    played,
    proofs,
    resigned,
    standard,
    tricky,
    without_tricks,
)
from protocol.making.violations import closing_offences, forks, rebuttals, violations

_EXTRA = (("variant", "extra-wild"), ("tricks", "p2 b3 r3"))
_EXTRA_LABEL = "extra-wild 732"
"""One of few whose game has every effect of a trick and jokers as well."""


def extra_wild() -> Played:
    """Return a whole game of the variant, in which tricks are played for every effect and as jokers."""
    return played(_EXTRA_LABEL, tricky(_EXTRA_LABEL), _EXTRA)


_DRAWN_LABEL = "drawn 297"
"""One of few that ends in a draw, with tricks left over by both, `w` among them, and with crews of equal strength.

At one place a player has one die left. Player 0 sits at seat 1, and who called the last Shanghai had started the round,
unlike in the other whole games.
"""


def drawn() -> Played:
    """Return a whole game of the variant in which no trick is played, with an end that needs every rule of scoring."""
    return played(_DRAWN_LABEL, without_tricks(_DRAWN_LABEL), _EXTRA)


def logs() -> Iterator[Vector]:
    """Yield every log with what verification must say of it."""
    yield from _sound()
    yield from violations()
    yield from unlawful((extra_wild(), standard(), drawn()))
    yield from closing_offences()
    yield from forks()
    yield from rebuttals()
    yield from _misfits()
    yield from _invalid_files()
    yield from _unchecked_hellos()
    yield from _refused_hellos()
    yield from _unsupported()


def _sound() -> Iterator[Vector]:
    game, extra = standard(), extra_wild()
    complete, decided, incomplete = Verdict.COMPLETE, Verdict.DECIDED, Verdict.INCOMPLETE
    for name, comment, whole in (
        ("complete", "a whole game, both signed the result", game),
        ("complete-extra-wild", "a whole game of the variant, with every kind of trick", extra),
        ("complete-drawn", "a draw, with equal crews and tricks left over; player 0 sits at seat 1", drawn()),
    ):
        secrets = [secret.hex() for secret in whole.secrets]
        yield {**evaluated(name, comment, whole.log(), complete), "secrets": secrets}
    yield evaluated("complete-torn", "a truncated tail behind a short log", resigned(game) + b"\0\0\1", complete)
    yield evaluated("complete-resigned", "the seat whose entry is expected resigns", resigned(game), complete)
    action = game.find(Kind.ACTION)
    owing = game.entries[action].seat
    for name, comment, head in (
        ("complete-resigned-other", "the other seat's resignation, embedded", game.matches[action].head),
        ("complete-resigned-earlier-head", "its signer knew fewer entries", game.matches[1].head),
        ("complete-resigned-no-head", "its signer knew no entry", game.matches[0].head),
    ):
        content = (1 - owing, head, game.resignation(1 - owing, head))
        yield evaluated(name, comment, game.log(action, *game.closed(action, Kind.RESIGNATION, content)), complete)
    abandoned = game.closed(0, Kind.ABANDONMENT, (game.offer(1, 0),))
    yield evaluated("complete-abandoned-at-once", "in place of the opening", game.log(0, *abandoned), complete)
    abandoned = game.closed(1, Kind.ABANDONMENT, (game.offer(0, 1),))
    yield evaluated("complete-abandoned-for-share", "in place of a share", game.log(1, *abandoned), complete)
    reveal = game.find(Kind.DRAW_REVEAL)
    content = (1, game.matches[2].head, game.resignation(1, game.matches[2].head))
    closed = game.closed(reveal, Kind.RESIGNATION, content)
    yield evaluated("complete-resigned-for-reveal", "in place of a reveal", game.log(reveal, *closed), complete)
    abandoned = game.closed(action, Kind.ABANDONMENT, (game.offer(1 - owing, action),))
    yield evaluated("complete-abandoned", "abandoned by consent", game.log(action, *abandoned), complete)
    one_key = played("one key", identities=(HOST, HOST))
    yield evaluated("complete-one-key", "both seats have one key", resigned(one_key), complete)
    later = game.forge(1, Kind.DRAW_CONTRIBUTION, (some_bytes("later share"),), handshake=OTHER_HANDSHAKE)
    yield evaluated(
        "incomplete-resumed", "an entry that was made under another handshake", game.log(1, later), incomplete
    )
    for count in range(6):
        yield evaluated(f"incomplete-{count}", f"{count} entries", game.log(count), incomplete)
    truncated = game.log(3)[:-5]
    yield evaluated("incomplete-torn", "the last entry was not written whole", truncated, incomplete)
    yield evaluated(
        "incomplete-torn-length", "there is half a length of the next entry", game.log(2) + b"\0\0", incomplete
    )
    for results, comment in ((0, "nobody signed the result"), (1, "seat 1 did not sign the result")):
        closed = game.closed(action, Kind.ABANDONMENT, (game.offer(1 - owing, action),), results)
        yield evaluated(f"decided-{results}", comment, game.log(action, *closed), decided)


def _misfits() -> Iterator[Vector]:
    """Yield entries that are malformed or out of place: they prove no violation."""
    game = standard()
    entries = game.entries
    share = (some_bytes("a share"),)
    tampered = bytearray(entries[1].data)
    tampered[-1] ^= 1
    parted = game.forge(1, "draw_contribution", share, parent=some_bytes("a parent"))
    skipping = game.forge(1, "draw_contribution", share, number=2)
    again = game.forge(0, "draw_contribution", share, seat=1)
    out_of_turn = game.forge(1, "draw_contribution", share, seat=0)
    forged = game.forge(1, "draw_contribution", share, signer=0)
    elsewhere = game.forge(1, "draw_contribution", share, session=some_bytes("a session"))
    cases: tuple[tuple[str, str, str, bytes], ...] = (
        ("entry-garbage", "bytes that are no value", "not_canonical", game.log(1, b"\xc1")),
        ("entry-no-array", "a value that is no entry", "not_an_entry", game.log(1, b"\x07")),
        ("other-session", "of another session", "wrong_session", game.log(0, played("copied").entries[0])),
        ("other-session-alone", "of another session, else in its place", "wrong_session", game.log(1, elsewhere)),
        ("other-session-again", "an old number, of another session", "wrong_session", game.log(2, elsewhere)),
        ("number-skipped", "a number too many", "wrong_number", game.log(1, skipping)),
        ("entry-missing", "an entry is missing", "wrong_number", game.log(1, entries[2])),
        ("entry-first-missing", "the first entry is missing", "wrong_number", game.log(0, entries[1])),
        ("entries-swapped", "two entries in the wrong order", "wrong_number", game.log(0, entries[1], entries[0])),
        ("entry-twice", "an entry that is there already", "wrong_number", game.log(2, entries[1])),
        ("number-again", "an old number, by the other seat", "wrong_number", game.log(2, again)),
        ("parent", "another parent", "wrong_parent", game.log(1, parted)),
        ("parent-again", "an old number with another parent", "wrong_number", game.log(2, parted)),
        ("seat", "out of turn, truly signed", "wrong_seat", game.log(1, out_of_turn)),
        ("signature-other", "signed by the other seat's key", "bad_signature", game.log(1, forged)),
        ("signature-flipped", "a bit of the signature flipped", "bad_signature", game.log(1, bytes(tampered))),
        ("fork-unsigned", "a fork that its maker did not sign", "wrong_number", game.log(2, forged)),
        ("then-length-0", "what follows is not looked at", "wrong_number", game.log(1, skipping) + bytes(4)),
        ("after-the-end", "an entry after both results", "entry_after_the_end", _past_the_end(game)),
    )
    for name, comment, reason, data in cases:
        yield evaluated(name, comment, data, Verdict.INVALID_FILE, reason)


def _past_the_end(game: Played) -> bytes:
    """Return a short complete log with one result more."""
    session = game.matches[0].session.id
    ended = game.closed(0, Kind.RESIGNATION, (0, session, game.resignation(0, session)))
    match = game.matches[0]
    for entry in ended:
        match = match.append(entry)
    after = game._replace(matches=(match,) * (match.number + 1))
    return game.log(0, *ended, after.forge(match.number, "result", ("resigned", None, 1)))


def _invalid_files() -> Iterator[Vector]:
    """Files that are no logs, and openings that do not hold."""
    game = standard()
    hellos = meet("standard")
    signed = proofs(hellos)
    data = game.log(1)
    cases: tuple[tuple[str, str, bytes, str], ...] = (
        ("empty", "nothing", b"", "not_a_log"),
        ("magic-cut", "half a magic word", MAGIC[:5], "not_a_log"),
        ("magic-lf", "line ends were changed on the way", data.replace(b"\r\n", b"\n", 1), "not_a_log"),
        ("magic-version", "a later format", data.replace(b"SHLOG\1", b"SHLOG\2", 1), "not_a_log"),
        ("record-text", "a text record", b'[Game "shanghaien"]\n', "not_a_log"),
        ("magic-alone", "nothing behind the magic word", MAGIC, "log_without_opening"),
        ("opening-cut", "an opening that breaks off", game.log(0)[:-1], "log_without_opening"),
        ("length-0", "a record of no bytes", game.log(1) + bytes(4), "bad_record_length"),
        ("length-1025", "a record too long", game.log(1) + length_prefixed(bytes(1025)), "bad_record_length"),
        ("length-huge", "a length beyond all measure", game.log(1) + b"\xff" * 8, "bad_record_length"),
        ("opening-huge", "an opening too long", MAGIC + length_prefixed(bytes(2193)), "bad_record_length"),
        ("opening-garbage", "an opening that is no value", MAGIC + length_prefixed(b"\xc1"), "bad_opening"),
        (
            "opening-three",
            "no proof of the guest",
            MAGIC + length_prefixed(encode((*hellos, signed[0]))),
            "bad_opening",
        ),
        (
            "opening-nil-proof",
            "nil for a proof",
            MAGIC + length_prefixed(encode((*hellos, signed[0], None))),
            "bad_opening",
        ),
        ("opening-short-proof", "a proof of 63 bytes", opening(hellos, (signed[0], signed[1][:63])), "bad_opening"),
        ("hello-garbage", "a hello that is no value", opening((b"\xc1", hellos[1]), signed), "not_canonical"),
        ("hello-swapped", "the guest's hello first", opening(hellos[::-1], signed), "wrong_role"),
        ("proofs-swapped", "the guest's proof first", opening(hellos, signed[::-1]), "bad_proof"),
        ("proof-other", "a proof for other hellos", opening(hellos, (signed[0], proofs(meet("x"))[1])), "bad_proof"),
    )
    for name, comment, log, reason in cases:
        yield evaluated(name, comment, log, Verdict.INVALID_FILE, reason)
    yield _opened("setting-order", "settings in another order", "bad_setting", settings=_EXTRA[::-1])
    yield _opened("setting-missing", "a setting missing", "bad_setting", settings=_EXTRA[:1])
    spelled = (("variant", "standard"), ("tricks", "p3,b3,r2"))
    yield _opened("setting-spelling", "another spelling", "bad_setting", settings=spelled)
    yield _opened("setting-unknown", "a setting more", "bad_setting", settings=(*_EXTRA, ("dice", "7")))
    for name, at in (("setting-name-1", 0), ("setting-name-2", 1)):
        named = tuple(
            ("dice", value) if number == at else (known, value) for number, (known, value) in enumerate(_EXTRA)
        )
        yield _opened(name, "a setting of another name", "bad_setting", settings=named)
    yield _opened("variant-unknown", "no such variant", "bad_setting", settings=(("variant", "x"), _EXTRA[1]))
    yield _opened("tricks-sum", "nine trick cards", "bad_setting", settings=(_EXTRA[0], ("tricks", "p3 b3 r3")))
    neutral = b"\1" + bytes(31)
    yield _opened("refused-key", "the neutral point for a key", "refused_key", key=neutral)
    session = some_bytes("session")
    both = host_hello(resumes=session).encode(), guest_hello(resumes=session).encode()
    digests = [proof_digest(Hellos(*both).handshake, session, seat, Head(0, session)) for seat in (0, 1)]
    data = opening(both, (HOST.sign(digests[0]), GUEST.sign(digests[1])))
    yield evaluated("opening-resumed", "the hellos of a resumed game", data, Verdict.INVALID_FILE, "bad_opening")
    for name, comment, half in (
        ("opening-resumed-new", "the same, with the proofs of a new game", both),
        ("opening-resumed-by-host", "the host alone resumes", (both[0], guest_hello().encode())),
        ("opening-resumed-by-guest", "the guest alone resumes", (host_hello().encode(), both[1])),
    ):
        yield evaluated(name, comment, opening(half, proofs(half)), Verdict.INVALID_FILE, "bad_opening")
    nonce = some_bytes("one nonce")
    mirrored = host_hello(nonce=nonce).encode(), guest_hello(nonce=nonce).encode()
    data = opening(mirrored, proofs(mirrored))
    yield evaluated("nonces", "both hellos have one nonce", data, Verdict.INVALID_FILE, "reflected_nonce")


def _opened(name: str, comment: str, reason: str, /, **changes: Any) -> Vector:
    """Return a log without entries whose host's hello has `changes`."""
    hellos = host_hello(name)._replace(**changes).encode(), guest_hello(name).encode()
    return evaluated(name, comment, opening(hellos, proofs(hellos)), Verdict.INVALID_FILE, reason)


def _unchecked_hellos() -> Iterator[Vector]:
    """Hellos that no peer would have gone on with, which is not for a verifier to say (SPEC 9.1)."""
    for name, comment, host, guest in (
        ("insisting", "the guest insists on another variant", {}, {"settings": (("variant", "extra-wild"),)}),
        ("insisting-game", "the guest insists on another game", {}, {"game": "halunken"}),
        ("insisting-rules", "the guest insists on other rules", {}, {"rules": 2}),
        ("guest-private", "the guest says private", {}, {"private": True}),
        ("versions-2", "both say version 2 alone", {"versions": (2,)}, {"versions": (2,)}),
        ("versions-1-2", "both say versions 1 and 2", {"versions": (1, 2)}, {"versions": (1, 2)}),
        ("versions-twice", "a version twice", {"versions": (1, 1)}, {}),
        ("not-normal", "a name that is not in NFC", {"name": "Rene\u0301"}, {}),
        ("not-visible", "a name that nobody sees", {"name": "\u0301"}, {}),
    ):
        hellos = host_hello(name, **host).encode(), guest_hello(name, **guest).encode()
        yield evaluated(f"hellos-{name}", comment, opening(hellos, proofs(hellos)), Verdict.INCOMPLETE)


def _refused_hellos() -> Iterator[Vector]:
    for name, comment, reason, changes in (
        ("versions-33", "33 versions", "not_a_hello", {"versions": tuple(range(1, 34))}),
        ("name-bom", "U+FEFF at the beginning of a name", "bad_name", {"name": "\ufeffHanna"}),
        ("name-16", "a name that Unicode 16 composes", "bad_name", {"name": "\U000105d2\u0307"}),
        ("name-15", "a name that Unicode 15 reorders", "bad_name", {"name": "b\u0301\U00010efd"}),
    ):
        yield _opened(f"hellos-{name}", comment, reason, **changes)


def _unsupported() -> Iterator[Vector]:
    """UNSUPPORTED says nothing of what comes later in the order of SPEC 9.1."""
    unknown: dict[str, Any] = {"game": "unknown", "settings": ()}
    for name, comment, reason, changes, more in (
        ("game-unknown", "a game that is not known", "game_unknown", unknown, b""),
        ("rules-unknown", "later rules of a known game", "rules_unknown", {"rules": 2}, b""),
        ("rules-settings", "with other settings", "rules_unknown", {"rules": 2, "settings": (("a", "b"),)}, b""),
        ("unsupported-torn", "then a truncated tail", "game_unknown", unknown, b"\0\0\1"),
        ("unsupported-length", "then a length that cannot be", "game_unknown", unknown, bytes(4)),
    ):
        hellos = host_hello(name, **changes).encode(), guest_hello(name).encode()
        yield evaluated(name, comment, opening(hellos, proofs(hellos)) + more, Verdict.UNSUPPORTED, reason)
    hellos = host_hello(**unknown).encode(), guest_hello().encode()
    data = opening(hellos, (bytes(64), bytes(64)))
    yield evaluated("unsupported-proofs", "with proofs that do not hold", data, Verdict.UNSUPPORTED, "game_unknown")
    hellos = host_hello(**unknown).encode(), guest_hello(resumes=some_bytes("session")).encode()
    data = opening(hellos, proofs(hellos))
    comment = "an unknown game, and a hello that resumes"
    yield evaluated("resumed-unsupported", comment, data, Verdict.INVALID_FILE, "bad_opening")
