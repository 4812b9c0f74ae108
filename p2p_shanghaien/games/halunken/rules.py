"""The rules of Halunken & Spelunken for two: what is open in a position, and what follows from it.

A hand is set up, then has eight rounds: an auction for Black Jack, a secret choice of movement cards, the captains'
moves, and Black Jack's. Whatever asks nobody and draws nothing happens at once, so that a position always waits for
something: `Course` carries out a step with all that follows from it, and lists what happens.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import (
    Acted,
    Action,
    Chance,
    Chosen,
    Node,
    Simultaneous,
    Step,
    Terminal,
    Turn,
    Value,
)
from p2p_shanghaien.games.halunken.happenings import (
    BlackJackMoved,
    CardDrawn,
    DensFilled,
    Displaced,
    FirstRogue,
    HandScored,
    Happening,
    Hired,
    Lost,
    Moved,
    Revealed,
    RoundBegan,
    Stolen,
    TurnedUp,
)
from p2p_shanghaien.games.halunken.rogues import DECK, VALUE, Rogue, ordered, score, stronger

_T = TypeVar("_T")

SPACES: Final = 14
DEPTH: Final = 3
"""The rogues in a den."""
ROUNDS: Final = 8
CARDS: Final = "1234567r"
NUMBERS: Final = 7
RUM: Final = "r"
JACK: Final = 2
"""Black Jack's place beside the two players in `shown` and `numbers`, and that of his cards in `cards`."""

PASS: Final = "pass"  # noqa: S105 - no password
LEAVE: Final = "leave"


class Phase:
    """The step that a position waits for: an integer, as it is encoded."""

    PLACE: Final = 0
    """The space of a captain."""
    FIRST: Final = 1
    """The draw of a captain's first rogue; after the second captain's, of the top rogue of every den as well."""
    PLACE_JACK: Final = 2
    AUCTION: Final = 3
    CHOICE: Final = 4
    """Both secret choices."""
    NAME: Final = 5
    """The number of a captain's rum."""
    TURN_UP: Final = 6
    """The draw of the rogues that lie below those just taken."""
    ROB_CAPTAIN: Final = 7
    """The theft from the other captain, on whose space the captain has ended."""
    ROB_JACK: Final = 8
    """The theft on Black Jack's space: from beside the boat, or from his hirer."""
    JACK_CARD: Final = 9
    """The draw of Black Jack's card, as nobody has hired him."""
    JACK_NAME: Final = 10
    """The number of hired Black Jack's rum."""
    JACK_NUMBER: Final = 11
    """The draw of the number of his rum, as nobody has hired him."""
    JACK_ROB: Final = 12
    """The theft of Black Jack for his hirer."""
    LOSE: Final = 13
    """The rogue that a captain loses to Black Jack, whom nobody has hired."""
    OVER: Final = 14


DRAWS: Final = (Phase.FIRST, Phase.TURN_UP, Phase.JACK_CARD, Phase.JACK_NUMBER)

_TURNS: Final = (Turn(0), Turn(1))
_DENS: Final = range(1, SPACES + 1)
_NUMBERS: Final = range(1, NUMBERS + 1)


class Options(NamedTuple):
    """The options of a game, as they are encoded."""

    blackjack: bool = True
    hands: int = 1
    may: bool = False
    """A thief may leave the rogue."""


