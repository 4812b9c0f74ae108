"""The interface of a game.

A game is a pure module: immutable states, no I/O, no clock, no randomness, no cryptography. The caller asks a state for
its node and supplies what that requires: an action, both players' simultaneous actions, or the indices of a bounded
draw. Player 0 is the one who starts; games know no seats.

An action is its notation: the string that records, logs and screens show. So the action that is typed, the one that is
signed and the one that a replay lists as legal are the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from p2p_shanghaien.errors import CannotConnect, Code, GameCode, Illegal, LocalError, Malformed, RecordError

__all__ = [
    "RANDOM",
    "Acted",
    "Action",
    "Chance",
    "Chosen",
    "Data",
    "DataMissing",
    "Drawn",
    "Game",
    "GameSpec",
    "InvalidSetting",
    "Node",
    "Part",
    "Reading",
    "ReadsData",
    "RecordReader",
    "S",
    "S_contra",
    "Setting",
    "Simultaneous",
    "State",
    "Step",
    "Terminal",
    "Token",
    "Transition",
    "Turn",
    "Unplayable",
    "Value",
    "action_of",
    "advance",
    "deciders",
    "has_decided",
]

Action: TypeAlias = str
"""An action in the game's notation."""

Value: TypeAlias = "bool | int | str | bytes | Sequence[Value] | None"
"""A value with a canonical encoding (protocol/SPEC.md, section 2)."""


class Turn(NamedTuple):
    """A node at which one player decides, in the open: `State.apply`."""

    player: int


class Simultaneous(NamedTuple):
    """A node at which both players decide, each without knowing the other's choice: `State.apply_joint`."""


class Chance(NamedTuple):
    """A node of draws, one below each bound, in order and all at once: `State.apply_chance`. Bounds are 1 to 65,536."""

    bounds: tuple[int, ...]


class Terminal(NamedTuple):
    """The end of the game by its own rules; `winner` is a player, or None for a draw."""

    scores: tuple[int, int]
    winner: int | None


Node: TypeAlias = Turn | Simultaneous | Chance | Terminal


def deciders(node: Node) -> tuple[int, ...]:
    """Return the players who decide: one, both at once, or none."""
    match node:
        case Turn(player):
            return (player,)
        case Simultaneous():
            return (0, 1)
        case _:
            return ()


class State(Protocol):
    """A position. Every `apply` method checks legality, leaves `self` as it is and returns the next position."""

    @property
    def node(self) -> Node:
        """The node: what must be supplied next."""
        ...

    def legal(self, player: int) -> tuple[Action, ...]:
        """Return every legal action of `player`, each once; empty if the player does not decide."""
        ...

    def apply(self, action: Action) -> Self:
        """Return the position after `action` of the player to move. Raises Illegal."""
        ...

    def apply_joint(self, actions: tuple[Action, Action]) -> Self:
        """Return the position after both players' simultaneous actions, player 0's first. Raises Illegal."""
        ...

    def apply_chance(self, indices: Sequence[int]) -> Self:
        """Return the position after the drawn `indices`, each from 0 and below its bound. Raises Illegal."""
        ...

    def encode(self) -> Value:
        """Return the complete position as a value, the same for equal positions on every machine."""
        ...


S = TypeVar("S", bound=State)
"""The type of a game's positions: a game declares `Game[S]`, and each of its parts takes positions of that type."""
S_contra = TypeVar("S_contra", bound=State, contravariant=True)
"""The same, for a part that only takes positions."""


class Acted(NamedTuple):
    """A step of a game: an `action` of `player`."""

    player: int
    action: Action


class Chosen(NamedTuple):
    """A step of a game: both players' simultaneous actions, player 0's first."""

    actions: tuple[Action, Action]


class Drawn(NamedTuple):
    """A step of a game: drawn indices."""

    indices: tuple[int, ...]


Step: TypeAlias = Acted | Chosen | Drawn


def action_of(step: Step, player: int) -> Action | None:
    """Return the action of `player` in `step`, or None if they decided nothing."""
    match step:
        case Acted(actor, action) if actor == player:
            return action
        case Chosen(actions):
            return actions[player]
        case _:
            return None


