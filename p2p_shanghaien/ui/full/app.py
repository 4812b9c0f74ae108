"""The full screen: the table, what happened beside it or below it, what both hold where there is room, the keys."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical

from p2p_shanghaien.games.api import Action, Simultaneous, State, Transition
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.advice import Advice
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, InputDialog, ScrollPanel, SettingsDialog, TextDialog
from p2p_shanghaien.ui.full.drawing import ActionMenu, clickable, narrowed
from p2p_shanghaien.ui.full.ending import EndSheet
from p2p_shanghaien.ui.full.fair import fair_lines
from p2p_shanghaien.ui.full.hints import hint_lines
from p2p_shanghaien.ui.full.story import Story
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.presenter import Presenter, ShownGame
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.streams import FULL_SCREEN
from p2p_shanghaien.ui.view import rules_of
from p2p_shanghaien.ui.words import Later, game_name, has_words, say

WIDTH, HEIGHT = FULL_SCREEN
WIDE: Final = 120
"""Cells from which on the log stands beside the table."""
BESIDE: Final = 41
"""Cells that it has there at least."""
MOST_BESIDE: Final = 121
"""Cells that it has at the most: longer lines are hard to read."""
AROUND: Final = 10
"""Lines kept for everything but the table."""
LOWEST: Final = 14
"""Lines that a table has at least, whatever else stands there."""
SHORT_LOG: Final = 6
"""Lines of the log that what both hold, or the scores, leave free."""

READ: Final = frozenset({"key_help", "key_scores", "key_log", "key_overview", "key_fair"})
"""Keys that lay something to read over the table, also while a question is open."""


class Keys(NamedTuple):
    """Keys at the bottom of the screen: what stands behind them, and each with what it asks for."""

    label: str
    keys: Sequence[tuple[str, str]]


class LogPanel(ScrollPanel):
    """The log beside the table or below it, scrolled to its end whenever its room or its content has changed."""

    def to_end(self) -> None:
        """Scroll to what was added last."""
        self.scroll_end(animate=False)

    def on_resize(self) -> None:
        self.to_end()

    def watch_virtual_size(self) -> None:
        # that of its content; it is laid out when there is time, which may be long after it was asked for
        self.to_end()


class TableApp(FullScreen[None]):
    """Draws what a presenter has. What a game that is played and one that is on record have around it is theirs to add.

    `keep` is given settings that the person changed.
    """

    KEYS: ClassVar[Mapping[str, str]]
    """Keys at the bottom of the screen, and what each asks for. A game's own must be others."""
    SMALL: ClassVar[str]
    """The code of what is said where the window is too small."""
    UNDER: ClassVar[int]
    """Lines kept below the table in a wide window, the status line the last but one of them."""

    CSS = f"""{FullScreen.CSS}
    Screen {{ layers: base over; }}
    #title, #keys {{ background: $surface; }}
    #table {{ layout: vertical; height: 1fr; }}
    #left {{ height: auto; }}
    #right {{ height: 1fr; }}
    .wide #table {{ layout: horizontal; }}
    .wide #left {{ height: 1fr; }}
    .wide #right {{ width: 1fr; background: $surface; padding: 0 0 0 1; }}
    #under {{ height: auto; }}
    #verdict {{ padding: 0 1; }}
    #board {{ padding: 0; }}
    #menu {{ margin-top: 0; }}
    #log {{ height: 1fr; background: $surface 50%; scrollbar-size: 1 1; }}
    #small {{ display: none; }}
    .small #small {{ display: block; }}
    .small #table, .small #title, .small #keys {{ display: none; }}
    .ascii #log {{ scrollbar-size: 0 0; }}
    """

    def __init__(self, settings: Settings, keep: Callable[[Settings], None], *, ascii_only: bool | None = None) -> None:
        super().__init__(settings, ascii_only=ascii_only)
        self._keep = keep
        self.presenter = Presenter(self.charset)
        self.story = Story()
        self.notice: str | None = None
        """The code of what the last key came to, if that is to be said in the status line."""

    def change(self, settings: Settings) -> None:
        """Take over what was set, say everything in the language that was, and have it kept."""
        if settings.language != self.settings.language:
            choose(settings.language)
        self.apply_settings(settings)
        self.presenter.charset = self.charset
        self.put_into_words()
        self.redraw()
        self._keep(settings)

    def put_into_words(self) -> None:
        """Say everything that is kept in the language and the characters that there are now."""
        self.presenter.put_into_words()
        self.story.put_into_words()

    def compose(self) -> ComposeResult:
        yield CanvasWidget(self._small, id="small")
        yield CanvasWidget(self._title, id="title")
        yield from self.above()
        with Container(id="table"):
            with Vertical(id="left"):
                yield CanvasWidget(self.board, id="board")
                with Vertical(id="under"):
                    yield from self.below()
                    yield CanvasWidget(self.status, id="status")
                yield CanvasWidget(self._holdings, id="holdings")
            with Vertical(id="right"):
                yield CanvasWidget(self._scores_beside, id="scores")
                yield from self.beside()
                with LogPanel(id="log"):
                    yield CanvasWidget(self.log_lines, id="story")
        yield CanvasWidget(self.keys, id="keys")

    def above(self) -> ComposeResult:
        """Yield the widgets between the title and the table."""
        yield from ()

    def lines_above(self) -> int:
        """Return how many lines those take from the table."""
        return 0

    def below(self) -> ComposeResult:
        """Yield the widgets between the table and the status line."""
        yield from ()

    def beside(self) -> ComposeResult:
        """Yield the widgets above the log, where that stands beside the table."""
        yield from ()

    def on_resize(self) -> None:
        # the app has its new size once the library has seen the event as well
        self.call_next(self._fit)

    def _fit(self) -> None:
        """Lay everything out for the size that the window has now."""
        base, (width, height) = self.screen_stack[0], self.size
        base.set_class(self.is_wide, "wide")
        base.set_class(width < WIDTH or height < HEIGHT, "small")
        self.redraw()

    @property
    def is_wide(self) -> bool:
        """Return whether the log stands beside the table."""
        return self.size.width >= WIDE

    def cells_beside(self) -> int:
        """Return the cells wanted beside the table, where the window is wide."""
        return BESIDE

    @property
    def table_cells(self) -> int:
        """The cells of the table across: in a wide window those that it can use, and the rest stands beside it."""
        width, game = self.size.width, self.presenter.seated
        if not self.is_wide:
            return width
        widest = game.board_view.widest if game else WIDTH - 1
        return max(min(max(WIDTH - 1, width - self.cells_beside()), widest), width - MOST_BESIDE)

    def redraw(self) -> None:
        """Draw everything again."""
        base = self.screen_stack[0]
        base.query_one("#left").styles.width = self.table_cells
        # what both hold stays where it is, however much is open
        base.query_one("#under").styles.min_height = self.UNDER if self.is_wide else 0
        # how much room one has may depend on others
        for screen in self.screen_stack:
            for widget in screen.query(CanvasWidget):
                widget.forget()
        self.to_end()

    def show(self, *names: str) -> None:
        """Draw the widgets of these names again."""
        base = self.screen_stack[0]
        for name in (*names, *(["holdings"] if "scores" in names else [])):
            base.query_one(f"#{name}", CanvasWidget).redraw()
        if "story" in names:
            self.to_end()

    def to_end(self) -> None:
        """Scroll the log to what was added last."""
        self.screen_stack[0].query_one(LogPanel).to_end()

    # Keys and clicks.

    async def on_key(self, event: events.Key) -> None:
        if isinstance(self.screen, InputDialog):
            self.screen.on_key(event)  # pressed before the line was there
        if len(self.screen_stack) > 1:
            if isinstance(self.screen, ConfirmDialog | EndSheet) and self.KEYS.get(event.character or "") in READ:
                await self.pressed(event)
            return
        log = self.screen.query_one("#log", ScrollPanel)
        match event.key:
            case "pageup":
                log.scroll_page_up(animate=False)
            case "pagedown":
                log.scroll_page_down(animate=False)
            case _:
                await self.pressed(event)

    async def pressed(self, event: events.Key) -> None:
        """A key that is not for the log."""
        raise NotImplementedError

    def read(self, title: str, draw: Callable[[int], Sequence[Text]]) -> TextDialog:
        """Lay something to read over the table, under the sentence of the code `title`."""
        reading = TextDialog(title, draw)
        self.push_screen(reading)
        return reading

    def read_text(self, title: str, text: str | Later) -> None:
        """Lay a text over the table."""
        self.read(title, lambda width: self.paragraphs([text], width))

    def read_part(self, code: str) -> bool:
        """Lay over the table what the key of `code` asks to read; whether it is something that every table has."""
        game = self.presenter.seated
        match code:
            case "key_help":
                self.read(code, self._help)
            case "key_scores":
                self.read(code, self.final_scores if game and game.is_over else self.scores)
            case "key_log":
                self.read("panel_log", self.log_lines)
            case "key_fair":
                self.read("panel_fair", self.fair)
            case "key_overview":
                if stage := self.presenter.stage:
                    self.read_overview(stage)
                elif game and has_words(game.own("overview")):
                    self.set_notice(game.own("overview_none"))
            case "rules" if game:
                self.read_text("menu_rules", Later(partial(rules_of, game.name)))
            case "settings":
                # what lies below a dialog has its new height only when that is gone
                self.push_screen(SettingsDialog(self.settings, self.change), lambda _: self.to_end())
            case _:
                return False
        return True

    def read_overview(self, stage: Transition) -> TextDialog:
        """Lay over the table how the stage came out that this step ended."""
        game = self.presenter.game
        return self.read(game.own("overview"), lambda width: self.overview(game, stage, width))

    async def show_hints(
        self, asking: Awaitable[Sequence[Advice]], wanted: Callable[[], bool], keys: Mapping[Action, str] | None = None
    ) -> None:
        """Lay the hints over the table that are found out, if they are still wanted and nothing else lies there."""
        found = await asking
        if self.notice == "hint_awaited":
            self.set_notice(None)
        if wanted() and len(self.screen_stack) == 1:
            self.read("panel_hints", lambda width: list(hint_lines(found, self.canvas(width), keys)))

    def set_notice(self, code: str | None) -> None:
        """Say in the status line what a key came to, by the sentence of `code`; None: nothing any more."""
        self.notice = code
        self.show("status")

    # What is drawn.

    def _small(self, _: int) -> Sequence[Text]:
        size = self.size
        text = self.charset.say(self.SMALL, width=WIDTH, height=HEIGHT, across=size.width, down=size.height)
        return [Text(line) for line in folded(text, max(size.width, 1))]

    def _title(self, width: int) -> Sequence[Text]:
        right = self.corner()
        room = max(width - right.cell_len - 1, 0)
        game = self.presenter.seated
        left = f" {self.charset.transliterate(self.heading())}"
        named = f" {self.charset.transliterate(game_name(game.name))} {self.charset.nothing}{left}" if game else left
        # both players know which game it is: its name gives way first
        left = named if cell_len(named) < room else self.charset.cut(left, max(room - 1, 1))
        line = Text(left, self.text_styles.strong)
        line.align("left", room)
        return [line.append_text(right)]

    def heading(self, state: State | None = None) -> str:
        """Return how far the game has come, or how it ended; `state` where that is not the position shown."""
        game, ending = self.presenter.seated, self.presenter.ending
        if game is None:
            return str(ending or say("full_welcome"))
        return str(ending) if ending and not state else game.board_view.heading(state or game.state, game.viewpoint)

    def corner(self) -> Text:
        """Return the text at the right of the title."""
        raise NotImplementedError

    def board(self, width: int) -> Sequence[Text]:
        """Return the table as it lies; the scores where the game has come to its end."""
        game = self.presenter.seated
        if game is None:
            return ()
        if game.is_over:
            return [Text(" ").append_text(line) for line in game.table.ending(game.state, game.viewpoint)]
        ended, state = self.presenter.ending is not None, game.state
        if not ended and isinstance(state.node, Simultaneous):
            state = game.board_view.choosing(state, self.presenter.chosen)
        canvas = self.canvas(width, max(self.size.height - AROUND - self.lines_above(), LOWEST))
        return game.board_view.board(state, game.viewpoint, self.menu(), canvas, ended=ended)

    def menu(self) -> ActionMenu:
        """Return what can be chosen on the table."""
        return ActionMenu()

    def overview(self, game: ShownGame, stage: Transition, width: int) -> Sequence[Text]:
        """Return the outcome of the stage of `game` that this step ended."""
        seats = self.presenter.now(game).viewpoint
        return game.board_view.overview(stage.before, stage.step, seats, self.canvas(width))

    def status(self, width: int) -> Sequence[Text]:
        text = self.charset.cut(f" {self.charset.transliterate(self.message())}", max(width - 1, 1))
        return [Text(f"{text} ", self.text_styles.strong)]

    def message(self) -> str:
        """One line: what the last key came to, or what was done last."""
        return say(self.notice) if self.notice else self.story.last

    def log_lines(self, width: int) -> Sequence[Text]:
        return self.story.lines(self.canvas(width))

    def scores(self, width: int) -> Sequence[Text]:
        """Return the scores of both."""
        game = self.presenter.seated
        return game.board_view.scores(game.state, game.viewpoint, self.canvas(width)) if game else ()

    def lines_of(self, name: str, width: int) -> int:
        """Return the lines of the widget of that name at its `width`."""
        return len(self.screen_stack[0].query_one(f"#{name}", CanvasWidget).drawn(width))

    def lines_around(self) -> int:
        """Return the lines above and below the table and what stands beside it."""
        return sum(self.lines_of(name, self.size.width) for name in ("title", "keys")) + self.lines_above()

    def _holdings(self, width: int) -> Sequence[Text]:
        """Return what both hold, by name, if there is room below the table."""
        game = self.presenter.seated
        if game is None or game.is_over:
            return ()
        room = self.size.height - self.lines_of("board", width) - self.lines_around() - self.UNDER
        canvas = self.canvas(width, room if self.is_wide else room - SHORT_LOG)
        lines = game.board_view.holdings(game.state, game.viewpoint, canvas)
        return lines if len(lines) <= canvas.height else ()

    @property
    def has_scores_beside(self) -> bool:
        """Return whether the scores may stand beside the table; at the end of a game they stand in its place."""
        game = self.presenter.seated
        return self.is_wide and game is not None and not game.is_over

    def _scores_beside(self, width: int) -> Sequence[Text]:
        """Return the scores, where they stand beside the table: if what both hold does not stand below it."""
        if not self.has_scores_beside or self.lines_of("holdings", self.table_cells):
            return ()
        lines = self.scores(width)
        room = self.size.height - self.lines_around() - SHORT_LOG - 1
        return [*lines, Text()] if 0 < len(lines) <= room else ()

    def final_scores(self, width: int) -> Sequence[Text]:
        """Return how the scores of a finished game come about, and the result."""
        game, ending = self.presenter.game, self.presenter.ending
        return [
            *narrowed(game.table.ending(game.state, game.viewpoint), width),
            Text(),
            Text(str(ending or ""), "bold"),
        ]

    def fair(self, width: int) -> Sequence[Text]:
        return list(fair_lines(self.presenter, self.canvas(width)))

    def key_hints(self) -> Sequence[Keys]:
        """The keys at the bottom of the screen."""
        game = self.presenter.seated
        return [
            Keys(say(game.own("overview_key") if game and code == "key_overview" else code), [(key, code)])
            for key, code in self.KEYS.items()
            if self.is_available(code)
        ]

    def is_available(self, code: str) -> bool:
        """Return whether what the key or the menu entry of `code` asks for is there now, so that it is shown."""
        game = self.presenter.seated
        return code != "key_overview" or (game is not None and has_words(game.own("overview_key")))

    def help(self) -> str:
        """Return the paragraph of its help that explains the keys."""
        raise NotImplementedError

    def keys(self, width: int) -> Sequence[Text]:
        lines = [Text()]
        for words, keys in self.key_hints():
            label = self.charset.transliterate(words)
            if lines[-1].cell_len + sum(len(key) + 1 for key, _ in keys) + cell_len(label) + 2 > width:
                lines.append(Text())
            shown = [Text.assemble((f" {key}", self.text_styles.key)) for key, _ in keys]
            shown[-1].append(f" {label} ")
            for text, (_, code) in zip(shown, keys, strict=True):
                lines[-1].append_text(clickable(text, code))
        return lines

    def _help(self, width: int) -> Sequence[Text]:
        game = self.presenter.seated
        keys = [say("full_help_keys", key=" ".join(dict(keys)), what=label) for label, keys in self.key_hints()]
        legend = game.table.legend(game.viewpoint) if game else ()
        return self.paragraphs([self.help(), *keys, say("full_help_scroll"), *legend], width)

    def paragraphs(self, texts: Sequence[str | Later], width: int) -> Sequence[Text]:
        """Return texts to read."""
        canvas = self.canvas(width)
        return [line for text in texts for line in canvas.lines(text)]
