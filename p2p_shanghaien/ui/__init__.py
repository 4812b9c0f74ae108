"""What a person sees and types: words for codes, a table for each game, line mode. No sockets, files or keys."""
