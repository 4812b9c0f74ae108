"""The tutor's sentences about a mistake."""

from collections.abc import Iterator, Sequence

from p2p_shanghaien.analysis.annotate import GAME, grade_of
from p2p_shanghaien.players.tutoring import Forecast, Mistake
from p2p_shanghaien.ui.advice import lead, percent
from p2p_shanghaien.ui.view import Choice
from p2p_shanghaien.ui.words import has_words, say


def told(mistake: Mistake, game: str, choices: Sequence[Choice], other: str) -> Iterator[str]:
    """Yield what the decision cost, what was better, and what either would probably bring in the game's terms.

    `choices` are all those of the player, `other` is the name of the other one.
    """
    words = {choice.action: choice.words for choice in choices}
    chosen, best = mistake.chosen, mistake.best
    grade = grade_of(round(mistake.cost * GAME)) or "cost"
    yield say(f"tutor_{grade}", words=words[chosen.action], action=chosen.action, cost=percent(mistake.cost))
    yield say(
        "tutor_better",
        words=words[best.action],
        action=best.action,
        best=percent(best.value.chance),
        chosen=percent(chosen.value.chance),
        best_lead=lead(best.value.points),
        lead=lead(chosen.value.points),
    )
    if mistake.forecasts and has_words(f"{game}:outlook"):
        prospects = say("between_parts").join(_prospect(game, forecast, other) for forecast in mistake.forecasts)
        yield say(f"{game}:outlook", prospects=prospects)


def _prospect(game: str, forecast: Forecast, other: str) -> str:
    code, item = forecast.prospect
    named = say(f"{game}:prospect_{code}", item=item, who=other)
    return say(
        "tutor_prospect", prospect=named, best=f"{100 * forecast.best:.0f}", chosen=f"{100 * forecast.chosen:.0f}"
    )
