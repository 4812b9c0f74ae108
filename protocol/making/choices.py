"""Vectors of SPEC 5.7 and of all that goes with it, in the toy game of the tests."""

from collections.abc import Iterator, Sequence
from typing import Any

from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Kind
from p2p_shanghaien.fairplay.verify import Verdict
from protocol.making.common import Vector, some_bytes
from protocol.making.table import Played, at_random, evaluated, played
from tests.toy import BIDS, Toy

_SALT = some_bytes("a salt")
_ILLEGAL = "4"


def _game(label: str, rounds: int, opening: str) -> Played:
    settings = (("rounds", str(rounds)), ("opening", opening))
    return played(label, at_random(label), settings, game=Toy.NAME)


def choices() -> Iterator[Vector]:
    """Yield whole games, and violations with each entry of a choice."""
    for label, opening, first in (("toy 1", "bid", 0), ("toy 2", "bid", 1), ("toy 3", "draw", 0), ("toy 4", "turn", 1)):
        game = _seated(label, opening, first)
        comment = f"begins with a {opening}; player 0 sits at seat {first}"
        vector = evaluated(f"complete-{opening}-{first}", comment, game.log(), Verdict.COMPLETE)
        yield {**vector, "secrets": [secret.hex() for secret in game.secrets]}
    game = _seated("toy 2", "bid", 1)
    for kind in (Kind.CHOICE_COMMIT, Kind.CHOICE_CONTRIBUTION, Kind.CHOICE_REVEAL):
        place = game.find(kind)
        yield evaluated(f"before-{kind}", f"the {kind} is awaited", game.log(place), Verdict.INCOMPLETE)
        session, seat = game.matches[0].session.id, game.entries[place].seat
        closed = game.closed(place, Kind.RESIGNATION, (seat, session, game.resignation(seat, session)))
        comment = f"a resignation in place of the {kind}"
        yield evaluated(f"resigned-for-{kind}", comment, game.log(place, *closed), Verdict.COMPLETE)
    for name, comment, reason, data in (*_spoilt(game), *_reveals(game)):
        yield evaluated(name, comment, data, Verdict.VIOLATION, reason)


def _seated(label: str, opening: str, first: int) -> Played:
    """Return a game with that player at seat 0, in which a choice leads to a draw and another does not."""
    for number in range(1000):
        game = _game(f"{label}/{number}", 4, opening)
        led = [_content(entry)[-1] for entry in game.entries if entry.kind == Kind.CHOICE_REVEAL]
        if game.matches[-1].first == first and None in led and len(set(led)) > 2:
            return game
    raise AssertionError(label)


def _content(entry: Entry) -> tuple[Any, ...]:
    content = decode(entry.content, MAX_ENTRY)
    assert isinstance(content, tuple)
    return content


def _spoilt(game: Played) -> Iterator[tuple[str, str, str, bytes]]:
    """Commitments to choices and contributions of another form or kind."""
    choice, answer = game.find(Kind.CHOICE_COMMIT), game.find(Kind.CHOICE_CONTRIBUTION)
    hidden = _content(game.entries[choice])[0]
    bad, wrong = "malformed_content", "wrong_kind"
    cases: tuple[tuple[str, str, str, int, str, Any], ...] = (
        ("commit-short", "a commitment of 31 bytes", bad, choice, "choice_commit", (hidden[:31],)),
        ("commit-two-items", "an item to spare", bad, choice, "choice_commit", (hidden, None)),
        ("commit-open", "an action for the commitment", bad, choice, "choice_commit", ("1",)),
        ("action-for-commit", "an action in the open", wrong, choice, "action", ("1", None)),
        ("contribution-for-commit", "seat 0 contributes", wrong, choice, "choice_contribution", ("1",)),
        ("contribution-illegal", "no such bid", "illegal_action", answer, "choice_contribution", (_ILLEGAL,)),
        ("contribution-bytes", "a byte string", bad, answer, "choice_contribution", (b"1",)),
        ("contribution-two-items", "an item to spare", bad, answer, "choice_contribution", ("1", None)),
        ("commit-for-contribution", "seat 1 hides its choice, too", wrong, answer, "choice_commit", (hidden,)),
    )
    for name, comment, reason, place, kind, content in cases:
        yield name, comment, reason, game.log(place, game.forge(place, kind, content))


def _reveals(game: Played) -> Iterator[tuple[str, str, str, bytes]]:
    """Disclosures that are not what was committed to; the state is that of the true one, so nothing else is wrong."""
    places = [entry.number for entry in game.entries if entry.kind == Kind.CHOICE_REVEAL]
    idle = next(place for place in places if _content(game.entries[place])[-1] is None)
    led = next(place for place in places if _content(game.entries[place])[-1] is not None)
    action, salt, _ = _content(game.entries[idle])
    other = next(bid for bid in BIDS if bid != action)
    drawn = _content(game.entries[led])
    cut = "choice_not_committed"
    bad, none, needless = "malformed_content", "no_commitment", "idle_commitment"
    cases: Sequence[tuple[str, str, str, int, Any]] = (
        ("reveal-other-action", "another action", cut, idle, (other, salt, None)),
        ("reveal-other-salt", "another salt", cut, idle, (action, _SALT, None)),
        ("reveal-other-number", "what an earlier choice hid", cut, places[1], _content(game.entries[places[0]])),
        ("reveal-short-salt", "a salt of 31 bytes", bad, idle, (action, salt[:31], None)),
        ("reveal-text-salt", "a salt that is a string", bad, idle, (action, "s" * 32, None)),
        ("reveal-two-items", "no item where a commitment stands", bad, idle, (action, salt)),
        ("reveal-idle", "a commitment that no draw follows", needless, idle, (action, salt, _SALT)),
        ("reveal-no-commitment", "a draw without a commitment", none, led, (*drawn[:2], None)),
        ("reveal-commitment-31", "a commitment of 31 bytes", none, led, (*drawn[:2], drawn[2][:31])),
    )
    for name, comment, reason, place, content in cases:
        forged = game.forge(place, "choice_reveal", content, state=game.entries[place].state)
        yield name, comment, reason, game.log(place, forged)
    offer = game.forge(idle, "abandonment", (game.offer(1, idle),))
    yield "abandoned-for-reveal", "abandoned instead", "abandoned_instead_of_reveal", game.log(idle, offer)
    illegal = game.revealed(idle, _ILLEGAL)
    yield "reveal-illegal", "an illegal action, truly committed to", "illegal_action", illegal
