"""Selection of logs and records that count: no game twice, and no unsigned one unless asked for."""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import ShanghaienError, Violation
from p2p_shanghaien.fairplay.match import Match, Session
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.record import Record, read, write

Found: TypeAlias = Report | Record | ShanghaienError
"""The content of a file: a verified log, a text record, or the reason why it is neither."""


SAME_GAME: Final = "same_game"
"""The reason why a copy does not count."""


class Counted(NamedTuple):
    """A game that counts; `session` and `report` for signed logs only."""

    name: str
    record: Record
    report: Report | None = None

    @property
    def session(self) -> Session | None:
        return self.report.session if self.report else None


class LeftOut(NamedTuple):
    """A file that does not count: the code of the reason, the `other` file if there is one, and the content."""

    name: str
    reason: str
    found: Found
    other: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of a command that leaves the file out: 0 for a mere copy or an unsigned file."""
        if isinstance(self.found, Report | ShanghaienError):
            return self.found.exit_code
        return Violation.exit_code if self.reason in ("copies_differ", "game_violated") else 0


def dedupe(files: Iterable[tuple[str, Found]], *, unsigned: bool) -> tuple[list[Counted], list[LeftOut]]:
    """Return the games that count, each once, and the files that do not; text records count if `unsigned` ones may, but
    never those of practice: whoever takes a decision back chooses among draws.

    Of a game's copies the longest counts. If one breaks a rule, or two continued differently, the whole game does not
    count: somebody may have chosen among draws.
    """
    logs: dict[bytes, list[_Copy]] = {}
    records: list[Counted] = []
    left: list[LeftOut] = []
    proved: dict[bytes, str] = {}
    for name, found in files:
        match found:
            case Report(Verdict.COMPLETE | Verdict.DECIDED | Verdict.INCOMPLETE, Match() as match_):
                copy = _Copy(name, found.record(), found, match_.hashes)
                logs.setdefault(match_.session.id, []).append(copy)
            case Record() if found.is_practice:
                left.append(LeftOut(name, "practice", found))
            case Record() if unsigned:
                records.append(Counted(name, found))
            case Record():
                left.append(LeftOut(name, "unsigned", found))
            case Report(Verdict.VIOLATION, Match() as match_):
                proved[match_.session.id] = name
                left.append(LeftOut(name, "not_sound", found))
            case _:
                left.append(LeftOut(name, "not_sound", found))
    counted: list[Counted] = []
    for session, copies in logs.items():
        chosen, others = _longest(copies)
        if session in proved:
            left += [LeftOut(each.name, "game_violated", each.record, proved[session]) for each in copies]
        elif odd := [each for each in others if not _begins(chosen, each)]:
            left += [LeftOut(each.name, "copies_differ", each.record, odd[0].name) for each in (chosen, *others)]
        else:
            counted.append(Counted(chosen.name, chosen.record, chosen.report))
            left += [LeftOut(each.name, SAME_GAME, each.record, chosen.name) for each in others]
    records.sort(key=lambda each: -len(each.record.steps))
    # logs are compared as if read from text, where the order of dice in a roll is lost
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
    """A copy of a game's log, sound as far as it goes, and the hashes of its chain."""

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
    """Return whether one game is the beginning of the other, and has the same options."""
    return record.game == longer.game and longer.steps[: len(record.steps)] == record.steps
