"""The toy game's table: all that a game brings along to be played and read."""
