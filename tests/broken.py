"""The toy game with one method out of order: `TOY_FAILS` names a part of it and the method, as in `table:news`.

Of words it is a code that is missing, and without a method the whole part.
"""

import os
from dataclasses import replace
from typing import Any, Final, NoReturn

from p2p_shanghaien.games.api import Part
from tests import toy, toy_values
from tests.toy_table import full, table
from tests.toy_table.words import WORDS as ALL_WORDS

PART, _, METHOD = os.environ["TOY_FAILS"].partition(":")
REASON: Final = "out of order"


def _failing(part: str, kind: type) -> Any:
    """Return `kind`, or, where it is the part that fails, one like it whose method fails."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(REASON)

    # as a class of this module: games are sent to other processes
    return type(part, (kind,), {METHOD: fail, "__module__": __name__}) if part == PART else kind


game: Final = _failing("game", toy.Toy)
Values: Final = _failing("evaluator", toy_values.Values)
TABLE: Final = _failing("table", table.ToyTable)()
BOARD: Final = _failing("board", full.ToyBoardView)()
CHANCE: Final = _failing("chance", toy.ToyChance)()
WORDS: Final = {code: text for code, text in ALL_WORDS.items() if ("words", code) != (PART, METHOD)}


def level(*_: object) -> NoReturn:
    """Fail to play."""
    raise RuntimeError(REASON)


_PARTS: Final[dict[str, Any]] = {
    "game": Part("tests.broken:game"),
    "table": Part("tests.broken:TABLE"),
    "board": Part("tests.broken:BOARD"),
    "words": Part("tests.broken:WORDS"),
    "evaluator": Part("tests.broken:Values"),
    "chance": Part("tests.broken:CHANCE"),
}
_MISSING: Final[dict[str, Any]] = {} if METHOD else {PART: Part("tests.broken:MISSING")}
SPEC: Final = replace(toy.SPEC, levels={"tired": Part("tests.broken:level")}, **{**_PARTS, **_MISSING})
