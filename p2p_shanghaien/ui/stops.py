"""The places in a game that one can look at, and what they are called (protocol/RECORD.md, "Places in a game")."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.games.api import Over, Simultaneous, State, Step, Turn
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui import tables
from p2p_shanghaien.ui.view import News, Seating, outcome, seating

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Picture

START: Final = "start"
END: Final = "end"
_PLACE: Final = re.compile(r"([0-9]{1,4})(?:\.([0-9]{1,4})(?:\.([0-9]{1,4}))?)?")


class Place(NamedTuple):
    """Where a game is: turns count from 1 in each round, and so do the things that a turn shows, part by part.

    Turn 0 is before the first turn: the round has been laid out.
    """

    round: int
    turn: int = 0
    part: int = 0

    def __str__(self) -> str:
        return ".".join(map(str, self if self.turn else self[:1]))


class Stop(NamedTuple):
    """A step that has something to tell, and where in the game it is.

    `steps` is how many steps of the record have been taken with it.
    """

    before: State
    step: Step
    after: State
    place: Place
    steps: int

    @property
    def opens_round(self) -> bool:
        return not self.place.turn


def stops(record: Record) -> Iterator[Stop]:
    """Every place of the game on `record` that has something to tell, in order."""
    table = tables.table(record.game.NAME)
    watching = seating(record.names, None)
    place = Place(0)
    positions = record.positions()
    before = next(positions)
    for steps, (step, after) in enumerate(zip(record.steps, positions, strict=True), start=1):
        if table.opens_round(before, step):
            place = Place(place.round + 1)
        elif table.opens_turn(before, step):
            place = Place(place.round, place.turn + 1)
        if any(table.news(before, step, after, watching)):
            if not table.opens_round(before, step):
                place = place._replace(part=place.part + 1)
            yield Stop(before, step, after, place, steps)
        before = after


def until(stops: Sequence[Stop], text: str) -> Sequence[Stop]:
    """The stops up to the place that `text` names; none where nothing has happened and the start or end is asked for.

    `3` is round 3 as it was laid out, `3.5` the end of its fifth turn, `3.5.1` the first part of that turn (the roll).
    Raises UsageError.
    """
    if text in (START, END):
        return stops if text == END else stops[:1]
    found = _PLACE.fullmatch(text)
    if not found:
        raise UsageError("not_a_place", text=text)
    number, turn, part = (int(group) if group else None for group in found.groups())
    here = [stop.place for stop in stops if stop.place.round == number]
    if not here:
        last = stops[-1].place.round if stops else 0
        raise UsageError("no_such_round" if last else "no_round_yet", round=number, count=last)
    of_turn = [place for place in here if place.turn == (turn or 0)]
    if not of_turn:
        raise UsageError("no_such_turn", round=number, turn=turn, count=here[-1].turn)
    wanted = of_turn[-1] if part is None else of_turn[-1]._replace(part=part)
    if wanted not in of_turn:
        raise UsageError("no_such_part", place=f"{number}.{turn}", part=part, count=of_turn[-1].part)
    return stops[: [stop.place for stop in stops].index(wanted) + 1]


class Way(StrEnum):
    """Where one can go from a place."""

    NEXT = "next"
    BACK = "back"
    NEXT_ROUND = "next_round"
    LAST_ROUND = "last_round"
    START = "start"
    END = "end"


def target(way: Way, stops: Sequence[Stop], at: int, last: int) -> int:
    """The place that `way` leads to from place `at`, as an index; `at` itself where it leads nowhere.

    Places are the `stops`, and whatever may be shown after them up to `last`.
    """
    rounds = [index for index, stop in enumerate(stops) if stop.opens_round]
    match way:
        case Way.NEXT:
            return min(at + 1, last)
        case Way.BACK:
            return max(at - 1, 0)
        case Way.NEXT_ROUND:
            return next((index for index in rounds if index > at), last)
        case Way.LAST_ROUND:
            return next((index for index in reversed(rounds) if index < at), 0)
        case Way.START:
            return 0
        case Way.END:
            return last


def has_ended(record: Record) -> bool:
    """Whether the game on `record` is over, by its rules or otherwise."""
    return record.ended is not None or isinstance(record.last().waits, Over)


def closing(record: Record, who: Seating) -> News:
    """How the game on `record` ended, or what it waits for where it goes no further."""
    waits = record.last().waits
    if isinstance(waits, Over):
        return outcome(waits, who)
    if record.ended:
        by = record.ended.by
        return News("record_abandoned") if by is None else News("record_resigned", {"who": who.who(by)})
    if isinstance(waits, Turn):
        return News("record_unfinished", {"who": who.who(waits.player)})
    return News("record_unchosen" if isinstance(waits, Simultaneous) else "record_undrawn")


def picture(record: Record, seen: Sequence[Stop], who: Seating, *, ended: bool = False) -> "Picture":
    """The table after the last of `seen`, or before anything happened; maybe the game has `ended` there."""
    after, before = (seen[-1].after, seen[-1].before) if seen else (record.game.start(), None)
    return tables.table(record.game.NAME).picture(after, who, before, ended=ended)
