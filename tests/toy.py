"""A small game for tests, in which secret choices, draws and open turns each follow each.

A round: both secretly bid 1, 2 or 3. Equal bids are struck out and both bid again, or the round ends when none is
left. Bids one apart: the higher bidder draws a die and a treasure. Bids two apart: the lower bidder decides at once.
A drawn 1 brings a storm, another draw, which sinks the treasure or blows it to the other player; on a 2 or 3 whoever
drew keeps it; otherwise they decide. Deciding is to take the treasure, or, each once a round, to pass the decision
on or to dare another draw. Most treasure wins.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

from p2p_shanghaien.errors import Code, GameCode, Illegal
from p2p_shanghaien.games.api import (
    Acted,
    Action,
    Chance,
    Chosen,
    Drawn,
    Game,
    GameSpec,
    InvalidSetting,
    Node,
    Part,
    RecordReader,
    Setting,
    Simultaneous,
    Step,
    Terminal,
    Token,
    Turn,
    Value,
    advance,
)
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Die, Roll

INSTALLED: Final = Path(__file__).parent / "installed"
"""A folder that holds what an installer leaves behind for this game: on the path, the game is installed."""


def install(folder: Path, name: str, place: str) -> Path:
    """Leave in `folder` what an installer does: `place` declares the game of that name. The folder is returned."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[p2p_shanghaien.games]\n{name} = {place}\n", encoding="utf-8")
    return folder


BID: Final = "bid"
DRAW: Final = "draw"
STORM: Final = "storm"
TURN: Final = "turn"
OVER: Final = "over"

BIDS: Final = ("1", "2", "3")
TAKE: Final = "take"
PASS: Final = "pass"
DARE: Final = "dare"

CHANCES: Final = {DRAW: Chance((6, 300)), STORM: Chance((1, 65_536, 2))}
FOUND: Final = 10
"""The treasure of a round that began with a decision."""


class State(NamedTuple):
    """A position; `player` is who drew or decides, None while both bid."""

    phase: str
    left: int
    """Rounds still to be finished, this one counted."""
    player: int | None = None
    bids: tuple[Action, ...] = BIDS
    decisions: tuple[Action, ...] = (DARE, PASS, TAKE)
    treasure: int = FOUND
    scores: tuple[int, int] = (0, 0)

    @property
    def node(self) -> Node:
        if self.phase == BID:
            return Simultaneous()
        if self.phase in CHANCES:
            return CHANCES[self.phase]
        if self.phase == TURN:
            assert self.player is not None
            return Turn(self.player)
        first, second = self.scores
        return Terminal(self.scores, None if first == second else int(second > first))

    def legal(self, player: int) -> tuple[Action, ...]:
        if self.phase == BID and player in (0, 1):
            return self.bids
        return self.decisions if self.phase == TURN and player == self.player else ()

    def apply(self, action: Action) -> "State":
        if self.phase != TURN or action not in self.decisions:
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        assert self.player is not None
        if action == TAKE:
            return self.end_round(self.player)
        used = self._replace(decisions=tuple(each for each in self.decisions if each != action))
        return used._replace(phase=DRAW) if action == DARE else used._replace(player=1 - self.player)

    def apply_joint(self, actions: tuple[Action, Action]) -> "State":
        if self.phase != BID:
            raise Illegal(GameCode.NOT_SIMULTANEOUS)
        for action in actions:
            if action not in self.bids:
                raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        first, second = map(int, actions)
        if first == second:
            bids = tuple(bid for bid in self.bids if bid != actions[0])
            return self._replace(bids=bids) if bids else self.end_round(None)
        if abs(first - second) == 1:
            return self._replace(phase=DRAW, player=int(second > first))
        return self._replace(phase=TURN, player=int(second < first))

    def apply_chance(self, indices: Sequence[int]) -> "State":
        if self.phase not in CHANCES:
            raise Illegal(GameCode.NO_DRAW_HERE)
        bounds = CHANCES[self.phase].bounds
        if len(indices) != len(bounds) or not all(0 <= i < b for i, b in zip(indices, bounds, strict=True)):
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=bounds)
        assert self.player is not None
        if self.phase == STORM:
            _, treasure, blown = indices
            blown_over = self._replace(phase=TURN, player=1 - self.player, treasure=treasure)
            return blown_over if blown else self.end_round(None)
        die, treasure = indices
        drawn = self._replace(treasure=treasure)
        if die == 0:
            return drawn._replace(phase=STORM)
        return drawn.end_round(self.player) if die < 3 else drawn._replace(phase=TURN)

    def encode(self) -> Value:
        return tuple(self)

    def end_round(self, taker: int | None) -> "State":
        scores = list(self.scores)
        if taker is not None:
            scores[taker] += self.treasure
        left = self.left - 1
        return State(BID if left else OVER, left, scores=(scores[0], scores[1]))


