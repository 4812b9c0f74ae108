"""The margin in points after this round, for every way in which the three figures may move.

It looks no further than the round, steals and loses what is best at once, and takes an unknown rogue for its mean
value. Everything is seen by player 0.
"""

from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.halunken.rogues import VALUE, Rogue, ordered, score
from p2p_shanghaien.games.halunken.rules import JACK, NUMBERS, RUM, SPACES, State, ahead, next_free

Crew: TypeAlias = tuple[Rogue, ...]
Crews: TypeAlias = tuple[Crew, Crew]

_NUMBERS: Final = range(1, NUMBERS + 1)


@lru_cache(maxsize=1 << 14)
def points(crew: Crew) -> int:
    """Return what a crew is worth."""
    return score(crew).points


def margin(crews: Crews) -> int:
    """Return player 0's lead in points."""
    return points(crews[0]) - points(crews[1])


@lru_cache(maxsize=1 << 14)
def best_theft(thief: Crew, victim: Crew) -> tuple[Crew, Crew]:
    """Return both crews after the theft that is best for the margin of `thief`; `victim` must not be empty."""
    thefts = [(ordered((*thief, rogue)), without(victim, rogue)) for rogue in victim]
    return max(thefts, key=lambda crews: points(crews[0]) - points(crews[1]))


@lru_cache(maxsize=1 << 14)
def best_loss(crew: Crew) -> Crew:
    """Return a crew after its cheapest loss, and an empty one as it is."""
    return max((without(crew, rogue) for rogue in crew), key=points, default=crew)


def without(crew: Crew, rogue: Rogue) -> Crew:
    """Return a crew without `rogue`."""
    return tuple([each for each in crew if each != rogue])


def robbed(crews: Crews, thief: int, *, may: bool = False) -> Crews:
    """Return the crews after a theft from the other captain or by hired Black Jack, if their sizes allow it."""
    own, other = crews[thief], crews[1 - thief]
    if not other or len(own) > len(other):
        return crews
    taken, left = best_theft(own, other)
    after = (taken, left) if thief == 0 else (left, taken)
    return _better(thief, crews, after) if may else after


class Walked(NamedTuple):
    """The position when both captains have moved. `gained` is the mean value of rogues not yet seen."""

    crews: Crews
    captains: tuple[int, int]
    jack: int
    gained: float = 0.0


class Round:
    """The margins of this round's courses from a choice of cards on. All are computed once, when first needed."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._unseen = fmean(VALUE[rogue] for rogue in state.pile) if state.pile else 0.0
        self._values: dict[tuple[int, int], float] = {}
        self._hired: dict[tuple[int, int], list[float]] = {}

    def of_cards(self, first: str, second: str, jack: str) -> float:
        """Return the margin if these cards are shown; rum names what is best for the margin of its player.

        `jack` is the card of hired Black Jack, and empty if he is not hired.
        """
        if first == second:
            return self.of_numbers((0, 0), jack)
        if first == RUM:
            other = int(second)
            return max(self.of_numbers((number, other), jack) for number in _NUMBERS if number != other)
        own = int(first)
        if second == RUM:
            return min(self.of_numbers((own, number), jack) for number in _NUMBERS if number != own)
        return self.of_numbers((own, int(second)), jack)

    def of_numbers(self, numbers: tuple[int, int], jack: str) -> float:
        """Return the margin if the captains move by `numbers`, both 0 for cancelled cards."""
        if not jack:
            if numbers not in self._values:
                self._values[numbers] = self._not_hired(walked(self._state, numbers, self._unseen))
            return self._values[numbers]
        if numbers not in self._hired:
            there = walked(self._state, numbers, self._unseen)
            self._hired[numbers] = [of_jack(self._state, there, number) for number in _NUMBERS]
        margins = self._hired[numbers]
        if jack == RUM:
            return max(margins) if self._state.hirer == 0 else min(margins)
        return margins[int(jack) - 1]

    def _not_hired(self, there: Walked) -> float:
        """Return the mean margin over the cards that Black Jack has left."""
        state = self._state
        if not state.options.blackjack:
            return margin(there.crews) + there.gained
        margins = [of_jack(state, there, number) for number in _NUMBERS]
        return fmean(fmean(margins) if card == RUM else margins[int(card) - 1] for card in state.cards[JACK])


def walked(state: State, numbers: tuple[int, int], unseen: float) -> Walked:
    """Return where the captains' moves by `numbers` lead; `unseen` is the mean value of a rogue not yet seen."""
    crews, captains, jack, gained = state.crews, list(state.captains), state.jack, 0.0
    taken: list[int] = []
    for player in (0, 1) if numbers[0] <= numbers[1] else (1, 0):
        here = captains[player] = ahead(captains[player], numbers[player])
        if here in taken:
            gained += (1 - 2 * player) * unseen if state.left[here - 1] > 1 else 0.0
        elif state.tops[here - 1]:
            crews = joined(crews, player, state.tops[here - 1])
        taken.append(here)
        if here == captains[1 - player]:
            crews = robbed(crews, player, may=state.options.may)
            captains[1 - player] = next_free(here, (here, jack))
        elif here == jack:
            crews = _on_jack(state, crews, player)
            jack = next_free(here, captains)
    return Walked(crews, (captains[0], captains[1]), jack, gained)


def of_jack(state: State, there: Walked, number: int) -> float:
    """Return the margin when Black Jack has moved by `number`."""
    crews = there.crews
    distances = sorted(((there.captains[player] - there.jack) % SPACES, player) for player in (0, 1))
    for player in [player for distance, player in distances if distance <= number]:
        if state.hirer is None:
            crews = replaced(crews, player, best_loss(crews[player]))
        elif player != state.hirer:
            crews = robbed(crews, state.hirer, may=state.options.may)
    return margin(crews) + there.gained


def joined(crews: Crews, player: int, rogue: Rogue) -> Crews:
    """Return the crews with one more rogue."""
    return replaced(crews, player, ordered((*crews[player], rogue)))


def replaced(crews: Crews, player: int, crew: Crew) -> Crews:
    """Return the crews with another crew of `player`."""
    return (crew, crews[1]) if player == 0 else (crews[0], crew)


def _on_jack(state: State, crews: Crews, player: int) -> Crews:
    """Return the crews after the theft on Black Jack's space that is best for the margin of `player`."""
    found = [crews, *(joined(crews, player, rogue) for rogue in state.boat)]
    if state.hirer == 1 - player:
        found.append(robbed(crews, player))
    return _better(player, *found)


def _better(player: int, *crews: Crews) -> Crews:
    """Return those crews with the best margin of `player`."""
    return max(crews, key=lambda each: (1 - 2 * player) * margin(each))


def auction_gain(crews: Crews, player: int) -> float:
    """Return half of what Black Jack would steal for `player`, and half of what he would steal from them."""
    now = margin(crews)
    others: Sequence[Crews] = (robbed(crews, player), robbed(crews, 1 - player))
    return sum(abs(margin(each) - now) for each in others) / 2
