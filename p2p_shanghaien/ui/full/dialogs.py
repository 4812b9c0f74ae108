"""Dialogs over the table: a text, a question, a line to type, a menu, the settings."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.widgets import Input

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.characters import Charset
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.drawing import Canvas, clickable
from p2p_shanghaien.ui.full.story import styles
from p2p_shanghaien.ui.full.theme import EDITABLE_SETTINGS
from p2p_shanghaien.ui.presenter import Confirmation, Sentence
from p2p_shanghaien.ui.words import Later, say

CLOSE = "close"
UNDO_KEY = "u"
"""The key that takes the last decision back."""

_T = TypeVar("_T")


class ScrollPanel(VerticalScroll, can_focus=False):
    """A part that scrolls where its content is higher."""


SCROLL_KEYS: Final[Mapping[str, Callable[..., None]]] = {
    "up": ScrollPanel.scroll_up,
    "down": ScrollPanel.scroll_down,
    "pageup": ScrollPanel.scroll_page_up,
    "pagedown": ScrollPanel.scroll_page_down,
    "home": ScrollPanel.scroll_home,
    "end": ScrollPanel.scroll_end,
}
"""Keys that scroll a panel, by Textual's names."""


class Dialog(ModalScreen[_T]):
    """Lies between the title and the keys, if there are any, as wide as the window: nothing is seen in part."""

    def canvas(self, width: int) -> Canvas:
        """Return a canvas in the colours and characters of the screen that it lies on."""
        return cast("FullScreen[object]", self.app).canvas(width)

    def head(self, title: str, close: str, width: int) -> Sequence[Text]:
        """Return the words of a code as a title, and at the right those that say how to close what it stands on."""
        canvas = self.canvas(width)
        close = canvas.charset.say(close)
        line = Text.assemble((canvas.charset.say(title), canvas.text_styles.strong))
        line.align("left", max(width - len(close) - 1, 0))
        line.append_text(clickable(Text(close, canvas.text_styles.key), CLOSE))
        line.truncate(width)
        return [line]

    def on_mount(self) -> None:
        self._make_room()

    def on_resize(self) -> None:
        self._make_room()

    def _make_room(self) -> int:
        """Leave the title and the keys free, unless the window is too small for them; return the lines in between."""
        base, size = self.app.screen_stack[0], self.app.size

        def lines(name: str) -> int:
            return sum(len(widget.drawn(size.width)) for widget in base.query(name).results(CanvasWidget))

        above, below = (0, 0) if base.has_class("small") else (lines("#title"), lines("#keys"))
        panel = self.query_one(".panel")
        panel.styles.margin = (above, 0, below, 0)
        room = size.height - above - below
        panel.styles.max_height = room
        return room


def told_lines(told: Sequence[Sentence], canvas: Canvas) -> Sequence[Text]:
    """Return sentences as paragraphs, each in its style and with an empty line after it."""
    tones = styles(canvas.text_styles)
    return [line for each in told for line in (*canvas.lines(each, tones.get(each.tone, "")), Text())]


class TextDialog(Dialog[None]):
    """Something to read, until it is put away: its title and how to close it as codes; `draw` makes its lines."""

    def __init__(self, title: str, draw: Callable[[int], Sequence[Text]], close: str = "panel_close") -> None:
        super().__init__()
        self._title = title
        self._draw = draw
        self._close = close
        self.put_away = asyncio.Event()

    def compose(self) -> ComposeResult:
        with ScrollPanel(classes="panel"):
            yield CanvasWidget(lambda width: self.head(self._title, self._close, width))
            yield CanvasWidget(self._draw)

    def on_unmount(self) -> None:
        self.put_away.set()

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        if message.means == (CLOSE,):
            message.stop()
            self.dismiss()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "enter", "q"):
            if self.is_current:  # else a key before this one has put it away
                self.dismiss()
        elif event.key in SCROLL_KEYS:
            SCROLL_KEYS[event.key](self.query_one(ScrollPanel), animate=False)


ANSWERS: Final[dict[str, bool | None]] = {"full_yes": True, "full_no": False, "key_undo": None}
"""The meaning of each answer to a question of yes or no; None takes the last decision back instead."""


