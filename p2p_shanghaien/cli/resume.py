"""`shanghaien resume`: go on with an unfinished game, from either side, whichever starts first."""

from dataclasses import replace
from functools import partial

import click

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.hints import hints_on
from p2p_shanghaien.app.lobby import Keeper, Opened, Result
from p2p_shanghaien.app.participants.computer import level_of
from p2p_shanghaien.app.saved import agree_to_repair, computers_log, latest, read_saved
from p2p_shanghaien.cli.arguments import kept_games
from p2p_shanghaien.cli.host import tell_addresses
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.options import HUMAN, PlayerChoice
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.cli.setup import Sitting, computer_side, run_at, seat_options
from p2p_shanghaien.errors import LocalError, UsageError
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.net.addresses import MAX_PORT, parse
from p2p_shanghaien.session.meeting import own_word
from p2p_shanghaien.store.home import COMPUTER, Home
from p2p_shanghaien.store.place import find
from p2p_shanghaien.ui.verdicts import summary


@command(help="help_resume")
@argument("game", default="", metavar="metavar_game", shell_complete=kept_games)
@argument("address", default="", metavar="metavar_address")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option("--port", type=click.IntRange(0, MAX_PORT), metavar="metavar_port", help="help_option_port_again")
@option("--against", type=PlayerChoice(), help="help_option_against_again")
@option("--repair", is_flag=True, help="help_option_repair")
@seat_options(named=False)
def resume(
    game: str,
    address: str,
    bind: str | None,
    port: int | None,
    against: str | None,
    repair: bool,
    sitting: Sitting,
) -> int:
    home = Home.of_user()
    kept = read_saved(home, find(home.games, game)) if game else latest(home, warn)
    session, name = kept.session, kept.session.game.NAME
    if address and kept.seat == Role.HOST:
        raise UsageError("host_needs_no_address", address=address)
    where = parse(address) if address else None
    keeper = Keeper(home, kept.private.key, kept.path)
    sitting = replace(sitting, name=session.names[kept.seat])
    table = sitting.table(home, hints_on(kept.report, name, home, warn))
    identity = home.holder(session.keys[kept.seat], kept.private.key)
    if identity is None:
        raise LocalError("key_of_game_missing", key=kept.private.key)
    side = replace(sitting.own_side(home, keeper, table, name, kept.private.key), identity=identity)
    other = Role(1 - kept.seat)
    called = sitting.call(session.names[other], other)
    log = computers_log(home, session) if kept.seat == Role.HOST else None
    if against and log is None:
        raise UsageError("against_a_person", name=called)
    theirs = read_saved(home, log) if log else None
    if kept.is_finished and (theirs is None or theirs.is_finished):
        if theirs or kept.private.key == COMPUTER:
            raise LocalError("not_resumable", file=kept.path.name, reason=kept.report)
        # whoever takes a finished game up again does so for a peer whose log lacks the end, and waits for that
        side = replace(side, last_word=None)
        table.told("handing_over", name=called)
    if not kept.is_damaged:
        table.told("resuming", game=kept.short_name, verdict=summary(kept.report))
    opponent = None
    if theirs:
        level = against or level_of(session.names[other], name)
        opponent = theirs, computer_side(home, level, name, table, Keeper(home, COMPUTER, theirs.path))
        side = replace(side, call=own_word)

    def opened(at: Opened) -> None:
        table.told("hosting_again" if at.addresses else "hosting_again_here_only", name=called, port=at.port)
        tell_addresses(table, at, f"shanghaien resume {kept.short_name}")

    async def playing() -> Result:
        games = [each for each in (kept, theirs) if each]
        await agree_to_repair(games, side, repair=repair, asks=sitting.player == HUMAN)
        resume = partial(lobby.resume, kept, side, keeper, opponent=opponent, opened=opened)
        return await resume(address=where, bind=bind, port=port)

    return run_at(table, keeper, playing())
