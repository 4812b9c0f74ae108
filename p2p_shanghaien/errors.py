"""Everything that can go wrong, as a code and its details; `ui.errors` has the sentence of each code.

The class says what kind of error it is and so which exit code a command ends with (protocol/RECORD.md, "Exit codes");
the code says which one. There is an enum of codes for each layer, and games bring their own. Codes are never compared:
an error that the program has to tell from others has a subclass, with typed fields, where it is raised.
"""

import copyreg
from enum import StrEnum
from typing import Any, ClassVar

__all__ = [
    "AppCode",
    "CannotConnect",
    "CliCode",
    "Code",
    "ConnectionLost",
    "FairplayCode",
    "GameCode",
    "Illegal",
    "InvalidFile",
    "LocalError",
    "Malformed",
    "NetCode",
    "Quit",
    "RecordError",
    "SessionCode",
    "ShanghaienError",
    "StoreCode",
    "TakeBack",
    "UiCode",
    "UsageError",
    "Violation",
]


class Code(StrEnum):
    """Base of the enums of errors. A game's codes have its name in front, as in all its sentences: `pig:bad_goal`."""

    @property
    def unqualified(self) -> str:
        """The code without the name of a game, by which other programs know the error."""
        return self.rpartition(":")[2]


class GameCode(Code):
    """Errors of games, of their records and options, and of their computer players."""

    RECORD_TOO_LONG = "record_too_long"
    NOT_UTF8 = "not_utf8"
    BAD_TAG = "bad_tag"
    TAG_AFTER_MOVES = "tag_after_moves"
    TAG_TWICE = "tag_twice"
    NO_GAME_TAG = "no_game_tag"
    UNKNOWN_GAME = "unknown_game"
    BAD_ENDED = "bad_ended"
    ENDED_BUT_OVER = "ended_but_over"
    RESULT_BUT_UNFINISHED = "result_but_unfinished"
    RESULT_NOT_REACHED = "result_not_reached"
    TAG_SPELLING = "tag_spelling"
    AFTER_THE_END = "after_the_end"
    GAME_NAME_BAD = "game_name_bad"
    GAME_NAME_TAKEN = "game_name_taken"
    GAME_NOT_LOADED = "game_not_loaded"
    GAME_NOT_DECLARED = "game_not_declared"
    GAME_NAMED_OTHERWISE = "game_named_otherwise"
    GAME_LACKS_OPPONENT = "game_lacks_opponent"
    GAME_PART_BROKEN = "game_part_broken"
    GAME_FAILED = "game_failed"
    UNKNOWN_SETTING = "unknown_setting"
    DATA_MISSING = "data_missing"
    ILLEGAL_ACTION = "illegal_action"
    NOT_SIMULTANEOUS = "not_simultaneous"
    NO_DRAW_HERE = "no_draw_here"
    DRAW_OUT_OF_BOUNDS = "draw_out_of_bounds"
    NO_EVALUATOR = "no_evaluator"
    NO_SUCH_LEVEL = "no_such_level"


