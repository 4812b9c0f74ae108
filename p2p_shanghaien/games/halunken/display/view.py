"""The view model of Halunken's table, as frozen values for any way of drawing. Pairs are indexed by player."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_shanghaien.games.api import deciders
from p2p_shanghaien.games.halunken.rogues import COLOURS, VALUE, Rogue, score
from p2p_shanghaien.games.halunken.rules import JACK, RUM, SPACES, Phase, State


@dataclass(frozen=True)
class Space:
    """A space of the ring, and its den.

    `top` is the rogue that lies open, None in an empty den and in one that is not yet turned up; `below` counts those
    face down. `figures` are the players whose captains stand there, and 2 for Black Jack: one at most, except during a
    theft.
    """

    number: int
    top: Rogue | None
    below: int
    figures: tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """The rogues of one colour, lowest first, and the sum of their values."""

    colour: str
    values: tuple[int, ...]
    sum: int


@dataclass(frozen=True)
class Crew:
    """A crew: the colours that it has, what it scores if the hand ends now, and which colour counts twice."""

    groups: tuple[Group, ...]
    points: int
    doubled: str | None


@dataclass(frozen=True)
class Cards:
    """Movement cards, `1` to `7` and `r`: those left.

    `shown` is the card of this round, if it is shown; `number` how far it leads: None until that is known, and 0 if the
    card was cancelled.
    """

    left: str
    shown: str | None
    number: int | None


@dataclass(frozen=True)
class Auction:
    """An auction in progress: the player whose turn it is, who opened it, and the standing bid and its bidder."""

    player: int
    opener: int
    bid: Rogue | None
    bidder: int | None
    opener_passed: bool


@dataclass(frozen=True)
class View:
    """A whole position. What is Black Jack's is None in the simple game."""

    hand: int
    hands: int
    round: int
    """0 during the setup, then 1 to 8."""
    over: bool
    """True if the game has ended by its rules."""
    ended: bool
    """True if the game does not continue, by its rules or otherwise."""
    phase: int
    deciding: tuple[int, ...]
    """The players who decide: one, both in secret, or none."""
    spaces: tuple[Space, ...]
    """Spaces 1 to 14."""
    crews: tuple[Crew, Crew]
    cards: tuple[Cards, Cards]
    earlier: tuple[int, int]
    """The points of the hands before this one; of all hands once the game is over."""
    jack: Cards | None
    boat: tuple[Group, ...]
    """The rogues beside the boat."""
    auction: Auction | None
    hirer: int | None


@dataclass(frozen=True)
class Scoring:
    """The outcome of a hand; `totals` include `earlier` hands."""

    hand: int
    hands: int
    crews: tuple[Crew, Crew]
    earlier: tuple[int, int]
    totals: tuple[int, int]


def view(state: State, *, ended: bool = False) -> View:
    """Return the view of the table in `state`; the game may have `ended`, in whatever way."""
    over = state.phase == Phase.OVER
    ended = ended or over
    with_jack = state.options.blackjack
    return View(
        hand=state.hand,
        hands=state.options.hands,
        round=state.round,
        over=over,
        ended=ended,
        phase=state.phase,
        deciding=() if ended else deciders(state.node),
        spaces=tuple(_space(state, number) for number in range(1, SPACES + 1)),
        crews=(crew(state.crews[0]), crew(state.crews[1])),
        cards=(_cards(state, 0), _cards(state, 1)),
        earlier=state.scores,
        jack=_cards(state, JACK) if with_jack else None,
        boat=groups(state.boat),
        auction=_auction(state) if state.phase == Phase.AUCTION and not ended else None,
        hirer=state.hirer,
    )


def crew(rogues: Sequence[Rogue]) -> Crew:
    """Return a crew of these rogues."""
    points, doubled = score(rogues)
    return Crew(groups(rogues), points, doubled)


def groups(rogues: Sequence[Rogue]) -> tuple[Group, ...]:
    """Return rogues by colour, in the order of the deck."""
    values = {colour: sorted(VALUE[rogue] for rogue in rogues if rogue[0] == colour) for colour in COLOURS}
    return tuple(Group(colour, tuple(held), sum(held)) for colour, held in values.items() if held)


def scoring(rogues: tuple[Sequence[Rogue], Sequence[Rogue]], hand: int, hands: int, totals: tuple[int, int]) -> Scoring:
    """Return the outcome of a hand that ended with these crews, and after which the players have `totals`."""
    first, second = map(crew, rogues)
    return Scoring(hand, hands, (first, second), (totals[0] - first.points, totals[1] - second.points), totals)


def _space(state: State, number: int) -> Space:
    top = state.tops[number - 1]
    figures = tuple(who for who, at in enumerate((*state.captains, state.jack)) if at == number)
    return Space(number, top or None, state.left[number - 1] - bool(top), figures)


def _cards(state: State, owner: int) -> Cards:
    """Return the cards of a player, or Black Jack's."""
    shown, number = state.shown[owner], state.numbers[owner]
    known = bool(shown) and (number or shown != RUM or (state.cancelled and owner != JACK))
    return Cards(state.cards[owner], shown or None, number if known else None)


def _auction(state: State) -> Auction:
    assert state.opener is not None
    passed = not state.bid and state.player != state.opener
    return Auction(
        state.player, state.opener, state.bid or None, 1 - state.player if state.bid else None, opener_passed=passed
    )