class ToyCode(Code):
    BAD_ROUNDS = "toy:bad_rounds"
    BAD_OPENING = "toy:bad_opening"
    NOT_A_STEP = "toy:not_a_step"


@dataclass(frozen=True)
class Toy(Game[State]):
    """The game, of so many rounds; the first of them begins with bids, a draw or a turn."""

    NAME: ClassVar[str] = "toy"
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = (Setting("rounds", "3"), Setting("opening", BID, (BID, DRAW, TURN)))

    rounds: int = 3
    opening: str = BID

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        chosen = {setting.name: settings.get(setting.name, setting.default) for setting in cls.SETTINGS}
        if unknown := sorted(set(settings) - set(chosen)):
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=unknown[0])
        if not re.fullmatch("[1-9]", chosen["rounds"]):
            raise InvalidSetting(ToyCode.BAD_ROUNDS, setting="rounds", value=chosen["rounds"])
        if chosen["opening"] not in (BID, DRAW, TURN):
            raise InvalidSetting(ToyCode.BAD_OPENING, setting="opening", value=chosen["opening"])
        return cls(int(chosen["rounds"]), chosen["opening"])

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return ("rounds", str(self.rounds)), ("opening", self.opening)

    def start(self) -> State:
        return State(self.opening, self.rounds, player=None if self.opening == BID else 0)

    def read(self, tokens: Sequence[Token], reader: RecordReader[State]) -> None:
        for token in tokens:
            reader.take(_step(token, reader.state.node), token)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield a line a round."""
        state = self.start()
        line: list[str] = []
        for step in steps:
            line.append(_token(step))
            before, state = state, advance(state, step)
            if state.left < before.left:
                yield " ".join(line)
                line = []
        if line:
            yield " ".join(line)

    def settings_fields(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "opening": self.opening}

    def events(
        self,
        before: State,
        step: Step,
        after: State,
        earlier: Sequence[Mapping[str, Any]],
    ) -> Iterator[dict[str, Any]]:
        if isinstance(step, Drawn):
            yield {"event": "draw", "player": before.player, "indices": list(step.indices)}
        if after.left < before.left:
            yield {"event": "round", "left": after.left, "scores": list(after.scores)}
        if isinstance(over := after.node, Terminal):
            yield {"event": "result", "scores": list(over.scores), "winner": over.winner}


def _step(token: Token, node: Node) -> Step:
    """Return the step that a token of the move text means: `2:3`, `5,299` or a decision."""
    match node:
        case Terminal():
            raise token.error(GameCode.AFTER_THE_END)
        case Simultaneous() if re.fullmatch("[1-9]:[1-9]", token.text):
            return Chosen((token.text[0], token.text[2]))
        case Chance() if re.fullmatch(r"[0-9]{1,5}(,[0-9]{1,5})*", token.text):
            return Drawn(tuple(map(int, token.text.split(","))))
        case Turn(player):
            return Acted(player, token.text)
    raise token.error(ToyCode.NOT_A_STEP, part=token.text)


def _token(step: Step) -> str:
    match step:
        case Chosen(actions):
            return ":".join(actions)
        case Drawn(indices):
            return ",".join(map(str, indices))
        case Acted(_, action):
            return action


class ToyChance(ChanceModel[Toy, State]):
    """Every draw is a roll: of a die and the treasure, or of the storm's three, one of which has a single face."""

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {}

    def deck(self, game: Toy) -> tuple[str, ...]:
        return ()

    def events(self, before: State, step: Drawn, after: State) -> Sequence[ChanceEvent]:
        bounds = CHANCES[before.phase].bounds
        return [
            Roll(before.player, tuple(Die(*die) for die in zip(bounds, (i + 1 for i in step.indices), strict=True)))
        ]


CHANCE: Final = ToyChance()
SPEC: Final = GameSpec(
    name=Toy.NAME,
    settings=Toy.SETTINGS,
    game=Part("tests.toy:Toy"),
    table=Part("tests.toy_table.table:TABLE"),
    board=Part("tests.toy_table.full:BOARD_VIEW"),
    words=Part("tests.toy_table.words:WORDS"),
    evaluator=Part("tests.toy_values:Values"),
    chance=Part("tests.toy:CHANCE"),
)
