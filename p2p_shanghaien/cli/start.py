"""Where the program begins: the language is chosen before the commands, whose help is made when they are imported."""

import os
import sys
from collections.abc import Sequence

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.place import home_folder, settings_file
from p2p_shanghaien.store.settings import load
from p2p_shanghaien.ui import language

OPTION = "--lang"


def main() -> None:
    """Run the command line and exit."""
    arguments = sys.argv[1:]
    language.choose(language.preferred(_asked(arguments), os.environ.get(language.VARIABLE), _kept()))
    from p2p_shanghaien.cli.main import run

    sys.exit(run(arguments))


def _asked(arguments: Sequence[str]) -> str | None:
    """What --lang says. It stands before the command; what follows that is the command's own."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == OPTION:
            return value if equals else next(iter(arguments[position + 1 :]), None)
        if not argument.startswith("-"):
            break
    return None


def _kept() -> str | None:
    """The language in the settings. Trouble with the file is left to what needs more of it."""
    try:
        return load(settings_file(home_folder())).settings.language
    except LocalError:
        return None
