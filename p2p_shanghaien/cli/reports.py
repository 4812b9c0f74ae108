"""What verification found, in words."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from p2p_shanghaien.cli.seats import shown_key
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.store.logs import Private
from p2p_shanghaien.ui.words import called, describe, say

UNFINISHED: Final = (Verdict.INCOMPLETE, Verdict.DECIDED)
"""The verdicts on games that can go on."""


SHORTEST: Final = 8
"""Characters of a log's name that are shown, where they are enough to name it."""


def shortened(log: Path) -> str:
    """What both sides can call a game by, in all likelihood: their logs' names begin with the session."""
    return log.stem[:SHORTEST]


def is_unheard(report: Report, seat: int, private: Private) -> bool:
    """Whether `seat`, which keeps `private`, has both signatures, and the other may lack the last, which is ours."""
    return seat == Role.GUEST and report.verdict == Verdict.COMPLETE and not private.delivered


def trouble(name: str, error: ShanghaienError) -> str:
    """Return what is wrong with the file called `name`, which is named once."""
    text = describe(error)
    return text if str(error.details.get("path")) == name else say("verdict_line", file=name, verdict=text)


def game_with_options(game: str, settings: Mapping[str, str]) -> str:
    """Return what people call the game of that name, with these of its options, if any."""
    return say("game_with_options", game=game, settings=settings) if settings else called(game)


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
