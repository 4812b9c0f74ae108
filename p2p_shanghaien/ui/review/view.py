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


class Decided(NamedTuple):
    """A player's choice, the best there was, and the cost; `grade` is one of GRADES, or nothing."""

    player: int
    action: Action
    best: Action
    grade: str
    cost: Amount


class Moment(NamedTuple):
    """A step of the game, counted from 0, and player 0's chance of winning after it, in millionths.

    `decisions` has what was chosen where there was a choice: by one player, or by both at once. `change` is the luck
    that a draw brought `player`, or player 0 where it is nobody's; or the matchup of two choices, as player 0 sees it.
    """

    step: int
    player: int | None
    chance: int
    decisions: tuple[Decided, ...]
    change: Amount


class Share(NamedTuple):
    """What made a player's result: `start`, `luck`, `skill`, `matchup` and what was `given_up` add up to it.

    `rolls` is the part of the luck that the player's own rolls had; `lost` is what the player's decisions cost;
    `matchup` is None where the players never chose at once.
    """

    start: Amount
    rolls: Amount
    luck: Amount
    skill: Amount
    matchup: Amount | None
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
