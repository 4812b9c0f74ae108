"""The sentence of each error: what is wrong, where, and, where anything can be done, what to do."""

from collections.abc import Mapping
from typing import Final

from p2p_shanghaien.errors import (
    AppCode,
    CliCode,
    Code,
    FairplayCode,
    GameCode,
    NetCode,
    SessionCode,
    StoreCode,
    UiCode,
)
from p2p_shanghaien.ui.language import Template

WORDS: Final[Mapping[Code, Template]] = {
    # Thinking.
    AppCode.PLAYER_FAILED: "{name} cannot decide, through a mistake in the program ({reason}). The game is kept as it "
    "is, and shanghaien resume goes on with it.",
    AppCode.ADVICE_FAILED: "The chances cannot be worked out, through a mistake in the program ({reason}).",
    # Text records.
    GameCode.RECORD_TOO_LONG: "The file is longer than {limit} bytes, so it cannot be the record of a game.",
    GameCode.NOT_UTF8: "This byte is not UTF-8 text. Save the record as UTF-8.",
    GameCode.BAD_TAG: 'Not a tag. A tag is written [Name "value"], with \\" and \\\\ for a quotation mark and a '
    "backslash.",
    GameCode.TAG_AFTER_MOVES: "A tag stands behind the first move. Tags come before the first move.",
    GameCode.TAG_TWICE: "The tag {tag} stands here for the second time. Give it once.",
    GameCode.NO_GAME_TAG: 'The record does not say which game it is. Begin it with a tag such as [Game "shanghaien"].',
    GameCode.UNKNOWN_GAME: 'There is no game "{game}" here. Known: {known}.',
    GameCode.BAD_ENDED: 'The tag Ended says "{value}". It may say "0 resigned", "1 resigned" or "abandoned".',
    GameCode.ENDED_BUT_OVER: 'The tag Ended says "{value}", but the moves bring the game to its regular end.',
    GameCode.RESULT_BUT_UNFINISHED: 'The tag Result says "{value}", but the moves do not reach the end of the game.',
    GameCode.RESULT_NOT_REACHED: 'The tag Result says "{value}", but the moves come to {reached}.',
    GameCode.TAG_SPELLING: 'The tag {tag} says "{value}", which a record spells "{spelled}".',
    GameCode.AFTER_THE_END: "The game is over here; nothing may follow.",
    # Games.
    AppCode.NO_GAMES_INSTALLED: "No game is installed, not even this program's own. Install the program again, with "
    "pip.",
    GameCode.GAME_NAME_BAD: "a game's name has 1 to 32 small letters, digits and hyphens, and a letter first",
    GameCode.GAME_NAME_TAKEN: "{owner} has a game of this name",
    GameCode.GAME_NOT_LOADED: "it cannot be imported ({error})",
    GameCode.GAME_NOT_DECLARED: "its entry point is not a GameSpec but a {found}",
    GameCode.GAME_NAMED_OTHERWISE: "it calls itself {name}",
    GameCode.GAME_LACKS_OPPONENT: "it names {level} as the level for beginners, and has no such level",
    UiCode.GAME_LACKS_WORDS: "The game {game} lacks words that every game has: {codes}. Ask whoever made it for a "
    "version that has them.",
    GameCode.GAME_PART_BROKEN: "A part of the game cannot be imported: {place} ({reason}). Install the game again.",
    GameCode.GAME_FAILED: "The game {game} failed ({error}). Tell whoever made {distribution}. If "
    "SHANGHAIEN_TRACEBACK=1 is set, the program shows where it happened.",
    AppCode.OPTION_OF_OTHER_GAME: "{game} has no option {option}. It has: {known}.",
    AppCode.OPTIONS_OF_MANY_GAMES: "Several games have {options}: {known}. Name one with --game.",
    AppCode.OPTIONS_OF_NO_GAME: "No game has {options} together. Name one with --game: {known}.",
    AppCode.LEVEL_TO_BE_NAMED: "{name} is no computer player of {game}. Name one with --against: {known}.",
    # Settings and names.
    GameCode.UNKNOWN_SETTING: 'The game has no setting "{setting}".',
    # Addresses, as typed behind `join` or --bind.
    NetCode.ADDRESS_EMPTY: '"{address}" names no machine. Type what the host shows, such as 192.168.1.20.',
    NetCode.ADDRESS_SCHEME: '"{address}" begins with {scheme}://. Use ws://, or nothing at all.',
    NetCode.ADDRESS_USER: '"{address}" names a user before the @. Leave that out.',
    NetCode.ADDRESS_PATH: '"{address}" goes on behind the machine and port. Leave out what begins with /, ? or #.',
    NetCode.ADDRESS_BRACKETS: 'The brackets in "{address}" belong around an IPv6 address: [fe80::1%eth0]:5000.',
    NetCode.ADDRESS_NAME: '"{address}" cannot be the name of a machine.',
    NetCode.ADDRESS_IPV4: '"{address}" is no IPv4 address: that takes four numbers from 0 to 255, like 192.168.1.20.',
    NetCode.ADDRESS_IPV6: '"{address}" is no IPv6 address. Type it as the host shows it.',
    NetCode.ADDRESS_ZONE: 'What stands behind the % in "{address}" cannot be the name of a network interface.',
    NetCode.ADDRESS_ZONE_MISSING: '"{address}" is valid on one network link only. Add which of your network interfaces '
    "leads there, as in fe80::1%eth0.",
    NetCode.ADDRESS_NOBODY: '"{address}" belongs to no single machine, so nobody can be reached there.',
    NetCode.ADDRESS_PORT: '"{port}" in "{address}" is no port. Ports are numbers from 1 to 65535.',
    # Listening.
    NetCode.BIND_UNKNOWN: 'There is no network address "{bind}" on this machine. Leave out --bind to listen on all of '
    "them.",
    NetCode.BIND_NOT_OURS: "{bind} is not an address of this machine. Leave out --bind to listen on all there are.",
    NetCode.PORT_BUSY: "Port {port} is in use, perhaps by another game on this machine. Choose another with --port.",
    NetCode.PORT_FORBIDDEN: "The system does not let this program listen on port {port}. Choose one above 1023 with "
    "--port.",
    NetCode.CANNOT_LISTEN: "Cannot listen for guests: {reason}.",
    # Connecting.
    NetCode.CONNECTION_REFUSED: "Nobody waits at {address}. Is the host running, and are address and port right?",
    NetCode.CONNECTION_TIMED_OUT: "No answer from {address}. Is the machine on, and does its firewall let the port "
    "through?",
    NetCode.NAME_NOT_FOUND: "No machine called {address} can be found. Check the name, or use the IP address.",
    NetCode.ZONE_UNKNOWN: "{address} names a network interface that this machine does not have. Put yours behind the "
    "%.",
    NetCode.UNREACHABLE: "No way leads to {address} from this machine. Are both on the same network?",
    NetCode.UNREACHABLE_MACOS: "No way leads to {address} from this machine. Are both on the same network? macOS may "
    "also keep your terminal out of it: allow it in System Settings > Privacy & Security > Local Network.",
    NetCode.CANNOT_CONNECT: "Cannot connect to {address}: {reason}.",
    NetCode.DROPPED_WHILE_OPENING: "{address} hung up before saying anything. It may have too many visitors; try "
    "again.",
    NetCode.NOT_A_HOST: "Something answers at {address}, but it is not a host of this game. Check the port.",
    FairplayCode.NOT_OUR_PROTOCOL: "The other side is not this program, or one that talks like it. Check address and "
    "port.",
    FairplayCode.OTHER_VERSION: "The other side speaks version {theirs} of the protocol, this program {ours}. Both "
    "need the same; bring the older program up to date.",
    SessionCode.DROPPED_IN_HANDSHAKE: "The connection broke before the game was agreed on. Try again.",
    SessionCode.BAD_HANDSHAKE: "The other side did not keep to the protocol while connecting, so nothing was begun "
    "({reason}).",
    FairplayCode.INVITATION_NEEDED: "This host plays with invited guests only. Ask for the invitation that it shows, "
    "and put it into the environment variable SHANGHAIEN_INVITATION.",
    FairplayCode.WRONG_INVITATION: "The invitation is not for this table. Check the address, or ask this host for its "
    "invitation; at a table that is open to all, leave out SHANGHAIEN_INVITATION.",
    FairplayCode.INVITATION_MISTYPED: "the invitation is mistyped in group {group} of {groups}, or a character is "
    "missing there",
    FairplayCode.INVITATION_INCOMPLETE: "the invitation is not complete: it has {groups} groups of five characters, "
    "and this one ends in group {group}",
    FairplayCode.INVITATION_TOO_LONG: "the invitation goes on too long: it has {groups} groups of five characters",
    CliCode.BAD_INVITATION: "{variable} does not hold an invitation: {reason}. Copy what the host shows once more.",
    FairplayCode.OTHER_SESSION: "Both sides want to resume, but not the same game.",
    SessionCode.OTHER_SETTINGS: "You want {wanted}, and the host offers {offered}. Agree on one, then connect again.",
    FairplayCode.GAME_UNKNOWN: "the game {game} (version {rules} of its rules) is not installed here",
    GameCode.DATA_MISSING: "the data that {game} is to be played by is not kept on this machine: {setting} {digest}",
    FairplayCode.RULES_UNKNOWN: "the game is {game} by version {rules} of its rules, and this program has version "
    "{ours}; the older program needs bringing up to date",
    SessionCode.WE_DECLINED: "You declined. Nothing was played.",
    SessionCode.GUEST_SENT_AWAY: "You sent {name} away. Nothing was played.",
    SessionCode.STOPPED_WAITING: "You stopped waiting for {name}. Nothing was played.",
    SessionCode.GUEST_UNDECIDED: "{name} did not agree to the game in time, and was sent away.",
    SessionCode.HOST_UNDECIDED: "{name} did not begin the game in time. Nothing was played; try again with shanghaien "
    "join.",
    SessionCode.REMATCH_UNANSWERED: "{name} has not said in time whether to play again. The game that was played is "
    "complete.",
    AppCode.NO_TABLE_FOUND: "No open table answers on this network. Type the address that the host shows: shanghaien "
    "join ADDRESS.",
    NetCode.CANNOT_SEARCH: "This machine has no network on which open tables could be looked for. If you are connected "
    "to one, type the address that the host shows: shanghaien join ADDRESS",
    AppCode.SEVERAL_TABLES: "{count} tables are open. Name one: shanghaien join ADDRESS.",
    SessionCode.HANDSHAKE_TIMED_OUT: "The host answered, but did not finish connecting in time. Try again.",
    SessionCode.OPPONENT_CHANGED: "Somebody with another key than {name} answers now, so the next game was not begun.",
    # Why the other side hung up or declined.
    FairplayCode.PEER_BUSY: "The host is already playing with somebody. If it is you, go on with shanghaien resume; "
    "else try again later.",
    FairplayCode.PEER_WRONG_INVITATION: "The host says that the invitation is wrong. Every private table makes a new "
    "one; ask for the one that the host shows now.",
    FairplayCode.PEER_OTHER_SESSION: "The other side has no part in the game that you want to resume.",
    FairplayCode.PEER_MALFORMED: "The other side could not make sense of what this program sent, and hung up.",
    SessionCode.NEVER_BEGUN: "{name} is not waiting for this game, which had not begun; nothing of it is kept. Sit "
    "down anew with shanghaien join.",
    FairplayCode.PEER_LEAVING: "The other side left the table.",
    FairplayCode.PEER_TIMEOUT: "The other side has waited long enough for an answer, and hung up.",
    FairplayCode.PEER_VIOLATION: "The other side says that an entry of ours breaks a rule, and stopped the game. The "
    "log shows every entry; shanghaien verify judges it.",
    FairplayCode.PEER_HUNG_UP: 'The other side hung up: "{reason}".',
    SessionCode.PEER_DECLINED: "{name} declined the game.",
    SessionCode.PEER_GAME_UNKNOWN: "{name}'s program does not know this game.",
    SessionCode.PEER_RULES_UNKNOWN: "{name}'s program has another version of the rules of this game.",
    SessionCode.PEER_DATA_MISSING: "{name}'s program lacks the data that this game is played by.",
    SessionCode.PEER_OTHER_SETTINGS: "{name} insists on other settings, so there is no game. Agree on them, then try "
    "again.",
    SessionCode.WE_BROKE_RULES: "An entry signed with your own key breaks a rule: entry {number}, {reason}. If your "
    "files were put back to an older state, or the game was played from two places, this is what came of it. The game "
    "ends here. If the other side hid entries that it had, shanghaien export GAME --handshakes -o FILE writes what "
    "shows it.",
    SessionCode.PEER_BROKE_RULES: "{name} signed an entry that breaks a rule, so the game ends here: entry {number}, "
    "{reason}.",
    # A connection that ends.
    NetCode.CLOSED_BY_PEER: "The other side closed the connection.",
    NetCode.CLOSED_HERE: "The connection was closed on this side.",
    NetCode.FRAME_TOO_LARGE: "The other side sent more at once than is allowed, so the connection was dropped.",
    NetCode.NOT_BINARY: "The other side sent text where only bytes are allowed, so the connection was dropped.",
    NetCode.BROKEN_FRAMES: "The other side sent something that is not a WebSocket message, so the connection was "
    "dropped.",
    NetCode.PING_TIMEOUT: "The other side has not answered for a while: its machine sleeps, or the network is down.",
    NetCode.BROKEN_OFF: "The connection broke off.",
    SessionCode.PROGRAM_SILENT: "{name}'s program did not answer in time.",
    NetCode.NETWORK_ERROR: "The connection failed: {reason}.",
    SessionCode.NOT_CONNECTED: "Nobody is connected yet.",
    SessionCode.GARBAGE_RECEIVED: "The other side sent something that does not belong here, so the connection was "
    "dropped. That proves nothing against anybody ({reason}).",
    # Bytes that are not as they must be. These, and those that follow, are clauses: they also stand within a sentence.
    FairplayCode.TOO_LONG: "{length} bytes stand where at most {limit} are allowed",
    FairplayCode.NOT_CANONICAL: "the bytes are not in the one form that is allowed",
    FairplayCode.NOT_AN_ENTRY: "it is not a signed entry",
    FairplayCode.NOT_AN_ENVELOPE: "what the entry's signature covers is not as it must be",
    FairplayCode.BAD_HASH_SIZE: "a hash or nonce does not have its length",
    FairplayCode.BAD_NUMBER: "its number or its seat is impossible",
    FairplayCode.NOT_A_HELLO: "it is not a greeting of the protocol",
    FairplayCode.WRONG_ROLE: "host and guest are mixed up",
    FairplayCode.REFUSED_KEY: "the public key is one under which signatures prove nothing",
    FairplayCode.BAD_NAME: "a name is empty, too long, or holds characters that are not allowed",
    FairplayCode.BAD_SETTING: "the settings of the game are not as they must be",
    FairplayCode.HELLO_NOT_PROMISED: "the guest's greeting is not the one it had promised",
    FairplayCode.REFLECTED_NONCE: "one side repeats what the other sent",
    FairplayCode.VERSION_STRIPPED: "the greeting names other protocol versions than the message before it",
    FairplayCode.UNEXPECTED_FRAME: "something else was expected: {expected}",
    FairplayCode.NOT_A_PROOF: "the proof of the key is not as it must be",
    FairplayCode.NOT_A_NOTE: "it is not a note of the protocol",
    FairplayCode.NOTE_OUT_OF_ORDER: "note {counter} came where note {expected} was due",
    FairplayCode.BAD_SIGNATURE: "its signature does not hold",
    FairplayCode.BAD_NOTE_SIGNATURE: "the signature of note {counter} does not hold",
    FairplayCode.WRONG_SESSION: "it belongs to another game",
    FairplayCode.ENTRY_AFTER_THE_END: "the game had ended before it",
    FairplayCode.OTHER_HANDSHAKE: "it was made under another connection",
    FairplayCode.HEAD_NOT_REACHED: "it is not the entry that was said to be the last",
    FairplayCode.OWN_ENTRY: "it is signed with your own key",
    FairplayCode.WRONG_NUMBER: "it calls itself number {number}",
    FairplayCode.WRONG_PARENT: "it does not follow the entry before it",
    FairplayCode.WRONG_SEAT: "it comes from the player from whom no entry was expected",
    FairplayCode.NOT_A_LOG: "it is not a game log",
    FairplayCode.LOG_WITHOUT_OPENING: "the log ends before it says who plays",
    FairplayCode.BAD_OPENING: "the beginning of the log, with both players' greetings, is not as it must be",
    FairplayCode.BAD_RECORD_LENGTH: "at byte {at} stands the impossible length {length}, so the file is damaged",
    FairplayCode.BAD_PROOF: "the signature of seat {seat} under the greetings does not hold",
    # What convicts: a signed entry that breaks a rule.
    FairplayCode.MALFORMED_CONTENT: "what the entry says is not in the form that its type needs",
    FairplayCode.WRONG_STATE: "the entry claims another position than the game has reached",
    FairplayCode.WRONG_KIND: 'the entry is of type "{kind}" where "{owed}" was due',
    FairplayCode.SHARE_NOT_COMMITTED: "the revealed share is not the one committed to",
    FairplayCode.CHOICE_NOT_COMMITTED: "the disclosed choice is not the one committed to",
    FairplayCode.NO_COMMITMENT: "the entry leads to a draw and carries no commitment for it",
    FairplayCode.IDLE_COMMITMENT: "the entry carries a commitment although nothing is drawn next",
    FairplayCode.WRONG_RESULT: "the result does not follow from the game",
    FairplayCode.ALREADY_ENDED: "the game had ended already",
    FairplayCode.FALSE_RESIGNATION: "the resignation is not signed by the one who is said to resign",
    FairplayCode.FALSE_OFFER: "the offer to abandon the game was never made",
    FairplayCode.ABANDONED_INSTEAD_OF_REVEAL: "abandoning the game stands in place of a share or choice that had to be "
    "revealed",
    FairplayCode.FORK: "its signer signed another entry for the same place, too",
    FairplayCode.FORK_REBUTTED: "its signer signed another entry for the same place, too, but the other player proved, "
    "when the later was made, that it did not have the earlier: it proves nothing",
    GameCode.ILLEGAL_ACTION: '"{action}" is not allowed here',
    GameCode.NOT_SIMULTANEOUS: "the players do not choose at the same time here",
    GameCode.NO_DRAW_HERE: "nothing is drawn here",
    GameCode.DRAW_OUT_OF_BOUNDS: "the draw {indices} does not fit the bounds {bounds}",
    FairplayCode.NOT_YOUR_TURN: "it is not your turn",
    FairplayCode.OFFERED_ALREADY: "You have offered that already.",
    FairplayCode.NO_OFFER: "There is no offer that you could accept now.",
    # The engine protocol.
    AppCode.UNKNOWN_COMMAND: '"{text}" is no command. Known: {known}.',
    AppCode.LINE_TOO_LONG: "The line was longer than {limit} bytes, so it was passed over.",
    AppCode.LINE_NOT_UTF8: "The line was not UTF-8 text, so it was passed over.",
    AppCode.BAD_SET_OPTION: "An option is set like this: setoption name Level value master",
    AppCode.UNKNOWN_OPTION: "There is no option {option}.",
    AppCode.BAD_OPTION_VALUE: "The option {option} cannot be {value}.",
    AppCode.NO_POSITION: "No position is set: send position RECORD first.",
    AppCode.DRAW_AWAITED: "Nobody decides here: a draw comes next.",
    AppCode.GAME_OVER_ALREADY: "Nobody decides here: the game is over.",
    AppCode.PLAYER_NEEDED: "Both players decide here: say for whom, as in go player 0",
    AppCode.OTHER_PLAYER_DECIDES: "Player {player} does not decide here.",
    AppCode.OTHER_LEGAL_ACTIONS: "Other actions are legal here: {known}.",
    AppCode.BAD_GO: "Behind go there may be player 0 or player 1, then legal and the actions.",
    AppCode.ENGINE_NOT_STARTED: "{command} cannot be started: {reason}. COMMAND in engine:COMMAND is a command with "
    "its arguments, as one types it.",
    AppCode.ENGINE_DIED: "{command}, which plays here, ended by itself (exit code {status}).",
    AppCode.ENGINE_DIED_SAYING: "{command}, which plays here, ended by itself (exit code {status}), saying: {text}",
    AppCode.ENGINE_SILENT: "{command}, which plays here, did not say {awaited} in time, and was ended.",
    AppCode.ENGINE_ILLEGAL: "{command}, which plays here, chose {action} where only this is allowed: {known}.",
    AppCode.ENGINE_REFUSES: "{command}, which plays here, refuses to go on: {text}",
    AppCode.ENGINE_BABBLES: "{command}, which plays here, does not keep to the engine protocol, and was ended. "
    "{reason}",
    AppCode.ENGINE_OTHER_PROTOCOL: "{command} speaks version {theirs} of the engine protocol, this program version "
    "{ours}.",
    CliCode.AGAINST_A_PERSON: "{name}, at the other end of this game, is no computer player: leave out --against.",
    AppCode.ENGINE_TO_BE_NAMED: "This game was begun against another program, and only you know how that is started. "
    "Name it, or another player: --against engine:COMMAND",
    # Files.
    StoreCode.FILE_TROUBLE: "{path}: {reason}.",
    CliCode.OUTPUT_NOT_WRITTEN: "The output could not be written: {reason}.",
    StoreCode.NOT_A_FILE: "{path} is not a regular file but a folder, a pipe or a device, so it is not read. Put a "
    "file there; for a game on standard input, name it -.",
    StoreCode.FILE_TOO_LARGE: "{path} is larger than {limit} bytes, the most that a file of this kind can have, so it "
    "is not read.",
    StoreCode.FOLDER_NAMED: "{path} is a folder. Name one of the files in it. verify, dice and analyse take whole "
    "folders.",
    StoreCode.CANNOT_LOCK: "{path} cannot be locked ({reason}), and without a lock two programs could play one seat. "
    "Keep the games on a disk of this machine: SHANGHAIEN_HOME names the folder.",
    StoreCode.LIST_IN_USE: "{path} is in use by another program of this game. Try again.",
    StoreCode.BAD_KEY_FILE: "{path} does not hold a key. Put back the file it was; if it is your own key that is lost, "
    "move the file away to get a new one.",
    StoreCode.OTHER_KEY_THERE: "You have another key already, in {path}. With --replace it is kept aside, and this one "
    "is used from now on.",
    StoreCode.NOT_OVERWRITTEN: "{path} exists already, and a key never replaces a file. Choose another name.",
    StoreCode.BAD_SETTINGS_FILE: "{path} holds no settings that can be read, so they have their usual values. Write it "
    "anew with shanghaien identity name NAME; what stands there now is kept beside it.",
    StoreCode.BAD_KEPT_NAME: "The name in {path} cannot be used. Choose another with shanghaien identity name NAME.",
    StoreCode.BAD_KEPT_SETTING: "{path}: {setting} cannot be {value}, so it has its usual value.",
    AppCode.NO_SUCH_PLAYER: "You know no player called {player}, nor one whose fingerprint begins like that with four "
    "or more digits. shanghaien players lists those you know.",
    AppCode.MANY_SUCH_PLAYERS: "Several players are meant by {player}, with these fingerprints: {keys}. Type the "
    "beginning of one.",
    StoreCode.FILE_EXISTS: "{path} exists already. Take another name.",
    StoreCode.GAME_IS_HERE: "{path} is here already, and goes on from here. Nothing was changed.",
    CliCode.MOVE_NEEDS_OUTPUT: "Say which file to pack the game into: shanghaien export GAME --move -o FILE.",
    StoreCode.NOT_A_BUNDLE: "{path} is no packed game. Pack one with shanghaien export --move.",
    StoreCode.BAD_BUNDLE: "{path} holds no game that could go on here: {reason}. Pack it again with shanghaien export "
    "--move.",
    StoreCode.NOT_PACKED: "{file} cannot be packed, for it could not go on elsewhere: {reason}.",
    StoreCode.MISNAMED_LOG: "the log's name is not that of the game in it",
    StoreCode.OTHER_SECRET: "the secret beside its log is that of another game",
    StoreCode.BAD_NEIGHBOUR: "what stands beside its log cannot be read",
    AppCode.BAD_KEPT_PORT: "{path} does not say at which port this game was hosted. Name one with --port.",
    AppCode.BAD_KEPT_ADDRESS: "{path} does not say where the host of this game is. Name the address that the host "
    "shows: shanghaien resume {log} ADDRESS.",
    StoreCode.BAD_PRIVATE_FILE: "{path}, which is needed to go on with this game, cannot be read. Put it back from a "
    "backup.",
    StoreCode.KEY_OF_GAME_MISSING: 'This game was begun with another key than the one kept as "{key}". Fetch it from '
    "where it is: shanghaien identity export FILE there, shanghaien identity import FILE here.",
    AppCode.MOVED_ELSEWHERE: "{file} was packed up to go on on another machine, and goes on there alone.",
    AppCode.NOTHING_TO_RESUME: "There is no unfinished game in {folder}. shanghaien games lists what is kept.",
    AppCode.NOT_RESUMABLE: "{file} cannot be resumed: {reason}.",
    CliCode.HOST_NEEDS_NO_ADDRESS: "You were the host of this game, so the guest calls you: leave out {address}. To "
    "listen elsewhere, use --bind and --port.",
    StoreCode.BAD_PLAYERS_FILE: "{path}, the list of known players, cannot be read. Repair it, or move it away to "
    "begin anew.",
    CliCode.NO_HANDSHAKES: "{path} holds no handshakes. Whoever played the game writes them: shanghaien export GAME "
    "--handshakes -o FILE.",
    CliCode.NO_HANDSHAKES_KEPT: "No handshakes are kept beside {file}. They are on the machine that played the game, "
    "if it was resumed there.",
    StoreCode.LOG_SHRANK: "{path} has lost entries since they were read: it was replaced by another file. Run replay "
    "again.",
    AppCode.INPUT_DOES_NOT_GROW: "What comes by standard input cannot be followed as it grows. Name the log.",
    AppCode.RECORD_DOES_NOT_GROW: "Only signed logs (.shlog) can be followed as they grow.",
    CliCode.ONE_KIND_OF_REPLAY: "These options exclude each other. --json and --follow stand alone; --at goes with "
    "--svg.",
    CliCode.PAGE_HAS_EVERY_PLACE: "A page holds the whole game, so --at means nothing for it. --at goes with --svg.",
    StoreCode.LOG_EXISTS: "{path} exists already.",
    StoreCode.SEAT_IN_USE: "{path} is in use: another program on this machine is playing this seat.",
    StoreCode.MANY_SUCH_GAMES: 'Several games begin with "{name}". Type more of the name; shanghaien games lists them.',
    StoreCode.NO_SUCH_FILE: 'There is no file and no kept game "{name}". shanghaien games lists those that are kept.',
    CliCode.ANALYSIS_IS_FOR_PAGES: "--analysis goes with --html. Without a page: shanghaien analyse FILE",
    AppCode.NO_GAMES_THERE: "There is neither a log (.shlog) nor a record (.shrec) in {folder}.",
    AppCode.NO_LOGS_THERE: "There is no log (.shlog) in {folder}.",
    AppCode.NO_VALUATION: "nobody has told this program yet what positions of {game} are worth, so it cannot be "
    "analysed.",
    # Games that are damaged.
    AppCode.DAMAGED_LOG: "{file} is damaged: {reason}. What stands before the damage holds. To set the rest aside in "
    "{aside} and take it back from the peer: shanghaien resume {game} --repair. Nothing has been changed.",
    AppCode.DAMAGED_PRIVATE: "{file}, which is kept beside the log, is damaged. Put it back from a backup. If there is "
    "none, it can be set aside in {aside} and begun anew: shanghaien resume {game} --repair. Lost with it are the "
    "address of the peer and the secret that your commitments are opened with. Nothing has been changed.",
    FairplayCode.SECRET_LOST: "The secret that is kept beside the log does not open what you committed to in entry "
    "{number}, so nothing was sent. Put the file that ends in .private back from a backup; or resume, and resign "
    "before the peer connects.",
    StoreCode.LOG_CHANGED: "{path} has changed meanwhile: another program has played on. Run shanghaien resume again.",
    AppCode.OPENING_DAMAGED: "{file} is damaged at its beginning, which says who plays: {reason}. The game cannot go "
    "on from this file. Put a backup of it in its place, or a copy of the peer's log of this game, which holds the "
    "same bytes.",
    # Places in a game.
    UiCode.NOT_A_PLACE: "{text} is no place in the game. A place is start, end, {places}.",
    UiCode.NO_PLACE_YET: "Nothing has happened yet, so there is no place {place}.",
    UiCode.NO_SUCH_PLACE: "There is no place {place} in this game. The nearest is {near}.",
    # Commands.
    AppCode.BAD_OWN_NAME: '"{name}" cannot be shown safely as a name. Use at most {limit} ordinary characters, none of '
    "them invisible.",
    CliCode.BAD_KEY_TEXT: "{text} is no public key. It is written as 64 hexadecimal digits; verify --details shows "
    "keys.",
    FairplayCode.LOG_UNUSABLE: "this log cannot be followed: {reason}",
    CliCode.NOT_EXPORTED: "a game with a violation is evidence, not a record; keep the signed log. {reason}",
    GameCode.NO_SUCH_LEVEL: "{game} has no computer player {level}. It has: {known}.",
    AppCode.WORKER_DIED: "A process that played was ended from outside; perhaps memory ran out. Try with fewer "
    "--cores.",
}
