"""Advice if the system blocks a program and a plain error would not tell."""

import errno
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.net import addresses
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("platform", "number", "code"),
    [
        ("darwin", errno.EHOSTUNREACH, "unreachable_macos"),
        ("darwin", errno.ENETUNREACH, "unreachable"),
        ("linux", errno.EHOSTUNREACH, "unreachable"),
    ],
)
async def test_macos_may_keep_a_program_out(
    monkeypatch: pytest.MonkeyPatch, platform: str, number: int, code: str
) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise OSError(f"[Errno {number}] Connect call failed")

    monkeypatch.setattr("aiohappyeyeballs.start_connection", refused)
    monkeypatch.setattr("sys.platform", platform)
    with pytest.raises(CannotConnect) as caught:
        await connect(Address("192.168.77.1", 4242))
    assert (caught.value.code, caught.value.details) == (code, {"address": "192.168.77.1:4242"})


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
