"""`shanghaien players`: whom one has played with, and how reliable they were."""

from collections import Counter

import click

from p2p_shanghaien.app import contacts
from p2p_shanghaien.app.library import verified
from p2p_shanghaien.cli.arguments import known_players
from p2p_shanghaien.cli.localized import argument, group
from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.place import all_logs
from p2p_shanghaien.ui.words import say


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
    key, known = contacts.find(home.known_players(), player)
    home.forget(key)
    echo(say("player_forgotten", name=known.name, fingerprint=shown_key(key)))


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