class FairplayCode(Code):
    """Errors of the protocol: hellos, entries, notes, logs and what they prove."""

    NOT_OUR_PROTOCOL = "not_our_protocol"
    OTHER_VERSION = "other_version"
    INVITATION_NEEDED = "invitation_needed"
    WRONG_INVITATION = "wrong_invitation"
    INVITATION_MISTYPED = "invitation_mistyped"
    INVITATION_INCOMPLETE = "invitation_incomplete"
    INVITATION_TOO_LONG = "invitation_too_long"
    OTHER_SESSION = "other_session"
    GAME_UNKNOWN = "game_unknown"
    RULES_UNKNOWN = "rules_unknown"
    PEER_BUSY = "peer_busy"
    PEER_INVITATION_NEEDED = "peer_invitation_needed"
    PEER_WRONG_INVITATION = "peer_wrong_invitation"
    PEER_OTHER_SESSION = "peer_other_session"
    PEER_MALFORMED = "peer_malformed"
    PEER_LEAVING = "peer_leaving"
    PEER_TIMEOUT = "peer_timeout"
    PEER_NOT_WATCHABLE = "peer_not_watchable"
    BAD_PLACE = "bad_place"
    OTHER_HOST = "other_host"
    CANNOT_WATCH = "cannot_watch"
    SHOWN_TWO_GAMES = "shown_two_games"
    PEER_VIOLATION = "peer_violation"
    PEER_HUNG_UP = "peer_hung_up"
    TOO_LONG = "too_long"
    NOT_CANONICAL = "not_canonical"
    NOT_AN_ENTRY = "not_an_entry"
    NOT_AN_ENVELOPE = "not_an_envelope"
    BAD_HASH_SIZE = "bad_hash_size"
    BAD_NUMBER = "bad_number"
    NOT_A_HELLO = "not_a_hello"
    WRONG_ROLE = "wrong_role"
    REFUSED_KEY = "refused_key"
    BAD_NAME = "bad_name"
    BAD_SETTING = "bad_setting"
    HELLO_NOT_COMMITTED = "hello_not_committed"
    REFLECTED_NONCE = "reflected_nonce"
    VERSION_STRIPPED = "version_stripped"
    OTHER_CHANNEL = "other_channel"
    NOT_SEALED = "not_sealed"
    UNEXPECTED_FRAME = "unexpected_frame"
    NOT_DATA = "not_data"
    OTHER_DATA = "other_data"
    DATA_NOT_NAMED = "data_not_named"
    NOT_A_PROOF = "not_a_proof"
    NOT_A_NOTE = "not_a_note"
    NOTE_OUT_OF_ORDER = "note_out_of_order"
    BAD_SIGNATURE = "bad_signature"
    BAD_NOTE_SIGNATURE = "bad_note_signature"
    WRONG_SESSION = "wrong_session"
    ENTRY_AFTER_THE_END = "entry_after_the_end"
    OTHER_HANDSHAKE = "other_handshake"
    HEAD_NOT_REACHED = "head_not_reached"
    OWN_ENTRY = "own_entry"
    WRONG_NUMBER = "wrong_number"
    WRONG_PARENT = "wrong_parent"
    WRONG_SEAT = "wrong_seat"
    NOT_A_LOG = "not_a_log"
    LOG_WITHOUT_OPENING = "log_without_opening"
    BAD_OPENING = "bad_opening"
    BAD_RECORD_LENGTH = "bad_record_length"
    BAD_PROOF = "bad_proof"
    MALFORMED_CONTENT = "malformed_content"
    WRONG_STATE = "wrong_state"
    WRONG_KIND = "wrong_kind"
    SHARE_NOT_COMMITTED = "share_not_committed"
    CHOICE_NOT_COMMITTED = "choice_not_committed"
    NO_COMMITMENT = "no_commitment"
    IDLE_COMMITMENT = "idle_commitment"
    WRONG_RESULT = "wrong_result"
    ALREADY_ENDED = "already_ended"
    FALSE_RESIGNATION = "false_resignation"
    FALSE_OFFER = "false_offer"
    FALSE_CHALLENGE = "false_challenge"
    CHALLENGED_TWICE = "challenged_twice"
    ABANDONED_INSTEAD_OF_REVEAL = "abandoned_instead_of_reveal"
    FORK = "fork"
    FORK_REBUTTED = "fork_rebutted"
    NOT_YOUR_TURN = "not_your_turn"
    OFFERED_ALREADY = "offered_already"
    NO_OFFER = "no_offer"
    SECRET_LOST = "secret_lost"  # noqa: S105 - no secret
    LOG_UNUSABLE = "log_unusable"


