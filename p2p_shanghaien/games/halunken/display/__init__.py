"""Halunken's table: `view` is the view model, `draw` draws it, `story` has the news, `choices` the legal actions."""
