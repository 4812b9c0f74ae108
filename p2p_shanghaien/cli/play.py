"""`shanghaien play`: a game against the computer, by a real host and a real guest on this machine."""

from collections.abc import Iterable
from dataclasses import replace

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.hints import hints
from p2p_shanghaien.app.lobby import Keeper
from p2p_shanghaien.app.participants.human import AtHome
from p2p_shanghaien.cli.localized import command, option
from p2p_shanghaien.cli.options import HUMAN, GameChoice, GameCommand, PlayerChoice
from p2p_shanghaien.cli.setup import Sitting, computer_side, run_at, seat_options
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.session.meeting import own_word
from p2p_shanghaien.session.parts import Opponent
from p2p_shanghaien.store.home import COMPUTER, Home


@command(cls=GameCommand, help="help_play")
@option("--against", type=PlayerChoice(), help="help_option_against")
@seat_options()
def play(
    against: str | None,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    home = Home.of_user()
    game = sitting.game(home, choice, against)
    keeper = Keeper(home)
    table = sitting.table(home, hints(game.NAME))
    ours = replace(sitting.own_side(home, keeper, table, game.NAME), recognise=_introduced, call=own_word)
    if sitting.player == HUMAN:
        ours = replace(ours, decider=AtHome(table))
    computer = computer_side(home, against or GAMES[game.NAME].opponent, game.NAME, table, Keeper(home, COMPUTER))
    return run_at(table, keeper, lobby.play(ours, keeper, computer, game))


def _introduced(opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    yield "against_computer", {"name": opponent.name}
