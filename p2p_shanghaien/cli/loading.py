"""Game files for a command, with what is shown while they are read."""

from collections.abc import Iterator, Sequence

from p2p_shanghaien.analysis.dedupe import Found
from p2p_shanghaien.app import library
from p2p_shanghaien.app.library import GameFile
from p2p_shanghaien.cli.output import echo, progress_bar
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.words import say


def loaded(name: str) -> GameFile:
    """Return the game in the file that `name` means, as `library.load`; name what is damaged of it."""
    game = library.load(name, Home.of_user().games)
    if game.report and game.report.verdict == Verdict.INVALID_FILE:
        echo(say("damage_shown", file=game.path.name, reason=game.report.fault), err=True)
    return game


def scanned(names: Sequence[str]) -> Iterator[tuple[str, Found]]:
    """Yield what each file holds that `names` mean (`library.collect`), with a progress bar."""
    files = library.collect(names, Home.of_user().games)
    with progress_bar(len(files)) as bar:
        for found in library.scan(files):
            yield found
            bar.advance(1)
