"""What is said where the system keeps a program from others, and a plain error would not tell."""

import errno
from pathlib import Path

import pytest

from p2p_shanghaien.net import addresses, transport
from p2p_shanghaien.net.addresses import Address


@pytest.mark.parametrize(
    ("platform", "number", "code"),
    [
        ("darwin", errno.EHOSTUNREACH, "unreachable_macos"),
        ("darwin", errno.ENETUNREACH, "unreachable"),
        ("linux", errno.EHOSTUNREACH, "unreachable"),
    ],
)
def test_macos_may_keep_a_program_out(monkeypatch: pytest.MonkeyPatch, platform: str, number: int, code: str) -> None:
    monkeypatch.setattr("sys.platform", platform)
    error = transport._unconnected(OSError(f"[Errno {number}] Connect call failed"), Address("192.168.77.1"))
    assert (error.code, error.details) == (code, {"address": "192.168.77.1"})


@pytest.mark.parametrize(
    ("release", "within"),
    [
        ("5.15.167.4-microsoft-standard-WSL2", True),
        ("4.4.0-19041-Microsoft", True),
        ("6.12.0-13-cloud-amd64", False),
        (None, False),
    ],
)
def test_wsl_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, release: str | None, within: bool) -> None:
    kept = tmp_path / "osrelease"
    if release:
        kept.write_text(release + "\n")
    monkeypatch.setattr(addresses, "_OSRELEASE", kept)
    assert addresses.is_within_wsl() is within
