"""The engine: our computer players for other programs, line by line (protocol/ENGINE.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from random import Random, SystemRandom
from typing import Any, BinaryIO, Final, TextIO

from p2p_shanghaien.errors import AppCode, ShanghaienError, UsageError
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Game, State, Terminal, deciders
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Evaluator, computer_player, evaluator, has_evaluator, levels
from p2p_shanghaien.players.options import options, ranked

PROTOCOL: Final = 1
MAX_LINE: Final = 8192
"""The limit of bytes of a line, its end included; a whole game takes well under 2 KiB."""
MAX_CHOICES: Final = 100
QUIT: Final = "quit"
STRONGEST: Final = "strongest"
"""The value of the option Level for the strongest player of the game."""


def lines(source: BinaryIO) -> Iterator[str | ShanghaienError]:
    """Yield each line until the end, or its error (ENGINE.md, section 1)."""
    while data := source.readline(MAX_LINE):
        if len(data) == MAX_LINE and not data.endswith(b"\n"):
            # reported at once: the rest of the line may be long in coming
            yield UsageError(AppCode.LINE_TOO_LONG, limit=MAX_LINE)
            while data and not data.endswith(b"\n"):
                data = source.readline(MAX_LINE)
            continue
        try:
            yield data.decode()
        except UnicodeDecodeError:
            yield UsageError(AppCode.LINE_NOT_UTF8)


class Engine:
    """An engine, which answers a line with lines. No input makes it fail.

    `describe` returns the text of an error, for the people behind the other program.
    """

    def __init__(
        self,
        games: Mapping[str, type[Game[Any]]],
        level: str | None = None,
        describe: Callable[[ShanghaienError], str] = str,
    ) -> None:
        self._games = games
        self._describe = describe
        self._level = level
        """The level that decides; None for the strongest of the current game."""
        self._choices = 0
        self._seed: int | None = None
        self._text = ""
        self._record: Record | None = None
        self._values: tuple[str, Evaluator[Any]] | None = None
        """The evaluator of the game of that name, kept from one decision to the next."""
        self._commands: Mapping[str, Callable[[str], Iterator[str]]] = {
            "engine": self._introduce,
            "isready": lambda _: iter(["readyok"]),
            "setoption": self._set_option,
            "newgame": self._new_game,
            "position": self._position,
            "legal": self._legal,
            "go": self._go,
            "stop": lambda _: iter(()),
        }

    def answer(self, line: str | ShanghaienError) -> Iterator[str]:
        """Yield the answers to a line, or to its error; nothing to an empty one."""
        if isinstance(line, ShanghaienError):
            yield self._refusal(line)
            return
        command, _, rest = line.strip().partition(" ")
        if not command:
            return
        try:
            if command not in self._commands:
                raise UsageError(AppCode.UNKNOWN_COMMAND, text=command, known=" ".join([*self._commands, QUIT]))
            yield from self._commands[command](rest)
        except ShanghaienError as error:
            yield self._refusal(error)

    def _refusal(self, error: ShanghaienError) -> str:
        return f"error {error.code.unqualified} {' '.join(self._describe(error).split())}"

    def _introduce(self, _: str) -> Iterator[str]:
        yield f"id name p2p-shanghaien {version('p2p-shanghaien')}"
        yield f"protocol {PROTOCOL}"
        for name, game in self._games.items():
            yield f"game {name} {game.RULES_VERSION}"
        known = " ".join(f"var {name}" for name in self._levels())
        yield f"option name Level type combo default {self._level or STRONGEST} {known}"
        yield f"option name MultiChoice type spin default {self._choices} min 0 max {MAX_CHOICES}"
        yield "option name Seed type spin"
        yield "engineok"

    def _set_option(self, text: str) -> Iterator[str]:
        match text.split():
            case ["name", name, "value", value]:
                pass
            case _:
                raise UsageError(AppCode.BAD_SET_OPTION)
        match name.casefold():
            case "level" if value in self._levels():
                self._level = None if value == STRONGEST else value
            case "multichoice" if (number := _number(value)) is not None and 0 <= number <= MAX_CHOICES:
                self._choices = number
            case "seed" if (number := _number(value)) is not None:
                self._seed = number
            case "level" | "multichoice" | "seed":
                raise UsageError(AppCode.BAD_OPTION_VALUE, option=name, value=value)
            case _:
                raise UsageError(AppCode.UNKNOWN_OPTION, option=name)
        yield from ()

    def _levels(self) -> tuple[str, ...]:
        """Return the values of the option Level."""
        return tuple(
            dict.fromkeys((STRONGEST, *(level for game in self._games if game in GAMES for level in levels(game))))
        )

    def _new_game(self, _: str) -> Iterator[str]:
        self._record, self._values = None, None
        yield from ()

    def _position(self, text: str) -> Iterator[str]:
        # after an error the next command must not be answered for the position before
        self._record = None
        self._text = text
        self._record = record.read(text.encode(), self._games)
        yield from ()

    def _legal(self, _: str) -> Iterator[str]:
        state = self._given().last()
        actions = [action for player in deciders(state.node) for action in state.legal(player)]
        yield " ".join(["legal", *sorted(set(actions))])

    def _go(self, text: str) -> Iterator[str]:
        given = self._given()
        game, state = given.game.NAME, given.last()
        player, told = _asked(text)
        able = deciders(state.node)
        if isinstance(state.node, Terminal):
            raise UsageError(AppCode.GAME_OVER_ALREADY)
        if not able:
            raise UsageError(AppCode.DRAW_AWAITED)
        if player is None and len(able) > 1:
            raise UsageError(AppCode.PLAYER_NEEDED)
        if player is None:
            player = able[0]
        if player not in able:
            raise UsageError(AppCode.OTHER_PLAYER_DECIDES, player=player)
        if told is not None and set(told) != set(state.legal(player)):
            raise UsageError(AppCode.OTHER_LEGAL_ACTIONS, known=" ".join(sorted(state.legal(player))))
        yield from self._info(game, state, player)
        yield f"bestmove {self._chosen(game, state, player)}"

    def _chosen(self, game: str, state: State, player: int) -> str:
        """Return the action: the same for the same position and seed, whatever was asked before."""
        if self._seed is None:
            rng: Random = SystemRandom()
        else:
            rng = Random(f"{self._seed} {player} {' '.join(self._text.split())}")  # noqa: S311 - to be the same again
        return computer_player(game, self._level or levels(game)[-1])(state, player, rng)

    def _info(self, game: str, state: State, player: int) -> Iterator[str]:
        """Yield the best choices, as `player` sees them."""
        if not (self._choices and has_evaluator(game)):
            return
        seen = ranked(options(state, player, self._evaluator(game)))
        for number, (action, value, _) in enumerate(seen[: self._choices], start=1):
            yield f"info choice {number} action {action} chance {value.chance:.4f} points {value.points:.2f}"

    def _evaluator(self, game: str) -> Evaluator[Any]:
        if self._values is None or self._values[0] != game:
            self._values = game, evaluator(game)
        return self._values[1]

    def _given(self) -> Record:
        """Return the game that was given last. Raises UsageError if there is none."""
        if self._record is None:
            raise UsageError(AppCode.NO_POSITION)
        return self._record


def _asked(text: str) -> tuple[int | None, Sequence[str] | None]:
    """Return the arguments of `go`: the player, and the legal actions."""
    words = text.split()
    player: int | None = None
    if words[:1] == ["player"]:
        if words[1:2] not in (["0"], ["1"]):
            raise UsageError(AppCode.BAD_GO)
        player, words = int(words[1]), words[2:]
    if not words:
        return player, None
    if words[0] != "legal":
        raise UsageError(AppCode.BAD_GO)
    return player, words[1:]


def _number(text: str) -> int | None:
    """Return an integer of at most 18 digits, or None."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def serve(engine: Engine, source: BinaryIO, output: TextIO) -> None:
    """Let `engine` answer the lines of `source` until one says quit, or there are no more."""
    for line in lines(source):
        if isinstance(line, str) and line.split()[:1] == [QUIT]:
            return
        output.writelines(answer + "\n" for answer in engine.answer(line))
        output.flush()
