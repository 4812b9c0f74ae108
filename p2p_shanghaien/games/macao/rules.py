"""The rules of Shadows of Macao for two: what is open in a position, and what follows from it.

Whatever asks nobody and draws nothing happens at once, so that a position always waits for something: `Course` carries
out a step with all that follows from it, and lists what happens.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import Acted, Action, Chance, Drawn, Node, Step, Terminal, Turn, Value
from p2p_shanghaien.games.macao.deck import (
    BLUE,
    DANCER,
    IDENTICAL,
    INNKEEPER,
    KILLER,
    POLICEMAN,
    VARIED,
    WIDOW,
    Deck,
    Tile,
)
from p2p_shanghaien.games.macao.happenings import (
    KILLED,
    LIMIT,
    PAID,
    Discarded,
    Happening,
    Opened,
    Recruited,
    Reserved,
    RoundBegan,
    Taken,
    TurnedUp,
)
from p2p_shanghaien.games.macao.payments import Means, Payment, means, payments

PILES: Final = (12, 12, 11, 11)
"""The cards in the piles at the start."""
OFFERED: Final = 4
"""The tiles in the centre at the start."""
PLACES: Final = 5
"""The blue cards that a player without a red innkeeper may keep."""
LAST_ROUND: Final = 40
MEMBERS: Final = 7
"""The red cards that end the game."""
SAME: Final = 4
CROWD: Final = 6
VARIETY: Final = 6

NONE: Final = -1


class Phase:
    """The step that a position waits for: an integer, as it is encoded."""

    SET_UP: Final = 0
    """The draw of the tiles and the top cards."""
    ACTION: Final = 1
    TURN_UP: Final = 2
    """The draw of the card that comes up."""
    LIMIT: Final = 3
    """The discard of a player with too many blue cards."""
    DANCER: Final = 4
    """The card that a dancer takes."""
    POLICEMAN: Final = 5
    """The tile that a policeman reserves."""
    KILLER: Final = 6
    """The opponent's discard for a killer."""
    OVER: Final = 7


DRAWS: Final = (Phase.SET_UP, Phase.TURN_UP)

_TURNS: Final = (Turn(0), Turn(1))


