"""The sentences and labels of analysed games."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "review_chances": "Win probability of {who}, from {first} to {last}",
    "review_chances_nowhere": "Win probability of {who}",
    "review_signs": "{blunder} blunder, {mistake} mistake, {inaccuracy} inaccuracy: the decision cost at least "
    "{worst}, {bad}, {slight} percentage points of win probability, against the best.",
    "review_stage": "{stage}. Win probability of {who}: {chance}%.",
    "review_here": "Win probability of {who} here: {chance}%; expected margin: {points} points.",
    "review_led_here": "What led here:",
    "review_decided": "What was decided here:",
    "review_nothing_wrong": "No mistakes or inaccuracies.",
    "review_decision": "{place} {who}: {words} [{action}]. One of the best choices.",
    "review_cost": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. It cost {chance} percentage "
    "points of win probability, and {points} points.",
    "review_blunder": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. A blunder: it cost {chance} "
    "percentage points of win probability, and {points} points.",
    "review_mistake": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. A mistake: it cost {chance} "
    "percentage points of win probability, and {points} points.",
    "review_inaccuracy": "{place} {who}: {words} [{action}]. Better: {better} [{best}]. An inaccuracy: it cost "
    "{chance} percentage points of win probability, and {points} points.",
    "review_luck": "{place} {told} Luck for {who}: {chance} percentage points of win probability, and {points} points.",
    "review_matchup_had": "{place} {told} Matchup for {who}: {chance} percentage points of win probability, and "
    "{points} points.",
    "review_sums": "Win probability, and points, of each player",
    "review_title": "Analysis: win probability",
    "review_marked": "Decisions with a cost",
    "review_page_signs": "The curve is the win probability of the player named above it. Large marks are "
    "blunders, smaller ones mistakes and inaccuracies: they cost at least {worst}, {bad} and {slight} percentage "
    "points of win probability against the best. A square is a decision of that player, a disc one of the other; "
    "click one to go to its place in the game.",
    "review_by_stage": "Win probability of {who} over the game",
    "review_start": "at the start",
    "review_luck_had": "+ luck",
    "review_skill": "+ skill",
    "review_matchup": "+ matchup",
    "review_given_up": "+ given up",
    "review_result": "= result",
    "review_result_so_far": "= result so far",
    "review_rolls": "luck of own rolls",
    "review_lost": "skill lost",
    "review_mean": "average per decision",
    "review_decisions": "decisions",
    "review_blunders": "blunders",
    "review_mistakes": "mistakes",
    "review_inaccuracies": "inaccuracies",
    "review_explained": "Luck is what the dice and cards of both players brought. Skill is what the opponent's "
    "decisions lost, less what the player's own lost. Both are changes in value under best play by both.",
    "turning_mistakes": "The largest mistakes:",
    "turning_no_mistakes": "No mistakes or inaccuracies: no decision cost much.",
    "turning_luck": "The luckiest rolls and draws:",
    "turning_awaited": "The turning points are being computed.",
    "review_matchup_explained": "Matchup is what two simultaneous choices changed beyond their costs: neither luck "
    "nor skill.",
}
