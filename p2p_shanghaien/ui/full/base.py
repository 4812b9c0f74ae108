"""Any full screen: its colours, its driver, what dialogs look like there, and how it begins and ends."""

import asyncio
import os
from typing import Any, ClassVar, Final, TypeVar

from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.theme import Theme

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.drawing import Canvas, TextStyles
from p2p_shanghaien.ui.full.failing import FailingApp
from p2p_shanghaien.ui.full.theme import shade, text_styles
from p2p_shanghaien.ui.lifecycle import signals_kept
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.waiting import ended

_T = TypeVar("_T")

OVERVIEW: Final = 76
"""Cells of a stage's overview at the most."""

THEMES: Final = (
    Theme(
        "table-dark",
        primary="#56b4e9",
        foreground="#e8e4d8",
        background="#12211c",
        surface="#1b3029",
        panel="#24413a",
        dark=True,
    ),
    Theme(
        "table-light",
        primary="#005b8f",
        foreground="#201c14",
        background="#f3eee0",
        surface="#e6dfcb",
        panel="#d8cfb5",
        dark=False,
    ),
)


class FullScreen(FailingApp[_T]):
    """A screen that looks as its user likes it, and gives what its app exits with: None where the person just leaves.

    `ascii_only`, where it is not None, has been asked for whatever the settings say. The class `ascii` is for screens
    that are drawn with ASCII characters only.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]
    CSS = f"""
    Dialog {{ align: center middle; }}
    ConfirmDialog, InputDialog {{ align: center bottom; background: $background 0%; }}
    .panel {{ width: 100%; height: auto; background: $panel; padding: 1 2; align-horizontal: center;
              scrollbar-size: 1 1; }}
    .panel > * {{ max-width: {OVERVIEW}; }}
    EndSheet .panel {{ padding: 1 1 1 2; }}
    EndSheet .panel > ScrollPanel {{ height: auto; max-width: {OVERVIEW + 1}; scrollbar-size: 0 1;
                                     scrollbar-gutter: stable; }}
    .ascii EndSheet .panel > ScrollPanel {{ max-width: {OVERVIEW}; scrollbar-size: 0 0; scrollbar-gutter: auto; }}
    .ascii .panel {{ scrollbar-size: 0 0; }}
    Input, Input:focus {{ border: none; height: 1; padding: 0; margin: 1 0; background: $background; }}
    """

    def __init__(self, settings: Settings, *, ascii_only: bool | None = None) -> None:
        # the library would take NO_COLOR away and draw in shades of grey; `shade` heeds it
        no_colour = os.environ.pop("NO_COLOR", None)
        super().__init__()
        if no_colour is not None:
            os.environ["NO_COLOR"] = no_colour
        for theme in THEMES:
            self.register_theme(theme)
        self._forced_ascii = ascii_only
        self.apply_settings(settings)

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":  # the system has none, or another is wanted
            return chosen
        from p2p_shanghaien.ui.full.driver import TerminalDriver  # noqa: PLC0415 - not on every system

        return TerminalDriver

    def apply_settings(self, settings: Settings) -> None:
        """Take the colours and the characters that are set in `settings` from now on."""
        self.settings = settings
        ascii_only = settings.ascii if self._forced_ascii is None else self._forced_ascii
        self.charset = Screen(ascii_only=ascii_only).charset
        self.set_class(self.charset.ascii_only, "ascii")
        self.theme = "ansi-dark" if shade(settings) == "none" else f"table-{shade(settings)}"

    @property
    def text_styles(self) -> TextStyles:
        return text_styles(self.settings)

    def canvas(self, width: int, height: int | None = None) -> Canvas:
        """Return a canvas of so many cells, as high as the window if `height` is None."""
        return Canvas(width, self.size.height if height is None else height, self.text_styles, self.charset)

    async def run_async(self, **options: Any) -> _T | None:
        """Run the app; what it does on Ctrl-Z ends with it, as the program may not."""
        with signals_kept():
            return await super().run_async(**options)

    async def present(self) -> _T | None:
        """Show it until the person leaves, and return the result. May be cancelled.

        The terminal is left as it was found, whatever happens.
        """
        showing = asyncio.create_task(self.run_async())
        try:
            await asyncio.wait({showing})
        finally:
            self.exit()
            await ended(showing)
        return showing.result()
