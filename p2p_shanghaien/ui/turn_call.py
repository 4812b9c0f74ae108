"""Calls to the person whose turn it is: the terminal's bell, its notification, and a command of their own."""

import os
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final, TypeAlias

from p2p_shanghaien.ui.presenter import ShownGame
from p2p_shanghaien.ui.words import game_name, say

OwnCommand: TypeAlias = Callable[[str, str, Callable[..., None]], None]
"""Starts the user's command with the names of the opponent and the game; a failure goes to the third argument."""

BELL: Final = "\a"
JUST_NOW: Final = 1.0
"""Seconds: whoever has done something within these is still there."""
AT_ONCE: Final = 3.0
"""Seconds: a computer of ours that has answered within these has kept nobody waiting."""

_BY_PROGRAM: Final = {"iTerm.app": 9, "WezTerm": 9, "ghostty": 9, "WarpTerminal": 9}
_BY_TERM: Final = {"xterm-kitty": 9, "xterm-ghostty": 9, "wezterm": 9, "foot": 777, "foot-extra": 777}
"""The control sequence (OSC) by which terminals show a notification, by TERM_PROGRAM and by TERM.

As the documentation of each says. Others may do anything with it, and multiplexers keep it to themselves.
"""
_MULTIPLEXERS: Final = ("TMUX", "STY", "ZELLIJ")
_MOST: Final = 200
"""The limit of characters of a notification."""


class TurnCall:
    """Calls the user, who has not just decided, to the next decision; `command` is their own.

    A computer that answers at once calls nobody, nor do several decisions that follow each other.
    """

    def __init__(
        self,
        command: OwnCommand | None = None,
        *,
        against_computer: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._command = command
        self._patience = AT_ONCE if against_computer else JUST_NOW
        self._clock = clock
        # whoever begins a game against a computer is there
        self._since = clock() if against_computer else None

    def answered(self) -> None:
        """Start to wait: the user has decided."""
        self._since = self._clock()

    def is_due(self) -> bool:
        """Return whether the user has waited long enough to have turned to something else."""
        return self._since is None or self._clock() - self._since >= self._patience

    def run(self, game: ShownGame, tell: Callable[..., None]) -> None:
        """Run the user's command, if there is one; a failure goes to `tell`."""
        if self._command:
            self._command(game.other, game_name(game.name), tell)


def call_sequence(game: ShownGame, environment: Mapping[str, str] = os.environ) -> str:
    """Return what calls the user at the terminal: the bell, and a notification where the terminal is known for it."""
    kind = notification_kind(environment)
    if kind is None:
        return BELL
    title, text = game_name(game.name), say("turn_notice", name=game.other)
    parts = ["9", f"{title}: {text}"] if kind == 9 else ["777", "notify", title, text]
    # the string terminator: BEL at its end would ring again in some
    return f"{BELL}\x1b]{';'.join(_clean(game.viewpoint.charset.transliterate(part)) for part in parts)}\x1b\\"


def notification_kind(environment: Mapping[str, str]) -> int | None:
    """Return the number of the control sequence by which the terminal shows notifications; None if it is not known."""
    term = environment.get("TERM", "")
    if any(environment.get(name) for name in _MULTIPLEXERS) or term.startswith(("screen", "tmux")):
        return None
    by_term, program = _BY_TERM.get(term), environment.get("TERM_PROGRAM", "")
    # through ssh TERM_PROGRAM is not known, and iTerm2 sends another
    remote = 9 if environment.get("LC_TERMINAL") == "iTerm2" else None
    return by_term or _BY_PROGRAM.get(program) or remote


def _clean(text: str) -> str:
    """Return text that can neither end a control sequence nor a part of one, nor begin another."""
    return "".join(each if each.isprintable() and each != ";" else " " for each in text)[:_MOST]
