"""Pig's words in English, by code; `locale/` has the other languages'.

A pair is the singular and the plural, chosen by the detail `count`. The words of `CODE_you` address whoever reads them.
"""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "game_pig": "Pig",
    "help_pig_goal": "The points that win, 10 to 200. A guest that names it insists. Default: {default}.",
    # What happens.
    "pig:rolled": "{who} rolled a {die}: {total} in this turn.",
    "pig:rolled_you": "You rolled a {die}: {total} in this turn.",
    "pig:bust": (
        "{who} rolled a 1 and lost {count} point.",
        "{who} rolled a 1 and lost {count} points.",
    ),
    "pig:bust_you": (
        "You rolled a 1 and lost {count} point.",
        "You rolled a 1 and lost {count} points.",
    ),
    "pig:held": "{who} held and banked {total}, {score} in all.",
    "pig:held_you": "You held and banked {total}, {score} in all.",
    # The position.
    "pig:first_to": "First to {goal}",
    "pig:banked": "banked",
    "pig:this_turn": "this turn",
    "pig:missing": "to go",
    "pig:score_of": "{score} of {goal}",
    "pig:die_shows": "The die shows {die}.",
    "pig:to_move": "to move",
    "pig:wins": "wins",
    "pig:points_of": (
        "{who}: {count} of {goal} points banked",
        "{who}: {count} of {goal} points banked",
    ),
    "pig:points_at_risk": "{total} more in this turn",
    "pig:has_turn": "it is {who}'s turn",
    "pig:has_turn_you": "it is your turn",
    "pig:panel_table": "The scores and the die",
    # What is open.
    "pig:choose_roll": "roll the die",
    "pig:choose_hold": "hold: bank {total}, {score} in all",
    "pig:choose_win": "hold and win with {score}",
    # Why something typed is not open.
    "pig:refuse_hold": "There is nothing to bank yet: roll first.",
    "pig:refuse_roll": "With this turn you have {score} points: hold, and you win.",
    # How to read the table.
    "pig:legend_banked": "Points that are banked are safe. Those of this turn are lost if the die shows a 1.",
    "pig:legend_missing": "To go: what is missing to the goal.",
    # Mistakes in options and records.
    "pig:bad_goal": "The goal cannot be {value}: it is a whole number from {least} to {most}.",
    "pig:not_a_turn": "Not a turn. A turn is its rolls in order and h for hold, 3452h, or a 1 that ends it, 541.",
    # The rules.
    "pig:rules_title": "PIG",
    "pig:rules_aim": """\
A game of one die that everybody knows, for those who can stop in time.""",
    "pig:rules_turn": """\
A turn
  Roll the die as often as you like. What it shows is added to your turn,
  until you stop or roll a 1:
  - If you hold, the points of the turn are banked: nobody takes them away.
  - If you roll a 1, the points of the turn are lost.
  Either way the other player is next. The first roll of a turn is a must.""",
    "pig:rules_end": """\
The end
  Whoever first has 100 points (or the number agreed on) wins. Points of a
  turn count only when they are banked; once they are enough to win, you
  hold.""",
    "pig:rules_typing": """\
What you can type
  The number of a choice in the list, or:
  roll   roll the die
  hold   bank the points of this turn
  In game records a turn is written as its rolls and an h for hold:
  3452h banks 14 points, 541 loses 9.""",
}
