"""The sentence of each error: what is wrong, where, and, if anything can be done, what to do."""

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
    # Computing.
    AppCode.NO_TUTOR: "There is no tutor for {game}, since nothing evaluates its positions",
    AppCode.PLAYER_FAILED: "{name} failed because of a bug in the program ({reason}). The game is saved; continue it "
    "with shanghaien resume.",
    AppCode.ADVICE_FAILED: "The win probabilities cannot be computed because of a bug in the program ({reason}).",
    # Text records.
    GameCode.RECORD_TOO_LONG: "The file is longer than {limit} bytes, so it cannot be the record of a game.",
    GameCode.NOT_UTF8: "This byte is not UTF-8 text. Save the record as UTF-8.",
    GameCode.BAD_TAG: 'Not a tag. A tag is written [Name "value"], with \\" and \\\\ for a quotation mark and a '
    "backslash.",
    GameCode.TAG_AFTER_MOVES: "This tag comes after the first move. Tags come before the first move.",
    GameCode.TAG_TWICE: "The tag {tag} occurs for the second time. Give it once.",
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
    GameCode.GAME_NAMED_OTHERWISE: "its GameSpec has the name {name}",
    GameCode.GAME_LACKS_OPPONENT: "its default opponent {level} is not one of its levels",
    UiCode.GAME_LACKS_WORDS: "The game {game} lacks required sentences: {codes}. Ask its author for a version that "
    "has them.",
    GameCode.GAME_PART_BROKEN: "A part of the game cannot be imported: {place} ({reason}). Install the game again.",
    GameCode.GAME_FAILED: "The game {game} failed ({error}). Report it to the author of {distribution}. With "
    "SHANGHAIEN_TRACEBACK=1 set, the program shows where it failed.",
    AppCode.BAD_DATA_FILE: "{path} cannot be used for {option}: {reason}. Correct the file, then try again.",
    AppCode.OPTION_OF_OTHER_GAME: "{game} has no option {option}. It has: {known}.",
    AppCode.OPTIONS_OF_MANY_GAMES: "Several games have {options}: {known}. Name one with --game.",
    AppCode.OPTIONS_OF_NO_GAME: "No game has {options} together. Name one with --game: {known}.",
    AppCode.LEVEL_TO_BE_NAMED: "{name} is not a computer player of {game}. Name one with --against: {known}.",
    AppCode.NO_LESSON: "{game} has no lesson. Games that have one: {known}.",
    # Settings and names.
    GameCode.UNKNOWN_SETTING: 'The game has no setting "{setting}".',
    # Addresses, as typed after `join` or --bind.
    NetCode.ADDRESS_EMPTY: '"{address}" contains no host. Type the address that the host shows, such as 192.168.1.20.',
    NetCode.ADDRESS_SCHEME: '"{address}" begins with {scheme}://. Use ws://, or nothing at all.',
    NetCode.ADDRESS_USER: '"{address}" names a user before the @. Leave that out.',
    NetCode.ADDRESS_PATH: '"{address}" goes on after the port. Leave out everything from /, ? or # on.',
    NetCode.ADDRESS_BRACKETS: 'The brackets in "{address}" belong around an IPv6 address: [fe80::1%eth0]:5000.',
    NetCode.ADDRESS_NAME: '"{address}" is not a valid host name.',
    NetCode.ADDRESS_IPV4: '"{address}" is not an IPv4 address: it needs four numbers from 0 to 255, like 192.168.1.20.',
    NetCode.ADDRESS_IPV6: '"{address}" is not an IPv6 address. Type it as the host shows it.',
    NetCode.ADDRESS_ZONE: 'The part after the % in "{address}" is not a valid network interface.',
    NetCode.ADDRESS_ZONE_MISSING: '"{address}" is a link-local address. Add the network interface to use, as in '
    "fe80::1%eth0.",
    NetCode.ADDRESS_NOBODY: '"{address}" is not the address of a single machine, so you cannot connect to it.',
    NetCode.ADDRESS_PORT: '"{port}" in "{address}" is not a port. Ports are numbers from 1 to 65535.',
    # Listening.
    NetCode.BIND_UNKNOWN: 'There is no network address "{bind}" on this machine. Leave out --bind to listen on all of '
    "them.",
    NetCode.BIND_NOT_OURS: "{bind} is not an address of this machine. Leave out --bind to listen on all of them.",
    NetCode.PORT_BUSY: "Port {port} is in use, perhaps by another game on this machine. Choose another with --port.",
    NetCode.PORT_FORBIDDEN: "The system does not let this program listen on port {port}. Choose one above 1023 with "
    "--port.",
    NetCode.CANNOT_LISTEN: "Cannot listen for guests: {reason}.",
    # Connecting.
    NetCode.CONNECTION_REFUSED: "{address} refused the connection. Is the host running, and are address and port "
    "right?",
    NetCode.CONNECTION_TIMED_OUT: "No answer from {address}. Is the machine on, and does its firewall let the port "
    "through?",
    NetCode.NAME_NOT_FOUND: "The host name {address} was not found. Check the name, or use the IP address.",
    NetCode.ZONE_UNKNOWN: "{address} names a network interface that this machine does not have. Put yours after the %.",
    NetCode.UNREACHABLE: "There is no route from this machine to {address}. Are both on the same network?",
    NetCode.UNREACHABLE_MACOS: "There is no route from this machine to {address}. Are both on the same network? macOS "
    "may also block your terminal: allow it in System Settings > Privacy & Security > Local Network.",
    NetCode.CANNOT_CONNECT: "Cannot connect to {address}: {reason}.",
    NetCode.DROPPED_WHILE_OPENING: "{address} closed the connection at once. It may have too many connections; try "
    "again.",
    NetCode.NOT_A_HOST: "Something answers at {address}, but it is not a host of this game. Check the port.",
    NetCode.RELAY_SCHEME: "{address}: a relay is named without {scheme}://, or with wss:// or ws:// before it.",
    NetCode.NOT_A_RELAY: "Something answers at {address}, but it is not a relay of this game, or one of another "
    "version. Check the name and the port.",
    NetCode.RELAY_UNTRUSTED: "{address} does not prove that it has this name: {reason}. Check the name, and the clock "
    "of this machine.",
    NetCode.RELAY_FULL: "The relay {address} has too many connections for this table. Try again later.",
    NetCode.RELAY_LOST: "The relay {address} closed the connection. Try again.",
    # Opening a port of the router.
    NetCode.NO_ROUTER: "No port was opened, since no router was found on the way to the internet: host with --relay "
    "NAME, or forward TCP port {port} by hand at the router.",
    NetCode.ROUTER_SILENT: "No port was opened, since the router {router} does not answer: switch PCP or UPnP on in "
    "its settings, host with --relay NAME, or forward TCP port {port} by hand there.",
    NetCode.ROUTER_REFUSES: "No port was opened, since the router {router} refuses it (PCP result {result}): allow it "
    "in its settings, host with --relay NAME, or forward TCP port {port} by hand there.",
    NetCode.ROUTER_BEHIND_ANOTHER: "No port was opened, since the router {router} gives no address of the internet and "
    "so is probably behind another: host with --relay NAME, or forward TCP port {port} by hand at both.",
    NetCode.ROUTER_PERMANENT: "No port was opened, since the router {router} would leave it open for good: host with "
    "--relay NAME, or forward TCP port {port} by hand there.",
    NetCode.UPNP_REFUSES: "No port was opened, since the router {router} refuses it (UPnP: {error}): allow it in its "
    "settings, host with --relay NAME, or forward TCP port {port} by hand there.",
    NetCode.UPNP_NOT_INSTALLED: "{reason} UPnP can be tried as well, after pip install 'p2p-shanghaien[upnp]'.",
    FairplayCode.NOT_OUR_PROTOCOL: "The peer does not speak the protocol of this program. Check address and port.",
    FairplayCode.OTHER_VERSION: "The peer speaks version {theirs} of the protocol, this program {ours}. Update the "
    "older program.",
    SessionCode.DROPPED_IN_HANDSHAKE: "The connection was lost before the game was agreed on. Try again.",
    SessionCode.BAD_HANDSHAKE: "The peer broke the protocol while connecting, so no game was begun ({reason}).",
    FairplayCode.INVITATION_NEEDED: "This host plays with invited guests only. Ask for the invitation that it shows, "
    "and put it into the environment variable SHANGHAIEN_INVITATION.",
    FairplayCode.WRONG_INVITATION: "The invitation is not for this table. Check the address, or ask this host for the "
    "invitation that it shows now; for an open table, leave out SHANGHAIEN_INVITATION.",
    FairplayCode.INVITATION_MISTYPED: "group {group} of {groups} is mistyped or lacks a character",
    FairplayCode.INVITATION_INCOMPLETE: "it ends in group {group}, but an invitation has {groups} groups of five "
    "characters",
    FairplayCode.INVITATION_TOO_LONG: "it is too long: an invitation has {groups} groups of five characters",
    AppCode.INVITATION_WITHOUT_RELAY: "This invitation names no relay. Type the address of its host; you are asked for "
    "the invitation after that.",
    CliCode.INVITATION_IN_ARGUMENT: "An invitation is no argument: everybody on this machine can see a command line. "
    "Type {command} alone and paste it there, or put it into the environment variable {variable}.",
    CliCode.RESUMED_WITHOUT_INVITATION: "A game that is resumed needs no invitation: shanghaien resume alone goes on "
    "where it was played. A game that was begun without one cannot go on through a relay.",
    CliCode.BAD_INVITATION: "{variable} is not a valid invitation: {reason}. Copy again what the host shows.",
    FairplayCode.OTHER_SESSION: "You and your opponent want to resume different games.",
    SessionCode.OTHER_SETTINGS: "You want {wanted}, and the host offers {offered}. Agree on one, then connect again.",
    FairplayCode.GAME_UNKNOWN: "the game {game} (version {rules} of its rules) is not installed here",
    GameCode.DATA_MISSING: "this machine lacks the data that {game} needs: {setting} {digest}; ask a player for "
    "them (shanghaien export --data), and put them beside the log as {digest}.shdata",
    FairplayCode.RULES_UNKNOWN: "the game is {game} by version {rules} of its rules, and this program has version "
    "{ours}; update the older program",
    SessionCode.WE_DECLINED: "You declined. Nothing was played.",
    SessionCode.GUEST_SENT_AWAY: "You sent {name} away. Nothing was played.",
    SessionCode.STOPPED_WAITING: "You stopped waiting for {name}. Nothing was played.",
    SessionCode.GUEST_UNDECIDED: "{name} did not agree to the game in time, and was sent away.",
    SessionCode.HOST_UNDECIDED: "{name} did not begin the game in time. Nothing was played; try again with shanghaien "
    "join.",
    SessionCode.REMATCH_UNANSWERED: "{name} did not answer in time whether to play again. The finished game is "
    "complete.",
    AppCode.NO_TABLE_FOUND: "No open table was found on this network. Type the address that the host shows: "
    "shanghaien join ADDRESS.",
    AppCode.NO_TABLE_TO_WATCH: "No table that can be watched was found on this network. Type the address that the host "
    "shows: shanghaien watch ADDRESS.",
    AppCode.NOT_WATCHABLE: "This host lets nobody watch. To allow it, the host opens the table with shanghaien host "
    "--watchers NUMBER.",
    AppCode.WATCHERS_FULL: "As many people are watching as the host admits. Try again later.",
    AppCode.INVITATION_TO_WATCH: "This invitation is for watching, with shanghaien watch. To play, ask your host for "
    "the other one.",
    NetCode.CANNOT_SEARCH: "This machine has no network to search for open tables. If it is connected to one, name "
    "the address that the host shows, after the command.",
    AppCode.SEVERAL_TABLES: "{count} tables are open. Name one: {command} ADDRESS.",
    SessionCode.HANDSHAKE_TIMED_OUT: "The host answered, but did not complete the handshake in time. Try again.",
    SessionCode.OPPONENT_CHANGED: "The peer now has another key than {name}, so the next game was not begun.",
    SessionCode.NOW_WATCHABLE: "{name} wants to let others watch the next game, and nobody could watch the last one, "
    "so the next game was not begun. If you agree, join again: shanghaien join.",
    # Why the peer closed the connection or declined.
    FairplayCode.PEER_BUSY: "The host is already playing. If it is with you, continue with shanghaien resume; "
    "otherwise try again later.",
    FairplayCode.PEER_INVITATION_NEEDED: "The host plays with invited guests only.",
    FairplayCode.PEER_WRONG_INVITATION: "The host says that the invitation is wrong. Every private table makes a new "
    "one; ask for the one that the host shows now.",
    FairplayCode.PEER_OTHER_SESSION: "The peer has no part in the game that you want to resume.",
    FairplayCode.PEER_MALFORMED: "The peer received malformed data from this program and closed the connection.",
    SessionCode.NEVER_BEGUN: "{name} is not waiting for this game, which had not begun; it is not saved. Join again "
    "with shanghaien join.",
    FairplayCode.PEER_LEAVING: "Your opponent left the table.",
    FairplayCode.PEER_NOT_WATCHABLE: "The host lets nobody watch.",
    FairplayCode.CANNOT_WATCH: "What the host shows cannot be watched here: {reason}",
    FairplayCode.OTHER_HOST: "The invitation is from another host. Check the address, or ask this host for the "
    "invitation that it shows now.",
    FairplayCode.SHOWN_TWO_GAMES: "The host shows another game in place of the one that you watched (from entry "
    "{number} on). Whose fault that is cannot be known. What you saw before is saved.",
    FairplayCode.PEER_TIMEOUT: "The peer waited too long for an answer and closed the connection.",
    FairplayCode.PEER_VIOLATION: "The peer reports that an entry of yours breaks a rule, and stopped the game. The "
    "log shows every entry; shanghaien verify checks it.",
    FairplayCode.PEER_HUNG_UP: 'The peer closed the connection: "{reason}".',
    SessionCode.PEER_DECLINED: "{name} declined the game.",
    SessionCode.PEER_GAME_UNKNOWN: "{name}'s program does not know this game.",
    SessionCode.PEER_RULES_UNKNOWN: "{name}'s program has another version of the rules of this game.",
    SessionCode.PEER_DATA_MISSING: "{name}'s program lacks the data that this game needs.",
    SessionCode.DATA_NOT_OFFERED: "{name}'s program did not hand over the data that this game needs, so no game was "
    "begun. Try again.",
    SessionCode.DATA_TOO_LARGE: "{name}'s program lacks the data that this game needs, and they are too large to be "
    "sent: hand over the file {file} yourself.",
    SessionCode.PEER_OTHER_SETTINGS: "{name} insists on other settings, so there is no game. Agree on them, then try "
    "again.",
    SessionCode.WE_BROKE_RULES: "An entry signed with your own key breaks a rule: entry {number}, {reason}. This "
    "happens if your files were restored to an older state, or if the game was played from two places. The game ends "
    "here. If the peer hid entries that it had, shanghaien export GAME --handshakes -o FILE writes the proof.",
    SessionCode.PEER_BROKE_RULES: "{name} signed an entry that breaks a rule, so the game ends here: entry {number}, "
    "{reason}.",
    # A connection that ends.
    NetCode.CLOSED_BY_PEER: "The peer closed the connection.",
    NetCode.CLOSED_HERE: "This program closed the connection.",
    NetCode.FRAME_TOO_LARGE: "The peer sent a message that is too large, so the connection was closed.",
    NetCode.NOT_BINARY: "The peer sent text instead of binary data, so the connection was closed.",
    NetCode.BROKEN_FRAMES: "The peer sent data that is not a WebSocket message, so the connection was closed.",
    NetCode.PING_TIMEOUT: "The peer has not answered for a while: its machine sleeps, or the network is down.",
    NetCode.BROKEN_OFF: "The connection was lost.",
    SessionCode.PROGRAM_SILENT: "{name}'s program did not answer in time.",
    NetCode.NETWORK_ERROR: "The connection failed: {reason}.",
    SessionCode.NOT_CONNECTED: "Nobody is connected yet.",
    SessionCode.GARBAGE_RECEIVED: "The peer sent invalid data, so the connection was closed. That does not prove a "
    "violation ({reason}).",
    SessionCode.CHANNEL_BROKEN: "A message was changed on its way, or was not encrypted for this connection, so the "
    "connection was closed.",
    # Malformed bytes. These, and those that follow, are clauses: they also stand within a sentence.
    FairplayCode.TOO_LONG: "there are {length} bytes where at most {limit} are allowed",
    FairplayCode.NOT_CANONICAL: "the encoding is not canonical",
    FairplayCode.NOT_AN_ENTRY: "it is not a signed entry",
    FairplayCode.NOT_AN_ENVELOPE: "the signed part of the entry is malformed",
    FairplayCode.BAD_HASH_SIZE: "a hash or nonce has the wrong length",
    FairplayCode.BAD_NUMBER: "its number or its seat is out of range",
    FairplayCode.NOT_A_HELLO: "it is not a hello of the protocol",
    FairplayCode.WRONG_ROLE: "host and guest are mixed up",
    FairplayCode.REFUSED_KEY: "signatures under this public key prove nothing",
    FairplayCode.BAD_NAME: "a name is empty, too long, or holds characters that are not allowed",
    FairplayCode.BAD_SETTING: "the settings of the game are invalid",
    FairplayCode.HELLO_NOT_COMMITTED: "the guest's hello does not match its commitment",
    FairplayCode.REFLECTED_NONCE: "both hellos have the same nonce",
    FairplayCode.VERSION_STRIPPED: "the hello lists other protocol versions than the preface",
    FairplayCode.OTHER_CHANNEL: "the hello was made for another connection",
    FairplayCode.NOT_SEALED: "a message was not encrypted for this connection, or was changed on its way",
    FairplayCode.UNEXPECTED_FRAME: "unexpected message; expected: {expected}",
    FairplayCode.NOT_DATA: "it neither asks for data nor offers any in the right form",
    FairplayCode.OTHER_DATA: "the data that came are not those of the digest {digest}",
    FairplayCode.DATA_NOT_NAMED: "no setting names the data of the digest {digest}, or they came already",
    FairplayCode.NOT_A_PROOF: "the proof of the key is malformed",
    FairplayCode.BAD_PLACE: "it names no place in a log",
    FairplayCode.NOT_A_NOTE: "it is not a note of the protocol",
    FairplayCode.NOTE_OUT_OF_ORDER: "note {counter} came where note {expected} was expected",
    FairplayCode.BAD_SIGNATURE: "its signature is invalid",
    FairplayCode.BAD_NOTE_SIGNATURE: "the signature of note {counter} is invalid",
    FairplayCode.WRONG_SESSION: "it belongs to another game",
    FairplayCode.ENTRY_AFTER_THE_END: "the game had ended before it",
    FairplayCode.OTHER_HANDSHAKE: "it belongs to another handshake",
    FairplayCode.HEAD_NOT_REACHED: "it does not lead to the announced head of the log",
    FairplayCode.OWN_ENTRY: "it is signed with your own key",
    FairplayCode.WRONG_NUMBER: "it has the wrong number {number}",
    FairplayCode.WRONG_PARENT: "it does not follow the entry before it",
    FairplayCode.WRONG_SEAT: "it comes from the player who was not to act",
    FairplayCode.NOT_A_LOG: "it is not a game log",
    FairplayCode.LOG_WITHOUT_OPENING: "the log is truncated: it does not say who plays",
    FairplayCode.BAD_OPENING: "the beginning of the log, with both hellos, is malformed",
    FairplayCode.BAD_RECORD_LENGTH: "the length {length} at byte {at} is impossible, so the file is damaged",
    FairplayCode.BAD_PROOF: "the signature of seat {seat} on the hellos is invalid",
    # Violations: signed entries that break a rule.
    FairplayCode.MALFORMED_CONTENT: "the content of the entry is malformed for its type",
    FairplayCode.WRONG_STATE: "the entry's state hash does not match the position",
    FairplayCode.WRONG_KIND: 'the entry is of type "{kind}" where "{expected}" was expected',
    FairplayCode.SHARE_NOT_COMMITTED: "the revealed contribution does not match its commitment",
    FairplayCode.CHOICE_NOT_COMMITTED: "the revealed choice does not match its commitment",
    FairplayCode.NO_COMMITMENT: "the entry leads to a draw but has no commitment for it",
    FairplayCode.IDLE_COMMITMENT: "the entry has a commitment although no draw follows",
    FairplayCode.WRONG_RESULT: "the result does not follow from the game",
    FairplayCode.ALREADY_ENDED: "the game had ended already",
    FairplayCode.FALSE_RESIGNATION: "the resignation is not signed by the player who resigns",
    FairplayCode.FALSE_OFFER: "the offer to abandon the game was never made",
    FairplayCode.FALSE_CHALLENGE: "the challenge to a rematch is not signed by its sender, or is to another player",
    FairplayCode.CHALLENGED_TWICE: "there is more than one challenge to a rematch",
    FairplayCode.ABANDONED_INSTEAD_OF_REVEAL: "the game is abandoned where a contribution or choice had to be revealed",
    FairplayCode.FORK: "its signer also signed another entry with the same parent",
    FairplayCode.FORK_REBUTTED: "its signer also signed another entry with the same parent, but the other player had "
    "proved by then not to have the earlier one: this proves no violation",
    GameCode.ILLEGAL_ACTION: '"{action}" is not allowed here',
    GameCode.NOT_SIMULTANEOUS: "the players do not choose at the same time here",
    GameCode.NO_DRAW_HERE: "nothing is drawn here",
    GameCode.DRAW_OUT_OF_BOUNDS: "the draw {indices} does not fit the bounds {bounds}",
    FairplayCode.NOT_YOUR_TURN: "it is not your turn",
    FairplayCode.OFFERED_ALREADY: "You have offered that already.",
    FairplayCode.NO_OFFER: "There is no offer to accept now.",
    # The engine protocol.
    AppCode.UNKNOWN_COMMAND: 'Unknown command "{text}". Known: {known}.',
    AppCode.LINE_TOO_LONG: "The line was longer than {limit} bytes and was ignored.",
    AppCode.LINE_NOT_UTF8: "The line was not UTF-8 text and was ignored.",
    AppCode.BAD_SET_OPTION: "Set an option like this: setoption name Level value master",
    AppCode.UNKNOWN_OPTION: "There is no option {option}.",
    AppCode.BAD_OPTION_VALUE: "The option {option} cannot be {value}.",
    AppCode.NO_POSITION: "No position is set: send position RECORD first.",
    AppCode.DRAW_AWAITED: "Nobody decides here: a draw comes next.",
    AppCode.GAME_OVER_ALREADY: "Nobody decides here: the game is over.",
    AppCode.PLAYER_NEEDED: "Both players decide here: say for whom, as in go player 0",
    AppCode.OTHER_PLAYER_DECIDES: "Player {player} does not decide here.",
    AppCode.OTHER_LEGAL_ACTIONS: "Other actions are legal here: {known}.",
    AppCode.BAD_GO: "go may be followed by player 0 or player 1, then by legal and the actions.",
    AppCode.ENGINE_NOT_STARTED: "The engine {command} cannot be started: {reason}. In engine:COMMAND, COMMAND is a "
    "command line.",
    AppCode.ENGINE_DIED: "The engine {command} exited (exit code {status}).",
    AppCode.ENGINE_DIED_SAYING: "The engine {command} exited (exit code {status}): {text}",
    AppCode.ENGINE_SILENT: "The engine {command} did not send {awaited} in time and was stopped.",
    AppCode.ENGINE_ILLEGAL: "The engine {command} chose the illegal action {action}. Legal: {known}.",
    AppCode.ENGINE_REFUSES: "The engine {command} reported an error: {text}",
    AppCode.ENGINE_BABBLES: "The engine {command} violated the protocol and was stopped. {reason}",
    AppCode.ENGINE_OTHER_PROTOCOL: "The engine {command} speaks version {theirs} of the engine protocol, this program "
    "version {ours}.",
    CliCode.AGAINST_A_PERSON: "Your opponent {name} is not a computer player: leave out {option}.",
    AppCode.ENGINE_TO_BE_NAMED: "This game was begun against an engine, whose command is not stored. Name it, or "
    "another player: --against engine:COMMAND",
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
    StoreCode.BAD_KEY_FILE: "{path} is not a key file. Restore it from a backup; if your own key is lost, rename the "
    "file to get a new key.",
    StoreCode.OTHER_KEY_THERE: "You already have another key, in {path}. --replace sets it aside and uses this one "
    "from now on.",
    StoreCode.NOT_OVERWRITTEN: "{path} exists already, and a key never replaces a file. Choose another name.",
    StoreCode.BAD_SETTINGS_FILE: "The settings in {path} cannot be read, so the defaults are used. shanghaien "
    "identity name NAME writes a new file and keeps the old one beside it.",
    StoreCode.BAD_LESSONS_FILE: "How far you came in a lesson cannot be read from {path}, so it starts over.",
    StoreCode.BAD_KEPT_NAME: "The name in {path} cannot be used. Choose another with shanghaien identity name NAME.",
    StoreCode.BAD_KEPT_SETTING: "{path}: {setting} cannot be {value}, so the default is used.",
    AppCode.NO_SUCH_PLAYER: "You have no contact with the name {player}, or with a fingerprint that begins with it "
    "(at least four digits). shanghaien players lists your contacts.",
    AppCode.MANY_SUCH_PLAYERS: "{player} matches several contacts, with these fingerprints: {keys}. Type the "
    "beginning of one.",
    StoreCode.FILE_EXISTS: "{path} exists already. Choose another name.",
    StoreCode.GAME_IS_HERE: "The game is already here, and can be continued here. Nothing was changed.",
    CliCode.MOVE_NEEDS_OUTPUT: "Name the archive to write: shanghaien export GAME --move -o FILE.",
    CliCode.COMPUTER_STAYS: "{game} cannot be transferred: the computer's log and key stay on this machine. Nothing "
    "was changed.",
    StoreCode.NOT_AN_ARCHIVE: "{path} is not an archive of a game. Make one with shanghaien export --move.",
    StoreCode.BAD_ARCHIVE: "The game in {path} cannot be continued here: {reason}. Archive it again with shanghaien "
    "export --move.",
    StoreCode.NOT_PACKED: "The game cannot be archived, because it could not be continued elsewhere: {reason}.",
    StoreCode.MISNAMED_LOG: "the log's name is not that of the game in it",
    StoreCode.OTHER_SECRET: "the secret beside its log is that of another game",
    StoreCode.BAD_SIDECAR: "the sidecar file of its log cannot be read",
    AppCode.BAD_KEPT_PORT: "It is not known on which port {name} was hosted. Name one with --port.",
    AppCode.BAD_KEPT_RELAY: "The relay of {name} is not valid: {relay}. Ask your opponent for an address, and name it: "
    "shanghaien resume {digits} ADDRESS.",
    AppCode.BAD_KEPT_ADDRESS: "It is not known where the host of {name} is. Name the address that the host shows: "
    "shanghaien resume {digits} ADDRESS.",
    StoreCode.SIDECAR_UNREADABLE: "{path}, which is needed to continue this game, cannot be read. Restore it from a "
    "backup.",
    StoreCode.KEY_OF_GAME_MISSING: 'This game was begun with a key other than the one stored as "{key}". Fetch it '
    "from where it is: shanghaien identity export FILE there, shanghaien identity import FILE here.",
    AppCode.MOVED_ELSEWHERE: "{file} was transferred to another machine and can only be continued there.",
    AppCode.NOTHING_TO_RESUME: "There is no unfinished game in {folder}. shanghaien games lists saved games.",
    AppCode.NOT_RESUMABLE: "{file} cannot be resumed: {reason}.",
    CliCode.HOST_NEEDS_NO_ADDRESS: "You were the host of this game, so the guest connects to you: leave out "
    "{address}. To listen elsewhere, use --bind and --port.",
    StoreCode.BAD_PLAYERS_FILE: "{path}, the list of your contacts, cannot be read. Repair it, or rename it to begin "
    "a new one.",
    CliCode.NO_HANDSHAKES: "{path} contains no handshakes. Whoever played the game exports them: shanghaien export "
    "GAME --handshakes -o FILE.",
    CliCode.NO_DATA_NAMED: "{file} is played by no data from outside the game, so there are none to write.",
    CliCode.NO_HANDSHAKES_KEPT: "There are no handshakes beside {file}. If the game was resumed, they are on the "
    "machine that played it.",
    StoreCode.LOG_SHRANK: "The log has lost entries since they were read: it was replaced by another file. Run replay "
    "again.",
    AppCode.INPUT_DOES_NOT_GROW: "Standard input cannot be followed as it grows. Name the log.",
    AppCode.RECORD_DOES_NOT_GROW: "Only signed logs (.shlog) can be followed as they grow.",
    CliCode.ONE_KIND_OF_REPLAY: "These options exclude each other. --json and --follow stand alone; --at goes with "
    "--svg.",
    CliCode.PAGE_HAS_EVERY_PLACE: "A page contains the whole game, so it takes no --at. --at goes with --svg.",
    StoreCode.LOG_EXISTS: "{path} exists already.",
    StoreCode.SEAT_IN_USE: "The game is in use: another program on this machine is playing this seat.",
    StoreCode.WATCHED_ALREADY: "Another program on this machine is watching this game already. To see it here, too: "
    "shanghaien replay --follow {path}",
    StoreCode.MANY_SUCH_GAMES: 'Several saved games begin with "{name}": {games}. Type more of the digits.',
    StoreCode.MANY_SUCH_RECORDS: 'Several practice games begin with "{name}": {games}. Type more of the name.',
    StoreCode.NO_SAVED_GAMES: "There are no saved games in {folder} yet; shanghaien play begins one.",
    StoreCode.NO_SUCH_FILE: 'There is no file and no saved game "{name}". shanghaien games lists saved games.',
    CliCode.ANALYSIS_IS_FOR_PAGES: "--analysis goes with --html. Without a page: shanghaien analyse FILE",
    AppCode.NO_GAMES_THERE: "There is neither a log (.shlog) nor a record (.shrec) in {folder}.",
    AppCode.NO_LOGS_THERE: "There is no log (.shlog) in {folder}.",
    GameCode.NO_EVALUATOR: "{game} has no evaluator, so it cannot be analysed.",
    # Games that are damaged.
    AppCode.DAMAGED_LOG: "{file} is damaged: {reason}. The part before the damage is valid. To set the rest aside in "
    "{aside} and restore it from the peer: shanghaien resume {digits} --repair. Nothing was changed.",
    AppCode.DAMAGED_SIDECAR: "{file}, a sidecar file of the log, is damaged. Restore it from a backup. Without one, "
    "it can be set aside in {aside} and begun anew: shanghaien resume {digits} --repair. You then lose the peer's "
    "address and the secret that your commitments are revealed with. Nothing was changed.",
    FairplayCode.SECRET_LOST: "The secret in the sidecar file does not match your commitment in entry {number}, so "
    "nothing was sent. Restore the file that ends in .private from a backup; or resume, and resign before the peer "
    "connects.",
    StoreCode.LOG_CHANGED: "The game has changed: another program has continued it. Run shanghaien resume again.",
    AppCode.OPENING_DAMAGED: "{file} is damaged at its beginning, which says who plays: {reason}. The game cannot be "
    "continued from this file. Replace it with a backup, or with a copy of the peer's log of this game, which has the "
    "same bytes.",
    # Places in a game.
    UiCode.NOT_A_PLACE: "There is no place {text}. Use start, end, {places}.",
    UiCode.NO_PLACE_YET: "Nothing has happened yet, so there is no place {place}.",
    UiCode.NO_SUCH_PLACE: "There is no place {place} in this game. The nearest is {near}.",
    # Commands.
    AppCode.BAD_OWN_NAME: '"{name}" cannot be shown safely as a name. Use at most {limit} ordinary characters, none of '
    "them invisible.",
    CliCode.BAD_KEY_TEXT: "{text} is not a public key: a key has 64 hexadecimal digits; verify --details shows keys.",
    FairplayCode.LOG_UNUSABLE: "this log cannot be followed: {reason}",
    CliCode.NOT_EXPORTED: "a game with a violation is evidence, not a record; keep the signed log. {reason}",
    CliCode.PRACTICE_NEEDS_PERSON: "{option} is for a person: it does not go together with --player {player}",
    CliCode.PRACTICE_HAS_NO_PEER: "--patience does not go together with --practice, in which there is no connection "
    "to lose",
    GameCode.NO_SUCH_LEVEL: "{game} has no computer player {level}. It has: {known}.",
    AppCode.WORKER_DIED: "A worker process was killed; perhaps memory ran out. Try fewer --cores.",
}
