"""The words for games whose files are damaged, or whose end has to be fetched from the peer."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "handing_over": "This game is finished here. It stays open until {name} is known to have all of it: if the log of "
    "{name} lacks the end or is damaged, shanghaien resume there takes the rest back.",
    "repair_log": "{file} is damaged: {reason}. What stands before the damage holds. The rest can be set aside in "
    "{aside}, where nothing of it is lost, and taken back from the peer. A decision of yours that the peer never "
    "received is then yours to make again. Set the rest aside?",
    "repairing_log": "{file} is damaged: {reason}. The rest is set aside in {aside}, and taken back from the peer. A "
    "decision of yours that the peer never received is yours to make again.",
    "repair_private": "{file}, which is kept beside the log, is damaged; a backup of it would be better than what "
    "follows. It can be set aside in {aside} and begun anew. Lost with it are the address of the peer and the secret "
    "that your commitments are opened with: if one of them is still to be opened, all that is left to you is to "
    "resign. Begin it anew?",
    "repairing_private": "{file}, which is kept beside the log, is damaged. It is set aside in {aside} and begun anew. "
    "Lost with it are the address of the peer and the secret that your commitments are opened with: if one of them is "
    "still to be opened, all that is left to you is to resign.",
    "damage_shown": "{file} is damaged: {reason}. What stands before the damage holds, and nothing else is shown.",
}
