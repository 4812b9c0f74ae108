"""A round as a game: the values of its secret choices as a matrix, and of its auction by backward induction.

Values are pairs: player 0's win probability, and the expected margin at the end of the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.halunken.players.courses import NOBODY, RUM, Courses, Flags, Ints, Rows, hands, row
from p2p_shanghaien.games.halunken.players.crews import BIT, PLACE, ROGUES, points
from p2p_shanghaien.games.halunken.players.endgame import LastRound
from p2p_shanghaien.games.halunken.players.equilibrium import Equilibrium, solve
from p2p_shanghaien.games.halunken.players.network import Network, inputs, network
from p2p_shanghaien.games.halunken.rogues import VALUE, Rogue
from p2p_shanghaien.games.halunken.rules import JACK, NUMBERS, PASS, ROUNDS, Phase, State


class Comparable(Protocol):
    """A win probability of player 0, say, or one and a margin, compared in this order."""

    def __lt__(self, other: Any, /) -> bool: ...


V = TypeVar("V", bound=Comparable)

Values: TypeAlias = NDArray[np.float64]

CHANCE: Final = 0
POINTS: Final = 1
"""The places of both kinds of values."""

HAND: Final = 24.0
"""The margin in points over a whole hand at which the win probability is e/(e + 1)."""
BLOCK: Final = 512
"""Positions of the last round that are solved at a time, for the memory's sake."""

_RUMS: Final = 3
"""The ways to bring about two numbers: by both, or by rum for either."""


class Effort(NamedTuple):
    """The share that is tried of what may come in a round."""

    draws: int
    """The most rogues that are tried where the second captain takes what lay under the first one's."""
    last_draws: int
    """The same in the last round, seen from the one before."""
    thefts: bool = False
    """True to try every theft and loss, and not only what is best at once."""


QUICK: Final = Effort(4, 3)
CAREFUL: Final = Effort(12, 12)
THOROUGH: Final = Effort(ROGUES, ROGUES, thefts=True)


@dataclass(frozen=True)
class Judge:
    """The evaluation of what follows a round."""

    state: State
    """Any position of that round."""
    networks: Sequence[Network] | None = None
    """The networks by round, the first one's first, if they are not the fitted ones."""
    effort: Effort = QUICK

    def ends(self, rows: Rows, left: Flags, opener: Ints) -> Values:
        """Return the values at the end of the round, (N, 2), with the cards left, (N, 3, 8)."""
        if self.state.round == ROUNDS:
            return self.results(points(rows.crews[:, 0]) - points(rows.crews[:, 1]))
        return self.before(self.state.round + 1, rows, left, opener)

    def standing(self, state: State) -> Values:
        """Return the values of a position between hands, or when the game is over: (1, 2)."""
        margin, hands_left = float(state.scores[0] - state.scores[1]), state.options.hands - state.hand + 1
        scale = HAND * hands_left**0.5 if state.phase != Phase.OVER else 0.0
        return np.array([[_chance(np.array([margin]), scale)[0], margin]])

    def before(self, number: int, rows: Rows, left: Flags, opener: Ints) -> Values:
        """Return the values before a round of that number."""
        state = self.state
        if number == ROUNDS:
            parts = [slice(at, at + BLOCK) for at in range(0, len(rows), BLOCK)]
            draws = ROGUES if len(rows) == 1 else self.effort.last_draws
            return np.concatenate([self._last(rows.take(at), left[at], opener[at], draws) for at in parts])
        net = self.networks[number - 1] if self.networks else network(state.options.blackjack, number)
        margins: Values = net.margins(inputs(rows, left, opener, may=state.options.may)) + (
            state.scores[0] - state.scores[1]
        )
        return np.stack([_chance(margins, self._scale(float(net.spread[0]))), margins], axis=1)

    def _last(self, rows: Rows, left: Flags, opener: Ints, draws: int) -> Values:
        last = LastRound(rows, left, opener, self.state.options, draws)
        crews = last.rows.crews
        return last.values(self.results(points(crews[:, 0]) - points(crews[:, 1])))

    def results(self, margins: Ints) -> Values:
        """Return the values when the hand is over with these margins, (N)."""
        totals = margins.astype(np.float64) + (self.state.scores[0] - self.state.scores[1])
        return np.stack([_chance(totals, self._scale(0.0)), totals], axis=1)

    def _scale(self, spread: float) -> float:
        more = self.state.options.hands - self.state.hand
        return float(np.hypot(spread, HAND * more**0.5))


