"""Text records (`.shrec`) of any game, and the events of a replay (protocol/RECORD.md).

This module has what is the same for every game: tags, comments, positions in the text, unfinished and ended games. A
game supplies the meaning of its move text (`Game.read`, `Game.write`) and its own events (`Game.events`).
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import GameCode
from p2p_shanghaien.games.api import (
    Acted,
    Chosen,
    DataMissing,
    Game,
    InvalidSetting,
    RecordReader,
    State,
    Step,
    Terminal,
    Token,
    Turn,
    advance,
)

__all__ = [
    "ABANDONED",
    "MAX_RECORD",
    "PRACTICE",
    "RESIGNED",
    "UNKNOWN_NAME",
    "Ended",
    "Record",
    "events",
    "read",
    "write",
]

UNKNOWN_NAME: Final = "?"
MAX_RECORD: Final = 1 << 20
"""The limit of bytes; a whole game takes well under 2 KiB."""

PRACTICE: Final[Mapping[str, str]] = {"Practice": "yes"}
"""The tag of a game on the rules alone, in which decisions may have been taken back."""

RESIGNED: Final = "resigned"
ABANDONED: Final = "abandoned"
"""Reasons for an end before the rules ended the game: as records and replays spell them, and as results sign them."""

_ENDED = re.compile(f"(?:([01]) {RESIGNED}|{ABANDONED})")
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\]')
_SPACE = re.compile(r"[ \t]+|;.*")
_TOKEN = re.compile(r"[^ \t;]+")


class Ended(NamedTuple):
    """An end before the rules ended the game: `by` resigned, or (None) it was abandoned by consent."""

    by: int | None

    @property
    def reason(self) -> str:
        """The reason as records and replays spell it."""
        return ABANDONED if self.by is None else RESIGNED

    @property
    def winner(self) -> int | None:
        """The player who did not resign, or None if the game was abandoned."""
        return None if self.by is None else 1 - self.by


@dataclass(frozen=True)
class Record:
    """The course of a game, read from text or from a signed log.

    `names` are player 0's and player 1's; `tags` are unknown ones, kept as they are; `seats` (logs only) the seats of
    player 0 and player 1, drawn together with the first step.
    """

    game: Game[Any]
    names: tuple[str, str] = (UNKNOWN_NAME, UNKNOWN_NAME)
    steps: tuple[Step, ...] = ()
    ended: Ended | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[int, int] | None = None

    @property
    def is_practice(self) -> bool:
        """True if decisions may have been taken back: the game counts nowhere."""
        return self.tags.items() >= PRACTICE.items()

    def positions(self) -> Iterator[State]:
        """Yield the position at the start and after each step."""
        state = self.game.start()
        yield state
        for step in self.steps:
            state = advance(state, step)
            yield state

    def last(self) -> State:
        """Return the last position of the game."""
        *_, state = self.positions()
        return state


def read(data: bytes, games: Mapping[str, type[Game[Any]]]) -> Record:
    """Return the record in `data`. `games` are those that a Game tag may name. Raises RecordError."""
    lines = _lines(data)
    tags, tokens = _split(lines)
    game = _game(tags, games)
    reader = RecordReader(game.start())
    game.read(tokens, reader)
    ended = _ended(tags, reader.state)
    _check_result(tags, reader.state)
    known = {"Game", "First", "Second", "Result", "Ended", *(_tag_name(s.name) for s in game.SETTINGS)}
    return Record(
        game=game,
        names=(_value(tags, "First"), _value(tags, "Second")),
        steps=tuple(reader.steps),
        ended=ended,
        tags={name: value for name, (value, _) in tags.items() if name not in known},
    )


def write(record: Record) -> str:
    """Return the text of a record, in canonical spelling, ending in a newline."""
    tags = {"Game": record.game.NAME, "First": record.names[0], "Second": record.names[1]}
    tags |= {_tag_name(name): value for name, value in record.game.settings}
    last = record.last().node
    if isinstance(last, Terminal):
        tags["Result"] = _result(last)
    elif record.ended:
        tags["Ended"] = record.ended.reason if record.ended.by is None else f"{record.ended.by} {record.ended.reason}"
    tags |= record.tags
    header = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*header, "", *record.game.write(record.steps), ""])


def events(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the events of a replay, as `shanghaien replay --json` prints them."""
    if record.steps or record.seats is None:
        players = {"event": "players", "names": list(record.names), **record.game.settings_fields()}
        yield players if record.seats is None else {**players, "seats": list(record.seats)}
    state = record.game.start()
    happened: list[dict[str, Any]] = []
    for step in record.steps:
        yield from _decisions(state, step)
        after = advance(state, step)
        new = [*record.game.events(state, step, after, happened)]
        yield from new
        happened += new
        state = after
    if isinstance(state.node, Terminal):
        return
    if record.ended:
        yield {"event": "ended", "reason": record.ended.reason, "by": record.ended.by, "winner": record.ended.winner}
    else:
        yield {"event": "unfinished", "to_act": state.node.player if isinstance(state.node, Turn) else None}


