"""The core of the protocol: entries, chain, joint draws and handshake, without I/O, clock or randomness."""
