"""Commands, options and arguments with help in the language that is in use when it is shown.

They are declared with codes of `ui.command_sentences` where click has English:
`@option("--seed", help="help_option_seed")`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from p2p_shanghaien.games.api import GameSpec, Setting
from p2p_shanghaien.text import nearest
from p2p_shanghaien.ui.words import has_words, say


class _Sentence:
    """An attribute of click's that is set to a code and read as its sentence; `{default}` in it is the option's."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}_code"

    def __set__(self, instance: object, code: str | None) -> None:
        setattr(instance, self._name, code)

    def __get__(self, instance: object, owner: type) -> Any:
        code = getattr(instance, self._name)
        return None if code is None else say(code, default=getattr(instance, "default", None))


class Command(click.Command):
    """A command whose `help` is a code."""

    help = _Sentence()
    options_metavar = _Sentence()

    def __init__(self, name: str | None, **attributes: Any) -> None:
        super().__init__(name, **{"options_metavar": "metavar_options", **attributes})

    def given(self, ctx: click.Context, option: str, args: Sequence[str]) -> Any:
        """Return the value of that option in `args`, whatever else is wrong with them; None if it is not there."""
        settings = {**self.context_settings, "resilient_parsing": True, "ignore_unknown_options": True}
        # the parent says what the option for help is called, and click keeps that option
        with click.Context(self, parent=ctx.parent, **settings) as context:
            return self.make_parser(context).parse_args([*args])[0].get(option)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        if option := super().get_help_option(ctx):
            # click keeps the option, and with it the language of the first time
            option.help = say("help_help")
        return option


class Group(Command, click.Group):
    """A group whose `help`, and that of the commands in it, is a code."""

    command_class = Command

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        name = say("metavar_command")
        name = f"[{name}]" if self.invoke_without_command else name
        return [*Command.collect_usage_pieces(self, ctx), name, say("metavar_arguments")]


class Option(click.Option):
    """An option whose `help` and `metavar` are codes."""

    help = _Sentence()
    metavar = _Sentence()


class Argument(click.Argument):
    """An argument whose `metavar` is a code."""

    metavar = _Sentence()

    def make_metavar(self, ctx: click.Context) -> str:
        name = self.metavar
        if name is None:
            return super().make_metavar(ctx)
        # click does this to names of its own only
        name = name if self.nargs == 1 else f"{name}..."
        return name if self.required else f"[{name}]"


class Choice(click.Choice[str]):
    """A choice that suggests the value that was probably meant for a mistyped one."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx)
        meant = nearest(str(value), self.choices)
        return say("did_you_mean", reason=message, name=meant) if meant else message


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)
argument = partial(click.argument, cls=Argument)
"""Decorators, as click's of these names."""


def group(cls: type[Group] = Group, **attributes: Any) -> Callable[[Callable[..., Any]], Group]:
    """Make a function a group, as `click.group` does."""
    return click.group(None, cls, **attributes)


def described(spec: GameSpec) -> list[tuple[str, str]]:
    """Return the game's options for help: each as written, and its text."""
    return [
        (f"--{setting.name} {'|'.join(setting.choices) or say('metavar_value')}", _help(spec, setting))
        for setting in spec.settings
    ]


def _help(spec: GameSpec, setting: Setting) -> str:
    own = f"{spec.name}:help_{setting.name}"
    # a text that a game lacks takes nothing from its options, and no command from other games
    return say(own if has_words(own) else "help_option_undescribed", default=setting.default)
