"""Shadows of Macao as a PettingZoo environment (`aec`) and as an OpenSpiel game (`spiel`)."""
