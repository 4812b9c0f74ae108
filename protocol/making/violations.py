"""Vectors of logs that end with an illegal entry or a fork (SPEC 5.11)."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.contents import Action, Kind
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.hello import Head, Hellos, proof_digest
from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from p2p_shanghaien.fairplay.verify import KeptHandshake, Verdict
from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.store.lines import handshake_lines
from protocol.making.common import Vector, some_bytes
from protocol.making.hellos import guest_hello, host_hello
from protocol.making.table import OTHER_HANDSHAKE, Played, evaluated, standard


class _Case(NamedTuple):
    """Make an illegal entry by the seat expected to make the entry `place`; `content` as `Played.forge` takes it."""

    id: str
    comment: str
    reason: str
    place: int
    kind: str
    content: Any
    state: bytes | None = None


def _evaluated(game: Played, cases: Iterable[_Case]) -> Iterator[Vector]:
    for case in cases:
        changes: dict[str, Any] = {"state": case.state} if case.state else {}
        entry = game.forge(case.place, case.kind, case.content, **changes)
        data = game.log(case.place, entry)
        yield evaluated(case.id, case.comment, data, Verdict.VIOLATION, case.reason)


def violations() -> Iterator[Vector]:
    """Yield violations with kinds, contents and states."""
    yield from _evaluated(standard(), _kinds_and_contents(standard()))
    yield from _evaluated(standard(), _actions(standard()))
    yield from _long_share(standard())
    game, share = standard(), some_bytes("a share")
    room = MAX_ENTRY - len(game.forge(1, "draw_contribution", bytes(256)).data)
    longest = game.forge(1, "draw_contribution", bytes(256 + room))
    comment, reason = "an entry of 1,024 bytes is not too long", "malformed_content"
    yield evaluated("content-longest", comment, game.log(1, longest), Verdict.VIOLATION, reason)
    garbage = game.forge(1, "draw_contribution", (share[:31],))
    fork = game.forge(0, Kind.DRAW_COMMIT, (share,))
    for name, comment, more in (
        ("garbage", "what follows is not looked at", length_prefixed(b"\xc1") + length_prefixed(game.entries[1].data)),
        ("length-0", "not even a length that cannot be", bytes(4)),
        ("length-1025", "nor one that is too long", length_prefixed(bytes(1025))),
        ("truncated", "nor a truncated tail, which is not told of", b"\0\0\1"),
        ("fork", "nor a fork of an entry before it", length_prefixed(fork.data)),
    ):
        data = game.log(1, garbage) + more
        yield evaluated(f"violation-then-{name}", comment, data, Verdict.VIOLATION, "malformed_content")


def _kinds_and_contents(game: Played) -> Iterator[_Case]:
    action = game.find(Kind.ACTION)
    share, commitment = some_bytes("a share"), some_bytes("a commitment")
    wrong, bad = "wrong_kind", "malformed_content"
    yield _Case("kind-expected", "a contribution instead of the commitment", wrong, 0, "draw_contribution", (share,))
    yield _Case("kind-unknown", "a kind that does not exist", wrong, 1, "cheat", (share,))
    yield _Case("kind-skipped", "a reveal instead of the share", wrong, 1, "draw_reveal", (share, None))
    yield _Case("kind-result", "a result long before the end", wrong, action, "result", ("over", (0, 1), 1))
    yield _Case("content-map", "a content that is not canonical", bad, 1, "draw_contribution", b"\x80")
    yield _Case("content-empty", "no content at all", bad, 1, "draw_contribution", b"")
    yield _Case("content-trailing", "a byte to spare", bad, 0, "draw_commit", encode((commitment,)) + b"\0")
    yield _Case("opening-short", "a commitment of 31 bytes", bad, 0, "draw_commit", (commitment[:31],))
    yield _Case("share-short", "a share of 31 bytes", bad, 1, "draw_contribution", (share[:31],))
    yield _Case("share-text", "a share that is a string", bad, 1, "draw_contribution", ("s" * 32,))
    yield _Case("share-more", "an item to spare", bad, 1, "draw_contribution", (share, None))
    yield _Case("reveal-one-item", "no item where a commitment stands", bad, 2, "draw_reveal", (share,))
    yield _Case(
        "reveal-other", "another share than committed to", "share_not_committed", 2, "draw_reveal", (share, commitment)
    )
    theirs = decode(game.entries[1].content, 64)
    assert isinstance(theirs, tuple)
    yield _Case(
        "reveal-copied",
        "the other's share for one's own",
        "share_not_committed",
        2,
        "draw_reveal",
        (*theirs, commitment),
    )
    yield _Case("state-other", "another state", "wrong_state", 0, "draw_commit", (commitment,), some_bytes("a state"))
    before = game.matches[2].state_hash
    yield _Case(
        "state-before", "the state before the entry", "wrong_state", 2, "draw_reveal", game.entries[2].content, before
    )


def _actions(game: Played) -> Iterator[_Case]:
    action = game.find(Kind.ACTION)
    commitment = some_bytes("a commitment")
    bad, illegal, none, idle = "malformed_content", "illegal_action", "no_commitment", "idle_commitment"
    yield _Case("action-alone", "no item where a commitment stands", bad, action, "action", ("roll",))
    yield _Case("action-bytes", "an action that is a byte string", bad, action, "action", (b"roll", commitment))
    yield _Case("action-illegal", "a die placed before the roll", illegal, action, "action", ("-5<", None))
    yield _Case("action-unknown", "no action at all", illegal, action, "action", ("", None))
    yield _Case("action-early", "Shanghai without dice", illegal, action, "action", ("#", commitment))
    yield _Case("action-bom", "U+FEFF before the action", illegal, action, "action", ("\ufeffroll", commitment))
    # the state is that after a sound entry: nothing else is wrong
    rolling = game.matches[action].after(Action("roll", commitment)).state_hash
    for name, comment, carried in (
        ("no-commitment", "a roll without a commitment", None),
        ("no-commitment-31", "a commitment of 31 bytes", commitment[:31]),
        ("no-commitment-text", "a string for a commitment", "c" * 32),
    ):
        yield _Case(name, comment, none, action, "action", ("roll", carried), rolling)
    place = next(e.number for e in game.entries if e.kind == Kind.ACTION and e.number > action)
    state = game.matches[place].state
    assert isinstance(state.node, Turn)
    legal = state.legal(state.node.player)[0]
    after = game.matches[place].after(Action(legal)).state_hash
    yield _Case("idle-commitment", "no draw follows", idle, place, "action", (legal, commitment), after)
    yield _Case("idle-false", "false is not nil", idle, place, "action", (legal, False), after)


def _long_share(game: Played) -> Iterator[Vector]:
    """Committed to a share of 33 bytes, and opened it truly: no share all the same."""
    share = some_bytes("a long share", 33)
    first = game.forge(0, Kind.DRAW_COMMIT, (game.committed(0, 0, share),))
    after = game._replace(matches=(game.matches[0], game.matches[0].append(first)), entries=(first,))
    answer = after.forge(1, Kind.DRAW_CONTRIBUTION, (some_bytes("a share"),))
    after = after._replace(matches=(*after.matches, after.matches[1].append(answer)))
    reveal = after.forge(2, Kind.DRAW_REVEAL, (share, some_bytes("a commitment")))
    data = game.log(0, first, answer, reveal)
    yield evaluated("reveal-long", "a share of 33 bytes", data, Verdict.VIOLATION, "malformed_content")


def closing_offences() -> Iterator[Vector]:
    """Yield violations with resignations, offers and results."""
    game = standard()
    yield from _evaluated(game, _resignations(game))
    yield from _evaluated(game, _offers(game))
    action = game.find(Kind.ACTION)
    owing = game.entries[action].seat
    head = game.matches[action].head
    resignation = (owing, head, game.resignation(owing, head))
    (closing,) = game.closed(action, Kind.RESIGNATION, resignation, results=0)
    after = game._replace(
        entries=(*game.entries[:action], closing),
        matches=(*game.matches[: action + 1], game.matches[action].append(closing)),
    )
    yield from _evaluated(after, _after_closing(after, owing, resignation))
    end = len(game.entries) - 2
    match game.matches[end].result:
        case (reason, (int(mine), theirs), winner):
            content = (reason, (mine + 1, theirs), winner)
        case result:
            raise AssertionError(result)
    yield from _evaluated(game, [_Case("result-scores", "a point too many", "wrong_result", end, "result", content)])


def _resignations(game: Played) -> Iterator[_Case]:
    place = game.find(Kind.ACTION)
    owing, head = game.entries[place].seat, game.matches[place].head
    other, unknown = 1 - owing, some_bytes("a head")
    own = game.resignation(owing, head)
    forged = game.resignation(other, head, signer=owing)
    elsewhere = game.resignation(other, head, session=some_bytes("a session"))
    ahead = game.resignation(other, unknown)
    false, bad = "false_resignation", "malformed_content"
    for name, comment, reason, content in (
        ("resigned-for-other", "signed by the one who gains by it", false, (other, head, forged)),
        ("resigned-other-session", "a resignation of another session", false, (other, head, elsewhere)),
        ("resigned-unknown-head", "a head that is of no entry", false, (other, unknown, ahead)),
        ("resigned-short", "a signature of 63 bytes", false, (owing, head, own[:63])),
        ("resigned-seat-2", "no such seat", bad, (2, head, own)),
        ("resigned-seat-boolean", "a boolean is no seat", bad, (bool(owing), head, own)),
        ("resigned-two-items", "no signature", bad, (owing, head)),
    ):
        yield _Case(name, comment, reason, place, "resignation", content)


def _offers(game: Played) -> Iterator[_Case]:
    place, reveal = game.find(Kind.ACTION), game.find(Kind.DRAW_REVEAL)
    owing, head = game.entries[place].seat, game.matches[place].head
    own, early = game.offer(owing, place), game.offer(1 - owing, place - 1)
    other_use = game.resignation(1 - owing, head)
    false = "false_offer"
    yield _Case("offer-own", "the accepting seat's own offer", false, place, "abandonment", (own,))
    yield _Case("offer-other-number", "an offer for the entry before", false, place, "abandonment", (early,))
    yield _Case("offer-resignation", "a resignation for an offer", false, place, "abandonment", (other_use,))
    yield _Case("offer-none", "no signature", "malformed_content", place, "abandonment", ())
    offer = (game.offer(1, reveal),)
    yield _Case("offer-for-reveal", "in place of a reveal", "abandoned_instead_of_reveal", reveal, "abandonment", offer)


def _after_closing(after: Played, owing: int, resignation: tuple[int, bytes, bytes]) -> Iterator[_Case]:
    place = len(after.entries)
    ended, wrong = "already_ended", "wrong_result"
    offer = (after.offer(1, place),)
    yield _Case("ended-resigned", "a resignation after the end", ended, place, "resignation", resignation)
    yield _Case("ended-abandoned", "abandoned after the end", ended, place, "abandonment", offer)
    yield _Case("ended-action", "a move after the end", "wrong_kind", place, "action", ("roll", None))
    yield _Case("result-winner", "the loser for the winner", wrong, place, "result", ("resigned", None, owing))
    yield _Case("result-boolean", "a boolean is no seat", wrong, place, "result", ("resigned", None, bool(1 - owing)))
    yield _Case("result-reason", "another reason", wrong, place, "result", ("abandoned", None, None))
    yield _Case("result-short", "an item missing", wrong, place, "result", ("resigned", None))


def forks() -> Iterator[Vector]:
    """Two entries of one seat for one number and parent."""
    game = standard()
    other_share = game.forge(1, Kind.DRAW_CONTRIBUTION, (some_bytes("another share"),))
    other_opening = game.forge(0, Kind.DRAW_COMMIT, (some_bytes("another commitment"),))
    same_again = game.forge(1, Kind.DRAW_CONTRIBUTION, game.entries[1].content, handshake=OTHER_HANDSHAKE)
    broken = game.forge(1, Kind.DRAW_CONTRIBUTION, b"\x80")
    session = game.matches[0].session.id
    resigned = game.closed(0, Kind.RESIGNATION, (0, session, game.resignation(0, session)))
    after = game._replace(matches=(game.matches[0], game.matches[0].append(resigned[0])))
    other_result = after.forge(1, Kind.RESULT, ("resigned", None, 0))
    for name, comment, data in (
        ("fork-share", "two shares for one draw", game.log(2, other_share)),
        ("fork-opening", "two openings", game.log(1, other_opening)),
        ("fork-later", "the second half comes up later", game.log(7, other_share)),
        ("fork-handshake", "the same said again under another handshake", game.log(2, same_again)),
        ("fork-offence", "the second half breaks a rule besides", game.log(2, broken)),
        ("fork-result", "two results, after the end", game.log(0, *resigned, other_result)),
        ("fork-then-more", "what follows is not looked at", game.log(2, other_share, game.entries[2])),
        ("fork-then-fork", "the first in the file counts", game.log(3, other_share, other_opening)),
    ):
        yield evaluated(name, comment, data, Verdict.VIOLATION, "fork")


def rebuttals() -> Iterator[Vector]:
    """Yield a fork by seat 1, restored from a backup without its share, with handshakes of seat 0's log heads."""
    game = standard()
    honest = _met_again(game, 1)
    named = Hellos(*honest.hellos).handshake
    content = (some_bytes("a share after the backup"),)
    fork = game.forge(1, Kind.DRAW_CONTRIBUTION, content, handshake=named)
    log, swapped = game.log(2, fork), game.log(1, fork, game.entries[1])
    elsewhere = game.log(2, game.forge(1, Kind.DRAW_CONTRIBUTION, content, handshake=OTHER_HANDSHAKE))
    forged = honest._replace(proofs=(honest.proofs[1], honest.proofs[1]))
    changed = honest._replace(theirs=honest.theirs._replace(length=0))
    had = _met_again(game, 2)
    negative = _proved(game, honest.hellos, Head(-1, game.matches[0].head))
    both = game.log(1, game.forge(1, Kind.DRAW_CONTRIBUTION, (some_bytes("a share"),), handshake=named), fork)
    first = game.forge(0, Kind.DRAW_COMMIT, (some_bytes("a commitment"),), handshake=named)
    after = game._replace(matches=(game.matches[0], game.matches[0].append(first)))
    halves = (after.forge(1, Kind.DRAW_CONTRIBUTION, content, handshake=each) for each in (named, OTHER_HANDSHAKE))
    before = game.log(0, first, *halves)
    share = game.forge(1, Kind.DRAW_CONTRIBUTION, game.entries[1].content, handshake=named)
    shared = game._replace(matches=(*game.matches[:2], game.matches[1].append(share)))
    again = (
        shared.forge(2, Kind.DRAW_REVEAL, game.entries[2].content, handshake=each) for each in (named, OTHER_HANDSHAKE)
    )
    one_before = game.log(1, share, *again)
    invalid, violation = Verdict.INVALID_FILE, Verdict.VIOLATION
    for name, comment, data, kept, verdict, reason in (
        ("rebutted", "the accuser proved the lower length itself", log, [honest], invalid, "fork_rebutted"),
        ("rebutted-0", "the accuser proved to have no entry", log, [_met_again(game, 0)], invalid, "fork_rebutted"),
        ("rebutted-order", "the later half stands first", swapped, [honest], invalid, "fork_rebutted"),
        ("rebutted-second", "the second handshake shown does", log, [had, honest], invalid, "fork_rebutted"),
        ("not-rebutted-negative", "a length below 0, truly signed", log, [negative], violation, "fork"),
        ("not-rebutted-length", "the accuser had both entries", log, [had], violation, "fork"),
        ("not-rebutted-other", "a meeting that neither half names", elsewhere, [honest], violation, "fork"),
        ("not-rebutted-forged", "the accused signed for the accuser", log, [forged], violation, "fork"),
        ("not-rebutted-changed", "another length than was signed", log, [changed], violation, "fork"),
        ("not-rebutted-one-connection", "both halves name the handshake", both, [honest], violation, "fork"),
        ("not-rebutted-before", "an entry before the fork names it", before, [honest], violation, "fork"),
        ("not-rebutted-one-before", "one of two before the fork names it", one_before, [honest], violation, "fork"),
    ):
        yield evaluated(f"fork-{name}", comment, data, verdict, reason, handshake_lines(kept).decode())
    yield from _forms(log, honest)
    yield from _unchecked(game)


