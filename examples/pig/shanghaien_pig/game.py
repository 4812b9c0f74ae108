"""Pig with its options chosen, its text record and its replay events.

In a record each turn is a token: the rolls in order, then `h` for hold. `3452h` banks 14 points, `541` loses the turn.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from p2p_shanghaien.errors import Code, GameCode
from p2p_shanghaien.games.api import (
    Acted,
    Drawn,
    Game,
    InvalidSetting,
    RecordReader,
    Setting,
    Step,
    Terminal,
    Token,
    advance,
)
from shanghaien_pig import SPEC
from shanghaien_pig.rules import HOLD, ROLL, State

GOALS: Final = range(10, 201)
"""The goals that can be played for: `solver` needs seconds for the highest of them."""

_TURN: Final = re.compile("[2-6]*[1h]")
_BEGUN: Final = re.compile("[2-6]*[1-6hr]")
"""The last turn of a record, which may stop anywhere; `r` is a roll whose die is not drawn yet."""


class PigCode(Code):
    """Pig's own errors; `words` has the sentence of each."""

    BAD_GOAL = "pig:bad_goal"
    NOT_A_TURN = "pig:not_a_turn"


@dataclass(frozen=True)
class Pig(Game[State]):
    """Pig, played to `goal` points."""

    NAME: ClassVar[str] = SPEC.name
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = SPEC.settings

    goal: int = 100

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        chosen = {setting.name: settings.get(setting.name, setting.default) for setting in cls.SETTINGS}
        if unknown := sorted(set(settings) - set(chosen)):
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=unknown[0])
        goal = chosen["goal"]
        # one spelling a value: what both programs sign must be the same bytes
        if goal not in map(str, GOALS):
            raise InvalidSetting(PigCode.BAD_GOAL, setting="goal", value=goal, least=GOALS[0], most=GOALS[-1])
        return cls(int(goal))

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return (("goal", str(self.goal)),)

    def start(self) -> State:
        return State(self.goal)

    def read(self, tokens: Sequence[Token], reader: RecordReader[State]) -> None:
        for number, token in enumerate(tokens, start=1):
            state = reader.state
            if isinstance(state.node, Terminal):
                raise token.error(GameCode.AFTER_THE_END)
            pattern = _BEGUN if number == len(tokens) else _TURN
            if not pattern.fullmatch(token.text):
                raise token.error(PigCode.NOT_A_TURN)
            for sign in token.text:
                reader.take(Acted(state.player, HOLD if sign == "h" else ROLL), token)
                if sign.isdigit():
                    reader.take(Drawn((int(sign) - 1,)), token)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield a line for every two turns, one of each player."""
        state, line = self.start(), ""
        for step in steps:
            before, state = state, advance(state, step)
            match step:
                case Acted(_, action):
                    line += action[0]
                case Drawn():
                    line = f"{line[:-1]}{state.die}"
            if before.player != state.player:
                line += " "
                if state.player == 0:
                    yield line.strip()
                    line = ""
        if line:
            yield line.strip()

    def settings_fields(self) -> dict[str, Any]:
        return {"goal": self.goal}

    def events(
        self,
        before: State,
        step: Step,
        after: State,
        earlier: Sequence[Mapping[str, Any]],  # noqa: ARG002
    ) -> Iterator[dict[str, Any]]:
        if isinstance(step, Drawn):
            yield {"event": "roll", "player": before.player, "die": after.die, "total": after.total}
        if before.player != after.player:
            yield {"event": "turn", "player": before.player, "scores": list(after.scores)}
        if isinstance(over := after.node, Terminal):
            yield {"event": "result", "scores": list(over.scores), "winner": over.winner}
