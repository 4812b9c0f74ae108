"""Languages in which the operating system shows itself. The format of its dates, the region, says nothing of them."""

import locale
import re
import sys
from collections.abc import Sequence
from typing import Any, Final

_BY_NAME: Final = 0x8  # MUI_LANGUAGE_NAME of winnls.h
_SECONDS: Final = 2.0
_LIST: Final = ("defaults", "read", "-g", "AppleLanguages")


def languages() -> Sequence[str]:
    """Return the person's languages as names of locales, `de-CH`, the preferred first; none where nothing is known."""
    if sys.platform == "win32":
        import ctypes

        return of_windows(ctypes.windll.kernel32) or tuple(filter(None, locale.getlocale()[:1]))
    return of_macos() if sys.platform == "darwin" else ()


def of_windows(kernel: Any) -> Sequence[str]:
    """Return what GetUserPreferredUILanguages of kernel32 says: names, each ended by a zero, and one more zero."""
    import ctypes

    count, size = ctypes.c_ulong(), ctypes.c_ulong()
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), None, ctypes.byref(size)):
        return ()
    names = ctypes.create_unicode_buffer(size.value)
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), names, ctypes.byref(size)):
        return ()
    return tuple(filter(None, "".join(names[: size.value]).split("\0")))


def of_macos(command: Sequence[str] = _LIST) -> Sequence[str]:
    """Return what the system's settings list: quoted names in parentheses."""
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    return tuple(re.findall(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*", done.stdout))
