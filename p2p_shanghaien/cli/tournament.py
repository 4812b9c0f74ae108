"""Computer players by themselves: `tournament`, and `engine`, by which other programs ask them."""

import sys
from secrets import randbits
from typing import ClassVar, Final

import click

from p2p_shanghaien.analysis.tournament import Contest, summarise
from p2p_shanghaien.app.choice import GameChoice
from p2p_shanghaien.app.engine_server import Engine, serve
from p2p_shanghaien.app.tournament import competitor, played
from p2p_shanghaien.cli.options import GameCommand, LevelChoice, NamingCommand, PlayerChoice
from p2p_shanghaien.cli.output import dump, echo, progress_bar
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.naming import level_name
from p2p_shanghaien.ui.report.tournament import fields, lines
from p2p_shanghaien.ui.verdicts import game_with_options
from p2p_shanghaien.ui.words import describe, say

LEVEL: Final = PlayerChoice()


@command(cls=GameCommand, help="help_tournament")
@argument("a", type=LEVEL)
@argument("b", type=LEVEL)
@option("--games", type=click.IntRange(min=1), default=100, metavar="metavar_number", help="help_option_games")
@option("--seed", type=int, metavar="metavar_number", help="help_option_seed")
@option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores")
@option("--raw", is_flag=True, help="help_option_raw")
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
def tournament(
    a: str, b: str, games: int, seed: int | None, cores: int | None, raw: bool, as_json: bool, choice: GameChoice
) -> int:
    game = choice.game()
    players = competitor(a, game.NAME), competitor(b, game.NAME)
    seed = randbits(32) if seed is None else seed
    contest = Contest(game, players, seed, luck=not raw)
    count = (games + 1) // 2
    with progress_bar(2 * count) as advance:
        pairs, complete = played(contest, count, cores, advance)
    if not pairs:
        raise click.Abort
    summary = summarise(pairs)
    if as_json:
        about = {"players": [a, b], "game": game.NAME, "settings": dict(game.settings), "seed": seed}
        dump({**about, "complete": complete, **fields(summary)})
    else:
        title = game_with_options(game.NAME, dict(game.settings))
        echo(say("tournament_head", a=level_name(a), b=level_name(b), game=title, count=summary.games, seed=seed))
        echo(*lines(summary))
    if not complete:
        echo(say("interrupted"), err=True)
    return 0 if complete else 1


class EngineCommand(NamingCommand):
    """A command whose `--game` leaves other games aside."""

    GAME_HELP: ClassVar = "help_option_game_alone"


@command(cls=EngineCommand, help="help_engine")
@option("--level", type=LevelChoice(), help="help_option_level")
def engine(level: str | None, game: str | None) -> None:
    if game and level:
        computer_player(game, level)  # raises where the game lacks the level
    talk = Engine({game: RULES[game]} if game else RULES, level, describe)
    serve(talk, sys.stdin.buffer, sys.stdout)
