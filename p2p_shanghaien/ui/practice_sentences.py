"""The sentences of practice, in which decisions can be taken back, and of the tutor."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "ask_undo": "undo",
    "practice_begins": "This is practice: nothing is signed, and it counts nowhere. Type undo to take your last "
    "decision back; the same decision then gets the same dice and cards.",
    "full_practice_begins": "This is practice: nothing is signed, and it counts nowhere. The key u takes your last "
    "decision back; the same decision then gets the same dice and cards.",
    "practice_help": "Type a number from the list, or the notation beside it; Tab completes. Type undo to take your "
    "last decision back, rules for the rules. Ctrl-D leaves practice; a record of it is saved.",
    "practice_alone": "Nobody is there to talk to, or to resign to: in practice you type a choice, undo, or leave.",
    "full_practice_alone": "Nobody is there to talk to, and no draw needs a proof: in practice your own program draws "
    "dice and cards alone.",
    "practice_again": "Another game of practice?",
    "practice_kept": "This practice game is saved as {name}.\nTo look through it: shanghaien replay {name}",
    "practice_not_kept": "The record of this practice game could not be saved: {reason}.",
    "ask_yes_no_undo": "yes, no or undo: ",
    "taken_back": "Your last decision is taken back.",
    "undo_not_yet": "You can take a decision back when it is your turn.",
    "undo_nothing": "You have not decided anything yet, so there is nothing to take back.",
    "undo_refused": "A signed game is never taken back. In a practice game you can take decisions back: "
    "shanghaien play --practice",
    "panel_undo": "Taking back",
    "panel_practice": "Practice",
    "key_undo": "Take back",
    "menu_undo": "Take your last decision back",
    "full_leave_practice": "Leave practice? A record of the game is saved.",
    "link_practice": "practice",
    "help_option_practice": "Practise: nothing is signed, and undo takes your last decision back.",
    # Its records.
    "practice_head": "Practice games, which are not signed, the latest first. To look at one, type its name:\n"
    "    shanghaien replay {name}",
    "practice_unfinished": "not played to its end",
    "verdict_practice": "practice (not signed; decisions may have been taken back)",
    "page_practice": "This page was made on {when} UTC by p2p-shanghaien {version} from the record of a practice game. "
    "Its moves follow the rules; nothing else was verified. Practice is not signed, and decisions can be taken back in "
    "it: it proves nothing, and counts in no statistics.",
    "verify_practice": "This is the record of a practice game, which nobody signed. To look at it: shanghaien replay",
    "dice_left_practice": "{file} does not count: it is practice, in which decisions may have been taken back.",
    # The tutor.
    "tutor_blunder": "A blunder: {words} [{action}] costs {cost} percentage points of win probability.",
    "tutor_mistake": "A mistake: {words} [{action}] costs {cost} percentage points of win probability.",
    "tutor_inaccuracy": "An inaccuracy: {words} [{action}] costs {cost} percentage points of win probability.",
    "tutor_cost": "Not the best: {words} [{action}] costs {cost} percentage points of win probability.",
    "tutor_better": "Better: {words} [{action}]. Win probability: {best}% instead of {chosen}%; to be expected at the "
    "end: {best_lead} instead of {lead}.",
    "tutor_prospect": "{prospect} in {best}% of cases, after your choice in {chosen}%",
    "tutor_signed": "Your decision stands: a signed game is never taken back.",
    "tutor_take_back": "Take the decision back?",
    "tutor_awaited": "The tutor is looking at your decision.",
    "tutor_failed": "The tutor cannot judge this decision: {reason}.",
    "panel_tutor": "Tutor",
    "setting_tutor_loss": "Tutor speaks from",
    "setting_percentage": "{value} %",
    "help_option_tutor": "After a decision that cost too much, say what was better, and why.",
    "help_option_tutor_from": "The loss of win probability, in percentage points, from which on the tutor speaks; "
    "implies --tutor. Default: the one in the settings, or else 2.",
    "metavar_percentage": "PERCENT",
    "not_a_percentage": "{value} is not a percentage from 0 to {limit}.",
}
