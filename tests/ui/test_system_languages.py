"""The languages in which other systems show themselves, as those systems tell of them."""

import ctypes
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.ui import language


class Kernel:
    """kernel32 as Windows has it: called without a buffer, it says how long one must be."""

    def __init__(self, *names: str, fails: bool = False) -> None:
        self._text = "".join(f"{name}\0" for name in names) + "\0"
        self._count = len(names)
        self._fails = fails

    def GetUserPreferredUILanguages(self, flags: int, count: Any, buffer: Any, size: Any) -> int:  # noqa: N802
        assert flags == 0x8, "languages by name, not by number"
        size, count = (ctypes.cast(pointer, ctypes.POINTER(ctypes.c_ulong)).contents for pointer in (size, count))
        if self._fails:
            return 0
        if buffer is not None:
            assert size.value >= len(self._text)
            for place, letter in enumerate(self._text):
                buffer[place] = letter
        size.value, count.value = len(self._text), self._count
        return 1


@pytest.mark.parametrize("names", [(), ("de-CH",), ("fr-FR", "en-US", "zh-Hans-CN")])
def test_windows(names: tuple[str, ...]) -> None:
    assert language.of_windows(Kernel(*names)) == names


def test_windows_that_does_not_say() -> None:
    assert language.of_windows(Kernel("de-CH", fails=True)) == ()


def printing(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", f"print({text!r})"


def test_macos() -> None:
    listed = '(\n    "de-CH",\n    "en-US",\n    "zh-Hans-CN",\n    it\n)'
    assert language.of_macos(printing(listed)) == ("de-CH", "en-US", "zh-Hans-CN", "it")
    assert language.of_macos(printing("(\n)")) == ()


def test_macos_that_does_not_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert language.of_macos((str(tmp_path / "missing"),)) == ()
    assert language.of_macos((sys.executable, "-c", "print('\"de\"'); raise SystemExit(1)")) == ()
    monkeypatch.setattr(language, "_SECONDS", 0.5)
    began = time.monotonic()
    assert language.of_macos((sys.executable, "-c", "import time; time.sleep(60)")) == ()
    assert time.monotonic() - began < 30


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="those say")
def test_elsewhere_only_the_environment_says() -> None:
    assert language.system_languages() == ()
