"""The one widget that everything is drawn on: lines of text with places to click."""

from collections.abc import Callable, Sequence

from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from p2p_shanghaien.ui.full.drawing import means_of


class CanvasWidget(Widget):
    """Shows what `draw` makes for a width; as high as that is, unless styled otherwise.

    Text is drawn as it is: nothing in it is ever taken for markup.
    """

    DEFAULT_CSS = "CanvasWidget { width: 1fr; height: auto; }"

    class Hit(Message):
        """A click on something that `means` something."""

        def __init__(self, means: tuple[str, ...]) -> None:
            self.means = means
            super().__init__()

    def __init__(self, draw: Callable[[int], Sequence[Text]], id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._draw = draw
        self._width = -1
        self._lines: Sequence[Text] = ()

    def drawn(self, width: int) -> Sequence[Text]:
        """Return what is drawn on so many cells."""
        if width != self._width:
            self._width, self._lines = width, self._draw(width)
        return self._lines

    def forget(self) -> None:
        """Have it drawn again when it is laid out next, since what is drawn has changed, and other widgets with it."""
        self._width = -1
        self.refresh(layout=True)

    def redraw(self) -> None:
        """Draw again, since what is drawn has changed."""
        before = len(self._lines)
        width, self._width = self._width, -1
        after = len(self.drawn(width)) if width >= 0 else before
        self.refresh(layout=before != after)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.drawn(width))

    def render_line(self, y: int) -> Strip:
        lines = self.drawn(self.size.width)
        line = lines[y].copy() if y < len(lines) else Text()
        line.stylize_before(line.style)  # a text without spans is drawn without its style
        style = self.rich_style
        strip = Strip(line.render(self.app.console)).apply_style(style)
        return strip.adjust_cell_length(self.size.width, style)

    def on_click(self, event: events.Click) -> None:
        if means := means_of(event.style):
            event.stop()
            self.post_message(self.Hit(means))
