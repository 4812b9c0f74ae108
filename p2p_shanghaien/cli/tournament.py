"""`shanghaien tournament`: two computer players against each other, over many games."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import cpu_count
from secrets import randbits
from typing import Any, Final

import click

from p2p_shanghaien.analysis.tournament import Contest, Interval, Pair, Summary, play, summarise
from p2p_shanghaien.cli.external import PREFIX, EnginePlayer, PlayerChoice
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.options import GameChoice, GameCommand
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.cli.reports import game_with_options
from p2p_shanghaien.cli.workers import workers
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.players import ComputerPlayer, Historian, computer_player
from p2p_shanghaien.ui.words import say

LEVEL: Final = PlayerChoice()
GAMES: Final = 100


@command(cls=GameCommand, help="help_tournament")
@argument("a", type=LEVEL)
@argument("b", type=LEVEL)
@option(
    "--games",
    type=click.IntRange(min=1),
    default=GAMES,
    metavar="metavar_number",
    help="help_option_games",
)
@option("--seed", type=int, metavar="metavar_number", help="help_option_seed")
@option("--cores", type=click.IntRange(min=1), metavar="metavar_number", help="help_option_cores")
@option("--raw", is_flag=True, help="help_option_raw")
@option("--json", "as_json", is_flag=True, help="help_option_json_result")
def tournament(
    a: str, b: str, games: int, seed: int | None, cores: int | None, raw: bool, as_json: bool, choice: GameChoice
) -> int:
    game = choice.game()
    players = _player(game, a), _player(game, b)
    seed = randbits(32) if seed is None else seed
    contest = Contest(game, players, seed, luck=not raw)
    pairs, complete = _played(contest, (games + 1) // 2, cores or cpu_count() or 1)
    if not pairs:
        raise click.Abort
    summary = summarise(pairs)
    if as_json:
        about = {"players": [a, b], "game": game.NAME, "settings": dict(game.settings), "seed": seed}
        click.echo(json.dumps({**about, "complete": complete, **_fields(summary)}))
    else:
        title = game_with_options(game.NAME, dict(game.settings))
        echo(say("tournament_head", a=a, b=b, game=title, count=summary.games, seed=seed))
        for line in _lines(summary):
            click.echo(line)
    if not complete:
        click.echo(say("interrupted"), err=True)
    return 0 if complete else 1


def _player(game: Game, name: str) -> ComputerPlayer | Historian:
    return EnginePlayer(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else computer_player(game.NAME, name)


def _played(contest: Contest, count: int, cores: int) -> tuple[list[Pair], bool]:
    """The pairs that were finished, and whether those are all of them: Ctrl-C ends a tournament early.

    Raises LocalError.
    """
    pairs = []
    try:
        with workers(min(cores, count)) as executor, _progress(count) as advance:
            for pair in play(contest, range(count), executor):
                pairs.append(pair)
                advance()
    except KeyboardInterrupt:
        return pairs, False
    return pairs, True


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where that is a terminal; what is given is to be called for every pair finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=2 * count)
        yield lambda: bar.advance(task, 2)


def _lines(summary: Summary) -> Iterator[str]:
    yield say("tournament_score", won=summary.won, drawn=summary.drawn, lost=summary.lost)
    yield _line("tournament_win_rate", summary.win_rate, 100, ".1f")
    yield _line("tournament_margin", summary.margin, 1, "+.2f")
    if summary.adjusted_win_rate and summary.adjusted_margin:
        yield say("tournament_adjusted")
        yield _line("tournament_win_rate", summary.adjusted_win_rate, 100, ".1f")
        yield _line("tournament_margin", summary.adjusted_margin, 1, "+.2f")


def _line(code: str, interval: Interval, scale: float, form: str) -> str:
    shown = {name: format(scale * value, form) for name, value in interval._asdict().items() if value is not None}
    return say(code if "low" in shown else f"{code}_alone", **shown)


def _fields(summary: Summary) -> dict[str, Any]:
    """Return the summary for other programs: each interval as its mean and its ends."""
    return {
        name: value._asdict() if isinstance(value, Interval) else value for name, value in summary._asdict().items()
    }
