"""Results over many games, as lines of text and as fields for other programs."""
