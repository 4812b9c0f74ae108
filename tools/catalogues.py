"""Brings the catalogues of other languages up to date: `python -m tools.catalogues`.

Every sentence of the program's word tables goes into its .po files under its code, with what click and the operating
system say besides; those of each game of ours go into the game's own. A translation whose English has changed stays
there marked as fuzzy, which keeps it out of the program until somebody has looked at it; one whose code is gone is kept
at the end of the file, in case the code comes back.
"""

import errno
import os
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from p2p_shanghaien.ui import game_words
from p2p_shanghaien.ui.language import LANGUAGES, PROGRAM, SYSTEM, Domain, Template
from p2p_shanghaien.ui.words import SHARED
from tools.compiling import PACKAGE, compile_in_place

CLICK: Final = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""The modules of click whose words people meet."""

PROGRAMMERS: Final = (
    "Aborted!",
    "Confirm the action without prompting.",
    "%(prog)s, version %(version)s",
    "Do you want to continue?",
    "Show the version and exit.",
    "Show this message and exit.",
    "Value must be an iterable.",
    "Windows error: {error}",
    "(dynamic)",
    "deprecated",
    "default: {default}",
    "env var: {var}",
    "{name} {filename!r} is not executable.",
    "{value!r} is not a valid UUID.",
    "{value!r} is not a valid boolean. Recognized values: {states}",
    *("DeprecationWarning", "Takes {nargs}", "Name '{name}' defined", "Boolean option", "Could not determine name"),
    *("No options defined", "Arguments take exactly", "Argument {name!r} takes", "Invalid start character"),
    *("{value!r} does not match the format", "{len_type} values"),
)
"""The beginnings of messages of click that this program never shows."""

FAILURES: Final = (
    *(errno.EACCES, errno.EPERM, errno.ENOENT, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG),
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE, errno.ENOTEMPTY, errno.EBUSY),
    *(errno.ECONNRESET, errno.ECONNREFUSED, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ETIMEDOUT, errno.ENETDOWN),
    *(errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EPIPE, errno.EINVAL),
)
"""Errors of files and networks that are common enough for a sentence in every language."""


class Entry(NamedTuple):
    """The key of a sentence in a catalogue: its context (a code, for sentences of ours) and the English text."""

    context: str | None
    english: Template


def domains() -> list[Domain]:
    """Return the domains that are translated here: the program's, and each game's in the package."""
    games = [domain for domain, _ in game_words.installed_words() if PACKAGE in domain.folder.parents]
    return [PROGRAM, *games]


def entries(domain: Domain) -> Iterator[Entry]:
    """Yield everything to be translated, in the order of the tables."""
    for words in SHARED if domain == PROGRAM else [game_words.words(domain.name)]:
        for code, template in words.items():
            yield Entry(code, template)
    if domain != PROGRAM:
        return
    for number in FAILURES:
        yield Entry(SYSTEM, os.strerror(number))
    yield from dict.fromkeys(Entry(None, english) for english in _of_click())


def _of_click() -> Iterator[Template]:
    for file, _, message, _, _ in extract_from_dir(Path(click.__file__).parent, [("**.py", "python")]):
        english = message if isinstance(message, str) else (message[0], message[1])
        first = message if isinstance(message, str) else message[0]
        if Path(file).stem in CLICK and not first.startswith(PROGRAMMERS):
            yield english


HEADER: Final = "# {name}. The msgctxt is the code of a sentence in the word tables; {{details}} keep their names."


def path_of(domain: Domain, language: str) -> Path:
    """Return where that language's catalogue is edited."""
    return domain.folder / language / "LC_MESSAGES" / f"{domain.name}.po"


def read(domain: Domain, language: str) -> Catalog:
    """Return the catalogue as it stands; an empty one where there is none yet."""
    path = path_of(domain, language)
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language, domain.name)


def updated(domain: Domain, old: Catalog) -> Catalog:
    """Return a catalogue of all entries, with the translations that `old` has for them."""
    new = Catalog(
        old.locale,
        domain.name,
        HEADER.format(name=LANGUAGES[str(old.locale)]),
        creation_date=old.creation_date,
        revision_date=old.creation_date,
        fuzzy=False,
    )
    new.project, new.version = "p2p-shanghaien", ""
    new.msgid_bugs_address = new.last_translator = new.language_team = ""
    known = [message for message in (*old.obsolete.values(), *old) if message.id and message.string]
    by_key = {_key(message): message for message in known}
    used: set[int] = set()
    exactly = {(message.context, message.id): message for message in known}
    for context, english in entries(domain):
        before = exactly.get((context, english)) or by_key.get(_key(Message(english, context=context)))
        used.add(id(before))
        if before is None:
            new.add(english, context=context)
        elif before.id == english:
            new.add(english, before.string, context=context, flags=before.flags)
        else:
            new.add(english, _reformed(before.string, english, new.num_plurals), context=context, flags={"fuzzy"})
    for message in known:
        if id(message) not in used:
            first = message.id if isinstance(message.id, str) else message.id[0]
            new.obsolete[first if message.context is None else (first, message.context)] = message
    return new


def write(domain: Domain, language: str, catalogue: Catalog) -> None:
    """Write the .po file."""
    path = path_of(domain, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, no_location=True)


def missing(catalogue: Catalog) -> list[str]:
    """Return what the language has no words for, each by its code, or by its English where it has none."""
    lacking = (message for message in catalogue if message.id and (message.fuzzy or not _whole(message)))
    return [f"{message.context or ''} {message.id!r}".strip() for message in lacking]


def _key(message: Message) -> object:
    """Return what an entry is known by: a code for ours, the English for others'."""
    return (message.context, message.id) if message.context in (None, SYSTEM) else message.context


def _reformed(string: str | tuple[str, ...], english: Template, plurals: int) -> str | tuple[str, ...]:
    """Return a translation in one form, or in as many as the language has plurals, as the English is now."""
    forms = (string,) if isinstance(string, str) else string
    return forms[-1] if isinstance(english, str) else (forms[0], *[forms[-1]] * (plurals - 1))


def _whole(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main() -> bool:
    """Update and compile every catalogue, and say what they lack. Return whether they lack nothing."""
    whole = True
    for domain, (language, name) in product(domains(), LANGUAGES.items()):
        if language == "en":
            continue
        catalogue = updated(domain, read(domain, language))
        write(domain, language, catalogue)
        print(f"{path_of(domain, language)} ({name}): {len(missing(catalogue))} of {len(catalogue)} to be translated")
        for entry in missing(catalogue):
            whole = False
            print(f"    {entry}")
    compile_in_place()
    return whole


if __name__ == "__main__":
    sys.exit(not main())
