"""The program in processes of their own, without the time that its imports take.

An interpreter that has imported what commands use waits to be forked, one for each process of a test run.
What is forked is a process like any other: it has the arguments, environment, working directory and streams that it is
given, and ends as an interpreter does. Where it needs settings that are read only at the start of an interpreter or of
the program, a new interpreter is started.
"""

import gc
import json
import os
import pkgutil
import re
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module, invalidate_caches
from typing import IO, Final, NamedTuple

MODULE: Final = "p2p_shanghaien"
STARTUP: Final = ("LANG", "LC_", "PYTHON")
"""Prefixes of variables that are read only when an interpreter starts, or when the program is imported."""

always_new = False
"""Start every program as people do, with an interpreter of its own."""


class Forked:
    """A process, with what tests use of `subprocess.Popen`. Standard input is a pipe."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], stdout: IO[str], stderr: IO[str]) -> None:
        self._connection, there = socket.socketpair()
        reading, writing = os.pipe()
        request = json.dumps([arguments, os.getcwd(), dict(env)]).encode()
        with there:
            socket.send_fds(_server().control, [b"."], [there.fileno(), reading, stdout.fileno(), stderr.fileno()])
        os.close(reading)
        self.stdin: IO[bytes] | None = os.fdopen(writing, "wb")
        self._connection.sendall(len(request).to_bytes(4) + request)
        self._answers = self._connection.makefile()
        self.pid = int(self._answers.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return what it ended with, or None if it still runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return what it ends with; raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(MODULE, timeout or 0)
            self.returncode = int(self._answers.readline())
            self._answers.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, if it still runs."""
        self.send_signal(signal.SIGKILL)


def start(
    arguments: Sequence[str], env: Mapping[str, str], stdout: IO[str], stderr: IO[str]
) -> "Forked | subprocess.Popen[bytes]":
    """Start the program."""
    if hasattr(os, "fork") and not always_new and _startup(env) == _startup(_initial()):
        return Forked(arguments, env, stdout, stderr)
    command = [sys.executable, "-m", MODULE, *arguments]
    return subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr)


def end() -> None:
    """End the interpreter that waits, if there is one."""
    if _server.cache_info().currsize:
        server = _server()
        server.control.close()
        server.process.wait()
        _server.cache_clear()


def _startup(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(STARTUP) and name != "PYTHONPATH"}


@cache
def _initial() -> Mapping[str, str]:
    """The environment of the interpreter that waits."""
    return {**os.environ, "PYTHONWARNINGS": "error", "LANGUAGE": "", "OPENBLAS_NUM_THREADS": "1"}


class _Server(NamedTuple):
    """The interpreter that waits; it ends when nobody can ask it any more."""

    control: socket.socket
    process: "subprocess.Popen[bytes]"


@cache
def _server() -> _Server:
    here, there = socket.socketpair()
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(there.fileno())],
            env=_initial(),
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    return _Server(here, process)


def _preload() -> None:
    """Import the program, but for the commands, whose options are those of the games that are installed."""
    import_module(f"{MODULE}.cli.main")
    package = import_module(MODULE)
    for module in pkgutil.walk_packages(package.__path__, f"{MODULE}."):
        if not re.search(r"\.(__main__|cli|research)\b", module.name):
            import_module(module.name)


def _serve(control: socket.socket) -> None:
    """Fork a process for each request; return in that process, or at the end of requests."""
    _preload()
    gc.collect()
    gc.freeze()  # what is never looked at is never copied
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 1, 4)
        if not message or not os.fork():
            break
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    control.close()
    if message:
        _oversee(*descriptors)


def _oversee(answers: int, *streams: int) -> None:
    """Run the program in a fork of this process, which tells how it ends; raises SystemExit where the program ends."""
    with socket.socket(fileno=answers) as connection, connection.makefile("rb") as requests:
        size = int.from_bytes(requests.read(4))
        arguments, folder, env = json.loads(requests.read(size))
        if pid := os.fork():
            for stream in streams:
                os.close(stream)
            connection.sendall(f"{pid}\n".encode())
            status = os.waitpid(pid, 0)[1]
            with suppress(BrokenPipeError):
                connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.path[0] = folder
    sys.path[1:1] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    invalidate_caches()
    sys.argv[1:] = arguments
    runpy.run_module(MODULE, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
