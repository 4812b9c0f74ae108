"""Computer players of Shanghaien, and what they know of a position's worth."""
