"""The place shown of a game on record, apart from the screen that it is shown on."""

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from p2p_shanghaien.fairplay.effects import Drew, draws_in
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import State, Transition
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.presenter import Presenter, Sentence, ShownGame, Tone
from p2p_shanghaien.ui.snapshots import Snapshot, closing, has_ended, snapshots
from p2p_shanghaien.ui.verdicts import breach
from p2p_shanghaien.ui.words import Later


class Recorded(NamedTuple):
    """A game to look through, and what its log proves; None for a record without signatures."""

    record: Record
    report: Report | None = None


class Cursor:
    """A place in a game on file: one of its snapshots, or its end, which there is none of while it is `live`."""

    def __init__(self, game: Recorded, presenter: Presenter, *, live: bool) -> None:
        self.presenter = presenter
        self.live = live
        self.at = 0
        """The place shown, as an index."""
        self.take(game)
        if live:
            self.at = self.last

    def is_of(self, game: Recorded) -> bool:
        """Return whether `game` is the one that is shown, however far it has come."""
        sessions = [report.session.id for report in (self.report, game.report) if report and report.session]
        return len(set(sessions)) < 2

    def take(self, game: Recorded) -> None:
        """Walk through this game from now on."""
        record, _ = self.record, self.report = game
        self.snapshots = tuple(snapshots(record))
        self._final = record.last()
        self._draws: Sequence[tuple[int, Drew]] | None = None
        self.presenter.begun(record.game, record.names, None)
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what happened at each snapshot as the players are called now."""
        self._told = [
            Sentence(self.game.news(snapshot.before, snapshot.step, snapshot.after)) for snapshot in self.snapshots
        ]

    @property
    def game(self) -> ShownGame:
        """The game, as it lies at the place shown."""
        return self.presenter.game

    @property
    def last(self) -> int:
        """The last place."""
        return max(len(self.snapshots) - 1, 0) if self.live else len(self.snapshots)

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot at the place shown; None where the game has ended, or nothing has happened."""
        return self.snapshots[self.at] if self.at < len(self.snapshots) else None

    @property
    def steps(self) -> int:
        """The number of steps taken at the place shown."""
        return self.snapshot.steps if self.snapshot else len(self.record.steps)

    @property
    def state(self) -> State:
        """The position at the place shown."""
        return self.snapshot.after if self.snapshot else self._final

    def shown_after(self, steps: int) -> int:
        """The last place at which no more than so many steps have been taken, as an index."""
        if steps >= len(self.record.steps):
            return self.last
        return max(bisect(self.snapshots, steps, key=lambda snapshot: snapshot.steps) - 1, 0)

    @property
    def is_broken(self) -> bool:
        """Return whether a rule was broken here."""
        return self.snapshot is None and bool(breach(self.report))

    def lay(self) -> Sequence[Sentence]:
        """Have what there is at the place shown lie on the table, and return what has happened until then."""
        presenter, snapshot = self.presenter, self.snapshot
        presenter.lay(self.state)
        presenter.draw, presenter.stage, presenter.ending = None, self._stage(), None
        if draw := self._draw():
            presenter.drew(draw, draw.seat == (self.record.seats or (0, 1))[0])
        told = self._told[: self.at + 1]
        ended = snapshot is None and not self.live
        closed = Later(lambda: presenter.charset.transliterate(str(closing(self.record, self.game.viewpoint))))
        if self.is_broken:
            presenter.ending = Later(lambda: breach(self.report))
            told.append(Sentence(presenter.ending, Tone.WARNING))
        elif ended:
            told.append(Sentence(closed, Tone.STRONG))
        if self.game.is_over or (ended and has_ended(self.record)):
            presenter.ending = closed
        return told

    def _draw(self) -> Drew | None:
        """Return the last draw before the place shown, if draws are on record."""
        if self._draws is None:
            report = self.report
            self._draws = list(draws_in(report.entries, report.session)) if report and report.session else ()
        made = [draw for steps, draw in self._draws if steps <= self.steps]
        return made[-1] if made else None

    def _stage(self) -> Transition | None:
        """Return the last step before the place shown that ended a stage with an overview."""
        table, seats = self.game.table, self.game.viewpoint
        made = (
            snapshot
            for snapshot in reversed(self.snapshots[: self.at + 1])
            if table.overview(snapshot.before, snapshot.step, seats)
        )
        return next((snapshot.transition for snapshot in made), None)

    @property
    def came_out(self) -> Transition | None:
        """The step that led to the place shown, if a stage with an overview ended there."""
        stage, snapshot = self.presenter.stage, self.snapshot
        return stage if stage and snapshot and stage == snapshot.transition else None
