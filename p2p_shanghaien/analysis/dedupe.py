"""Which of many logs and records count, so that no game counts twice and none that proves nothing counts unasked."""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import ShanghaienError, Violation
from p2p_shanghaien.fairplay.match import Match, Session
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.record import Record, read, write

Found: TypeAlias = Report | Record | ShanghaienError
"""What a file holds: a log that was checked, a text record, or the reason why it is neither."""


SAME_GAME: Final = "same_game"
"""Why a copy does not count."""


class Counted(NamedTuple):
    """A game that counts; `session` and `report` for signed logs only."""

    name: str
    record: Record
    report: Report | None = None

    @property
    def session(self) -> Session | None:
        return self.report.session if self.report else None


class LeftOut(NamedTuple):
    """A file that does not count: the code of the reason, the `other` file where there is one, and what was found."""

    name: str
    reason: str
    found: Found
    other: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of a command that leaves the file out: 0 for what is merely a copy or not signed."""
        if isinstance(self.found, Report | ShanghaienError):
            return self.found.exit_code
        return Violation.exit_code if self.reason in ("copies_differ", "game_convicted") else 0


def sift(files: Iterable[tuple[str, Found]], *, unsigned: bool) -> tuple[list[Counted], list[LeftOut]]:
    """The games that count, each once, and the files that do not; text records count where `unsigned` ones may.

    Of a game's copies the longest counts. Where one breaks a rule, or two went on differently, the whole game does
    not: somebody may have chosen among draws.
    """
    logs: dict[bytes, list[_Copy]] = {}
    records: list[Counted] = []
    left: list[LeftOut] = []
    convicted: dict[bytes, str] = {}
    for name, found in files:
        match found:
            case Report(Verdict.COMPLETE | Verdict.DECIDED | Verdict.INCOMPLETE, Match() as match_):
                copy = _Copy(name, found.record(), found, match_.hashes)
                logs.setdefault(match_.session.id, []).append(copy)
            case Record() if unsigned:
                records.append(Counted(name, found))
            case Record():
                left.append(LeftOut(name, "unsigned", found))
            case Report(Verdict.VIOLATION, Match() as match_):
                convicted[match_.session.id] = name
                left.append(LeftOut(name, "not_sound", found))
            case _:
                left.append(LeftOut(name, "not_sound", found))
    counted: list[Counted] = []
    for session, copies in logs.items():
        chosen, others = _longest(copies)
        if session in convicted:
            left += [LeftOut(each.name, "game_convicted", each.record, convicted[session]) for each in copies]
        elif odd := [each for each in others if not _begins(chosen, each)]:
            left += [LeftOut(each.name, "copies_differ", each.record, odd[0].name) for each in (chosen, *others)]
        else:
            counted.append(Counted(chosen.name, chosen.record, chosen.report))
            left += [LeftOut(each.name, SAME_GAME, each.record, chosen.name) for each in others]
    records.sort(key=lambda each: -len(each.record.steps))
    # a log's games are compared as they would be read from text, where the order of dice in a roll is lost
    kept = {each.name: _as_read(each.record) for each in counted} if records else {}
    for each in records:
        same = next((name for name, longer in kept.items() if _is_beginning(each.record, longer)), None)
        if same is None:
            counted.append(each)
            kept[each.name] = each.record
        else:
            left.append(LeftOut(each.name, SAME_GAME, each.record, same))
    return counted, left


class _Copy(NamedTuple):
    """A copy of a game's log that holds as far as it goes, and the hashes of its chain."""

    name: str
    record: Record
    report: Report
    hashes: tuple[bytes, ...]


def _longest(copies: list[_Copy]) -> tuple[_Copy, list[_Copy]]:
    ordered = sorted(copies, key=lambda each: -len(each.hashes))
    return ordered[0], ordered[1:]


def _begins(longer: _Copy, shorter: _Copy) -> bool:
    """Return whether one copy of a game is the beginning of the other, entry by entry."""
    return longer.hashes[: len(shorter.hashes)] == shorter.hashes


def _as_read(record: Record) -> Record:
    return read(write(record).encode(), {record.game.NAME: type(record.game)})


def _is_beginning(record: Record, longer: Record) -> bool:
    """Return whether one game is the other as far as it goes, and has the same options."""
    return record.game == longer.game and longer.steps[: len(record.steps)] == record.steps