class NetCode(Code):
    """Errors of addresses, listening and connections."""

    ADDRESS_EMPTY = "address_empty"
    ADDRESS_SCHEME = "address_scheme"
    ADDRESS_USER = "address_user"
    ADDRESS_PATH = "address_path"
    ADDRESS_BRACKETS = "address_brackets"
    ADDRESS_NAME = "address_name"
    ADDRESS_IPV4 = "address_ipv4"
    ADDRESS_IPV6 = "address_ipv6"
    ADDRESS_ZONE = "address_zone"
    ADDRESS_ZONE_MISSING = "address_zone_missing"
    ADDRESS_NOBODY = "address_nobody"
    ADDRESS_PORT = "address_port"
    BIND_UNKNOWN = "bind_unknown"
    BIND_NOT_OURS = "bind_not_ours"
    PORT_BUSY = "port_busy"
    PORT_FORBIDDEN = "port_forbidden"
    CANNOT_LISTEN = "cannot_listen"
    CONNECTION_REFUSED = "connection_refused"
    CONNECTION_TIMED_OUT = "connection_timed_out"
    NAME_NOT_FOUND = "name_not_found"
    ZONE_UNKNOWN = "zone_unknown"
    UNREACHABLE = "unreachable"
    UNREACHABLE_MACOS = "unreachable_macos"
    CANNOT_CONNECT = "cannot_connect"
    DROPPED_WHILE_OPENING = "dropped_while_opening"
    NOT_A_HOST = "not_a_host"
    CANNOT_SEARCH = "cannot_search"
    RELAY_SCHEME = "relay_scheme"
    NOT_A_RELAY = "not_a_relay"
    RELAY_UNTRUSTED = "relay_untrusted"
    RELAY_FULL = "relay_no_pipe"
    RELAY_LOST = "relay_lost"
    NO_ROUTER = "no_router"
    ROUTER_SILENT = "router_silent"
    ROUTER_REFUSES = "router_refuses"
    ROUTER_BEHIND_ANOTHER = "router_behind_another"
    ROUTER_PERMANENT = "router_permanent"
    UPNP_REFUSES = "upnp_refuses"
    UPNP_NOT_INSTALLED = "upnp_not_installed"
    CLOSED_BY_PEER = "closed_by_peer"
    CLOSED_HERE = "closed_here"
    FRAME_TOO_LARGE = "frame_too_large"
    NOT_BINARY = "not_binary"
    BROKEN_FRAMES = "broken_frames"
    PING_TIMEOUT = "ping_timeout"
    BROKEN_OFF = "broken_off"
    NETWORK_ERROR = "network_error"


class StoreCode(Code):
    """Errors of files: keys, settings, contacts, logs and what is kept beside them."""

    FILE_TROUBLE = "file_trouble"
    NOT_A_FILE = "not_a_file"
    FILE_TOO_LARGE = "file_too_large"
    FOLDER_NAMED = "folder_named"
    CANNOT_LOCK = "cannot_lock"
    LIST_IN_USE = "list_in_use"
    BAD_KEY_FILE = "bad_key_file"
    OTHER_KEY_THERE = "other_key_there"
    NOT_OVERWRITTEN = "not_overwritten"
    BAD_SETTINGS_FILE = "bad_settings_file"
    BAD_LESSONS_FILE = "bad_lessons_file"
    BAD_KEPT_NAME = "bad_kept_name"
    BAD_KEPT_SETTING = "bad_kept_setting"
    FILE_EXISTS = "file_exists"
    GAME_IS_HERE = "game_is_here"
    NOT_AN_ARCHIVE = "not_an_archive"
    BAD_ARCHIVE = "bad_archive"
    NOT_PACKED = "not_packed"
    MISNAMED_LOG = "misnamed_log"
    OTHER_SECRET = "other_secret"  # noqa: S105 - no secret
    BAD_SIDECAR = "bad_sidecar"
    SIDECAR_UNREADABLE = "sidecar_unreadable"
    BAD_PLAYERS_FILE = "bad_players_file"
    LOG_SHRANK = "log_shrank"
    LOG_EXISTS = "log_exists"
    SEAT_IN_USE = "seat_in_use"
    WATCHED_ALREADY = "watched_already"
    MANY_SUCH_GAMES = "many_such_games"
    MANY_SUCH_RECORDS = "many_such_records"
    NO_SAVED_GAMES = "no_saved_games"
    NO_SUCH_FILE = "no_such_file"
    LOG_CHANGED = "log_changed"
    KEY_OF_GAME_MISSING = "key_of_game_missing"


