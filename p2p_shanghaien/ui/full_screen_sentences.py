"""The sentences and labels of the full screen."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "full_too_small": "The table needs {width} by {height} cells; the window has {across} by {down}. Make it larger, or"
    " start again with --plain. The game goes on meanwhile.",
    "full_welcome": "Welcome to the table",
    # The state of things.
    "link_none": "nobody here yet",
    "link_here": "connected",
    "link_away": "connection lost",
    "link_closed": "table closed",
    "link_watchers": ("{count} watching", "{count} watching"),
    "title_resigned": "{name} resigns: {other} wins",
    "title_violation": "The game is over: {name} broke a rule.",
    "title_own_violation": "The game is over: your own key signed an entry that breaks a rule.",
    "full_choose": "Your turn: pick with a key, the arrows or a click; Enter plays it.",
    "full_picked": "{meaning} - [Enter] plays it, [Esc] takes it back",
    "full_pick_first": "Pick a choice first; Enter then plays it.",
    # Keys at the bottom.
    "key_help": "Help",
    "key_say": "Say",
    "key_menu": "Menu",
    "key_scores": "Scores",
    "key_log": "Log",
    "key_fair": "Fair?",
    "key_leave": "Leave",
    "key_hint": "Hint",
    # Panels.
    "panel_log": "What happened",
    "panel_ending": "The end of the game",
    "panel_fair": "Why the draw is fair",
    "panel_hints": "Hints",
    "panel_analysis": "Analysis",
    "panel_replay": "Replay",
    "panel_scrolls": "[Up] [Down] scroll",
    "panel_close": "[Esc] closes",
    "panel_closed_soon": "[Enter] leaves the table",
    "key_replay": "Replay",
    "key_analysis": "Analysis",
    "replay_by_command": "This terminal cannot show the replay here. Leave the table, and type: "
    "shanghaien replay {name}",
    "panel_games": "Which game?",
    "panel_games_close": "[Esc] leaves",
    "games_help": "Up and down choose a line, Enter plays the game. To skip this question once, start with "
    '--game {name}; to skip it always, put "game": "{name}" into {path}.',
    "hints_share": "how often",
    "hints_chance": "wins",
    "hints_behind": "less",
    "hints_lead": "points",
    "full_closed": "The table is closed.",
    # Menu.
    "menu_say": "Say something",
    "menu_offer": "Offer to abandon the game",
    "menu_accept": "Accept the offer to abandon it",
    "menu_resign": "Resign",
    "menu_settings": "Settings",
    "menu_rules": "Rules",
    "menu_leave": "Leave; the game is saved",
    "ask_say": "Say to {name}: ",
    "full_offered": "{name} offers to abandon the game by consent: no winner, signed by both. Accept the offer in the "
    "menu (m); any choice declines it.",
    "full_resign": "Resign this game? {name} then wins.",
    "full_leave": "Leave the table? The game is saved; continue it with: shanghaien resume",
    "full_leave_over": "Leave the table?",
    "full_yes": "Yes",
    "full_no": "No",
    "ask_enter": "[Enter] sends it",
    "ask_enter_answer": "[Enter] answers",
    # Settings.
    "setting_theme": "Colours",
    "setting_ascii": "Characters",
    "setting_speed": "Animation",
    "setting_bell": "Bell when it is your turn",
    "setting_language": "Language",
    "setting_theme_auto": "like the terminal",
    "setting_theme_dark": "dark",
    "setting_theme_light": "light",
    "setting_theme_none": "none",
    "setting_ascii_None": "what the terminal can",
    "setting_ascii_False": "all",
    "setting_ascii_True": "ASCII only",
    "setting_speed_off": "off",
    "setting_speed_slow": "slow",
    "setting_speed_normal": "normal",
    "setting_speed_fast": "fast",
    "setting_bell_True": "on",
    "setting_bell_False": "off",
    "setting_language_None": "like the system",
    "setting_language_en": "English",
    "setting_language_fr": "français",
    "setting_language_it": "italiano",
    "setting_language_de": "Deutsch",
    "settings_help": "Up and down choose a line, left and right change it. Changes apply at once, and are saved.",
    # Help.
    "full_help": "A move takes two keys: one that picks it, and Enter. The keys stand in brackets beside the choices "
    "and on the table; the same key again picks the next choice of that key. The arrow keys go through the choices, "
    "left and right one by one, up and down group by group. With the mouse, click a highlighted place on the table, "
    "or a choice; click it again, or the line below, to play it. Esc takes a choice back. Other keys do nothing.",
    "full_help_keys": "{key}  {what}",
    "full_help_scroll": "Page Up and Page Down scroll the log; so does the mouse wheel. Ctrl-C leaves at once, Ctrl-Z "
    "suspends the program. To select text, hold Shift while you drag.",
    # Why a draw is fair.
    "fair_none": "Nothing has been drawn yet. Each draw comes from two secret numbers, one from each "
    "player, so that neither can choose it.",
    "fair_intro": "Neither player could choose this draw: one committed to a number before seeing the other's.",
    "fair_commitment": "1. Commitment to a secret number ({who}, entry {number}):",
    "fair_answer": "2. Contribution of the other player ({who}):",
    "fair_opened": "3. The secret number, revealed ({who}, entry {number}):",
    "fair_outcome": "4. Together they give: {indices}",
    "fair_state": "5. Hash of the position after it, signed by one player and computed again by the other; a "
    "difference ends the game:",
    "fair_check": "To check it by hand (H and the byte forms: protocol/SPEC.md, 2, 3.1 and 6):",
    "fair_formula_commitment": 'commitment = H("commitment"; session, {committed}, key ({who}), number ({who}))',
    "fair_formula_seed": 'seed = H("outcome"; session, {number}, parent, number of the host, number of the guest)',
    "fair_formula_index": "stream = HMAC(seed, 0), HMAC(seed, 1), ...; index below b = next byte x mod b, skipping x "
    ">= 256 - 256 mod b",
    "fair_session": "Session:",
    "fair_key": "Key ({who}):",
    "fair_parent": "Parent (hash of the entry before the reveal):",
    # A game on record.
    "replay_mark": "replay",
    "replay_live": "live",
    "replay_verdict": "Verification: {verdict}",
    "replay_breach": "{name} broke a rule here, with entry {number}: {reason}.",
    "replay_waiting": "This is the latest position; new steps are shown as they happen.",
    "replay_speed": "{seconds} s a step",
    "replay_end": "end",
    "replay_too_small": "The table needs {width} by {height} cells; the window has {across} by {down}. Make it larger, "
    "or start again with --plain.",
    "replay_help": "The left and right arrows (or b and n) go to the previous and the next step. Up (or p): {back}. "
    "Down (or r): {next}. s and e (or Home and End) go to the start and the end. a, or the space bar, plays and "
    "pauses, - slower and + faster. g, or a digit, goes to a place: {places}. x goes to the next decision with a "
    "cost, X to the previous one; h shows the value of each choice at a place, w the win probability over the game. "
    "With the mouse, click the keys below, the line of steps under the table, a sentence of the log, or the curve.",
    "keys_step": "Step",
    "keys_speed": "Speed",
    "keys_mistake": "Mistake",
    "key_curve": "Chances",
    "panel_curve": "Win probability",
    "critique_awaited": "The game is being analysed.",
    "critique_later": "A game is analysed once it is over.",
    "no_mistake_there": "There are no more mistakes in that direction.",
    "way_start": "Start",
    "way_end": "End",
    "way_play": "Play",
    "way_pause": "Pause",
    "key_go": "Go to",
    "ask_place": "Go where? {places}:",
    "ask_place_enter": "[Enter] goes there",
}
