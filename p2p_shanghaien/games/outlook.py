"""The outlook of a game: what a stage of it, such as a round, may bring, in the game's terms."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from p2p_shanghaien.games.api import S_contra

__all__ = ["Outlook", "Prospect"]


class Prospect(NamedTuple):
    """Something that may come of a stage for one player.

    The game's sentence `prospect_CODE` names it, with the details `item` and `who`, the other player.
    """

    code: str
    item: str = ""


class Outlook(Protocol[S_contra]):
    """The outcomes of a stage of one game that a player would speak of.

    The game's sentence `outlook` introduces them, as the detail `prospects`.
    """

    def is_over(self, since: S_contra, state: S_contra) -> bool:
        """Return whether the stage of the position `since` is over in the later position `state`."""
        ...

    def outcome(self, since: S_contra, last: S_contra, end: S_contra, player: int) -> Iterable[Prospect]:
        """Return what has come of the stage since the position `since`, for `player`, each prospect once.

        `end` is the first position after the stage, or of a finished game, and `last` the one before it.
        """
        ...