def answer_keys(asked: Confirmation, charset: Charset) -> list[tuple[str, str]]:
    """Return the answers to a question that need no word typed: each as shown, with its key, and its code."""
    letters = {
        code: charset.say(words).split()[-1] for words, code in (("answers_yes", "full_yes"), ("answers_no", "full_no"))
    }
    if asked.takes_back:
        letters["key_undo"] = UNDO_KEY
    return [(f"[{letter}] {charset.say(code)}", code) for code, letter in letters.items()]


def answer_code(asked: Confirmation, text: str) -> str | None:
    """Return the code of the answer that `text` is; None if it is none."""
    if text == UNDO_KEY and (asked.takes_back or asked.undo_is_yes):
        return "key_undo" if asked.takes_back else "full_yes"
    meant = asked.answer(text)
    return None if meant is None else "full_yes" if meant else "full_no"


class ConfirmDialog(Dialog[bool | None]):
    """A question of yes or no: a key or a click answers it, or one that must not be answered in haste a line typed.

    None if the last decision is taken back instead. The sentences `above` are its occasion.
    """

    def __init__(self, asked: Confirmation, above: Sequence[Sentence] = ()) -> None:
        super().__init__()
        self._asked = asked
        self._above = above

    def compose(self) -> ComposeResult:
        with ScrollPanel(classes="panel"):
            yield CanvasWidget(self._lines)
            if self._asked.is_deliberate:
                yield Input()

    def _lines(self, width: int) -> Sequence[Text]:
        canvas, charset = self.canvas(width), self.canvas(width).charset
        style = styles(canvas.text_styles).get(self._asked.question.tone, canvas.text_styles.strong)
        lines = [*told_lines(self._above, canvas), *canvas.lines(self._asked.question, style)]
        if self._asked.is_deliberate:
            return [*lines, Text(charset.transliterate(self._asked.prompt), canvas.text_styles.quiet)]
        keys = answer_keys(self._asked, charset)
        answers = (clickable(Text(text, canvas.text_styles.key), code) for text, code in keys)
        return [*lines, Text(), Text("    ").join(answers)]

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        self.dismiss(ANSWERS[message.means[0]])

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self._answer(message.value.strip())

    def on_key(self, event: events.Key) -> None:
        if not self._asked.is_deliberate and event.character and self._answer(event.character):
            event.stop()  # the letter may be one of the table's keys

    def _answer(self, text: str) -> bool:
        """Close the question if `text` answers it, and return whether it did."""
        code = answer_code(self._asked, text)
        if code:
            self.dismiss(ANSWERS[code])
        return code is not None


class _Input(Input):
    """A line to type. A paste of several lines is one: a long invitation may have been copied from two."""

    def _on_paste(self, event: events.Paste) -> None:
        event.text = " ".join(line.strip() for line in event.text.splitlines())


