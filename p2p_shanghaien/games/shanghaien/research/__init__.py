"""Shanghaien as a PettingZoo environment (`aec`) and as an OpenSpiel game (`spiel`)."""
