"""Shanghaien (Michael Schacht and Roman Pelek, 2008): two captains roll dice for the sailors of a tavern."""

from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State

__all__ = ["Phase", "Shanghaien", "State"]
