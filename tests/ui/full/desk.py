"""A full screen without a terminal, and whole games at it, in memory."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from string import ascii_letters
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual._context import visible_screen_stack
from textual.pilot import Pilot
from textual.strip import Strip

from p2p_shanghaien.app.participants.human import Person
from p2p_shanghaien.errors import ConnectionLost
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Simultaneous, Step, Terminal, Turn, advance
from p2p_shanghaien.games.api import Game as Rules
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.series import Series
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.drawing import means_of
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from tests.session.memory import Network, Seat, dialer, listener, seat

STILL = Settings(theme="dark", ascii=False, speed="off", bell=False)
"""Settings that do not depend on the terminal or the clock."""

STANDARD = Shanghaien("extra-wild")

Moves = list[tuple[Any, Step, Any]]


def full_table(settings: Settings = STILL) -> FullTable:
    """Return a full-screen table that keeps nothing."""
    return FullTable(GameApp(settings, lambda changed: None))


@asynccontextmanager
async def shown(table: FullTable, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The table's screen, without a terminal."""
    async with table.app.run_test(size=size) as pilot:
        yield pilot


async def settled(table: FullTable, pilot: Pilot[None]) -> None:
    """Wait until all that has happened is on the screen."""
    await table.app.events.join()
    await pilot.pause()


def drawn(sheet: CanvasWidget) -> Sequence[Text]:
    """Return what stands on a sheet; nothing before the screen has given it room."""
    return sheet.drawn(sheet.size.width) if sheet.size.width else ()


class Region(NamedTuple):
    """A place to click: cells from the left and the top, and what a click there means."""

    x: int
    y: int
    width: int
    height: int
    means: tuple[str, ...]


def regions(lines: Sequence[Text]) -> list[Region]:
    """Return the places to click; those of the same meaning that lie below each other are one."""
    found: list[Region] = []
    for y, line in enumerate(lines):
        for span in line.spans:
            if means := means_of(span.style):
                start, end = (cell_len(line.plain[:at]) for at in (span.start, span.end))
                new = Region(start, y, end - start, 1, means)
                above = [each for each in found if (each.x, each.width, each.means) == (new.x, new.width, means)]
                if above and above[-1].y + above[-1].height == y:
                    found[found.index(above[-1])] = above[-1]._replace(height=above[-1].height + 1)
                else:
                    found.append(new)
    return found


def text(table: FullTable) -> str:
    """Return the characters on the screen."""
    return characters(table.app)


def characters(app: FullScreen[Any]) -> str:
    """Return the characters on the screen of `app`."""
    width, height = app.size
    lines = strips(app) if app.screen else []
    return "\n".join("".join(segment.text for segment in strip)[:width].rstrip() for strip in lines[:height])


def strips(app: FullScreen[Any]) -> list[Strip]:
    """Draw the screen of `app`, and what is seen behind it, as it is now."""
    visible_screen_stack.set(list(app._background_screens))  # noqa: SLF001 - Textual has no other way
    return app.screen._compositor.render_strips()  # noqa: SLF001


def styles(table: FullTable) -> str:
    """Return how each cell of the screen is drawn: a letter for each style, and what the letters stand for."""
    return drawn_with(table.app)


def drawn_with(app: FullScreen[Any]) -> str:
    """Return the styles on the screen of `app`, as `styles` gives them."""
    width, height = app.size
    letters: dict[str, str] = {}
    lines = []
    for strip in strips(app)[:height]:
        cells = ""
        for segment in strip:
            style = segment.style
            name = str(style.clear_meta_and_links()) if style else "none"
            letter = letters.setdefault(name, ascii_letters[len(letters)])
            cells += letter * segment.cell_length
        lines.append(cells[:width])
    return "\n".join([*lines, *(f"{letter} {name}" for name, letter in letters.items())])


def moves(seed: int, game: Rules[Any] = STANDARD) -> Moves:
    """Return a whole game at random: each position, what happened, and the position after it."""
    rng = random.Random(seed)
    state = game.start()
    done: Moves = []
    while not isinstance(state.node, Terminal):
        match state.node:
            case Turn(player):
                step: Step = Acted(player, rng.choice(state.legal(player)))
            case Chance(bounds):
                step = Drawn(tuple(rng.randrange(bound) for bound in bounds))
            case Simultaneous():
                step = Chosen((rng.choice(state.legal(0)), rng.choice(state.legal(1))))
        after = advance(state, step)
        done.append((state, step, after))
        state = after
    return done


class Game:
    """A game in memory between the person at `table`, who is the host, and a guest who plays at random."""

    def __init__(self, table: FullTable, seed: int = 7, guest_name: str = "Ben", game: Rules[Any] = STANDARD) -> None:
        rng = random.Random(seed)
        self.table = table
        self.host: Seat = seat("Ada", rng)
        self.guest: Seat = seat(guest_name, rng)
        side = replace(self.host.side, observer=table, decider=Person(table), recognise=lambda _: ())
        self._hello = partial(side.host_hello, game)
        self._door = listener(side, self._hello, deadline=5)
        self._network = Network(self._door)
        self._call = dialer(self._network.dial, self.guest.side)
        self._side = side

    async def play(self) -> int:
        """Return the host's side of it, as `FullTable.run_session` wants a session."""
        await host_games(self._door, lambda: Series(self._side, self._door, self._hello), self.table)
        return 0

    async def join(self) -> None:
        """The guest's side of it."""
        with suppress(ConnectionLost):
            await Series(self.guest.side, self._call, self.guest.side.guest_hello).play()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["asyncio.Task[int]"]:
        """Both sides at play; gives the host's."""
        hosting, joining = asyncio.create_task(self.play()), asyncio.create_task(self.join())
        try:
            yield hosting
        finally:
            for task in (hosting, joining):
                task.cancel()
            await asyncio.wait({hosting, joining})
            await self._call.release()
            await self._network.close()
