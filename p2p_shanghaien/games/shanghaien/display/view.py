"""The view model of Shanghaien's table, as frozen values for any way of drawing. Pairs are indexed by player."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES, is_trick
from p2p_shanghaien.games.shanghaien.rules import OPEN, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import Contest, contests, nationality_points, scores, strengths

LEFT: Final = "<"
RIGHT: Final = ">"


@dataclass(frozen=True)
class RowCard:
    """A card of the tavern row and the dice on it.

    `numbers` are its number with number 1 at the left and at the right; while the direction is open, `number` is None
    and there are no dice. `contest` says who would take the card as the dice lie.
    """

    card: str
    numbers: tuple[int, int]
    number: int | None
    contest: Contest


@dataclass(frozen=True)
class Side:
    """A player's dice that are not yet placed or rolled, the roll to choose from, and trick letters."""

    supply: int
    rolled: tuple[int, ...]
    tricks: str
    tricked: bool


@dataclass(frozen=True)
class Standing:
    """A nationality's line in the score table.

    `crews` are the marks of the cards held (values, then letters of jokers), `strengths` their values, `points` the
    score of each if the game ended now. `tavern` and `to_come` are the values in the row and still in the pile.
    """

    nationality: str
    crews: tuple[str, str]
    strengths: tuple[int, int]
    points: tuple[int, int]
    tavern: str
    to_come: str


@dataclass(frozen=True)
class Scoring:
    """The score table: `totals` are the points of all nationalities and one for each trick held."""

    standings: tuple[Standing, ...]
    tricks: tuple[int, int]
    tricks_in_tavern: int
    tricks_to_come: int
    totals: tuple[int, int]


@dataclass(frozen=True)
class View:
    """A whole position. `to_act` is the player to move, None between rounds and at the end."""

    over: bool
    """True if the game has ended by its rules, so that its scores count."""
    ended: bool
    """True if the game does not continue, by its rules or otherwise; then nobody needs dice any more."""
    round: int
    starter: int
    to_act: int | None
    pile: int
    direction: str
    places: tuple[RowCard, ...]
    """The row from left to right, as both players see it; empty between rounds."""
    sides: tuple[Side, Side]
    scoring: Scoring


@dataclass(frozen=True)
class Overview:
    """The outcome of a round: who called Shanghai, and each number's card with its contest, number 1 first."""

    round: int
    caller: int
    decided: tuple[tuple[str, Contest], ...]


def view(state: State, *, ended: bool = False) -> View:
    """Return the view of the table in `state`; the game may have `ended`, in whatever way."""
    ended = ended or state.phase == Phase.OVER
    return View(
        over=state.phase == Phase.OVER,
        ended=ended,
        round=state.round,
        starter=state.starter,
        to_act=None if ended or state.phase == Phase.ROW else state.player,
        pile=len(state.pile),
        direction=state.direction,
        places=_places(state),
        sides=(_side(state, 0, ended=ended), _side(state, 1, ended=ended)),
        scoring=scoring(state),
    )


def overview(state: State) -> Overview:
    """Return the outcome of the round if Shanghai is called in `state`."""
    return Overview(state.round, state.player, tuple(zip(state.numbered_row(), contests(state.placed), strict=True)))


def scoring(state: State) -> Scoring:
    """Return the score table of `state`: both scores if the game ended now, and what may change them."""
    standings = tuple(_standing(state, nationality) for nationality in NATIONALITIES)
    return Scoring(
        standings=standings,
        tricks=(len(state.tricks[0]), len(state.tricks[1])),
        tricks_in_tavern=sum(map(is_trick, state.row)),
        tricks_to_come=sum(map(is_trick, state.pile)),
        totals=scores(state.crews, state.tricks),
    )


def _places(state: State) -> tuple[RowCard, ...]:
    decided = contests(state.placed)
    places = []
    for index, card in enumerate(state.row, start=1):
        numbers = (index, len(state.row) + 1 - index)
        number = None if state.direction == OPEN else numbers[state.direction == RIGHT]
        places.append(RowCard(card, numbers, number, decided[(number or index) - 1]))
    return tuple(places)


def _side(state: State, player: int, *, ended: bool) -> Side:
    rolled = state.dice if player == state.player and not ended else ()
    return Side(state.supply(player), rolled, state.tricks[player], state.tricked[player])


def _standing(state: State, nationality: str) -> Standing:
    held = [strengths(crew).get(nationality, 0) for crew in state.crews]
    return Standing(
        nationality=nationality,
        crews=(_marks(state.crews[0], nationality), _marks(state.crews[1], nationality)),
        strengths=(held[0], held[1]),
        points=(nationality_points(held[0], held[1]), nationality_points(held[1], held[0])),
        tavern=_marks(state.row, nationality),
        to_come=_marks(state.pile, nationality),
    )


def _marks(cards: Sequence[str], nationality: str) -> str:
    """Return the marks of the cards of that nationality, lowest value first."""
    return "".join(sorted(card[1] for card in cards if card[0] == nationality))
