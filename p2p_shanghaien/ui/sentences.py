"""The sentences that every game shares."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "you": "You",
    "player_number": "Player {number}",
    "called_host": 'Host "{name}"',
    "called_guest": 'Guest "{name}"',
    "called_before": '"{name}"',
    "and": "{first} and {last}",
    # Computer players, as people read them; what is typed is the level itself.
    "level_random": "random",
    "level_easy": "easy",
    "level_greedy": "greedy",
    "level_master": "master",
    "between_parts": "; ",
    "side_words": "{who}: {notes}.",
    "nothing": "nothing",
    # A game begins and ends.
    "playing": "{game} ({options}): you are {me} and play against {other}.",
    "watching": "{game} ({options}): {first} against {second}.",
    "game_won": "The game is over, {near} to {far}: {who} wins.",
    "game_won_you": "The game is over, {near} to {far}: you win.",
    "game_drawn": "The game is over, {near} to {far}: a draw.",
    # Deciding.
    "ask": "Your choice (1-{count}, ? for help): ",
    "ask_unnumbered": "Your choice (? for help): ",
    "ask_only": "Your choice (Enter plays {action}, ? for help): ",
    "ask_rules": "rules",
    "ask_help": "Type a number from the list, or the notation beside it; Tab completes. Type rules for the rules. "
    "Ctrl-D or quit leaves the table; the game is saved.",
    # Questions about the table, and words that may be typed at any time: each is typed, so keep them single words.
    "word_help": "help",
    "word_quit": "quit exit",
    "word_me": "me",
    "question_table": "table",
    "question_table_help": "table: the whole table.",
    "question_score": "score",
    "question_score_help": "score: what the score would be if the game ended now.",
    "question_last": "last",
    "question_last_help": "last: what happened in the last turn and in this one.",
    "question_moves": "moves",
    "question_moves_help": "moves: what you may do now.",
    "questions_intro": "Ask about the table at any time; an answer changes nothing:",
    "plain_begins": "Type table to see the table, and ? for all that you can type.",
    "score_now": "If the game ended now, the score would be {near} for {who} and {far} for {other}.",
    "score_now_you": "If the game ended now, the score would be {near} for you and {far} for {other}.",
    "nothing_yet": "Nothing has happened here yet.",
    "moves_none": "You have no choice to make now.",
    "moves_of": "{who}:",
    "name_of_both": '"{text}" may be {first} or {second}; type more of the name.',
    "name_of_neither": '"{text}" is neither {first} nor {second}.',
    "line_help": "Type what is asked for, then Enter. quit or Ctrl-D leaves.",
    "yes_or_no": "Please answer yes or no; quit or Ctrl-D leaves.",
    # Commands.
    "ask_waiting": "Waiting for {name} (say, resign, offer, leave; ? for help): ",
    "ask_resign": "Resign this game? y/n: ",
    "word_say": "say",
    "word_resign": "resign",
    "word_offer": "offer",
    "word_accept": "accept",
    "word_leave": "leave",
    "talk_help": "At any time: say TEXT sends {name} a message; resign gives up the game; offer proposes to abandon "
    "it by consent, and accept accepts such an offer; leave leaves the table and saves the game.",
    "say_what": "Type the message after the word, for example: say hello",
    "word_alone": "{word} takes no argument; nothing was done.",
    "chat_flood": "{name} sends messages too fast; some are not shown.",
    "chat_too_fast": "Not sent: wait a second between messages.",
    "wait_for_turn": "It is not your turn; nothing was done.",
    "not_resigned": "The game goes on.",
    "no_such_number": "There is no choice {number}; the list goes from 1 to {count}.",
    "not_a_choice": '"{text}" is not one of the choices; type ? for help.',
    "ask_yes_no": "yes or no: ",
    "ask_whole_word": "Type the whole word {word}, or no: ",
    "answer_yes": "yes",
    "answers_yes": "yes y",
    "answers_no": "no n",
    "neither_yes_nor_no": 'Please answer yes or no; "{text}" is neither.',
    # Hints.
    "ask_hint": "hint h",
    "hint_help": "Type hint (or h) to see the win probability after each choice.",
    "hints_for": "Choices for {who}, best first, with the win probability of {who} and the expected margin if "
    "both then play optimally:",
    "hints_for_you": "Your choices, best first, with your win probability and expected margin if both then play "
    "optimally:",
    "hints_mixture_for": "How often {who} should choose each action while {other} chooses at the same time (a "
    "mixed strategy), with the win probability of {who} and the expected margin if both play optimally:",
    "hints_mixture_for_you": "How often you should choose each action while {other} chooses at the same time (a "
    "mixed strategy), with your win probability and expected margin if both play optimally:",
    "hints_average_for": "Choices for {who}, best first, with the win probability of {who} and the expected "
    "margin, averaged over what {other} may choose at the same time:",
    "hints_average_for_you": "Your choices, best first, with your win probability and expected margin, averaged "
    "over what {other} may choose at the same time:",
    "hints_only_for": "{who} has only one choice; the win probability of {who} and the expected margin after it, "
    "if both then play optimally:",
    "hints_only_for_you": "You have only one choice; your win probability and expected margin after it, if both "
    "then play optimally:",
    "hint_mixture": "{shares}: win probability {chance}%; {lead}.",
    "hint_share": "{words} [{action}] {share}% of the time",
    "between_shares": ", ",
    "hint": "{words} [{action}]: win probability {chance}%, {behind} percentage points less than the best; {lead}.",
    "hint_best": "{words} [{action}]: win probability {chance}%, the best; {lead}.",
    "hint_only": "{words} [{action}]: win probability {chance}%; {lead}.",
    "hint_chosen": "Chosen: {hint}",
    "lead_ahead": "{points} points ahead",
    "lead_behind": "{points} points behind",
    "lead_none": "level",
    "hint_awaited": "Computing the win probabilities.",
    "hint_not_yet": "You have no choice to make now, so there is no hint.",
    "hint_nobody": "Nobody has a choice to make here.",
    "no_hints": "There are no hints for this game.",
    "hints_refused": "There are no hints in a game between two people until it is over; shanghaien replay then shows "
    "them for every decision.",
    "thinks": "{name} is thinking.",
    # Calling the user to the turn.
    "turn_notice": "it is your turn against {name}.",
    "on_turn_not_run": "Your command for your turn, {command} (on_turn in the settings), cannot be run: {reason}. This "
    "is not said again.",
    "on_turn_failed": "Your command for your turn, {command} (on_turn in the settings), ended with exit status "
    "{status}. This is not said again.",
    # A secret choice.
    "choice_made": "Your choice stays secret until {name} has chosen.",
    "has_chosen": "{name} has chosen in secret.",
    # Replaying a record.
    "ask_step": "Step {step} of {steps}, {place} (Enter next, b back, r/p {stage}, q quit, ? for help): ",
    "step_help": "Enter or n goes to the next step, b to the previous one. r: {next}. p: {back}. s goes to the start, "
    "e to the end; q, quit or Ctrl-D quits. A number goes to that place: {places}.",
    "step_next": "n",
    "step_back": "b",
    "step_next_stage": "r",
    "step_last_stage": "p",
    "step_start": "s",
    "step_end": "e",
    "step_quit": "q",
    "step_no_further": "There is nothing further in that direction.",
    "no_such_step": 'Unknown input "{text}".',
    "record_resigned": "{who} resigned.",
    "record_abandoned": "The game was abandoned by consent.",
    "record_unfinished": "The record ends here; {who} is to play.",
    "record_undrawn": "The record ends here; a draw would come next.",
    "record_unchosen": "The record ends here; both are to choose in secret.",
    # Places in a game.
    "place_shown": "At {place}:",
    # A page that replays a game.
    "picture_caption": "{game}, {place}: {told}",
    "language": "en",
    "page_title": "{first} against {second}",
    "page_what_verified": "What was verified",
    "page_noscript": "Without JavaScript this page shows the end of the game, and every move in words.",
    "page_player": "The game, step by step",
    "page_steps": "Steps",
    "page_start": "To the start",
    "page_back": "Previous step",
    "page_play": "Play",
    "page_pause": "Pause",
    "page_space": "Play or pause (space bar)",
    "page_next": "Next step",
    "page_end": "To the end",
    "page_speed": "Speed",
    "page_slow": "slow",
    "page_normal": "normal",
    "page_fast": "fast",
    "page_step": "Step",
    "page_in_words": "The table in words",
    "page_keys": "Keys: Left and Right go to the previous and the next step; with Shift: {back}, {next}; Home and End "
    "go to the start and the end; the space bar plays and pauses.",
    "page_all_moves": "All moves",
    # Errors: how their sentences are put together.
    "sentence": "{start}{rest}.",
    "record_place": "Line {line}: {reason}",
    "record_token": 'Line {line}, column {column}, "{token}": {reason}',
    "reason_and_legal": "{reason}. Possible here: {legal}.",
    "did_you_mean": "{reason} Did you mean {name}?",
    "game_left_out": "The game {entry} of {distribution} was skipped: {reason}. Other games are not affected.",
    "rematch_timed_out": "{name}'s program did not begin the next game in time. The finished game is complete.",
    "rules_commands": """\
  ?         explains the table and the choices;  rules  shows this page
  table     shows the table;  ?  lists what else you can ask about it
  Against a person, at any time, in your own turn or not:
  say TEXT  sends your opponent a message
  resign    gives the game up, once you have confirmed it
  offer     offers to end the game by consent, with no winner
  accept    accepts such an offer; any other choice declines it
  leave     or Ctrl-D leaves the table; the game is saved""",
}
