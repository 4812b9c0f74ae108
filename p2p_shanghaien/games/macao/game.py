"""Shadows of Macao with its option, as registered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from p2p_shanghaien.errors import GameCode, Malformed
from p2p_shanghaien.games.api import Data, DataMissing, Game, InvalidSetting, RecordReader, Setting, Step, Token
from p2p_shanghaien.games.macao import SPEC, notation
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import (
    RECONSTRUCTION,
    RECONSTRUCTION_DIGEST,
    Deck,
    difference,
    from_canonical,
    from_file,
    reconstruction,
)
from p2p_shanghaien.games.macao.rules import State, start

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def _no_data(_: str) -> bytes | None:
    return None


@dataclass(frozen=True, eq=False)
class Macao(Game[State]):
    """The option `deck` is the name of the reconstruction, or the digest of a deck among the data from outside.

    Games by one deck are equal, wherever it was found.
    """

    NAME: ClassVar[str] = SPEC.name
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = SPEC.settings
    DATA: ClassVar[Data] = staticmethod(_no_data)

    deck: str = RECONSTRUCTION
    cards: Deck = field(default_factory=reconstruction, repr=False)
    """The deck of that name or digest."""

    @classmethod
    def reading(cls, data: Data) -> type[Game[Any]]:
        """Return the class that finds decks in `data`."""
        return type(cls.__name__, (cls,), {"DATA": staticmethod(data)})

    @classmethod
    def canonical_data(cls, setting: str, content: bytes) -> bytes:  # noqa: ARG003 - there is one setting
        """Return the canonical bytes of the deck in a user's file. Raises Malformed."""
        return from_file(content).canonical()

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        deck = settings.get("deck", RECONSTRUCTION)
        if unknown := sorted({*settings} - {"deck"}):
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=unknown[0])
        if deck in (RECONSTRUCTION, RECONSTRUCTION_DIGEST):
            return cls()
        if not _DIGEST.fullmatch(deck):
            raise InvalidSetting(MacaoCode.UNKNOWN_DECK, setting="deck", value=deck, known=RECONSTRUCTION)
        data = cls.DATA(deck)
        if data is None:
            raise DataMissing(game=cls.NAME, setting="deck", digest=deck)
        try:
            return cls(deck, from_canonical(data))
        except Malformed as error:
            raise InvalidSetting(MacaoCode.BAD_DECK, setting="deck", value=deck, reason=error) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Macao) and self.deck == other.deck

    def __hash__(self) -> int:
        return hash((self.NAME, self.deck))

    def __reduce__(self) -> tuple[Any, ...]:
        # another process cannot import the class that `reading` makes, and needs only the deck that it found
        return Macao, (self.deck, self.cards)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return (("deck", self.deck),)

    def named_data(self) -> Mapping[str, bytes]:
        return {} if self.deck == RECONSTRUCTION else {self.deck: self.cards.canonical()}

    def data_news(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        if self.deck != RECONSTRUCTION:
            cards, tiles = difference(self.cards, reconstruction())
            yield "macao:other_deck", {"cards": cards, "tiles": tiles, "usual": RECONSTRUCTION}

    def start(self) -> State:
        return start(self.cards)

    def read(self, tokens: Sequence[Token], reader: RecordReader[State]) -> None:
        notation.read(tokens, reader)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        return notation.write(self.start(), steps)

    def settings_fields(self) -> dict[str, Any]:
        return {"deck": self.deck}

    def events(
        self,
        before: State,
        step: Step,
        after: State,
        earlier: Sequence[Mapping[str, Any]],  # noqa: ARG002
    ) -> Iterator[dict[str, Any]]:
        return notation.events(before, step, after)
