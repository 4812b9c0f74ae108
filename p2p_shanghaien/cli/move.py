"""`shanghaien import`: take over a game that was packed up on another machine with `shanghaien export --move`."""

from pathlib import Path

import click

from p2p_shanghaien.cli.localized import argument, command
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.bundles import pack, read_bundle, unpack
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import find
from p2p_shanghaien.ui.words import say


def move_away(game: str, bundle: Path) -> None:
    """Pack the kept game `game` into the new file `bundle`, and give it up here. Raises LocalError."""
    path = find(Home.of_user().games, game)
    pack(path, bundle, RULES)
    echo(say("moved_away", file=path.name, bundle=bundle))


@command("import", help="help_import")
@argument("bundle", metavar="metavar_file", type=click.Path(path_type=Path))
def import_game(bundle: Path) -> None:
    home = Home.of_user()
    packed = read_bundle(bundle, RULES)
    if home.holder(packed.key, packed.private.key) is None:
        raise LocalError("key_of_game_missing", key=packed.private.key)
    path = unpack(packed, home.games)
    echo(say("moved_here", file=path.name))
