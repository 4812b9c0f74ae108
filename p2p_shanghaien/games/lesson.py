"""Lessons: a guided game in which each rule is told when it first matters.

A lesson is data. Its course is the move text of a record (protocol/RECORD.md), which fixes the luck, what the learner
is asked to do and what the computer does, with a note at each place at which something is told. The sentences are in
the game's words, by the name of their note:

- `lesson_NAME` tells a rule, or what the computer has done and why: two sentences at most;
- `lesson_NAME_do` asks the learner for the next action; beside it, the first may be missing;
- `lesson_not_NAME` explains an action that the lesson does not ask for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from p2p_shanghaien.games.api import Action, Game, RecordReader, S, Step, Token, action_of, advance, deciders

__all__ = ["Lesson", "Note", "Page", "Progress", "Script", "Skip"]


class Note(NamedTuple):
    """A place at which something is told, by its name.

    If the learner decides next, `mistakes` has the explanations of other actions: NAME of `lesson_not_NAME`, by what
    their notation begins with. The longest beginning counts; an action without any gets a general answer.
    """

    name: str
    mistakes: Mapping[str, str] = {}


class Skip(NamedTuple):
    """Move text that is not shown: the table is laid out as it is after it."""

    text: str


class Page(NamedTuple):
    """The contents of a note, the `number`th of `total`, as codes without the game's name.

    `rule` may have no sentence; `task` is None where the learner has nothing to do but to go on.
    """

    number: int
    total: int
    rule: str
    task: str | None


class Progress(NamedTuple):
    """The number of notes of a lesson that have been dealt with, and of all that it has."""

    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The lesson of a game.

    `course` is move text with notes in it: its strings, joined as they are, are those of a record. A note may stand
    wherever a record may stop. Each decision of the learner, who is `player`, has a note just before it.
    """

    course: Sequence[str | Note | Skip]
    player: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)

    def script(self, game: Game[S]) -> "Script[S]":
        """Return the lesson as steps of `game`, which has its settings.

        Raises RecordError, and ValueError for a decision of the learner without a note.
        """
        text = ""
        places: list[tuple[Note, int]] = []
        skipped: list[range] = []
        for item in self.course:
            before = len(_steps(game, text))
            match item:
                case Note():
                    places.append((item, before))
                case Skip(hidden):
                    text += hidden
                    skipped.append(range(before, len(_steps(game, text))))
                case _:
                    text += item
        return Script(game, self.player, _steps(game, text), places, skipped)


class Script(Generic[S]):
    """A lesson as steps of a game. Its notes are numbered from 0."""

    def __init__(
        self,
        game: Game[S],
        player: int,
        steps: Sequence[Step],
        notes: Sequence[tuple[Note, int]],
        skipped: Sequence[range],
    ) -> None:
        self.game = game
        self.player = player
        self.steps = steps
        self._notes = notes
        self._skipped = skipped
        self.positions = [game.start()]
        """The position before each step, and the last one."""
        for step in steps:
            self.positions.append(advance(self.positions[-1], step))
        for at in range(len(steps)):
            if self._decides(at) and at not in {place for _, place in notes}:
                raise ValueError(f"no note before the learner's {action_of(steps[at], player)}, step {at}")

    def __len__(self) -> int:
        """Return the number of notes."""
        return len(self._notes)

    def at(self, number: int) -> int:
        """Return how many steps come before a note, or before the end of the lesson."""
        return self._notes[number][1] if number < len(self) else len(self.steps)

    def wanted(self, number: int) -> Action | None:
        """Return what the learner is asked to do at a note; None where they have nothing to do but to go on."""
        at = self.at(number)
        if self.at(number + 1) == at or not self._decides(at):
            return None
        return action_of(self.steps[at], self.player)

    def page(self, number: int) -> Page:
        """Return what is told at a note."""
        rule = f"lesson_{self._notes[number][0].name}"
        return Page(number + 1, len(self), rule, f"{rule}_do" if self.wanted(number) else None)

    def mistake(self, number: int, action: Action) -> str | None:
        """Return the code that explains `action` at a note that asks for another; None for the general answer."""
        mistakes = self._notes[number][0].mistakes
        begun = [start for start in mistakes if action.startswith(start)]
        return f"lesson_not_{mistakes[max(begun, key=len)]}" if begun else None

    def shown_from(self, at: int) -> int:
        """Return where the game goes on if the step `at` is skipped; else `at`."""
        return next((steps.stop for steps in self._skipped if at in steps), at)

    def _decides(self, at: int) -> bool:
        """Return whether the learner decides in the step `at`, and it is shown."""
        return self.shown_from(at) == at and self.player in deciders(self.positions[at].node)


def _steps(game: Game[Any], text: str) -> Sequence[Step]:
    """Return the steps of a move text. Raises RecordError."""
    reader = RecordReader(game.start())
    words = (
        Token(word.group(), number, word.start() + 1)
        for number, line in enumerate(text.split("\n"), start=1)
        for word in re.finditer(r"\S+", line)
    )
    game.read([*words], reader)
    return reader.steps
