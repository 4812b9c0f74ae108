"""Sentences of the installed games and their translations, loaded when first asked for."""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getfile
from pathlib import Path
from typing import Final

from p2p_shanghaien.errors import LocalError, UiCode
from p2p_shanghaien.games.api import Part
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.ui.language import Domain, Template

REQUIRED: Final = ("name", "stage", "stages", "stage_number", "stage_next", "stage_back", "places")
"""Codes of the sentences that every game has.

`name` is the name on the box. A stage is a unit of a replay's steps, such as a round or a turn: `stage` in a sentence,
`stages` as a heading, `stage_number` with its `{number}`, `stage_next` and `stage_back` of a button. `places` continues
"A place is start, end," and says what the numbers count.
"""


def words(game: str) -> Mapping[str, Template]:
    """Return the sentences of the game of that name, without its display.

    Raises KeyError for an unknown game, and LocalError if its sentences cannot be loaded, or lack a required one.
    """
    return _words(game, GAMES[game].words)[0]


def domain(game: str) -> Domain:
    """Return the domain of the translations of these sentences: in `locale` beside their module. Raises as `words`."""
    return _words(game, GAMES[game].words)[1]


@cache
def _words(game: str, part: Part) -> tuple[Mapping[str, Template], Domain]:
    found: Mapping[str, Template] = part.load()
    if missing := [code for code in REQUIRED if code not in found]:
        raise LocalError(UiCode.GAME_LACKS_WORDS, game=game, codes=", ".join(missing))
    return found, Domain(game, Path(getfile(sys.modules[part.module])).parent / "locale")


def installed_words() -> Iterator[tuple[Domain, Mapping[str, Template]]]:
    """Yield the sentences of each installed game and the domain of their translations; skip a game without any."""
    for game in GAMES:
        try:
            yield domain(game), words(game)
        except LocalError:
            continue
