"""Shanghaien as two people play it at a table, straight from the rules: cards and dice in lists, nothing clever.

It shares no code with the package, so the package can be tested against it.
"""

from collections.abc import Sequence

NATIONALITIES = "AFGCDTSI"


def beside(own: Sequence[int], number: int) -> int:
    """Return one player's dice on the cards next to a number, added up."""
    return sum(die for die in own if abs(die - number) == 1)


def takers(dice: Sequence[Sequence[int]]) -> list[int | None]:
    """Return who takes each of the six cards, number 1 first; `dice` are the numbers of the dice that each player
    placed.
    """
    result: list[int | None] = []
    for number in range(1, 7):
        here = [list(own).count(number) for own in dice]
        sums = [beside(own, number) for own in dice]
        if here[0] != here[1]:
            result.append(0 if here[0] > here[1] else 1)
        elif here[0] == 0 or sums[0] == sums[1]:
            result.append(None)
        else:
            result.append(0 if sums[0] > sums[1] else 1)
    return result


def worth(card: str) -> int:
    """Return a sailor's value; a joker (its second character is the trick's letter) counts 2."""
    return int(card[1]) if card[1] in "1234" else 2


def points(crews: Sequence[Sequence[str]], tricks: Sequence[Sequence[str]]) -> list[int]:
    """Return both players' final scores."""
    result = [len(tricks[0]), len(tricks[1])]
    for nationality in NATIONALITIES:
        first, second = (sum(worth(card) for card in crew if card[0] == nationality) for crew in crews)
        if first == 0 or second == 0:
            result[0] += first
            result[1] += second
        elif first > second:
            result[0] += second
        elif second > first:
            result[1] += first
    return result


class Table:
    """One game on the table. `stage` is row, turn, dice, rolled, reroll, place or over."""

    def __init__(self, trick_cards: str, wild: bool) -> None:
        self.pile = [n + value for n in NATIONALITIES for value in "12334"] + [f"X{letter}" for letter in trick_cards]
        self.gone: list[str] = []
        self.hands: list[list[str]] = [["w"], ["w"]] if wild else [[], []]
        self.crews: list[list[str]] = [[], []]
        self.round = 1
        self.starter = 0
        self.player = 0
        self.stage = "row"
        self._clear()

    def _clear(self) -> None:
        self.row: list[str] = []
        self.first_end = ""
        self.dice: list[list[int]] = [[], []]
        self.rolled: list[int] = []
        self.has_tricked = [False, False]

    def cards(self) -> list[str]:
        """Return every card there is, wherever it lies, as it was printed."""
        crews = [card if card[1].isdigit() else f"X{card[1]}" for crew in self.crews for card in crew]
        return [*self.pile, *self.row, *self.gone, *crews, *(f"X{letter}" for hand in self.hands for letter in hand)]

    def supply(self, player: int) -> int:
        """Dice neither placed nor just rolled."""
        return 6 - len(self.dice[player]) - (len(self.rolled) if player == self.player else 0)

    def legal(self, player: int) -> set[str]:
        """Return what `player` may do now."""
        if player != self.player:
            return set()
        if self.stage == "turn":
            may_roll = {"roll"} if self.supply(player) >= 2 else set()
            return may_roll | ({"#"} if len(self.dice[player]) >= 2 else set())
        if self.stage not in ("rolled", "place"):
            return set()
        ends = [""] if self.first_end else ["<", ">"]
        actions = {f"-{die}{end}" for die in self.rolled for end in ends}
        if self.stage == "rolled" and not self.has_tricked[player]:
            for trick in self.hands[player]:
                actions |= {f"!{trick}={sailor[0]}" for sailor in self.crews[player] if sailor[1].isdigit()}
                if trick == "p":
                    actions |= {f"!p+{die}" for die in self.rolled if die + 1 <= 6}
                    actions |= {f"!p-{die}" for die in self.rolled if die - 1 >= 1}
                if trick == "b":
                    actions |= {f"!b{end}" for end in ends}
                if trick == "r":
                    actions.add("!r")
        return actions

    def draw(self, indices: Sequence[int]) -> None:
        """Six cards for the row, each index counting the cards that are left; or two dice."""
        if self.stage == "row":
            self.row = [self.pile.pop(index) for index in indices]
            self.stage = "turn"
        else:
            self.rolled = sorted(index + 1 for index in indices)
            self.stage = "rolled" if self.stage == "dice" else "place"

    def act(self, action: str) -> None:
        """Do a legal action."""
        me = self.player
        if action == "roll":
            self.stage = "dice"
        elif action == "#":
            self._shanghai()
        elif action[0] == "-":
            self._place([int(action[1])], action[2:])
        else:
            trick = action[1]
            self.has_tricked[me] = True
            self.hands[me].remove(trick)
            self.stage = "place"
            if action[2:3] == "=":
                self.crews[me].append(action[3] + trick)
                return
            self.gone.append(f"X{trick}")
            if trick == "p":
                die = int(action[3])
                self.rolled.remove(die)
                self.rolled = sorted([*self.rolled, die + 1 if action[2] == "+" else die - 1])
            elif trick == "b":
                self._place(self.rolled, action[2:])
            else:
                self.rolled = []
                self.stage = "reroll"

    def _place(self, dice: Sequence[int], end: str) -> None:
        self.dice[self.player] += dice
        self.rolled = []
        self.first_end = self.first_end or end
        self.player = 1 - self.player
        self.stage = "turn"

    def _shanghai(self) -> None:
        by_number = self.row if self.first_end == "<" else self.row[::-1]
        for card, taker in zip(by_number, takers(self.dice), strict=True):
            if taker is None:
                self.gone.append(card)
            elif card[0] == "X":
                self.hands[taker].append(card[1])
            else:
                self.crews[taker].append(card)
        caller = self.player
        self._clear()
        if self.round == 8:
            self.stage = "over"
        else:
            self.round += 1
            self.stage = "row"
            self.player = self.starter = 1 - caller
