"""Invitations to private tables: made and shown by a host, given by a guest at a prompt or in the environment.

Never on the command line, which every user of the machine can read in the list of processes.
"""

import os
import secrets
from typing import Final

from p2p_shanghaien.errors import Malformed, UsageError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import read
from p2p_shanghaien.fairplay.keys import INVITATION_SIZE, Identity, fingerprint
from p2p_shanghaien.ui.place import Place

VARIABLE: Final = "SHANGHAIEN_INVITATION"


def fresh(host: Identity) -> Invitation:
    """A new invitation to a table of `host`."""
    return Invitation(secrets.token_bytes(INVITATION_SIZE), fingerprint(host.public))


def from_environment() -> Invitation | None:
    """The invitation that SHANGHAIEN_INVITATION holds, if it is set. Raises UsageError."""
    text = os.environ.get(VARIABLE, "")
    try:
        return read(text) if text else None
    except Malformed as error:
        raise UsageError("bad_invitation", variable=VARIABLE, reason=error) from None


async def ask(table: Place) -> Invitation:
    """The invitation that the person types, asked for until it is whole. Raises Quit."""
    table.told("private_table_here")
    while True:
        text = await table.ask("ask_invitation")
        if not text:
            continue
        try:
            return read(text)
        except Malformed as error:
            table.told("invitation_refused", reason=error)
