"""The rolls and cards of many games, for counting."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from p2p_shanghaien.analysis.dedupe import Counted
from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.games.api import Drawn, advance
from p2p_shanghaien.games.chance import ChanceModel, Deal, Die, Roll
from p2p_shanghaien.games.registry import GAMES


@dataclass
class Dealt:
    """The cards of one deck of one game: the cards of each deal, out of a deck in random order."""

    deck: tuple[str, ...]
    deals: list[tuple[str, ...]] = field(default_factory=list)


@dataclass
class Draws:
    """All draws of some games of one kind.

    `chains` has each game's rolls in the order in which they were drawn, and contains no text records, where that order
    is lost; `rolls` has every roll as its ascending dice, with the seat and the key of its player if a log gives them.
    """

    model: ChanceModel[Any, Any]
    games: int = 0
    rolls: Counter[tuple[tuple[Die, ...], int | None, bytes | None]] = field(default_factory=Counter)
    chains: list[list[tuple[Die, ...]]] = field(default_factory=list)
    dealt: list[Dealt] = field(default_factory=list)
    starts: Counter[int] = field(default_factory=Counter)
    """The number of times that each seat was drawn to start."""
    names: dict[bytes, str] = field(default_factory=dict)
    """The last name of each key."""
    unrevealed: int = 0
    """The number of games that stop where only one player knows the draw, and has not revealed it."""

    def thrown(self, seat: int | None = None, key: bytes | None = None) -> Counter[tuple[Die, ...]]:
        """Return the rolls, all of them or those of a seat or a key."""
        found: Counter[tuple[Die, ...]] = Counter()
        for (dice, at, by), count in self.rolls.items():
            if seat in (None, at) and key in (None, by):
                found[dice] += count
        return found


def chance_model(game: str) -> ChanceModel[Any, Any] | None:
    """Return the chance model of the game of that name, or None where it declares none. Raises LocalError."""
    spec = GAMES.get(game)
    if spec is None or spec.chance is None:
        return None
    found: ChanceModel[Any, Any] = spec.chance.load()
    return found


def by_deck(games: Iterable[Counted], model: ChanceModel[Any, Any]) -> list[list[Counted]]:
    """Divide games of one kind by the deck of their options. Their dice are distinguished roll by roll."""
    found: dict[tuple[str, ...], list[Counted]] = {}
    for game in games:
        found.setdefault(model.deck(game.record.game), []).append(game)
    return list(found.values())


def shared_settings(games: Sequence[Counted]) -> Mapping[str, str]:
    """Return the options that all of these games, which are of one kind, have in common."""
    shared = set.intersection(*(set(game.record.game.settings) for game in games))
    return {name: value for name, value in games[0].record.game.settings if (name, value) in shared}


def draws(games: Iterable[Counted], model: ChanceModel[Any, Any]) -> Draws:
    """Return all draws in `games`, which are all of the kind that `model` is for."""
    found = Draws(model)
    for game in games:
        _add(found, game)
    return found


def _add(found: Draws, game: Counted) -> None:
    record, session = game.record, game.session
    found.games += 1
    chain: list[tuple[Die, ...]] = []
    deck = found.model.deck(record.game)
    dealt: dict[int, Dealt] = {}
    state = record.game.start()
    for step in record.steps:
        after = advance(state, step)
        for event in found.model.events(state, step, after) if isinstance(step, Drawn) else ():
            match event:
                case Roll(player, dice):
                    seat = record.seats[player] if record.seats and player is not None else None
                    key = session.keys[seat] if session and seat is not None else None
                    found.rolls[tuple(sorted(dice)), seat, key] += 1
                    chain.append(dice)
                case Deal(cards, number, continued):
                    deals = dealt.setdefault(number, Dealt(deck)).deals
                    before = deals.pop() if continued else ()
                    deals.append((*before, *cards))
        state = after
    found.dealt += dealt.values()
    if session and game.report and game.report.match:
        match_ = game.report.match
        found.chains.append(chain)
        found.names |= dict(zip(session.keys, session.names, strict=True))
        if match_.first is not None:
            found.starts[match_.first] += 1
        found.unrevealed += match_.expected is not None and match_.expected.kind == Kind.DRAW_REVEAL
