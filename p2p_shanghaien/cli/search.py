"""Finding a table on the local network, for a `join` that names none."""

from p2p_shanghaien.errors import CannotConnect, UsageError
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.discovery import OpenTable, find
from p2p_shanghaien.session.parts import Watcher
from p2p_shanghaien.ui.place import Place


async def found_table(watcher: Watcher, *, asks: bool) -> Address:
    """The address of the open table that the person chooses; without a person, of the only one there is.

    Raises CannotConnect where none is found, UsageError where nobody can choose, and Quit.
    """
    watcher.told("searching")
    tables = await find()
    if not tables:
        raise CannotConnect("no_table_found")
    for number, table in enumerate(tables, start=1):
        watcher.told("found_table", number=number, name=table.name, game=table.game, address=table.addresses[0])
    if asks and isinstance(watcher, Place):
        return await _chosen(watcher, tables)
    if len(tables) > 1:
        raise UsageError("several_tables", count=len(tables))
    return tables[0].addresses[0]


async def _chosen(person: Place, tables: list[OpenTable]) -> Address:
    numbers = [str(number) for number in range(1, len(tables) + 1)]
    while True:
        text = await person.ask("ask_table", numbers, count=len(tables))
        if text in numbers:
            return tables[int(text) - 1].addresses[0]
        if text:
            person.told("no_such_table", text=text, count=len(tables))
