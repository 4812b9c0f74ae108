"""Halunken & Spelunken with its options, as registered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from p2p_shanghaien.errors import GameCode
from p2p_shanghaien.games.api import Game, InvalidSetting, RecordReader, Setting, Step, Token
from p2p_shanghaien.games.halunken import SPEC, notation
from p2p_shanghaien.games.halunken.notation import HalunkenCode
from p2p_shanghaien.games.halunken.rules import Options, State, start
from p2p_shanghaien.text import nearest

_ON: Final = "on"
_MAY: Final = "may"


@dataclass(frozen=True)
class Halunken(Game[State]):
    """The values of its options, as they are spelled."""

    NAME: ClassVar[str] = SPEC.name
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = SPEC.settings

    blackjack: str = "on"
    hands: str = "1"
    theft: str = "takes"

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        known = {setting.name: setting for setting in cls.SETTINGS}
        for name, value in sorted(settings.items()):
            if name not in known:
                raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=name)
            if value not in known[name].choices:
                choices = known[name].choices
                near = nearest(value, choices)
                raise InvalidSetting(
                    HalunkenCode.UNKNOWN_CHOICE, setting=name, value=value, known=", ".join(choices), nearest=near
                )
        return cls(**settings)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return ("blackjack", self.blackjack), ("hands", self.hands), ("theft", self.theft)

    def start(self) -> State:
        return start(Options(self.blackjack == _ON, int(self.hands), self.theft == _MAY))

    def read(self, tokens: Sequence[Token], reader: RecordReader[State]) -> None:
        notation.read(tokens, reader)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        return notation.write(self.start(), steps)

    def settings_fields(self) -> dict[str, Any]:
        return {"blackjack": self.blackjack, "hands": int(self.hands), "theft": self.theft}

    def events(
        self, before: State, step: Step, after: State, earlier: Sequence[Mapping[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        return notation.events(before, step, after, earlier)
