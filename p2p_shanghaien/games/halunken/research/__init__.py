"""Halunken & Spelunken as a PettingZoo environment (`aec`) and as an OpenSpiel game (`spiel`)."""