class State(NamedTuple):
    """A position. Pairs are by player; the third of three is Black Jack's."""

    phase: int
    player: int
    """Whose decision it is, or whose placing or move a draw completes; else 0."""
    hand: int
    round: int
    """0 in the setup, then 1 to 8."""
    opener: int | None
    """The player who opens this round's auction, and from the hiring on the hirer."""
    bid: str
    """The standing bid in an auction, which is the other player's."""
    hirer: int | None
    shown: tuple[str, str, str]
    """The cards of this round, empty before they are shown or drawn."""
    numbers: tuple[int, int, int]
    """By how much each moves this round; 0 while unknown, and for cancelled cards."""
    captains: tuple[int, int]
    """Their spaces, 0 before placing."""
    jack: int
    """Black Jack's space, 0 before placing; he leaves it when his thefts and losses are done."""
    cards: tuple[str, str, str]
    """The movement cards left."""
    crews: tuple[tuple[Rogue, ...], tuple[Rogue, ...]]
    boat: tuple[Rogue, ...]
    """The rogues beside the boat."""
    tops: tuple[str, ...]
    """The top rogue of each den; empty if there is none, or it is not yet turned up."""
    left: tuple[int, ...]
    """The number of rogues in each den, the top one counted."""
    pile: tuple[Rogue, ...]
    """The rogues not yet seen, in deck order."""
    scores: tuple[int, int]
    """Of the hands that are over."""
    options: Options

    @property
    def node(self) -> Node:
        phase = self.phase
        if phase in DRAWS:
            return Chance(self._bounds())
        if phase == Phase.CHOICE:
            return Simultaneous()
        if phase != Phase.OVER:
            return _TURNS[self.player]
        first, second = self.scores
        return Terminal(self.scores, None if first == second else int(second > first))

    def legal(self, player: int) -> tuple[Action, ...]:
        if self.phase == Phase.CHOICE and player in (0, 1):
            return self._choices(player)
        if player != self.player:
            return ()
        match self.phase:
            case Phase.PLACE | Phase.PLACE_JACK:
                return tuple(f"at:{space}" for space in _DENS if space not in self.captains)
            case Phase.AUCTION:
                least = VALUE[self.bid] if self.bid else 0
                return (*(f"bid:{rogue}" for rogue in self.crews[player] if VALUE[rogue] > least), PASS)
            case Phase.NAME:
                return tuple(f"={number}" for number in _NUMBERS if number != self.numbers[1 - player])
            case Phase.JACK_NAME:
                return tuple(f"J={number}" for number in _NUMBERS)
            case Phase.ROB_CAPTAIN | Phase.ROB_JACK | Phase.JACK_ROB:
                takes = tuple(f"take:{rogue}" for rogue in self.loot)
                return (*takes, LEAVE) if self.phase == Phase.ROB_JACK or self.options.may else takes
            case Phase.LOSE:
                return tuple(f"lose:{rogue}" for rogue in self.crews[player])
            case _:
                return ()

    @property
    def loot(self) -> tuple[Rogue, ...]:
        """The rogues that the thief to move may take: of the other's crew, of those beside the boat, or of both."""
        crew = self.crews[1 - self.player]
        if self.phase != Phase.ROB_JACK:
            return crew
        return (crew if self.hirer == 1 - self.player and self.may_rob(self.player) else ()) + self.boat

    @property
    def order(self) -> tuple[int, int]:
        """The players in the order in which their captains move: the lower number first."""
        return (0, 1) if self.numbers[0] <= self.numbers[1] else (1, 0)

    @property
    def cancelled(self) -> bool:
        """True if both players have shown equal cards this round."""
        return self.shown[0] == self.shown[1] != ""

    @property
    def met(self) -> tuple[int, ...]:
        """The players whose captains Black Jack meets by his number, in the order of the spaces."""
        distances = sorted(((self.captains[player] - self.jack) % SPACES, player) for player in (0, 1))
        return tuple(player for distance, player in distances if distance <= self.numbers[JACK])

    @property
    def jack_ends(self) -> int:
        """The space on which Black Jack ends by his number: the next free one if a captain stands there."""
        return next_free(ahead(self.jack, self.numbers[JACK] - 1), self.captains)

    @property
    def hidden(self) -> tuple[int, ...]:
        """The dens whose rogues are drawn now, in the order of the draw; first that of a captain's first rogue."""
        if self.phase == Phase.FIRST:
            den = self.captains[self.player]
            return (den, *_DENS) if self.captains[1 - self.player] else (den,)
        dens = self.captains if self.cancelled else (self.captains[self.player],)
        return tuple(den for den in dens if self.left[den - 1] and not self.tops[den - 1])

    def apply(self, action: Action) -> "State":
        if self.phase == Phase.CHOICE or action not in self.legal(self.player):
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        return Course(self).act(action).state

    def apply_joint(self, actions: tuple[Action, Action]) -> "State":
        if self.phase != Phase.CHOICE:
            raise Illegal(GameCode.NOT_SIMULTANEOUS)
        for player, action in enumerate(actions):
            if action not in self._choices(player):
                raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        return Course(self).reveal(actions).state

    def apply_chance(self, indices: Sequence[int]) -> "State":
        if self.phase not in DRAWS:
            raise Illegal(GameCode.NO_DRAW_HERE)
        bounds = self._bounds()
        if len(indices) != len(bounds) or not all(0 <= i < b for i, b in zip(indices, bounds, strict=True)):
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=bounds)
        return Course(self).draw(indices).state

    def encode(self) -> Value:
        """Every field, in the order of SPEC's section on this game."""
        return (
            self.phase,
            self.player,
            self.hand,
            self.round,
            self.opener,
            self.bid,
            self.hirer,
            self.shown,
            self.numbers,
            self.captains,
            self.jack,
            self.cards,
            self.crews,
            self.boat,
            self.tops,
            self.left,
            self.pile,
            self.scores,
            tuple(self.options),
        )

    def may_rob(self, thief: int) -> bool:
        """Return True if the sizes of the crews allow `thief` to rob the other player."""
        victim = len(self.crews[1 - thief])
        return 0 < victim >= len(self.crews[thief])

    def _bounds(self) -> tuple[int, ...]:
        """Return the bounds of the draw that is awaited."""
        if self.phase == Phase.JACK_NUMBER:
            return (NUMBERS,)
        if self.phase == Phase.JACK_CARD:
            return (len(self.cards[JACK]),)
        return tuple(range(len(self.pile), len(self.pile) - len(self.hidden), -1))

    def _choices(self, player: int) -> tuple[Action, ...]:
        own = self.cards[player]
        if player != self.hirer:
            return tuple(own)
        return tuple(f"{card}+{his}" for card in own for his in self.cards[JACK])


