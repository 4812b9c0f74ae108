"""Contacts: known players by key, and the warnings about a known name with a new key (trust on first use)."""

import getpass
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError, UsageError
from p2p_shanghaien.fairplay.keys import fingerprint, shown_key
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.lookalikes import look_alike
from p2p_shanghaien.session.negotiation import WARNINGS
from p2p_shanghaien.session.ports import Opponent
from p2p_shanghaien.store.home import Home, Known
from p2p_shanghaien.text import MAX_NAME, cleaned, is_name, nearest

SHORTEST: Final = 4
"""Digits of a fingerprint that are enough to name a contact, if no other's begins like that."""


def recognise(
    home: Home, opponent: Opponent, called: Callable[[str], str] = str
) -> Iterable[tuple[str, dict[str, object]]]:
    """Yield the warnings about `opponent`: an unknown key, or a known name with another key, which is shown.

    `called` returns the local name of a contact.
    """
    details: dict[str, object] = {"name": opponent.called, "remote": opponent.remote}
    try:
        known = home.known_players()
    except LocalError as error:
        code, details = "opponent_not_looked_up", {**details, "reason": error}
    else:
        code, details = _recognised(home, opponent, known, called, details)
    yield code, details
    if code in WARNINGS:
        yield "key_to_check", {"name": opponent.called, "key": shown_key(opponent.key)}
    yield "authentication", {"string": opponent.authentication}


def _recognised(
    home: Home,
    opponent: Opponent,
    known: Mapping[bytes, Known],
    called: Callable[[str], str],
    details: dict[str, object],
) -> tuple[str, dict[str, object]]:
    if opponent.key == home.identity().public:
        return "opponent_same_key", details
    others = {player.name for key, player in known.items() if key != opponent.key}
    other = next((name for name in sorted(others) if look_alike(name, opponent.name)), None)
    if before := known.get(opponent.key):
        if before.name == opponent.name:
            code = "opponent_known"
        else:
            code = "opponent_renamed" if other is None else "opponent_took_name"
        return code, {**details, "before": called(before.name), "since": before.since, "count": before.games}
    if opponent.name in others:
        return "opponent_name_taken", details
    if other is not None:
        return "opponent_lookalike", {**details, "other": called(other)}
    return "opponent_new", details


def display_name(home: Home, given: str | None, nameless: str) -> str:
    """Return the name that peers see: as given, or as kept in `home`, or the system's name for the user, or `nameless`.

    Raises UsageError and LocalError.
    """
    if given is not None:
        name = cleaned(given, MAX_NAME, "")
        if not is_name(name) or name != " ".join(given.split()):
            raise UsageError(AppCode.BAD_OWN_NAME, name=given, limit=MAX_NAME)
        return name
    if kept := home.own_name:
        return kept
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    name = cleaned(user, MAX_NAME, "")
    return name if is_name(name) else nameless


def find(known: Mapping[bytes, Known], text: str) -> tuple[bytes, Known]:
    """Return the one contact whose name is `text`, or whose fingerprint begins with it. Raises LocalError."""
    digits = "".join(text.split()).lower()
    found = [
        (key, player)
        for key, player in known.items()
        if player.name == text or (len(digits) >= SHORTEST and fingerprint(key).hex().startswith(digits))
    ]
    if not found:
        near = nearest(text, (each.name for each in known.values()))
        raise LocalError(AppCode.NO_SUCH_PLAYER, player=text, nearest=near)
    if len(found) > 1:
        raise LocalError(AppCode.MANY_SUCH_PLAYERS, player=text, keys=[shown_key(key) for key, _ in found])
    return found[0]


def left_unfinished(files: Iterable[Report | Record | ShanghaienError]) -> Counter[bytes]:
    """Return the number of games that wait for an entry of each player, by public key.

    A game counts once, even if it is kept twice.
    """
    waiting = {
        (report.session.id, report.session.keys[seat])
        for report in files
        if isinstance(report, Report) and report.session and report.verdict == Verdict.INCOMPLETE
        for seat in report.awaited
    }
    return Counter(key for _, key in waiting)
