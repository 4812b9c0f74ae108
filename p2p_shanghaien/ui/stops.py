"""The places in a game that one can look at, and what they are called (protocol/RECORD.md, "Places in a game")."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from p2p_shanghaien.errors import UiCode, UsageError
from p2p_shanghaien.games.api import Action, Simultaneous, State, Step, Terminal, Turn, action_of, deciders
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui import tables
from p2p_shanghaien.ui.view import News, Seating, outcome, seating
from p2p_shanghaien.ui.words import say

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Picture

START: Final = "start"
END: Final = "end"
_PLACE: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})*")


class Place(NamedTuple):
    """Where a game is.

    `numbers` count from 1, each within the one before it, what the game's table says that its steps open
    (`ui.view.Table.opens`): for Shanghaien rounds, and turns in them. A 0 is before the first. `part` counts what is
    told at the last of them.
    """

    numbers: tuple[int, ...]
    part: int = 0

    def __str__(self) -> str:
        return _written((*self.numbers, self.part))

    @property
    def stage_number(self) -> str:
        """The number of that stage, as it is written."""
        return ".".join(map(str, self.stage))

    @property
    def stage(self) -> tuple[int, ...]:
        """The numbers of what is stepped over at once: all but the last, or the only one."""
        return self.numbers[:-1] or self.numbers

    def after(self, opened: int | None) -> "Place":
        """Return the place after a step that opens the next of the number of that index, or of none."""
        if opened is None:
            return self._replace(part=self.part + 1)
        below = len(self.numbers) - opened - 1
        return Place((*self.numbers[:opened], self.numbers[opened] + 1, *[0] * below), 0 if below else 1)


class Stop(NamedTuple):
    """A step that has something to tell, and where in the game it is.

    `steps` is how many steps of the record have been taken with it. The first stop of a stage `opens_stage`.
    """

    before: State
    step: Step
    after: State
    place: Place
    steps: int
    opens_stage: bool


def stops(record: Record) -> Iterator[Stop]:
    """Yield every place of the game on `record` that has something to tell, in order."""
    stage = None
    for steps, (before, step, after, place, tells) in enumerate(_walk(record), start=1):
        if tells:
            yield Stop(before, step, after, place, steps, place.stage != stage)
            stage = place.stage


def places(record: Record) -> Iterator[Place]:
    """Yield where each step is seen; one that tells nothing, such as choosing to roll, where its outcome is."""
    return (place for _, _, _, place, _ in _walk(record))


def _walk(record: Record) -> Iterator[tuple[State, Step, State, Place, bool]]:
    """Yield every step of the game on `record`, where it is seen, and whether it has something to tell."""
    table = tables.table(record.game.NAME)
    watching = seating(record.names, None)
    place = Place((0,) * table.depth)
    positions = record.positions()
    before = next(positions)
    for step, after in zip(record.steps, positions, strict=True):
        seen = place.after(table.opens(before, step))
        tells = any(table.news(before, step, after, watching))
        yield before, step, after, seen, tells
        if tells:
            place = seen
        elif seen.numbers != place.numbers:
            place = Place(seen.numbers)
        before = after


def until(stops: Sequence[Stop], text: str, game: str) -> Sequence[Stop]:
    """Return the stops up to the place of `game` that `text` names; none where nothing has happened yet (RECORD 2.5).

    As many numbers as the game counts by name the end of what they count, one more a part of it; fewer name what is
    there before anything that is counted below. Raises UsageError.
    """
    if text in (START, END):
        return stops if text == END else stops[:1]
    if not stops:
        raise UsageError(UiCode.NO_PLACE_YET, place=text)
    keys = [(*stop.place.numbers, stop.place.part) for stop in stops]
    wanted = tuple(map(int, text.split("."))) if _PLACE.fullmatch(text) else ()
    if not 0 < len(wanted) <= len(keys[0]):
        raise UsageError(UiCode.NOT_A_PLACE, text=text, places=say(f"{game}:places"))
    for at, number in enumerate(wanted):
        known = {key[at] for key in keys if key[:at] == wanted[:at]}
        if number not in known:
            nearest = min(known, key=lambda each: abs(each - number))
            raise UsageError(UiCode.NO_SUCH_PLACE, place=text, near=_written((*wanted[:at], nearest)))
    there = [index for index, key in enumerate(keys) if key[: len(wanted)] == wanted]
    begins = len(wanted) < len(keys[0]) - 1
    return stops[: (there[0] if begins else there[-1]) + 1]


def _written(numbers: Sequence[int]) -> str:
    """Return the numbers of a place as they are written: zeros at the end stand for nothing."""
    shown = list(numbers)
    while len(shown) > 1 and not shown[-1]:
        shown.pop()
    return ".".join(map(str, shown))


class Way(StrEnum):
    """A way to go from a place."""

    NEXT = "next"
    BACK = "back"
    NEXT_STAGE = "next_stage"
    LAST_STAGE = "last_stage"
    START = "start"
    END = "end"


def target(way: Way, stops: Sequence[Stop], at: int, last: int) -> int:
    """Return the place that `way` leads to from place `at`, as an index; `at` itself where it leads nowhere.

    Places are the `stops`, and whatever may be shown after them up to `last`.
    """
    stages = [index for index, stop in enumerate(stops) if stop.opens_stage]
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
    """Return the players who decide in `state`, after so many steps of `record`, each with what they did there."""
    (done,) = record.steps[steps : steps + 1] or (None,)
    return [(player, action_of(done, player) if done else None) for player in deciders(state.node)]


def has_ended(record: Record) -> bool:
    """Whether the game on `record` is over, by its rules or otherwise."""
    return record.ended is not None or isinstance(record.last().node, Terminal)


def closing(record: Record, who: Seating) -> News:
    """How the game on `record` ended, or what it waits for where it goes no further."""
    node = record.last().node
    if isinstance(node, Terminal):
        return outcome(node, who)
    if record.ended:
        by = record.ended.by
        return News("record_abandoned") if by is None else News("record_resigned", {"who": who.who(by)})
    if isinstance(node, Turn):
        return News("record_unfinished", {"who": who.who(node.player)})
    return News("record_unchosen" if isinstance(node, Simultaneous) else "record_undrawn")


def picture(record: Record, seen: Sequence[Stop], who: Seating, *, ended: bool = False) -> "Picture":
    """The table after the last of `seen`, or before anything happened; maybe the game has `ended` there."""
    after, before = (seen[-1].after, seen[-1].before) if seen else (record.game.start(), None)
    return tables.table(record.game.NAME).picture(after, who, before, ended=ended)
