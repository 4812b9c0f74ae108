"""A plugin for pytest: a run fails that leaves behind a program that it has started, and ends the program.

Every program inherits a variable with the name of the run, and so is found wherever it has got to; those of other runs
have other names. What comes to an end by itself just then is given the time.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import uuid4

import psutil
import pytest
from _pytest.terminal import TerminalReporter

VARIABLE: Final = "SHANGHAIEN_TEST_RUN"
PATIENCE: Final = float(os.environ.get("SHANGHAIEN_TEST_PATIENCE", "10"))
"""Seconds in which whatever was told to end must have ended."""
TRACKER: Final = "multiprocessing.resource_tracker"
"""Started by Python itself, and ended with the process that it belongs to."""

_found: Final[list[str]] = []


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        # a run within a test is one of its own
        os.environ[VARIABLE] = uuid4().hex


@pytest.hookimpl(trylast=True)  # once the processes are gone that tests were handed out to
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    _, left = psutil.wait_procs(list(_started(os.environ[VARIABLE])), PATIENCE)
    _found[:] = map(_description, left)
    _end(left)
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    if _found:
        terminalreporter.section("left behind, and ended now", red=True)
        for line in _found:
            terminalreporter.write_line(line)


def _started(run: str) -> Iterator[psutil.Process]:
    """Yield the processes of that run."""
    for process in psutil.process_iter():
        try:
            # this one, and any that has ended and is not waited for, has no such variable
            if process.environ().get(VARIABLE) == run and TRACKER not in " ".join(process.cmdline()):
                yield process
        except psutil.Error:
            continue


def _description(process: psutil.Process) -> str:
    try:
        return f"{process.pid} ({process.status()}): {' '.join(process.cmdline())}"
    except psutil.Error:
        return str(process)


def _end(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(processes, PATIENCE)
