"""Shanghaien with its options, as registered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from p2p_shanghaien.errors import GameCode
from p2p_shanghaien.games.api import Game, InvalidSetting, RecordReader, Setting, Step, Token
from p2p_shanghaien.games.shanghaien import SPEC, notation
from p2p_shanghaien.games.shanghaien.cards import DECK_TRICKS, WILD, deck
from p2p_shanghaien.games.shanghaien.notation import ShanghaienCode
from p2p_shanghaien.games.shanghaien.rules import State, start
from p2p_shanghaien.text import nearest

VARIANTS: Final = SPEC.settings[0].choices
STANDARD, EXTRA_WILD = VARIANTS
TRICK_CARDS: Final = 8
_TRICKS = re.compile("[ ,]+".join(f"{letter}([0-8])" for letter in DECK_TRICKS))


@dataclass(frozen=True)
class Shanghaien(Game[State]):
    """`tricks` counts the `p`, `b` and `r` cards of the deck, eight together."""

    NAME: ClassVar[str] = SPEC.name
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = SPEC.settings

    variant: str = STANDARD
    tricks: tuple[int, int, int] = (3, 3, 2)

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        words = {setting.name: settings.get(setting.name, setting.default) for setting in cls.SETTINGS}
        if unknown := sorted(set(settings) - set(words)):
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=unknown[0])
        if words["variant"] not in VARIANTS:
            value = words["variant"]
            near = nearest(value, VARIANTS)
            raise InvalidSetting(
                ShanghaienCode.UNKNOWN_VARIANT, setting="variant", value=value, known=", ".join(VARIANTS), nearest=near
            )
        return cls(words["variant"], _trick_counts(words["tricks"]))

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        counts = " ".join(f"{letter}{count}" for letter, count in zip(DECK_TRICKS, self.tricks, strict=True))
        return ("variant", self.variant), ("tricks", counts)

    def start(self) -> State:
        return start(deck(self.tricks), WILD if self.variant == EXTRA_WILD else "")

    def read(self, tokens: Sequence[Token], reader: RecordReader[State]) -> None:
        notation.read(tokens, reader)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        from p2p_shanghaien.games.shanghaien import notation  # noqa: PLC0415

        return notation.write(self.start(), steps)

    def settings_fields(self) -> dict[str, Any]:
        return {"variant": self.variant, "tricks": dict(zip(DECK_TRICKS, self.tricks, strict=True))}

    def events(
        self,
        before: State,
        step: Step,
        after: State,
        earlier: Sequence[Mapping[str, Any]],  # noqa: ARG002
    ) -> Iterator[dict[str, Any]]:
        return notation.events(before, step, after)


def _trick_counts(text: str) -> tuple[int, int, int]:
    """Return the three counts in `p3 b3 r2` or `p3,b3,r2`."""
    found = _TRICKS.fullmatch(text)
    counts = tuple(map(int, found.groups())) if found else ()
    if len(counts) != 3 or sum(counts) != TRICK_CARDS:
        raise InvalidSetting(ShanghaienCode.BAD_TRICKS, setting="tricks", value=text, total=TRICK_CARDS)
    return counts
