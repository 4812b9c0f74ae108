"""`shanghaien players`: whom one has played with, and how reliable they were."""

from collections import Counter
from typing import Final

import click

from p2p_shanghaien.cli.completing import known_players
from p2p_shanghaien.cli.files import verified
from p2p_shanghaien.cli.localized import argument, group
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.cli.seats import shown_key
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.store.home import Home, Known
from p2p_shanghaien.store.logs import all_logs
from p2p_shanghaien.text import nearest
from p2p_shanghaien.ui.words import listed, say

SHORTEST: Final = 4
"""Digits of a fingerprint that are enough to name a player, where no other's begins like that."""


@group(help="help_players", invoke_without_command=True)
@click.pass_context
def players(context: click.Context) -> None:
    if context.invoked_subcommand is not None:
        return
    home = Home.of_user()
    known = home.known_players()
    if not known:
        echo(say("no_players"))
        return
    left = _left_unfinished(home)
    for key, player in sorted(known.items(), key=lambda item: (item[1].name.casefold(), item[0])):
        shown = shown_key(key)
        echo(say("player_line", name=player.name, fingerprint=shown, since=player.since, count=player.games))
        if left[key]:
            echo(say("player_left", count=left[key]))


@players.command(help="help_players_forget")
@argument("player", metavar="metavar_player", shell_complete=known_players)
def forget(player: str) -> None:
    home = Home.of_user()
    key, known = _meant(home.known_players(), player)
    home.forget(key)
    echo(say("player_forgotten", name=known.name, fingerprint=shown_key(key)))


def _meant(known: dict[bytes, Known], text: str) -> tuple[bytes, Known]:
    """The one player whose name is `text`, or whose fingerprint begins like that. Raises LocalError."""
    digits = "".join(text.split()).lower()
    meant = [
        (key, player)
        for key, player in known.items()
        if player.name == text or (len(digits) >= SHORTEST and fingerprint(key).hex().startswith(digits))
    ]
    if not meant:
        near = nearest(text, (each.name for each in known.values()))
        raise LocalError("no_such_player", player=text, nearest=near)
    if len(meant) > 1:
        raise LocalError("many_such_players", player=text, keys=listed(shown_key(key) for key, _ in meant))
    return meant[0]


def _left_unfinished(home: Home) -> Counter[bytes]:
    """How many kept games, by public key, wait for an entry of that player. A game counts once, even if kept twice."""
    reports = verified(all_logs(home.games))
    waiting = {
        (report.session.id, report.session.keys[seat])
        for report in reports
        if isinstance(report, Report) and report.session and report.verdict == Verdict.INCOMPLETE
        for seat in report.awaited
    }
    return Counter(key for _, key in waiting)
