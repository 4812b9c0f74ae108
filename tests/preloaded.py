"""The program in processes of their own, without the time that its imports take.

An interpreter that has imported what commands use waits to be forked, one for each process of a test run.
What is forked is a process like any other: it has the arguments, environment, working directory and streams or terminal
that it is given. It ends as an interpreter does, but does not take itself apart. Where it needs settings that are read
only at the start of an interpreter or of the program, a new interpreter is started.
"""

import atexit
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
from typing import IO, Any, AnyStr, Final, NamedTuple

import pytest

from tests import shortcuts

MODULE: Final = "p2p_shanghaien"
LAZY: Final = (
    *("click.shell_completion", "confusable_homoglyphs.confusables", "encodings.cp437", "encodings.idna", "mmap"),
    *("portalocker", "rich.progress"),
)
"""Modules from elsewhere that the program imports only when it needs them."""
STARTUP: Final = ("LANG", "LC_", "PYTHON")
"""Prefixes of variables that are read only when an interpreter starts, or when the program is imported."""

always_new = False
"""Start every program as people do, with an interpreter of its own."""


class Forked:
    """A process, with what tests use of `subprocess.Popen`.

    Its streams are a pipe for standard input and `outputs` for the others, or `terminal` for all three.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        env: Mapping[str, str],
        *,
        cwd: str = "",
        outputs: Sequence[IO[Any]] = (),
        terminal: int | None = None,
    ) -> None:
        self._connection, there = socket.socketpair()
        request = json.dumps([module, arguments, cwd or os.getcwd(), dict(env)]).encode()
        self.stdin: IO[bytes] | None = None
        with there:
            if terminal is not None:
                _server().request(there.fileno(), terminal)
            else:
                reading, writing = os.pipe()
                _server().request(there.fileno(), reading, *(output.fileno() for output in outputs))
                os.close(reading)
                self.stdin = os.fdopen(writing, "wb")
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


Process = Forked | subprocess.Popen[bytes]


def start(
    arguments: Sequence[str],
    env: Mapping[str, str],
    stdout: IO[AnyStr],
    stderr: IO[AnyStr],
    *,
    module: str = MODULE,
) -> Process:
    """Start the program, or another module."""
    if _can_fork(env):
        return Forked(module, arguments, env, outputs=(stdout, stderr))
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr)


def start_at_terminal(command: Sequence[str], env: Mapping[str, str], cwd: str, terminal: int) -> Process:
    """Start a command with a terminal of its own: its streams, and what sends it signals."""
    if tuple(command[:2]) == (sys.executable, "-m") and _can_fork(env):
        return Forked(command[2], command[3:], env, cwd=cwd, terminal=terminal)
    # only the process itself can take the terminal
    return subprocess.Popen(command, env=env, cwd=cwd, preexec_fn=lambda: os.login_tty(terminal))  # noqa: PLW1509


def _can_fork(env: Mapping[str, str]) -> bool:
    return hasattr(os, "fork") and not always_new and _startup(env) == _startup(_initial())


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

    def request(self, *descriptors: int) -> None:
        """Ask for a process with a connection to whoever asks, and with its streams."""
        socket.send_fds(self.control, [b"."], descriptors)


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
    """Import the program. The commands come last: their options are those of the games that are installed."""
    patch = pytest.MonkeyPatch()
    shortcuts.begin(patch)
    shortcuts.skip_the_disk(patch)
    import_module(f"{MODULE}.cli.main")
    package = import_module(MODULE)
    for module in pkgutil.walk_packages(package.__path__, f"{MODULE}."):
        if not re.search(r"\.(__main__|cli|research)\b", module.name):
            import_module(module.name)
    for name in LAZY:
        import_module(name)
    before = set(sys.modules)
    for place in import_module(f"{MODULE}.cli.main").COMMANDS.values():
        import_module(f"{MODULE}.cli.{place.partition(':')[0]}")
    _commands.extend(name for name in sys.modules if name not in before and name.startswith(MODULE))


def _forget_commands() -> None:
    """Have the commands imported again, as other games are installed here."""
    import_module(f"{MODULE}.games.registry").GAMES.refresh()
    for name in _commands:
        package, _, module = name.rpartition(".")
        del sys.modules[name]
        delattr(sys.modules[package], module)


_commands: Final[list[str]] = []
"""The modules that depend on which games are installed."""


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
        module, arguments, folder, env = json.loads(requests.read(size))
        if pid := os.fork():
            for stream in streams:
                os.close(stream)
            connection.sendall(f"{pid}\n".encode())
            status = os.waitpid(pid, 0)[1]
            with suppress(BrokenPipeError):
                connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os._exit(0)
    if len(streams) == 1:
        os.login_tty(*streams)
        # those that there are have been made for something else than a terminal
        made = {
            "stdin": os.fdopen(0, closefd=False),
            "stdout": os.fdopen(1, "w", closefd=False),
            "stderr": os.fdopen(2, "w", closefd=False, errors="backslashreplace"),
        }
        for name, new in made.items():
            setattr(sys, name, new)
            setattr(sys, f"__{name}__", new)
    else:
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
    os.chdir(folder)
    elsewhere = env.get("PYTHONPATH") != os.environ.get("PYTHONPATH")
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.path[0] = folder
    sys.path[1:1] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    invalidate_caches()
    if elsewhere or module != MODULE:
        _forget_commands()
    sys.argv[1:] = arguments
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int):
            _code.append(end.code)
        raise
    _code.append(0)


_code: Final[list[int]] = []
"""The exit code of the program in this process, once it has ended by itself."""


def _leave() -> None:
    """End a process that has a code to end with.

    To take the interpreter apart, as it would do now, is to copy nearly all memory that the process shares.
    """
    if not _code:
        return
    gc.collect()  # warns of what was left open
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # the interpreter says so
        return
    os._exit(_code[-1])


if __name__ == "__main__":
    atexit.register(_leave)  # before all others, and so after them
    _serve(socket.socket(fileno=int(sys.argv[1])))