class Course:
    """The course of one legal step: `state` is where it has led so far, `happenings` what it has brought about."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.happenings: list[Happening] = []

    def act(self, action: Action) -> "Course":
        """Carry out an open decision, and all that follows from it."""
        state, player, thing = self.state, self.state.player, action.partition(":")[2]
        match state.phase:
            case Phase.PLACE:
                self._set(phase=Phase.FIRST, captains=_with(state.captains, player, int(thing)))
            case Phase.PLACE_JACK:
                self._set(jack=int(thing))
                self._open_round(1)
            case Phase.AUCTION:
                self._bid(thing)
            case Phase.NAME:
                mine, other = int(action[1:]), state.numbers[1 - player]
                self._set(numbers=(*((mine, other) if player == 0 else (other, mine)), state.numbers[JACK]))
                self._move(0)
            case Phase.JACK_NAME:
                self._set_jack_number(int(action[2:]))
                self._jack_moves()
            case Phase.LOSE:
                self._lose(thing)
            case Phase.JACK_ROB:
                self._steal(thing)
                self._jack_ended()
            case _:
                self._steal(thing)
                self._displace()
        return self

    def reveal(self, actions: tuple[Action, Action]) -> "Course":
        """Show both secret choices, and carry out what follows from them."""
        state = self.state
        first, second = (action[0] for action in actions)
        jack = "" if state.hirer is None else actions[state.hirer][-1]
        cancelled = first == second
        left = [cards.replace(card, "") for cards, card in zip(state.cards, (first, second, jack), strict=True)]
        self._set(
            shown=(first, second, jack),
            numbers=(0 if cancelled else _number(first), 0 if cancelled else _number(second), _number(jack)),
            cards=(left[0], left[1], left[JACK]),
        )
        self.happenings.append(Revealed((first, second), jack or None, cancelled))
        if cancelled:
            for player in (0, 1):
                self._take(player, state.captains[player])
            self._turn_up(0)
        elif RUM in (first, second):
            self._set(phase=Phase.NAME, player=int(second == RUM))
        else:
            self._move(0)
        return self

    def draw(self, indices: Sequence[int]) -> "Course":
        """Carry out a draw, and all that follows from it."""
        state = self.state
        if state.phase == Phase.JACK_CARD:
            self._jack_drawn(state.cards[JACK][indices[0]])
            return self
        if state.phase == Phase.JACK_NUMBER:
            self._set_jack_number(indices[0] + 1)
            self._jack_moves()
            return self
        pile = list(state.pile)
        rogues = [pile.pop(index) for index in indices]
        self._set(pile=tuple(pile))
        if state.phase == Phase.FIRST:
            self._begin_crew(rogues)
        else:
            self._turned_up(rogues)
        return self

    def _set(self, **fields: Any) -> None:
        self.state = self.state._replace(**fields)

    # --- setting up a hand

    def _begin_crew(self, rogues: Sequence[Rogue]) -> None:
        state, player = self.state, self.state.player
        den = state.captains[player]
        self._set(crews=_with(state.crews, player, (rogues[0],)), left=_at(state.left, den, DEPTH - 1))
        self.happenings.append(FirstRogue(state.hand, player, den, rogues[0]))
        if len(rogues) == 1:
            self._set(phase=Phase.PLACE, player=1 - player)
            return
        self._set(tops=tuple(rogues[1:]))
        self.happenings.append(DensFilled(state.hand, self.state.tops, self.state.left))
        if not state.options.blackjack:
            self._open_round(1)
            return
        opener = stronger([crew[0] for crew in self.state.crews])
        self._set(phase=Phase.PLACE_JACK, player=1 - opener, opener=opener)

    # --- auction

    def _open_round(self, number: int) -> None:
        self._clear(number)
        opener = self.state.opener
        if opener is None:
            self._set(phase=Phase.CHOICE, player=0)
        else:
            self._set(phase=Phase.AUCTION, player=opener)
        self.happenings.append(RoundBegan(self.state))

    def _clear(self, number: int) -> None:
        """Set back what belongs to one round only."""
        self._set(round=number, bid="", hirer=None, shown=("", "", ""), numbers=(0, 0, 0))

    def _bid(self, rogue: str) -> None:
        """Bid `rogue`, or pass if it is empty."""
        state, player, other = self.state, self.state.player, 1 - self.state.player
        if rogue and player != state.opener and not state.bid:
            # the opener has passed, and is out
            self._hire(player, rogue)
        elif rogue:
            self._set(player=other, bid=rogue)
        elif state.bid:
            self._hire(other, state.bid)
        elif player == state.opener:
            self._set(player=other)
        else:
            self._set(phase=Phase.CHOICE, player=0)
            self.happenings.append(Hired(None, None))

    def _hire(self, hirer: int, rogue: Rogue) -> None:
        state = self.state
        self._set(
            phase=Phase.CHOICE,
            player=0,
            opener=hirer,
            bid="",
            hirer=hirer,
            crews=_with(state.crews, hirer, _without(state.crews[hirer], rogue)),
            boat=ordered((*state.boat, rogue)),
        )
        self.happenings.append(Hired(hirer, rogue))

    # --- captains

    def _move(self, place: int) -> None:
        """Move the captain who is first (0) or second (1) in the order of moving; then (2) it is Black Jack's turn."""
        if place == len(self.state.order):
            self._jack_turn()
            return
        player = self.state.order[place]
        start_, number = self.state.captains[player], self.state.numbers[player]
        self._set(player=player, captains=_with(self.state.captains, player, ahead(start_, number)))
        self._take(player, start_)
        self._turn_up(player)

    def _take(self, player: int, start_: int) -> None:
        """Let the top rogue of the den where the captain has ended, if there is one, join the crew."""
        state, den = self.state, self.state.captains[player]
        rogue = state.tops[den - 1]
        self.happenings.append(Moved(player, state.numbers[player], start_, den, rogue or None))
        if rogue:
            self._set(
                crews=_with(state.crews, player, ordered((*state.crews[player], rogue))),
                tops=_at(state.tops, den, ""),
                left=_at(state.left, den, state.left[den - 1] - 1),
            )

    def _turn_up(self, player: int) -> None:
        self._set(phase=Phase.TURN_UP, player=player)
        if not self.state.hidden:
            self._taken()

    def _turned_up(self, rogues: Sequence[Rogue]) -> None:
        for den, rogue in zip(self.state.hidden, rogues, strict=True):
            self._set(tops=_at(self.state.tops, den, rogue))
            self.happenings.append(TurnedUp(den, rogue))
        self._taken()

    def _taken(self) -> None:
        """Go on when what lay in the den is taken, and the next rogue turned up."""
        state, player = self.state, self.state.player
        if state.cancelled:
            self._jack_turn()
        elif state.captains[0] == state.captains[1] and state.may_rob(player):
            self._set(phase=Phase.ROB_CAPTAIN)
        elif state.captains[player] == state.jack and state._replace(phase=Phase.ROB_JACK).loot:
            self._set(phase=Phase.ROB_JACK)
        else:
            self._displace()

    def _steal(self, rogue: str) -> None:
        """Let the player to move take `rogue`, or leave it if that is empty."""
        state, thief, other = self.state, self.state.player, 1 - self.state.player
        if not rogue:
            return
        self.happenings.append(Stolen(thief, None if rogue in state.boat else other, rogue))
        crews = _with(state.crews, other, _without(state.crews[other], rogue))
        self._set(
            crews=_with(crews, thief, ordered((*crews[thief], rogue))),
            boat=_without(state.boat, rogue),
        )

    def _displace(self) -> None:
        """Displace the figure on which the captain has ended, and go on."""
        state, player, other = self.state, self.state.player, 1 - self.state.player
        here = state.captains[player]
        if state.jack == here:
            free = next_free(here, state.captains)
            self._set(jack=free)
            self.happenings.append(Displaced(None, here, free))
        elif state.captains[other] == here:
            free = next_free(here, (here, state.jack))
            self._set(captains=_with(state.captains, other, free))
            self.happenings.append(Displaced(other, here, free))
        self._move(state.order.index(player) + 1)

    # --- Black Jack

    def _jack_turn(self) -> None:
        state = self.state
        if not state.options.blackjack:
            self._end_round()
        elif state.hirer is None:
            self._set(phase=Phase.JACK_CARD, player=0)
        elif state.shown[JACK] == RUM:
            self._set(phase=Phase.JACK_NAME, player=state.hirer)
        else:
            self._jack_moves()

    def _jack_drawn(self, card: str) -> None:
        state = self.state
        first, second, left = state.cards
        self._set(shown=(*state.shown[:JACK], card), cards=(first, second, left.replace(card, "")))
        self.happenings.append(CardDrawn(card))
        if card == RUM:
            self._set(phase=Phase.JACK_NUMBER)
        else:
            self._set_jack_number(int(card))
            self._jack_moves()

    def _set_jack_number(self, number: int) -> None:
        self._set(numbers=(*self.state.numbers[:JACK], number))

    def _jack_moves(self) -> None:
        state = self.state
        number = state.numbers[JACK]
        self.happenings.append(
            BlackJackMoved(state.hirer, state.shown[JACK], number, state.jack, state.jack_ends, state.met)
        )
        if state.hirer is None:
            self._meet(state.met)
        elif 1 - state.hirer in state.met and state.may_rob(state.hirer):
            self._set(phase=Phase.JACK_ROB, player=state.hirer)
        else:
            self._jack_ended()

    def _meet(self, players: Iterable[int]) -> None:
        """Let Black Jack, whom nobody has hired, meet the captains of `players`: each with a crew loses a rogue."""
        for player in players:
            if self.state.crews[player]:
                self._set(phase=Phase.LOSE, player=player)
                return
        self._jack_ended()

    def _lose(self, rogue: Rogue) -> None:
        state, player = self.state, self.state.player
        self.happenings.append(Lost(player, rogue))
        self._set(
            crews=_with(state.crews, player, _without(state.crews[player], rogue)),
            boat=ordered((*state.boat, rogue)),
        )
        self._meet(state.met[state.met.index(player) + 1 :])

    def _jack_ended(self) -> None:
        self._set(jack=self.state.jack_ends)
        self._end_round()

    # --- the end

    def _end_round(self) -> None:
        state = self.state
        if state.round < ROUNDS:
            self._open_round(state.round + 1)
            return
        first, second = (score(crew) for crew in state.crews)
        scores = (state.scores[0] + first.points, state.scores[1] + second.points)
        self.happenings.append(
            HandScored(state.hand, (first.points, second.points), (first.doubled, second.doubled), state.crews)
        )
        if state.hand < state.options.hands:
            self.state = start(state.options, hand=state.hand + 1, scores=scores)
        else:
            self._clear(ROUNDS)
            self._set(phase=Phase.OVER, player=0, scores=scores)


