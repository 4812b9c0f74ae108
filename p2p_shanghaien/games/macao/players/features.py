"""The features of a position: what the network sees of it, from either player's point of view.

They are made without roots or logarithms, so that they are the same on every machine. They name no card of a deck, so
that any deck has them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.macao.deck import (
    BLUE,
    CROUPIER,
    DIAMOND,
    IDENTICAL,
    INNKEEPER,
    KINDS,
    TRADER,
    VARIED,
    WIDOW,
    Card,
    Deck,
)
from p2p_shanghaien.games.macao.payments import means, reduced
from p2p_shanghaien.games.macao.rules import CROWD, LAST_ROUND, MEMBERS, SAME, VARIETY, Phase, Side, State

Floats: TypeAlias = NDArray[np.float64]

GRAIN: Final = 1 / 64
"""Features are rounded to multiples of it."""
_KEPT: Final = 10_000
"""The number of sides whose features are kept."""
_PATIENCE: Final = (1.0, 0.6, 0.36, 0.22, 0.13, 0.08, 0.05, 0.03, 0.02, 0.01)
"""The share of a plan's gain that is left, by the number of cards that it lacks."""
_SPENT: Final = 0.6
"""The value in coins of a blue card that a plan spends."""
_GAINED: Final = 1.5
"""The value of a resource of a red card."""
_LEVELS: Final = 3
"""The numbers of lacking cards, from 0, that are told apart."""
_LASTING: Final = (CROUPIER, TRADER, INNKEEPER, WIDOW)
"""The kinds whose red sides have a lasting effect."""
_STEPS: Final = (Phase.ACTION, Phase.LIMIT, Phase.DANCER, Phase.POLICEMAN, Phase.KILLER, Phase.TURN_UP)
_PHASES: Final = {phase: tuple(phase == each for each in _STEPS) for phase in _STEPS}
_WAITS: Final = (False,) * len(_STEPS)
"""The phase of a player whose turn it is not."""
_NO_PLAN: Final = 0.0


class _Need(NamedTuple):
    """The resources that red cards leave of a cost, by class; `number` of them are to be paid by blue cards."""

    missing: tuple[tuple[str, int], ...]
    number: int


class _Means:
    """The red cards of a player, with what they leave to be paid of any cost."""

    def __init__(self, deck: Deck, red: tuple[str, ...]) -> None:
        self._means = means(deck, red)
        self.classes: Mapping[str, str] = self._means.classes
        self._needs: dict[tuple[str, int], tuple[_Need, ...]] = {}
        given = self._means.given
        of_resources = [given[each] for each in dict.fromkeys(self.classes.values())]
        costs = [(card.cost, self._means.croupiers, card.copies) for card in deck.cards if card.kind != WIDOW]
        total = sum(copies for _, _, copies in costs)
        priced = [tile for tile in deck.tiles if tile.cost]
        self.features = (
            sum(of_resources) / 4,
            sum(bool(count) for count in of_resources) / 4,
            (len(deck.resources) - len(of_resources)) / 2,
            given[DIAMOND],
            sum(self.needed(cost, croupiers) * copies for cost, croupiers, copies in costs) / total,
            sum(self.needed(tile.cost, 0) for tile in priced) / len(priced) / 2,
        )

    @property
    def croupiers(self) -> int:
        return self._means.croupiers

    def needs(self, cost: str, croupiers: int) -> tuple[_Need, ...]:
        key = cost, croupiers
        if key not in self._needs:
            self._needs[key] = tuple(self._need(each) for each in reduced(cost, croupiers))
        return self._needs[key]

    def needed(self, cost: str, croupiers: int) -> int:
        """Return the number of blue cards that pay a cost."""
        return max(min(need.number for need in self.needs(cost, croupiers)), 0)

    def lacking(self, cost: str, croupiers: int, held: Mapping[str, int]) -> int:
        """Return the number of resources that a hand with these resources, by class, does not cover."""
        diamonds = held.get(DIAMOND, 0)
        least = min(
            need.number - sum(min(count, held.get(each, 0)) for each, count in need.missing)
            for need in self.needs(cost, croupiers)
        )
        return max(least - diamonds, 0)

    def _need(self, cost: str) -> _Need:
        given = self._means.given
        wanted = Counter(self.classes[letter] for letter in cost)
        missing = tuple((each, count - given[each]) for each, count in wanted.items() if count > given[each])
        return _Need(missing, sum(count for _, count in missing) - given[DIAMOND])


