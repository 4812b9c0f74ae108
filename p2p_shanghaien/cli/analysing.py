"""An analysis as it is shown."""

from p2p_shanghaien.analysis.annotate import GAME, THRESHOLDS, Analysis, Annotated, Grade, Kind, Worth
from p2p_shanghaien.ui.review.view import Decided, Moment, Review, Share


def review(analysis: Analysis) -> Review:
    """The analysis as it is shown."""
    shares = _share(analysis, 0), _share(analysis, 1)
    return Review(tuple(THRESHOLDS.values()), analysis.start.chance, tuple(map(_moment, analysis.steps)), shares)


def _moment(step: Annotated) -> Moment:
    decisions = tuple(
        Decided(decision.player, decision.action, decision.best, decision.grade or "", decision.cost)
        for decision in step.decisions
        if decision.options
    )
    change = step.matchup if step.kind == Kind.SIMULTANEOUS else step.luck
    return Moment(step.step, step.player, step.after.chance, decisions, change)


def _share(analysis: Analysis, player: int) -> Share:
    tally = analysis.tallies[player]
    return Share(
        start=seen(analysis.start, player),
        rolls=tally.rolls,
        luck=analysis.luck(player),
        skill=analysis.skill(player),
        matchup=analysis.matchup(player) if analysis.has_simultaneous else None,
        given_up=analysis.given_up.seen_by(player),
        result=seen(analysis.result, player),
        decisions=tally.decisions,
        lost=tally.lost,
        grades=(tally.grades[Grade.BLUNDER], tally.grades[Grade.MISTAKE], tally.grades[Grade.INACCURACY]),
    )


def seen(worth: Worth, player: int) -> Worth:
    """What a position that is worth this to player 0 is worth to `player`."""
    return Worth(GAME - worth.chance, -worth.points) if player else worth
