"""Halunken & Spelunken as two people play it at a table, straight from the rules: a game is played from its first line
to its last, and stops wherever somebody has to decide or something has to be drawn.

It shares no code with the package, so the package can be tested against it.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Course: TypeAlias = Generator[None, Any, T]
"""A part of the game. It stops at each decision and draw, and is sent what was decided or drawn."""

SPACES = 14
ROUNDS = 8
CARDS = "1234567r"
RUM = "r"
COLOURS = {"r": (4, 5, 6, 7, 8, 9, 10, 11, 15), "v": (*range(3, 12), 14), "g": (*range(2, 12), 13), "y": range(1, 13)}
"""The values of the rogues of each colour, the weakest colour first."""
DECK = [f"{colour}{value}" for colour, values in COLOURS.items() for value in values]
CAPTAINS = (0, 1)
JACK = 2
"""Beside the players, the owner of the third set of cards."""


def value(rogue: str) -> int:
    return int(rogue[1:])


def strength(rogue: str) -> tuple[int, int]:
    """The higher value is stronger; of equal values yellow, grey, violet, red."""
    return value(rogue), list(COLOURS).index(rogue[0])


def in_order(rogues: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(rogues, key=DECK.index))


def after(space: int, steps: int) -> int:
    return (space + steps - 1) % SPACES + 1


def steps_to(start: int, space: int) -> int:
    """Return how many steps clockwise lead from one space to another one."""
    return (space - start) % SPACES


def points(crew: Sequence[str]) -> int:
    """Return all values, and once more those of the colour with most rogues: of several such colours, the best one."""
    sizes = Counter(rogue[0] for rogue in crew)
    most = max(sizes.values(), default=0)
    doubled = [sum(value(rogue) for rogue in crew if rogue[0] == colour) for colour in COLOURS if sizes[colour] == most]
    return sum(map(value, crew)) + max(doubled)


class Table:
    """One game on the table. `waits` is what for, `phase` and `player` are those of the encoded state.

    `rules` counts how often each rule came up.
    """

    def __init__(self, blackjack: bool = True, hands: int = 1, may: bool = False) -> None:
        self.blackjack = blackjack
        self.hands = hands
        self.may = may
        self.scores = [0, 0]
        self.rules: Counter[str] = Counter()
        self.waits = ""
        self.phase = self.player = 0
        self._legal: list[list[str]] = [[], []]
        self._course = self._game()
        next(self._course)

    # whoever plays

    def legal(self, player: int) -> set[str]:
        return set(self._legal[player])

    def act(self, action: str) -> None:
        self._course.send(action)

    def choose(self, one: str, other: str) -> None:
        self._course.send((one, other))

    def draw(self, indices: Sequence[int]) -> None:
        self._course.send(indices)

    def crew(self, player: int) -> tuple[str, ...]:
        return in_order(self.crews[player])

    def encoded(self) -> tuple[Any, ...]:
        return (
            self.phase,
            self.player,
            self.hand,
            self.round,
            self.opener,
            self.bid,
            self.hirer,
            tuple(self.shown),
            tuple(self.numbers),
            tuple(self.captains),
            self.jack,
            tuple("".join(cards) for cards in self.cards),
            (self.crew(0), self.crew(1)),
            in_order(self.boat),
            tuple(self.tops[1:]),
            tuple(self.left[1:]),
            tuple(self.pile),
            tuple(self.scores),
            (self.blackjack, self.hands, self.may),
        )

    # waiting

    def _turn(self, phase: int, player: int, actions: Iterable[str]) -> Course[str]:
        """Ask a player what to do."""
        self.phase, self.player, self.waits = phase, player, f"turn {player}"
        self._legal[player] = list(actions)
        action: str = yield
        assert action in self._legal[player]
        self._legal[player] = []
        return action

    def _choices(self) -> Course[tuple[str, str]]:
        """Ask both players for their cards, the hirer for one of Black Jack's as well."""
        self.phase, self.player, self.waits = 4, 0, "simultaneous"
        self._legal = [list(self.cards[0]), list(self.cards[1])]
        if self.hirer is not None:
            own = self._legal[self.hirer]
            self._legal[self.hirer] = [f"{card}+{his}" for card in own for his in self.cards[JACK]]
        one, other = yield
        assert one in self._legal[0]
        assert other in self._legal[1]
        self._legal = [[], []]
        return one, other

    def _draw(self, phase: int, player: int, bounds: Iterable[int]) -> Course[Sequence[int]]:
        self.phase, self.player, self.waits = phase, player, "draw " + " ".join(map(str, bounds))
        indices: Sequence[int] = yield
        return indices

    def _rogues(self, phase: int, player: int, number: int) -> Course[list[str]]:
        """Turn up rogues: they are drawn out of all that nobody has seen."""
        indices = yield from self._draw(phase, player, (len(self.pile) - i for i in range(number)))
        assert len(indices) == number
        return [self.pile.pop(index) for index in indices]

    # the game

    def _game(self) -> Course[None]:
        for hand in range(1, self.hands + 1):
            self.hand = hand
            yield from self._set_up(first=0 if hand in (1, 3) else 1)
            for round_ in range(1, ROUNDS + 1):
                self.round = round_
                yield from self._play_round()
            self._score()
        self.phase, self.player, self.waits = 14, 0, "over"
        if self.scores[0] == self.scores[1]:
            self._note("a draw")
        if self.hands == 3:
            self._note("three hands are added up")
        yield

    def _set_up(self, first: int) -> Course[None]:
        self.round = 0
        self.opener: int | None = None
        self.captains = [0, 0]
        self.jack = 0
        self.cards = [list(CARDS), list(CARDS), list(CARDS if self.blackjack else "")]
        self.crews: list[list[str]] = [[], []]
        self.boat: list[str] = []
        self.pile = list(DECK)
        # by the number of the space: nothing is at 0
        self.tops = [""] * (SPACES + 1)
        self.left = [0] + [3] * SPACES
        self._forget_the_round()

        second = 1 - first
        yield from self._place_captain(first)
        (rogue,) = yield from self._rogues(1, first, 1)
        self._begin_crew(first, rogue)
        yield from self._place_captain(second)
        rogue, *tops = yield from self._rogues(1, second, 1 + SPACES)
        self._begin_crew(second, rogue)
        self.tops[1:] = tops
        if self.blackjack:
            strengths = [strength(crew[0]) for crew in self.crews]
            self.opener = strengths.index(max(strengths))
            if value(self.crews[0][0]) == value(self.crews[1][0]):
                self._note("first rogues of equal value")
            self.jack = yield from self._place(2, 1 - self.opener)

    def _place_captain(self, player: int) -> Course[None]:
        self.captains[player] = yield from self._place(0, player)

    def _place(self, phase: int, player: int) -> Course[int]:
        free = [space for space in range(1, SPACES + 1) if self._free(space)]
        action = yield from self._turn(phase, player, (f"at:{space}" for space in free))
        return int(action.removeprefix("at:"))

    def _begin_crew(self, player: int, rogue: str) -> None:
        self.crews[player].append(rogue)
        self.left[self.captains[player]] -= 1

    def _free(self, space: int) -> bool:
        return space not in (*self.captains, self.jack)

    def _next_free(self, space: int) -> int:
        return next(further for steps in count(1) if self._free(further := after(space, steps)))

    def _forget_the_round(self) -> None:
        self.bid = ""
        self.hirer: int | None = None
        self.shown = ["", "", ""]
        self.numbers = [0, 0, 0]

    def _play_round(self) -> Course[None]:
        if self.blackjack:
            yield from self._auction()
        yield from self._show_cards()
        if self.shown[0] == self.shown[1]:
            yield from self._cancelled()
        else:
            yield from self._name_number()
            for player in sorted(CAPTAINS, key=lambda player: self.numbers[player]):
                yield from self._move_captain(player)
        if self.blackjack:
            yield from self._move_jack()
        self._forget_the_round()

    # the auction

    def _auction(self) -> Course[None]:
        assert self.opener is not None
        opener = player = self.opener
        bids = [0, 0]
        passed = False
        while True:
            higher = [rogue for rogue in self.crew(player) if not self.bid or value(rogue) > value(self.bid)]
            if not higher:
                self._note("a player can only pass")
            action = yield from self._turn(3, player, [*(f"bid:{rogue}" for rogue in higher), "pass"])
            if action == "pass":
                if self.bid:
                    self._hire(1 - player)
                    return
                if passed:
                    self._note("both pass")
                    return
                passed = True
            else:
                if self.bid:
                    self._note("a bid is outbid")
                self.bid = action.removeprefix("bid:")
                bids[player] += 1
                if bids[player] == 2:
                    self._note("a player bids twice")
                if passed:
                    assert player != opener
                    self._note("the opener passes, the other hires")
                    self._hire(player)
                    return
            player = 1 - player

    def _hire(self, hirer: int) -> None:
        self.crews[hirer].remove(self.bid)
        self.boat.append(self.bid)
        self.paid = self.bid
        self._note("hired")
        if not self.crews[hirer]:
            self._note("hired with the last rogue")
        if self.opener != hirer:
            self._note("the next opener changes")
        self.bid = ""
        self.hirer = self.opener = hirer

    # cards

    def _show_cards(self) -> Course[None]:
        choices = yield from self._choices()
        for player, choice in enumerate(choices):
            card, _, his = choice.partition("+")
            self._show(player, card)
            if his:
                self._show(JACK, his)
        if self.shown[JACK] and self.shown[JACK] in self.shown[:2]:
            self._note("Black Jack's card equals a captain's")
        if self.shown[0] == self.shown[1]:
            self._note("rum and rum cancel" if self.shown[0] == RUM else "equal numbers cancel")
            self.numbers[:2] = [0, 0]

    def _show(self, owner: int, card: str) -> None:
        self.cards[owner].remove(card)
        self.shown[owner] = card
        if card != RUM:
            self.numbers[owner] = int(card)

    def _cancelled(self) -> Course[None]:
        """Nobody moves; each takes the rogue where the own captain stands."""
        emptied = [self._take_top(player) for player in CAPTAINS]
        if not all(emptied):
            self._note("an empty den under a captain who does not move")
        dens = [self.captains[player] for player in CAPTAINS if emptied[player] and self.left[self.captains[player]]]
        yield from self._turn_up(0, dens)

    def _name_number(self) -> Course[None]:
        if RUM not in self.shown[:2]:
            return
        player = self.shown.index(RUM)
        taken = self.numbers[1 - player]
        action = yield from self._turn(5, player, (f"={number}" for number in range(1, 8) if number != taken))
        self.numbers[player] = int(action.removeprefix("="))
        self._note("rum names a lower number" if self.numbers[player] < taken else "rum names a higher number")

    # captains

    def _take_top(self, player: int) -> bool:
        """Take the top rogue of the den where the captain stands; return whether there was one."""
        den = self.captains[player]
        if not self.left[den]:
            self._note("an empty den")
            return False
        self.crews[player].append(self.tops[den])
        self.tops[den] = ""
        self.left[den] -= 1
        if not self.left[den]:
            self._note("the last rogue of a den")
        return True

    def _turn_up(self, player: int, dens: Sequence[int]) -> Course[None]:
        if dens:
            rogues = yield from self._rogues(6, player, len(dens))
            for den, rogue in zip(dens, rogues, strict=True):
                self.tops[den] = rogue

    def _move_captain(self, player: int) -> Course[None]:
        other = 1 - player
        start, number = self.captains[player], self.numbers[player]
        if steps_to(start, self.captains[other]) < number:
            self._note("a captain passes the other one")
        if self.blackjack and steps_to(start, self.jack) < number:
            self._note("a captain passes Black Jack")
        space = self.captains[player] = after(start, number)
        if self._take_top(player):
            yield from self._turn_up(player, [space] if self.left[space] else [])
        if space == self.captains[other]:
            yield from self._rob_captain(player)
            self.captains[other] = self._next_free(space)
            self._note("a captain is displaced")
            if self.captains[other] != after(space, 1):
                self._note("a captain is displaced past Black Jack")
            if number < self.numbers[other]:
                self._note("a captain is displaced before moving")
        elif space == self.jack:
            yield from self._rob_at_jack(player)
            self.jack = self._next_free(space)
            self._note("Black Jack is displaced")
            if self.jack != after(space, 1):
                self._note("Black Jack is displaced past a captain")

    def _may_rob(self, thief: int, victim: int) -> bool:
        return 0 < len(self.crews[victim]) >= len(self.crews[thief])

    def _takes(self, player: int) -> list[str]:
        return [f"take:{rogue}" for rogue in self.crew(player)]

    def _leaves(self) -> list[str]:
        return ["leave"] if self.may else []

    def _give(self, rogue: str, giver: list[str], taker: list[str]) -> None:
        giver.remove(rogue)
        taker.append(rogue)

    def _rob_captain(self, player: int) -> Course[None]:
        victim = 1 - player
        if not self._may_rob(player, victim):
            self._note("no theft from a smaller crew" if self.crews[player] else "no theft, neither has a rogue")
            return
        action = yield from self._turn(7, player, [*self._takes(victim), *self._leaves()])
        if action == "leave":
            self._note("theft from a captain declined")
            return
        self._give(action.removeprefix("take:"), self.crews[victim], self.crews[player])
        self._note("theft from a captain")
        if not self.crews[victim]:
            self._note("theft of a captain's last rogue")

    def _rob_at_jack(self, player: int) -> Course[None]:
        other = 1 - player
        hired_by_other = self.hirer == other
        may_rob_hirer = hired_by_other and self._may_rob(player, other)
        if hired_by_other and self.crews[other] and not may_rob_hirer:
            self._note("the hirer has fewer rogues than the thief")
        if self.hirer == player:
            self._note("the hirer's own captain on Black Jack")
        takes = [f"take:{rogue}" for rogue in in_order(self.boat)]
        if may_rob_hirer:
            takes += self._takes(other)
        if not takes:
            self._note("nothing to take on Black Jack")
            return
        action = yield from self._turn(8, player, [*takes, "leave"])
        if action == "leave":
            self._note("theft on Black Jack declined")
            return
        rogue = action.removeprefix("take:")
        if rogue in self.boat:
            self._note("theft from the boat")
            if self.hirer == player and rogue == self.paid:
                self._note("the hirer takes the bid back")
            if len(self.crews[player]) > len(self.crews[other]):
                self._note("theft from the boat by the larger crew")
            self._give(rogue, self.boat, self.crews[player])
        else:
            self._note("theft from the hirer")
            self._give(rogue, self.crews[other], self.crews[player])

    # Black Jack

    def _move_jack(self) -> Course[None]:
        if self.hirer is None:
            (index,) = yield from self._draw(9, 0, [len(self.cards[JACK])])
            self._note("Black Jack's card is drawn")
            self._show(JACK, self.cards[JACK][index])
            if self.shown[JACK] == RUM:
                (index,) = yield from self._draw(11, 0, [7])
                self.numbers[JACK] = index + 1
                self._note("the number of his rum is drawn")
        elif self.shown[JACK] == RUM:
            action = yield from self._turn(10, self.hirer, (f"J={number}" for number in range(1, 8)))
            self.numbers[JACK] = int(action.removeprefix("J="))
            self._note("the hirer names the number of his rum")

        number = self.numbers[JACK]
        met = [
            captain
            for steps in range(1, number + 1)
            for captain in CAPTAINS
            if self.captains[captain] == after(self.jack, steps)
        ]
        if not met:
            self._note("Black Jack meets nobody")
        if len(met) == 2 and self.hirer is None:
            self._note("not hired, he meets both")
        goal = after(self.jack, number)
        for captain in met:
            if self.captains[captain] == goal and captain != self.hirer:
                self._note("not hired, he reaches a captain" if self.hirer is None else "hired, he reaches a captain")
            if self.hirer is None:
                yield from self._lose(captain)
            elif captain == self.hirer:
                self._note("he meets his hirer's captain")
            else:
                yield from self._rob_by_jack(self.hirer, captain)
        # he leaves his space only now, and cannot come as far as to that again
        self.jack = 0
        if goal in self.captains:
            self._note("he is put on the next free space")
            self.jack = self._next_free(goal)
            if self.jack != after(goal, 1):
                self._note("he is put past the second captain")
        else:
            self.jack = goal

    def _lose(self, player: int) -> Course[None]:
        if not self.crews[player]:
            self._note("no rogue to lose")
            return
        action = yield from self._turn(13, player, (f"lose:{rogue}" for rogue in self.crew(player)))
        self._give(action.removeprefix("lose:"), self.crews[player], self.boat)
        self._note("a rogue is lost" if self.crews[player] else "the last rogue is lost")

    def _rob_by_jack(self, hirer: int, victim: int) -> Course[None]:
        if not self._may_rob(hirer, victim):
            self._note("he may not rob a smaller crew" if self.crews[victim] else "he meets a captain without rogues")
            return
        action = yield from self._turn(12, hirer, [*self._takes(victim), *self._leaves()])
        if action == "leave":
            self._note("theft by Black Jack declined")
            return
        if not self.crews[hirer]:
            self._note("theft for a hirer without rogues")
        self._give(action.removeprefix("take:"), self.crews[victim], self.crews[hirer])
        self._note("theft by Black Jack")
        if not self.crews[victim]:
            self._note("theft of the last rogue by Black Jack")

    # the end

    def _score(self) -> None:
        for player in CAPTAINS:
            crew = self.crews[player]
            self.scores[player] += points(crew)
            sizes = Counter(rogue[0] for rogue in crew)
            if not crew:
                self._note("an empty crew is scored")
            elif list(sizes.values()).count(max(sizes.values())) > 1:
                self._note("several colours have most rogues")

    def _note(self, rule: str) -> None:
        self.rules[rule] += 1


