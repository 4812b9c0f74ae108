"""The sentences of the command line: help texts, and the output of commands."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    # shanghaien --help
    "help_program": "Board games between two machines: no server between them, no way to cheat.",
    "help_commands": "Commands",
    "help_play": "Play against the computer.",
    "help_learn": "Learn a game step by step, at the table.",
    "help_option_again": "Start the lesson over.",
    "help_host": "Open a table and wait for a guest.",
    "help_join": "Join the table of a host.",
    "help_watch": "Watch the game at somebody else's table: at ADDRESS, or at one found on the local network.",
    "help_resume": "Resume an unfinished game: the latest, or GAME, by its first digits. A guest can give a new "
    "ADDRESS.",
    "help_games": "List saved games.",
    "help_players": "List your contacts, or forget one.",
    "help_players_forget": "Forget a contact, by name or fingerprint.",
    "help_identity": "Show, name, export or import your key.",
    "help_identity_name": "Play under NAME, unless --name gives another.",
    "help_identity_export": "Write the private key to a new FILE.",
    "help_identity_import": "Use the private key in FILE as your own.",
    "help_replay": "Replay a game: the latest, or FILE: a log (.shlog), a record (.shrec), or the first digits of a "
    "saved game.",
    "help_verify": "Verify signed logs: players, signatures, draws and every rule. FILE is a log, the first digits of "
    "a saved game, a folder, for all logs in it, or - for standard input. Without FILE, the latest game is verified.",
    "help_export": "Export a game as text or as an archive, or its handshakes: the latest, or FILE.",
    "help_import": "Import a game that was transferred from another machine.",
    "help_option_move": "Archive an unfinished game to transfer it to another machine of yours; it cannot be resumed "
    "here any more.",
    "moved_away": (
        "{game} is archived in {archive} and can no longer be resumed here. Import the archive on the other machine, "
        "and transfer the key as well: shanghaien identity export. Keep one copy only: playing on with two is a fork, "
        "which proves a violation of yours."
    ),
    "moved_here": "{game} is imported. Continue with: shanghaien resume {digits}",
    "help_rules": "Show the rules, and how to type choices.",
    "help_tournament": (
        "Let two computer players play against each other. Games come in pairs, with seats swapped and the same cards "
        "and dice; Ctrl-C stops early and shows the result so far."
    ),
    "help_option_games": "The number of games; an odd number is rounded up. Default: {default}.",
    "help_option_seed": "The random seed for cards, dice and players: it repeats the same games. Default: a new one.",
    "help_option_cores": "The number of processes that play. Default: one per core.",
    "help_option_raw": "Do not measure luck, which takes a third of a second per game.",
    "help_option_json_result": "Print the result as JSON.",
    "help_option_json_list": "Print the list as one JSON document.",
    "help_option_json_verdicts": "Print one JSON object per file, each on its own line.",
    "help_option_no_bell": "Neither ring the bell nor show a notification when it is your turn.",
    "help_option_plain": "Use plain mode, line by line; best for screen readers, pipes and small windows.",
    "help_option_lines": "Show it line by line; best for screen readers, pipes and small windows.",
    "help_option_ascii": "Draw with plain ASCII characters only.",
    "help_option_player": "Who plays your side: you (human), or a computer player.",
    "help_option_name": "The name your opponent sees. Default: the one set with identity name, or your user name.",
    "help_option_repair": "If the log is damaged, set the invalid part aside and restore it from the peer.",
    "help_option_relay": "Let a guest come through this relay as well: a name, or one with ws:// before it. The table "
    "is private then.",
    "help_option_open_port": "Ask the router to let guests in from the internet, by PCP or UPnP, as long as the table "
    "is open. The table is private then.",
    "help_option_open_port_again": "As the host: ask the router to let your guest in from the internet, by PCP or "
    "UPnP.",
    "help_option_private": "Admit only guests who have the invitation that is shown.",
    "help_option_watchers": "Let this many people watch, at most 20; your guest is told before agreeing. Default: 0.",
    "help_option_replace": "Replace the key that you already have; it is set aside.",
    "help_option_game": "The game. Default: the one with the options given, or else the one in the settings; without "
    "either, play and host ask in full-screen mode, and elsewhere it is Shanghaien.",
    "help_option_game_alone": "Play this game only. Default: every installed game.",
    "help_options_of_game": "Options of {game}",
    "help_option_undescribed": "Default: {default}.",
    "help_option_against": "The computer player that you play against. Default: one for beginners.",
    "help_option_bind": "Listen on this address of this machine only. Default: on all of them.",
    "help_option_port": "The port to listen on; 0 takes a free one. Default: 48126.",
    "help_option_port_again": "The port to listen on. Default: the one this game was hosted on.",
    "help_option_patience": (
        "How long to wait for an opponent after the connection is lost. Default: forever; a computer player waits 60."
    ),
    "help_option_announce": "Announce the table on the local network while it is open and not private. Default: yes.",
    "help_option_advertise": "An address at which guests reach you, such as a forwarded port of your router.",
    "help_option_key": "Also check that this public key (in hex) took part. May be given more than once.",
    "help_option_details": "Also show the keys of the players, the settings and the length.",
    "help_option_handshakes": "Handshakes saved by one of the players, which may rebut a fork. May be given more than "
    "once.",
    "help_option_export_handshakes": "Write the saved handshakes of a resumed game, for verify --handshakes; they "
    "contain no secrets.",
    "help_option_export_data": "Write the data that the game is played by, such as a deck of cards.",
    "help_option_json": "Print the game as one JSON object per line.",
    "help_option_at": "Show one place: start, end, or a number such as 3, 3.5 or 3.5.1, as the game counts.",
    "help_option_svg": "Draw one place as an SVG picture: the end, or the one given with --at.",
    "help_option_html": "Write a self-contained web page that replays the whole game.",
    "help_option_follow": "Show new entries as the log grows. Default: while a program on this machine plays the game.",
    "help_option_output": "The file to write. Default: standard output.",
    "help_further": "also",
    "help_further_names": "{names}: --help",
    "help_dice": "Test whether dice and cards were fair in the logs FILE... (or records, or folders; by default all "
    "saved games). Only verified draws count, and each game once.",
    "help_engine": "Run as an engine: a computer player for another program, which speaks the engine protocol on "
    "standard input and output. Other engines play here wherever engine:COMMAND stands for a computer player.",
    "help_relay": "Run a relay: players who cannot reach each other meet at it, and it cannot read along.",
    "help_option_port_relay": "The port to listen on; 0 takes a free one. Default: 48127.",
    "help_option_trust_proxy": "The IP address of a reverse proxy, whose X-Forwarded-For header is believed. May be "
    "given more than once.",
    "help_option_log_addresses": "Name the address in each event, and tell each event at once.",
    "not_an_ip_address": "{value} is not an IP address.",
    # What a relay prints.
    "relay_open": "The relay is open on port {port}. Hosts use it with one of:",
    "relay_open_here_only": "The relay is open on port {port}, for this machine only. Hosts use it by the name of the "
    "proxy in front of it:",
    "relay_summary": "{time} Connected pairs: {pipes}. In the last minute: {events}.",
    "relay_count": "{event}: {count}",
    "relay_event": "{time} {address}: {event}",
    "relay_opened": "connected",
    "relay_closed": "disconnected",
    "relay_not_ours": "refused (not a request to a relay)",
    "relay_malformed": "refused (malformed or no first message)",
    "relay_no_host": "refused (no host waits)",
    "relay_replaced": "replaced (by a newer host)",
    "relay_full": "refused (too many games with one host)",
    "relay_crowded": "dropped (all places taken)",
    "relay_stalled": "dropped (reads nothing)",
    "relay_silent": "dropped (answers nothing)",
    "help_option_level": "The player, until the other program sets the option Level. Default: the strongest player of "
    "each game.",
    "help_option_against_again": "The computer player to continue against. Default: the same as before.",
    "help_option_unsigned": "Include text records, whose draws cannot be verified.",
    "help_analyse": "Separate luck from skill in the games FILE... (logs, records, folders, or the first digits of "
    "saved games; by default the latest game): the cost of each decision and the luck of each draw.",
    "help_stats": "Sum up your saved games, against each opponent and in all: results, luck, and the cost of your "
    "decisions.",
    "help_option_analysis": "With --html: also show the win probability over the game, and the mistakes.",
    "help_option_everything": "Show every decision and every draw, not only inaccuracies and worse.",
    "help_option_no_plot": "Leave out plots drawn with characters; best for screen readers.",
    "help_option_json_analysis": "Print one JSON object per game, each on its own line.",
    "help_option_cores_analysis": "The number of processes that compute. Default: one per core.",
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
    "both programs draw dice and cards together, check every rule, and keep the same signed log, which anybody can "
    "verify, replay and analyse later. An interrupted game is resumed where it stopped. Without an opponent: "
    "shanghaien play.",
    "exit_code_0": "Done.",
    "exit_code_1": "Any other failure.",
    "exit_code_2": "The command was used wrongly.",
    "exit_code_3": "The file is invalid, or the record illegal.",
    "exit_code_4": "Cannot connect.",
    "exit_code_5": "The game is unfinished: the opponent left; it can be resumed.",
    "exit_code_6": "The opponent broke the protocol; the evidence is saved.",
    "variable_SHANGHAIEN_HOME": "The folder of the key, contacts, settings and saved games, in place of the user's "
    "data folder.",
    "variable_SHANGHAIEN_INVITATION": "The invitation to a private table, for shanghaien join and watch.",
    "variable_SHANGHAIEN_LANG": "The language (en, fr, it or de), in place of the one in the settings.",
    "variable_SHANGHAIEN_TRACEBACK": "If set, the traceback of an error is printed before its message.",
    "variable_SHANGHAIEN_OPPONENT": "Set for the command on_turn of the settings, which is run when it is your turn: "
    "the opponent's name.",
    "variable_SHANGHAIEN_GAME": "Set for the command on_turn of the settings: the game.",
    "variable_NO_COLOR": "If set, nothing is coloured.",
    "variable_TERM": "The type of the terminal; with dumb, the program only reads and writes lines.",
    "help_help": "Show this message and exit.",
    "help_version": "Show the version and exit.",
    "program_version": "{program}, version {version}",
    "help_lang": "The language. Default: as set, or the system's.",
    # Placeholders for input, in a line of usage and in what refers to it.
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
    "metavar_relay": "RELAY",
    "metavar_number": "NUMBER",
    "metavar_value": "VALUE",
    # Errors.
    "error": "shanghaien: {message}",
    "warning": "shanghaien: skipped: {message}",
    "interrupted": "Stopped.",
    "nameless": "Player",
    "computer_name": "Computer ({player})",
    # Connecting.
    "hosting": "The table is open on port {port}. On the other machine, type one of:",
    "hosting_here_only": "The table is open on port {port}, for this machine only.",
    "hosting_again": "{name} can reconnect on port {port}: automatically if the program there still runs, otherwise "
    "with one of:",
    "hosting_again_here_only": "{name} can reconnect on port {port}, from this machine only.",
    "hosting_again_relay": "{name} can also reconnect through the relay {relay}, without naming it.",
    "only_nearby": "These addresses lead here from your own network. For a guest elsewhere, the router may open a "
    "port: shanghaien host --open-port. A relay leads around it: shanghaien host --relay NAME.",
    "port_opened": "The router lets guests in from the internet. They type:\n    shanghaien join {address}",
    "port_opened_again": "From now on the router lets guests in at this address:\n    shanghaien join {address}",
    "port_not_renewed": "The router may let no more guests in; it is asked again. ({reason})",
    "join_line": "    {command}",
    "join_line_zone": "    {command}   (after the % sign, put the other machine's own interface)",
    "join_line_here": "In another terminal of this machine:\n    {command}",
    "searching": "Looking for open tables on the local network.",
    "found_table": "{number}. {name} offers a game of {game}, at {address}",
    "more_tables": "More tables are announced than are listed, and anybody on this network can announce some. If yours "
    "is missing, type the address that its host shows: shanghaien join ADDRESS",
    "within_wsl": "This is Linux within Windows (WSL). Other machines reach it only with networkingMode=mirrored in "
    "the .wslconfig of Windows, or if Windows passes the port on: netsh interface portproxy. Else host from Windows "
    "itself.",
    "not_announced": "The table cannot be announced on this network, so guests have to type its address.",
    "searching_to_watch": "Looking for tables on the local network that can be watched.",
    "found_table_to_watch": "{number}. {name} hosts {game}, at {address}",
    "found_none_to_watch": "No table that can be watched was found on this network.",
    "found_none": "No open table was found on this network.",
    "ask_table": (
        "Which table? Enter 1, type an address, or paste an invitation: ",
        "Which table (1-{count})? Type its number or an address, or paste an invitation: ",
    ),
    "ask_address": "Type the address that the host shows, or paste its invitation: ",
    "no_such_table": (
        "There is no table {text}; there is only one.",
        "There is no table {text}. Type a number from 1 to {count}.",
    ),
    "waiting": "Waiting for a guest. Ctrl-C closes the table.",
    "waiting_again": "Waiting for another guest.",
    "turned_away_version": "A visitor from {address} was turned away: their program speaks version {theirs} of the "
    "protocol, this one {ours}. Update the older program.",
    "turned_away_invitation": "A visitor from {address} was turned away: they had no invitation, or a wrong one.",
    "turned_away_busy": "A visitor from {address} was turned away: your table is taken.",
    "turned_away_other_game": "A visitor from {address} was turned away: they came to continue another game.",
    "turned_away_more": "More visitors were turned away; not all of them are shown.",
    "private_table": "Only a guest with this invitation can join. Send it over a channel that you trust; join asks "
    "for it:\n"
    "{invitation}",
    "relay_table": "From anywhere else, type {command}, and paste this line at its prompt. Send it to your guest over "
    "a channel that you trust; nobody can join without it:\n"
    "{invitation}",
    "connected_by_relay": "You are connected through the relay {relay}, which can read nothing.",
    "relay_nobody_waits": "Your host does not wait at {relay} yet. Ctrl-C stops waiting.",
    "relay_away": "Guests cannot come through the relay {relay} at the moment; it is tried again. ({reason})",
    "private_table_here": "This host plays with invited guests only. Type or paste the invitation that it shows; case "
    "and hyphens do not matter.",
    "private_table_to_watch": "At this table you can watch only with an invitation. Type or paste the one for watching "
    "that the host shows; case and hyphens do not matter.",
    "invitation_refused": "Invalid invitation: {reason}.",
    "ask_invitation": "Invitation: ",
    "joining": "Connecting to {address}.",
    "watchers_welcome": (
        "One person can watch: they type {command}, with the same address.",
        "Up to {count} people can watch: they type {command}, with the same address.",
    ),
    "watchers_invited": (
        "One person can watch: they type {command}, with the same address, and paste this at its prompt. It lets "
        "nobody play:\n{invitation}",
        "Up to {count} people can watch: they type {command}, with the same address, and paste this at its prompt. It "
        "lets nobody play:\n{invitation}",
    ),
    "watchers_invited_relay": (
        "One person can watch: they type {command}, and paste this line at its prompt. It lets nobody play:\n"
        "{invitation}",
        "Up to {count} people can watch: they type {command}, and paste this line at its prompt. It lets nobody play:\n"
        "{invitation}",
    ),
    "may_be_watched": "{name} lets others watch this game.",
    "data_offered": "{name} has handed over data for this game which your program lacked. They fit the digest in the "
    "options, and are kept if you agree.",
    "watchers": ("{count} person is watching.", "{count} people are watching."),
    "watchers_none": "Nobody is watching any more.",
    "watching_waits": "No game has begun at this table yet. Ctrl-C stops waiting.",
    "watching_interrupted": "The connection to the host was lost; it is tried again. Ctrl-C stops watching. ({reason})",
    "watching_again": "Connected again.",
    "watching_now": "This game is being played. You see each step once the other player has answered it. Ctrl-C stops "
    "watching, not the game.",
    "watching_next": "This game is over. If another one begins at this table, it is shown, too. Ctrl-C stops watching.",
    "watching_over": "The host has left before the end of the game. When it goes on, you can watch again.",
    "watched_nothing": "No game was shown.",
    "watched_kept": "The game is saved as far as it was shown. To look through it: shanghaien replay {digits}",
    "against_computer": "{name} joins the table as any guest would: every draw is joint, and every entry is signed.",
    "opponent_not_looked_up": "WARNING: {name} connected from {remote}. Whether the key is that of a contact is "
    "unknown: {reason}",
    "not_remembered": "Your opponent could not be saved as a contact: {reason}",
    "opponent_new": "{name} connected from {remote}. You have not played with this key before.",
    "opponent_known": (
        "{name} connected from {remote}, with the key that you have played with before ({count} game since {since}).",
        "{name} connected from {remote}, with the key that you have played with before ({count} games since {since}).",
    ),
    "opponent_renamed": (
        "{before}, now called {name}, connected from {remote}, with the key that you have played with before ({count} "
        "game since {since}).",
        "{before}, now called {name}, connected from {remote}, with the key that you have played with before ({count} "
        "games since {since}).",
    ),
    "opponent_name_taken": (
        "WARNING: somebody called {name} connected from {remote}, but with another key than the {name} in your "
        "contacts. It may be a new machine, or somebody else."
    ),
    "opponent_lookalike": "WARNING: somebody called {name} connected from {remote}. The name looks like that of your "
    "contact {other}, but it is spelt differently and the key is another one. It is probably not {other}.",
    "opponent_took_name": (
        "WARNING: your contact {before} ({count} game since {since}) connected from {remote} under the name {name}, "
        "which is, or looks like, the name of another contact.",
        "WARNING: your contact {before} ({count} games since {since}) connected from {remote} under the name {name}, "
        "which is, or looks like, the name of another contact.",
    ),
    "key_to_check": "To find out, ask {name} over another channel for the fingerprint that shanghaien identity shows "
    "there. The fingerprint of the key here:\n    {key}",
    "opponent_same_key": "{name} connected from {remote}, with your own key: another terminal with the same "
    "SHANGHAIEN_HOME.",
    "authentication": "Compare this number with your opponent; if it differs, there is a man in the middle: {string}",
    "guest_insists": "{name} wants other settings: {settings}.",
    "answer_within": ("Answer {name} within {count} minute.", "Answer {name} within {count} minutes."),
    "guest_considers": "{name} is looking at the settings.",
    "wait_for_guest": "{name} has not agreed yet. Go on waiting? (no sends {name} away and waits for the next guest)",
    "wait_for_host": "{name} has not agreed yet. Go on waiting? (no leaves the table)",
    "host_awaited": "Waiting for {name}.",
    "play_with_guest": "Play with {name}?",
    "play_with_doubtful_guest": "Play with this {name} despite the warning?",
    "take_terms_of_doubtful_host": "This {name} proposes a game of {game}: {settings}. Play despite the warning?",
    "take_terms": "{name} proposes a game of {game}: {settings}. Play?",
    "play_again": "{result} Another game?",
    "word_replay": "replay",
    "word_analyse": "analyse",
    "no_analysis": "{game} has no evaluator, so there is no analysis.",
    "end_commands_replay": "Type replay to step through the game; later: shanghaien replay {name}",
    "end_commands": "Type replay to step through the game, or analyse for its analysis; later: shanghaien replay "
    "{name}, shanghaien analyse {name}",
    "asked_again": "Waiting for your opponent to agree to another game.",
    "wait_for_rematch": "{name} has not said yet whether to play again. Go on waiting? (no leaves the table)",
    "no_more": "Your opponent does not want another game.",
    "challenge": "Challenge {name} to a rematch, for when you next meet?",
    "challenge_kept": "Your challenge to a rematch is saved: {name} is told of it when you next meet.",
    "challenge_passed_on": "{name} is told of your challenge to a rematch at {game} ({settings}). This table plays by "
    "other terms.",
    "challenge_passed_on_here": "{name} is told of your challenge to a rematch. This table plays it.",
    "challenged": "{name} challenges you to a rematch at {game} ({settings}). This table plays by other terms; either "
    "of you can host one for it.",
    "challenged_here": "{name} challenges you to a rematch. This table plays it.",
    "challenge_in_trouble": "Your challenges to a rematch cannot be looked up or saved ({reason}). The game goes on.",
    "chat": "{name}: {text}",
    "not_said": "{name} is not connected, so the message was not sent.",
    "offered": "{name} offers to abandon the game by consent: no winner, signed by both. Type accept to accept the "
    "offer; any other choice declines it.",
    "offer_made": "Your offer to abandon the game was sent to {name}; it holds for this decision.",
    "offer_kept": "Your offer to abandon the game is sent when {name} is to decide. If you leave before that, it is "
    "not made.",
    "offer_lapsed": "The offer of {name} to abandon the game has lapsed, since you decided instead.",
    "own_offer_lapsed": "Your offer to abandon the game has lapsed: {name} decided instead.",
    "resignation_kept": "Your resignation is saved and will be sent as soon as {name} is back, even if you leave now "
    "and resume later.",
    "own_entries_regained": (
        "Your log was out of date: {count} entry that you had signed was restored from {name}. If you have not "
        "restored a backup, something is wrong: a failing disk, or somebody else with your key.",
        "Your log was out of date: {count} entries that you had signed were restored from {name}. If you have not "
        "restored a backup, something is wrong: a failing disk, or somebody else with your key.",
    ),
    "silent": (
        "Nothing was received from {name} for {count} minute. The connection is up and the program there answers, so "
        "{name} is thinking, or away from the table. You can wait, say something, resign, or leave and resume later.",
        "Nothing was received from {name} for {count} minutes. The connection is up and the program there answers, so "
        "{name} is thinking, or away from the table. You can wait, say something, resign, or leave and resume later.",
    ),
    "silent_and_away": (
        "Nothing was received from {name} for {count} minute, and {name} is not connected. You can wait, resign, or "
        "leave and resume later.",
        "Nothing was received from {name} for {count} minutes, and {name} is not connected. You can wait, resign, or "
        "leave and resume later.",
    ),
    "both_signed": "{host} and {guest} have both signed the result.",
    "opponent_awaited": "Waiting for {name} to connect.",
    "interrupted_game": "The connection to {name} was lost. {reason} The game is saved, and continues as soon as the "
    "connection is back.",
    "reconnected": "{name} is back; the game continues where it was.",
    "chains_differ": "{name} is back, but that log does not continue yours. The programs now exchange their entries "
    "to find out why.",
    "resuming": "Resuming {game}: {verdict}",
    "handing_over": "This game is finished here. It stays open until {name} has all of it: if {name}'s log is "
    "truncated or damaged, shanghaien resume there restores the rest.",
    "repair_log": "{file} is damaged: {reason}. The part before the damage is valid. The rest can be set aside in "
    "{aside}, where nothing is lost, and restored from the peer. You then make again any decision that the peer never "
    "received. Set the rest aside?",
    "repairing_log": "{file} is damaged: {reason}. The rest is set aside in {aside} and restored from the peer. You "
    "make again any decision that the peer never received.",
    "repair_sidecar": "{file}, a sidecar file of the log, is damaged; restore a backup if you have one. Otherwise it "
    "can be set aside in {aside} and begun anew. You then lose the peer's address and the secret that your "
    "commitments are revealed with: if one is still to be revealed, you can only resign. Begin it anew?",
    "repairing_sidecar": "{file}, a sidecar file of the log, is damaged. It is set aside in {aside} and begun anew. "
    "You lose the peer's address and the secret that your commitments are revealed with: if one is still to be "
    "revealed, you can only resign.",
    "damage_shown": "{file} is damaged: {reason}. Only the part before the damage is valid and shown.",
    # Leaving.
    "resigned": "{name} resigns.",
    "abandoned": "The game is abandoned by consent.",
    "you_left": "You have left the table.",
    "log_0": "The game is signed and saved as {game}.\nTo look through it: shanghaien replay",
    "log_1": "The game so far is saved as {game}.",
    "log_5": "The game is unfinished. Everything so far is signed and saved as {game}.\nTo continue it: shanghaien "
    "resume",
    "log_6": "The evidence is signed and saved as {game}. shanghaien verify {digits} checks it; anybody else can check "
    "the file:\n    {path}",
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
    "details_truncated": (
        "{count} byte at the end is a truncated entry.",
        "{count} bytes at the end are a truncated entry.",
    ),
    "key_absent": "{file}: the key {key} took no part in this game.",
    "verdict_unsigned": "not signed (the moves follow the rules; who made them cannot be verified)",
    "verify_record": "This is a text record, which nobody signed. To look at it: shanghaien replay",
    "following": "This game goes on: new entries in its log are verified and shown. Ctrl-C stops watching, not the "
    "game.",
    "following_over": "This game is no longer played on this machine.",
    "following_stopped": "You have stopped watching.",
    "picture_written": "The picture is in {path}. {verdict}",
    "page_written": "The page is in {path}; any browser shows it. {verdict}",
    "page_verified": "This page was made on {when} UTC by p2p-shanghaien {version}, which verified the whole signed "
    "log: every signature, every draw, every move. The verdict: {verdict}",
    "page_log": "The log: {file}, {size} bytes, SHA-256 {digest}",
    "page_no_proof": "A page by itself proves nothing: whoever made or changed it can make it say anything, this "
    "check included. To be sure, save the log, which both have signed, and run shanghaien verify {file}, or drop it on "
    "a page that you have written yourself with shanghaien verify --page FILE.",
    "page_unsigned": "This page was made on {when} UTC by p2p-shanghaien {version} from a text record. Its moves "
    "follow the rules; nothing else was verified. A record is not signed: it does not prove who played, nor that dice "
    "and cards came as it says. A signed log (.shlog) can prove that: shanghaien verify checks it.",
    "latest_game": "The latest game: {game}",
    "games_head": "Saved games, the latest first. To look at one, type the first of its digits:\n"
    "    shanghaien replay {digits}",
    "games_resume": "To continue an unfinished one:\n    shanghaien resume {digits}",
    "watched_head": "Watched games, the latest first. To look at one, type the first of its digits:\n"
    "    shanghaien replay {digits}",
    "game_line": "{game}\n    {state}",
    "game_of_kind": "{game}: {state}",
    "game_unsigned": "{outcome}, not signed by {who}",
    "game_waits": "waiting for {who} since {since}",
    "game_waits_for_you": "your turn since {since}",
    "game_unheard": "You signed last, and {name} may not have received it: if your signature is missing there, both "
    "of you resume the game.",
    "game_moved": "It was transferred to another machine.",
    "game_stays": "It cannot be continued here.",
    "game_goes_on_now": "It is being played right now, by another program on this machine.",
    # Tournaments.
    "tournament_head": "{a} against {b}: {count} games of {game}, seed {seed}. Results of {a}:",
    "tournament_score": "  won {won}, drawn {drawn}, lost {lost}",
    "tournament_win_rate": "  win rate {mean}% of the games (95% confidence: {low} to {high}; draws are half)",
    "tournament_win_rate_alone": "  win rate {mean}% of the games (draws are half)",
    "tournament_margin": "  margin {mean} points a game (95% confidence: {low} to {high})",
    "tournament_margin_alone": "  margin {mean} points a game",
    "tournament_adjusted": "Without luck:",
    # Dice and cards.
    "dice_left_unsigned": "{file} does not count: a text record is not signed. --unsigned includes it.",
    "dice_left_not_sound": "{file} does not count: {reason}",
    "dice_left_same_game": "{file} does not count: it is the same game as {other}.",
    "dice_left_game_violated": "{file} does not count: {other} proves a violation in this game.",
    "dice_left_copies_differ": "{file} does not count: it and {other} are copies of one game that went different ways.",
    "dice_copies": ("{count} file is a copy of a game that counts.", "{count} files are copies of games that count."),
    "dice_nothing": "No game counts, so there is nothing to test.",
    "dice_untold": (
        "{count} game of {game}: all draws were verified, but the program does not know which are dice and which are "
        "cards, so none is counted.",
        "{count} games of {game}: all draws were verified, but the program does not know which are dice and which are "
        "cards, so none is counted.",
    ),
    "dice_untold_unsigned": (
        "{count} game of {game}: the program does not know which draws are dice and which are cards, so none is "
        "counted.",
        "{count} games of {game}: the program does not know which draws are dice and which are cards, so none is "
        "counted.",
    ),
    "dice_counted": (
        "{count} game of {game} counts: {rolls} rolls ({dice} dice), {cards} cards.",
        "{count} games of {game} count: {rolls} rolls ({dice} dice), {cards} cards.",
    ),
    "dice_counted_cards": (
        "{count} game of {game} counts: {cards} cards.",
        "{count} games of {game} count: {cards} cards.",
    ),
    "dice_unrevealed": (
        "{count} game stops where one player knew a draw and never revealed it: that draw is missing here.",
        "{count} games stop where one player knew a draw and never revealed it: those draws are missing here.",
    ),
    "dice_tables": "The tables: observed counts, and after the slash the expected ones.",
    "dice_faces": "Dice one by one",
    "dice_rolls": "Dice thrown together",
    "dice_doubles": "Doubles",
    "dice_serial": "The first die of a roll (across), by the first die of the roll before it (down)",
    "dice_faces_host": "Dice that hosts rolled",
    "dice_faces_guest": "Dice that guests rolled",
    "dice_faces_name": "Dice that {name} rolled",
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
    "dice_looks_fair": (
        "Dice and cards look fair: {count} game shows nothing against it.",
        "Dice and cards look fair: {count} games show nothing against it.",
    ),
    "dice_looks_unknown": (
        "{count} game shows nothing against dice and cards, but is too little to judge them.",
        "{count} games show nothing against dice and cards, but are too few to judge them.",
    ),
    "dice_looks_unfair": "Dice or cards do not look fair: one result is too extreme for chance ({test}).",
    "dice_extreme": "With {count} tests, one is always the most extreme; fair dice and cards give one at least as "
    "extreme as the one here in {rate}.",
    "dice_strange": "With {count} tests, one is always the most extreme; but fair dice and cards give one as extreme "
    "as the one here ({test}) in {rate}. That is evidence against fairness, or for a selection of files: find out "
    "where they come from, and repeat the test with other games.",
    "dice_power": "With {dice} dice, a face that came up in {biased}% of all throws instead of {fair}% would be "
    "noticed in 4 of 5 such collections; a smaller bias may go unnoticed.",
    "dice_powerless": "{dice} dice are too few: even if all of them showed the same face, that could go unnoticed.",
    "dice_needed": "To notice a face that comes up in {biased}% of all throws instead of {fair}%, it takes {needed} "
    "dice, about {games} games like these.",
    "dice_proof": "No statistic proves that dice are fair. The logs prove that nobody could control these draws: both "
    "players signed their contribution to each.",
    # Your own games.
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
    "stats_no_evaluator": "{game} has no evaluator, so costs and luck are missing.",
    "stats_explained": "Results: won, drawn, lost. Margin: average points ahead in the games played to their end.",
    "stats_explained_costs": "Percentages are percentage points of win probability. Cost: what a decision lost on "
    "average, yours and theirs. Luck: what dice and cards brought you per game, on average.",
    # Players and the key.
    "identity_shown": "You play as {name}.\nThe fingerprint of your key: {fingerprint}\nThe whole public key: {key}",
    "identity_kept": "All files are in {folder}.",
    "settings_set_aside": "The settings could not be read; the old file is now {path}.",
    "name_kept": "You play as {name} from now on.",
    "key_exported": "The private key {fingerprint} is now in {path}. Whoever has this file can play as you, so keep "
    "it secret. Use it on one machine at a time only: two that continue the same game can sign different moves, which "
    "proves a violation by your key.",
    "key_imported": "You play with the key {fingerprint} from now on. Use it on one machine at a time only: two that "
    "continue the same game can sign different moves, which proves a violation by your key.",
    "key_set_aside": "Your old key is in {path}. Games that were begun with it are continued with it.",
    "no_players": "You have no contacts yet. The program remembers the keys of your opponents.",
    "player_line": (
        "{name}\n    {fingerprint}\n    {count} game since {since}",
        "{name}\n    {fingerprint}\n    {count} games since {since}",
    ),
    "player_left": (
        "    {count} saved game is unfinished and waits for this player",
        "    {count} saved games are unfinished and wait for this player",
    ),
    "player_challenged": "    you have challenged this player to a rematch at {game}",
    "player_forgotten": "{name} ({fingerprint}) is no longer a contact.",
}