class _Plan(NamedTuple):
    """A plan to recruit a card or to open a tile."""

    gain: float
    needed: int
    lacking: int

    @property
    def value(self) -> float:
        return max(self.gain - _SPENT * self.needed, 0.0) * _PATIENCE[min(self.lacking, len(_PATIENCE) - 1)]


def _recruit(card: Card, red: _Means, held: Mapping[str, int]) -> _Plan:
    """Return the plan to recruit a card, with these resources in hand besides."""
    needed = red.needed(card.cost, red.croupiers)
    return _Plan(card.coins + _GAINED * len(card.red), needed, red.lacking(card.cost, red.croupiers, held))


class _Known:
    """A side, with what has been found out about it."""

    def __init__(self, side: Side, score: int, cards: tuple[float, ...]) -> None:
        self.side = side
        self.score = score
        self.cards = cards
        self.features: dict[tuple[str, ...], Floats] = {}
        """All features of the side, by the tiles in the centre."""
        self.helped: dict[str, float] = {}
        """The value of the best plan to recruit one of its cards, by the resource of a card that it gets."""
        self.reached: dict[str, float] = {}
        """The same by the card, which may be recruited itself."""


class Features:
    """The features of positions with one deck. It keeps those of sides."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._means: dict[tuple[str, ...], _Means] = {}
        self._sides: dict[Side, _Known] = {}

    def rows(self, states: Sequence[State]) -> Floats:
        """Return the features of N positions that are not over, as player 0 and as player 1 sees them: (2, N, F)."""
        if len(self._sides) > _KEPT:
            self._sides.clear()
            self._means.clear()
        sides: list[Floats] = []
        shared: list[float] = []
        for state in states:
            first, second = (self._side(side) for side in state.sides)
            sides += (self._planned(first, state.centre), self._planned(second, state.centre))
            lead = first.score - second.score
            shared += self._shared(state, 0, first, lead)
            shared += self._shared(state, 1, second, -lead)
        own = np.concatenate(sides).reshape(len(states), 2, -1)
        turn = _rounded(shared).reshape(len(states), 2, -1)
        return np.stack([np.concatenate([own[:, each], own[:, 1 - each], turn[:, each]], axis=1) for each in (0, 1)])

    def _shared(self, state: State, player: int, own: _Known, lead: int) -> tuple[float, ...]:
        """Return the features of the turn, the piles and the end."""
        moves = state.player == player
        centre = len(state.centre)
        reds = max(len(state.sides[0].red), len(state.sides[1].red))
        nearness = max(reds / MEMBERS, 1 - centre / 4, state.round / LAST_ROUND)
        is_last = reds >= MEMBERS or not centre or state.round == LAST_ROUND
        reached = [self._reached(own, pile.top) for pile in state.piles if pile.top]
        reached.sort(reverse=True)
        first, second, *_ = *reached, _NO_PLAN, _NO_PLAN
        return (
            moves,
            *(_PHASES[state.phase] if moves else _WAITS),
            player,
            player * nearness,
            lead * nearness / 8,
            is_last,
            is_last and moves,
            is_last * lead / 4,
            is_last * ((lead > 0) - (lead < 0)),
            is_last and moves and lead > 0,
            nearness,
            centre / 4,
            state.round / 20,
            first / 4,
            second / 4,
            moves * first / 4,
        )

    def _of(self, red: tuple[str, ...]) -> _Means:
        if red not in self._means:
            self._means[red] = _Means(self._deck, red)
        return self._means[red]

    def _reached(self, own: _Known, top: str) -> float:
        """Return the value of the best plan to recruit, if the player takes a card."""
        if top not in own.reached:
            card, red = self._deck.card[top], self._of(own.side.red)
            resource = red.classes.get(card.blue, DIAMOND)
            if resource not in own.helped:
                plans = self._recruits(own.side, resource)
                own.helped[resource] = max((plan.value for plan in plans), default=_NO_PLAN)
            plan = _recruit(card, red, self._held(own.side, red))
            own.reached[top] = max(own.helped[resource], plan.value)
        return own.reached[top]

    def _side(self, side: Side) -> _Known:
        if side not in self._sides:
            self._sides[side] = _Known(side, side.score(self._deck), tuple(self._cards(side)))
        return self._sides[side]

    def _planned(self, own: _Known, centre: tuple[str, ...]) -> Floats:
        if centre not in own.features:
            own.features[centre] = _rounded([*own.cards, *self._plans(own.side, centre)])
        return own.features[centre]

    def _cards(self, side: Side) -> Iterator[float]:
        deck = self._deck
        blue = Counter(deck.card[card].kind for card in side.blue)
        red = Counter(deck.card[card].kind for card in side.red)
        number = len(side.red)
        yield side.score(deck) / 10
        yield side.coins(deck) / 10
        yield number / MEMBERS
        yield number * number / MEMBERS**2
        yield from (number >= least for least in range(4, MEMBERS + 1))
        yield len(side.opened) / 2
        yield len(side.opened) > 0
        yield len(side.blue) / 4
        yield side.dead / 2
        yield max(side.places(deck) - side.crowd, 0) / 4
        yield side.crowd >= side.places(deck)
        yield from (blue[kind] / 2 for kind in KINDS)
        yield from (red[kind] / 2 for kind in _LASTING)
        yield from self._of(side.red).features

    def _held(self, side: Side, red: _Means) -> Counter[str]:
        """Return the resources of the blue cards, by class."""
        card = self._deck.card
        return Counter([red.classes.get(card[name].blue, DIAMOND) for name in side.blue])

    def _recruits(self, side: Side, more: str = "") -> Iterator[_Plan]:
        """Yield the plans to recruit, with one more resource of this class in hand."""
        red = self._of(side.red)
        held = self._held(side, red)
        if more:
            held[more] += 1
        for name in dict.fromkeys(side.blue):
            card = self._deck.card[name]
            own = red.classes.get(card.blue, DIAMOND)
            held[own] -= 1
            yield _recruit(card, red, held)
            held[own] += 1

    def _opens(self, side: Side, tiles: tuple[str, ...]) -> Iterator[_Plan]:
        """Yield the plans to open these tiles."""
        deck, red = self._deck, self._of(side.red)
        held = self._held(side, red)
        for name in tiles:
            tile = deck.tile[name]
            if tile.cost:
                yield _Plan(tile.value, red.needed(tile.cost, 0), red.lacking(tile.cost, 0, held))
            else:
                yield _Plan(tile.value, 0, self._short_of(side, tile.condition))

    def _short_of(self, side: Side, condition: str) -> int:
        """Return about how many actions a condition lacks."""
        if condition == BLUE:
            return max(CROWD - side.crowd, 0) + (side.places(self._deck) < CROWD)
        kinds = Counter(self._deck.card[card].kind for card in (*side.blue, *side.red))
        if condition == IDENTICAL:
            return max(SAME - max(kinds.values(), default=0), 0)
        if condition == VARIED:
            return max(VARIETY - len(kinds), 0)
        has = (side.crowd, side.red, side.reserved, side.opened)
        return sum(not each for each in has) + (not side.reserved)

    def _plans(self, side: Side, centre: tuple[str, ...]) -> Iterator[float]:
        recruits = sorted(self._recruits(side), key=lambda plan: plan.value, reverse=True)
        offered = sorted(self._opens(side, centre), key=lambda plan: plan.value, reverse=True)
        reserved = sorted(self._opens(side, side.reserved), key=lambda plan: plan.value, reverse=True)
        for plans in (recruits, offered, reserved):
            values = [plan.value for plan in plans] + [_NO_PLAN] * 2
            yield values[0] / 4
            yield values[1] / 4
            yield sum(values) / 8
            for lacking in range(_LEVELS):
                level = [plan for plan in plans if plan.lacking == lacking]
                yield len(level) / 2
                yield max((plan.gain for plan in level), default=0.0) / 8
            yield min((plan.needed for plan in plans if plan.lacking == 0), default=4) / 4


def _rounded(found: Sequence[float]) -> Floats:
    rounded: Floats = np.rint(np.asarray(found, np.float64) / GRAIN) * GRAIN
    return rounded
