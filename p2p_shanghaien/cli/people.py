"""People: `identity`, the key and the name one plays with, and `players`, whom one has played with."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from p2p_shanghaien.app import contacts
from p2p_shanghaien.app.library import verified
from p2p_shanghaien.cli.files import FILE, NEW_FILE
from p2p_shanghaien.cli.output import dump, echo
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.challenge import Challenge
from p2p_shanghaien.fairplay.keys import fingerprint, shown_key
from p2p_shanghaien.store.home import Home, Known, read_key, write_key
from p2p_shanghaien.store.paths import all_logs
from p2p_shanghaien.ui.localized import argument, group, option
from p2p_shanghaien.ui.words import say


@group(help="help_identity", invoke_without_command=True)
@click.pass_context
def identity(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        home = Home.of_user()
        key = home.identity().public
        echo(
            say(
                "identity_shown",
                name=contacts.display_name(home, None, say("nameless")),
                fingerprint=shown_key(key),
                key=key.hex(),
            )
        )
        echo(say("identity_kept", folder=home.root))


@identity.command("name", help="help_identity_name")
@argument("name", metavar="metavar_name")
def keep_name(name: str) -> None:
    home = Home.of_user()
    chosen = contacts.display_name(home, name, say("nameless"))
    aside = home.keep_own_name(chosen)
    if aside:
        echo(say("settings_set_aside", path=aside), err=True)
    echo(say("name_kept", name=chosen))


@identity.command("export", help="help_identity_export")
@argument("file", metavar="metavar_file", type=NEW_FILE)
def export_key(file: Path) -> None:
    own = Home.of_user().identity()
    write_key(file, own)
    echo(say("key_exported", path=file, fingerprint=shown_key(own.public)))


@identity.command("import", help="help_identity_import")
@argument("file", metavar="metavar_file", type=FILE)
@option("--replace", "in_place", is_flag=True, help="help_option_replace")
def import_key(file: Path, in_place: bool) -> None:
    brought = read_key(file)
    aside = Home.of_user().adopt(brought, in_place=in_place)
    echo(say("key_imported", fingerprint=shown_key(brought.public)))
    if aside:
        echo(say("key_set_aside", path=aside))


@group(help="help_players", invoke_without_command=True)
@option("--json", "as_json", is_flag=True, help="help_option_json_list")
@click.pass_context
def players(context: click.Context, as_json: bool) -> None:
    if context.invoked_subcommand is not None:
        return
    home = Home.of_user()
    known = sorted(home.known_players().items(), key=lambda item: (item[1].name.casefold(), item[0]))
    left = contacts.left_unfinished(verified(all_logs(home.games)) if known else ())
    if as_json:
        dump({"players": [_fields(key, player, left[key]) for key, player in known]})
        return
    if not known:
        echo(say("no_players"))
    for key, player in known:
        shown = shown_key(key)
        echo(say("player_line", name=player.name, fingerprint=shown, since=player.since, count=player.games))
        if left[key]:
            echo(say("player_left", count=left[key]))
        if player.challenge:
            echo(say("player_challenged", game=player.challenge.terms.game))


def _fields(key: bytes, player: Known, waiting: int) -> dict[str, object]:
    """Return a contact for other programs (protocol/RECORD.md, section 6.4)."""
    return {
        "name": player.name,
        "key": key.hex(),
        "fingerprint": fingerprint(key).hex(),
        "since": player.since.isoformat(),
        "games": player.games,
        "waiting": waiting,
        "challenged": _terms(player.challenge) if player.challenge else None,
    }


def _terms(challenge: Challenge) -> dict[str, object]:
    session, (game, rules, settings), _ = challenge
    return {"session": session.hex(), "game": game, "rules": rules, "settings": settings}


def known_players(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The fingerprints of the known players' keys, for the beginning of a fingerprint or of a name."""
    try:
        known = Home.of_user().known_players()
    except LocalError:
        return []
    fingerprints = {fingerprint(key).hex(): player.name for key, player in known.items()}
    return [
        CompletionItem(digits, help=name)
        for digits, name in fingerprints.items()
        if digits.startswith(incomplete) or name.casefold().startswith(incomplete.casefold())
    ]


@players.command(help="help_players_forget")
@argument("player", metavar="metavar_player", shell_complete=known_players)
def forget(player: str) -> None:
    home = Home.of_user()
    key, known = contacts.find(home.known_players(), player)
    home.forget(key)
    echo(say("player_forgotten", name=known.name, fingerprint=shown_key(key)))
