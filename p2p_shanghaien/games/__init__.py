"""Games: rules that are pure and immutable, without I/O, clock, randomness or cryptography."""
