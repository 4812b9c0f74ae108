"""The way to a table: the one that the person chooses among those on the network, types or was invited to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from p2p_shanghaien.app.invitations import Invited, is_invited, read_invited
from p2p_shanghaien.app.lobby import check_to_play, open_tables
from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import AppCode, CannotConnect, Malformed, UsageError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.net.addresses import Address, parse

if TYPE_CHECKING:
    from p2p_shanghaien.net.discovery import OpenTable

LISTED: Final = 20
"""The limit of listed tables: nobody has more open on a network, but somebody may announce more."""


async def ask_invitation(table: UserInterface, *, to_watch: bool = False) -> Invitation:
    """Return the invitation that the person at `table` types, asked for until it is complete. Raises Quit.

    A line that names a relay as well will do, and whoever may play may watch.
    """
    table.notify("private_table_to_watch" if to_watch else "private_table_here")
    while True:
        with _refusing(table):
            if text := await table.ask("ask_invitation"):
                invitation = read_invited(text).invitation
                if to_watch:
                    return invitation.watching
                check_to_play(invitation)
                return invitation


async def find_table(table: UserInterface, *, asks: bool, to_watch: bool = False) -> Address | Invited:
    """Return the address of the open table that the person at `table` chooses, or where nobody `asks`, of the only one.

    The person may also type another address, or paste an invitation to a relay. Those that can be watched are listed if
    it is `to_watch`. Raises CannotConnect where nobody asks and none is found, UsageError where nobody can choose, and
    Quit.
    """
    table.notify("searching_to_watch" if to_watch else "searching")
    found: Sequence[OpenTable] = ()
    try:
        found = await open_tables(to_watch=to_watch)
    except CannotConnect:
        if not asks:
            raise
        table.notify("found_none_to_watch" if to_watch else "found_none")
    tables = {str(number): each for number, each in enumerate(found[:LISTED], start=1)}
    code = "found_table_to_watch" if to_watch else "found_table"
    for number, each in tables.items():
        table.notify(code, number=number, name=each.name, game=each.game, address=each.addresses[0])
    if len(found) > LISTED:
        table.notify("more_tables")
    if not asks:
        if len(tables) > 1:
            command = "shanghaien watch" if to_watch else "shanghaien join"
            raise UsageError(AppCode.SEVERAL_TABLES, count=len(found), command=command)
        return tables["1"].addresses[0]
    while True:
        text = await table.ask("ask_table" if tables else "ask_address", tuple(tables), count=len(tables))
        if text in tables:
            return tables[text].addresses[0]
        if text.isdecimal():
            table.notify("no_such_table", text=text, count=len(tables))
        elif text:
            with _refusing(table):
                return _typed(text)


@contextmanager
def _refusing(table: UserInterface) -> Iterator[None]:
    """Say at `table` what is wrong with a line, if the block finds that."""
    try:
        yield
    except Malformed as error:
        table.notify("invitation_refused", reason=error)
    except UsageError as error:
        table.notify(error.code, **error.details)


def _typed(text: str) -> Address | Invited:
    """Return what a typed or pasted line leads to. Raises UsageError, and Malformed for a mistyped invitation."""
    if not is_invited(text):
        return parse(text)
    invited = read_invited(text)
    if invited.relay is None:
        raise UsageError(AppCode.INVITATION_WITHOUT_RELAY)
    return invited
