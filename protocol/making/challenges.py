"""Vectors of SPEC section 7.5: challenges to a rematch, and what the challenger has not signed."""

from collections.abc import Iterator

from p2p_shanghaien.fairplay.challenge import Challenge, sign_challenge
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from protocol.making.common import Vector, plain, some_bytes
from protocol.making.hellos import GUEST, HOST

_STRANGER = Identity(some_bytes("stranger"))
_SESSION = some_bytes("session")
_KEYS = HOST.public, GUEST.public


def challenges() -> Iterator[Vector]:
    """Yield challenges as the host or guest of a session may send them, and as a cheat would."""
    after = Session(_SESSION, Shanghaien(), _KEYS, ("Hanna", "Gustav"))
    for name, signer, challenged in (("host", HOST, GUEST), ("guest", GUEST, HOST)):
        ours = sign_challenge(signer, challenged.public, after)
        yield _seen(f"by-{name}", f"the {name} challenges the other", ours, signer, challenged)
    halunken = sign_challenge(HOST, GUEST.public, after._replace(game=Halunken()))
    yield _seen("other-game", "a challenge to another game", halunken, HOST, GUEST)
    yield _seen("one-key", "both have one key", sign_challenge(HOST, HOST.public, after), HOST, HOST)
    good = sign_challenge(HOST, GUEST.public, after)
    terms = good.terms
    yield _seen("sent-back", "the challenged sends it back", good, GUEST, HOST)
    yield _seen("passed-on", "a challenge to somebody else", good, HOST, _STRANGER)
    yield _seen("of-another", "somebody else's challenge", good, _STRANGER, GUEST)
    yield _seen("session", "after another session", good._replace(session=some_bytes("other session")), HOST, GUEST)
    for name, changed in (
        ("game", terms._replace(game="pig")),
        ("rules", terms._replace(rules=2)),
        ("setting", terms._replace(settings=(("variant", "extra-wild"), *terms.settings[1:]))),
        ("fewer-settings", terms._replace(settings=terms.settings[:1])),
        ("order", terms._replace(settings=terms.settings[::-1])),
    ):
        yield _seen(name, "other terms than were signed", Challenge(_SESSION, changed, good.signature), HOST, GUEST)


def _seen(name: str, comment: str, challenge: Challenge, challenger: Identity, challenged: Identity) -> Vector:
    return {
        "id": name,
        "comment": comment,
        "key": challenger.public.hex(),
        "challenged": challenged.public.hex(),
        "words": plain(("challenge", *challenge.words)),
        "result": "valid" if challenge.is_between(challenger.public, challenged.public) else "invalid",
    }