class Pile(NamedTuple):
    """A pile: its top card, the number of unseen cards below it, and those discarded below these, from the top."""

    top: str
    """Empty if there is none, or it is not yet turned up."""
    unseen: int
    known: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of all its cards."""
        return bool(self.top) + self.unseen + len(self.known)


class Side(NamedTuple):
    """Cards and tiles before a player, in file order."""

    blue: tuple[str, ...] = (WIDOW,)
    dead: int = 0
    """Dead widows."""
    red: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()

    @property
    def crowd(self) -> int:
        """The number of the blue cards, dead widows included."""
        return len(self.blue) + self.dead

    def places(self, deck: Deck) -> int:
        """Return the number of blue cards that the player may keep."""
        return PLACES + sum(deck.card[card].kind == INNKEEPER for card in self.red)

    def coins(self, deck: Deck) -> int:
        """Return the coins of the red cards."""
        return sum(deck.card[card].coins for card in self.red)

    def score(self, deck: Deck) -> int:
        """Return the coins of the red cards and the values of the opened tiles."""
        return self.coins(deck) + sum(deck.tile[tile].value for tile in self.opened)

    def meets(self, condition: str, deck: Deck) -> bool:
        """Return True if the condition of a tile is met."""
        if condition == BLUE:
            return self.crowd >= CROWD
        kinds = Counter(deck.card[card].kind for card in (*self.blue, *self.red))
        if condition == IDENTICAL:
            return max(kinds.values(), default=0) >= SAME
        if condition == VARIED:
            return len(kinds) >= VARIETY
        return bool(self.crowd and self.red and self.reserved and self.opened)


class State(NamedTuple):
    """A position. Pairs are by player."""

    player: int
    """Whose turn it is, also while the opponent discards for a killer."""
    phase: int
    pile: int
    """The pile whose next card is to be drawn, from 0, or NONE."""
    round: int
    sides: tuple[Side, Side]
    centre: tuple[str, ...]
    """The tiles in the centre, in file order."""
    piles: tuple[Pile, ...]
    unseen: tuple[str, ...]
    """The cards that nobody has seen, in file order."""
    deck: Deck

    @property
    def node(self) -> Node:
        match self.phase:
            case Phase.SET_UP | Phase.TURN_UP:
                return Chance(self._bounds())
            case Phase.OVER:
                return Terminal(self.scores, self._winner())
            case Phase.KILLER:
                return _TURNS[1 - self.player]
            case _:
                return _TURNS[self.player]

    @property
    def scores(self) -> tuple[int, int]:
        """Both scores so far."""
        first, second = self.sides
        return first.score(self.deck), second.score(self.deck)

    @property
    def is_last_round(self) -> bool:
        """True if the game is over at the end of this round."""
        has_all = any(len(side.red) >= MEMBERS for side in self.sides)
        return has_all or not self.centre or self.round == LAST_ROUND

    def legal(self, player: int) -> tuple[Action, ...]:
        if self.phase in DRAWS or self.node != Turn(player):
            return ()
        match self.phase:
            case Phase.ACTION:
                return (*self._takes(), *self._recruits(), *self._opens())
            case Phase.DANCER:
                return self._takes()
            case Phase.POLICEMAN:
                return tuple(f"reserve:{tile}" for tile in self.centre)
            case _:
                return tuple(f"discard:{card}" for card in dict.fromkeys(self.sides[player].blue))

    def _takes(self) -> tuple[Action, ...]:
        return tuple(f"take:{number}" for number, pile in enumerate(self.piles, start=1) if pile.top)

    def _recruits(self) -> Iterator[Action]:
        side, deck = self.sides[self.player], self.deck
        red = means(deck, side.red)
        for name in dict.fromkeys(side.blue):
            others = _without(side.blue, (name,))
            for paid in payments(deck, deck.card[name].cost, others, red, croupiers=red.croupiers):
                yield _notation("recruit", name, paid)

    def _opens(self) -> Iterator[Action]:
        side, deck = self.sides[self.player], self.deck
        red = means(deck, side.red)
        for name in deck.in_order((*self.centre, *side.reserved)):
            for paid in self._tile_payments(deck.tile[name], red):
                yield _notation("open", name, paid)

    def _tile_payments(self, tile: Tile, red: Means) -> Iterable[Payment]:
        side = self.sides[self.player]
        if tile.cost:
            return payments(self.deck, tile.cost, side.blue, red)
        return ((),) if side.meets(tile.condition, self.deck) else ()

    def apply(self, action: Action) -> "State":
        if not any(action in self.legal(player) for player in (0, 1)):
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        return Course(self).act(action).state

    def apply_joint(self, actions: tuple[Action, Action]) -> "State":  # noqa: ARG002
        raise Illegal(GameCode.NOT_SIMULTANEOUS)

    def apply_chance(self, indices: Sequence[int]) -> "State":
        if self.phase not in DRAWS:
            raise Illegal(GameCode.NO_DRAW_HERE)
        bounds = self._bounds()
        if len(indices) != len(bounds) or not all(0 <= i < b for i, b in zip(indices, bounds, strict=True)):
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=bounds)
        return Course(self).draw(indices).state

    def encode(self) -> Value:
        """Every item, in the order of SPEC's section on this game; the deck is an option of the game."""
        first, second = self.sides
        return (
            self.player,
            self.phase,
            self.pile,
            self.round,
            (first.blue, second.blue),
            (first.dead, second.dead),
            (first.red, second.red),
            (first.reserved, second.reserved),
            (first.opened, second.opened),
            self.centre,
            tuple((pile.top, pile.unseen, pile.known) for pile in self.piles),
            self.unseen,
        )

    def _bounds(self) -> tuple[int, ...]:
        """Return the bounds of the draw that is awaited."""
        cards = len(self.unseen)
        if self.phase == Phase.TURN_UP:
            return (cards,)
        tiles = len(self.deck.tiles)
        return (*range(tiles, tiles - OFFERED, -1), *range(cards, cards - len(PILES), -1))

    def _winner(self) -> int | None:
        first, second = ((side.score(self.deck), len(side.opened), len(side.red)) for side in self.sides)
        return None if first == second else int(second > first)


