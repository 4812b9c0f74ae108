"""A walk through a game on record, apart from the screen that it is seen on: its places, and what lies at each."""

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.text import Text

from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.full.fair import Draw
from p2p_shanghaien.ui.full.parts import Ink, Paper, Spread
from p2p_shanghaien.ui.full.scene import Scene
from p2p_shanghaien.ui.stops import Stop, closing, has_ended, stops
from p2p_shanghaien.ui.view import Seating, Table
from p2p_shanghaien.ui.words import Later


class Finding(NamedTuple):
    """A game on record as far as it goes, and what its verification found.

    `verdict` says that in a line, in the style `tone` of `parts.Ink`; `breach` says who broke a rule behind the last
    step, and how. `draw` gives the last draw of the first so many steps; None where draws are not on record.
    """

    record: Record
    verdict: str | Later
    tone: str
    breach: str | Later = ""
    draw: Callable[[int], Draw | None] | None = None


class Walk:
    """Where in a game one is. Its places are its stops, and behind them how it ended; none such while it is `live`."""

    def __init__(self, finding: Finding, scene: Scene, *, live: bool) -> None:
        self.scene = scene
        self.live = live
        self.at = 0
        """The place shown, as an index."""
        self.take(finding)
        if live:
            self.at = self.last

    def take(self, finding: Finding) -> None:
        """Walk through what `finding` has, from now on."""
        record = finding.record
        self.finding = finding
        self.stops = tuple(stops(record))
        self._final = record.last()
        self.scene.begin(record.game, record.names, None)
        self.scene.seat = record.seats[0] if record.seats else 0
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what happened at each stop as the players are called now."""
        table, _, seats = self._parts()
        self._told = [" ".join(map(str, table.news(stop.before, stop.step, stop.after, seats))) for stop in self.stops]

    @property
    def last(self) -> int:
        """The last place."""
        return max(len(self.stops) - 1, 0) if self.live else len(self.stops)

    @property
    def stop(self) -> Stop | None:
        """The stop at the place shown; None where the game has ended, or nothing has happened."""
        return self.stops[self.at] if self.at < len(self.stops) else None

    @property
    def steps(self) -> int:
        """How many steps of the game have been taken at the place shown."""
        return self.stop.steps if self.stop else len(self.finding.record.steps)

    @property
    def state(self) -> State:
        """The position at the place shown."""
        return self.stop.after if self.stop else self._final

    def shown_after(self, steps: int) -> int:
        """The last place at which no more than so many steps have been taken, as an index."""
        if steps >= len(self.finding.record.steps):
            return self.last
        return max(bisect(self.stops, steps, key=lambda stop: stop.steps) - 1, 0)

    @property
    def is_broken(self) -> bool:
        """Whether it is here that a rule was broken."""
        return self.stop is None and bool(self.finding.breach)

    def lay(self, ink: Ink) -> None:
        """Set the scene at the place shown."""
        scene, stop = self.scene, self.stop
        scene.state = self.state
        scene.hint = scene.ending = None
        scene.story.clear()
        for told in self._told[: self.at + 1]:
            scene.tell(told)
        closed = Later(lambda: closing(self.finding.record, self._parts()[2]))
        if self.is_broken:
            scene.tell(self.finding.breach, ink.bad)
            scene.ending = self.finding.breach
        elif stop is None and not self.live:
            scene.tell(closed, ink.strong)
        if scene.is_over or (stop is None and not self.live and has_ended(self.finding.record)):
            scene.ending = Later(lambda: scene.fit(str(closed)))
        if self.finding.draw:
            scene.draw = self.finding.draw(self.steps)

    def came_out(self, paper: Paper) -> Sequence[Text]:
        """How the stage came out that has just ended; else empty."""
        _, spread, seats = self._parts()
        return spread.overview(self.stop.before, self.stop.step, seats, paper) if self.stop else ()

    def overview(self, paper: Paper) -> Sequence[Text]:
        """How the last stage that has ended came out; empty where none has."""
        _, spread, seats = self._parts()
        drawn = (spread.overview(stop.before, stop.step, seats, paper) for stop in reversed(self.stops[: self.at + 1]))
        return next(filter(None, drawn), ())

    def _parts(self) -> tuple[Table, Spread, Seating]:
        scene = self.scene
        assert scene.table is not None
        assert scene.spread is not None
        assert scene.seating is not None
        return scene.table, scene.spread, scene.seating
