"""The program without a terminal: participants, the lobby, the library of game files, contacts."""