class Course:
    """The course of one legal step: `state` is where it has led so far, `happenings` what it has brought about."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.happenings: list[Happening] = []

    def act(self, action: Action) -> "Course":
        """Carry out a decision, and all that follows from it."""
        verb, _, rest = action.partition(":")
        thing, _, cards = rest.partition("=")
        paid = tuple(cards.split("+")) if cards else ()
        match verb:
            case "take":
                self._take(int(thing))
            case "recruit":
                self._recruit(thing, paid)
            case "open":
                self._open(thing, paid)
            case "reserve":
                self._reserve(thing)
            case _:
                self._discard_one(thing)
        return self

    def draw(self, indices: Sequence[int]) -> "Course":
        """Carry out a draw, and all that follows from it."""
        state = self.state
        if state.phase == Phase.SET_UP:
            self._set_up(indices)
        else:
            unseen = list(state.unseen)
            card = unseen.pop(indices[0])
            pile = state.piles[state.pile]
            self._set(unseen=tuple(unseen))
            self._set_pile(state.pile, pile._replace(unseen=pile.unseen - 1))
            self._turn_up(state.pile, card)
            self._set(pile=NONE)
            self._taken()
        return self

    def _set(self, **fields: Any) -> None:
        self.state = self.state._replace(**fields)

    def _set_side(self, player: int, **fields: Any) -> None:
        first, second = self.state.sides
        changed = self.state.sides[player]._replace(**fields)
        self._set(sides=(changed, second) if player == 0 else (first, changed))

    def _set_pile(self, number: int, pile: Pile) -> None:
        self._set(piles=tuple(pile if at == number else each for at, each in enumerate(self.state.piles)))

    def _set_up(self, indices: Sequence[int]) -> None:
        state = self.state
        tiles, unseen = list(state.deck.tile_ids), list(state.unseen)
        centre = [tiles.pop(index) for index in indices[:OFFERED]]
        tops = [unseen.pop(index) for index in indices[OFFERED:]]
        piles = [Pile(top, pile.unseen - 1, ()) for top, pile in zip(tops, state.piles, strict=True)]
        self._set(phase=Phase.ACTION, centre=state.deck.in_order(centre), piles=tuple(piles), unseen=tuple(unseen))
        self.happenings.append(RoundBegan(self.state))

    # --- the three actions

    def _take(self, number: int) -> None:
        state, at = self.state, number - 1
        side, pile = state.sides[state.player], state.piles[at]
        self.happenings.append(Taken(state.player, number, pile.top))
        self._set_side(state.player, blue=state.deck.in_order((*side.blue, pile.top)))
        self._set_pile(at, pile._replace(top=""))
        if pile.unseen:
            self._set(phase=Phase.TURN_UP, pile=at)
            return
        if pile.known:
            self._turn_up_known(at)
        self._taken()

    def _taken(self) -> None:
        """Go on when a card was taken and the next one turned up."""
        side = self.state.sides[self.state.player]
        if side.crowd > side.places(self.state.deck):
            self._set(phase=Phase.LIMIT)
        else:
            self._end_turn()

    def _recruit(self, card: str, paid: Payment) -> None:
        state, player = self.state, self.state.player
        side = state.sides[player]
        self.happenings.append(Recruited(player, card, paid, paid.count(WIDOW)))
        self._set_side(player, blue=_without(side.blue, (card,)), red=state.deck.in_order((*side.red, card)))
        self._pay(paid)
        kind = state.deck.card[card].kind
        if kind == DANCER:
            self._set(phase=Phase.DANCER)
        elif kind == POLICEMAN and state.centre:
            self._set(phase=Phase.POLICEMAN)
        elif kind == KILLER and state.sides[1 - player].blue:
            self._set(phase=Phase.KILLER)
        else:
            self._end_turn()

    def _open(self, tile: str, paid: Payment) -> None:
        state, player = self.state, self.state.player
        side = state.sides[player]
        self.happenings.append(Opened(player, tile, paid, paid.count(WIDOW)))
        if tile in state.centre:
            self._set(centre=_without(state.centre, (tile,)))
        else:
            self._set_side(player, reserved=_without(side.reserved, (tile,)))
        self._set_side(player, opened=state.deck.in_order((*side.opened, tile)))
        self._pay(paid)
        self._end_turn()

    def _pay(self, paid: Payment) -> None:
        """Discard the cards of a payment; its widows die."""
        player = self.state.player
        side = self.state.sides[player]
        self._set_side(player, blue=_without(side.blue, paid), dead=side.dead + paid.count(WIDOW))
        self._lay_under(player, tuple(card for card in paid if card != WIDOW), PAID)

    # --- powers, and discards

    def _reserve(self, tile: str) -> None:
        state, player = self.state, self.state.player
        self.happenings.append(Reserved(player, tile))
        self._set(centre=_without(state.centre, (tile,)))
        self._set_side(player, reserved=state.deck.in_order((*state.sides[player].reserved, tile)))
        self._end_turn()

    def _discard_one(self, card: str) -> None:
        state = self.state
        is_killed = state.phase == Phase.KILLER
        player = 1 - state.player if is_killed else state.player
        self._set_side(player, blue=_without(state.sides[player].blue, (card,)))
        self._lay_under(player, (card,), KILLED if is_killed else LIMIT)
        self._end_turn()

    def _lay_under(self, player: int, cards: tuple[str, ...], why: str) -> None:
        """Lay discarded cards, which are in file order, under the smallest pile, the leftmost of equal ones."""
        if not cards:
            return
        piles = self.state.piles
        at = min(range(len(piles)), key=lambda number: piles[number].size)
        self.happenings.append(Discarded(player, cards, at + 1, why))
        self._set_pile(at, piles[at]._replace(known=(*piles[at].known, *cards)))
        if not piles[at].top:
            self._turn_up_known(at)

    def _turn_up_known(self, at: int) -> None:
        pile = self.state.piles[at]
        card, *known = pile.known
        self._set_pile(at, pile._replace(known=tuple(known)))
        self._turn_up(at, card)

    def _turn_up(self, at: int, card: str) -> None:
        self._set_pile(at, self.state.piles[at]._replace(top=card))
        self.happenings.append(TurnedUp(at + 1, card))

    # --- the end

    def _end_turn(self) -> None:
        state = self.state
        if state.player == 0:
            self._set(phase=Phase.ACTION, player=1)
        elif state.is_last_round:
            self._set(phase=Phase.OVER)
        else:
            self._set(phase=Phase.ACTION, player=0, round=state.round + 1)
            self.happenings.append(RoundBegan(self.state))


def happenings(state: State, step: Step) -> Sequence[Happening]:
    """Return what a legal `step` from `state` brings about, in order."""
    course = Course(state)
    if isinstance(step, Acted):
        return course.act(step.action).happenings
    assert isinstance(step, Drawn), "nobody chooses at the same time"
    return course.draw(step.indices).happenings


def start(deck: Deck) -> State:
    """Return the position before anything is drawn."""
    return State(
        player=0,
        phase=Phase.SET_UP,
        pile=NONE,
        round=1,
        sides=(Side(), Side()),
        centre=(),
        piles=tuple(Pile("", size, ()) for size in PILES),
        unseen=deck.face_down,
        deck=deck,
    )


def _notation(verb: str, thing: str, paid: Payment) -> Action:
    return f"{verb}:{thing}={'+'.join(paid)}" if paid else f"{verb}:{thing}"


def _without(ids: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    """Return `ids` without one copy of each of those in `gone`."""
    left = list(ids)
    for each in gone:
        left.remove(each)
    return tuple(left)
