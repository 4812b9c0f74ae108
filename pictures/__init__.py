"""The README's pictures of a game, and what makes them: `python -m pictures`."""
