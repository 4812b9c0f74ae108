"""The words of the command line: help texts, and what the commands print."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    # shanghaien --help
    "help_program": "Board games between two machines, with no server between them and no way to cheat.",
    "help_commands": "Commands",
    "help_play": "Play against the computer.",
    "help_host": "Open a table and wait for a guest.",
    "help_join": "Sit down at the table of a host.",
    "help_resume": "Go on with an unfinished game: the latest, or GAME; a guest can name a new ADDRESS.",
    "help_games": "List the games kept on this machine.",
    "help_players": "List the players you know, or forget one.",
    "help_players_forget": "Forget a player, by name or fingerprint.",
    "help_identity": "Show, name, export or import the key that others know you by.",
    "help_identity_name": "Play under NAME wherever --name says nothing else.",
    "help_identity_export": "Write the private key to a new FILE.",
    "help_identity_import": "Take the private key in FILE as your own.",
    "help_replay": "Look through a game: a log (.shlog) or a record (.shrec).",
    "help_verify": "Check signed logs: who played, what happened, and whether every rule was kept. FILE may be a "
    "folder, for all logs in it, or - for standard input.",
    "help_export": "Write a game as a text record; or pack it up, or show its handshakes.",
    "help_import": "Take over a game moved here from another machine.",
    "help_option_move": "Pack an unfinished game for another machine of yours, and give it up here.",
    "moved_away": (
        "{file} is packed in {bundle}, and can no longer be resumed here. Carry the file over and import it there; "
        "move the key as well: shanghaien identity export. Keep one copy only: if two are played on, that is a fork, "
        "and it convicts you."
    ),
    "moved_here": "{file} is here now. Go on with: shanghaien resume",
    "help_rules": "The rules, and how choices are typed.",
    "help_tournament": (
        "Let two computer players play against each other. Games come in pairs, with the seats changed and the "
        "same cards and dice; Ctrl-C ends it early and shows the result so far."
    ),
    "help_option_games": "How many games; an odd number gets one more. Default: {default}.",
    "help_option_seed": "A number that fixes cards, dice and players: the same games again. Default: a new one.",
    "help_option_cores": "How many processes play. Default: one for every core.",
    "help_option_raw": "Do not measure the luck of the dice, which takes a third of a second a game.",
    "help_option_json_result": "Print the result as JSON.",
    "help_option_json_verdicts": "Print one JSON object a file, on a line of its own.",
    "help_option_no_bell": "Do not ring the bell when it becomes your turn.",
    "help_option_plain": "Play line after line; best for screen readers, pipes and small windows.",
    "help_option_lines": "Show it line after line; best for screen readers, pipes and small windows.",
    "help_option_ascii": "Draw with plain ASCII characters only.",
    "help_option_player": "Who decides at this end: you, or a computer player.",
    "help_option_name": "The name that the other side sees. Default: the one kept with identity name, or your user "
    "name.",
    "help_option_repair": "If the log is damaged, set what does not hold aside, and take it back from the peer.",
    "help_option_private": "Let in only guests who have the invitation that is shown.",
    "help_option_replace": "Do so although you have another key; that one is kept aside.",
    "help_option_game": "The game. Default: the one that has the options given, or else the settings' game; without "
    "either, play and host ask at the full screen, and elsewhere it is Shanghaien.",
    "help_option_game_alone": "The only game to be played. Default: every game that is installed.",
    "help_options_of_game": "Options of {game}",
    "help_option_undescribed": "Default: {default}.",
    "help_option_against": "The computer player at the other end. Default: one for beginners.",
    "help_option_bind": "Listen at this address of this machine only. Default: at all of them.",
    "help_option_port": "The port to listen on; 0 takes a free one. Default: 48126.",
    "help_option_port_again": "The port to listen on. Default: the one this game was hosted at.",
    "help_option_patience": (
        "How long to wait for an opponent whose connection is lost. Default: for ever; a computer player waits 60."
    ),
    "help_option_announce": "Let the local network know of the table while it is open and not private. Default: yes.",
    "help_option_advertise": "An address at which guests reach you, such as a forwarded port of your router.",
    "help_option_key": "Also check that this public key (in hex) took part. May be given more than once.",
    "help_option_details": "Also say who held which key, the settings and the length.",
    "help_option_handshakes": "Handshakes that one of the players kept, which may rebut a fork. May be given more than "
    "once.",
    "help_option_export_handshakes": "Write the handshakes kept of a game that was resumed, for verify --handshakes; "
    "nothing in them is secret.",
    "help_option_json": "Print the game as one JSON object a line.",
    "help_option_at": "Show one place: start, end, or a number such as 3, 3.5 or 3.5.1, as the game counts.",
    "help_option_svg": "Draw one place as a picture: the end, or that of --at.",
    "help_option_html": "Write a web page that replays the whole game and needs nothing else.",
    "help_option_follow": "Show what happens as the log grows. Default: while a program on this machine plays the "
    "game.",
    "help_option_output": "The file to write. Default: standard output.",
    "help_further": "also",
    "help_further_names": "{names}: each has its own --help",
    "help_dice": "Test whether dice and cards came by chance alone, over the logs FILE... (or records, or folders; by "
    "default all games kept). Only verified draws count, and each game once.",
    "help_engine": "Be a computer player for another program: the engine protocol, line by line, on standard input and "
    "output. Programs that speak it, too, play wherever engine:COMMAND stands for a computer player.",
    "help_option_level": "Who decides, until the other program sets the option Level. Default: the strongest "
    "player of each game.",
    "help_option_against_again": "The computer player that goes on at the other end. Default: the one before.",
    "help_option_unsigned": "Take text records along, whose draws nobody can verify.",
    "help_analyse": "Tell luck from skill: what each decision in the games FILE... (logs, records, or folders) cost, "
    "and what each draw brought.",
    "help_stats": "Say how you have fared in the games kept on this machine, against each opponent and in all: "
    "results, luck, and what your decisions cost.",
    "help_option_analysis": "With --html: also the chance of winning over the game, and what was played badly.",
    "help_option_everything": "Show every decision and every draw, not only inaccuracies and worse.",
    "help_option_no_plot": "Leave out what is drawn with characters; best for screen readers.",
    "help_option_json_analysis": "Print one JSON object a game, on a line of its own.",
    "help_option_cores_analysis": "How many processes reckon. Default: one for every core.",
    # The manual page; its commands and options are described above.
    "man_name": "Name",
    "man_synopsis": "Synopsis",
    "man_description": "Description",
    "man_options": "Options",
    "man_commands": "Commands",
    "man_exit_status": "Exit status",
    "man_environment": "Environment",
    "man_summary": "board games between two machines, with no way to cheat",
    "man_text": "One player hosts, the other joins, over a local network, a VPN or the internet. There is no server: "
    "dice and cards are drawn by both programs together, both check every rule, and both keep the same signed log, "
    "which anybody can verify, replay and analyse later. A game that breaks off is resumed where it stood. Without an "
    "opponent: shanghaien play.",
    "exit_code_0": "Done.",
    "exit_code_1": "Any other failure.",
    "exit_code_2": "The command was used wrongly.",
    "exit_code_3": "The file is invalid, or the record illegal.",
    "exit_code_4": "Cannot connect.",
    "exit_code_5": "The game is unfinished: the opponent left; it can be resumed.",
    "exit_code_6": "The opponent broke the protocol; the evidence is kept.",
    "variable_SHANGHAIEN_HOME": "Where the key, the names and the games are kept, in place of the user's data folder.",
    "variable_SHANGHAIEN_INVITATION": "The invitation to a private table, for shanghaien join.",
    "variable_SHANGHAIEN_LANG": "The language (en, fr, it or de), in place of the one that the settings name.",
    "variable_SHANGHAIEN_TRACEBACK": "If set, the traceback of an error is printed before its message.",
    "variable_NO_COLOR": "If set, nothing is coloured.",
    "variable_TERM": "The kind of terminal; with dumb, lines are read and written and nothing else.",
    "help_help": "Show this message and exit.",
    "help_version": "Show the version and exit.",
    "program_version": "{program}, version {version}",
    "help_lang": "The language. Default: as set, or the system's.",
    # What stands for something to be typed, in a line of usage and in what speaks of it.
    "metavar_options": "[OPTIONS]",
    "metavar_command": "COMMAND",
    "metavar_arguments": "[ARGS]...",
    "metavar_file": "FILE",
    "metavar_hex": "HEX",
    "metavar_game": "GAME",
    "metavar_kind_of_game": "GAME",
    "metavar_place": "PLACE",
    "metavar_address": "ADDRESS",
    "metavar_port": "PORT",
    "metavar_name": "NAME",
    "metavar_player": "NAME-OR-FINGERPRINT",
    "metavar_seconds": "SECONDS",
    "metavar_number": "NUMBER",
    "metavar_value": "VALUE",
    # What goes wrong.
    "error": "shanghaien: {message}",
    "warning": "shanghaien: passed over: {message}",
    "interrupted": "Stopped.",
    "nameless": "Player",
    "computer_name": "Computer ({player})",
    # Meeting.
    "hosting": "The table is open on port {port}. On the other machine, type one of:",
    "hosting_here_only": "The table is open on port {port}, for this machine only.",
    "hosting_again": "{name} can come back on port {port}: without doing anything if the program there still runs, "
    "else with one of:",
    "hosting_again_here_only": "{name} can come back on port {port}, from this machine only.",
    "join_line": "    {command}",
    "join_line_zone": "    {command}   (put the other machine's own interface behind the % sign)",
    "join_line_here": "In another terminal of this machine:\n    {command}",
    "searching": "Looking for open tables on the local network.",
    "found_table": "{number}. {name} offers a game of {game}, at {address}",
    "more_tables": "More tables are announced than are listed, and anybody on this network can announce some. If yours "
    "is missing, type the address that its host shows: shanghaien join ADDRESS",
    "within_wsl": "This is Linux within Windows (WSL). Other machines reach it only with networkingMode=mirrored in "
    "the .wslconfig of Windows, or if Windows passes the port on: netsh interface portproxy. Else host from Windows "
    "itself.",
    "not_announced": "This network takes no announcements: a join without an address does not find the table.",
    "ask_table": ("Which table? Enter 1: ", "Which table (1-{count})? "),
    "no_such_table": ("{text} is no table; there is one.", "{text} is no table. Type a number from 1 to {count}."),
    "waiting": "Waiting for a guest. Ctrl-C closes the table.",
    "waiting_again": "Waiting for another guest.",
    "private_table": "Only a guest with this invitation gets in. Hand it over by a way you trust; join asks for it:\n"
    "{invitation}",
    "private_table_here": "This host plays with invited guests only. Type or paste the invitation that it shows; small "
    "letters will do, and hyphens may be left out.",
    "invitation_refused": "That cannot be it: {reason}.",
    "ask_invitation": "Invitation: ",
    "joining": "Knocking at {address}.",
    "against_computer": "{name} sits down opposite, as a real guest would: everything is drawn jointly and signed.",
    "opponent_not_looked_up": "WARNING: {name} is here, from {remote}, and whether you have met cannot be told: "
    "{reason} The key is\n    {key}",
    "not_remembered": "You will not be told that you have met before: {reason}",
    "opponent_new": "{name} is here, from {remote}. You have not met this key before:\n    {key}",
    "opponent_known": (
        "{name} is here, from {remote}: the key you have played with before ({count} game since {since}).",
        "{name} is here, from {remote}: the key you have played with before ({count} games since {since}).",
    ),
    "opponent_renamed": (
        "{before}, who goes by {name} now, is here, from {remote}: the key you have played with before ({count} game "
        "since {since}).",
        "{before}, who goes by {name} now, is here, from {remote}: the key you have played with before ({count} games "
        "since {since}).",
    ),
    "opponent_name_taken": (
        "WARNING: somebody called {name} is here, from {remote}, but not with the key of the {name} you know. It may be"
        " a new machine, or somebody else. Ask by another way before you play. The key is\n    {key}"
    ),
    "opponent_lookalike": "WARNING: somebody called {name} is here, from {remote}. The name looks like that of {other},"
    " whom you know, but it is spelt differently and the key is another one. It is probably not {other}. Ask by another"
    " way before you play. The key is\n    {key}",
    "opponent_took_name": (
        "WARNING: the player you know as {before} ({count} game since {since}) is here, from {remote}, under the name "
        "{name}, which is, or looks like, the name of somebody else you know. Ask by another way before you play. The "
        "key is\n    {key}",
        "WARNING: the player you know as {before} ({count} games since {since}) is here, from {remote}, under the name "
        "{name}, which is, or looks like, the name of somebody else you know. Ask by another way before you play. The "
        "key is\n    {key}",
    ),
    "opponent_same_key": "{name} is here, from {remote}, with your own key: another terminal with the same home.",
    "authentication": "Both screens must show this number, or somebody sits in between: {string}",
    "guest_insists": "{name} wants other settings: {settings}.",
    "answer_within": ("{name} waits {count} minute for your answer.", "{name} waits {count} minutes for your answer."),
    "guest_considers": "{name} is looking at the settings.",
    "wait_for_guest": "{name} has not agreed yet. Go on waiting? (no sends {name} away and waits for the next guest)",
    "wait_for_host": "{name} has not agreed yet. Go on waiting? (no leaves the table)",
    "host_awaited": "Waiting for {name}.",
    "play_with_guest": "Play with {name}?",
    "play_with_doubtful_guest": "Play with this {name} all the same, in spite of the warning?",
    "take_terms_of_doubtful_host": "This {name} proposes a game of {game}: {settings}. Play all the same, in spite of "
    "the warning?",
    "take_terms": "{name} proposes a game of {game}: {settings}. Play?",
    "play_again": "Another game?",
    "asked_again": "Waiting for the other side to want another game too.",
    "wait_for_rematch": "{name} has not said yet whether to play again. Go on waiting? (no leaves the table)",
    "no_more": "The other side does not want another game.",
    "chat": "{name}: {text}",
    "not_said": "{name} is not connected, so nobody has heard that.",
    "offered": "{name} offers to abandon the game by consent: no winner, signed by both. Type accept to take the "
    "offer; any other choice turns it down.",
    "offer_made": "Your offer to abandon the game has gone to {name}; it stands for this decision.",
    "offer_kept": "Your offer to abandon the game goes out when it is for {name} to decide. If you leave "
    "before that, it is not made.",
    "offer_lapsed": "The offer of {name} to abandon the game has lapsed, since you decided instead.",
    "own_offer_lapsed": "Your offer to abandon the game has lapsed: {name} decided instead.",
    "resignation_kept": "Your resignation is kept, and goes out as soon as {name} is back, also if you leave now and "
    "resume the game another time.",
    "own_entries_regained": (
        "Your log was older than the game: {count} entry that you had signed was taken back from {name}. If you have "
        "not restored a backup, something is wrong: a failing disk, or somebody who plays with your key.",
        "Your log was older than the game: {count} entries that you had signed were taken back from {name}. If you "
        "have not restored a backup, something is wrong: a failing disk, or somebody who plays with your key.",
    ),
    "silent": (
        "Nothing has come from {name} for {count} minute. The connection stands and the program at its other end "
        "answers, so {name} is thinking, or away from the table. You can wait, say something, resign, or leave and go "
        "on later.",
        "Nothing has come from {name} for {count} minutes. The connection stands and the program at its other end "
        "answers, so {name} is thinking, or away from the table. You can wait, say something, resign, or leave and go "
        "on later.",
    ),
    "silent_and_away": (
        "Nothing has come from {name} for {count} minute, and {name} is not connected. You can wait, resign, or leave "
        "and go on later.",
        "Nothing has come from {name} for {count} minutes, and {name} is not connected. You can wait, resign, or leave "
        "and go on later.",
    ),
    "both_signed": "{host} and {guest} have both signed the result.",
    "opponent_awaited": "Waiting for {name} to connect.",
    "interrupted_game": "The connection to {name} is gone. {reason} The game is kept, and goes on by itself as soon as "
    "there is a connection again.",
    "reconnected": "{name} is back, and the game goes on where it was.",
    "chains_differ": "{name} is back, but the log there does not continue yours. Both programs now show each other "
    "their entries, to find out why.",
    "resuming": "Going on with {game}: {verdict}",
    # Leaving.
    "resigned": "{name} resigns.",
    "abandoned": "The game is abandoned by consent.",
    "you_left": "You have left the table.",
    "log_0": "The signed log: {path}",
    "log_1": "The log so far: {path}",
    "log_5": "The game is not finished. All that happened so far is signed and kept. shanghaien resume goes on "
    "with it: {path}",
    "log_6": "The evidence, which anybody can check with shanghaien verify: {path}",
    # Files.
    "verdict_line": "{file}: {verdict}",
    "verdict_complete": "COMPLETE ({outcome})",
    "verdict_decided": "DECIDED (not signed by {awaited}) ({outcome})",
    "verdict_incomplete": "INCOMPLETE (awaiting {awaited})",
    "verdict_violation": "VIOLATION ({name}, entry {number}, {reason})",
    "verdict_invalid_file": "INVALID FILE ({reason})",
    "verdict_invalid_entry": "INVALID FILE (entry {number}, {reason})",
    "verdict_unsupported": "UNSUPPORTED ({reason})",
    "outcome_score": "{name} {score}",
    "outcome_resigned": "{name} resigned",
    "outcome_abandoned": "abandoned by consent",
    "details_host": "Host: {name}, key {fingerprint} ({key})",
    "details_guest": "Guest: {name}, key {fingerprint} ({key})",
    "details_one_key": "Both seats were played with one key.",
    "game_with_options": "{game} ({settings})",
    "details_game": "Game: {game}, rules version {rules}; {settings}",
    "details_entries": ("{count} signed entry", "{count} signed entries"),
    "details_torn": (
        "{count} byte at the end belongs to no entry: its writing was cut short.",
        "{count} bytes at the end belong to no entry: their writing was cut short.",
    ),
    "key_absent": "{file}: the key {key} took no part in this game.",
    "completion_game": "last played {when}",
    "verdict_unsigned": "not signed (the moves follow the rules; who made them cannot be verified)",
    "following": "This game goes on: whatever is appended to its log is verified, and shown if it holds. Ctrl-C stops "
    "watching; the game does not mind.",
    "following_over": "Nobody plays this game on this machine any longer.",
    "following_stopped": "You have stopped watching.",
    "picture_written": "The picture is in {path}. {verdict}",
    "page_written": "The page is in {path}; any browser shows it. {verdict}",
    "page_verified": "This page was made on {when} UTC by p2p-shanghaien {version}, which checked the signed log again "
    "from its bytes: every signature, every draw, every move. The verdict: {verdict}",
    "page_log": "The log: {file}, {size} bytes, SHA-256 {digest}",
    "page_no_proof": "The page itself proves nothing, since anybody can write another. Whoever wants to be sure takes "
    "the log, which both have signed, and runs: shanghaien verify {file}",
    "page_unsigned": "This page was made on {when} UTC by p2p-shanghaien {version} from a text record. Its moves "
    "follow the rules; nothing else was verified. A record is not signed: it does not prove who played, nor that dice "
    "and cards came as it says. A signed log (.shlog) can prove that: shanghaien verify checks it.",
    "no_games": "No games are kept in {folder} yet. Try: shanghaien play",
    "games_at": "Games in {folder}, the latest first.\nThe beginning of a name is enough: shanghaien replay NAME",
    "game_line": "{when}  {names}\n    {file}\n    {verdict}",
    "game_waits": "It waits for {who}, since {since}.",
    "game_waits_for_you": "It is your turn, since {since}.",
    "game_unheard": "Your signature is the last, and {name} may never have received it. If the game is DECIDED there, "
    "not COMPLETE, both of you resume it.",
    "game_moved": "It was packed up, to go on on another machine.",
    "game_goes_on": "Go on with: shanghaien resume {game}",
    "game_goes_on_now": "It is being played right now, by another program on this machine.",
    # Tournaments.
    "tournament_head": "{a} against {b}: {count} games of {game}, seed {seed}. Seen by {a}:",
    "tournament_score": "  won {won}, drawn {drawn}, lost {lost}",
    "tournament_win_rate": "  win rate {mean}% (95% confidence: {low} to {high}; draws are half)",
    "tournament_win_rate_alone": "  win rate {mean}% (draws are half)",
    "tournament_margin": "  margin {mean} points a game (95% confidence: {low} to {high})",
    "tournament_margin_alone": "  margin {mean} points a game",
    "tournament_adjusted": "Without the luck of the dice:",
    # Dice and cards.
    "dice_left_unsigned": "{file} does not count: a text record is not signed. --unsigned takes it along.",
    "dice_left_not_sound": "{file} does not count: {reason}",
    "dice_left_same_game": "{file} does not count: it is the same game as {other}.",
    "dice_left_game_convicted": "{file} does not count: {other} shows that a rule was broken in this game.",
    "dice_left_copies_differ": "{file} does not count: it and {other} are one game that went on in two ways.",
    "dice_copies": ("{count} file is a copy of a game that counts.", "{count} files are copies of games that count."),
    "dice_nothing": "No game counts, so there is nothing to test.",
    "dice_untold": (
        "{count} game of {game}: all draws were verified, but it is not known here which of them are dice and which "
        "are cards, so none is counted.",
        "{count} games of {game}: all draws were verified, but it is not known here which of them are dice and which "
        "are cards, so none is counted.",
    ),
    "dice_untold_unsigned": (
        "{count} game of {game}: it is not known here which draws are dice and which are cards, so none is counted.",
        "{count} games of {game}: it is not known here which draws are dice and which are cards, so none is counted.",
    ),
    "dice_counted": (
        "{count} game of {game} counts: {rolls} rolls ({dice} dice), {cards} cards.",
        "{count} games of {game} count: {rolls} rolls ({dice} dice), {cards} cards.",
    ),
    "dice_unrevealed": (
        "{count} game stops where one side knew a draw and never revealed it: what it would have been is missing here.",
        "{count} games stop where one side knew a draw and never revealed it: what those would have been is missing "
        "here.",
    ),
    "dice_tables": "The tables: how often something came, and behind the stroke how often it is expected.",
    "dice_faces": "Dice one by one",
    "dice_rolls": "Dice thrown together",
    "dice_doubles": "Doubles",
    "dice_serial": "The first die of a roll (across), by the first die of the roll before it (down)",
    "dice_faces_host": "Dice that hosts rolled",
    "dice_faces_guest": "Dice that guests rolled",
    "dice_faces_key": "Dice that {name} rolled (key {fingerprint})",
    "dice_starts": "Who starts",
    "dice_cards": "Cards by {grouping} (down), and by the deal in which they came (across)",
    "dice_title": "{title}: {text}",
    "dice_die": "d{sides}",
    "dice_number": "{number}{die}",
    "dice_label_host": "host",
    "dice_label_guest": "guest",
    "dice_label_doubles": "doubles",
    "dice_label_others": "others",
    "dice_uneven": "Chance alone gives counts at least this uneven in {rate} ({method}; p = {p}).",
    "dice_even": "Chance alone gives counts at least this even in {rate} ({method}; p = {p}).",
    "dice_rate": "{count} of {total} such collections",
    "dice_rate_below": "fewer than 1 of {total} such collections",
    "dice_by_chi_square": "chi-square {statistic} with {freedom} degrees of freedom",
    "dice_by_simulated": "chi-square {statistic}, compared with {count} simulated collections",
    "dice_by_exact": "exact binomial test",
    "dice_fine": "Of {count} tests one is always the strangest; fair dice and cards give one at least as strange as "
    "the strangest here in {rate}. Nothing speaks against them.",
    "dice_little": "Of {count} tests one is always the strangest; fair dice and cards give one at least as strange as "
    "the strangest here in {rate}. But there is too little here to conclude anything.",
    "dice_strange": "Of {count} tests one is always the strangest; but fair dice and cards give one as strange as the "
    "strangest here ({test}) in {rate}. That speaks against chance alone, or for a choice of files: look where they "
    "come from, and test it again with games that are not among them.",
    "dice_power": "How much {dice} dice can show: if one face came up {points} points in a hundred too often "
    "({fair} are fair), that would be found in 4 of 5 such collections; less than that may go unseen.",
    "dice_powerless": "{dice} dice are too few: if all of them showed the same face, that could go unseen.",
    "dice_needed": "To find {points} in a hundred, {needed} dice are needed, about {games} games like these.",
    "dice_proof": "No count proves that dice are fair. That nobody could steer these draws is shown by the logs "
    "themselves, in which both sides signed their part of each.",
    # One's own games.
    "stats_opponent": "Opponent",
    "stats_games": "games",
    "stats_results": "results",
    "stats_margin": "margin",
    "stats_own_cost": "own cost",
    "stats_their_cost": "theirs",
    "stats_luck": "luck",
    "stats_total": "All",
    "stats_without_result": (
        "{count} game has no result (unfinished, or abandoned) and does not count.",
        "{count} games have no result (unfinished, or abandoned) and do not count.",
    ),
    "stats_all_games": (
        "{count} game in all: {won} won, {drawn} drawn, {lost} lost.",
        "{count} games in all: {won} won, {drawn} drawn, {lost} lost.",
    ),
    "stats_unreadable": (
        "{count} file could not be read, and does not count.",
        "{count} files could not be read, and do not count.",
    ),
    "stats_no_evaluator": "The value of positions of {game} is not known here, so costs and luck are missing.",
    "stats_explained": "Results: won, drawn, lost. Margin: points ahead, in the mean of the games played to their end.",
    "stats_explained_costs": "Cost: the chance of winning that a decision gave away in the mean, yours and theirs. "
    "Luck: what dice and cards brought you of it in the mean of games.",
    # Players and the key.
    "identity_shown": "You play as {name}.\nThe fingerprint of your key: {fingerprint}\nThe whole public key: {key}",
    "identity_kept": "Everything is kept in {folder}.",
    "settings_set_aside": "The settings could not be read; what stood there is in {path} now.",
    "name_kept": "You play as {name} from now on.",
    "key_exported": "The private key {fingerprint} is in {path} now. Whoever has this file can play as you, so keep it "
    "from others. Use it on one machine at a time only: two that go on with the same game can sign different moves, "
    "and that convicts your key.",
    "key_imported": "You play with the key {fingerprint} from now on. Use it on one machine at a time only: two that "
    "go on with the same game can sign different moves, and that convicts your key.",
    "key_set_aside": "Your former key is kept in {path}. Games that were begun with it still go on with it.",
    "no_players": "You have not played with anybody yet. The keys of those you play with are remembered.",
    "player_line": (
        "{name}\n    {fingerprint}\n    {count} game since {since}",
        "{name}\n    {fingerprint}\n    {count} games since {since}",
    ),
    "player_left": (
        "    {count} kept game is unfinished and waits for this player",
        "    {count} kept games are unfinished and wait for this player",
    ),
    "player_forgotten": "{name} ({fingerprint}) is forgotten, and will be somebody new to you in the next game.",
    "host_and_guest": "{host} (host) and {guest} (guest)",
    "nobody_known": "nobody known",
}
