"""Verdicts for other programs (protocol/SPEC.md, section 9.3): names of errors and numbers, no sentences."""

from collections.abc import Iterable
from typing import Any

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.verify import Report


def verdict_fields(name: str, outcome: Report | ShanghaienError, absent: Iterable[bytes] | None) -> dict[str, Any]:
    """Return what is printed of the file called `name`; an error in place of a report says why it cannot be read.

    `absent` are the keys asked for that took no part, None if none was asked for.
    """
    report = outcome if isinstance(outcome, Report) else None
    fault = report.fault if report else outcome
    assert not isinstance(fault, Report)
    return {
        "file": name,
        "verdict": report.verdict if report else None,
        "exit": outcome.exit_code,
        "reason": fault.code if fault else None,
        "details": _plain(fault.details) if fault else {},
        "entry": report.number if report else None,
        "seat": report.offender if report else None,
        "awaiting": list(report.awaited) if report else [],
        "torn": report.torn if report else 0,
        "damaged": report.damaged if report else 0,
        **_match_fields(report),
        **({} if absent is None else {"absent_keys": [key.hex() for key in absent]}),
    }


_OF_A_MATCH = ("session", "game", "rules", "settings", "names", "keys", "one_key", "sound", "head", "first", "result")


def _match_fields(report: Report | None) -> dict[str, Any]:
    """Return what is known of a log whose opening holds; nothing but None of any other."""
    match = report.match if report else None
    if match is None:
        return dict.fromkeys(_OF_A_MATCH)
    session, game = match.session, match.session.game
    fields = {
        "session": session.id,
        "game": game.NAME,
        "rules": game.RULES_VERSION,
        "settings": game.settings,
        "names": session.names,
        "keys": session.keys,
        "one_key": session.keys[0] == session.keys[1],
        "sound": match.number,
        "head": match.head,
        "first": match.first,
        "result": match.result() if match.ending else None,
    }
    return {name: _plain(fields[name]) for name in _OF_A_MATCH}


def _plain(value: object) -> Any:
    """Return `value` as JSON has it: byte strings in hexadecimal, errors by their names."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return value.hex()
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case ShanghaienError():
            return value.code
    return str(value)