def _chance(margins: Values, scale: float) -> Values:
    """Return the win probability: the logistic curve, or the result if nothing is to come."""
    if scale == 0:
        return (np.sign(margins) + 1) / 2
    found: Values = 1 / (1 + np.exp(-np.clip(margins / scale, -40, 40)))
    return found


class Hire(NamedTuple):
    """A way in which the auction may end: the hirer and the bid, or nobody."""

    hirer: int | None
    bid: Rogue = ""


class Choices(NamedTuple):
    """The secret choices once it is known who has hired Black Jack."""

    actions: tuple[tuple[Action, ...], tuple[Action, ...]]
    """In the order of `State.legal`."""
    matrix: Values
    """(player 0's, player 1's, 2)"""

    def solve(self, aim: int) -> Equilibrium:
        """Return an equilibrium for the players who play to win, or for points."""
        return solve(self.matrix[:, :, aim])


def choices(judge: Judge, hires: Sequence[Hire]) -> list[Choices]:
    """Return the secret choices in the round of `judge.state` for several ends of its auction.

    If that is over, or there is none, `hires` is how it ended, without a bid.
    """
    state = judge.state
    left = hands(state)
    pairs = _pairs(left)
    begin = _hired(state, hires)
    rows = begin.take(np.repeat(np.arange(len(hires)), len(pairs.numbers)))
    rows.numbers[:, :JACK] = np.tile(pairs.numbers, (len(hires), 1))
    walks = Courses(rows, may=state.options.may, thorough=judge.effort.thefts, draws=judge.effort.draws)
    walks.captains()
    hirer = walks.rows.hirer
    after = _after_jack(judge, walks, pairs, left)
    cards = _by_card(after, hirer, left[JACK]) if state.options.blackjack else after[:, 0, :, 0][:, None]
    folded = walks.fold(cards.reshape(len(cards), -1)).reshape(len(hires), len(pairs.numbers), *cards.shape[1:])
    cells = _cells(folded, pairs, left)
    return [_choices(state, hire.hirer, cells[place]) for place, hire in enumerate(hires)]


class _Pairs(NamedTuple):
    """The pairs of numbers that may come about, and by which cards."""

    numbers: Ints
    """(P, 2); both 0 for cancelled cards."""
    cards: Ints
    """(P, C, 2): the players' cards for each of C ways; -1 where there are fewer."""


def _pairs(left: Flags) -> _Pairs:
    numbers, cards = [], []
    common = np.flatnonzero(left[0] & left[1])
    ways = max(_RUMS, len(common))
    for first in range(NUMBERS):
        for second in range(NUMBERS):
            found = np.full((ways, 2), -1)
            for way, (own, other) in enumerate(((first, second), (RUM, second), (first, RUM))):
                if left[0, own] and left[1, other]:
                    found[way] = own, other
            if first != second and (found >= 0).any():
                numbers.append((first + 1, second + 1))
                cards.append(found)
    if len(common):
        found = np.full((ways, 2), -1)
        found[: len(common)] = common[:, None]
        numbers.append((0, 0))
        cards.append(found)
    return _Pairs(np.array(numbers), np.array(cards))


def _hired(state: State, hires: Sequence[Hire]) -> Rows:
    """Return the position after each end of the auction."""
    begin = row(state).take(np.zeros(len(hires), np.int64))
    for place, hire in enumerate(hires):
        begin.hirer[place] = NOBODY if hire.hirer is None else hire.hirer
        if hire.hirer is not None and hire.bid:
            bit = BIT[PLACE[hire.bid]]
            begin.crews[place, hire.hirer] &= ~bit
            begin.boat[place] |= bit
    return begin


