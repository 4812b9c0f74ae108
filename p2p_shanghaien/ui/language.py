"""The language that everything is said in, which can change while the program runs.

The English templates stand in the word tables (`ui.words`). A catalogue, `locale/<code>/LC_MESSAGES/<domain>.mo`, holds
another language's, each under its code; it is compiled from the .po file beside it when the program is built. The
program is one domain, and each game is another. What click says by itself (Usage, Error) is in the program's.
"""

import gettext
import locale
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

Template: TypeAlias = str | tuple[str, str]
"""Text with `{detail}` in it; a pair is the singular and the plural, chosen by the detail `count`."""

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "fr": "Français", "it": "Italiano", "de": "Deutsch"}
"""Each language's code, with its name for itself."""

VARIABLE: Final = "SHANGHAIEN_LANG"

ENVIRONMENT: Final[Mapping[str, str]] = dict(os.environ)
"""The environment that the program was started with: `choose` changes LANGUAGE in it."""


class Domain(NamedTuple):
    """A set of sentences that are translated together; `folder` holds its catalogues, a folder a language."""

    name: str
    folder: Path


PROGRAM: Final = Domain("shanghaien", Path(__file__).parent.parent / "locale")

SYSTEM: Final = "system"
"""The context, in a catalogue, of what the operating system says of a failure."""

_ENGLISH: Final = "en"
_WINDOWS: Final = {"french": "fr", "italian": "it", "german": "de"}
"""How Windows names locales, without the country."""

_BY_NAME: Final = 0x8  # MUI_LANGUAGE_NAME of winnls.h
_SECONDS: Final = 2.0
_LIST: Final = ("defaults", "read", "-g", "AppleLanguages")

_ASCII: Final[Mapping[str, str]] = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
_chosen = _ENGLISH
_wishes: Sequence[str | None] = (_ENGLISH,)
_shown: Callable[[], Iterable[str]] = tuple


def begin(wishes: Sequence[str | None], kept: str | None, shown: Callable[[], Iterable[str]] = tuple) -> None:
    """Choose the language of a run of the program: as `preferred` by `wishes`, and then by the setting that is `kept`.

    Without that setting it is what `choose(None)` chooses.
    """
    global _wishes, _shown
    _wishes, _shown = wishes, shown
    choose(preferred(*wishes, kept, shown=shown))


def choose(language: str | None) -> None:
    """Say everything in `language`, one of LANGUAGES, from now on; None: in the one that is spoken without it."""
    global _chosen  # noqa: PLW0603 - as above
    _chosen = language or preferred(*_wishes, shown=_shown)
    # click calls gettext without naming a language: this is how it learns of one
    gettext.bindtextdomain(PROGRAM.name, str(PROGRAM.folder))
    gettext.textdomain(PROGRAM.name)
    os.environ["LANGUAGE"] = _chosen


def chosen() -> str:
    """The code of the language in use."""
    return _chosen


def preferred(
    *wishes: str | None,
    shown: Callable[[], Iterable[str]] = tuple,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> str:
    """Return the first of the wishes that is one of LANGUAGES, or else the environment's language, or else English.

    The `environment` is read as GNU gettext does: LANGUAGE is a list, "de:fr", but says nothing in the locale C. Where
    it names no locale, the languages count in which the system itself is `shown`, which are asked for then only.
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
    """Return what GetUserPreferredUILanguages of kernel32 says: names, each ended by a zero, and one more zero."""
    import ctypes  # noqa: PLC0415 - as above

    count, size = ctypes.c_ulong(), ctypes.c_ulong()
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), None, ctypes.byref(size)):
        return ()
    names = ctypes.create_unicode_buffer(size.value)
    if not kernel.GetUserPreferredUILanguages(_BY_NAME, ctypes.byref(count), names, ctypes.byref(size)):
        return ()
    return tuple(filter(None, "".join(names[: size.value]).split("\0")))


def of_macos(command: Sequence[str] = _LIST) -> Sequence[str]:
    """Return what the system's settings list: quoted names in parentheses."""
    import subprocess  # noqa: PLC0415 - as above

    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    return tuple(re.findall(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*", done.stdout))


def translated(code: str, template: str, domain: Domain = PROGRAM) -> str:
    """Return the words for `code` in the language in use; `template` is what they are in English."""
    return _catalogue(domain, _chosen).pgettext(code, template)


def translated_plural(code: str, templates: tuple[str, str], count: int, domain: Domain = PROGRAM) -> str:
    """Return the words for `code` that agree with `count` by the language's own rule; `templates` are English's two."""
    return _catalogue(domain, _chosen).npgettext(code, *templates, count)


def in_every_language(code: str, template: Template, domain: Domain = PROGRAM) -> Iterator[str]:
    """Yield the words for `code` in each of LANGUAGES; a pair, in English the singular and the plural, gives both."""
    for language in LANGUAGES:
        catalogue = _catalogue(domain, language)
        if isinstance(template, str):
            yield catalogue.pgettext(code, template)
        else:
            yield from (catalogue.npgettext(code, *template, count) for count in (1, 2))


def of_system(reason: str) -> str:
    """What the operating system says of a failure, if there are words for it."""
    return _catalogue(PROGRAM, _chosen).pgettext(SYSTEM, reason)


def ascii_letters() -> Mapping[str, str]:
    """Letters that the language in use has a way of its own to write in ASCII."""
    return _ASCII if _chosen == "de" else {}


@cache
def _catalogue(domain: Domain, language: str) -> gettext.NullTranslations:
    return gettext.translation(domain.name, domain.folder, [language], fallback=True)


def _of_locale(name: str) -> str:
    """The language of a locale: `de` of `de_CH.UTF-8`, nothing known of `C`."""
    found = re.match("[a-z]*", name.casefold())
    language = found.group() if found else ""
    return _WINDOWS.get(language, language)