def has_decided(before: State, step: Step, player: int) -> bool:
    """Return whether `player` made a decision by `step`: an action without an alternative is none."""
    return action_of(step, player) is not None and len(before.legal(player)) > 1


class Transition(NamedTuple):
    """A step of a game, with the positions before and after it."""

    before: State
    step: Step
    after: State


def advance(state: S, step: Step) -> S:
    """Return the position after `step`. Raises Illegal, also if the node is of another kind or another player's."""
    match step:
        case Acted(player, action):
            if state.node != Turn(player):
                raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
            return state.apply(action)
        case Chosen(actions):
            return state.apply_joint(actions)
        case _:
            return state.apply_chance(step.indices)


class Token(NamedTuple):
    """A token of a record's move text; `line` and `column` count from 1."""

    text: str
    line: int
    column: int

    def error(self, code: Code, /, **details: object) -> RecordError:
        """Return the error `code` at this token."""
        return RecordError(code, line=self.line, column=self.column, token=self.text, **details)


class RecordReader(Generic[S]):
    """A reader that collects the steps of a game from its move text; `state` is the position after them."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.steps: list[Step] = []

    def take(self, step: Step, token: Token) -> None:
        """Append `step`, which `token` stands for. Raises RecordError, at the token, if the step is illegal."""
        try:
            self.state = advance(self.state, step)
        except Illegal as error:
            details = dict(error.details)
            if isinstance(step, Acted):
                details["legal"] = " ".join(sorted(self.state.legal(step.player)))
            raise token.error(error.code, **details) from None
        self.steps.append(step)


class Setting(NamedTuple):
    """An option of a game: `name` is the flag and (capitalised) the record's tag; `default` its value.

    `choices` are its values if they can be listed, for help and completion; `Game.from_settings` validates them.
    `names_data` if a value other than the default names data from outside by digest (`ReadsData`).
    """

    name: str
    default: str
    choices: tuple[str, ...] = ()
    names_data: bool = False


class InvalidSetting(Malformed):
    """A setting that a game does not have, or a value that it cannot have."""

    def __init__(self, code: Code, /, *, setting: str, **details: object) -> None:
        super().__init__(code, setting=setting, **details)
        self.setting = setting


class Unplayable(CannotConnect):
    """A game that cannot be played here. The code is also the reason with which a guest's program declines it."""


class DataMissing(Unplayable):
    """A setting that names data from outside, by its `digest`, which is not on this machine."""

    def __init__(self, *, game: str, setting: str, digest: str) -> None:
        super().__init__(GameCode.DATA_MISSING, game=game, setting=setting, digest=digest)
        self.setting = setting
        self.digest = digest


RANDOM: Final = "random"
"""The computer player that every game has."""


