"""`shanghaien verify`: what signed logs prove, in lines or for other programs."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from p2p_shanghaien.app.library import sources, verified
from p2p_shanghaien.cli.arguments import files_and_kept_games
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.errors import LocalError, ShanghaienError, UsageError
from p2p_shanghaien.fairplay.verify import SEVERITY, KeptHandshake, Report
from p2p_shanghaien.store.place import SUFFIX, games_folder, home_folder
from p2p_shanghaien.ui.verdicts import details, summary
from p2p_shanghaien.ui.words import describe, say

_FILE: Final = click.Path(path_type=Path)


@command(help="help_verify")
@argument(
    "files",
    nargs=-1,
    required=True,
    metavar="metavar_file",
    shell_complete=files_and_kept_games,
)
@option("--key", "keys", multiple=True, metavar="metavar_hex", help="help_option_key")
@option("--handshakes", "shown", multiple=True, type=_FILE, metavar="metavar_file", help="help_option_handshakes")
@option("--details", "wordy", is_flag=True, help="help_option_details")
@option("--json", "as_json", is_flag=True, help="help_option_json_verdicts")
def verify(files: tuple[str, ...], keys: tuple[str, ...], shown: tuple[Path, ...], wordy: bool, as_json: bool) -> int:
    wanted = frozenset(map(_key, keys))
    handshakes: list[KeptHandshake] = []
    codes = []
    for path in shown:
        try:
            handshakes += _handshakes(path)
        except LocalError as error:
            # the logs have their verdicts all the same
            echo(say("error", message=describe(error)), err=True)
            codes.append(error.exit_code)
    found = list(sources(files, (SUFFIX,), games_folder(home_folder())))
    outcomes = verified((source for _, source in found), handshakes)
    for (name, _), outcome in zip(found, outcomes, strict=True):
        absent = _absent(wanted, outcome)
        codes += [outcome.exit_code, *(LocalError.exit_code for _ in absent)]
        if as_json:
            click.echo(json.dumps(verdict_fields(name, outcome, absent if keys else None)))
        else:
            _tell(name, outcome, absent, wordy=wordy)
    return max(codes, key=SEVERITY.index)


def _absent(wanted: Iterable[bytes], outcome: Report | ShanghaienError) -> Sequence[bytes]:
    """Return those of the `wanted` keys that took no part in the game of a log that could be read."""
    if isinstance(outcome, ShanghaienError):
        return ()
    return sorted(set(wanted).difference(outcome.session.keys if outcome.session else ()))


def _tell(name: str, outcome: Report | ShanghaienError, absent: Iterable[bytes], *, wordy: bool) -> None:
    if isinstance(outcome, ShanghaienError):
        echo(say("verdict_line", file=name, verdict=describe(outcome)))
        return
    echo(say("verdict_line", file=name, verdict=summary(outcome)))
    for key in absent:
        echo(say("key_absent", file=name, key=key.hex()))
    if wordy:
        for line in details(outcome):
            echo(line, margin=2)


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError("bad_key_text", text=text) from None


def _handshakes(path: Path) -> Sequence[KeptHandshake]:
    """Those in a file that somebody shows. Raises LocalError, also where there are none."""
    # most logs are verified without
    from p2p_shanghaien.store.logs import read_handshakes

    if handshakes := read_handshakes(path):
        return handshakes
    raise LocalError("no_handshakes", path=path)


def verdict_fields(name: str, outcome: Report | ShanghaienError, absent: Iterable[bytes] | None) -> dict[str, Any]:
    """Return what is printed of the file called `name`; an error in place of a report says why it cannot be read.

    `absent` are the keys asked for that took no part, None if none was asked for.
    """
    report = outcome if isinstance(outcome, Report) else None
    fault = outcome.fault if isinstance(outcome, Report) else outcome
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
        "result": match.result,
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
