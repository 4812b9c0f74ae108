"""What verification found, in words."""

from collections.abc import Iterator, Mapping

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.ui.words import called, clause, describe, listed, say, shown


def trouble(name: str, error: ShanghaienError) -> str:
    """Return what is wrong with the file called `name`, which is named once."""
    text = describe(error)
    return text if str(error.details.get("path")) == name else say("verdict_line", file=name, verdict=text)


def game_with_options(game: str, settings: Mapping[str, str]) -> str:
    """Return what people call the game of that name, with these of its options, if any."""
    return say("game_with_options", game=game, settings=settings) if settings else called(game)


@shown.register(Report)
def summary(report: Report | None) -> str:
    """Return the verdict on a game in a line, in the form of protocol/SPEC.md, section 9; None: it is not signed."""
    if report is None:
        return say("verdict_unsigned")
    names = report.session.names if report.session else ("", "")
    awaited = listed(names[seat] for seat in report.awaited)
    reason = clause(report.fault) if report.fault else ""
    match report.verdict:
        case Verdict.COMPLETE:
            return say("verdict_complete", outcome=outcome(report))
        case Verdict.DECIDED:
            return say("verdict_decided", awaited=awaited, outcome=outcome(report))
        case Verdict.INCOMPLETE:
            return say("verdict_incomplete", awaited=awaited)
        case Verdict.VIOLATION:
            name = "" if report.offender is None else names[report.offender]
            return say("verdict_violation", name=name, number=report.number, reason=reason)
        case Verdict.INVALID_FILE if report.number is None:
            return say("verdict_invalid_file", reason=reason)
        case Verdict.INVALID_FILE:
            return say("verdict_invalid_entry", number=report.number, reason=reason)
        case Verdict.UNSUPPORTED:
            return say("verdict_unsupported", reason=reason)


def outcome(report: Report) -> str:
    """Return how the game ended, in a few words; nothing where it has not."""
    match = report.match
    if match is None or match.ending is None:
        return ""
    names = match.session.names
    if match.ending.seat is not None:
        return say("outcome_resigned", name=names[match.ending.seat])
    over = match.state.node
    if not isinstance(over, Terminal):
        return say("outcome_abandoned")
    scored = [(names[match.seat(player)], over.scores[player]) for player in (0, 1)]
    return listed(say("outcome_score", name=name, score=score) for name, score in scored)


def breach(report: Report | None) -> str:
    """Return who broke a rule with the last entry, and how; nothing where nobody did."""
    if report is None or report.session is None or report.offender is None or report.fault is None:
        return ""
    name = report.session.names[report.offender]
    return say("replay_breach", name=name, number=report.number, reason=clause(report.fault))


def details(report: Report) -> Iterator[str]:
    """More about a log, a line each: who held which seat with which key, how long it is, what was left aside."""
    session, match = report.session, report.match
    if session is not None and match is not None:
        for role, name, key in zip(("host", "guest"), session.names, session.keys, strict=True):
            yield say(f"details_{role}", name=name, fingerprint=shown_key(key), key=key.hex())
        if session.keys[0] == session.keys[1]:
            yield say("details_one_key")
        settings = dict(session.game.settings)
        yield say("details_game", game=session.game.NAME, rules=session.game.RULES_VERSION, settings=settings)
        yield say("details_entries", count=match.number)
    if report.torn:
        yield say("details_torn", count=report.torn)
