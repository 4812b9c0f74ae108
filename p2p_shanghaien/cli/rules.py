"""`shanghaien rules`: the rules of a game, in the project's own words."""

import click

from p2p_shanghaien.app.choice import DEFAULT_GAME
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.ui.localized import Choice, argument, command
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.view import rules_of


@command(help="help_rules")
@argument("game", metavar="metavar_kind_of_game", type=Choice(list(GAMES)), default=DEFAULT_GAME)
def rules(game: str) -> None:
    click.echo_via_pager(Screen().charset.transliterate(rules_of(game)))