def _after_jack(judge: Judge, walks: Courses, pairs: _Pairs, left: Flags) -> Values:
    """Return the values after the round: (W, J, C, 2, 2).

    The axes are the captains' walks, Black Jack's numbers from 1, the ways of the pair, and his card: that number or
    rum. What cannot be is 0.
    """
    state = judge.state
    if state.options.blackjack:
        jack = np.array([number for number in range(NUMBERS) if left[JACK, RUM] or left[JACK, number]])
    else:
        jack = np.zeros(1, np.int64)
    size = len(walks.rows)
    rows = walks.rows.take(np.repeat(np.arange(size), len(jack)))
    number = np.tile(jack, size)
    ends = Courses(rows, may=state.options.may, thorough=judge.effort.thefts and state.round < ROUNDS)
    if state.options.blackjack:
        ends.rows.numbers[:, JACK] = number + 1
        ends.jack_meets()
    number, pair = number[ends.origin], np.repeat(walks.origin, len(jack))[ends.origin] % len(pairs.numbers)
    cards = pairs.cards[pair]
    his = np.stack([left[JACK][number], np.full(len(number), left[JACK, RUM])], axis=1)
    if not state.options.blackjack:
        his[:, 0] = True
    place, way, by_rum = np.nonzero((cards[:, :, 0] >= 0)[:, :, None] & his[:, None, :])
    if state.round == ROUNDS:
        found = np.broadcast_to(_last(judge, ends.rows)[:, None, None], (len(cards), cards.shape[1], 2, 2))
    else:
        hand = np.broadcast_to(left, (len(place), *left.shape)).copy()
        each = np.arange(len(place))
        for player in (0, 1):
            hand[each, player, cards[place, way, player]] = False
        if state.options.blackjack:
            hand[each, JACK, np.where(by_rum, RUM, number[place])] = False
        hirer = ends.rows.hirer[place]
        opener = np.where(hirer == NOBODY, NOBODY if state.opener is None else state.opener, hirer)
        found = np.zeros((len(cards), cards.shape[1], 2, 2))
        found[place, way, by_rum] = judge.ends(ends.rows.take(place), hand, opener)
    folded = ends.fold(found.reshape(len(found), -1)).reshape(size, len(jack), -1, 2, 2)
    after = np.zeros((size, NUMBERS, *folded.shape[2:]))
    after[:, jack] = folded
    return after


def _last(judge: Judge, rows: Rows) -> Values:
    return judge.results(points(rows.crews[:, 0]) - points(rows.crews[:, 1]))


def _by_card(after: Values, hirer: Ints, left: Flags) -> Values:
    """Return the values for each card of Black Jack, (W, cards, C, 2); if nobody has hired him, the mean for each."""
    found = [after[:, card, :, 0] for card in np.flatnonzero(left[:RUM])]
    whose = hirer[:, None, None]
    if left[RUM]:
        rum = after[:, :, :, 1]
        named = np.where(whose == 0, rum.max(axis=1), rum.min(axis=1))
        found.append(np.where(whose == NOBODY, rum.mean(axis=1), named))
    cards = np.stack(found, axis=1)
    return np.where(whose[:, None] == NOBODY, cards.mean(axis=1, keepdims=True), cards)


def _cells(folded: Values, pairs: _Pairs, left: Flags) -> Values:
    """Return the values of each pair of cards: (hires, player 0's, player 1's, Black Jack's, 2)."""
    own, other = np.flatnonzero(left[0]), np.flatnonzero(left[1])
    cells = np.empty((len(folded), len(own), len(other), folded.shape[2], 2))
    for first, card in enumerate(own):
        for second, against in enumerate(other):
            pair, way = np.nonzero((pairs.cards == (card, against)).all(axis=-1))
            values = folded[:, pair, :, way]  # (pairs, hires, Black Jack's, 2)
            better = values.min if against == RUM else values.max
            cells[:, first, second] = better(axis=0)
    return cells