RULES = (
    "first rogues of equal value",
    "a player can only pass",
    "both pass",
    "hired",
    "the opener passes, the other hires",
    "a bid is outbid",
    "a player bids twice",
    "hired with the last rogue",
    "the next opener changes",
    "Black Jack's card equals a captain's",
    "equal numbers cancel",
    "rum and rum cancel",
    "rum names a lower number",
    "rum names a higher number",
    "the last rogue of a den",
    "an empty den",
    "an empty den under a captain who does not move",
    "a captain passes the other one",
    "a captain passes Black Jack",
    "no theft from a smaller crew",
    "no theft, neither has a rogue",
    "theft from a captain declined",
    "theft from a captain",
    "theft of a captain's last rogue",
    "a captain is displaced",
    "a captain is displaced past Black Jack",
    "a captain is displaced before moving",
    "the hirer has fewer rogues than the thief",
    "theft on Black Jack declined",
    "theft from the boat",
    "the hirer takes the bid back",
    "theft from the boat by the larger crew",
    "theft from the hirer",
    "nothing to take on Black Jack",
    "the hirer's own captain on Black Jack",
    "Black Jack is displaced",
    "Black Jack is displaced past a captain",
    "Black Jack's card is drawn",
    "the number of his rum is drawn",
    "the hirer names the number of his rum",
    "he is put on the next free space",
    "he is put past the second captain",
    "Black Jack meets nobody",
    "not hired, he meets both",
    "not hired, he reaches a captain",
    "no rogue to lose",
    "a rogue is lost",
    "the last rogue is lost",
    "he meets his hirer's captain",
    "he meets a captain without rogues",
    "he may not rob a smaller crew",
    "hired, he reaches a captain",
    "theft by Black Jack declined",
    "theft by Black Jack",
    "theft for a hirer without rogues",
    "theft of the last rogue by Black Jack",
    "several colours have most rogues",
    "an empty crew is scored",
    "a draw",
    "three hands are added up",
)
"""Everything that `Table.rules` counts."""
