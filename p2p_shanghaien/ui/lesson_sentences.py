"""The sentences of lessons, as far as games share them."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "lesson_step": "Step {number} of {count}",
    "lesson_not": "The rules allow that as well, but this lesson shows something else.",
    "lesson_computer": "Computer",
    "lesson_resumed": "The lesson goes on where you left it; shanghaien learn --again starts it over.",
    "lesson_left": "Your lesson is saved. Continue it with: shanghaien learn {name}",
    "lesson_finished": "You know the rules now. Against the computer: shanghaien play --game {name}",
    "rules_learn": "shanghaien learn {name} teaches these rules step by step.",
    # Plain mode.
    "lesson_ask_next": "Enter goes on (? for help): ",
    "lesson_ask_back": "Enter takes it back (? for help): ",
    "lesson_only_enter": "There is nothing to choose here; press Enter.",
    "lesson_help": "This is a lesson. Do what the line with the arrow says; any other choice is explained, and taken "
    "back. Type again to read the step again, rules for all the rules. Ctrl-D leaves; the lesson is saved.",
    "lesson_again": "again",
    # Full-screen mode.
    "lesson_next": "[Enter] goes on",
    "lesson_back": "[Enter] takes it back",
    "lesson_leave": "Leave the lesson? It is saved; continue it with: shanghaien learn",
    "lesson_games_help": "Up and down choose a line, Enter begins the lesson. The same without the question: "
    "shanghaien learn {name}.",
    "menu_learn": "Learn {game} first",
    # The offer.
    "lesson_offer": "You have no games yet. Learn {game} first, in ten minutes, step by step?",
    "lesson_offered": "Are you new to {game}? shanghaien learn {name} teaches it in ten minutes.",
}
