"""Environments for research, as far as all games share them: PettingZoo (`aec`) and OpenSpiel (`spiel`)."""
