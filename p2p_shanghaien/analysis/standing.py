"""Sums over a player's games of one kind: results, margins, luck and skill."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from p2p_shanghaien.analysis.annotate import Analysis, FixedValue
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Record


class OpponentKey(NamedTuple):
    """An opponent: a key, and the name of the player behind the key of this machine's own computer."""

    key: bytes
    level: str = ""


class PlayedGame(NamedTuple):
    """A game from one of its players' point of view; it has no `analysis` if its positions cannot be evaluated."""

    record: Record
    player: int
    analysis: Analysis | None = None
    opponent: OpponentKey = OpponentKey(b"")


class Standing(NamedTuple):
    """Sums over games. Games without a result, unfinished or abandoned, count nowhere else.

    `margin` is the sum of leads in points over the games that were `played_out`: it means something only if all games
    are of one kind, with the same options. `luck` is the player's.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    without_result: int = 0
    played_out: int = 0
    margin: int = 0
    luck: FixedValue = FixedValue()
    decisions: tuple[int, int] = (0, 0)
    costs: tuple[FixedValue, FixedValue] = (FixedValue(), FixedValue())
    """The cost of decisions, and their number: the player's, and the opponents'."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def plus(self, game: PlayedGame) -> "Standing":
        """Return the sums with one more game."""
        total = self
        over = game.record.last().node
        if isinstance(over, Terminal):
            winner: int | None = over.winner
            lead = over.scores[game.player] - over.scores[1 - game.player]
            total = total._replace(played_out=total.played_out + 1, margin=total.margin + lead)
        elif game.record.ended and game.record.ended.winner is not None:
            winner = game.record.ended.winner
        else:
            return total._replace(without_result=total.without_result + 1)
        total = total._replace(
            won=total.won + (winner == game.player),
            drawn=total.drawn + (winner is None),
            lost=total.lost + (winner == 1 - game.player),
        )
        if game.analysis is None:
            return total
        mine, other = game.analysis.tallies[game.player], game.analysis.tallies[1 - game.player]
        return total._replace(
            luck=total.luck.plus(game.analysis.luck(game.player)),
            decisions=(total.decisions[0] + mine.decisions, total.decisions[1] + other.decisions),
            costs=(total.costs[0].plus(mine.lost), total.costs[1].plus(other.lost)),
        )


@dataclass
class Group:
    """Sums over the games of one kind with the same options: their margins are never added to those of others."""

    game: str
    settings: Mapping[str, str]
    has_evaluator: bool = True
    """True if the cost of decisions, and the luck, are known."""
    opponents: dict[OpponentKey, Standing] = field(default_factory=dict)
    names: dict[OpponentKey, str] = field(default_factory=dict)
    """The name of each opponent in the game added first."""
    total: Standing = field(default_factory=Standing)

    def add(self, game: PlayedGame) -> None:
        """Add a game against its opponent."""
        opponent = game.opponent
        self.opponents[opponent] = self.opponents.get(opponent, Standing()).plus(game)
        self.names.setdefault(opponent, game.record.names[1 - game.player])
        self.total = self.total.plus(game)
        self.has_evaluator &= game.analysis is not None
