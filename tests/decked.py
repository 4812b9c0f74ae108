"""The toy of the tests with a deck from outside: an option names it by its digest, its first byte is the treasure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from p2p_shanghaien.errors import GameCode, Malformed
from p2p_shanghaien.games.api import Data, DataMissing, Game, GameSpec, InvalidSetting, Part, Setting
from tests import toy


@dataclass(frozen=True)
class Decked(toy.Toy):
    """One round, for a treasure; `usual` is the deck that everybody has."""

    NAME: ClassVar[str] = "decked"
    SETTINGS: ClassVar[tuple[Setting, ...]] = (Setting("deck", "usual", names_data=True),)
    DATA: ClassVar[Data]

    rounds: int = 1
    opening: str = toy.TURN
    deck: str = "usual"
    treasure: int = toy.FOUND
    content: bytes = b""

    @classmethod
    def reading(cls, data: Data) -> type[Game[Any]]:
        """Return the class that finds decks in `data`."""
        return type(cls.__name__, (cls,), {"DATA": staticmethod(data)})

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Self:
        deck = settings.get("deck", "usual")
        if unknown := sorted(set(settings) - {"deck"}):
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting=unknown[0])
        if deck == "usual":
            return cls()
        found = cls.DATA(deck)
        if found is None:
            raise DataMissing(game=cls.NAME, setting="deck", digest=deck)
        if not found[0]:
            raise InvalidSetting(GameCode.UNKNOWN_SETTING, setting="deck")
        return cls(deck=deck, treasure=found[0], content=found)

    @classmethod
    def canonical_data(cls, setting: str, content: bytes) -> bytes:
        """Return the deck in a user's file: what follows the word "deck:"."""
        if not content.startswith(b"deck:"):
            raise Malformed(GameCode.UNKNOWN_SETTING, setting=setting)
        return content.removeprefix(b"deck:")

    def named_data(self) -> Mapping[str, bytes]:
        return {self.deck: self.content} if self.content else {}

    def data_news(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        if self.content:
            yield "decked:other", {"treasure": self.treasure}

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return (("deck", self.deck),)

    def start(self) -> toy.State:
        return toy.State(toy.TURN, 1, player=0, treasure=self.treasure)

    def settings_fields(self) -> dict[str, Any]:
        return {"deck": self.deck}


SPEC: Final[GameSpec] = replace(
    toy.SPEC, name=Decked.NAME, settings=Decked.SETTINGS, game=Part("tests.decked:Decked"), evaluator=None
)
