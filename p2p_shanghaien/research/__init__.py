"""The games as environments for learning and for game theory. Needs the extra `research`."""