class SessionCode(Code):
    """Errors of two programs before, in and between games."""

    DROPPED_IN_HANDSHAKE = "dropped_in_handshake"
    BAD_HANDSHAKE = "bad_handshake"
    OTHER_SETTINGS = "other_settings"
    WE_DECLINED = "we_declined"
    GUEST_SENT_AWAY = "guest_sent_away"
    STOPPED_WAITING = "stopped_waiting"
    GUEST_UNDECIDED = "guest_undecided"
    HOST_UNDECIDED = "host_undecided"
    REMATCH_UNANSWERED = "rematch_unanswered"
    HANDSHAKE_TIMED_OUT = "handshake_timed_out"
    OPPONENT_CHANGED = "opponent_changed"
    NOW_WATCHABLE = "now_watchable"
    NEVER_BEGUN = "never_begun"
    PEER_DECLINED = "peer_declined"
    PEER_GAME_UNKNOWN = "peer_game_unknown"
    PEER_RULES_UNKNOWN = "peer_rules_unknown"
    PEER_DATA_MISSING = "peer_data_missing"
    DATA_NOT_OFFERED = "data_not_offered"
    DATA_TOO_LARGE = "data_too_large"
    PEER_OTHER_SETTINGS = "peer_other_settings"
    WE_BROKE_RULES = "we_broke_rules"
    PEER_BROKE_RULES = "peer_broke_rules"
    PROGRAM_SILENT = "program_silent"
    NOT_CONNECTED = "not_connected"
    GARBAGE_RECEIVED = "garbage_received"
    CHANNEL_BROKEN = "channel_broken"


class AppCode(Code):
    """Errors of saved games, tables, computer players and engines."""

    PLAYER_FAILED = "player_failed"
    NO_TUTOR = "no_tutor"
    ADVICE_FAILED = "advice_failed"
    LEVEL_TO_BE_NAMED = "level_to_be_named"
    NO_TABLE_TO_WATCH = "no_table_to_watch"
    NOT_WATCHABLE = "not_watchable"
    WATCHERS_FULL = "watchers_full"
    INVITATION_TO_WATCH = "invitation_to_watch"
    NO_TABLE_FOUND = "no_table_found"
    UNKNOWN_COMMAND = "unknown_command"
    LINE_TOO_LONG = "line_too_long"
    LINE_NOT_UTF8 = "line_not_utf8"
    BAD_SET_OPTION = "bad_set_option"
    UNKNOWN_OPTION = "unknown_option"
    BAD_OPTION_VALUE = "bad_option_value"
    NO_POSITION = "no_position"
    DRAW_AWAITED = "draw_awaited"
    GAME_OVER_ALREADY = "game_over_already"
    PLAYER_NEEDED = "player_needed"
    OTHER_PLAYER_DECIDES = "other_player_decides"
    OTHER_LEGAL_ACTIONS = "other_legal_actions"
    BAD_GO = "bad_go"
    ENGINE_NOT_STARTED = "engine_not_started"
    ENGINE_DIED = "engine_died"
    ENGINE_DIED_SAYING = "engine_died_saying"
    ENGINE_SILENT = "engine_silent"
    ENGINE_ILLEGAL = "engine_illegal"
    ENGINE_REFUSES = "engine_refuses"
    ENGINE_BABBLES = "engine_babbles"
    ENGINE_OTHER_PROTOCOL = "engine_other_protocol"
    ENGINE_TO_BE_NAMED = "engine_to_be_named"
    NO_SUCH_PLAYER = "no_such_player"
    MANY_SUCH_PLAYERS = "many_such_players"
    BAD_KEPT_PORT = "bad_kept_port"
    BAD_KEPT_RELAY = "bad_kept_relay"
    BAD_KEPT_ADDRESS = "bad_kept_address"
    MOVED_ELSEWHERE = "moved_elsewhere"
    NOTHING_TO_RESUME = "nothing_to_resume"
    NOT_RESUMABLE = "not_resumable"
    INPUT_DOES_NOT_GROW = "input_does_not_grow"
    RECORD_DOES_NOT_GROW = "record_does_not_grow"
    NO_GAMES_THERE = "no_games_there"
    NO_LOGS_THERE = "no_logs_there"
    DAMAGED_LOG = "damaged_log"
    DAMAGED_SIDECAR = "damaged_sidecar"
    OPENING_DAMAGED = "opening_damaged"
    WORKER_DIED = "worker_died"
    NO_GAMES_INSTALLED = "no_games_installed"
    BAD_DATA_FILE = "bad_data_file"
    OPTION_OF_OTHER_GAME = "option_of_other_game"
    OPTIONS_OF_MANY_GAMES = "options_of_many_games"
    OPTIONS_OF_NO_GAME = "options_of_no_game"
    BAD_OWN_NAME = "bad_own_name"
    SEVERAL_TABLES = "several_tables"
    INVITATION_WITHOUT_RELAY = "invitation_without_relay"
    NO_LESSON = "no_lesson"


