"""The rolls and cards of many games, counted."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p_shanghaien.analysis.gathering import Counted
from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.games.api import Drawn, advance
from p2p_shanghaien.games.lots import Deal, Lots, Roll
from p2p_shanghaien.games.registry import GAMES


@dataclass
class Dealt:
    """The cards of one game: what each deal gave, out of a deck that is in random order."""

    deck: tuple[str, ...]
    deals: list[tuple[str, ...]] = field(default_factory=list)


@dataclass
class Draws:
    """All that chance gave in some games of one kind.

    `chains` has the faces of each game's rolls in the order in which they were drawn, and holds no text records, where
    that order is lost; `rolls` has every roll as its ascending faces, with the seat and the key of the one who rolled
    where a log tells them.
    """

    lots: Lots
    games: int = 0
    rolls: Counter[tuple[tuple[int, ...], int | None, bytes | None]] = field(default_factory=Counter)
    chains: list[list[tuple[int, ...]]] = field(default_factory=list)
    dealt: list[Dealt] = field(default_factory=list)
    starts: Counter[int] = field(default_factory=Counter)
    """How often each seat was drawn to start."""
    names: dict[bytes, str] = field(default_factory=dict)
    """Under which name each key played last."""
    unrevealed: int = 0
    """How many games stop where one side alone knows the draw, and has not revealed it."""

    def thrown(self, seat: int | None = None, key: bytes | None = None) -> Counter[tuple[int, ...]]:
        """The rolls, all of them or those of a seat or a key."""
        found: Counter[tuple[int, ...]] = Counter()
        for (faces, at, by), count in self.rolls.items():
            if seat in (None, at) and key in (None, by):
                found[faces] += count
        return found


def lots(game: str) -> Lots | None:
    """Return how the game's draws are told apart, or None where nothing installed says so. Raises LocalError."""
    spec = GAMES.get(game)
    if spec is None or spec.chance is None:
        return None
    found: Lots = spec.chance.load()
    return found


def draws(games: Iterable[Counted], known: Lots) -> Draws:
    """Everything drawn in `games`, which are all of the kind whose lots are `known`."""
    found = Draws(known)
    for game in games:
        _add(found, game)
    return found


def _add(found: Draws, game: Counted) -> None:
    record, session = game.record, game.session
    found.games += 1
    chain: list[tuple[int, ...]] = []
    dealt = Dealt(found.lots.deck(record.game))
    state = record.game.start()
    for step in record.steps:
        after = advance(state, step)
        if isinstance(step, Drawn):
            match found.lots.lot(state, step, after):
                case Roll(player, faces):
                    seat = record.seats[player] if record.seats else None
                    key = session.keys[seat] if session and seat is not None else None
                    found.rolls[tuple(sorted(faces)), seat, key] += 1
                    chain.append(faces)
                case Deal(cards):
                    dealt.deals.append(cards)
        state = after
    found.dealt.append(dealt)
    if session and game.report and game.report.match:
        match_ = game.report.match
        found.chains.append(chain)
        found.names |= dict(zip(session.keys, session.names, strict=True))
        if match_.first is not None:
            found.starts[match_.first] += 1
        found.unrevealed += match_.owed is not None and match_.owed.kind == Kind.REVEAL
