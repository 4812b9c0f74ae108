"""`shanghaien host`: open a table and wait for a guest."""

import shlex
from dataclasses import replace

import click

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.lobby import Endpoint, Opened, SociableKeeper
from p2p_shanghaien.cli.localized import command, option
from p2p_shanghaien.cli.options import GameChoice, GameCommand
from p2p_shanghaien.cli.setup import Sitting, run_at, seat_options
from p2p_shanghaien.fairplay.invitation import written
from p2p_shanghaien.net.addresses import DEFAULT_PORT, MAX_PORT, is_within_wsl, parse
from p2p_shanghaien.session.participant import Watcher
from p2p_shanghaien.store.home import Home


@command(cls=GameCommand, help="help_host")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option(
    "--port",
    type=click.IntRange(0, MAX_PORT),
    default=DEFAULT_PORT,
    metavar="metavar_port",
    help="help_option_port",
)
@option("--advertise", metavar="metavar_address", help="help_option_advertise")
@option("--private", is_flag=True, help="help_option_private")
@option("--announce/--no-announce", default=True, help="help_option_announce")
@seat_options()
def host(
    bind: str | None,
    port: int,
    advertise: str | None,
    private: bool,
    announce: bool,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    outside = parse(advertise) if advertise else None
    home = Home.of_user()
    game = sitting.game(home, choice)
    keeper = SociableKeeper(home)
    table = sitting.table(home)
    side = sitting.own_side(home, keeper, table, game.NAME)
    if private:
        side = replace(side, invitation=lobby.new_invitation(side.identity))

    def opened(where: Opened) -> None:
        table.told("hosting" if where.addresses else "hosting_here_only", port=where.port)
        if where.addresses and where.announced is False:
            table.told("not_announced")
        tell_addresses(table, where, "shanghaien join")
        if side.invitation:
            table.told("private_table", invitation=written(side.invitation))
        table.told("waiting")

    endpoint = Endpoint(bind, port, outside, announced=announce and not private)
    return run_at(table, keeper, lobby.host(side, keeper, game, endpoint, opened))


def tell_addresses(table: Watcher, where: Opened, command: str) -> None:
    """Say what a guest has to type, with each of the addresses that lead here, or from another terminal."""
    for address in where.addresses:
        code = "join_line_zone" if address.link_local else "join_line"
        table.told(code, command=f"{command} {shlex.quote(str(address))}")
    if where.addresses and is_within_wsl():
        table.told("within_wsl")
    if where.here not in where.addresses:
        table.told("join_line_here", command=f"{command} {shlex.quote(str(where.here))}")
