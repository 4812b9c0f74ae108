"""Saved games by their short names: the day, both players, and the first digits of the session id.

A game against the computer has two logs, and is one game: the computer's log is found by its whole name only. A game
that was watched is named in the same way; where a saved game has the same digits, they mean that one.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from p2p_shanghaien.errors import InvalidFile, LocalError, Malformed, StoreCode
from p2p_shanghaien.fairplay.hello import Hello, Role, parse_hello
from p2p_shanghaien.fairplay.transcript import MAX_BEGINNING, read
from p2p_shanghaien.short_name import ShortName, ShortNames
from p2p_shanghaien.store.archives import ARCHIVE_SUFFIX
from p2p_shanghaien.store.files import explained, open_regular
from p2p_shanghaien.store.home import COMPUTER, Home
from p2p_shanghaien.store.logs import SIDECAR_SUFFIX, read_begun, read_sidecar
from p2p_shanghaien.store.paths import SUFFIX, all_logs, existing_file, expanded, games_folder, last_written
from p2p_shanghaien.text import Listed, nearest

__all__ = [
    "SHORTEST",
    "SavedLog",
    "find",
    "is_against_computer",
    "latest",
    "saved_games",
    "short_name",
    "watched_games",
]

SHORTEST: Final = 8
"""The digits of a session id in a short name, where they are enough."""

LISTED: Final = 10
"""The limit of games that are listed where several have a name."""

_LOG: Final = re.compile("([0-9a-f]{64})-(host|guest|watched)")
"""The name of a log, without its suffix: session id and seat, or that the game was watched."""

_TYPED: Final = re.compile(r"([0-9a-f]{1,64})(?:-(host|guest|watched)(?:\.shlog)?)?")
"""A name that is typed for a log: the beginning of a session id, and perhaps the seat, or that it was watched."""


class SavedLog(NamedTuple):
    """A saved game: the log of the seat that was played here, and its short name."""

    path: Path
    name: ShortName


def saved_games(games: Path) -> Sequence[SavedLog]:
    """Return every saved game in the folder `games`, the one last written first. Raises LocalError."""
    logs = all_logs(games)
    played = _without_computers(logs)
    digits = _digits(logs, played)
    return [SavedLog(log, _name(log, digits[log])) for log in played]


def watched_games(watched: Path) -> Sequence[SavedLog]:
    """Return every watched game in the folder `watched`, the one last written first. Raises LocalError."""
    logs = all_logs(watched)
    every = [*logs, *_saved_beside(watched)]
    digits = _digits(every, every)
    return [SavedLog(log, _name(log, digits[log])) for log in logs]


def latest(games: Path) -> Path:
    """Return the log of the game in the folder `games` that was last written. Raises LocalError, also for none."""
    logs = all_logs(games)
    if not logs:
        raise LocalError(StoreCode.NO_SAVED_GAMES, folder=games)
    session = _session(logs[0])
    return _without_computers([log for log in logs if session and _session(log) == session] or logs[:1])[0]


def short_name(log: Path) -> ShortName:
    """Return the short name of the saved or watched log at `log`; what cannot be read of it is left out."""
    logs: Sequence[Path] = ()
    with suppress(LocalError):
        logs = all_logs(log.parent)
    if _is_watched(log):
        logs = [*logs, *_saved_beside(log.parent)]
    session = _session(log)
    played = _without_computers([each for each in logs if session and _session(each) == session])
    return _name(log, _digits([*logs, log], played or [log])[log])


def is_against_computer(log: Path) -> bool:
    """Return whether the saved game at `log` is one against the computer of this machine, which has a log as well."""
    other = log.with_name(f"{_session(log)}-guest{SUFFIX}")
    return os.path.lexists(other) and _is_computers(other)


def find(games: Path, text: str, records: Sequence[Path] = (), watched: Sequence[Path] = ()) -> Path:
    """Return the file that `text` means: a path, or the beginning of the digits of one game in the folder `games`.

    The whole short name, and the whole name of a log, are such beginnings as well. What none of these is called may be
    the beginning of one of the `watched` logs, and else of the name of one of `records`, those of practice games.
    Raises LocalError.
    """
    if path := existing_file(text):
        return path
    logs = all_logs(games)
    word = "".join(text.split()[-1:])
    matches = [log for log in logs if _is_meant(word, log)]
    if len(matches) > 1:
        matches = list(_without_computers(matches))
    elif not matches and word:
        matches = [log for log in watched if _is_meant(word, log)] or _recorded(word, records)
    if len(matches) == 1:
        return matches[0]
    if text and os.path.isdir(expanded(text)):
        raise LocalError(StoreCode.FOLDER_NAMED, path=expanded(text))
    if matches and matches[0] in records:
        raise LocalError(StoreCode.MANY_SUCH_RECORDS, name=text, games=Listed(each.stem for each in matches[:LISTED]))
    if matches:
        digits = _digits([*watched, *logs], [*watched, *_without_computers(logs)])
        names = ShortNames(_name(log, digits[log]) for log in matches[:LISTED])
        raise LocalError(StoreCode.MANY_SUCH_GAMES, name=text, games=names)
    # names are random digits, of which any two may have some in common
    beginnings = (log.name[: len(word)] for log in (*logs, *watched))
    near = nearest(word, [*beginnings, *(each.stem for each in records)], 0.75)
    raise LocalError(StoreCode.NO_SUCH_FILE, name=text, nearest=near)


def _is_meant(word: str, log: Path) -> bool:
    """Return whether `word` is a beginning of the log's name. A file that is not named as logs are has one, too."""
    found, typed = _LOG.fullmatch(log.stem), _TYPED.fullmatch(word.casefold())
    if found is None:
        return bool(word) and log.name.startswith(word)
    return typed is not None and found[1].startswith(typed[1]) and typed[2] in (None, found[2])