def _forms(log: bytes, honest: KeptHandshake) -> Iterator[Vector]:
    """Yield how a handshake is written that is shown (8.5)."""
    shown = handshake_lines([honest]).decode().rstrip()
    fields = json.loads(shown)
    host, guest = fields["proofs"]
    length, head = fields["theirs"]
    invalid, violation = Verdict.INVALID_FILE, Verdict.VIOLATION
    for name, comment, line, verdict in (
        ("more", "a field to spare", json.dumps({**fields, "kept_by": 1}), invalid),
        ("capitals", "hexadecimal in capital letters", json.dumps({**fields, "hellos": _capitals(fields)}), invalid),
        ("spaces", "white space around the object", f" \t{shown}\r", invalid),
        ("behind-lines", "an empty line and another before it", f"\nnone\r\n{shown}\n", invalid),
        ("fraction", "1.0 is 1", json.dumps({**fields, "theirs": [float(length), head]}), invalid),
        ("true", "true is not 1", json.dumps({**fields, "theirs": [True, head]}), violation),
        ("half", "no length", json.dumps({**fields, "theirs": [0.5, head]}), violation),
        ("short-proof", "63 bytes for a signature", json.dumps({**fields, "proofs": [host, guest[2:]]}), violation),
        ("no-proof", "null for a signature", json.dumps({**fields, "proofs": [host, None]}), violation),
        ("short-head", "31 bytes for a head", json.dumps({**fields, "theirs": [length, head[2:]]}), violation),
        ("space-within", "white space within hexadecimal", shown.replace(head, f"{head[:2]} {head[2:]}"), violation),
        ("nan", "what is no JSON", shown.replace("{", '{"x": NaN, ', 1), violation),
        ("array", "an object in an array", f"[{shown}]", violation),
        ("two-lines", "an object on two lines", shown.replace(", ", ",\n", 1), violation),
        ("8-deep", "arrays as deep as they may be", _with(shown, "[[[[[[[]]]]]]]"), invalid),
        ("9-deep", "one array more", _with(shown, "[[[[[[[[]]]]]]]]"), violation),
        ("9-deep-objects", "objects as deep", _with(shown, '{"":' * 8 + "0" + "}" * 8), violation),
        ("9-deep-before", "and not so deep behind that", _with(shown, '[[[[[[[[]]]]]]]], "y": 0'), violation),
        ("9-deep-after", "behind an array that is closed", _with(shown, "[[], [[[[[[[]]]]]]]]"), violation),
        ("many-arrays", "many arrays side by side", _with(shown, "[[], [], [], [], [], [], [], [], []]"), invalid),
        ("text-of-brackets", "brackets in a string are no arrays", _with(shown, '"\\"[[[[[[[[["'), invalid),
        ("digits", "a number of 5,000 digits to spare", _with(shown, "9" * 5000), invalid),
    ):
        reason = "fork_rebutted" if verdict == invalid else "fork"
        yield evaluated(f"shown-{name}", comment, log, verdict, reason, line)


