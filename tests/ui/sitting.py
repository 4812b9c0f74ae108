"""A program to test from outside: `python -m tests.ui.sitting SCENE`, one scene of a person at the table."""

import asyncio
import sys
from contextlib import suppress
from random import Random

from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import Quit
from p2p_shanghaien.games.api import Acted, Chance, Drawn, State, Turn, advance
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.participant import Chat
from p2p_shanghaien.ui.plain import PlainTable

EVIL = ("Ada\x1b]52;c;ZXZpbA==\x07\x1b[6n\x9b6n", "\u202eBen\u200b\x1b[2J\u2066")


def rolled() -> State:
    state: State = Shanghaien().start()
    for step in (Drawn((5, 0, 0, 0, 0, 0)), Acted(0, "roll"), Drawn((4, 1))):
        state = advance(state, step)
    return state


async def decide(table: UserInterface, names: tuple[str, str] = ("Ada", "Ben")) -> None:
    """One decision; then says what was chosen."""
    table.begun(Shanghaien(), names, 0)
    state = rolled()
    try:
        table.notify("chat", name="chosen", text=await table.decide(state, 0))
    except Quit:
        table.notify("chat", name="chosen", text="to leave")


async def evil(table: PlainTable) -> None:
    table.notify("chat", name=EVIL[1], text=EVIL[0])
    await decide(table, EVIL)


async def evil_prompts(table: PlainTable) -> None:
    """Wait for the peer of this name; then ask a question about it."""
    table.begun(Shanghaien(), EVIL, 0)
    with suppress(Quit):
        await table.command()
    with suppress(Quit):
        await table.confirm("play_with_guest", name=EVIL[1])


async def evil_full(_: PlainTable) -> None:
    """At the full screen, in a decision."""
    from p2p_shanghaien.settings import Settings
    from p2p_shanghaien.ui.full.game import GameApp
    from p2p_shanghaien.ui.full.table import FullTable

    table = FullTable(GameApp(Settings(speed="off", bell=False), lambda settings: None))

    async def session() -> int:
        table.notify("chat", name=EVIL[1], text=EVIL[0])
        with suppress(asyncio.CancelledError):  # the person leaves
            await decide(table, EVIL)
        return 0

    await table.run_session(session())


async def news(table: PlainTable) -> None:
    """News every tenth of a second while the person types."""

    async def talk() -> None:
        for number in range(1000):
            table.notify("chat", name="news", text=number)
            await asyncio.sleep(0.1)

    talking = asyncio.create_task(talk())
    await decide(table)
    talking.cancel()
    with suppress(asyncio.CancelledError):
        await talking


async def warned(table: PlainTable) -> None:
    """Announce somebody who may not be who they say."""
    table.notify("waiting")
    table.notify("opponent_name_taken", name="Ben", remote="192.0.2.7")
    table.notify("key_to_check", name="Ben", key="0123 4567")
    agreed = await table.confirm("play_with_doubtful_guest", name="Ben")
    table.notify("chat", name="agreed", text=agreed)


async def hung_up(table: PlainTable) -> None:
    """The connection ends while the person types; then there is another question."""
    deciding = asyncio.create_task(decide(table))
    await asyncio.sleep(2)
    deciding.cancel()
    with suppress(asyncio.CancelledError):
        await deciding
    table.notify("broken_off")
    again = await table.confirm("play_again", result="")
    table.notify("chat", name="again", text=again)


async def broken(table: PlainTable) -> None:
    """Something that nobody foresaw goes wrong while the person types."""
    deciding = asyncio.create_task(decide(table))
    await asyncio.sleep(2)
    assert not deciding.done()
    raise RuntimeError("unforeseen")


async def busy(table: PlainTable) -> None:
    """Let the peer think while the person types too early."""
    table.notify("waiting")
    await asyncio.sleep(2)
    await decide(table)


async def talking(table: PlainTable) -> None:
    """Let the peer think for two seconds, then the person decides; commands are carried out as well."""
    table.begun(Shanghaien(), ("Ada", "Ben"), 0)
    state = rolled()

    async def listen() -> None:
        while True:
            command = await table.command()
            text = command.text if isinstance(command, Chat) else ""
            table.notify("chat", name=f"said {type(command).__name__}", text=text)

    listening = asyncio.create_task(listen())
    thinking = asyncio.create_task(asyncio.sleep(float(sys.argv[2])))
    try:
        await asyncio.wait({listening, thinking}, return_when=asyncio.FIRST_COMPLETED)
        if listening.done():
            listening.result()
        chosen = await table.decide(state, 0)
    except Quit:
        chosen = "to leave"
    listening.cancel()
    with suppress(asyncio.CancelledError, Quit):
        await listening
    table.notify("chat", name="chosen", text=chosen)


async def alive(table: PlainTable) -> None:
    """Count how often the event loop came round while the person was asked."""
    count = 0

    async def tick() -> None:
        nonlocal count
        while True:
            count += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.create_task(tick())
    await decide(table)
    ticking.cancel()
    table.notify("chat", name="ticks", text=count)


async def game(table: PlainTable) -> None:
    """A whole game against random moves, round 1 to the end; the person is player 0."""
    rng = Random(7)
    shanghaien = Shanghaien("extra-wild")
    table.begun(shanghaien, ("Ada", "Ben"), 0)
    state: State = shanghaien.start()
    while True:
        match state.node:
            case Turn(player):
                legal = state.legal(player)
                step: Acted | Drawn = Acted(player, await table.decide(state, 0) if not player else legal[-1])
            case Chance(bounds):
                step = Drawn(tuple(rng.randrange(bound) for bound in bounds))
            case _:
                return
        after = advance(state, step)
        table.stepped(state, step, after)
        state = after


SCENES = {
    scene.__name__: scene
    for scene in (decide, evil, evil_full, evil_prompts, news, warned, hung_up, broken, busy, talking, alive, game)
}

if __name__ == "__main__":
    asyncio.run(SCENES[sys.argv[1]](PlainTable()))