def happenings(state: State, step: Step) -> Sequence[Happening]:
    """Return what a legal `step` from `state` brings about, in order."""
    course = Course(state)
    match step:
        case Acted(_, action):
            return course.act(action).happenings
        case Chosen(actions):
            return course.reveal(actions).happenings
        case _:
            return course.draw(step.indices).happenings


def start(options: Options, *, hand: int = 1, scores: tuple[int, int] = (0, 0)) -> State:
    """Return the position before a hand; player 1 goes first in the second."""
    return State(
        phase=Phase.PLACE,
        player=(hand - 1) % 2,
        hand=hand,
        round=0,
        opener=None,
        bid="",
        hirer=None,
        shown=("", "", ""),
        numbers=(0, 0, 0),
        captains=(0, 0),
        jack=0,
        cards=(CARDS, CARDS, CARDS if options.blackjack else ""),
        crews=((), ()),
        boat=(),
        tops=("",) * SPACES,
        left=(DEPTH,) * SPACES,
        pile=DECK,
        scores=scores,
        options=options,
    )


def ahead(space: int, number: int) -> int:
    """Return the space that is `number` spaces clockwise of `space`."""
    return (space - 1 + number) % SPACES + 1


def next_free(space: int, figures: Iterable[int]) -> int:
    """Return the first space clockwise of `space` on which none of the `figures` stands."""
    taken = frozenset(figures)
    space = ahead(space, 1)
    while space in taken:
        space = ahead(space, 1)
    return space


def _number(card: str) -> int:
    """Return the number of a card; 0 if it is rum, or there is none."""
    return int(card) if card.isdigit() else 0


def _with(pair: tuple[_T, _T], player: int, item: _T) -> tuple[_T, _T]:
    return (item, pair[1]) if player == 0 else (pair[0], item)


def _at(row: tuple[_T, ...], space: int, item: _T) -> tuple[_T, ...]:
    """Return what lies by spaces, with `item` at `space`."""
    return (*row[: space - 1], item, *row[space:])


def _without(rogues: tuple[Rogue, ...], rogue: Rogue) -> tuple[Rogue, ...]:
    return tuple(each for each in rogues if each != rogue)
