"""The courses of a round, many at a time: arrays of positions that run through the same stages.

A stage at which something is decided or drawn replaces each position by several; `Courses.fold` leads the values of the
last positions back to the first ones. The rules stand in `rules.Course`, one step at a time; here they are a second
time, for speed, and a test compares both.

Positions are seen with spaces from 0 to 13. A rogue that lies on top of a den and is not yet turned up is `UNKNOWN`. It
is drawn only when a captain takes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import permutations
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.halunken.players.crews import (
    BIT,
    PLACE,
    ROGUES,
    Bits,
    bits,
    cheapest,
    gains,
    losses,
    members,
    sizes,
)
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, NUMBERS, ROUNDS, SPACES, Phase, State

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

UNKNOWN: Final = ROGUES
"""A top rogue that is not turned up."""
NONE: Final = ROGUES + 1
"""An empty den."""
NOBODY: Final = -1
"""Nobody has hired Black Jack."""
NOWHERE: Final = -99
"""The space of Black Jack in the simple game."""
RUM: Final = NUMBERS
"""The place of rum among the cards: a number's is one less."""

_BITS: Final = np.append(BIT, np.zeros(2, np.uint64))
"""The bit of each top: none for UNKNOWN and NONE."""
MOST: Final = 1
LEAST: Final = -1
MEAN: Final = 0
"""The ways from the values of several positions to that of one: the decision of player 0, of player 1, or a draw."""


