"""Sums over somebody's games of one kind: results, margins, luck and skill."""

from typing import NamedTuple

from p2p_shanghaien.analysis.annotate import Analysis, Worth
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Record


class Game(NamedTuple):
    """A game as one of its players sees it; it has no `analysis` where the value of its positions is not known."""

    record: Record
    player: int
    analysis: Analysis | None


class Standing(NamedTuple):
    """Sums over games. Games without a result, unfinished or abandoned, count for nothing else.

    `margin` is the sum of leads in points over the games that were `played_out`: it means something only where all
    games are of one kind, with the same options. `luck` is the player's.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    without_result: int = 0
    played_out: int = 0
    margin: int = 0
    luck: Worth = Worth()
    decisions: tuple[int, int] = (0, 0)
    costs: tuple[Worth, Worth] = (Worth(), Worth())
    """What decisions cost, and how many there were: the player's, and the opponents'."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def plus(self, game: Game) -> "Standing":
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
