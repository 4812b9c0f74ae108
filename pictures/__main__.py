"""Draw the pictures of README and docs again, from the sample games in `examples`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from p2p_shanghaien.app.library import load
from p2p_shanghaien.ui.page import drawn
from p2p_shanghaien.ui.snapshots import snapshots, until
from p2p_shanghaien.ui.verdicts import summary

FOLDER: Final = Path(__file__).parent
EXAMPLES: Final = FOLDER.parent / "examples"
PLACES: Final = {
    "position.svg": ("sample.shlog", "3.6.1"),
    "round.svg": ("sample.shlog", "3.7"),
    "halunken.svg": ("halunken.shlog", "7.5.1"),
    "macao.svg": ("macao.shlog", "12.2"),
}
"""Each picture's file, and the game and the place in it that it shows."""


def pictures() -> Iterator[tuple[Path, str]]:
    """Yield each picture's file, and what belongs in it."""
    for name, (file, place) in PLACES.items():
        game = load(str(EXAMPLES / file), EXAMPLES)
        seen = tuple(snapshots(game.record))
        yield FOLDER / name, drawn(game.record, until(seen, place, game.record.game.NAME), summary(game.report))


def main() -> None:
    """Write every picture."""
    for path, text in pictures():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