class InputDialog(Dialog[str | None]):
    """A line to type, maybe `begun`; None where the person would rather not. `enter` says what Enter does."""

    def __init__(self, prompt: str | Later, limit: int, *, enter: str = "ask_enter", begun: str = "") -> None:
        super().__init__()
        self._prompt = prompt
        self._enter = enter
        self._input = _Input(begun, max_length=limit, select_on_focus=False)

    def compose(self) -> ComposeResult:
        with ScrollPanel(classes="panel"):
            yield CanvasWidget(self._lines)
            yield self._input
            yield CanvasWidget(self._answers)

    def _lines(self, width: int) -> Sequence[Text]:
        canvas = self.canvas(width)
        return canvas.lines(self._prompt, canvas.text_styles.strong)

    def _answers(self, width: int) -> Sequence[Text]:
        canvas = self.canvas(width)
        keys = ((self._enter, self._enter), ("panel_close", CLOSE))
        answers = (clickable(Text(canvas.charset.say(code), canvas.text_styles.key), means) for code, means in keys)
        return [Text("   ").join(answers)]

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        self.dismiss(None if message.means == (CLOSE,) else self._input.value.strip())

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.dismiss(message.value.strip())

    def on_key(self, event: events.Key) -> None:
        """Take a key that the line has not taken, maybe since it was not there yet when the key was pressed."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key == "enter" and not self._input.has_focus:
            event.stop()
            self.dismiss(self._input.value.strip())
        elif event.character and event.is_printable:
            event.stop()
            self._input.insert_text_at_cursor(event.character)


class ListDialog(Dialog[str | None]):
    """Lines of which one is at hand: up and down go through them."""

    title_code = "key_menu"
    close_code = "panel_close"

    def __init__(self) -> None:
        super().__init__()
        self.at = 0

    def compose(self) -> ComposeResult:
        with ScrollPanel(classes="panel"):
            yield CanvasWidget(lambda width: self.head(self.title_code, self.close_code, width))
            yield CanvasWidget(self.drawn)

    def labels(self) -> Sequence[str]:
        """The lines as they are now."""
        raise NotImplementedError

    def chosen(self) -> None:
        """Enter, or a click on the line that is at hand."""
        raise NotImplementedError

    def turn(self, by: int) -> None:
        """Left or right; changes nothing where a line has no values to go through."""

    def below(self) -> str:
        """Return what is to be said below the lines."""
        return ""

    def drawn(self, width: int) -> Sequence[Text]:
        canvas = self.canvas(width)
        lines = []
        for number, label in enumerate(map(canvas.charset.transliterate, self.labels())):
            here = number == self.at
            line = Text(f" {'>' if here else ' '} {label} ", canvas.text_styles.picked if here else "")
            lines.append(clickable(line, str(number), width=width))
        if below := self.below():
            lines += [Text(), *canvas.lines(below, canvas.text_styles.quiet)]
        return lines

    def redraw(self) -> None:
        for widget in self.query(CanvasWidget):
            widget.redraw()
        self._scroll()

    def on_resize(self) -> None:
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        """Have the line that is at hand seen, where the window is too low for all."""
        below_title = self.at + 1
        for panel in self.query(ScrollPanel):  # there is none once the dialog is put away
            panel.scroll_to_region(Region(0, below_title, 1, 1), animate=False)

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        if message.means == (CLOSE,):
            self.dismiss(None)
            return
        self.at = int(message.means[0])
        self.chosen()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        count = len(self.labels())
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key in ("up", "down"):
            self.at = (self.at + (1 if event.key == "down" else -1)) % count
            self.redraw()
        elif event.key in ("left", "right"):
            self.turn(1 if event.key == "right" else -1)
        elif event.key == "enter":
            self.chosen()
        elif event.character and event.character in "123456789" and int(event.character) <= count:
            self.at = int(event.character) - 1
            self.redraw()


class Menu(ListDialog):
    """Entries by number, each with the words for its code; its result is the code."""

    def __init__(self, entries: Sequence[str]) -> None:
        super().__init__()
        self.entries = entries

    def labels(self) -> Sequence[str]:
        return [f"{number} {say(entry)}" for number, entry in enumerate(self.entries, start=1)]

    def chosen(self) -> None:
        self.dismiss(self.entries[self.at])


class SettingsDialog(ListDialog):
    """Every setting with its value; `change` is told of each new one at once."""

    title_code = "menu_settings"

    def __init__(self, settings: Settings, change: Callable[[Settings], None]) -> None:
        super().__init__()
        self._settings = settings
        self._change = change

    def labels(self) -> Sequence[str]:
        values = {name: getattr(self._settings, name) for name in EDITABLE_SETTINGS}
        return [f"{say(f'setting_{name}'):<26} < {self._shown(name, value)} >" for name, value in values.items()]

    def _shown(self, name: str, value: object) -> str:
        if name == "tutor_loss":
            return say("setting_percentage", value=f"{value:g}")
        return say(f"setting_{name}_{value}")

    def below(self) -> str:
        return say("settings_help")

    def chosen(self) -> None:
        self.turn(1)

    def turn(self, by: int) -> None:
        name = list(EDITABLE_SETTINGS)[self.at]
        values = EDITABLE_SETTINGS[name]
        now = getattr(self._settings, name)
        at = values.index(now) if now in values else 0
        changed: dict[str, object] = {name: values[(at + by) % len(values)]}
        self._settings = replace(self._settings, **changed)  # type: ignore[arg-type]
        self._change(self._settings)
        self.redraw()
