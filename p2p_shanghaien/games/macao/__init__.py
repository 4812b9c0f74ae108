"""Shadows of Macao (Charles Chevallier, 2019): two bosses recruit informants as members and open establishments."""

from typing import Final

from p2p_shanghaien.games.api import Setting

NAME: Final = "macao"
SETTINGS: Final = (Setting("deck", "reconstruction-1"),)
