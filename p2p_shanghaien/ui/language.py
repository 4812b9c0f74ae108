"""The language of all sentences, which can change while the program runs.

The English templates are in the word tables (`ui.words`). A catalogue, `locale/<code>/LC_MESSAGES/<domain>.mo`,
contains another language's, each under its code; it is compiled from the .po file beside it when the program is built.
The program is one domain, and each game is another. Click's own messages (Usage, Error) are in the program's.
"""

import gettext
import locale
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

Template: TypeAlias = str | tuple[str, str]
"""A text with `{detail}` in it; a pair is the singular and the plural, chosen by the detail `count`."""

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "fr": "Français", "it": "Italiano", "de": "Deutsch"}
"""The code of each language, with its name for itself."""

VARIABLE: Final = "SHANGHAIEN_LANG"

ENVIRONMENT: Final[Mapping[str, str]] = dict(os.environ)
"""The environment with which the program was started: `choose` changes LANGUAGE in it."""


class Domain(NamedTuple):
    """A set of sentences that are translated together; `folder` contains one folder of catalogues for each language."""

    name: str
    folder: Path


PROGRAM: Final = Domain("shanghaien", Path(__file__).parent.parent / "locale")

SYSTEM: Final = "system"
"""The context, in a catalogue, of the operating system's error messages."""

_ENGLISH: Final = "en"
_WINDOWS: Final = {"french": "fr", "italian": "it", "german": "de"}
"""Windows' names of locales, without the country."""

_BY_NAME: Final = 0x8  # MUI_LANGUAGE_NAME of winnls.h
_SECONDS: Final = 2.0
_LIST: Final = ("defaults", "read", "-g", "AppleLanguages")

_ASCII: Final[Mapping[str, str]] = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
_chosen = _ENGLISH
_wishes: Sequence[str | None] = (_ENGLISH,)
_shown: Callable[[], Iterable[str]] = tuple


def begin(wishes: Sequence[str | None], kept: str | None, shown: Callable[[], Iterable[str]] = tuple) -> None:
    """Choose the language of a run of the program: as `preferred` by `wishes`, and then by the saved setting.

    Without that setting it is the choice of `choose(None)`.
    """
    global _wishes, _shown
    _wishes, _shown = wishes, shown
    choose(preferred(*wishes, kept, shown=shown))


def choose(language: str | None) -> None:
    """Use `language`, one of LANGUAGES, from now on; None: the one that is used without it."""
    global _chosen  # noqa: PLW0603 - as above
    _chosen = language or preferred(*_wishes, shown=_shown)
    # click calls gettext without naming a language: this is how it gets one
    gettext.bindtextdomain(PROGRAM.name, str(PROGRAM.folder))
    gettext.textdomain(PROGRAM.name)
    os.environ["LANGUAGE"] = _chosen


def chosen() -> str:
    """Return the code of the language in use."""
    return _chosen


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use `language`, one of LANGUAGES, for sentences of ours within a `with` statement."""
    global _chosen  # noqa: PLW0603 - as above
    before, _chosen = _chosen, language
    try:
        yield
    finally:
        _chosen = before


def preferred(
    *wishes: str | None,
    shown: Callable[[], Iterable[str]] = tuple,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> str:
    """Return the first of the wishes that is one of LANGUAGES, or else the environment's language, or else English.

    The `environment` is read as by GNU gettext: LANGUAGE is a list, "de:fr", but has no effect in the locale C. If it
    names no locale, the system's display languages count, which `shown` returns only then.
    """
    named = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    locales = [named] if named else list(shown()) or ["C"]
    if locales[0].partition(".")[0] not in ("C", "POSIX"):
        locales = [*environment.get("LANGUAGE", "").split(":"), *locales]
    wished = (*wishes, *map(_of_locale, locales))
    return next((language for language in wished if language and language in LANGUAGES), _ENGLISH)


def system_languages() -> Sequence[str]:
    """Return the languages in which the operating system shows itself, as names of locales, the preferred first.

    There are none where nothing is known. The format of the system's dates, the region, says nothing of them.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - for one system alone

        return of_windows(ctypes.windll.kernel32) or tuple(filter(None, locale.getlocale()[:1]))
    return of_macos() if sys.platform == "darwin" else ()


def of_windows(kernel: Any) -> Sequence[str]:
    """Return the result of kernel32's GetUserPreferredUILanguages: names, each ended by a zero, and one more zero."""
    import ctypes  # noqa: PLC0415 - as above

    count, size = ctypes.c_ulong(), ctypes.c_ulong()
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), None, ctypes.byref(size)):
        return ()
    names = ctypes.create_unicode_buffer(size.value)
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), names, ctypes.byref(size)):
        return ()
    return tuple(filter(None, "".join(names[: size.value]).split("\0")))


def of_macos(command: Sequence[str] = _LIST) -> Sequence[str]:
    """Return the list in the system's settings: quoted names in parentheses."""
    import subprocess  # noqa: PLC0415 - as above

    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    return tuple(re.findall(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*", done.stdout))


def translated(code: str, template: str, domain: Domain = PROGRAM) -> str:
    """Return the sentence for `code` in the language in use; `template` is the English one."""
    return _catalogue(domain, _chosen).pgettext(code, template)


def translated_plural(code: str, templates: tuple[str, str], count: int, domain: Domain = PROGRAM) -> str:
    """Return the sentence for `code` that agrees with `count` by the language's own rule; `templates` are the English
    two.
    """
    return _catalogue(domain, _chosen).npgettext(code, *templates, count)


def in_every_language(code: str, template: Template, domain: Domain = PROGRAM) -> Iterator[str]:
    """Yield the sentence for `code` in each of LANGUAGES; a pair, in English two templates, gives both."""
    for language in LANGUAGES:
        catalogue = _catalogue(domain, language)
        if isinstance(template, str):
            yield catalogue.pgettext(code, template)
        else:
            yield from (catalogue.npgettext(code, *template, count) for count in (1, 2))


def of_system(reason: str) -> str:
    """Return the operating system's error message, if it has a translation."""
    return _catalogue(PROGRAM, _chosen).pgettext(SYSTEM, reason)


def ascii_letters() -> Mapping[str, str]:
    """Return the ASCII spellings of letters that are particular to the language in use."""
    return _ASCII if _chosen == "de" else {}


@cache
def _catalogue(domain: Domain, language: str) -> gettext.NullTranslations:
    return gettext.translation(domain.name, domain.folder, [language], fallback=True)


def _of_locale(name: str) -> str:
    """Return the language of a locale: `de` for `de_CH.UTF-8`, none for `C`."""
    found = re.match("[a-z]*", name.casefold())
    language = found.group() if found else ""
    return _WINDOWS.get(language, language)
