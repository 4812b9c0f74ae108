"""Games of practice at a table: a person and a computer player, without a connection, each game kept as a text record.

The table is the one of a signed game: it is told the same, and asks the same. What it takes back, it raises as
TakeBack from a decision.
"""

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from random import Random
from typing import Any

from p2p_shanghaien.app.practice import Practice, begin, seeded
from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import LocalError, Quit, TakeBack
from p2p_shanghaien.games.api import Action, Game, Step
from p2p_shanghaien.games.record import Record, write
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.session.participant import Decider
from p2p_shanghaien.store.files import create, make_folder, replace
from p2p_shanghaien.store.paths import RECORD_SUFFIX


class RecordKeeper:
    """A keeper of practice games: it knows the current one, and writes each to a file of its own in `folder`.

    `names` are those of the local player and of the opponent; `now` returns the time for the files' names.
    """

    practice: Practice
    """The game as far as it has come, once one has begun."""

    def __init__(self, folder: Path, names: tuple[str, str], now: Callable[[], datetime] = datetime.now) -> None:
        self._folder = folder
        self._names = names
        self._now = now
        self._stem = ""
        self._path: Path | None = None
        self._written = b""

    def begin(self, practice: Practice) -> None:
        """Keep another game from now on."""
        self.practice, self._path, self._written = practice, None, b""
        self._stem = f"{practice.game.NAME}-{self._now():%Y-%m-%d-%H%M%S}"

    def names(self) -> tuple[str, str]:
        """Return the names by player."""
        return self._names if self.practice.me == 0 else (self._names[1], self._names[0])

    def played(self) -> Record:
        """Return the current game as a record."""
        return self.practice.record(self.names())

    def save(self) -> Path | None:
        """Write the current game and return its file; None if nothing is new in it, or nothing was decided.

        Raises LocalError.
        """
        if not self._stem or not (self.practice.can_undo or self._path):
            return None
        data = write(self.played()).encode()
        if data == self._written:
            return None
        self._written = data
        if self._path:
            replace(self._path, data)
        else:
            make_folder(self._folder)
            ends = chain([""], map("-{}".format, count(2)))
            paths = (self._folder / f"{self._stem}{end}{RECORD_SUFFIX}" for end in ends)
            self._path = next(path for path in paths if create(path, data))
        return self._path


class PracticeSession:
    """Games at `table` of the `person` there against `opponent`, kept by `keeper`; `seed` returns one for each game."""

    def __init__(
        self,
        table: UserInterface,
        person: Decider,
        opponent: Decider,
        keeper: RecordKeeper,
        seed: Callable[[], str] = secrets.token_hex,
    ) -> None:
        self._table = table
        self._person = person
        self._opponent = opponent
        self._keeper = keeper
        self._seed = seed
        self._replies: dict[tuple[Step, ...], Action] = {}
        """The opponent's decisions in the current game: the same again, also where it thinks of others."""

    async def play(self, game: Game[Any]) -> int:
        """Play until the person has had enough, save the records, and return the exit code. Raises LocalError."""
        try:
            with GAMES.named_in_errors():
                while True:
                    await self._game(game)
                    if not await self._again():
                        return 0
        except Quit:
            self._table.notify("you_left")
            return 0
        except asyncio.CancelledError:
            self._table.notify("you_left")
            raise
        finally:
            self._save()

    async def _game(self, game: Game[Any]) -> None:
        """Play one game to its end, from which the person may also go back."""
        seed = self._seed()
        practice = begin(game, seeded(seed), Random(seed).randrange(2))  # noqa: S311 - nobody has to trust it
        self._replies.clear()
        self._keeper.begin(practice)
        self._table.begun(game, self._keeper.names(), practice.me)
        self._table.notify("practice_begins")
        self._show(practice, 0)
        await self._to_the_end(practice)

    async def _to_the_end(self, practice: Practice) -> None:
        while practice.deciders:
            try:
                actions = {}
                for player in sorted(practice.deciders, key=lambda player: player != practice.me):
                    asked = self._own if player == practice.me else self._reply
                    actions[player] = await asked(practice)
            except TakeBack:
                practice = self._taken_back(practice)
                continue
            count, practice = len(practice.steps), practice.decide(actions)
            self._keeper.practice = practice
            self._show(practice, count)

    async def _own(self, practice: Practice) -> Action:
        return await self._person.decide(practice.state, practice.me)

    async def _reply(self, practice: Practice) -> Action:
        """Return the opponent's decision, which does not depend on a choice that is made at the same time."""
        if practice.steps not in self._replies:
            other, state = practice.other, practice.state
            self._replies[practice.steps] = await self._opponent.decide(state, other)
        return self._replies[practice.steps]

    async def _again(self) -> bool:
        """Return whether the person wants another game, once they do not take anything back in this one."""
        while True:
            self._save()
            try:
                return await self._table.confirm("practice_again")
            except Quit:
                return False
            except TakeBack:
                await self._to_the_end(self._taken_back(self._keeper.practice))

    def _taken_back(self, practice: Practice) -> Practice:
        """Return the game at the person's last decision, and show it; the same game if there is none."""
        earlier = practice.undone()
        if earlier is None:
            self._table.notify("undo_nothing")
            return practice
        self._keeper.practice = earlier
        self._table.taken_back(list(earlier.since(0)), earlier.state)
        return earlier

    def _show(self, practice: Practice, count: int) -> None:
        """Show the steps after the first `count`."""
        for before, step, after in practice.since(count):
            self._table.stepped(before, step, after)

    def _save(self) -> None:
        """Save the record, and say where it is; an error costs nobody the game."""
        try:
            if path := self._keeper.save():
                self._table.notify("practice_kept", path=path, name=path.stem)
        except LocalError as error:
            self._table.notify("practice_not_kept", reason=error)
