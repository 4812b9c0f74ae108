"""A game between two programs: meeting, agreeing, playing, and doing it again."""
