"""Shanghaien's position, kept by hand from a replay's events: the rules page in its plainest form.

It shares no code with the package, so that what is shown can be tested against it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from p2p_shanghaien.games.api import Acted, Step, advance
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.rules import State

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.shrec"))

NATIONALITIES = {
    "A": "American",
    "F": "French",
    "G": "German",
    "C": "Chinese",
    "D": "Dutch",
    "T": "Turkish",
    "S": "Spanish",
    "I": "Italian",
}
TRICKS = {"p": "die +/-1", "b": "both dice", "r": "roll again", "w": "wild"}


class Ledger:
    """Fed with the events of a replay in their order; pairs are by player."""

    def __init__(self, players: dict[str, Any]) -> None:
        self.round = 0
        self.starter = 0
        self.row: list[str] = []
        self.left_is_one: bool | None = None
        self.rolled: list[int] = []
        self.placed: list[list[int]] = [[], []]
        self.crews: list[list[str]] = [[], []]
        extra = ["w"] if players["variant"] == "extra-wild" else []
        self.tricks: list[list[str]] = [list(extra), list(extra)]
        self.tricked = [False, False]
        self.unseen = [f"{n}{v}" for n in NATIONALITIES for v in (1, 2, 3, 3, 4)]
        self.unseen += [f"X{letter}" for letter, count in players["tricks"].items() for _ in range(count)]

    def feed(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "round":
                self.round, self.starter, self.row = event["round"], event["starter"], event["row"]
                self.left_is_one, self.placed, self.tricked = None, [[], []], [False, False]
                for card in self.row:
                    self.unseen.remove(card)
            case "dice":
                self.rolled = event["dice"]
            case "decision":
                self._act(event["player"], event["action"])
            case "distribution":
                for card, taker in zip(event["row"], event["taken_by"], strict=True):
                    if taker is not None and card[0] == "X":
                        self.tricks[taker].append(card[1])
                    elif taker is not None:
                        self.crews[taker].append(card)
                self.row, self.placed = [], [[], []]

    def _act(self, player: int, action: str) -> None:
        if action[-1] in "<>":
            self.left_is_one = action[-1] == "<"
        if action[0] == "-":
            self.placed[player].append(int(action[1]))
            self.rolled = []
        elif action[0] == "!":
            self.tricks[player].remove(action[1])
            self.tricked[player] = True
            if "=" in action:
                self.crews[player].append(action[3] + action[1])
            elif action[1] == "b":
                self.placed[player] += self.rolled
                self.rolled = []
            elif action[1] == "r":
                self.rolled = []
            else:
                die = int(action[3])
                self.rolled[self.rolled.index(die)] += 1 if action[2] == "+" else -1

    def numbers(self) -> list[int]:
        """Return the numbers of the cards from left to right, with number 1 at the left while that is open."""
        return [6, 5, 4, 3, 2, 1] if self.left_is_one is False else [1, 2, 3, 4, 5, 6]

    def marks(self, player: int, nationality: str) -> str:
        return "".join(sorted(card[1] for card in self.crews[player] if card[0] == nationality))

    def strength(self, player: int, nationality: str) -> int:
        return sum(int(mark) if mark.isdigit() else 2 for mark in self.marks(player, nationality))

    def points(self, player: int, nationality: str) -> int:
        own, other = self.strength(player, nationality), self.strength(1 - player, nationality)
        if own == 0 or own == other:
            return 0
        return own if other == 0 else min(own, other) if own > other else 0

    def total(self, player: int) -> int:
        return len(self.tricks[player]) + sum(self.points(player, n) for n in NATIONALITIES)


class Moment(NamedTuple):
    """A step of a record, the ledger as it stands behind it, and the events that made it so."""

    before: State
    step: Step
    after: State
    ledger: Ledger
    events: list[dict[str, Any]]


def load(path: Path) -> Record:
    return read(path.read_bytes(), RULES)


def moments(path: Path) -> Iterator[Moment]:
    """Yield a record's steps, each with the events that the replay beside it has for it."""
    lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    waiting = [json.loads(line) for line in lines]
    ledger = Ledger(waiting.pop(0))
    record = load(path)
    state = record.game.start()
    for step in record.steps:
        after = advance(state, step)
        events = [waiting.pop(0)]
        while isinstance(step, Acted) and waiting and waiting[0]["event"] in ("distribution", "result"):
            events.append(waiting.pop(0))
        for event in events:
            ledger.feed(event)
        yield Moment(state, step, after, ledger, events)
        state = after
