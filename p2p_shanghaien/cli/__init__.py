"""The commands, and the only place where concrete parts are picked and put together."""