@dataclass
class Rows:
    """N positions within a round. Pairs are by player."""

    crews: Bits
    """(N, 2)"""
    boat: Bits
    """(N)"""
    pile: Bits
    """(N): the rogues not yet seen."""
    tops: Ints
    """(N, 14)"""
    left: Ints
    """(N, 14): the rogues in each den."""
    captains: Ints
    """(N, 2): spaces from 0 to 13."""
    jack: Ints
    """(N)"""
    hirer: Ints
    """(N)"""
    numbers: Ints
    """(N, 3): how far the captains go, 0 for cancelled cards, and Black Jack."""
    drawn: Ints
    """(N): the place of the card that Black Jack has drawn, or -1."""

    def __len__(self) -> int:
        return len(self.boat)

    def take(self, places: Ints | Flags | slice) -> Self:
        """Return some of the positions, any of them several times; copies, unless they are a slice."""
        return type(self)(*(getattr(self, field.name)[places] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence["Rows"]) -> "Rows":
        """Return all positions of several."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def row(state: State) -> Rows:
    """Return one position as it stands."""
    unturned = [UNKNOWN if left else NONE for left in state.left]
    tops = [PLACE[top] if top else other for top, other in zip(state.tops, unturned, strict=True)]
    return Rows(
        crews=np.array([[bits(crew) for crew in state.crews]], np.uint64),
        boat=np.array([bits(state.boat)], np.uint64),
        pile=np.array([bits(state.pile)], np.uint64),
        tops=np.array([tops]),
        left=np.array([state.left]),
        captains=np.array([state.captains]) - 1,
        jack=np.array([state.jack - 1 if state.options.blackjack else NOWHERE]),
        hirer=np.array([NOBODY if state.hirer is None else state.hirer]),
        numbers=np.array([state.numbers]),
        drawn=np.array([-1]),
    )


def hands(state: State) -> Flags:
    """Return which cards each player and Black Jack have left: (3, 8), rum last."""
    return np.array([[card in cards for card in CARDS] for cards in state.cards])


@dataclass
class _Branch:
    """One stage's branches: the first child of each position, their number, and how their values are combined."""

    first: Ints
    count: Ints
    mode: Ints


class Courses:
    """Positions on their way through a round."""

    def __init__(self, rows: Rows, *, may: bool, thorough: bool, draws: int = ROGUES) -> None:
        """Begin with `rows`, which are changed.

        If `thorough`, every theft and loss is tried; else the one that is best at once. `draws` is the most rogues that
        are tried where a captain takes one that is unknown: evenly out of the pile.
        """
        self.rows = rows
        self.origin: Ints = np.arange(len(rows))
        """The place of each position's first one."""
        self._may = may
        self._thorough = thorough
        self._draws = draws
        self._branches: list[_Branch] = []

    def simplify(self) -> None:
        """Go on with the theft or loss that is best at once: by Black Jack in the last round, no other is better."""
        self._thorough = False

    def fold(self, values: Floats) -> Floats:
        """Return the values of the positions at the beginning, (N, K), from those at the end, (M, K).

        Each of the K is folded by itself.
        """
        for branch in reversed(self._branches):
            values = _combined(values, branch)
        return values

    def branch(self, count: Ints, mode: Ints) -> Ints:
        """Replace each position by `count` copies; return the number of each copy among its siblings."""
        first = np.cumsum(count) - count
        self._branches.append(_Branch(first, count, mode))
        parents = np.repeat(np.arange(len(count)), count)
        self.rows = self.rows.take(parents)
        self.origin = self.origin[parents]
        return np.arange(len(parents)) - first[parents]

    def play(self, cards: Ints) -> None:
        """Let everybody move by a card, (N, 3) by the first positions, rum last; rum names whatever is best."""
        self._name(cards)
        self.captains()
        if len(self.rows) and self.rows.jack[0] != NOWHERE:
            self._name_jack(cards[self.origin, JACK])
            self.jack_meets()

    def _name(self, cards: Ints) -> None:
        first, second = cards[self.origin, 0], cards[self.origin, 1]
        named = (first != second) & ((first == RUM) | (second == RUM))
        count = np.where(named, NUMBERS - 1, 1)
        number = self.branch(count, np.where(first == RUM, MOST, LEAST)) + 1
        first, second, named = (np.repeat(each, count) for each in (first, second, named))
        other = np.where(first == RUM, second, first) + 1
        number += number >= other
        equal = first == second
        self.rows.numbers[:, 0] = np.where(equal, 0, np.where(named & (first == RUM), number, first + 1))
        self.rows.numbers[:, 1] = np.where(equal, 0, np.where(named & (second == RUM), number, second + 1))

    def _name_jack(self, card: Ints) -> None:
        """Set Black Jack's number by his card; his rum is named by the hirer, or drawn."""
        hirer = self.rows.hirer
        count = np.where(card == RUM, NUMBERS, 1)
        number = self.branch(count, np.where(hirer == NOBODY, MEAN, np.where(hirer == 0, MOST, LEAST)))
        card = np.repeat(card, count)
        self.rows.numbers[:, JACK] = np.where(card == RUM, number, card) + 1

    def captains(self) -> None:
        """Move both captains by their numbers, the lower first; with cancelled cards each takes where it stands."""
        for place in (0, 1):
            self.take(place)
            self.rob(place)

    def mover(self, place: int) -> Ints:
        """Return who moves as the first (0) or second (1) of the captains."""
        numbers, captains = self.rows.numbers, self.rows.captains
        # with cancelled cards the order is free: by spaces, so that draws do not depend on who is called player 0
        tied = (numbers[:, 0] == numbers[:, 1]) & (captains[:, 0] > captains[:, 1])
        return np.where((numbers[:, 0] > numbers[:, 1]) | tied, 1 - place, place)

    def take(self, place: int) -> None:
        """Move the first or second captain, who takes the top rogue of the den."""
        rows, each = self.rows, np.arange(len(self.rows))
        mover = self.mover(place)
        here = (rows.captains[each, mover] + rows.numbers[each, mover]) % SPACES
        rows.captains[each, mover] = here
        if (rows.tops[each, here] == UNKNOWN).any():
            self._draw(here)
            rows, each = self.rows, np.arange(len(self.rows))
            mover = self.mover(place)
            here = rows.captains[each, mover]
        rows.crews[each, mover] |= _BITS[rows.tops[each, here]]
        left = np.maximum(rows.left[each, here] - 1, 0)
        rows.left[each, here] = left
        rows.tops[each, here] = np.where(left > 0, UNKNOWN, NONE)

    def _draw(self, here: Ints) -> None:
        """Draw the rogues that lie at `here` and are unknown."""
        rows = self.rows
        unknown = rows.tops[np.arange(len(rows)), here] == UNKNOWN
        unseen = sizes(rows.pile)
        count = np.where(unknown, np.clip(unseen, 1, self._draws), 1)
        number = self.branch(count, np.full(len(rows), MEAN))
        rows = self.rows
        parents = np.repeat(np.arange(len(count)), count)
        drawn = np.flatnonzero(unknown[parents])
        # the middle ones of as many equal parts of the pile
        wanted = ((2 * number[drawn] + 1) * unseen[parents[drawn]]) // (2 * count[parents[drawn]])
        within = members(rows.pile[drawn])
        rogue = (np.cumsum(within, axis=1) > wanted[:, None]).argmax(axis=1)
        rows.tops[drawn, here[parents[drawn]]] = rogue
        rows.pile[drawn] &= ~BIT[rogue]

    def rob(self, place: int) -> None:
        """Let the first or second captain rob whom it stands on, and displace that figure."""
        rows = self.rows
        each, mover = np.arange(len(rows)), self.mover(place)
        here = rows.captains[each, mover]
        on_captain = rows.captains[each, 1 - mover] == here
        on_jack = rows.jack == here
        allowed = _may_rob(rows, mover)
        loot = np.where(on_captain & allowed, rows.crews[each, 1 - mover], np.uint64(0))
        of_hirer = on_jack & allowed & (rows.hirer == 1 - mover)
        loot = np.where(of_hirer, rows.crews[each, 1 - mover], loot)
        loot = np.where(on_jack, loot | rows.boat, loot)
        self.steal(mover, loot, on_jack | self._may)
        self.displace(place)

    def displace(self, place: int) -> None:
        """Put the figure on which the first or second captain has ended on the next free space."""
        rows = self.rows
        each, mover = np.arange(len(rows)), self.mover(place)
        here, other = rows.captains[each, mover], rows.captains[each, 1 - mover]
        on_jack = rows.jack == here
        rows.captains[each, 1 - mover] = np.where(other == here, _next_free(here, rows.jack, here), other)
        rows.jack = np.where(on_jack, _next_free(here, other, here), rows.jack)

    def steal(self, thief: Ints, loot: Bits, optional: Flags) -> None:
        """Let `thief` take a rogue of `loot`, of the other's crew or of the boat; or, if `optional`, leave them all."""
        if not loot.any():
            return
        if self._thorough:
            self._try_all(thief, loot, optional)
            return
        at = np.flatnonzero(loot)
        rows = self.rows.take(at)
        within, own = members(loot[at]), np.arange(len(at))
        thief = thief[at]
        # many are the same crews
        thieves, of = np.unique(rows.crews[own, thief], return_inverse=True)
        worth = gains(thieves)[of]
        others, of = np.unique(rows.crews[own, 1 - thief], return_inverse=True)
        worth += np.where(members(others), losses(others), 0)[of]
        worth = np.where(within, worth, -(10**6))
        best = worth.argmax(axis=1)
        taken = BIT[best]
        left = optional[at] & (worth[own, best] < 0)
        self._stolen(at, thief, np.where(left, np.uint64(0), taken))

    def _try_all(self, thief: Ints, loot: Bits, optional: Flags) -> None:
        count = sizes(loot) + (optional & (loot != 0))
        number = self.branch(np.maximum(count, 1), np.where(thief == 0, MOST, LEAST))
        parents = np.repeat(np.arange(len(count)), np.maximum(count, 1))
        loot, thief = loot[parents], thief[parents]
        rank = np.cumsum(members(loot), axis=1)
        rogue = (rank > number[:, None]).argmax(axis=1)
        taken = np.where(number < rank[:, -1], BIT[rogue], np.uint64(0))
        self._stolen(np.arange(len(parents)), thief, taken)

    def _stolen(self, at: Ints, thief: Ints, taken: Bits) -> None:
        rows = self.rows
        rows.boat[at] &= ~taken
        rows.crews[at, 1 - thief] &= ~taken
        rows.crews[at, thief] |= taken

    def jack_meets(self, *, done: int = 0) -> None:
        """Move Black Jack by his number; he robs for his hirer, or whoever he meets loses a rogue.

        The first `done` of the captains in his way have been met already.
        """
        for turn in range(done, 2):
            who, met = self._met(turn)
            allowed = met & (self.rows.hirer == 1 - who) & _may_rob(self.rows, 1 - who)
            crews = self.rows.crews[np.arange(len(who)), who]
            self.steal(1 - who, np.where(allowed, crews, np.uint64(0)), np.full(len(who), self._may))
            who, met = self._met(turn)
            crews = self.rows.crews[np.arange(len(who)), who]
            self._lose(who, np.where(met & (self.rows.hirer == NOBODY), crews, np.uint64(0)))
        rows = self.rows
        last = (rows.jack + rows.numbers[:, JACK] - 1) % SPACES
        rows.jack = np.where(rows.jack == NOWHERE, NOWHERE, _next_free(last, rows.captains[:, 0], rows.captains[:, 1]))

    def _met(self, turn: int) -> tuple[Ints, Flags]:
        """Return the player whose captain is the nearer (0) or the farther (1) one, and where Black Jack meets it."""
        rows = self.rows
        distance = (rows.captains - rows.jack[:, None]) % SPACES
        nearest = distance.argmin(axis=1)
        who = nearest if turn == 0 else 1 - nearest
        return who, distance[np.arange(len(who)), who] <= rows.numbers[:, JACK]

    def _lose(self, who: Ints, crew: Bits) -> None:
        """Let each of the players lose one rogue of `crew`, which is theirs, or empty for those who lose none."""
        if not crew.any():
            return
        if self._thorough:
            count = np.maximum(sizes(crew), 1)
            number = self.branch(count, np.where(who == 0, MOST, LEAST))
            parents = np.repeat(np.arange(len(count)), count)
            crew, who = crew[parents], who[parents]
            at = np.flatnonzero(crew)
            lost = BIT[(np.cumsum(members(crew[at]), axis=1) > number[at, None]).argmax(axis=1)]
        else:
            at = np.flatnonzero(crew)
            lost = cheapest(crew[at])
        self.rows.crews[at, who[at]] &= ~lost
        self.rows.boat[at] |= lost


def _may_rob(rows: Rows, thief: Ints) -> Flags:
    """Return True where the sizes of the crews allow `thief` to rob the other player."""
    each = np.arange(len(rows))
    own, other = sizes(rows.crews[each, thief]), sizes(rows.crews[each, 1 - thief])
    found: Flags = (other > 0) & (own <= other)
    return found


def _next_free(space: Ints, first: Ints, second: Ints) -> Ints:
    """Return the first space clockwise of `space` on which neither of two figures stands."""
    free = (space + 1) % SPACES
    for _ in range(2):
        free = np.where((free == first) | (free == second), (free + 1) % SPACES, free)
    return free


def _combined(values: Floats, branch: _Branch) -> Floats:
    """Return the values of positions from those of their children."""
    if len(values) == len(branch.count):
        return values
    found = np.add.reduceat(values, branch.first, axis=0) / branch.count[:, None]
    for mode, best in ((MOST, np.maximum), (LEAST, np.minimum)):
        at = branch.mode == mode
        if at.any():
            found = np.where(at[:, None], best.reduceat(values, branch.first, axis=0), found)
    return found


def turned_up(state: State) -> Rows:
    """Return the position after each possible draw where rogues are turned up, as long as nothing follows from it.

    The first den's rogue changes slowest; both draws are in the order of the pile.
    """
    dens = [den - 1 for den in state.hidden]
    drawn = list(permutations([PLACE[rogue] for rogue in state.pile], len(dens)))
    rows = row(state).take(np.zeros(len(drawn), np.int64))
    for place, den in enumerate(dens):
        rogues = np.array([each[place] for each in drawn])
        rows.tops[:, den] = rogues
        rows.pile &= ~BIT[rogues]
    return rows


def finish(state: State, rows: Rows | None = None, *, thorough: bool, draws: int = ROGUES) -> Courses:
    """Return the courses from a position after the secret choices to the end of the round.

    `rows` may be several such positions, alike but for what has been turned up; else that stays unknown.
    """
    courses = Courses(row(state) if rows is None else rows, may=state.options.may, thorough=thorough, draws=draws)
    phase = state.phase
    if phase == Phase.NAME:
        names = [number for number in range(1, NUMBERS + 1) if number != state.numbers[1 - state.player]]
        _choose(courses, state.player, names, MOST if state.player == 0 else LEAST)
        courses.captains()
    elif phase in (Phase.TURN_UP, Phase.ROB_CAPTAIN, Phase.ROB_JACK) and not state.cancelled:
        place = state.order.index(state.player)
        courses.rob(place)
        if place == 0:
            courses.take(1)
            courses.rob(1)
    if not state.options.blackjack:
        return courses
    if state.round == ROUNDS:
        courses.simplify()
    if phase in (Phase.JACK_ROB, Phase.LOSE):
        courses.jack_meets(done=state.met.index(state.player) if phase == Phase.LOSE else 0)
        return courses
    if phase == Phase.JACK_NUMBER:
        _choose(courses, JACK, range(1, NUMBERS + 1), MEAN)
    elif state.hirer is None:
        _draw_card(courses, state.cards[JACK])
    elif state.shown[JACK] == CARDS[RUM]:
        _choose(courses, JACK, range(1, NUMBERS + 1), MOST if state.hirer == 0 else LEAST)
    courses.jack_meets()
    return courses


def _choose(courses: Courses, figure: int, numbers: Sequence[int], mode: int) -> None:
    """Let a figure's number be chosen or drawn."""
    size = len(courses.rows)
    number = courses.branch(np.full(size, len(numbers)), np.full(size, mode))
    courses.rows.numbers[:, figure] = np.array(numbers)[number]


def _draw_card(courses: Courses, cards: str) -> None:
    """Let Black Jack's card be drawn, and the number of his rum."""
    size = len(courses.rows)
    drawn = np.array([CARDS.index(card) for card in cards])[
        courses.branch(np.full(size, len(cards)), np.full(size, MEAN))
    ]
    count = np.where(drawn == RUM, NUMBERS, 1)
    number = courses.branch(count, np.full(len(drawn), MEAN))
    drawn = np.repeat(drawn, count)
    courses.rows.drawn = drawn
    courses.rows.numbers[:, JACK] = np.where(drawn == RUM, number, drawn) + 1
