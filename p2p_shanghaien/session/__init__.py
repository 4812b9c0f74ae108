"""A game between two programs: handshake, agreement, play, and further games."""
