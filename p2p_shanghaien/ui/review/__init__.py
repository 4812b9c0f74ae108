"""The analysis of a game as lines of text, as a plot in a terminal, and on a web page."""
