"""Frames of bytes over sockets: addresses to type and to print, and the transport.

Nothing here knows games or entries.
"""
