"""A run of tests that leaves a program behind fails, says which, and ends it; and touches no other."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.sweeps import sweep

ROOT = Path(__file__).parents[1]

LEAVING = """
import subprocess, sys
def test_it():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", {name!r}], start_new_session=True)
"""
ENDING = """
import subprocess, sys
def test_it():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.5)", {name!r}], start_new_session=True)
"""


def run(folder: Path, test: str, processes: int, **environment: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_it.py").write_text(test.format(name=f"left by {folder}"))
    options = ["-p", "tests.leftovers", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={folder}"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-n", str(processes), str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def left(folder: Path) -> list[psutil.Process]:
    return [found for found in psutil.process_iter(["cmdline"]) if f"left by {folder}" in (found.info["cmdline"] or ())]


@sweep("processes", [0, 2], every=2)
def test_a_run_that_leaves_a_program_fails(tmp_path: Path, processes: int) -> None:
    ended = run(tmp_path, LEAVING, processes, SHANGHAIEN_TEST_PATIENCE="1")
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED, ended.stdout
    assert "1 passed" in ended.stdout
    assert f"left by {tmp_path}" in ended.stdout
    assert not left(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("processes", [0, 2])
def test_what_comes_to_its_end_is_given_the_time(tmp_path: Path, processes: int) -> None:
    ended = run(tmp_path, ENDING, processes)
    assert ended.returncode == pytest.ExitCode.OK, ended.stdout


@pytest.mark.thorough
def test_other_runs_are_left_alone(tmp_path: Path) -> None:
    """A program of this run, and one of nobody's, go on while another run ends."""
    commands = [sys.executable, "-c", "import time; time.sleep(300)", f"left by {tmp_path}"]
    nobodys = {name: value for name, value in os.environ.items() if name != "SHANGHAIEN_TEST_RUN"}
    programs = [subprocess.Popen(commands), subprocess.Popen(commands, env=nobodys)]
    try:
        assert run(tmp_path, ENDING, 0).returncode == pytest.ExitCode.OK
        assert [program.poll() for program in programs] == [None, None]
    finally:
        for program in programs:
            program.kill()
            program.wait()
