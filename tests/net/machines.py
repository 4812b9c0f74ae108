"""Machines with cables between them: network namespaces of this one. They need Linux, root, iproute2 and util-linux.

A namespace has no name and lives as long as the process that holds it, which ends with ours: nothing stays behind, and
tests that run side by side never meet.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
SECONDS = 30  # for any one command


class Machine:
    """A machine with a network of its own: at first nothing but a loopback interface."""

    def __init__(self) -> None:
        self.holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.holder.stdin is not None
        assert self.holder.stdout is not None
        self.holder.stdin.write(b"?\n")
        self.holder.stdin.flush()
        assert self.holder.stdout.readline() == b"?\n"  # so it has left our own network by now
        self.pid = self.holder.pid
        try:
            # Duplicate address detection would take a second for each IPv6 address.
            self.set("net.ipv6.conf.all.accept_dad", 0)
            self.set("net.ipv6.conf.default.accept_dad", 0)
            self.ip("link set lo up")
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        try:
            self.holder.communicate(b"", SECONDS)
        finally:
            self.holder.kill()

    def inside(self, *command: str) -> list[str]:
        """`command` as it is run on this machine."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", *command]

    def run(self, *command: str, said: str = "") -> str:
        """Return what `command` prints on this machine. Its exit code alone says whether it has failed.

        Tools of the system complain on standard error of what other programs have left behind on the machine.
        """
        return self._done(*command, said=said).stdout

    def _done(self, *command: str, said: str = "") -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            self.inside(*command), cwd=ROOT, input=said, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, done
        return done

    def ip(self, command: str) -> str:
        return self.run("ip", *command.split())

    def set(self, name: str, value: int) -> None:
        """Set a switch of the kernel (sysctl) for this machine."""
        self.run("tee", "/proc/sys/" + name.replace(".", "/"), said=str(value))

    def cable(self, card: str, other: "Machine", others_card: str) -> None:
        """Connect `card` of this machine with `others_card` of the other one, and switch both on."""
        self.ip(f"link add {card} type veth peer name {others_card} netns {other.pid}")
        self.ip(f"link set {card} up")
        other.ip(f"link set {others_card} up")
        self.await_address(card)
        other.await_address(others_card)

    def await_address(self, card: str) -> None:
        """Until the kernel has given `card` its link-local address, which it does a little after it is switched on."""
        for _ in range(500):
            if self.ip(f"-6 address show dev {card} scope link -tentative"):
                return
            time.sleep(0.01)
        raise TimeoutError(card)

    def python(self, task: str, *arguments: object) -> list[str]:
        """Return the command that carries out `task` of tests/net/inside.py on this machine."""
        return self.inside(*_task(task, *arguments))

    def ask(self, task: str, *arguments: object) -> Any:
        """Return what `task` of tests/net/inside.py answers on this machine; being ours, it must not complain."""
        done = self._done(*_task(task, *arguments))
        assert done.stderr == "", done
        return json.loads(done.stdout)


def _task(name: str, *arguments: object) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "tests.net.inside", name, *map(str, arguments)]


class Hosting:
    """A task of tests/net/inside.py that goes on, on `machine`; `lines` are what it says, each as JSON."""

    def __init__(self, machine: Machine, task: str, *arguments: object) -> None:
        self._process = subprocess.Popen(
            machine.python(task, *arguments), cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            self.port: int = self.says()
        except BaseException:
            self._process.kill()
            self._process.communicate()
            raise

    def says(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _, said = self._process.communicate("", SECONDS)
        assert error is not None or (self._process.returncode, said) == (0, "")
