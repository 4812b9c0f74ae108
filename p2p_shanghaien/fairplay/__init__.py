"""Why a game can be trusted: entries, chain, joint draws and handshake, without I/O, clock or randomness."""
