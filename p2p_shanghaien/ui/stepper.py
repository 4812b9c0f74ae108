"""Looking through a game that is on record."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from p2p_shanghaien.games.api import Over, State, Step, Turn
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui import tables
from p2p_shanghaien.ui.line import HELP, LineTable
from p2p_shanghaien.ui.reading import Quit
from p2p_shanghaien.ui.view import seating
from p2p_shanghaien.ui.words import is_typed, say, typed


class Command(StrEnum):
    """Where one can go, as the code of the letter that is typed."""

    NEXT = "step_next"
    BACK = "step_back"
    NEXT_ROUND = "step_next_round"
    LAST_ROUND = "step_last_round"
    START = "step_start"
    END = "step_end"
    QUIT = "step_quit"


class Stop(NamedTuple):
    """A step that has something to tell, and whether it lays out a new round."""

    before: State
    step: Step
    after: State
    opens_round: bool


async def step_through(record: Record, line: LineTable) -> None:
    """Show the game on `record` until the person leaves it; all of it at once where nobody sits at a terminal."""
    line.begun(record.game, record.names, None)
    stops = tuple(_stops(record))
    if line.reader.interactive and stops:
        await _browse(record, stops, line)
        return
    for stop in stops:
        line.stepped(stop.before, stop.step, stop.after)
    _tell_end(record, line)


def _stops(record: Record) -> Iterator[Stop]:
    table = tables.table(record.game.NAME)
    watching = seating(record.names, None)
    positions = record.positions()
    before = next(positions)
    for step, after in zip(record.steps, positions, strict=True):
        if any(table.news(before, step, after, watching)):
            yield Stop(before, step, after, table.opens_round(before, step))
        before = after


async def _browse(record: Record, stops: Sequence[Stop], line: LineTable) -> None:
    """Show one stop after the other, as the person says."""
    at = 0
    while True:
        _show(stops, at, line)
        if at == len(stops) - 1:
            _tell_end(record, line)
        to = at
        while to == at:
            command = await _command(at, len(stops), line)
            if command == Command.QUIT:
                return
            to = _target(command, stops, at)
            if to == at:
                line.told("step_no_further")
        at = to


async def _command(at: int, count: int, line: LineTable) -> Command:
    """What the person wants to see next."""
    letters = [letter for command in Command for letter in typed(command)]
    prompt = say("ask_step", step=at + 1, steps=count)
    while True:
        try:
            text = await line.reader.read(prompt, tuple(letters))
        except Quit:
            return Command.QUIT
        if not text:
            return Command.NEXT
        if command := next((each for each in Command if is_typed(text, each)), None):
            return command
        if text != HELP:
            line.told("no_such_step", text=text)
        line.told("step_help")


def _target(command: Command, stops: Sequence[Stop], at: int) -> int:
    """The stop that `command` leads to from stop `at`; `at` itself where it leads nowhere."""
    last = len(stops) - 1
    rounds = [index for index, stop in enumerate(stops) if stop.opens_round]
    match command:
        case Command.NEXT:
            return min(at + 1, last)
        case Command.BACK:
            return max(at - 1, 0)
        case Command.NEXT_ROUND:
            return next((index for index in rounds if index > at), last)
        case Command.LAST_ROUND:
            return next((index for index in reversed(rounds) if index < at), 0)
        case Command.START:
            return 0
        case _:
            return last


def _show(stops: Sequence[Stop], at: int, line: LineTable) -> None:
    """A stop: how the last round came out where a new one begins, what happened, and the table."""
    stop = stops[at]
    if stop.opens_round and at:
        line.show_overview(stops[at - 1].before, stops[at - 1].step)
    line.tell(stop.before, stop.step, stop.after)
    if not isinstance(stop.after.waits, Over):
        line.show_position(stop.after)


def _tell_end(record: Record, line: LineTable) -> None:
    """Why the record goes no further, where the rules did not end the game."""
    state = record.last()
    if isinstance(state.waits, Over):
        return
    who = seating(record.names, None, line.screen.symbols, line.screen.fit)
    if record.ended and record.ended.by is not None:
        line.told("record_resigned", who=who.who(record.ended.by))
    elif record.ended:
        line.told("record_abandoned")
    elif isinstance(state.waits, Turn):
        line.told("record_unfinished", who=who.who(state.waits.player))
    else:
        line.told("record_undrawn")