class Game(Protocol[S]):
    """A game with its options, and positions of the type `S`; `Game[Any]` is a game of any kind.

    Two are equal when name, rules version and options are.
    """

    NAME: ClassVar[str]
    RULES_VERSION: ClassVar[int]
    SETTINGS: ClassVar[tuple[Setting, ...]]

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        """Return the game with these options, absent ones at their defaults. Raises InvalidSetting."""
        ...

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Every option with its value in the canonical spelling, in the order of SETTINGS."""
        ...

    def start(self) -> S:
        """Return the position before anything has been drawn or done."""
        ...

    def read(self, tokens: Sequence[Token], reader: RecordReader[S]) -> None:
        """Give `reader` the steps of a record's move text. Raises RecordError."""
        ...

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield the lines of a record's move text for `steps`."""
        ...

    def settings_fields(self) -> dict[str, Any]:
        """Return the options as fields of the replay's `players` event."""
        ...

    def events(self, before: S, step: Step, after: S, earlier: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the replay events, decisions aside, of `step` from `before` to `after`.

        `earlier` are the events that it has yielded for the steps before.
        """
        ...

    def named_data(self) -> Mapping[str, bytes]:
        """Return the data from outside that the options name, by digest (`ReadsData`)."""
        return {}

    def data_news(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Yield in what these data differ from the usual ones, for a player who is offered them: codes with details."""
        yield from ()


Data: TypeAlias = Callable[[str], bytes | None]
"""Data from outside the games, such as decks of cards: bytes by their SHA-256, in 64 lower-case hexadecimal digits."""


class ReadsData(Protocol):
    """A game class with options that name data from outside by digest, so that both players and the log fix them.

    Games with equal options are equal, wherever their data were found.
    """

    @classmethod
    def reading(cls, data: Data) -> type[Game[Any]]:
        """Return the class that looks such data up in `data`.

        Its `from_settings` raises DataMissing if they are missing.
        """
        ...

    @classmethod
    def canonical_data(cls, setting: str, content: bytes) -> bytes:
        """Return the data, as they are named and kept, of a user's file with that content, for `setting`.

        A file that holds them in this form already is one, too. Raises Malformed.
        """
        ...


class Reading(Mapping[str, type[Game[Any]]]):
    """The rules in `games`, which find data from outside them in `data`."""

    def __init__(self, games: Mapping[str, type[Game[Any]]], data: Data) -> None:
        self._games: Mapping[str, Any] = games
        self._data = data
        self._reading: dict[type[Game[Any]], type[Game[Any]]] = {}

    def __getitem__(self, name: str) -> type[Game[Any]]:
        game = self._class(name)
        reading: Callable[[Data], type[Game[Any]]] | None = getattr(game, "reading", None)
        if reading is None:
            return game
        if game not in self._reading:
            # one class each, on which a game's equality may depend
            self._reading[game] = reading(self._data)
        return self._reading[game]

    def __contains__(self, name: object) -> bool:
        return name in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def _class(self, name: str) -> type[Game[Any]]:
        game: type[Game[Any]] = self._games[name]
        return game


class Part(NamedTuple):
    """A part of a game that is imported when it is first used; `place` is `module:attribute`."""

    place: str

    @property
    def module(self) -> str:
        """The module's full name."""
        return self.place.partition(":")[0]

    def load(self) -> Any:
        """Return the part. Raises LocalError if it cannot be imported."""
        try:
            return getattr(import_module(self.module), self.place.partition(":")[2])
        except Exception as error:
            raise LocalError(GameCode.GAME_PART_BROKEN, place=self.place, reason=repr(error)) from error


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """The declaration of a game in the entry-point group `p2p_shanghaien.games`.

    Every command with options of games imports the module that holds it, so that imports nothing but this one; each
    part is imported when it is first used.
    """

    name: str
    """The game's name in logs, records, hellos and options: lower-case letters, digits and hyphens, a letter first."""
    settings: tuple[Setting, ...]
    game: Part
    """The game class: `type[Game]`."""
    table: Part
    """The game in plain mode and as a picture: a `ui.view.Table`."""
    board: Part
    """The game in full-screen mode: a `ui.full.drawing.BoardView`."""
    words: Part
    """The game's sentences: English templates by code (`ui.language.Template`).

    They include `name`, the name on the box, and `help_SETTING` for each setting. Elsewhere a code of the game is
    prefixed with the game's name: `pig:rolled`. Translations are in the folder `locale` beside the module, as
    `locale/LANGUAGE/LC_MESSAGES/NAME.mo`, each under its code.
    """
    levels: Mapping[str, Part] = field(default_factory=dict)
    """The game's own computer players, weakest first: `players.ComputerPlayer`. Every game has `random` as well."""
    opponent: str = RANDOM
    """The default opponent."""
    evaluator: Part | None = None
    """A subclass of `players.Evaluator`: the value of positions, for hints, analysis and luck."""
    outlook: Part | None = None
    """A `games.outlook.Outlook`: what a stage may bring, for the tutor, which needs an evaluator as well."""
    chance: Part | None = None
    """A `games.chance.ChanceModel`: which draws are dice and which are cards."""
    lesson: Part | None = None
    """A `games.lesson.Lesson`: the game as `shanghaien learn` teaches it."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts that the game has."""
        others = (self.evaluator, self.outlook, self.chance, self.lesson)
        return (self.game, self.table, self.board, self.words, *self.levels.values(), *filter(None, others))
