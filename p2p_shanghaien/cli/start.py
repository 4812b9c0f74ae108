"""Where the program begins: the language is chosen before the commands, whose help is made when they are imported."""

import codecs
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from p2p_shanghaien.app.ending import ENDING
from p2p_shanghaien.cli.streams import open_streams
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.place import home_folder, settings_file
from p2p_shanghaien.store.settings import load
from p2p_shanghaien.ui import language

OPTION: Final = "--lang"
PLAINLY: Final = "plainly"
"""How text is written in an encoding that lacks some of its letters: those in ASCII."""


def main() -> None:
    """Run the command line and exit."""
    arguments = sys.argv[1:]
    codecs.register_error(PLAINLY, _in_ascii)
    open_streams(PLAINLY)
    ENDING.listen()
    code = ENDING.code()
    with suppress(KeyboardInterrupt):  # before there is anything to interrupt
        wishes = (_asked(arguments), os.environ.get(language.VARIABLE), _kept())
        language.choose(language.preferred(*wishes, shown=_shown))
        from p2p_shanghaien.cli.main import run

        code = run(arguments)
    ENDING.settle(code)
    sys.exit(code)


def _shown() -> Sequence[str]:
    from p2p_shanghaien.cli import display

    return display.languages()


def _asked(arguments: Sequence[str]) -> str | None:
    """What --lang says. It stands before the command; what follows that is the command's own."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == OPTION:
            return value if equals else next(iter(arguments[position + 1 :]), None)
        if not argument.startswith("-"):
            break
    return None


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """What is written in place of letters that the output does not have."""
    assert isinstance(error, UnicodeEncodeError)
    from p2p_shanghaien.ui.view import ascii_text

    return ascii_text(error.object[error.start : error.end]), error.end


def _kept() -> str | None:
    """The language in the settings. Trouble with the file is left to what needs more of it."""
    try:
        return load(settings_file(home_folder())).settings.language
    except LocalError:
        return None
