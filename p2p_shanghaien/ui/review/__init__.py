"""What an analysis has found in a game, as lines of text, as a plot in a terminal, and on a web page."""