def _is_watched(log: Path) -> bool:
    """Return whether the log is named as those of watched games are."""
    found = _LOG.fullmatch(log.stem)
    return found is not None and found[2] == "watched"


def _saved_beside(watched: Path) -> Sequence[Path]:
    """Return the saved logs beside the folder `watched`: what is typed for a watched game must mean none of them."""
    with suppress(LocalError):
        return all_logs(games_folder(watched.parent))
    return ()


def _recorded(word: str, records: Sequence[Path]) -> list[Path]:
    """Return the record of that name, or else those whose names begin with `word`."""
    whole = [each for each in records if word in (each.stem, each.name)]
    return whole or [each for each in records if each.name.startswith(word)]


def _session(log: Path) -> str:
    """Return the session id in the log's name; nothing if it is not named as logs are."""
    found = _LOG.fullmatch(log.stem)
    return found[1] if found else ""


def _without_computers(logs: Iterable[Path]) -> Sequence[Path]:
    """Return `logs` without those of the computer, where the person's own log of the game is among them."""
    logs = list(logs)
    hosts = {_session(log) for log in logs if log.stem.endswith("-host")}
    return [log for log in logs if not (log.stem.endswith("-guest") and _session(log) in hosts and _is_computers(log))]


def _is_computers(log: Path) -> bool:
    """Return whether the computer plays the guest's seat, whose log this is: by its key, or else by the sidecar."""
    with suppress(LocalError):
        if hellos := _hellos(log):
            return Home(log.parent.parent).holder(hellos[Role.GUEST].key, COMPUTER) is not None
        return read_sidecar(log).key == COMPUTER
    return False


def _digits(logs: Iterable[Path], played: Iterable[Path]) -> Mapping[Path, str]:
    """Return the digits that name each of `logs`, as many as it takes; the seat follows if they mean another log.

    `played` are the logs that digits alone mean, unless two of them are of one session.
    """
    alike: dict[str, set[str]] = defaultdict(set)
    for log in logs:
        alike[_session(log)[:SHORTEST]].add(_session(log))
    seats: dict[str, list[Path]] = defaultdict(list)
    for log in played:
        seats[_session(log)].append(log)

    def digits(log: Path) -> str:
        session = _session(log)
        if not session:
            return log.name
        others = alike[session[:SHORTEST]] - {session}
        size = next(
            size for size in range(SHORTEST, 65) if not any(other.startswith(session[:size]) for other in others)
        )
        return session[:size] + ("" if seats[session] == [log] else log.stem[len(session) :])

    return {log: digits(log) for log in logs}


def _name(log: Path, digits: str) -> ShortName:
    hellos = _hellos(log)
    begun = (read_begun(log.with_suffix(suffix)) for suffix in (SIDECAR_SUFFIX, ARCHIVE_SUFFIX))
    day = next((moment for moment in begun if moment), None) or last_written(log)
    return ShortName(day.date(), tuple(hello.name for hello in hellos), digits)


def _hellos(log: Path) -> tuple[Hello, ...]:
    """Return both hellos of the log, the host's first; none if it does not begin with two."""
    with suppress(LocalError, InvalidFile, Malformed), explained(log), open_regular(log, "rb") as file:
        host, guest = read(file.read(MAX_BEGINNING)).hellos
        return parse_hello(host, Role.HOST), parse_hello(guest, Role.GUEST)
    return ()
