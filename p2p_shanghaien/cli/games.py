"""The games kept on this machine, and their way elsewhere: `games`, `export`, `import`."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from p2p_shanghaien.app.library import NOT_A_LOG, GameFile, concurrently, read, verified
from p2p_shanghaien.app.saved import Prospects, latest, prospects
from p2p_shanghaien.cli.files import FILE, files_and_kept_games, latest_log, loaded
from p2p_shanghaien.cli.output import ascii_option, dump, echo, in_ascii, warn
from p2p_shanghaien.errors import CliCode, LocalError, ShanghaienError, UsageError, Violation
from p2p_shanghaien.fairplay.verify import KeptHandshake, Report, Verdict
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.store.archives import export_archive, import_archive, read_archive
from p2p_shanghaien.store.catalogue import (
    SavedLog,
    find,
    is_against_computer,
    saved_games,
    short_name,
    watched_games,
)
from p2p_shanghaien.store.files import replace
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.lines import handshake_lines
from p2p_shanghaien.store.logs import SIDECAR_SUFFIX, read_handshakes
from p2p_shanghaien.store.paths import all_records, last_written, seat_of
from p2p_shanghaien.text import Listed, printable
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import fields, outcome, summary
from p2p_shanghaien.ui.words import describe, say, shown


class _Practised(NamedTuple):
    """A practice game in the list, or why its record cannot be read."""

    path: Path
    found: Record | ShanghaienError


class _Listed(NamedTuple):
    """A saved game in the list: what its log proves, or why it cannot be read, and what can become of it."""

    path: Path
    name: ShortName
    found: Report | ShanghaienError
    prospects: Prospects


@command(help="help_games")
@ascii_option
@option("--json", "as_json", is_flag=True, help="help_option_json_list")
def games(ascii_only: bool | None, as_json: bool) -> None:
    home = Home.of_user()
    saved, watched = _listed(home, saved_games(home.games)), _listed(home, watched_games(home.watched), watched=True)
    practised = list(_practised(home))
    if as_json:
        games, seen = list(map(_fields, saved)), list(map(_log_fields, watched))
        practice = list(map(_practice_fields, practised))
        dump({"folder": str(home.games), "games": games, "watched": seen, "practice": practice})
        return
    parts = (
        _lines(saved, "games_head", saved),
        _lines(watched, "watched_head", [*saved, *watched]),
        _practice_lines(practised),
    )
    told = [line for part in map(list, parts) if part for line in ("", *part)][1:]
    echo(*(told or [say("no_saved_games", folder=home.games)]), ascii_only=in_ascii(ascii_only))


def _listed(home: Home, logs: Sequence[SavedLog], *, watched: bool = False) -> Sequence[_Listed]:
    def ahead(path: Path, found: Report | ShanghaienError) -> Prospects:
        return Prospects() if watched or not isinstance(found, Report) else prospects(home, path, found, warn)

    contents = verified(path for path, _ in logs)
    found = (NOT_A_LOG if isinstance(content, Record) else content for content in contents)
    return [_Listed(path, name, each, ahead(path, each)) for (path, name), each in zip(logs, found, strict=True)]


def _practised(home: Home) -> Iterator[_Practised]:
    """Yield the practice games, the one last written first."""
    records = all_records(home.practice)
    for path, found in zip(records, concurrently(read, records), strict=True):
        if not isinstance(found, Report):
            yield _Practised(path, found)


def _practice_lines(practised: Sequence[_Practised]) -> Iterator[str]:
    """Yield how a practice game is named, and each with its end."""
    if practised:
        yield say("practice_head", name=practised[0].path.stem)
        yield ""
    for path, found in practised:
        if isinstance(found, Record):
            end = outcome(found) or say("practice_unfinished")
            state = say("sentence", start=say("game_of_kind", game=found.game.NAME, state=end), rest="")
        else:
            state = describe(found)
        yield say("game_line", game=path.stem, state=state)


def _practice_fields(practised: _Practised) -> dict[str, Any]:
    """Return the practice game for other programs (protocol/RECORD.md, section 6.3)."""
    path, found = practised
    about: dict[str, Any] = {
        "name": path.stem,
        "path": str(path),
        "written": last_written(path).isoformat(timespec="seconds"),
    }
    if not isinstance(found, Record):
        return {**about, "reason": found.code.unqualified}
    over = found.last().node
    return {
        **about,
        "reason": None,
        "game": found.game.NAME,
        "settings": dict(found.game.settings),
        "names": found.names,
        "result": over.scores if isinstance(over, Terminal) else None,
    }


def _lines(listed: Sequence[_Listed], head: str, every: Sequence[_Listed]) -> Iterator[str]:
    """Yield `head`, how a game is named among `every` one, and each game with its state; nothing if there is none."""
    if not listed:
        return
    yield say(head, digits=_first(listed[0], every))
    if unfinished := next((each for each in listed if each.prospects.is_resumable), None):
        yield say("games_resume", digits=_first(unfinished, every))
    yield ""
    for each in listed:
        yield say("game_line", game=each.name, state=" ".join(_state(each)))


def _first(game: _Listed, every: Sequence[_Listed]) -> str:
    """Return the beginning of the digits, four or more, that names the game among `every` one."""
    digits, others = game.name.digits, [each.name.digits for each in every if each is not game]
    most = len(digits.partition("-")[0])  # the seat, or that it was watched, is named as a whole
    sizes = range(4, most + 1)
    return next(
        (digits[:size] for size in sizes if not any(other.startswith(digits[:size]) for other in others)), digits
    )


def _state(game: _Listed) -> Iterator[str]:
    """Yield sentences on the state of a game: its result or whose turn it is, and why it cannot be continued."""
    found, ahead = game.found, game.prospects
    if isinstance(found, ShanghaienError):
        yield describe(found)
        return
    state = _standing(game, found)
    if found.session:
        state = say("game_of_kind", game=found.session.game.NAME, state=state)
    yield say("sentence", start=state, rest="")
    if ahead.is_unheard and found.session:
        yield say("game_unheard", name=found.session.names[1 - seat_of(game.path)])
    if ahead.is_moved:
        yield say("game_moved")
    elif ahead.is_played:
        yield say("game_goes_on_now")
    elif ahead.is_unfinished and not ahead.is_resumable:
        yield say("game_stays")


def _standing(game: _Listed, report: Report) -> str:
    """Return the result of the game, or whose turn it is, as a clause."""
    names = report.session.names if report.session else ("", "")
    who = Listed(names[seat] for seat in report.awaited)
    match report.verdict:
        case Verdict.COMPLETE:
            return outcome(report)
        case Verdict.DECIDED:
            return say("game_unsigned", outcome=outcome(report), who=who)
        case Verdict.INCOMPLETE:
            code = "game_waits_for_you" if game.prospects.is_ours else "game_waits"
            return say(code, who=who, since=last_written(game.path))
    return summary(report)


def _log_fields(game: _Listed) -> dict[str, Any]:
    """Return what other programs are told of any log (protocol/RECORD.md, section 6.3)."""
    return {
        "name": shown(game.name),
        "digits": game.name.digits,
        "day": game.name.day.isoformat(),
        "path": str(game.path),
        "written": last_written(game.path).isoformat(timespec="seconds"),
        **fields(game.path.name, game.found),
    }


def _fields(game: _Listed) -> dict[str, Any]:
    """Return the saved game for other programs (protocol/RECORD.md, section 6.3)."""
    ahead = game.prospects
    return {
        **_log_fields(game),
        "own_seat": seat_of(game.path),
        "resumable": ahead.is_resumable,
        "played_now": ahead.is_played,
        "moved": ahead.is_moved,
        "unheard": ahead.is_unheard,
    }


@command(help="help_export")
@argument("file", required=False, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("-o", "--output", type=FILE, metavar="metavar_file", help="help_option_output")
@option("--move", is_flag=True, help="help_option_move")
@option("--handshakes", is_flag=True, help="help_option_export_handshakes")
@option("--data", "wants_data", is_flag=True, help="help_option_export_data")
def export(file: str | None, output: Path | None, move: bool, handshakes: bool, wants_data: bool) -> int:
    code = 0
    if move:
        if output is None or handshakes or wants_data:
            raise UsageError(CliCode.MOVE_NEEDS_OUTPUT)
        path = _log(file, unfinished=True)
        name = short_name(path)
        if is_against_computer(path):
            raise LocalError(CliCode.COMPUTER_STAYS, game=name)
        export_archive(path, output, RULES)
        echo(say("moved_away", game=name, archive=output))
        return code
    if handshakes:
        data = handshake_lines(_kept_handshakes(_log(file)))
    elif wants_data:
        data = _named_data(loaded(file))
    else:
        game = loaded(file)
        if game.report and game.report.verdict == Verdict.VIOLATION:
            raise Violation(CliCode.NOT_EXPORTED, reason=game.report)
        data, code = record.write(game.record).encode(), game.exit_code
    if output is None:
        # what another program takes is the file as it is; to a terminal, names in it must not be commands
        shown_here = sys.stdout.isatty()
        text = "\n".join(map(printable, data.decode(errors="replace").split("\n"))) if shown_here else ""
        click.echo(text or data, nl=False)
    else:
        replace(output, data)
    return code


def _named_data(game: GameFile) -> bytes:
    """Return the data that the options of a game name; the first, if there are several. Raises LocalError for none."""
    found = list(game.record.game.named_data().values())
    if not found:
        raise LocalError(CliCode.NO_DATA_NAMED, file=game.name)
    return found[0]


def _log(name: str | None, *, unfinished: bool = False) -> Path:
    """Return the log that `name` means; without one the latest, or the one that `resume` would take if `unfinished`."""
    home = Home.of_user()
    if name is not None:
        return find(home.games, name)
    if unfinished:
        game = latest(home, warn)
        echo(say("latest_game", game=game.name), err=True)
        return game.path
    return latest_log()


def _kept_handshakes(log: Path) -> Sequence[KeptHandshake]:
    """Those kept beside a log, where the secret stands, too. Raises LocalError, also where there are none."""
    sidecar = log.with_suffix(SIDECAR_SUFFIX)
    if os.path.lexists(sidecar) and (handshakes := read_handshakes(sidecar)):
        return handshakes
    raise LocalError(CliCode.NO_HANDSHAKES_KEPT, file=short_name(log))


@command("import", help="help_import")
@argument("archive", metavar="metavar_file", type=FILE)
def import_game(archive: Path) -> None:
    home = Home.of_user()
    packed = read_archive(archive, RULES)
    home.owner(packed.key, packed.sidecar.key)  # raises where the game cannot go on here
    name = short_name(import_archive(packed, home.games))
    echo(say("moved_here", game=name, digits=name.digits))
