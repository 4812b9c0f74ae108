"""`shanghaien learn`: a guided game; and its offer to whoever has not played yet."""

import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click

from p2p_shanghaien.app.choice import DEFAULT_GAME
from p2p_shanghaien.app.contacts import display_name
from p2p_shanghaien.app.learning import LessonTable, lesson_of, taught, teach
from p2p_shanghaien.cli.options import Display
from p2p_shanghaien.cli.output import ascii_option, echo, warn
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.lesson import Progress
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.paths import all_logs
from p2p_shanghaien.ui import lifecycle
from p2p_shanghaien.ui.lesson import PlainLesson
from p2p_shanghaien.ui.localized import Choice, argument, command, option
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _lessons(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG001
    from click.shell_completion import CompletionItem

    return [CompletionItem(game) for game in taught() if game.startswith(incomplete)]


@command(help="help_learn")
@argument(
    "game",
    metavar="metavar_kind_of_game",
    type=Choice(list(GAMES)),
    required=False,
    default=None,
    shell_complete=_lessons,
)
@option("--again", is_flag=True, help="help_option_again")
@ascii_option
@option("--plain", is_flag=True, help="help_option_plain")
def learn(game: str | None, again: bool, ascii_only: bool | None, plain: bool) -> int:
    display = Display(Home.of_user(), ascii_only, plain)
    if game is None and display.settings.game in taught():
        game = display.settings.game
    if game is None:
        game = _picked(display) if display.is_full_screen and len(taught()) > 1 else DEFAULT_GAME
    lesson(display, game, again=again)
    return 0


def _picked(display: Display) -> str:
    """Return the game that the person picks. Raises click's Exit if they leave."""
    from p2p_shanghaien.ui.full.picking import GamePicker

    games = sorted(taught(), key=lambda name: name != DEFAULT_GAME)
    return display.ask(partial(GamePicker, games, display.home.settings_file, below="lesson_games_help")).game


def lesson(display: Display, game: str, *, again: bool = False) -> bool:
    """Give the lesson of the game of that name, from where it was left, or its start.

    Return whether the learner came to its end. Raises UsageError and LocalError.
    """
    script, home = lesson_of(game), display.home
    try:
        found = None if again else home.lessons.progress(game)
    except LocalError as error:
        warn(error)
        found = None
    # a lesson of another length is another lesson
    first = found.done if found and found.total == len(script) and found.done < found.total else 0
    trouble: list[LocalError] = []

    def keep(progress: Progress) -> None:
        try:
            home.lessons.keep_progress(game, progress)
        except LocalError as error:
            trouble.append(error)

    table = _table(display)
    if first:
        table.notify("lesson_resumed")
    names = (display_name(home, None, say("nameless")), say("lesson_computer"))
    ended = lifecycle.run(table.run_session(teach(script, table, names, first, keep)))
    if trouble:
        warn(trouble[0])
    return bool(ended)


def _table(display: Display) -> LessonTable:
    if not display.is_full_screen:
        return PlainLesson(ascii_only=display.ascii_lines)
    from p2p_shanghaien.ui.full.lesson import FullLesson, LessonApp

    return FullLesson(LessonApp(display.settings, display.keep, ascii_only=display.ascii_only), bell=False)


def offer(display: Display, game: str) -> None:
    """Offer the lesson of a game, once, to whoever has no games yet, and give it if they want it.

    At the full screen it is a question, and whoever leaves the lesson leaves the program: click's Exit is raised. At a
    terminal in plain mode it is a sentence; elsewhere nobody reads one. Raises LocalError.
    """
    if game not in taught() or not (sys.stdin.isatty() and sys.stdout.isatty()) or _is_known(display.home):
        return
    if not display.is_full_screen:
        echo(say("lesson_offered", game=game, name=game))
        _keep_offered(display.home)
        return
    from p2p_shanghaien.ui.full.picking import Asking

    if display.ask(partial(Asking, "lesson_offer", game=game)):
        learn_first(display, game)
    else:
        _keep_offered(display.home)


def learn_first(display: Display, game: str) -> None:
    """Give the lesson of a game at the full screen before it is played; there is no need to offer it any more.

    Whoever leaves it leaves the program: click's Exit is raised. Raises LocalError.
    """
    _keep_offered(display.home)
    if not lesson(display, game):
        raise click.exceptions.Exit(0)


def _is_known(home: Home) -> bool:
    """Return whether a lesson was offered already, or somebody has played here; also if that cannot be found out."""
    try:
        return home.lessons.was_offered or bool(all_logs(home.games))
    except LocalError:
        return True


def _keep_offered(home: Home) -> None:
    # what cannot be kept is asked again
    with suppress(LocalError):
        home.lessons.keep_offered()