def _decisions(state: State, step: Step) -> Iterator[dict[str, Any]]:
    match step:
        case Acted(player, action):
            made: tuple[tuple[int, str], ...] = ((player, action),)
        case Chosen(actions):
            made = tuple(enumerate(actions))
        case _:
            made = ()
    for player, action in made:
        yield {"event": "decision", "player": player, "legal": sorted(state.legal(player)), "action": action}


def _lines(data: bytes) -> list[str]:
    if len(data) > MAX_RECORD:
        raise Token("", 1, 1).error(GameCode.RECORD_TOO_LONG, limit=MAX_RECORD)
    data = data.removeprefix(BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        column = len(before) - before.rfind("\n")
        where = Token(f"\\x{data[error.start]:02x}", before.count("\n") + 1, column)
        raise where.error(GameCode.NOT_UTF8) from None
    return [line.removesuffix("\r") for line in text.split("\n")]


def _split(lines: Iterable[str]) -> tuple[dict[str, tuple[str, Token]], list[Token]]:
    """Return the tags, each with its place, and the tokens of the move text."""
    tags: dict[str, tuple[str, Token]] = {}
    tokens: list[Token] = []
    for number, line in enumerate(lines, start=1):
        at = 0
        while at < len(line):
            if space := _SPACE.match(line, at):
                at = space.end()
                continue
            if line[at] == "[":
                at = _read_tag(line, number, at, tags, tokens)
                continue
            found = _TOKEN.match(line, at)
            assert found is not None, "whatever is neither space nor comment is a token"
            tokens.append(Token(found.group(), number, at + 1))
            at = found.end()
    return tags, tokens


def _read_tag(line: str, number: int, at: int, tags: dict[str, tuple[str, Token]], tokens: Sequence[Token]) -> int:
    """Add the tag that begins at `at`; return where it ends."""
    found = _TAG.match(line, at)
    token = Token(found.group() if found else line[at:], number, at + 1)
    if not found:
        raise token.error(GameCode.BAD_TAG)
    if tokens:
        raise token.error(GameCode.TAG_AFTER_MOVES)
    name, value = found.groups()
    if name in tags:
        raise token.error(GameCode.TAG_TWICE, tag=name)
    tags[name] = (re.sub(r"\\(.)", r"\1", value), token)
    return found.end()


def _game(tags: Mapping[str, tuple[str, Token]], games: Mapping[str, type[Game[Any]]]) -> Game[Any]:
    if "Game" not in tags:
        raise Token("", 1, 1).error(GameCode.NO_GAME_TAG)
    name, token = tags["Game"]
    if name not in games:
        raise token.error(GameCode.UNKNOWN_GAME, game=name, known=", ".join(games))
    kind = games[name]
    given = {s.name: tags[_tag_name(s.name)] for s in kind.SETTINGS if _tag_name(s.name) in tags}
    try:
        game = kind.from_settings({setting: value for setting, (value, _) in given.items()})
    except (InvalidSetting, DataMissing) as error:
        _, token = given[error.setting]
        raise token.error(error.code, **error.details) from None
    spelled = dict(game.settings)
    for setting, (value, token) in given.items():
        # an option on a command line may have other spellings
        if value != spelled[setting]:
            raise token.error(GameCode.TAG_SPELLING, tag=_tag_name(setting), value=value, spelled=spelled[setting])
    return game


def _ended(tags: Mapping[str, tuple[str, Token]], state: State) -> Ended | None:
    if "Ended" not in tags:
        return None
    value, token = tags["Ended"]
    found = _ENDED.fullmatch(value)
    if not found:
        raise token.error(GameCode.BAD_ENDED, value=value)
    if isinstance(state.node, Terminal):
        raise token.error(GameCode.ENDED_BUT_OVER, value=value)
    return Ended(int(found.group(1)) if found.group(1) else None)


def _check_result(tags: Mapping[str, tuple[str, Token]], state: State) -> None:
    if "Result" not in tags:
        return
    value, token = tags["Result"]
    if not isinstance(state.node, Terminal):
        raise token.error(GameCode.RESULT_BUT_UNFINISHED, value=value)
    if value != _result(state.node):
        raise token.error(GameCode.RESULT_NOT_REACHED, value=value, reached=_result(state.node))


def _value(tags: Mapping[str, tuple[str, Token]], name: str) -> str:
    return tags[name][0] if name in tags else UNKNOWN_NAME


def _tag_name(setting: str) -> str:
    return setting.capitalize()


def _result(over: Terminal) -> str:
    return f"{over.scores[0]}-{over.scores[1]}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
