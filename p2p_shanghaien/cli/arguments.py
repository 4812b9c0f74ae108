"""Arguments of commands: a word of a few, and what a shell offers when Tab is pressed.

Only names that this program has made are offered (logs, fingerprints), never text of a peer's: a shell would run it.
"""

import click
from click import Context, Parameter
from click.shell_completion import CompletionItem

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.text import nearest
from p2p_shanghaien.ui.words import say


class Choice(click.Choice[str]):
    """A choice that asks whoever mistypes a word for the one that was probably meant."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx)
        meant = nearest(str(value), self.choices)
        return say("did_you_mean", reason=message, name=meant) if meant else message


def kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The kept games, the one last played first, each with when that was."""
    # whoever asks for help alone needs no store
    from p2p_shanghaien.store.home import Home
    from p2p_shanghaien.store.place import all_logs, last_written

    try:
        paths = [path for path in all_logs(Home.of_user().games) if path.stem.startswith(incomplete)]
    except LocalError:
        return []  # the command itself says what is wrong
    return [
        CompletionItem(path.stem, help=say("completion_game", when=f"{last_written(path):%Y-%m-%d %H.%M}"))
        for path in paths
    ]


def files_and_kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, which the shell finds by itself, and the kept games."""
    return [CompletionItem(incomplete, type="file"), *kept_games(context, parameter, incomplete)]


def known_players(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The fingerprints of the known players' keys, for the beginning of a fingerprint or of a name."""
    from p2p_shanghaien.fairplay.keys import fingerprint
    from p2p_shanghaien.store.home import Home

    try:
        known = Home.of_user().known_players()
    except LocalError:
        return []
    fingerprints = {fingerprint(key).hex(): player.name for key, player in known.items()}
    return [
        CompletionItem(digits, help=name)
        for digits, name in fingerprints.items()
        if digits.startswith(incomplete) or name.casefold().startswith(incomplete.casefold())
    ]
