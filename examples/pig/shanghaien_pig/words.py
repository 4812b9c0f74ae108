"""Pig's words in English, by code; `locale/` has the other languages'.

Elsewhere a code has the game's name in front, `pig:rolled`. A pair is the singular and the plural, chosen by the detail
`count`. The words of `CODE_you` address whoever reads them.
"""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "name": "Pig",
    "help_goal": "The points that win, 10 to 200. A guest who sets it insists on it. Default: {default}.",
    # Places in a game.
    "stage": "turn",
    "stages": "Turns",
    "stage_number": "Turn {number}",
    "stage_next": "Next turn",
    "stage_back": "Previous turn",
    "places": "a turn (12: as it ended) or a part of one (12.1: after its first roll)",
    # News.
    "rolled": "{who} rolled a {die}: {total} in this turn.",
    "rolled_you": "You rolled a {die}: {total} in this turn.",
    "bust": (
        "{who} rolled a 1 and lost {count} point.",
        "{who} rolled a 1 and lost {count} points.",
    ),
    "bust_you": (
        "You rolled a 1 and lost {count} point.",
        "You rolled a 1 and lost {count} points.",
    ),
    "held": "{who} held and banked {total}, {score} in all.",
    "held_you": "You held and banked {total}, {score} in all.",
    # The position.
    "first_to": "First to {goal}",
    "banked": "banked",
    "this_turn": "this turn",
    "missing": "to go",
    "score_of": "{score} of {goal}",
    "die_shows": "The die shows {die}.",
    "to_move": "to move",
    "wins": "wins",
    "points_of": (
        "{who}: {count} of {goal} points banked",
        "{who}: {count} of {goal} points banked",
    ),
    "points_at_risk": "{total} more in this turn",
    "has_turn": "it is {who}'s turn",
    "has_turn_you": "it is your turn",
    "panel_table": "The scores and the die",
    # What is open.
    "choose_roll": "roll the die",
    "choose_hold": "hold: bank {total}, {score} in all",
    "choose_win": "hold and win with {score}",
    # Why an input is not legal.
    "refuse_hold": "There is nothing to bank yet: roll first.",
    "refuse_roll": "With this turn you have {score} points: hold, and you win.",
    # How to read the table.
    "legend_banked": "Points that are banked are safe. Those of this turn are lost if the die shows a 1.",
    "legend_missing": "To go: what is missing to the goal.",
    # Mistakes in options and records.
    "bad_goal": "The goal cannot be {value}: it is a whole number from {least} to {most}.",
    "not_a_turn": "Not a turn. A turn is its rolls in order and h for hold, 3452h, or a 1 that ends it, 541.",
    # The rules.
    "rules_title": "PIG",
    "rules_aim": """\
A game of one die that everybody knows, for those who can stop in time.""",
    "rules_turn": """\
A turn
  Roll the die as often as you like. What it shows is added to your turn,
  until you stop or roll a 1:
  - If you hold, the points of the turn are banked: nobody takes them away.
  - If you roll a 1, the points of the turn are lost.
  Either way the other player is next. The first roll of a turn is a must.""",
    "rules_end": """\
The end
  Whoever first has 100 points (or the number agreed on) wins. Points of a
  turn count only when they are banked; once they are enough to win, you
  hold.""",
    "rules_typing": """\
What you can type
  The number of a choice in the list, or:
  roll   roll the die
  hold   bank the points of this turn
  In game records a turn is written as its rolls and an h for hold:
  3452h banks 14 points, 541 loses 9.""",
}
