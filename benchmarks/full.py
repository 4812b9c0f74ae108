"""The full screen: from the start of the program to the first screen, and from a key to what it changes."""

import asyncio
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from statistics import median

from benchmarks.report import Row
from benchmarks.starting import compiled

RUNS = 7


def _bare(environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True, env=environment)
    return time.perf_counter() - began


def _first_screen(environment: dict[str, str]) -> float:
    """Seconds until the full screen stands in a new terminal of 80 by 24."""
    primary, secondary = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        program = subprocess.Popen(
            [sys.executable, "-m", "p2p_shanghaien", "play"],
            stdin=secondary,
            stdout=secondary,
            stderr=secondary,
            env={**environment, "TERM": "xterm-256color", "SHANGHAIEN_HOME": home},
        )
        seen = b""
        while b"Help" not in seen and select.select([primary], [], [], 20)[0]:
            seen += os.read(primary, 65536)
        took = time.perf_counter() - began
        program.kill()
        program.wait()
    os.close(primary)
    os.close(secondary)
    return took


async def _key() -> float:
    """Seconds from a key to the lines that show what it picked, terminal aside; the median of many."""
    from textual.events import Key

    from p2p_shanghaien.games.shanghaien.game import Shanghaien
    from p2p_shanghaien.settings import Settings
    from tests.ui.full.desk import full_table, settled, shown
    from tests.ui.full.test_screen import open_position

    table, state = full_table(Settings(theme="dark", ascii=False, speed="off")), open_position()
    times = []
    async with shown(table, (120, 40)) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        deciding = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        for _ in range(40):
            assert table.app.choosing
            before, began = table.app.choosing.picked, time.perf_counter()
            table.app.post_message(Key("3", "3"))
            while table.app.choosing.picked == before:  # noqa: ASYNC110 - waiting is what is measured
                await asyncio.sleep(0)
            table.app.screen._compositor.render_strips()
            times.append(time.perf_counter() - began)
        deciding.cancel()
        await asyncio.wait({deciding})
    return median(times)


def run() -> list[Row]:
    """Milliseconds; medians of runs in turn, after one that is not counted."""
    with tempfile.TemporaryDirectory() as cache:
        environment = compiled(cache)
        pairs = [(_bare(environment), _first_screen(environment)) for _ in range(RUNS + 1)][1:]
    ratio = median(ours / bare for bare, ours in pairs)
    return [
        Row("python -c pass", median(bare for bare, _ in pairs) * 1000, "ms", "", 1.0),
        Row("first full screen", median(ours for _, ours in pairs) * 1000, "ms", "python -c pass", ratio),
        Row("a key shows its effect", asyncio.run(_key()) * 1000, "ms", "", 1.0),
    ]
