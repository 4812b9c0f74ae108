"""Shanghaien's table: `view` says what lies there, `draw` draws it, `story` tells it, `choices` offers what is open."""
