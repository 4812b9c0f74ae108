"""The user's own command: the names are data, it holds nothing up, leaves nothing behind, and fails in one sentence."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2p_shanghaien.app.turn_command import TurnCommand, filled, harmless

REPORT = """
import json, os, sys
seen = {name: os.environ.get(name) for name in ("SHANGHAIEN_OPPONENT", "SHANGHAIEN_GAME", "SHANGHAIEN_INVITATION")}
print("to standard output"); print("to standard error", file=sys.stderr)
seen |= {"arguments": sys.argv[2:], "terminal": sys.stdin.isatty(), "session": os.getsid(0) == os.getpid()}
with open(sys.argv[1], "w") as file:
    json.dump(seen, file)
"""
HOSTILE = [
    "-x",
    "--help",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    '" & touch pwned & "',
    "'; touch pwned; '",
    "{game}",
    "{opponent}",
    "%s%n",
    "a\nb",
    "O'Brien",
    "Ada -x --y",
    "<b>|>",
    "\\",
    "Zoë 漢 \U0001f600",
    "@file",
    "/etc/passwd",
]


async def ended(path: Path) -> dict[str, object]:
    """Return what the command has reported, once it is there."""
    async with asyncio.timeout(30):
        while True:
            if path.exists() and (text := path.read_text()):
                found: dict[str, object] = json.loads(text)
                return found
            await asyncio.sleep(0.01)


async def told(words: Sequence[str], times: int = 1, seconds: float = 10) -> list[tuple[str, dict[str, object]]]:
    """Return what is told of failures when the command is run so many times, one after the other."""
    failures: list[tuple[str, dict[str, object]]] = []
    command = TurnCommand(words)
    for _ in range(times):
        before = len(failures)
        command("Ben", "Shanghaien", lambda code, **details: failures.append((code, details)))
        end = time.monotonic() + (seconds if not before else 0.5)
        while len(failures) == before and time.monotonic() < end:
            await asyncio.sleep(0.01)
    return failures


@pytest.mark.parametrize("name", HOSTILE)
async def test_the_name_is_data(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: object) -> None:
    """It is one argument that is no option, and unchanged in the environment; nothing else is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHANGHAIEN_INVITATION", "secret")
    script, report = tmp_path / "report.py", tmp_path / "report.json"
    script.write_text(REPORT)
    words = [sys.executable, str(script), str(report), "{opponent}", "{opponent} at {game}", "{other}", "$HOME"]
    TurnCommand(words)(name, "Shanghaien", lambda code, **details: pytest.fail(code))
    seen = await ended(report)
    assert seen["SHANGHAIEN_OPPONENT"] == name
    assert seen["SHANGHAIEN_GAME"] == "Shanghaien"
    assert seen["SHANGHAIEN_INVITATION"] is None
    assert seen["arguments"] == [harmless(name), f"{harmless(name)} at Shanghaien", "{other}", "$HOME"]
    assert not seen["terminal"]
    assert seen["session"]
    assert not (tmp_path / "pwned").exists()
    out, errors = capfd.readouterr()  # type: ignore[attr-defined]
    assert (out, errors) == ("", ""), "its output goes nowhere"


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("script", ["echo {opponent}", 'echo "{opponent}"', "echo '{opponent}'", "x={opponent}"])
async def test_not_even_a_shell_that_the_user_has_named_takes_it_for_code(
    tmp_path: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = tmp_path / "done"
    TurnCommand(["sh", "-c", f"{script}; touch done"])(name.replace("\n", " "), "Shanghaien", lambda code, **_: None)
    async with asyncio.timeout(30):
        while not done.exists():
            await asyncio.sleep(0.01)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_in_an_argument_is_no_option_and_no_code(name: str) -> None:
    written = harmless(name)
    assert not written.startswith("-")
    assert " " not in written
    assert not set(written) & set("$`\"'\\;&|<>(){}[]*?~#!%=/@^")
    assert harmless("Anna-Lena St. Clair_7").replace("\xa0", " ") == "Anna-Lena St. Clair_7"
    assert harmless("O'Brien") == "O\N{RIGHT SINGLE QUOTATION MARK}Brien"


def test_the_first_word_is_never_filled_and_a_name_is_filled_once() -> None:
    names = {"opponent": "{game}", "game": "Shanghaien"}
    assert filled(["{game}", "{opponent}", "{game}"], names) == ["{game}", "\uff5bgame\uff5d", "Shanghaien"]


async def test_it_returns_at_once_and_is_not_run_twice_at_a_time(tmp_path: Path) -> None:
    script = "import sys, time; open(sys.argv[1], 'a').write('x'); time.sleep(float(sys.argv[2]))"
    count = tmp_path / "count"
    command = TurnCommand([sys.executable, "-c", script, str(count), "1.5"])
    begun = time.monotonic()
    for _ in range(20):
        command("Ben", "Shanghaien", lambda code, **_: None)
    assert time.monotonic() - begun < 1
    await asyncio.sleep(1)
    assert count.read_text() == "x"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
async def test_no_process_is_left_behind(tmp_path: Path) -> None:
    done = tmp_path / "done"
    command = TurnCommand(["sh", "-c", f"echo $$ > {done}"])
    command("Ben", "Shanghaien", lambda code, **_: None)
    async with asyncio.timeout(30):
        while not (done.exists() and done.read_text()):
            await asyncio.sleep(0.01)
        child = Path(f"/proc/{done.read_text().strip()}")
        while child.exists() and f"\nPPid:\t{os.getpid()}\n" in (child / "status").read_text():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("words", "code", "details"),
    [
        (["no-such-program-here"], "on_turn_not_run", {"reason": "No such file or directory"}),
        ([os.devnull], "on_turn_not_run", {"reason": "Permission denied"}),
        (["sh", "-c", "exit 3"], "on_turn_failed", {"status": 3}),
        (["sh", "-c", "kill -9 $$"], "on_turn_failed", {"status": 137}),
    ],
)
async def test_a_failure_is_told_once(words: Sequence[str], code: str, details: dict[str, object]) -> None:
    assert await told(words, times=3) == [(code, {"command": words[0], **details})]


async def test_success_is_told_by_nobody() -> None:
    assert await told(["true"], seconds=0.5) == []


def test_a_failure_after_the_game_is_nobodys_business(tmp_path: Path) -> None:
    """The event loop has closed meanwhile."""
    done = tmp_path / "done"

    async def play() -> None:
        TurnCommand(["sh", "-c", f"sleep 0.3; touch {done}; exit 1"])("Ben", "Shanghaien", lambda code, **_: None)

    asyncio.run(play())
    end = time.monotonic() + 10
    while not done.exists() and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.2)
    assert done.exists()
