"""Shanghaien, written from protocol/SPEC.md, section 12, alone; it shares nothing with the package."""

from collections.abc import Sequence
from typing import Any

NATIONS = "AFGCDTSI"
ROW, TURN, DICE, ROLLED, REROLL, PLACE, OVER = range(7)


class Impossible(Exception):
    """An action that the rules do not allow."""


def settings_are_proper(settings: Sequence[Sequence[str]]) -> bool:
    """12.1: all settings, in order, spelled canonically."""
    if [name for name, _ in settings] != ["variant", "tricks"]:
        return False
    variant, tricks = (value for _, value in settings)
    counts = [int(digit) for digit in tricks if digit.isascii() and digit.isdigit()]
    spelled = " ".join(f"{letter}{count}" for letter, count in zip("pbr", counts, strict=False))
    return variant in ("standard", "extra-wild") and len(counts) == 3 and sum(counts) == 8 and tricks == spelled


def _order(card: str) -> tuple[int, bool, str]:
    return NATIONS.index(card[0]), not card[1].isdigit(), card[1]


class Table:
    """A game under way. It changes as it goes on; `value` gives the state of 12.4."""

    def __init__(self, settings: Sequence[Sequence[str]]) -> None:
        variant, tricks = (value for _, value in settings)
        self.pile = [f"{nation}{value}" for nation in NATIONS for value in "12334"]
        self.pile += [f"X{part[0]}" for part in tricks.split() for _ in range(int(part[1]))]
        self.player, self.phase, self.round, self.starter = 0, ROW, 1, 0
        self.dice: list[int] = []
        self.tricks = ["w", "w"] if variant == "extra-wild" else ["", ""]
        self.crews: list[list[str]] = [[], []]
        self._clear()

    def _clear(self) -> None:
        self.row: list[str] = []
        self.direction = ""
        self.placed = [[0] * 6, [0] * 6]
        self.tricked = [False, False]

    def value(self) -> list[Any]:
        """12.4"""
        return [
            self.player,
            self.phase,
            self.dice,
            self.direction,
            self.placed,
            self.tricked,
            self.tricks,
            self.crews,
            self.round,
            self.starter,
            self.row,
            self.pile,
        ]

    def waits_for(self) -> str:
        """5.3: "draw", "action" or "end"."""
        return "end" if self.phase == OVER else "draw" if self.bounds() else "action"

    def bounds(self) -> list[int] | None:
        """12.5: the bounds of the draw that is waited for, None where none is."""
        if self.phase in (DICE, REROLL):
            return [6, 6]
        return [len(self.pile) - taken for taken in range(6)] if self.phase == ROW else None

    def draw(self, indices: Sequence[int]) -> None:
        """12.5"""
        if self.phase == ROW:
            self.row = [self.pile.pop(index) for index in indices]
            self.phase = TURN
        else:
            self.dice = sorted(index + 1 for index in indices)
            self.phase = ROLLED if self.phase == DICE else PLACE

    def legal(self, player: int) -> set[str]:
        """12.3 and 12.6"""
        me = self.player
        if player != me:
            return set()
        if self.phase == TURN:
            used = sum(self.placed[me])
            return ({"roll"} if used <= 4 else set()) | ({"#"} if used >= 2 else set())
        if self.phase not in (ROLLED, PLACE):
            return set()
        ends = [""] if self.direction else ["<", ">"]
        open_actions = {f"-{die}{end}" for die in self.dice for end in ends}
        if self.phase == PLACE or self.tricked[me]:
            return open_actions
        for trick in self.tricks[me]:
            open_actions |= {f"!{trick}={card[0]}" for card in self.crews[me]}
            if trick == "p":
                open_actions |= {f"!p+{die}" for die in self.dice if die < 6}
                open_actions |= {f"!p-{die}" for die in self.dice if die > 1}
            if trick == "b":
                open_actions |= {f"!b{end}" for end in ends}
            if trick == "r":
                open_actions.add("!r")
        return open_actions

    def act(self, action: str) -> None:
        """12.3"""
        if action not in self.legal(self.player):
            raise Impossible(action)
        if action == "roll":
            self.phase = DICE
        elif action == "#":
            self._shanghai()
        elif action[0] == "-":
            self._place([int(action[1])], action[2:])
        else:
            self._trick(action[1], action[2:])

    def _place(self, dice: Sequence[int], end: str) -> None:
        for die in dice:
            self.placed[self.player][die - 1] += 1
        self.direction = end or self.direction
        self.player, self.phase, self.dice = 1 - self.player, TURN, []

    def _trick(self, letter: str, use: str) -> None:
        me = self.player
        self.tricks[me] = self.tricks[me].replace(letter, "", 1)
        self.tricked[me] = True
        self.phase = PLACE
        if use.startswith("="):
            self.crews[me] = sorted([*self.crews[me], use[1] + letter], key=_order)
        elif letter == "b":
            self._place(self.dice, use)
        elif letter == "r":
            self.phase, self.dice = REROLL, []
        else:
            self.dice.remove(int(use[1]))
            self.dice = sorted([*self.dice, int(use[1]) + (1 if use[0] == "+" else -1)])

    def _shanghai(self) -> None:
        cards = self.row[::-1] if self.direction == ">" else self.row
        for number, card in enumerate(cards, start=1):
            taker = self._taker(number)
            if taker is None:
                continue
            if card[0] == "X":
                self.tricks[taker] = "".join(sorted(self.tricks[taker] + card[1]))
            else:
                self.crews[taker] = sorted([*self.crews[taker], card], key=_order)
        self._clear()
        if self.round == 8:
            self.phase = OVER
        else:
            self.player = self.starter = 1 - self.player
            self.round, self.phase = self.round + 1, ROW

    def _taker(self, number: int) -> int | None:
        def around(player: int) -> int:
            return sum(n * self.placed[player][n - 1] for n in (number - 1, number + 1) if 1 <= n <= 6)

        first, second = ((self.placed[player][number - 1], around(player)) for player in (0, 1))
        if first == second or first[0] == second[0] == 0:
            return None
        return int(second > first)

    def scores(self) -> list[int]:
        """12.3, at the end; by player."""
        strengths = [
            {n: sum(int(c[1]) if c[1].isdigit() else 2 for c in crew if c[0] == n) for n in NATIONS}
            for crew in self.crews
        ]
        points = [len(self.tricks[0]), len(self.tricks[1])]
        for nation in NATIONS:
            mine, theirs = strengths[0][nation], strengths[1][nation]
            if not mine or not theirs:
                points[0] += mine
                points[1] += theirs
            elif mine != theirs:
                points[0 if mine > theirs else 1] += min(mine, theirs)
        return points
