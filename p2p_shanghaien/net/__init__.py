"""Bytes over sockets: addresses to type and to print, and the transport. It knows nothing of games or entries."""
