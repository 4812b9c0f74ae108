"""What stays on disk: the key, known players, game logs and their private neighbours."""
