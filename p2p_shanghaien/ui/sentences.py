"""The words that every game shares."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "you": "You",
    "player_number": "Player {number}",
    "and": "{first} and {last}",
    "nothing": "nothing",
    # A game begins and ends.
    "playing": "{game} ({options}): you are {me} and play against {other}.",
    "watching": "{game} ({options}): {first} against {second}.",
    "game_won": "The game is over, {near} to {far}: {who} wins.",
    "game_won_you": "The game is over, {near} to {far}: you win.",
    "game_drawn": "The game is over, {near} to {far}: a draw.",
    # Deciding.
    "ask": "Your choice (1-{count}, ? explains): ",
    "ask_only": "Your choice (Enter takes {action}, ? explains): ",
    "ask_rules": "rules",
    "ask_help": "Type a number from the list or what stands beside it; Tab completes. Type rules for the rules. Ctrl-D "
    "leaves the table; the game is kept.",
    # Saying something besides.
    "ask_waiting": "Waiting for {name} (say, resign, offer, leave; ? explains): ",
    "ask_resign": "Resign this game? y/n: ",
    "word_say": "say",
    "word_resign": "resign",
    "word_offer": "offer",
    "word_accept": "accept",
    "word_leave": "leave",
    "talk_help": "At any time: say TEXT sends a line to {name}; resign gives the game up; offer offers to abandon it "
    "by consent, and accept takes such an offer; leave leaves the table, and the game is kept.",
    "say_what": "Type what to say behind the word, as in: say hello",
    "word_alone": "{word} stands alone; nothing is done.",
    "wait_for_turn": "It is not your turn; nothing is done.",
    "not_resigned": "The game goes on.",
    "no_such_number": "There is no choice {number}; the list goes from 1 to {count}.",
    "not_a_choice": '"{text}" is none of the choices; ? explains them.',
    "ask_yes_no": "yes or no: ",
    "ask_whole_word": "Type the whole word {word}, or no: ",
    "answers_yes": "yes y",
    "answers_no": "no n",
    "neither_yes_nor_no": 'Please answer yes or no; "{text}" is neither.',
    # Looking through a record.
    "ask_step": "Step {step} of {steps}, {place} (Enter next, b back, r/p round, q quit, ? explains): ",
    "step_help": "Enter or n goes on by a step, b back by one; r goes to the next round, p to the previous one; s to "
    "the start, e to the end; 3 to round 3, 3.5 to the end of its fifth turn; q or Ctrl-D leaves.",
    "step_next": "n",
    "step_back": "b",
    "step_next_round": "r",
    "step_last_round": "p",
    "step_start": "s",
    "step_end": "e",
    "step_quit": "q",
    "step_no_further": "There is nothing further in that direction.",
    "no_such_step": '"{text}" leads nowhere.',
    "record_resigned": "{who} resigned.",
    "record_abandoned": "The game was abandoned by consent.",
    "record_unfinished": "The record ends here; {who} is to play.",
    "record_undrawn": "The record ends here; a draw of cards or dice would come next.",
    # Places in a game.
    "not_a_place": "{text} is no place in a game. A place is start, end, a round (3: laid out), a turn (3.5: after the "
    "fifth turn of round 3) or a part of one (3.5.1: after its roll).",
    "no_round_yet": "Nothing lies on the table yet, so there is no round {round}.",
    "no_such_round": (
        "There is no round {round}: this game has one round so far.",
        "There is no round {round}: this game has rounds 1 to {count}.",
    ),
    "no_such_turn": (
        "Round {round} has no turn {turn}: it has one turn.",
        "Round {round} has no turn {turn}: it has {count} turns.",
    ),
    "no_such_part": (
        "{place} has no part {part}: it has one part.",
        "{place} has no part {part}: it has {count} parts.",
    ),
    # A page that replays a game.
    "language": "en",
    "page_title": "{first} against {second}",
    "page_about": "{game} ({options})",
    "page_what_verified": "What was verified",
    "page_noscript": "Without scripts this page shows how the game ended, and every move in words.",
    "page_player": "The game, step by step",
    "page_steps": "Steps",
    "page_start": "To the start",
    "page_back_round": "Back by a round",
    "page_back": "Back by a step",
    "page_play": "Play",
    "page_pause": "Pause",
    "page_space": "Plays step after step, and pauses (space bar)",
    "page_next": "On by a step",
    "page_next_round": "On by a round",
    "page_end": "To the end",
    "page_speed": "Speed",
    "page_slow": "slow",
    "page_normal": "normal",
    "page_fast": "fast",
    "page_step": "Step",
    "page_rounds": "Rounds",
    "page_round": "Round {round}",
    "page_in_words": "The table in words",
    "page_keys": "Keys: left and right go by a step, Page Up and Page Down by a round, Home and End to the start and "
    "the end, 1 to 9 to a round; the space bar plays and pauses.",
    "page_all_moves": "All moves",
}
