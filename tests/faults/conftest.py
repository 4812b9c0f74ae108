"""What tests of faults wait for, in tenths of a second."""

import pytest

from p2p_shanghaien.net import transport
from p2p_shanghaien.session import call


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dead connection is noticed, and the host called again, within tenths of a second."""
    monkeypatch.setattr(call, "FIRST_PAUSE", 0.02)
    for name in ("ping_interval", "ping_timeout", "close_timeout"):
        monkeypatch.setitem(transport._BOTH_SIDES, name, 0.3)
