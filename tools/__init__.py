"""Tools for the development of the project, not for running it."""
