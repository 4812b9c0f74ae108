"""Data from outside the games, kept by digest: no other is ever taken for it."""

from hashlib import sha256
from pathlib import Path

import pytest

from p2p_shanghaien.store.data import MAX_DATA, keep_data, kept_data

DECK = bytes([77, 1, 2, 3])
DIGEST = sha256(DECK).hexdigest()


def test_data_is_kept_under_its_digest(tmp_path: Path) -> None:
    assert kept_data(tmp_path, DIGEST) is None
    assert keep_data(tmp_path, DECK) == keep_data(tmp_path, DECK) == DIGEST
    assert kept_data(tmp_path, DIGEST) == DECK
    assert [path.name for path in tmp_path.iterdir()] == [f"{DIGEST}.shdata"]


@pytest.mark.parametrize("digest", ["", "../settings.json", DIGEST.upper(), f"{DIGEST}\n", "0" * 64])
def test_a_name_of_another_kind_is_no_path(tmp_path: Path, digest: str) -> None:
    keep_data(tmp_path, DECK)
    assert kept_data(tmp_path, digest) is None


@pytest.mark.parametrize("changed", [b"", DECK + b"!", bytes(MAX_DATA + 1)])
def test_data_that_was_changed_is_not_taken(tmp_path: Path, changed: bytes) -> None:
    keep_data(tmp_path, DECK)
    (tmp_path / f"{DIGEST}.shdata").write_bytes(changed)
    assert kept_data(tmp_path, DIGEST) is None
    keep_data(tmp_path, DECK)
    assert kept_data(tmp_path, DIGEST) == DECK
