"""A walk through a game on record, apart from the screen that it is seen on: its places, and what lies at each."""

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.full.parts import Ink, Paper
from p2p_shanghaien.ui.full.scene import Scene
from p2p_shanghaien.ui.presenter import step_view
from p2p_shanghaien.ui.stops import Stop, closing, has_ended, stops
from p2p_shanghaien.ui.verdicts import breach
from p2p_shanghaien.ui.words import Later


class Recorded(NamedTuple):
    """A game to look through, and what its log proves; None for a record without signatures."""

    record: Record
    report: Report | None = None


class Walk:
    """Where in a game one is. Its places are its stops, and behind them how it ended; none such while it is `live`."""

    def __init__(self, game: Recorded, scene: Scene, *, live: bool) -> None:
        self.scene = scene
        self.live = live
        self.at = 0
        """The place shown, as an index."""
        self.take(game)
        if live:
            self.at = self.last

    def take(self, game: Recorded) -> None:
        """Walk through this game from now on."""
        record, _ = self.record, self.report = game
        self.stops = tuple(stops(record))
        self._final = record.last()
        self.game = self.scene.begin(record.game, record.names, None)
        self.scene.seat = record.seats[0] if record.seats else 0
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what happened at each stop as the players are called now."""
        table, seats = self.game.table, self.game.seating
        self._told = [step_view(table, seats, stop.before, stop.step, stop.after).news for stop in self.stops]

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
        return self.stop.steps if self.stop else len(self.record.steps)

    @property
    def state(self) -> State:
        """The position at the place shown."""
        return self.stop.after if self.stop else self._final

    def shown_after(self, steps: int) -> int:
        """The last place at which no more than so many steps have been taken, as an index."""
        if steps >= len(self.record.steps):
            return self.last
        return max(bisect(self.stops, steps, key=lambda stop: stop.steps) - 1, 0)

    @property
    def is_broken(self) -> bool:
        """Whether it is here that a rule was broken."""
        return self.stop is None and bool(breach(self.report))

    def lay(self, ink: Ink) -> None:
        """Set the scene at the place shown."""
        scene, stop = self.scene, self.stop
        self.game.state = self.state
        scene.hint = scene.ending = None
        scene.story.clear()
        for told in self._told[: self.at + 1]:
            scene.tell(told)
        closed = Later(lambda: closing(self.record, self.game.seating))
        if self.is_broken:
            scene.ending = Later(lambda: breach(self.report))
            scene.tell(scene.ending, ink.bad)
        elif stop is None and not self.live:
            scene.tell(closed, ink.strong)
        if scene.is_over or (stop is None and not self.live and has_ended(self.record)):
            scene.ending = Later(lambda: scene.fit(str(closed)))
        scene.draw = self._draw()

    def _draw(self) -> Drew | None:
        """Return the last draw before the place shown, if draws are on record."""
        reveals = self.report.reveals if self.report else ()
        made = [reveal for reveal in reveals if reveal.steps <= self.steps]
        return Drew.of(made[-1].before, made[-1].entry) if made else None

    def came_out(self, paper: Paper) -> Sequence[Text]:
        """How the stage came out that has just ended; else empty."""
        return self._overview(self.stop, paper) if self.stop else ()

    def overview(self, paper: Paper) -> Sequence[Text]:
        """How the last stage that has ended came out; empty where none has."""
        drawn = (self._overview(stop, paper) for stop in reversed(self.stops[: self.at + 1]))
        return next(filter(None, drawn), ())

    def _overview(self, stop: Stop, paper: Paper) -> Sequence[Text]:
        return self.game.spread.overview(stop.before, stop.step, self.game.seating, paper)
