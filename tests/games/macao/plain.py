"""Shadows of Macao as two people play it at a table, straight from the rules: a game is played from its first line to
its last, and stops wherever somebody has to decide or something has to be drawn.

It shares no code with the package, so the package can be tested against it.
"""

import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Course: TypeAlias = Generator[None, Any, T]
"""A part of the game. It stops at each decision and draw, and is sent what was decided or drawn."""

RECONSTRUCTION = json.loads(files("p2p_shanghaien.games.macao").joinpath("macao-cards.json").read_text("utf-8"))

KINDS = ("killer", "dancer", "policeman", "croupier", "trader", "innkeeper", "sailor", "politician", "widow")
CONDITIONS = ("restaurant", "temple-bar", "china-club", "black-market")
COSTS = ("casino", "gallery", "red-room", "officers", "distillery", "syndicate")

RULES = (
    *("a card is taken", "a known card comes up", "a pile becomes empty", "too many cards", "every place is taken"),
    *("the card just taken is discarded", "a widow is discarded", "a discarded widow is taken"),
    *(f"{kind} recruited" for kind in KINDS),
    *(f"{tile} opened" for tile in (*CONDITIONS, *COSTS)),
    *("red cards pay everything", "a card is paid", "several cards are paid", "a widow dies", "a red widow pays"),
    *("a sailor pays twice", "a trader exchanges", "traders chain", "a croupier reduces", "a croupier has a choice"),
    *("a killer finds nobody", "a policeman finds nothing", "a reserved tile is opened"),
    *("an innkeeper gives a place", "a dead widow takes up a place", "discarded cards fill an empty pile"),
    *("the end: seven red cards", "the end: no tile in the centre", "the end: round 40"),
    *("player 1 has one more turn", "the end comes at once"),
)
"""Everything that can come up, equal scores aside, which are rare."""

DECK_OF_CHOICES = {
    **RECONSTRUCTION,
    "cards": [
        {**card, "cost": {"politician": "wwmm", "sailor": "aajj", "trader": "aaww", "croupier": "m"}[card["kind"]]}
        if card["kind"] in ("politician", "sailor", "trader", "croupier")
        else card
        for card in RECONSTRUCTION["cards"]
    ],
}
"""A deck in which croupiers have a choice."""


class Pile:
    """`top` is seen, then come `hidden` cards that nobody has seen, and below them those that were discarded."""

    def __init__(self, hidden: int) -> None:
        self.top = ""
        self.hidden = hidden
        self.below: list[str] = []

    def height(self) -> int:
        return (self.top != "") + self.hidden + len(self.below)


