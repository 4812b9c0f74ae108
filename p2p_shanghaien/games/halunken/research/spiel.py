"""Halunken & Spelunken for OpenSpiel: importing this module registers the game `python_halunken`.

Its parameters are the game's options: `blackjack`, `hands` (an integer) and `theft`. Secret choices are simultaneous
nodes; every other decision is one player's. Each rogue, card or number that is drawn is one chance event with equally
likely outcomes: the index of the rogue in the deck, of the card in `1234567r`, or of the number. Actions are indices
into `numbers.ACTIONS`.
"""

from typing import Any, Final

import pyspiel

from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.research.numbers import NUMBERED
from p2p_shanghaien.games.halunken.rogues import DECK, VALUE
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, NUMBERS, ROUNDS, SPACES, Phase
from p2p_shanghaien.research.spiel import GameState, Limits, SpielGame, game_type

SHORT_NAME: Final = "python_halunken"
_DEFAULTS: Final = {"blackjack": "on", "hands": 1, "theft": "takes"}
_GAME_TYPE: Final = game_type(SHORT_NAME, "Halunken & Spelunken", pyspiel.GameType.Dynamics.SIMULTANEOUS, _DEFAULTS)
_MOST_BIDS: Final = len(set(VALUE.values())) + 1
"""The most decisions of an auction: each bid is of a higher value, and a pass ends it."""


class HalunkenGame(SpielGame):
    """The game with its options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        rules = Halunken.from_settings({name: str(value) for name, value in given.items()})
        hands = int(rules.hands)
        limits = Limits(
            outcomes=len(DECK),
            # placing; then the auction, the choice, rum, two thefts, and Black Jack's rum and theft, or two losses
            decisions=hands * (3 + ROUNDS * (_MOST_BIDS + 6)),
            # the setup; then two rogues, and Black Jack's card and number
            events=hands * (2 + SPACES + ROUNDS * 4),
        )
        super().__init__(_GAME_TYPE, rules, NUMBERED, limits, params or {})

    def new_initial_state(self) -> "HalunkenState":
        return HalunkenState(self)


class HalunkenState(GameState):
    """A position, and the part of the next draw that has been drawn."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        phase = self.position.phase
        if phase == Phase.JACK_NUMBER:
            found = list(range(NUMBERS))
        elif phase == Phase.JACK_CARD:
            found = [CARDS.index(card) for card in self.position.cards[JACK]]
        else:
            found = [DECK.index(rogue) for rogue in self._left()]
        return [(outcome, 1 / len(found)) for outcome in found]

    def indices(self, outcome: int) -> tuple[int, ...]:
        phase = self.position.phase
        if phase == Phase.JACK_NUMBER:
            return (outcome,)
        if phase == Phase.JACK_CARD:
            return (self.position.cards[JACK].index(CARDS[outcome]),)
        return (self._left().index(DECK[outcome]),)

    def outcome_to_string(self, outcome: int) -> str:
        phase = self.position.phase
        if phase == Phase.JACK_NUMBER:
            return f"J={outcome + 1}"
        if phase == Phase.JACK_CARD:
            return f"J:{CARDS[outcome]}"
        return f"{self.position.hidden[len(self.drawn)]}:{DECK[outcome]}"

    def _left(self) -> list[str]:
        """Return the rogues that have not come up."""
        pile = list(self.position.pile)
        for index in self.drawn:
            del pile[index]
        return pile

    def __str__(self) -> str:
        fields = self.position._asdict() | {"pile": " ".join(self._left()), "drawn": self.drawn}
        return "\n".join(f"{name}: {value}" for name, value in fields.items())


pyspiel.register_game(_GAME_TYPE, HalunkenGame)
