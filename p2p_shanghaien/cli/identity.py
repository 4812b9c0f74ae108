"""`shanghaien identity`: the key and the name one plays with."""

from pathlib import Path

import click

from p2p_shanghaien.cli.localized import argument, group, option
from p2p_shanghaien.cli.options import display_name
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.store.home import Home, read_key, write_key
from p2p_shanghaien.ui.words import say

_FILE = click.Path(path_type=Path, dir_okay=False)


@group(help="help_identity", invoke_without_command=True)
@click.pass_context
def identity(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        home = Home.of_user()
        key = home.identity().public
        echo(say("identity_shown", name=display_name(None), fingerprint=shown_key(key), key=key.hex()))
        echo(say("identity_kept", folder=home.root))


@identity.command("name", help="help_identity_name")
@argument("name", metavar="metavar_name")
def keep_name(name: str) -> None:
    chosen = display_name(name)
    aside = Home.of_user().keep_own_name(chosen)
    if aside:
        echo(say("settings_set_aside", path=aside), err=True)
    echo(say("name_kept", name=chosen))


@identity.command("export", help="help_identity_export")
@argument("file", metavar="metavar_file", type=_FILE)
def export_key(file: Path) -> None:
    own = Home.of_user().identity()
    write_key(file, own)
    echo(say("key_exported", path=file, fingerprint=shown_key(own.public)))


@identity.command("import", help="help_identity_import")
@argument("file", metavar="metavar_file", type=click.Path(path_type=Path))
@option("--replace", "in_place", is_flag=True, help="help_option_replace")
def import_key(file: Path, in_place: bool) -> None:
    brought = read_key(file)
    aside = Home.of_user().adopt(brought, in_place=in_place)
    echo(say("key_imported", fingerprint=shown_key(brought.public)))
    if aside:
        echo(say("key_set_aside", path=aside))
