"""Draw the pictures of README and docs again, from the sample game in `examples`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from p2p_shanghaien.app.library import load
from p2p_shanghaien.ui.page import drawn
from p2p_shanghaien.ui.snapshots import snapshots, until
from p2p_shanghaien.ui.verdicts import summary

FOLDER: Final = Path(__file__).parent
GAME: Final = FOLDER.parent / "examples" / "sample.shlog"
PLACES: Final = {"position.svg": "7.5.1", "round.svg": "7.6"}
"""Each picture's file, and the place of the game that it shows."""


def pictures() -> Iterator[tuple[Path, str]]:
    """Yield each picture's file, and what belongs in it."""
    game = load(str(GAME), GAME.parent)
    seen = tuple(snapshots(game.record))
    for name, place in PLACES.items():
        yield FOLDER / name, drawn(game.record, until(seen, place, "shanghaien"), summary(game.report))


def main() -> None:
    """Write every picture."""
    for path, text in pictures():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
