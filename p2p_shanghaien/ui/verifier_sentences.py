"""The sentences of the page that verifies logs in a browser, and of a replay that verifies its own log."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "help_option_page": "Write a page that verifies logs in any browser.",
    "verifier_written": "The page is in {path}. Open it in any browser, and drop logs on it.",
    "verifier_title": "Verify games",
    "verifier_intro": "Drop signed logs (.shlog) here, or choose them. The page checks every signature, every draw and "
    "every move itself. Nothing leaves this machine.",
    "verifier_also": "Decks (.shdata) and saved handshakes that you add are used as well.",
    "verifier_choose": "Choose files",
    "verifier_choose_folder": "Choose a folder",
    "verifier_language": "Language",
    "verifier_noscript": "Without JavaScript this page cannot verify anything.",
    "verifier_running": "Verifying",
    "verifier_verified": ("{count} log verified: {verdicts}", "{count} logs verified: {verdicts}"),
    "verifier_count_complete": "{count} COMPLETE",
    "verifier_count_decided": "{count} DECIDED",
    "verifier_count_incomplete": "{count} INCOMPLETE",
    "verifier_count_violation": "{count} VIOLATION",
    "verifier_count_invalid_file": "{count} INVALID FILE",
    "verifier_count_unsupported": "{count} UNSUPPORTED",
    "verifier_verdicts": "Verdicts",
    "verifier_clear": "Clear the list",
    "verifier_host": "Host: {name}, key {fingerprint}",
    "verifier_guest": "Guest: {name}, key {fingerprint}",
    "verifier_details": "Details",
    "verifier_moves": "The moves, as the log has them",
    "verifier_move": "{name}: {action}",
    "verifier_drawn": "drawn, counted from 0: {indices}",
    "verifier_json": "The verdict for programs (JSON)",
    "verifier_session": "Session: {session}",
    "verifier_head": "Hash of the last sound entry: {head}",
    "verifier_damaged": (
        "{count} byte at the end was not read as a part of the game.",
        "{count} bytes at the end were not read as a part of the game.",
    ),
    "verifier_data": "{file}: data with the SHA-256 {digest}. Logs that name them are verified with them.",
    "verifier_handshakes": "{file}: saved handshakes. They may rebut a fork.",
    "verifier_unreadable": "{file} cannot be read. If it is a folder, choose it by its button.",
    "verifier_too_large": "{file} is longer than any log.",
    "verifier_failed": "The page itself failed: {error}",
    # The meaning of each verdict.
    "verifier_means_complete": "Every check holds, and both players signed the result.",
    "verifier_means_decided": "The game has ended and every check holds, but a signature under the result is missing.",
    "verifier_means_incomplete": "Every check holds as far as the log goes. It does not prove who stopped, or whether "
    "the log was cut short.",
    "verifier_means_violation": "Proved against {name}, whose key has the fingerprint {fingerprint}, by entry "
    "{number}, which {name} signed: {reason}.",
    "verifier_means_invalid_file": "This file proves no violation, and no result.",
    "verifier_means_unsupported": "The moves were not checked, so there is no verdict on the game.",
    "verifier_unruled_sound": (
        "{count} signed entry holds as far as that can be checked without the rules: form, place, signature and "
        "commitments.",
        "{count} signed entries hold as far as that can be checked without the rules: form, place, signatures and "
        "commitments.",
    ),
    "verifier_unruled_entry": "Even without the rules, entry {number} is wrong: {reason}.",
    "verifier_unruled_file": "Even without the rules, the file is wrong: {reason}.",
    # Errors, where the program says more, or something else.
    "verifier_too_long": "a part of the file is longer than allowed",
    "verifier_wrong_number": "it has the wrong number",
    "verifier_wrong_kind": "an entry of another type was expected",
    "verifier_illegal_action": "it contains a choice that the rules do not allow",
    "verifier_bad_record_length": "the length of an entry is impossible, so the file is damaged",
    "verifier_bad_proof": "a signature on the hellos is invalid",
    "verifier_game_unknown": "this page does not know the game {game}",
    "verifier_rules_unknown": "this page does not know version {rules} of the rules of {game}",
    "verifier_data_missing": "the game needs data that are not here: add {digest}.shdata, which lies beside the log",
    # The limits of a verdict.
    "verifier_limits_title": "What a verdict proves",
    "verifier_limits": "A verdict is about keys and rules. It does not say who held a key, whether a log was cut "
    "short, or whether two players made up a game together.",
    "verifier_trust": "A verdict is worth as much as the page that gives it. Trust one that you have written yourself "
    "(shanghaien verify --page FILE) or taken from somebody whom you trust, never one that came with the log.",
    "verifier_origin": "Part of p2p-shanghaien {version}. The verifier is an implementation of its own, written from "
    "the specification of the protocol. SHA-256 of its sources: {digest}",
    # A replay that verifies its own log.
    "check_pending": "Not yet verified in this browser.",
    "check_agrees": "Verified in this browser.",
    "check_unsupported": "Not verified in this browser, since {reason}. The verdict is that of the program that made "
    "this page.",
    "check_differs": "This page contradicts the log that it carries. Trust neither.",
    "check_differs_how": "{what}: the page says {shown}, the log in it gives {found}.",
    "check_failed": "Verification in this browser failed: {error}",
    "check_save": "Save the log",
    "check_compared": "When the page is opened, a second verifier, which shares no code with the program, verifies the "
    "log that the page carries. It compares players, settings, verdict and result with what the page shows. It does "
    "not compare the moves and pictures; below are the moves of the log.",
}