def _with(shown: str, value: str) -> str:
    """Return a line with a field to spare."""
    return shown.replace("{", f'{{"x": {value}, ', 1)


def _capitals(fields: dict[str, Any]) -> list[str]:
    return [hello.upper() for hello in fields["hellos"]]


def _unchecked(game: Played) -> Iterator[Vector]:
    """Yield handshakes with other content that nobody checks (11.4); the first handshake is never an excuse."""
    session = game.matches[0].session.id
    again = host_hello("again", resumes=session).encode(), guest_hello("again", resumes=session).encode()
    nil = host_hello("again").encode(), guest_hello("again").encode()
    head = game.matches[1].head
    met = _met_again(game, 1)
    for name, comment, kept in (
        ("junk-hellos", "hellos that are none, truly signed", _proved(game, (b"\1", b"\2"), Head(1, head))),
        ("resumes-nil", "hellos that resume nothing, proofs for this session", _proved(game, nil, Head(1, head))),
        ("other-head", "a head not in the chain", _proved(game, again, Head(1, some_bytes("a head")))),
        ("own-proof", "the accused's own signature does not hold", met._replace(proofs=(met.proofs[0], bytes(64)))),
    ):
        fork = game.forge(1, Kind.DRAW_CONTRIBUTION, (some_bytes("a share"),), handshake=Hellos(*kept.hellos).handshake)
        shown = handshake_lines([kept]).decode()
        yield evaluated(f"shown-{name}", comment, game.log(2, fork), Verdict.INVALID_FILE, "fork_rebutted", shown)
    first = KeptHandshake(*read(game.log(0))[:2], Head(0, session))
    fork = game.forge(0, Kind.DRAW_COMMIT, (some_bytes("a commitment"),), handshake=OTHER_HANDSHAKE)
    comment, shown = "the session's first handshake excuses nobody", handshake_lines([first]).decode()
    yield evaluated("shown-first", comment, game.log(1, fork), Verdict.VIOLATION, "fork", shown)


def _met_again(game: Played, length: int) -> KeptHandshake:
    """Return a later handshake, in which both sides proved to have `length` entries; kept by seat 1."""
    session = game.matches[0].session.id
    hellos = host_hello("again", resumes=session).encode(), guest_hello("again", resumes=session).encode()
    return _proved(game, hellos, Head(length, game.matches[length].head))


def _proved(game: Played, hellos: tuple[bytes, bytes], position: Head) -> KeptHandshake:
    session, handshake = game.matches[0].session.id, Hellos(*hellos).handshake
    digests = [proof_digest(handshake, session, seat, position) for seat in (0, 1)]
    host, guest = (identity.sign(digest) for identity, digest in zip(game.identities, digests, strict=True))
    return KeptHandshake(hellos, (host, guest), position)