def _choices(state: State, hirer: int | None, cells: Values) -> Choices:
    own, other = state.cards[0], state.cards[1]
    if hirer is None:
        return Choices((tuple(own), tuple(other)), cells[:, :, 0])
    pairs = tuple(f"{card}+{his}" for card in state.cards[hirer] for his in state.cards[JACK])
    if hirer == 0:
        matrix = cells.swapaxes(1, 2).reshape(-1, len(other), 2)
        return Choices((pairs, tuple(other)), matrix)
    return Choices((tuple(own), pairs), cells.reshape(len(own), -1, 2))


class Auction(Generic[V]):
    """The values of an auction's positions, once it is known what each way to end it is worth."""

    def __init__(self, state: State, values: Mapping[Hire, V]) -> None:
        """Prepare the auction of `state`; `values` are to player 0, for each end that is considered."""
        self._state = state
        self._values: Mapping[Hire, V] = values
        self._bids = [
            sorted((hire.bid for hire in values if hire.hirer == player), key=VALUE.__getitem__) for player in (0, 1)
        ]

    def actions(self, player: int, bid: Rogue) -> dict[Action, V]:
        """Return the value of each considered action of `player` against a standing bid, or none."""
        least = VALUE[bid] if bid else 0
        bids = [own for own in self._bids[player] if VALUE[own] > least]
        if not bid and player != self._state.opener:
            # the opener has passed: the bid hires, a pass ends the auction
            ends = {f"bid:{own}": self._values[Hire(player, own)] for own in bids}
            return {**ends, PASS: self._values[Hire(None)]}
        found = {f"bid:{own}": self.value(1 - player, own) for own in bids}
        return {**found, PASS: self._values[Hire(1 - player, bid)] if bid else self.value(1 - player, "")}

    def value(self, player: int, bid: Rogue) -> V:
        """Return the value if it is the turn of `player`."""
        return (max, min)[player](self.actions(player, bid).values())


def hires(state: State) -> list[Hire]:
    """Return how the auction of `state` may end."""
    return [Hire(None), *(Hire(player, rogue) for player in (0, 1) for rogue in state.crews[player])]


def solve_round(judge: Judge) -> tuple[float, float]:
    """Return player 0's win probability and expected margin in `judge.state`, before the auction or the choices."""
    solved = Solution(judge)
    return solved.value(judge.state, CHANCE), solved.value(judge.state, POINTS)


class Solution:
    """An auction and the secret choices after it, or these alone, of a position in which one of them is next."""

    def __init__(self, judge: Judge) -> None:
        self._state = state = judge.state
        ends = hires(state) if state.phase == Phase.AUCTION else [Hire(state.hirer)]
        self.ends: Mapping[Hire, Choices] = dict(zip(ends, choices(judge, ends), strict=True))
        """The secret choices after each end of the auction; if that is over, or there is none, as it ended."""
        self._equilibria: dict[tuple[Hire, int], Equilibrium] = {}
        self._auctions: dict[int, Auction[float]] = {}

    def value(self, state: State, aim: int) -> float:
        """Return the value to player 0 of the position, or of another one in the same auction."""
        if state.phase == Phase.CHOICE:
            return self.equilibrium(aim).value
        return self._auction(aim).value(state.player, state.bid)

    def bids(self, state: State, aim: int) -> dict[Action, float]:
        """Return the value of each action in the auction."""
        return self._auction(aim).actions(state.player, state.bid)

    def equilibrium(self, aim: int, end: Hire | None = None) -> Equilibrium:
        """Return the mixtures of the secret choices that are next, or of those after an end of the auction."""
        place = end or next(iter(self.ends)), aim
        if place not in self._equilibria:
            self._equilibria[place] = self.ends[place[0]].solve(aim)
        return self._equilibria[place]

    @property
    def choices(self) -> Choices:
        """The secret choices, which are next."""
        return next(iter(self.ends.values()))

    def _auction(self, aim: int) -> "Auction[float]":
        if aim not in self._auctions:
            self._auctions[aim] = Auction(self._state, {end: self.equilibrium(aim, end).value for end in self.ends})
        return self._auctions[aim]
