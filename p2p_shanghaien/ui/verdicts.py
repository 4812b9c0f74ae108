"""Verdicts in words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.ui.words import clause, describe, game_name, listed, say, shown

_NAMING: Final = ("path", "name", "folder")
"""The details in which an error names the file itself."""


def trouble(name: str | ShortName, error: ShanghaienError) -> str:
    """Return the error of the file called `name`, which is named once."""
    text = describe(error)
    is_named = any(str(error.details.get(detail)) == name for detail in _NAMING)
    return text if is_named else say("verdict_line", file=name, verdict=text)


def game_with_options(game: str, settings: Mapping[str, str]) -> str:
    """Return the name of the game, with these of its options, if any."""
    return say("game_with_options", game=game, settings=settings) if settings else game_name(game)


@shown.register(Report)
def summary(report: Report | None) -> str:
    """Return the verdict on a game in a line, in the form of protocol/SPEC.md, section 9; None: it is not signed."""
    if report is None:
        return say("verdict_unsigned")
    names = report.session.names if report.session else ("", "")
    awaited = listed(names[seat] for seat in report.awaited)
    reason = clause(report.error) if report.error else ""
    match report.verdict:
        case Verdict.COMPLETE:
            return say("verdict_complete", outcome=outcome(report))
        case Verdict.DECIDED:
            return say("verdict_decided", awaited=awaited, outcome=outcome(report))
        case Verdict.INCOMPLETE:
            return say("verdict_incomplete", awaited=awaited)
        case Verdict.VIOLATION:
            name = "" if report.violator is None else names[report.violator]
            return say("verdict_violation", name=name, number=report.number, reason=reason)
        case Verdict.INVALID_FILE if report.number is None:
            return say("verdict_invalid_file", reason=reason)
        case Verdict.INVALID_FILE:
            return say("verdict_invalid_entry", number=report.number, reason=reason)
        case Verdict.UNSUPPORTED:
            return say("verdict_unsupported", reason=reason)


def game_verdict(record: Record, report: Report | None) -> str:
    """Return the verdict on the game on `record`, as `summary`; practice is named."""
    return say("verdict_practice") if report is None and record.is_practice else summary(report)


def outcome(game: Report | Record) -> str:
    """Return the end of the game, in a few words; nothing if it has not ended, or a log has no game."""
    if isinstance(game, Record):
        record, last = game, game.last()
    elif game.match:
        # the last position is known: `Record.last` would go through the game once more
        record, last = game.record(), game.match.state
    else:
        return ""
    over = last.node
    if isinstance(over, Terminal):
        scored = zip(record.names, over.scores, strict=True)
        return listed(say("outcome_score", name=name, score=score) for name, score in scored)
    if record.ended is None:
        return ""
    by = record.ended.by
    return say("outcome_abandoned") if by is None else say("outcome_resigned", name=record.names[by])


def breach(report: Report | None) -> str:
    """Return who violated a rule with the last entry, and how; nothing if nobody did."""
    if report is None or report.session is None or report.violator is None or report.error is None:
        return ""
    name = report.session.names[report.violator]
    return say("replay_breach", name=name, number=report.number, reason=clause(report.error))


def details(report: Report) -> Iterator[str]:
    """Yield more about a log, a line each: seats and keys, its length, ignored bytes."""
    session, match = report.session, report.match
    if session is not None and match is not None:
        for role, name, key in zip(("host", "guest"), session.names, session.keys, strict=True):
            yield say(f"details_{role}", name=name, fingerprint=shown_key(key), key=key.hex())
        if session.keys[0] == session.keys[1]:
            yield say("details_one_key")
        # whole, unlike elsewhere: these are the details
        settings = ", ".join(map(" ".join, session.game.settings))
        yield say("details_game", game=session.game.NAME, rules=session.game.RULES_VERSION, settings=settings)
        yield say("details_entries", count=match.number)
    if report.truncated:
        yield say("details_truncated", count=report.truncated)


def lines(
    name: str | ShortName, outcome: Report | ShanghaienError, absent: Iterable[bytes], *, wordy: bool
) -> Iterator[str]:
    """Yield the verdict on the file called `name`, which keys are `absent`, and more about the log if `wordy`."""
    if isinstance(outcome, ShanghaienError):
        yield trouble(name, outcome)
        return
    yield say("verdict_line", file=name, verdict=summary(outcome))
    yield from (say("key_absent", file=name, key=key.hex()) for key in absent)
    if wordy:
        yield from (f"  {line}" for line in details(outcome))


def fields(
    name: str, outcome: Report | ShanghaienError, absent: Iterable[bytes] | None = None, *, wordy: bool = False
) -> dict[str, Any]:
    """Return the verdict on the file called `name` for other programs (SPEC 9.3).

    An error in place of a report says why it cannot be read; `absent` are the keys asked for that took no part,
    None if none was asked for. If `wordy`, more about an error stands in `details`, as this program knows it.
    """
    if isinstance(outcome, Report):
        report, error, reason = outcome, outcome.error, outcome.reason
    else:
        report, error, reason = None, outcome, outcome.code.unqualified
    return {
        "file": name,
        "verdict": report.verdict if report else None,
        "exit": outcome.exit_code,
        "reason": reason,
        **({"details": _plain(error.details) if error else {}} if wordy else {}),
        "entry": report.number if report else None,
        "seat": report.violator if report else None,
        "awaiting": list(report.awaited) if report else [],
        "truncated": report.truncated if report else 0,
        "damaged": report.damaged if report else 0,
        **_match_fields(report),
        **({} if absent is None else {"absent_keys": [key.hex() for key in absent]}),
    }


_OF_A_MATCH: Final = (
    "session",
    "game",
    "rules",
    "settings",
    "names",
    "keys",
    "one_key",
    "sound",
    "head",
    "first",
    "result",
)


def _match_fields(report: Report | None) -> dict[str, Any]:
    """Return the facts about a log whose opening holds; only None for any other."""
    match = report.match if report else None
    if match is None:
        return dict.fromkeys(_OF_A_MATCH)
    session, game = match.session, match.session.game
    known = {
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
        "result": match.result,
    }
    return {name: _plain(known[name]) for name in _OF_A_MATCH}


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
            return value.code.unqualified
    return str(value)
