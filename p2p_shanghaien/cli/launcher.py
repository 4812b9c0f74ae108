"""The start of the program: streams and signals are set up before the commands are imported."""

import codecs
import sys
from contextlib import suppress
from typing import Final

from p2p_shanghaien.shutdown import SHUTDOWN
from p2p_shanghaien.ui.standard_streams import open_streams

PLAINLY: Final = "plainly"
"""Error handler for encodings that lack some letters of a text: write those in ASCII."""


def main() -> None:
    """Run the command line and exit."""
    codecs.register_error(PLAINLY, _in_ascii)
    open_streams(PLAINLY)
    SHUTDOWN.listen()
    code = SHUTDOWN.code()
    with suppress(KeyboardInterrupt):  # before there is anything to interrupt
        from p2p_shanghaien.cli.main import run

        code = run(sys.argv[1:])
    SHUTDOWN.settle(code)
    sys.exit(code)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in place of letters that the output does not have."""
    assert isinstance(error, UnicodeEncodeError)
    from p2p_shanghaien.ui.characters import ASCII

    return ASCII.transliterate(error.object[error.start : error.end]), error.end
