"""Finding a table on the local network, for a `join` that names none."""

from typing import Final

from p2p_shanghaien.errors import CannotConnect, UsageError
from p2p_shanghaien.net.addresses import Address, reachable
from p2p_shanghaien.net.discovery import OpenTable, find
from p2p_shanghaien.session.participant import Watcher
from p2p_shanghaien.ui.place import Place

LISTED: Final = 20
"""Tables that are listed at most: nobody has more open on a network, but somebody may announce more."""


async def found_table(watcher: Watcher, *, asks: bool) -> Address:
    """The address of the open table that the person chooses; without a person, of the only one there is.

    Raises CannotConnect where none is found, UsageError where nobody can choose, and Quit.
    """
    watcher.told("searching")
    found = await find(reachable(None, 1))
    if not found:
        raise CannotConnect("no_table_found")
    tables = found[:LISTED]
    for number, table in enumerate(tables, start=1):
        watcher.told("found_table", number=number, name=table.name, game=table.game, address=table.addresses[0])
    if len(found) > LISTED:
        watcher.told("more_tables")
    if asks and isinstance(watcher, Place):
        return await _chosen(watcher, tables)
    if len(tables) > 1:
        raise UsageError("several_tables", count=len(found))
    return tables[0].addresses[0]


async def _chosen(person: Place, tables: list[OpenTable]) -> Address:
    numbers = [str(number) for number in range(1, len(tables) + 1)]
    while True:
        text = await person.ask("ask_table", numbers, count=len(tables))
        if text in numbers:
            return tables[int(text) - 1].addresses[0]
        if text:
            person.told("no_such_table", text=text, count=len(tables))
