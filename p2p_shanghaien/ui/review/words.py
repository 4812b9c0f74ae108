"""The words of analysed games."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "review_chances": "The chance that {who} wins, from {first} to {last}",
    "review_chances_nowhere": "The chance that {who} wins",
    "review_signs": "{blunder} blunder, {mistake} mistake, {inaccuracy} inaccuracy: the decision cost at least "
    "{worst}, {bad}, {slight} percentage points of the chance to win, against the best.",
    "review_stage": "{stage}. {who} wins with a chance of {chance}%.",
    "review_nothing_wrong": "No decision to remark on.",
    "review_decision": "{place} {who}: {words} [{action}]. That is among the best.",
    "review_cost": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. It cost {chance}% and {points} "
    "points.",
    "review_blunder": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. A blunder: it cost {chance}% and "
    "{points} points.",
    "review_mistake": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. A mistake: it cost {chance}% and "
    "{points} points.",
    "review_inaccuracy": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. An inaccuracy: it cost "
    "{chance}% and {points} points.",
    "review_luck": "{place} {told} Luck for {who}: {chance}% and {points} points.",
    "review_sums": "Chance of winning, and points",
    "review_title": "Analysis: the chance of winning",
    "review_marked": "Decisions that cost something",
    "review_page_signs": "The curve is the chance of the player named above it. Blunders are marked large, mistakes "
    "and inaccuracies smaller: they cost at least {worst}, {bad} and {slight} percentage points against the best. A "
    "square is a decision of that player, a disc one of the other; each leads to its place in the game.",
    "review_by_stage": "The chance that {who} wins, as the game went on",
    "review_start": "at the start",
    "review_luck_had": "+ luck",
    "review_skill": "+ skill",
    "review_given_up": "+ given up",
    "review_result": "= result",
    "review_result_so_far": "= result so far",
    "review_rolls": "luck of own rolls",
    "review_lost": "skill lost",
    "review_mean": "a decision, in the mean",
    "review_decisions": "decisions",
    "review_blunders": "blunders",
    "review_mistakes": "mistakes",
    "review_inaccuracies": "inaccuracies",
    "review_explained": "Luck is what dice and cards brought, those of both players. Skill is what the other's "
    "decisions lost, less what one's own lost. Both are measured by what the game was worth before and after, if both "
    "go on as well as they can.",
}
