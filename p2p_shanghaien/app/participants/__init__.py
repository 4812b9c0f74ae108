"""Participants, which decide at a table: a person, a computer player of ours, another program."""
