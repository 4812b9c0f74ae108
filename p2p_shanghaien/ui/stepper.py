"""Looking through a game that is on record, or as it is being played."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from p2p_shanghaien.errors import Quit, UsageError
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import State, Terminal, advance
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.advice import HINT
from p2p_shanghaien.ui.line import HELP, LineTable
from p2p_shanghaien.ui.stops import Stop, Way, closing, decisions, stops, target, until
from p2p_shanghaien.ui.view import seating
from p2p_shanghaien.ui.words import describe, is_typed, say, typed

QUIT: Final = "step_quit"
CODES: Final = (*(f"step_{way}" for way in Way), QUIT)
"""The codes of the letters that are typed: one for each way, and the one that leaves."""


async def step_through(record: Record, line: LineTable) -> None:
    """Show the game on `record` until the person leaves it; all of it at once where nobody sits at a terminal."""
    line.begun(record.game, record.names, None)
    seen = tuple(stops(record))
    if line.reader.interactive and seen:
        await _browse(record, seen, line)
        return
    for stop in seen:
        line.stepped(stop.before, stop.step, stop.after)
    tell_end(record, line)


_STAGES: Final = {"next": "stage_next", "back": "stage_back", "places": "places"}
"""What help says of a game's stages and places, and the codes of the game's own words for it."""


async def _browse(record: Record, seen: Sequence[Stop], line: LineTable) -> None:
    """Show one stop after the other, as the person says."""
    at = 0
    while True:
        _show(seen, at, line)
        if at == len(seen) - 1:
            tell_end(record, line)
        to: int | None = at
        while to == at:
            to = await _asked(record, seen, at, line)
            if to == at:
                line.told("step_no_further")
        if to is None:
            return
        at = to


async def _asked(record: Record, seen: Sequence[Stop], at: int, line: LineTable) -> int | None:
    """The stop that the person wants to see next; None to leave."""
    letters = [letter for code in (*CODES, HINT) for letter in typed(code)]
    game = record.game.NAME
    prompt = say("ask_step", step=at + 1, steps=len(seen), place=str(seen[at].place), stage=say(f"{game}:stage"))
    while True:
        try:
            text = await line.reader.read(prompt, tuple(letters))
        except Quit:
            return None
        if text and is_typed(text, QUIT):
            return None
        way = next((way for way in Way if is_typed(text, f"step_{way}")), None) if text else Way.NEXT
        if way:
            return target(way, seen, at, len(seen) - 1)
        if is_typed(text, HINT):
            await _hint(record, seen[at], line)
            continue
        if text[0].isdecimal():
            try:
                return len(until(seen, text, record.game.NAME)) - 1
            except UsageError as error:
                line.screen.show(describe(error))
                continue
        if text != HELP:
            line.told("no_such_step", text=text)
        sentences = {name: say(f"{game}:{code}") for name, code in _STAGES.items()}
        line.told("step_help", **sentences)
        line.told("hint_help")


async def _hint(record: Record, stop: Stop, line: LineTable) -> None:
    """What whoever decides at this place may do, and what they did."""
    if asked := decisions(record, stop.steps, stop.after):
        await line.show_hints(stop.after, asked)
    else:
        line.told("hint_nobody")


def _show(seen: Sequence[Stop], at: int, line: LineTable) -> None:
    """A stop: how the last stage came out where a new one begins, what happened, and the table."""
    stop = seen[at]
    if stop.opens_stage and at:
        line.show_overview(seen[at - 1].before, seen[at - 1].step, seen[at - 1].after)
    line.tell(stop.before, stop.step, stop.after)
    line.show_position(stop.after)


def show_place(record: Record, seen: Sequence[Stop], line: LineTable) -> None:
    """Show the table after the last of `seen`, under what happened in that turn."""
    line.begun(record.game, record.names, None)
    if not seen:
        line.show_position(record.game.start())
        tell_end(record, line)
        return
    last = seen[-1]
    line.told("place_shown", place=str(last.place))
    for stop in seen:
        if stop.place.numbers == last.place.numbers:
            line.tell(stop.before, stop.step, stop.after)
    line.show_position(last.after)


def tell_end(record: Record, line: LineTable) -> None:
    """Why the record goes no further, where the rules did not end the game."""
    if not isinstance(record.last().node, Terminal):
        line.screen.show(str(closing(record, seating(record.names, None, line.screen.symbols, line.screen.fit))))


async def follow(begun: Report, growth: AsyncIterator[Report] | None, line: LineTable) -> bool:
    """Tell the game from its beginning, then on as each report of its `growth` has it, if there is any; return True."""
    telling = _Telling(line)
    telling.tell(begun)
    if growth is None:
        return True
    telling.show()
    line.told("following")
    async for report in growth:
        telling.tell(report)
    return True


class _Telling:
    """A game that is told as it is played, and how far that has come."""

    def __init__(self, line: LineTable) -> None:
        self._line = line
        self._steps = 0
        self._state: State | None = None

    def tell(self, report: Report) -> None:
        """Tell what `report` has that has not been told. Who is who is known once the opening draw is."""
        record = report.record()
        state = self._state
        if report.steps and state is None:
            self._line.begun(record.game, record.names, None)
        for step in report.steps[self._steps :]:
            before = record.game.start() if state is None else state
            state = advance(before, step)
            self._line.stepped(before, step, state)
        self._state, self._steps = state, len(report.steps)
        if record.ended:
            tell_end(record, self._line)

    def show(self) -> None:
        """Draw the table as it lies now, if anything does."""
        if self._state and not isinstance(self._state.node, Terminal):
            self._line.show_position(self._state)
