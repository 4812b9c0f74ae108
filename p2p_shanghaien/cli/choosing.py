"""Options and arguments whose value is one of a few words."""

import click

from p2p_shanghaien.text import nearest
from p2p_shanghaien.ui.words import say


class Choice(click.Choice[str]):
    """A choice that asks whoever mistypes a word for the one that was probably meant."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx)
        meant = nearest(str(value), self.choices)
        return say("did_you_mean", reason=message, name=meant) if meant else message
