"""The user interface: words for codes, a table for each game, plain mode. No sockets, files or keys."""
