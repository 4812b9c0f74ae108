"""`shanghaien join`: sit down at somebody's table."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.lobby import SociableKeeper
from p2p_shanghaien.app.place import Place
from p2p_shanghaien.cli.localized import argument, command
from p2p_shanghaien.cli.options import HUMAN, GameChoice, GameCommand
from p2p_shanghaien.cli.setup import Sitting, run_at, seat_options
from p2p_shanghaien.errors import CliCode, Malformed, UsageError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import read
from p2p_shanghaien.net.addresses import Address, parse
from p2p_shanghaien.net.discovery import OpenTable
from p2p_shanghaien.store.home import Home

VARIABLE: Final = "SHANGHAIEN_INVITATION"
"""Holds an invitation: never the command line, which every user of the machine can read in the list of processes."""

LISTED: Final = 20
"""Tables that are listed at most: nobody has more open on a network, but somebody may announce more."""


@command(cls=GameCommand, help="help_join")
@argument("address", default="", metavar="metavar_address")
@seat_options()
def join(
    address: str,
    choice: GameChoice,
    sitting: Sitting,
) -> int:
    where = parse(address) if address.strip() else None
    wishes = choice.insisted()
    home = Home.of_user()
    keeper = SociableKeeper(home)
    invitation = invitation_in_environment()
    table = sitting.table(home)
    side = replace(sitting.own_side(home, keeper, table), invitation=invitation)
    is_person = sitting.player == HUMAN

    async def found() -> Address:
        return await _found_table(table, asks=is_person)

    async def ask() -> Invitation:
        return await _asked_invitation(table)

    playing = lobby.join(side, keeper, where or found, wishes, ask if is_person else None)
    return run_at(table, keeper, playing)


def invitation_in_environment() -> Invitation | None:
    """Return the invitation that SHANGHAIEN_INVITATION holds, if it is set. Raises UsageError."""
    text = os.environ.get(VARIABLE, "")
    try:
        return read(text) if text else None
    except Malformed as error:
        raise UsageError(CliCode.BAD_INVITATION, variable=VARIABLE, reason=error) from None


async def _asked_invitation(table: Place) -> Invitation:
    """Return the invitation that the person types, asked for until it is whole. Raises Quit."""
    table.told("private_table_here")
    while True:
        text = await table.ask("ask_invitation")
        if not text:
            continue
        try:
            return read(text)
        except Malformed as error:
            table.told("invitation_refused", reason=error)


async def _found_table(table: Place, *, asks: bool) -> Address:
    """Return the address of the open table that the person chooses; without a person, of the only one there is.

    Raises CannotConnect where none is found, UsageError where nobody can choose, and Quit.
    """
    table.told("searching")
    found = await lobby.open_tables()
    tables = found[:LISTED]
    for number, each in enumerate(tables, start=1):
        table.told("found_table", number=number, name=each.name, game=each.game, address=each.addresses[0])
    if len(found) > LISTED:
        table.told("more_tables")
    if asks:
        return await _chosen(table, tables)
    if len(tables) > 1:
        raise UsageError(CliCode.SEVERAL_TABLES, count=len(found))
    return tables[0].addresses[0]


async def _chosen(person: Place, tables: Sequence[OpenTable]) -> Address:
    numbers = [str(number) for number in range(1, len(tables) + 1)]
    while True:
        text = await person.ask("ask_table", numbers, count=len(tables))
        if text in numbers:
            return tables[int(text) - 1].addresses[0]
        if text:
            person.told("no_such_table", text=text, count=len(tables))