class UiCode(Code):
    """Errors of the user interface: a game's words, places in a replay."""

    GAME_LACKS_WORDS = "game_lacks_words"
    NOT_A_PLACE = "not_a_place"
    NO_PLACE_YET = "no_place_yet"
    NO_SUCH_PLACE = "no_such_place"


class CliCode(Code):
    """Errors of the command line."""

    BAD_INVITATION = "bad_invitation"
    INVITATION_IN_ARGUMENT = "invitation_in_argument"
    RESUMED_WITHOUT_INVITATION = "resumed_without_invitation"
    AGAINST_A_PERSON = "against_a_person"
    OUTPUT_NOT_WRITTEN = "output_not_written"
    MOVE_NEEDS_OUTPUT = "move_needs_output"
    COMPUTER_STAYS = "computer_stays"
    HOST_NEEDS_NO_ADDRESS = "host_needs_no_address"
    NO_HANDSHAKES = "no_handshakes"
    NO_HANDSHAKES_KEPT = "no_handshakes_kept"
    NO_DATA_NAMED = "no_data_named"
    ONE_KIND_OF_REPLAY = "one_kind_of_replay"
    PAGE_HAS_EVERY_PLACE = "page_has_every_place"
    ANALYSIS_IS_FOR_PAGES = "analysis_is_for_pages"
    BAD_KEY_TEXT = "bad_key_text"
    NOT_EXPORTED = "not_exported"
    PRACTICE_NEEDS_PERSON = "practice_needs_person"
    PRACTICE_HAS_NO_PEER = "practice_has_no_peer"


class ShanghaienError(Exception):
    """Base of every foreseen error: `code` names it, `details` fill in the sentence shown to a person."""

    exit_code: ClassVar[int] = 1

    def __init__(self, code: Code, /, **details: object) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # an exception is pickled as a call with its positional arguments alone, which these have not; they have to
        # come whole from worker processes
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.details.items())
        return f"{self.code.unqualified}({details})" if details else self.code.unqualified


class LocalError(ShanghaienError):
    """The local program cannot go on: a full disk, a busy port, a seat already played by another process."""


class UsageError(ShanghaienError):
    """The command was asked for something that cannot be."""

    exit_code = 2


class Malformed(ShanghaienError):
    """Bytes or text that do not have the required form, whatever they may mean."""

    exit_code = 3


class Illegal(ShanghaienError):
    """Well-formed, but the rules of the game or of the protocol forbid it here."""

    exit_code = 3


class RecordError(ShanghaienError):
    """A text record that cannot be followed; `line` and `column` count from 1, `token` is the text found there."""

    exit_code = 3

    def __init__(self, code: Code, /, *, line: int, column: int, token: str, **details: object) -> None:
        super().__init__(code, **details)
        self.line = line
        self.column = column
        self.token = token


class InvalidFile(ShanghaienError):
    """A log that is not valid, which proves no violation."""

    exit_code = 3


class CannotConnect(ShanghaienError):
    """No game came about: nobody there, not our protocol, busy, or no agreement."""

    exit_code = 4


class ConnectionLost(ShanghaienError):
    """The connection ended, or had to be dropped, before the game did; the game can be resumed."""

    exit_code = 5


class Violation(ShanghaienError):
    """A signed entry in its place that breaks a rule: proof against its author."""

    exit_code = 6


class Quit(Exception):
    """The user left the table: Ctrl-D, Ctrl-C or the end of the input. The game stays as it is and can be resumed."""


class TakeBack(Exception):
    """The user takes their last decision back, at a table of practice."""
