"""Board games between two machines, with no server between them and no way to cheat."""
