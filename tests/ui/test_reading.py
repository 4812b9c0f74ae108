"""Lines from where no terminal is: pipes, files, nothing at all."""

import asyncio
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.ui.reading import READ_AHEAD, PlainReader
from tests import preloaded
from tests.ui.desk import Desk
from tests.ui.terminal import ROOT

CHUNK = 4096
"""Bytes that are read at once."""


def run(scene: str, given: bytes = b"", source: IO[bytes] | None = None, **environment: str) -> str:
    """Return what the scene prints, with `given` as its standard input through a pipe, or else the file `source`."""
    env = {**os.environ, "PYTHONWARNINGS": "error", "LANGUAGE": "", **environment}
    with TemporaryFile() as output, TemporaryFile() as errors:
        if source:
            command = [sys.executable, "-m", "tests.ui.sitting", scene]
            process: preloaded.Process = subprocess.Popen(command, env=env, stdin=source, stdout=output, stderr=errors)
        else:
            process = preloaded.start([scene], env, output, errors, module="tests.ui.sitting")
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.write(given)
            with suppress(BrokenPipeError):
                process.stdin.close()
        try:
            code = process.wait(60)
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        errors.seek(0)
        assert (code, errors.read()) == (0, b"")
        return output.read().decode()


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        (b"3\n", "-5<"),
        (b"-2>\r\n", "-2>"),
        (b"\n\nnonsense\n-2>\n", "-2>"),
        (b"4", "-5>"),
        (b"", "to leave"),
        (b"nonsense\n", "to leave"),
        (b"\xff\xfe\n1\n", "-2<"),
        (b"1" * 100_000 + b"\n2\n", "-2>"),
        (b"1\n2\n3\n", "-2<"),
    ],
)
def test_lines_from_a_pipe(given: bytes, chosen: str) -> None:
    shown = run("decide", given)
    assert shown.splitlines()[-1] == f"| chosen: {chosen}"
    assert "\x1b" not in shown


def test_lines_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "moves"
    path.write_bytes(b"2\n")
    with path.open("rb") as file:
        assert "chosen: -2>" in run("decide", source=file)


def test_nothing_to_read() -> None:
    with open(os.devnull, "rb") as file:
        assert "chosen: to leave" in run("decide", source=file)


def test_no_input_at_all() -> None:
    """Standard input may be closed (`<&-` in a shell)."""
    program = f'"{sys.executable}" -m tests.ui.sitting decide <&-'
    done = subprocess.run(["sh", "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines()[-1] == "| chosen: to leave"


def test_a_whole_game_from_a_pipe() -> None:
    shown = run("game", b"1\n" * 1000)
    assert "The game is over" in shown
    assert "taken by" in shown
    assert "\x1b" not in shown
    assert not re.search("[\u2500-\u259f]", shown), "lines and blocks that a screen reader would spell out"
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_an_output_that_lacks_the_characters_gets_ascii(encoding: str) -> None:
    shown = run("decide", b"1\n", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert shown.isascii()
    assert "Round 1 of 8; you start; 42 cards in the pile" in shown


def test_an_endless_input_is_not_swallowed() -> None:
    """Whoever pipes `yes` into the game must not fill the memory."""
    down, up = os.pipe()
    desk = Desk()

    async def first_lines() -> list[str]:
        reader = PlainReader(desk.screen, down, interactive=False)
        lines = [await reader.read("?") for _ in range(3)]
        await asyncio.sleep(0.2)
        with suppress(BlockingIOError):
            assert os.write(up, endless[written:]) <= 2 * CHUNK, "so much has been taken"
        return [*lines, *[await reader.read("?") for _ in range(READ_AHEAD * 2)]]

    endless = b"".join(b"%d\n" % number for number in range(50_000))
    os.set_blocking(up, False)
    written = os.write(up, endless)
    assert asyncio.run(first_lines()) == [str(number) for number in range(3 + READ_AHEAD * 2)]
    os.close(up)


def test_a_cancelled_question_loses_no_line() -> None:
    down, up = os.pipe()
    desk = Desk()

    async def twice() -> str:
        reader = PlainReader(desk.screen, down, interactive=False)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read("first"), 0.1)
        os.write(up, b"later\n")
        return await reader.read("second")

    assert asyncio.run(twice()) == "later"
    os.close(up)


def test_the_end_is_the_end() -> None:
    down, up = os.pipe()
    os.close(up)
    desk = Desk()

    async def again() -> None:
        reader = PlainReader(desk.screen, down, interactive=False)
        for _ in range(3):
            with pytest.raises(Quit):
                await reader.read("?")

    asyncio.run(again())


def test_a_pipe_needs_no_terminal_library() -> None:
    code = (
        "import sys, asyncio; from p2p_shanghaien.ui.plain import PlainTable; PlainTable();"
        "print('prompt_toolkit' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=b"", capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
