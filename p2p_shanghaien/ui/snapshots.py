"""The places in a game, and their names (protocol/RECORD.md, "Places in a game")."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from p2p_shanghaien.errors import UiCode, UsageError
from p2p_shanghaien.games.api import Action, Simultaneous, State, Step, Terminal, Transition, Turn, action_of, deciders
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.view import News, Viewpoint, outcome, table_of, viewpoint
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Picture

START: Final = "start"
END: Final = "end"
_PLACE: Final = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,4}(?:\.[0-9]{1,4})*)")
USUAL: Final = 2
"""The numbers of most games; one before these stands before a colon, and is omitted if it is 1."""


class MoveNumber(NamedTuple):
    """A place in a game.

    `numbers` count from 1, each within the one before it, what the game's table says that its steps open
    (`ui.view.Table.opens`): for Shanghaien rounds, and turns in them. A 0 is before the first. `part` counts the events
    at the last of them.
    """

    numbers: tuple[int, ...]
    part: int = 0

    def __str__(self) -> str:
        return _written((*self.numbers, self.part), len(self.numbers))

    @property
    def stage_number(self) -> str:
        """The number of that stage, as written."""
        return _written(self.stage, len(self.numbers), zeros=True)

    @property
    def stage(self) -> tuple[int, ...]:
        """The numbers of the stage: all but the last, or the only one."""
        return self.numbers[:-1] or self.numbers

    def after(self, opened: int | None, first: int = 0) -> "MoveNumber":
        """Return the place after a step that opens the next number of that index, or of none.

        `first` is the last number of a step that opens one further out.
        """
        if opened is None:
            return self._replace(part=self.part + 1)
        below = len(self.numbers) - opened - 1
        if not below:
            return MoveNumber((*self.numbers[:opened], self.numbers[opened] + 1), 1)
        return MoveNumber((*self.numbers[:opened], self.numbers[opened] + 1, *[0] * (below - 1), first), first)


class Snapshot(NamedTuple):
    """A step with a description, and its place in the game.

    `steps` is the number of steps of the record up to and including it. The first snapshot of a stage `opens_stage`.
    """

    before: State
    step: Step
    after: State
    place: MoveNumber
    steps: int
    opens_stage: bool

    @property
    def transition(self) -> Transition:
        """The step, with the positions around it."""
        return Transition(self.before, self.step, self.after)


def snapshots(record: Record) -> Iterator[Snapshot]:
    """Yield every place of the game on `record` that has a description, in order."""
    stage = None
    for steps, (before, step, after, place, tells) in enumerate(_walk(record), start=1):
        if tells:
            yield Snapshot(before, step, after, place, steps, place.stage != stage)
            stage = place.stage


def move_numbers(record: Record) -> Iterator[MoveNumber]:
    """Yield the place of each step; one without a description, such as choosing to roll, has that of its outcome."""
    return (place for _, _, _, place, _ in _walk(record))


def _walk(record: Record) -> Iterator[tuple[State, Step, State, MoveNumber, bool]]:
    """Yield every step of the game on `record`, its place, and whether it has a description."""
    table = table_of(record.game.NAME)
    watching = viewpoint(record.names, None)
    place = MoveNumber((0,) * table.depth)
    positions = record.positions()
    before = next(positions)
    for step, after in zip(record.steps, positions, strict=True):
        seen = place.after(table.opens(before, step), table.first)
        tells = any(table.news(before, step, after, watching))
        yield before, step, after, seen, tells
        if tells:
            place = seen
        elif seen.numbers != place.numbers:
            place = MoveNumber(seen.numbers)
        before = after


def until(snapshots: Sequence[Snapshot], text: str, game: str) -> Sequence[Snapshot]:
    """Return the snapshots up to the place of `game` that `text` names; none if nothing has happened yet (RECORD 2.5).

    As many numbers as the game counts name the end of what they count, one more a part of it; fewer name the place
    before anything that is counted below. Raises UsageError.
    """
    if text in (START, END):
        return snapshots if text == END else snapshots[:1]
    if not snapshots:
        raise UsageError(UiCode.NO_PLACE_YET, place=text)
    depth = table_of(game).depth
    keys = [(*snapshot.place.numbers, snapshot.place.part) for snapshot in snapshots]
    wanted = _numbers(text, depth)
    if not 0 < len(wanted) <= depth + 1:
        raise UsageError(UiCode.NOT_A_PLACE, text=text, places=say(f"{game}:places"))
    for at, number in enumerate(wanted):
        known = {key[at] for key in keys if key[:at] == wanted[:at]}
        if number not in known:
            nearest = min(known, key=lambda each: abs(each - number))
            raise UsageError(UiCode.NO_SUCH_PLACE, place=text, near=_written((*wanted[:at], nearest), depth))
    there = [index for index, key in enumerate(keys) if key[: len(wanted)] == wanted]
    if len(wanted) < depth:
        # the first step counts within the stage where that is not merely laid out by it
        return snapshots[: max(there[0] - table_of(game).first, 0) + 1]
    return snapshots[: there[-1] + 1]


def _numbers(text: str, depth: int) -> tuple[int, ...]:
    """Return the numbers of a place, `depth` or fewer and a part; none if `text` is no place in such a game."""
    found = _PLACE.fullmatch(text)
    if not found or (found[1] and depth <= USUAL):
        return ()
    outer = [found[1] or "1"] if depth > USUAL else []
    return tuple(map(int, (*outer, *found[2].split("."))))


def _written(numbers: Sequence[int], depth: int, *, zeros: bool = False) -> str:
    """Return the numbers of a place as written; without `zeros`, those at the end are omitted."""
    outer, shown = (numbers[:1], list(numbers[1:])) if depth > USUAL else ((), list(numbers))
    while len(shown) > 1 and not shown[-1] and not zeros:
        shown.pop()
    inner = ".".join(map(str, shown))
    return f"{outer[0]}:{inner}" if outer and outer[0] > 1 else inner


class Way(StrEnum):
    """A way to move from a place."""

    NEXT = "next"
    BACK = "back"
    NEXT_STAGE = "next_stage"
    LAST_STAGE = "last_stage"
    START = "start"
    END = "end"


def target(way: Way, snapshots: Sequence[Snapshot], at: int, last: int) -> int:
    """Return the place that `way` leads to from place `at`, as an index; `at` itself if it leads nowhere.

    Places are the `snapshots`, and views after them up to `last`.
    """
    stages = [index for index, snapshot in enumerate(snapshots) if snapshot.opens_stage]
    match way:
        case Way.NEXT:
            return min(at + 1, last)
        case Way.BACK:
            return max(at - 1, 0)
        case Way.NEXT_STAGE:
            return next((index for index in stages if index > at), last)
        case Way.LAST_STAGE:
            return next((index for index in reversed(stages) if index < at), 0)
        case Way.START:
            return 0
        case Way.END:
            return last


def decisions(record: Record, steps: int, state: State) -> Sequence[tuple[int, Action | None]]:
    """Return the players who decide in `state`, after so many steps of `record`, each with the action they took."""
    (done,) = record.steps[steps : steps + 1] or (None,)
    return [(player, action_of(done, player) if done else None) for player in deciders(state.node)]


def has_ended(record: Record) -> bool:
    """Return whether the game on `record` is over, by its rules or otherwise."""
    return record.ended is not None or isinstance(record.last().node, Terminal)


def closing(record: Record, who: Viewpoint) -> News:
    """Return the end of the game on `record`, or what it waits for if it is unfinished."""
    node = record.last().node
    if isinstance(node, Terminal):
        return outcome(node, who)
    if record.ended:
        by = record.ended.by
        return News("record_abandoned") if by is None else News("record_resigned", {"who": who.who(by)})
    if isinstance(node, Turn):
        return News("record_unfinished", {"who": who.who(node.player)})
    return News("record_unchosen" if isinstance(node, Simultaneous) else "record_undrawn")


def picture(record: Record, seen: Sequence[Snapshot], who: Viewpoint, *, ended: bool = False) -> "Picture":
    """Return the table after the last of `seen`, or before anything happened; the game may have `ended` there."""
    after, before = (seen[-1].after, seen[-1].before) if seen else (record.game.start(), None)
    return table_of(record.game.NAME).picture(after, who, before, ended=ended)
