"""Files on disk: the key, contacts, game logs and their sidecar files."""