class Table:
    """One game on the table. `waits` is what for; `phase`, `player` and `pile` are those of the encoded state.

    `rules` counts how often each rule came up.
    """

    def __init__(self, deck: Any = RECONSTRUCTION) -> None:
        self.cards = {card["id"]: card for card in deck["cards"]}
        self.tiles = {tile["id"]: tile for tile in deck["tiles"]}
        self.place = {name: place for place, name in enumerate((*self.cards, *self.tiles))}
        self.rules: Counter[str] = Counter()
        self.phase, self.player, self.pile, self.round = 0, 0, -1, 1
        self.blue: tuple[list[str], list[str]] = (["widow"], ["widow"])
        self.dead = [0, 0]
        self.red: tuple[list[str], list[str]] = ([], [])
        self.reserved: tuple[list[str], list[str]] = ([], [])
        self.opened: tuple[list[str], list[str]] = ([], [])
        self.centre: list[str] = []
        self.piles = [Pile(12), Pile(12), Pile(11), Pile(11)]
        self.unseen = [card for card in self.cards for _ in range(self.cards[card]["count"]) if card != "widow"]
        self.unseen.append("widow")
        self.unseen.sort(key=self.place.__getitem__)
        self.waits = ""
        self._decider = 0
        self._legal: list[str] = []
        self._buried: set[str] = set()
        self._course = self._game()
        next(self._course)

    # whoever plays

    def legal(self, player: int) -> list[str]:
        return list(self._legal) if player == self._decider else []

    def act(self, action: str) -> None:
        assert action in self._legal
        self._send(action)

    def draw(self, indices: Sequence[int]) -> None:
        assert self.waits.startswith("draw ")
        self._send(indices)

    def encoded(self) -> tuple[Any, ...]:
        return (
            *(self.phase_player(), self.phase, self.pile, self.round),
            self._both(self.blue),
            tuple(self.dead),
            *(self._both(each) for each in (self.red, self.reserved, self.opened)),
            self._in_order(self.centre),
            tuple((pile.top, pile.hidden, tuple(pile.below)) for pile in self.piles),
            tuple(self.unseen),
        )

    def phase_player(self) -> int:
        return 1 if self.phase == 7 else self.player

    def scores(self) -> list[int]:
        return [
            sum(self.cards[card]["coins"] for card in self.red[player])
            + sum(self.tiles[tile]["value"] for tile in self.opened[player])
            for player in (0, 1)
        ]

    def winner(self) -> int | None:
        for one, other in (self.scores(), map(len, self.opened), map(len, self.red)):
            if one != other:
                return 0 if one > other else 1
        return None

    # waiting

    def _send(self, what: object) -> None:
        self._legal = []
        self._course.send(what)

    def _decide(self, phase: int, player: int, legal: list[str]) -> Course[str]:
        self.phase, self._decider, self._legal = phase, player, legal
        self.waits = f"turn {player}"
        action: str = yield
        return action

    def _draw(self, phase: int, bounds: Iterable[int]) -> Course[Sequence[int]]:
        self.phase = phase
        self.waits = f"draw {' '.join(map(str, bounds))}"
        indices: Sequence[int] = yield
        return indices

    # the game

    def _game(self) -> Course[None]:
        indices = yield from self._draw(0, [10, 9, 8, 7, 46, 45, 44, 43])
        box = [*self.tiles]
        self.centre = [box.pop(index) for index in indices[:4]]
        for pile, index in zip(self.piles, indices[4:], strict=True):
            pile.top = self.unseen.pop(index)
            pile.hidden -= 1
        for number in range(1, 41):
            self.round = number
            for player in (0, 1):
                early = player == 1 and not self._ends()
                self.player = player
                yield from self._turn()
                early = early and bool(self._ends())
            if ends := self._ends():
                self.rules[f"the end: {ends}"] += 1
                self.rules["the end comes at once" if early else "player 1 has one more turn"] += ends != "round 40"
                break
        self.phase = 7
        self.waits = "over"
        yield

    def _ends(self) -> str:
        if any(len(red) == 7 for red in self.red):
            return "seven red cards"
        if not self.centre:
            return "no tile in the centre"
        return "round 40" if self.round == 40 else ""

    def _turn(self) -> Course[None]:
        me = self.player
        action = yield from self._decide(1, me, self.actions())
        verb, _, rest = action.partition(":")
        what, _, names = rest.partition("=")
        paid = names.split("+") if names else []
        if verb == "take":
            yield from self._take(int(what) - 1)
        elif verb == "recruit":
            self._note_payment(self.cards[what]["cost"], paid, is_character=True)
            self.blue[me].remove(what)
            self._pay(paid)
            self.red[me].append(what)
            self.rules[f"{self.cards[what]['kind']} recruited"] += 1
            yield from self._power(self.cards[what]["kind"])
        else:
            if "cost" in self.tiles[what]:
                self._note_payment(self.tiles[what]["cost"], paid, is_character=False)
            self.rules["a reserved tile is opened"] += what in self.reserved[me]
            self.rules[f"{what} opened"] += 1
            self._pay(paid)
            (self.centre if what in self.centre else self.reserved[me]).remove(what)
            self.opened[me].append(what)

    def _power(self, kind: str) -> Course[None]:
        me, other = self.player, 1 - self.player
        if kind == "killer":
            victims = self._in_order(set(self.blue[other]))
            if not victims:
                self.rules["a killer finds nobody"] += 1
                return
            action = yield from self._decide(6, other, [f"discard:{card}" for card in victims])
            self._discard_one(other, action)
        elif kind == "dancer":
            action = yield from self._decide(4, me, self._takes())
            yield from self._take(int(action[-1]) - 1)
            # there are never too many then: the dancer herself has left a place
            assert self.phase != 3
        elif kind == "policeman":
            if not self.centre:
                self.rules["a policeman finds nothing"] += 1
                return
            tiles = self._in_order(self.centre)
            action = yield from self._decide(5, me, [f"reserve:{tile}" for tile in tiles])
            tile = action.partition(":")[2]
            self.centre.remove(tile)
            self.reserved[me].append(tile)

    def _take(self, number: int) -> Course[None]:
        me, pile = self.player, self.piles[number]
        card, pile.top = pile.top, ""
        self.blue[me].append(card)
        self.rules["a card is taken"] += 1
        self.rules["a discarded widow is taken"] += card == "widow" and "widow" in self._buried
        if pile.hidden:
            self.pile = number
            (index,) = yield from self._draw(2, [len(self.unseen)])
            self.pile = -1
            pile.top = self.unseen.pop(index)
            pile.hidden -= 1
        elif pile.below:
            pile.top = pile.below.pop(0)
            self.rules["a known card comes up"] += 1
        else:
            self.rules["a pile becomes empty"] += 1
        innkeepers = [each for each in self.red[me] if self.cards[each]["kind"] == "innkeeper"]
        lying = len(self.blue[me]) + self.dead[me]
        self.rules["every place is taken"] += lying == 5 + len(innkeepers)
        self.rules["an innkeeper gives a place"] += 5 < lying <= 5 + len(innkeepers)
        if lying > 5 + len(innkeepers):
            self.rules["too many cards"] += 1
            self.rules["a dead widow takes up a place"] += self.dead[me] > 0
            action = yield from self._decide(3, me, [f"discard:{each}" for each in self._in_order(set(self.blue[me]))])
            self.rules["the card just taken is discarded"] += action.partition(":")[2] == card
            self._discard_one(me, action)

    def _discard_one(self, player: int, action: str) -> None:
        card = action.partition(":")[2]
        self.blue[player].remove(card)
        if card == "widow":
            self.rules["a widow is discarded"] += 1
            self._buried.add(card)
        self._bury([card])

    def _pay(self, paid: Iterable[str]) -> None:
        me = self.player
        discarded = []
        for card in paid:
            self.blue[me].remove(card)
            if card == "widow":
                self.dead[me] += 1
            else:
                discarded.append(card)
        self._bury(discarded)

    def _bury(self, cards: list[str]) -> None:
        """Lay all cards under the smallest pile."""
        if not cards:
            return
        smallest = min(self.piles, key=Pile.height)  # the leftmost of equal ones
        smallest.below += self._in_order(cards)
        if not smallest.top:
            smallest.top = smallest.below.pop(0)
            self.rules["discarded cards fill an empty pile"] += 1

    # the actions

    def actions(self) -> list[str]:
        """Return what the player whose turn it is may do."""
        return [*self._takes(), *self._recruits(), *self._opens()]

    def _takes(self) -> list[str]:
        return [f"take:{number}" for number, pile in enumerate(self.piles, start=1) if pile.top]

    def _recruits(self) -> list[str]:
        me = self.player
        found = []
        for card in self._in_order(set(self.blue[me])):
            others = [*self.blue[me]]
            others.remove(card)
            found += _notations(f"recruit:{card}", self._payments(self.cards[card]["cost"], others, is_character=True))
        return found

    def _opens(self) -> list[str]:
        me = self.player
        found = []
        for name in self._in_order([*self.centre, *self.reserved[me]]):
            tile = self.tiles[name]
            if "cost" in tile:
                payments = self._payments(tile["cost"], self.blue[me], is_character=False)
                found += _notations(f"open:{name}", payments)
            elif self._is_met(tile["condition"]):
                found.append(f"open:{name}")
        return found

    def _is_met(self, condition: str) -> bool:
        me = self.player
        kinds = Counter(self.cards[card]["kind"] for card in (*self.blue[me], *self.red[me]))
        lying = len(self.blue[me]) + self.dead[me]
        match condition:
            case "identical 4":
                return max(kinds.values(), default=0) >= 4
            case "blue 6":
                return lying >= 6
            case "kinds 6":
                return len(kinds) >= 6
            case _:
                return bool(lying and self.red[me] and self.reserved[me] and self.opened[me])

    def _payments(self, cost: str, hand: Iterable[str], *, is_character: bool) -> list[tuple[str, ...]]:
        """Return every collection of blue cards that pays `cost`, and of which none could be left out."""
        hand = self._in_order(hand)
        found = {
            chosen
            for size in range(len(cost) + 1)
            for chosen in combinations(hand, size)
            if self._is_enough(cost, chosen, is_character)
            and not any(self._is_enough(cost, fewer, is_character) for fewer in _one_fewer(chosen))
        }
        return sorted(found, key=lambda chosen: [self.place[card] for card in chosen])

    def _is_enough(self, cost: str, chosen: Iterable[str], is_character: bool) -> bool:
        reds = [self.cards[card] for card in self.red[self.player]]
        croupiers = sum(card["kind"] == "croupier" for card in reds) if is_character else 0
        pairs = tuple(sorted({card["pair"] for card in reds if card["kind"] == "trader"}))
        have = [*(card["red"] for card in reds), *(self.cards[card]["blue"] for card in chosen)]
        letters = "".join(sorted("".join(have)))
        return any(_covers(reduced, letters, pairs) for reduced in _reduced(cost, croupiers))

    def _note_payment(self, cost: str, paid: Sequence[str], *, is_character: bool) -> None:
        """Count which rules the payment needed: those without which it would not have been one."""
        reds = [self.cards[card] for card in self.red[self.player]]
        croupiers = sum(card["kind"] == "croupier" for card in reds) if is_character else 0
        pairs = tuple(sorted({card["pair"] for card in reds if card["kind"] == "trader"}))
        blue = "".join(self.cards[card]["blue"] for card in paid)
        red = "".join(card["red"] for card in reds)

        def would_do(red: str = red, pairs: tuple[str, ...] = pairs, croupiers: int = croupiers) -> bool:
            letters = "".join(sorted(red + blue))
            return any(_covers(reduced, letters, pairs) for reduced in _reduced(cost, croupiers))

        assert would_do()
        once = "".join(card["red"][:1] for card in reds)
        self.rules["red cards pay everything"] += not paid
        self.rules["a card is paid"] += len(paid) == 1
        self.rules["several cards are paid"] += len(paid) > 1
        self.rules["a widow dies"] += "widow" in paid
        self.rules["a red widow pays"] += not would_do(red=red.replace("d", ""))
        self.rules["a sailor pays twice"] += not would_do(red=once)
        self.rules["a trader exchanges"] += not would_do(pairs=())
        self.rules["traders chain"] += len(pairs) > 1 and not any(would_do(pairs=(pair,)) for pair in ("", *pairs))
        self.rules["a croupier reduces"] += not would_do(croupiers=0)
        self.rules["a croupier has a choice"] += len(_reduced(cost, croupiers)) > 1

    # helpers

    def _in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=self.place.__getitem__))

    def _both(self, pair: tuple[list[str], list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self._in_order(pair[0]), self._in_order(pair[1])


def _notations(start: str, payments: Iterable[tuple[str, ...]]) -> list[str]:
    return [f"{start}={'+'.join(cards)}" if cards else start for cards in payments]


def _one_fewer(cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (cards[:at] + cards[at + 1 :] for at in range(len(cards)))


@cache
def _reduced(cost: str, croupiers: int) -> frozenset[str]:
    """Return every cost to which so many croupiers can reduce `cost`."""
    if croupiers == 0:
        return frozenset({cost})
    twice = {letter for letter in cost if cost.count(letter) >= 2}
    if not twice:
        return frozenset({cost})
    return frozenset().union(*(_reduced(cost.replace(letter, "", 1), croupiers - 1) for letter in twice))


@cache
def _covers(cost: str, have: str, pairs: tuple[str, ...]) -> bool:
    """Return whether the resources pay the cost: for one letter after the other, try everything that may stand for it.

    >>> _covers("am", "aw", ("aw", "wm"))
    True
    """
    if not cost:
        return True
    may_stand = _equal_to(cost[0], pairs) | {"d"}
    return any(
        _covers(cost[1:], have.replace(letter, "", 1), pairs) for letter in sorted(set(have)) if letter in may_stand
    )


def _equal_to(letter: str, pairs: Iterable[str]) -> set[str]:
    found = {letter}
    for _ in range(8):  # as long as a chain can be
        for pair in pairs:
            if found & {*pair}:
                found |= {*pair}
    return found
