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
    # The lesson, in which the computer speaks of itself as "I".
    "lesson_roll": "Whoever first has 20 points wins here; usually it is 100. In your turn you roll one die, as often "
    "as you dare, and its points add up.",
    "lesson_roll_do": "You begin: roll.",
    "lesson_again": "Now you may roll again, or hold: that banks the points of the turn, and ends it.",
    "lesson_again_do": "Five points are few: roll again.",
    "lesson_not_early": "Five points would be safe. But at that pace the game takes long.",
    "lesson_hold": "Nine points are at risk now: with a 1 you would lose them all.",
    "lesson_hold_do": "Hold.",
    "lesson_not_greedy": "A 1 comes once in six rolls. Bank these nine first.",
    "lesson_other": "I did the same and have nine points as well. You cannot hold before you have rolled.",
    "lesson_other_do": "Roll.",
    "lesson_risk": "You need eleven points to win, and have six.",
    "lesson_risk_do": "Dare it once more: roll.",
    "lesson_not_careful": "That is a sound choice. But see what a 1 does.",
    "lesson_lost": "A 1: the six points of the turn are lost, and it is over. The nine that you have banked are safe.",
    "lesson_last": "I rolled a 1 too, after a 4, so nothing has changed.",
    "lesson_last_do": "Roll.",
    "lesson_more": "With six you would have fifteen, five too few.",
    "lesson_more_do": "Roll again.",
    "lesson_not_no_win": "Then I would have a turn, and might win in it.",
    "lesson_win": "Eleven and nine are twenty: only holding is left to do.",
    "lesson_win_do": "Hold, and win.",
    "lesson_end": "That is all of Pig. How many points to dare is what the game is about.",
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
