"""What is legal: pure, immutable, no I/O, no clock, no randomness, no cryptography."""
