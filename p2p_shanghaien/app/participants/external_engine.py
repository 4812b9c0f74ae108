"""Computer players that are other programs, which speak protocol/ENGINE.md.

`engine:COMMAND` names one. It is started when it is first asked, and ends with this program. No game is lost by its
errors: if it dies, hangs or gives an illegal answer, the error is reported, and the game is kept so far.
"""

import asyncio
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BufferedReader
from multiprocessing.util import Finalize
from queue import Empty, Queue
from random import Random
from threading import Lock, Thread
from typing import Any, Final, NamedTuple

from p2p_shanghaien.app.engine_server import PROTOCOL, lines
from p2p_shanghaien.app.participants.machine import Machine
from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError
from p2p_shanghaien.games.api import Action, Game, State, Step
from p2p_shanghaien.games.record import Record, write
from p2p_shanghaien.players import ComputerPlayer
from p2p_shanghaien.shutdown import SHUTDOWN

PREFIX: Final = "engine:"
ENGINE: Final = "engine"
"""The name of such a player at the table: its command is private."""
STARTING: Final = 60.0
"""Seconds for the greeting of a program."""
THINKING: Final = 180.0
"""Seconds for a decision of a program."""
PATIENCE: Final = 1.0
"""Seconds for a program to end when asked; less than we have ourselves (`shutdown.DEADLINE`)."""
MAX_WORDS: Final = 200
"""The limit of characters of a program's error output that are shown."""
UNREAD: Final = 100
"""The limit of lines that wait to be read; then the program has to wait."""


class EngineError(LocalError):
    """The other program cannot be started, or violates the protocol."""


class EnginePlayer(NamedTuple):
    """An external program as a computer player (`players.Historian`); can be sent to other processes."""

    command: str

    def informed(self, game: Game[Any], steps: Sequence[Step]) -> ComputerPlayer[Any]:
        def choose(state: State, player: int, rng: Random) -> Action:  # noqa: ARG001
            return _running(self.command).decide(game, steps, state, player)

        return choose


class EngineParticipant(Machine):
    """An external program as a participant; `played` returns the game so far, whenever it is called.

    The constructor raises EngineError if the program cannot be started: before anything has begun.
    """

    def __init__(
        self, command: str, played: Callable[[], Record], name: str, thinks: Callable[[str | None], None]
    ) -> None:
        super().__init__(name, thinks)
        self._command = command
        self._played = played
        _running(command)

    async def _decide(self, state: State, player: int) -> str:
        try:
            return await asyncio.to_thread(self._answered, state, player)
        except asyncio.CancelledError:
            # nobody wants the answer any more; the thread that waits for it ends with the program
            if program := _programs.get(self._command):
                Thread(target=program.end, daemon=True).start()
            raise

    def _answered(self, state: State, player: int) -> str:
        played = self._played()
        return _running(self._command).decide(played.game, played.steps, state, player)


class EngineProcess:
    """A running program, used by one thread at a time. Every method raises EngineError for its errors."""

    def __init__(self, command: str, *, starting: float = STARTING, thinking: float = THINKING) -> None:
        self._command = command
        self._thinking = thinking
        self._lock = Lock()
        self._ends = Lock()
        self._heard: Queue[str | ShanghaienError | None] = Queue(UNREAD)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the program runs
        self._last_words = ""
        """Return its last line of standard error, once it has ended."""
        try:
            # in a session of its own, so that Ctrl-C at our terminal is ours alone
            self._process = subprocess.Popen(  # noqa: S603 - what our own user has typed
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                start_new_session=True,
            )
        except OSError as error:
            self._complaints.close()
            raise EngineError(
                AppCode.ENGINE_NOT_STARTED, command=command, reason=error.strerror or type(error).__name__
            ) from None
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert isinstance(stdout, BufferedReader)
        self._stdin = stdin
        Thread(target=self._listen, args=(stdout,), daemon=True).start()
        # also at the end of a tournament's processes, which run nothing of `atexit`
        Finalize(self, self.end, exitpriority=0)
        SHUTDOWN.last_resort.append(self._kill)
        try:
            self._introduced(time.monotonic() + starting)
        except EngineError:
            self.end()
            raise

    def decide(self, game: Game[Any], steps: Sequence[Step], state: State, player: int) -> Action:
        """Return the program's choice for `player` in `state`, which `steps` led to."""
        legal = state.legal(player)
        text = " ".join(write(Record(game, steps=tuple(steps))).split())
        with self._lock:
            self._say(f"position {text}", " ".join([f"go player {player} legal", *legal]))
            action = self._answer("bestmove", time.monotonic() + self._thinking)
        if action not in legal:
            raise EngineError(
                AppCode.ENGINE_ILLEGAL, command=self._command, action=action, known=" ".join(sorted(legal))
            )
        return action

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _introduced(self, deadline: float) -> None:
        self._say("engine")
        spoken = self._answer("protocol", deadline)
        if spoken != str(PROTOCOL):
            raise EngineError(AppCode.ENGINE_OTHER_PROTOCOL, command=self._command, theirs=spoken, ours=PROTOCOL)
        self._answer("engineok", deadline)
        self._say("isready")
        self._answer("readyok", deadline)

    def _answer(self, word: str, deadline: float) -> str:
        """Return the rest of the next line that begins with `word`.

        All other lines but errors are skipped.
        """
        while True:
            try:
                heard = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                self.end()
                raise EngineError(AppCode.ENGINE_SILENT, command=self._command, awaited=word) from None
            if heard is None:
                raise self._died()
            if isinstance(heard, ShanghaienError):
                self.end()
                raise EngineError(AppCode.ENGINE_BABBLES, command=self._command, reason=heard)
            first, _, rest = heard.strip().partition(" ")
            if first == word:
                return rest.strip()
            if first == "error":
                raise EngineError(AppCode.ENGINE_REFUSES, command=self._command, text=rest)

    def _say(self, *spoken: str) -> None:
        try:
            self._stdin.write("".join(f"{line}\n" for line in spoken).encode())
            self._stdin.flush()
        except OSError:
            raise self._died() from None

    def _listen(self, stdout: BufferedReader) -> None:
        with suppress(OSError), stdout as output:
            for line in lines(output):
                self._heard.put(line)
        self._heard.put(None)

    def _died(self) -> EngineError:
        self.end()
        code = AppCode.ENGINE_DIED_SAYING if self._last_words else AppCode.ENGINE_DIED
        return EngineError(code, command=self._command, status=self._process.returncode, text=self._last_words)

    def end(self) -> None:
        """End the program: by the end of its input, or else by force."""
        with self._ends:
            with suppress(OSError):
                self._stdin.close()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._kill()
                self._process.wait()
            if not self._complaints.closed:
                SHUTDOWN.last_resort.remove(self._kill)
                self._complaints.seek(0)
                complaints = self._complaints.read().decode(errors="replace").split("\n")
                self._last_words = next((line.strip()[:MAX_WORDS] for line in reversed(complaints) if line.strip()), "")
                self._complaints.close()

    def _kill(self) -> None:
        """End the program by force, and everything that it has started."""
        if os.name == "posix":
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


_programs: Final[dict[str, EngineProcess]] = {}
_starting: Final = Lock()


def _running(command: str) -> EngineProcess:
    """Return the program of that command, one for each process; restarted if it has ended. Raises EngineError."""
    with _starting:
        if command not in _programs or not _programs[command].is_alive:
            _programs[command] = EngineProcess(command)
        return _programs[command]
