"""`shanghaien verify`: what signed logs prove, in lines or for other programs."""

from pathlib import Path

from p2p_shanghaien.app.library import NOT_A_LOG, shown_name, sources, verified
from p2p_shanghaien.cli.files import FILE, NEW_FILE, files_and_kept_games, or_latest, write_text
from p2p_shanghaien.cli.output import ascii_option, dump, echo, in_ascii, worst_exit_code
from p2p_shanghaien.errors import CliCode, LocalError, UsageError
from p2p_shanghaien.fairplay.verify import KeptHandshake, Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.store.paths import SUFFIX, games_folder, home_folder
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import fields, lines
from p2p_shanghaien.ui.words import describe, say


@command(help="help_verify")
@argument("files", nargs=-1, metavar="metavar_file", shell_complete=files_and_kept_games)
@option("--key", "keys", multiple=True, metavar="metavar_hex", help="help_option_key")
@option("--handshakes", "shown", multiple=True, type=FILE, metavar="metavar_file", help="help_option_handshakes")
@option("--page", type=NEW_FILE, metavar="metavar_file", help="help_option_page")
@option("--details", is_flag=True, help="help_option_details")
@ascii_option
@option("--json", "as_json", is_flag=True, help="help_option_json_verdicts")
def verify(
    files: tuple[str, ...],
    keys: tuple[str, ...],
    shown: tuple[Path, ...],
    page: Path | None,
    details: bool,
    ascii_only: bool | None,
    as_json: bool,
) -> int:
    ascii_only = in_ascii(ascii_only)
    if page is not None:
        # most logs are verified without
        from p2p_shanghaien.ui.verifier import verifier_page

        write_text(page, verifier_page())
        echo(say("verifier_written", path=page), err=as_json, ascii_only=ascii_only)
        if not files:
            return 0
    wanted = frozenset(map(_key, keys))
    handshakes: list[KeptHandshake] = []
    codes = []
    for path in shown:
        # most logs are verified without
        from p2p_shanghaien.store.logs import read_handshakes

        try:
            kept = read_handshakes(path)
            if not kept:
                raise LocalError(CliCode.NO_HANDSHAKES, path=path)
            handshakes += kept
        except LocalError as error:
            # the logs have their verdicts all the same
            echo(say("error", message=describe(error)), err=True, ascii_only=ascii_only)
            codes.append(error.exit_code)
    found = list(sources(or_latest(files, ascii_only=ascii_only), (SUFFIX,), games_folder(home_folder())))
    contents = verified((source for _, source in found), handshakes)
    for (name, source), content in zip(found, contents, strict=True):
        outcome = NOT_A_LOG if isinstance(content, Record) else content
        absent = outcome.absent(wanted) if isinstance(outcome, Report) else ()
        codes += [outcome.exit_code, *(LocalError.exit_code for _ in absent)]
        if as_json:
            dump(fields(name, outcome, absent if keys else None, wordy=details))
        else:
            echo(*lines(shown_name(name, source), outcome, absent, wordy=details), ascii_only=ascii_only)
            if isinstance(content, Record):
                echo("  " + say("verify_practice" if content.is_practice else "verify_record"), ascii_only=ascii_only)
    return worst_exit_code(codes)


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError(CliCode.BAD_KEY_TEXT, text=text) from None
