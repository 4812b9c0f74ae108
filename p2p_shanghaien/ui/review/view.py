"""What is shown of an analysed game, apart from how."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.ui.stops import Place

Amount: TypeAlias = tuple[int, int]
"""A chance of winning in millionths, and points in thousandths; or changes of them."""

GAME: Final = 1_000_000
POINT: Final = 1_000
"""What stands for a whole game, and for a point."""

GRADES: Final = ("blunder", "mistake", "inaccuracy")
"""What a decision can be called, from the worst on."""


class Moment(NamedTuple):
    """A step of the game, counted from 0, and player 0's chance of winning after it, in millionths.

    `action` and `best` are there where somebody had a choice, which cost them `cost`; a draw brought `player` `luck`,
    or player 0 where it is nobody's. `grade` is one of GRADES, or nothing.
    """

    step: int
    player: int | None
    chance: int
    action: Action | None
    best: Action | None
    grade: str
    cost: Amount
    luck: Amount


class Share(NamedTuple):
    """What made a player's result: `start`, `luck`, `skill` and what was `given_up` add up to it.

    `rolls` is the part of the luck that the player's own rolls had; `lost` is what the player's decisions cost.
    """

    start: Amount
    rolls: Amount
    luck: Amount
    skill: Amount
    given_up: Amount
    result: Amount
    decisions: int
    lost: Amount
    grades: tuple[int, int, int]
    """How many decisions were of each of GRADES."""


class Review(NamedTuple):
    """An analysed game: player 0's chance before its first step, every step, and each player's sums.

    `thresholds` are the losses from which on a decision is of each of GRADES, in millionths.
    """

    thresholds: tuple[int, ...]
    start: int
    moments: tuple[Moment, ...]
    shares: tuple[Share, Share]

    @property
    def chances(self) -> tuple[int, ...]:
        """Player 0's chance of winning at the start and after each step, in millionths."""
        return (self.start, *(moment.chance for moment in self.moments))


def stage_openings(where: Sequence[Place]) -> Iterator[bool]:
    """Yield for the place of each step whether it is the first of a stage."""
    stage = None
    for place in where:
        yield place.stage != stage
        stage = place.stage


def percent(millionths: int, digits: int = 1, sign: str = "") -> str:
    """A chance, or a change of one, in percent; with `+` as the sign also where it grows."""
    return f"{100 * millionths / GAME:{sign}z.{digits}f}"


def points(thousandths: int, sign: str = "") -> str:
    """Points, or a change of them."""
    return f"{thousandths / POINT:{sign}z.2f}"
