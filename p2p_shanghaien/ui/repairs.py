"""The sentences for games with damaged files, or with an end to be fetched from the peer."""

from typing import Final

WORDS: Final[dict[str, str | tuple[str, str]]] = {
    "handing_over": "This game is finished here. It stays open until {name} has all of it: if {name}'s log is "
    "truncated or damaged, shanghaien resume there restores the rest.",
    "repair_log": "{file} is damaged: {reason}. The part before the damage is valid. The rest can be set aside in "
    "{aside}, where nothing is lost, and restored from the peer. You then make again any decision that the peer never "
    "received. Set the rest aside?",
    "repairing_log": "{file} is damaged: {reason}. The rest is set aside in {aside} and restored from the peer. You "
    "make again any decision that the peer never received.",
    "repair_private": "{file}, a sidecar file of the log, is damaged; restore a backup if you have one. Otherwise it "
    "can be set aside in {aside} and begun anew. You then lose the peer's address and the secret that your "
    "commitments are revealed with: if one is still to be revealed, you can only resign. Begin it anew?",
    "repairing_private": "{file}, a sidecar file of the log, is damaged. It is set aside in {aside} and begun anew. "
    "You lose the peer's address and the secret that your commitments are revealed with: if one is still to be "
    "revealed, you can only resign.",
    "damage_shown": "{file} is damaged: {reason}. Only the part before the damage is valid and shown.",
}
