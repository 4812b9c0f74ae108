"""Replay in plain mode of a record, or of a game in progress."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from p2p_shanghaien.errors import Quit, UsageError
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import State, Terminal, advance
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.advice import HINT
from p2p_shanghaien.ui.command_input import QUIT as LEAVE
from p2p_shanghaien.ui.command_input import always, asks_help, named
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.questions import meant
from p2p_shanghaien.ui.snapshots import Snapshot, Way, closing, decisions, snapshots, target, until
from p2p_shanghaien.ui.view import viewpoint
from p2p_shanghaien.ui.words import describe, say, typed

WAYS: Final = {f"step_{way}": way for way in Way}
QUIT: Final = "step_quit"
CODES: Final = (*WAYS, QUIT)
"""The codes of the letters to type: one for each way, and the one that leaves."""


async def step_through(record: Record, table: PlainTable) -> None:
    """Show the game on `record` until the user leaves it; all of it at once if there is no terminal."""
    table.begun(record.game, record.names, None)
    seen = tuple(snapshots(record))
    if table.reader.is_interactive and seen:
        await _browse(record, seen, table)
        return
    for snapshot in seen:
        table.stepped(snapshot.before, snapshot.step, snapshot.after)
    tell_end(record, table)


_STAGES: Final = {"next": "stage_next", "back": "stage_back", "places": "places"}
"""The help on a game's stages and places, and the codes of the game's own sentences for it."""


async def _browse(record: Record, seen: Sequence[Snapshot], table: PlainTable) -> None:
    """Show one snapshot after the other, as the user asks: the table too, unless a step on alone says how it is."""
    at, before = 0, None
    while True:
        _show(seen, at, table, with_table=before is None or at != before + 1)
        if at == len(seen) - 1:
            tell_end(record, table)
        to: int | None = at
        while to == at:
            to = await _asked(record, seen, at, table)
            if to == at:
                table.notify("step_no_further")
        if to is None:
            return
        at, before = to, at


async def _asked(record: Record, seen: Sequence[Snapshot], at: int, table: PlainTable) -> int | None:
    """Return the snapshot that the user wants to see next; None to leave."""
    letters = [letter for code in (*CODES, *([HINT] if table.has_hints else [])) for letter in typed(code)]
    completions = (*letters, *always(), *table.questions.words())
    game = record.game.NAME
    prompt = say("ask_step", step=at + 1, steps=len(seen), place=str(seen[at].place), stage=say(f"{game}:stage"))
    while True:
        try:
            text = await table.reader.read(prompt, completions)
        except Quit:
            return None
        code = named(text, (*CODES, LEAVE, HINT)) if text else "step_next"
        if code in (QUIT, LEAVE):
            return None
        if code in WAYS:
            return target(WAYS[code], seen, at, len(seen) - 1)
        if code == HINT:
            await _hint(record, seen[at], table)
        elif text[0].isdecimal():
            try:
                return len(until(seen, text, record.game.NAME)) - 1
            except UsageError as error:
                table.screen.show(describe(error))
        elif not table.answer(text, _last(seen, at, table)):
            _help(text, game, table)


def _last(seen: Sequence[Snapshot], at: int, table: PlainTable) -> Sequence[str]:
    """Return what was told of the last turn before snapshot `at`, and of its own as far as it has come."""
    turns = list(dict.fromkeys(snapshot.place.numbers for snapshot in seen[: at + 1]))[-2:]
    told = [snapshot for snapshot in seen[: at + 1] if snapshot.place.numbers in turns]
    return [table.presenter.game.news(snapshot.before, snapshot.step, snapshot.after) for snapshot in told]


def _help(text: str, game: str, table: PlainTable) -> None:
    """Show what may be typed, or only the word that `text` may be a misspelling of."""
    if not asks_help(text):
        unknown, near = say("no_such_step", text=text), meant(text, (*always(), *table.questions.words()))
        table.screen.show(say("did_you_mean", reason=unknown, name=near) if near else unknown)
        if near:
            return
    sentences = {name: say(f"{game}:{code}") for name, code in _STAGES.items()}
    table.notify("step_help", **sentences)
    table.screen.show(*table.questions.help())
    if table.has_hints:
        table.notify("hint_help")


async def _hint(record: Record, snapshot: Snapshot, table: PlainTable) -> None:
    """Show the options of the player who decides at this place, and the action taken."""
    if asked := decisions(record, snapshot.steps, snapshot.after):
        await table.show_hints(snapshot.after, asked)
    else:
        table.notify("hint_nobody")


def _show(seen: Sequence[Snapshot], at: int, table: PlainTable, *, with_table: bool) -> None:
    """Show a snapshot: the outcome of the last stage if a new one begins, what happened, and the table if need be."""
    snapshot = seen[at]
    if snapshot.opens_stage and at:
        table.show_overview(seen[at - 1].before, seen[at - 1].step, seen[at - 1].after)
    shown = table.tell(snapshot.before, snapshot.step, snapshot.after)
    if with_table or shown.shows_table:
        table.show_position(snapshot.after)


def show_place(record: Record, seen: Sequence[Snapshot], table: PlainTable) -> None:
    """Show the table after the last of `seen`, under what happened in that turn."""
    table.begun(record.game, record.names, None)
    if not seen:
        table.show_position(record.game.start())
        tell_end(record, table)
        return
    last = seen[-1]
    table.notify("place_shown", place=str(last.place))
    for snapshot in seen:
        if snapshot.place.numbers == last.place.numbers:
            table.tell(snapshot.before, snapshot.step, snapshot.after)
    table.show_position(last.after)


def tell_end(record: Record, table: PlainTable) -> None:
    """Show why the record stops if the rules did not end the game."""
    if not isinstance(record.last().node, Terminal):
        table.screen.show(str(closing(record, viewpoint(record.names, None, table.screen.charset))))


async def follow(
    begun: Report, growth: AsyncIterator[Report] | None, table: PlainTable, news: str = "following"
) -> bool:
    """Tell the game from its beginning, then on as each report of its `growth` has it, if there is any; return True.

    `news` is the code of what is said of that in between.
    """
    telling = _Telling(table)
    telling.tell(begun)
    if growth is None:
        return True
    telling.show()
    table.notify(news)
    async for report in growth:
        telling.tell(report)
    return True


class _Telling:
    """A game that is shown as it is played, or one after the other, and the progress so far."""

    def __init__(self, table: PlainTable) -> None:
        self._table = table
        self._steps = 0
        self._state: State | None = None
        self._session: bytes | None = None

    def tell(self, report: Report) -> None:
        """Tell what `report` has that has not been told. Who is who is known once the opening draw is."""
        record = report.record()
        session = report.session.id if report.session else None
        if self._session not in (None, session):
            self._steps, self._state = 0, None
        self._session = session
        state = self._state
        if report.steps and state is None:
            self._table.begun(record.game, record.names, None)
        for step in report.steps[self._steps :]:
            before = record.game.start() if state is None else state
            state = advance(before, step)
            self._table.stepped(before, step, state)
        self._state, self._steps = state, len(report.steps)
        if record.ended:
            tell_end(record, self._table)

    def show(self) -> None:
        """Draw the table as it is now, if there is a position."""
        if self._state and not isinstance(self._state.node, Terminal):
            self._table.show_position(self._state)
