"""The full screen of a game on record: forward, back, by itself, and as it grows where it is being played."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.timer import Timer

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.errors import LocalError, ShanghaienError, UsageError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import State
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.annotations import Annotations, Annotator
from p2p_shanghaien.ui.full.app import Keys, TableApp
from p2p_shanghaien.ui.full.base import OVERVIEW
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.cursor import Cursor, Recorded
from p2p_shanghaien.ui.full.dialogs import InputDialog, Menu
from p2p_shanghaien.ui.full.drawing import clickable
from p2p_shanghaien.ui.full.ending import ending
from p2p_shanghaien.ui.full.progress import progress
from p2p_shanghaien.ui.presenter import Sentence, Tone
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.snapshots import END, Way, decisions, target, until
from p2p_shanghaien.ui.verdicts import game_verdict
from p2p_shanghaien.ui.words import Later, describe, later, say

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
"""Seconds that a step stays while the game plays by itself, slower ones first."""
USUAL: Final = 2
"""Which of them it begins with."""

BESIDE_ANALYSIS: Final = 81
"""Cells that the analysis needs beside the table, with a free one at its left."""
REVIEWED: Final = (160, 40)
"""Cells and lines of the window from which on it stands there."""
LOG_UNDER: Final = 10
"""Lines that the analysis leaves for the log below it."""
ABOUT_STEP: Final = 9
"""Lines kept for the step, so that the log stays where it is at most places."""

MAX_PLACE: Final = 20
"""Characters of a place that can be typed."""

WAYS: Final = {
    "way_back": "left b backspace",
    "way_next": "right n enter",
    "way_last_stage": "up p shift+left",
    "way_next_stage": "down r shift+right",
    "way_start": "home s",
    "way_end": "end e",
    "way_play": "a space",
    "way_slower": "-",
    "way_faster": "+",
    "way_mistake": "x",
    "way_last_mistake": "X",
}
PRESSED: Final = {key: way for way, keys in WAYS.items() for key in keys.split()}
"""The command of each key, by Textual's name for the key or the character that it types."""

MENU: Final = {"menu_settings": "settings", "menu_rules": "rules"}
"""The menu's entries, and what each opens."""


class ReplayApp(TableApp):
    """Walks through a game.

    `growth` gives what its log has come to prove, as long as it is being played, or that of the next game; and
    `is_connected` says whether there is a connection to where it is played. What goes wrong ends it, and is `failure`.
    `annotator` is whom to ask about decisions; None where nobody may be asked.
    """

    KEYS: ClassVar = {
        "g": "key_go",
        "h": "key_hint",
        "w": "key_curve",
        "l": "key_log",
        "k": "key_scores",
        "o": "key_overview",
        "v": "key_fair",
        "m": "key_menu",
        "?": "key_help",
        "q": "key_leave",
    }
    SMALL: ClassVar = "replay_too_small"
    UNDER: ClassVar = 3

    def __init__(  # noqa: PLR0913 - each has its default
        self,
        game: Recorded,
        settings: Settings,
        keep: Callable[[Settings], None],
        growth: AsyncIterator[Report] | None = None,
        annotator: Annotator | None = None,
        *,
        is_connected: Callable[[], bool] = lambda: True,
        ascii_only: bool | None = None,
    ) -> None:
        super().__init__(settings, keep, ascii_only=ascii_only)
        self._is_connected = is_connected
        self.cursor = Cursor(game, self.presenter, live=growth is not None)
        self.failure: ShanghaienError | None = None
        self.speed = USUAL
        self._growth = growth
        self._annotator = annotator
        self._annotations: Annotations | None = None
        """The analysis, once it has been asked for."""
        self._analysing: asyncio.Event | None = None
        """Set once the analysis that was begun has come to its end."""
        self._unanalysed: LocalError | None = None
        """The reason why there is no analysis."""
        self._timer: Timer | None = None
        self._lay()

    def go(self, at: int) -> None:
        """Show the place `at`."""
        self.cursor.at = at
        self._lay()
        self.redraw()

    def begin(self, analysis: Analysis | None, steps: int) -> None:
        """Begin at the last place at which no more than so many steps have been taken, with an analysis, if given."""
        self._annotations = Annotations(analysis, self.cursor) if analysis else None
        self.cursor.at = self.cursor.shown_after(steps)
        self._lay()

    def _lay(self) -> None:
        """Have what has happened up to the place shown told."""
        self.notice = None
        self.story.clear()
        self.story.add(*self.cursor.lay(), *(Sentence(remark, Tone.REMARK) for remark in self._remarks()))

    def _remarks(self) -> Sequence[str]:
        """The sentences on the decision that is taken next."""
        return self._annotations.remarks(self.cursor.at) if self._annotations else ()

    # As time goes by.

    def on_mount(self) -> None:
        if self._growth:
            self.run_worker(self._grow(self._growth), exit_on_error=True)

    async def _grow(self, growth: AsyncIterator[Report]) -> None:
        """Show what is added to the game, to whoever has seen all that there was."""
        try:
            async for report in growth:
                self._follow(Recorded(report.record(), report), live=True)
        except ShanghaienError as error:
            self.failure = error
        self._follow(Recorded(self.cursor.record, self.cursor.report), live=False)

    def _follow(self, game: Recorded, *, live: bool) -> None:
        cursor = self.cursor
        waits = cursor.at == cursor.last or not cursor.is_of(game)
        cursor.take(game)
        cursor.live = live
        self.go(cursor.last if waits else cursor.at)

    @property
    def is_playing(self) -> bool:
        """Return whether the game plays by itself."""
        return self._timer is not None

    def play(self, *, on: bool) -> None:
        """Go on by itself from now on, or no longer."""
        if self._timer:
            self._timer.stop()
        self._timer = self.set_interval(SPEEDS[self.speed], self._tick) if on else None
        self.show("progress", "keys")

    def _tick(self) -> None:
        # something is being read, or the screen is being taken down
        if len(self.screen_stack) != 1 or not self.screen.query("#log"):
            return
        if self.cursor.at < self.cursor.last:
            self.go(self.cursor.at + 1)
        if self._is_done:
            self.play(on=False)

    @property
    def _is_done(self) -> bool:
        """Return whether the place shown is the last."""
        return self.cursor.at == self.cursor.last and not self.cursor.live

    # What the person asks for.

    async def pressed(self, event: events.Key) -> None:
        character = event.character or ""
        if code := PRESSED.get(event.key) or PRESSED.get(character) or self.KEYS.get(character):
            event.stop()
            self.command(code)
        elif character.isdecimal():
            self._ask_place(character)

    def on_canvas_widget_hit(self, message: CanvasWidget.Hit) -> None:
        message.stop()
        means, *_ = message.means
        if not means.isdecimal():
            self.command(means)
            return
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.play(on=False)
        self.go(int(means))

    def command(self, code: str) -> None:
        """Do what the key of `code` asks for."""
        self.notice = None
        match code:
            case "way_play":
                if self._is_done:
                    self.go(0)
                self.play(on=not self.is_playing)
            case "way_slower" | "way_faster":
                self.speed = min(max(self.speed + (1 if code == "way_faster" else -1), 0), len(SPEEDS) - 1)
                self.play(on=self.is_playing)
            case "key_go":
                self._ask_place("")
            case "key_hint":
                self._ask_annotator(self._hint)
            case "key_curve" | "way_mistake" | "way_last_mistake":
                self._ask_annotator(lambda annotator: self._annotate(annotator, code))
            case "key_menu":
                self.push_screen(Menu(list(MENU)), self._open)
            case "key_leave":
                self.exit()
            case "key_scores" if self.cursor.game.is_over and self._annotator and not self.cursor.live:
                self.read_part(code)
                self._ask_annotator(lambda annotator: self._annotate(annotator, code))
            case _ if not self.read_part(code):
                self._move(Way(code.removeprefix("way_")))

    def _open(self, entry: str | None) -> None:
        if entry:
            self.read_part(MENU[entry])

    def _move(self, way: Way) -> None:
        self.play(on=False)
        cursor = self.cursor
        to = target(way, cursor.snapshots, cursor.at, cursor.last)
        if to != cursor.at:
            self.go(to)
            return
        waits = cursor.live and way in (Way.NEXT, Way.NEXT_STAGE, Way.END)
        self.set_notice("replay_waiting" if waits else "step_no_further")

    def _ask_place(self, begun: str, error: UsageError | None = None) -> None:
        def prompt() -> str:
            place = say("ask_place", places=say(self.cursor.game.own("places")))
            return f"{describe(error)}\n{place}" if error else place

        dialog = InputDialog(Later(prompt), MAX_PLACE, enter="ask_place_enter", begun=begun)
        self.push_screen(dialog, self._go_to)

    def _go_to(self, text: str | None) -> None:
        """Go to the place that was typed; where there is none, say so and ask again."""
        if not text:
            return
        try:
            to = (
                self.cursor.last
                if text == END
                else max(len(until(self.cursor.snapshots, text, self.cursor.game.name)) - 1, 0)
            )
        except UsageError as error:
            self._ask_place(text, error)
            return
        self.play(on=False)
        self.go(to)

    def _ask_annotator(self, asked: Callable[[Annotator], Coroutine[Any, Any, None]]) -> None:
        """Have it found out, while the screen goes on; what was asked before is not waited for any more."""
        self.play(on=False)
        if self._annotator is None:
            self.read_text("panel_hints", later(self.presenter.why_no_hints))
        else:
            self.run_worker(asked(self._annotator), group="annotator", exclusive=True)

    async def _hint(self, annotator: Annotator) -> None:
        """Show what may be done at this place, and what was."""
        cursor, at = self.cursor, self.cursor.at
        if asked := decisions(cursor.record, cursor.steps, cursor.state):
            self.set_notice("hint_awaited")
            await self.show_hints(
                self.presenter.advised(annotator.advise, cursor.state, asked), lambda: cursor.at == at
            )
        else:
            self.set_notice("hint_nobody")

    async def _annotate(self, annotator: Annotator, code: str) -> None:
        """Show the curve, or go to a mistake; the first time, the game is analysed before."""
        if self.cursor.live:
            self.set_notice("critique_later")
            return
        if self._annotations is None:
            self.set_notice("critique_awaited")
            await self._begin_analysis(annotator).wait()
            self.set_notice(None)
        annotations = self._annotations
        if annotations is None:
            self.read_text("panel_curve", Later(self._why_unanalysed))
            return
        if code == "key_scores":
            self.redraw()
        elif code == "key_curve":
            self.read("panel_curve", lambda width: annotations.curve(self.canvas(width)))
        else:
            self._go_to_mistake(annotations, code)

    def _go_to_mistake(self, annotations: Annotations, code: str) -> None:
        to = annotations.mistake(before=code == "way_last_mistake")
        if to is None:
            self.set_notice("no_mistake_there")
        else:
            self.go(to)

    def _begin_analysis(self, annotator: Annotator) -> asyncio.Event:
        """Have the game analysed, unless it is being analysed already; return what is set once that has ended."""
        if self._analysing is None or self._analysing.is_set():
            self._analysing = asyncio.Event()
            self.run_worker(self._analyse(annotator, self._analysing), group="analysis")
        return self._analysing

    async def _analyse(self, annotator: Annotator, done: asyncio.Event) -> None:
        try:
            self._annotations = Annotations(await annotator.analyse(self.cursor.record), self.cursor)
        except LocalError as error:
            self._unanalysed = error
        done.set()
        self.go(self.cursor.at)

    def _why_unanalysed(self) -> str:
        return describe(self._unanalysed) if self._unanalysed else say("critique_awaited")

    def put_into_words(self) -> None:
        super().put_into_words()
        self.cursor.put_into_words()
        if self._annotations:
            self._annotations.put_into_words()
        self._lay()

    # What is drawn.

    def above(self) -> ComposeResult:
        yield CanvasWidget(self._verdict, id="verdict")

    def below(self) -> ComposeResult:
        yield CanvasWidget(self._progress, id="progress")

    def beside(self) -> ComposeResult:
        yield CanvasWidget(self._analysis, id="analysis")

    @property
    def is_reviewed(self) -> bool:
        """Return whether the analysis stands beside the table."""
        width, height = REVIEWED
        is_known = self._annotator is not None and not self.cursor.live
        return is_known and self.size.width >= width and self.size.height >= height

    @property
    def has_scores_beside(self) -> bool:
        return super().has_scores_beside and not self.is_reviewed

    def cells_beside(self) -> int:
        return BESIDE_ANALYSIS if self.is_reviewed else super().cells_beside()

    def redraw(self) -> None:
        super().redraw()
        if self.is_reviewed and self._annotator and not self._annotations and not self._unanalysed:
            self._begin_analysis(self._annotator)

    def _analysis(self, width: int) -> Sequence[Text]:
        """Return the course of the win probability, the sums if there is room, and what is to be said of the step."""
        if not self.is_reviewed:
            return ()
        canvas = self.canvas(width)
        if self._annotations is None:
            return [*canvas.lines(self._why_unanalysed(), canvas.text_styles.quiet), Text()]
        annotations = self._annotations
        sums, step = annotations.sums(canvas), annotations.step(canvas)
        lines = [*annotations.curve(canvas), Text()]
        room = self.size.height - self.lines_around() - LOG_UNDER
        if len(lines) + len(sums) + ABOUT_STEP + 2 <= room:
            lines += [*sums, Text()]
        return [*lines, *step, *[Text()] * (ABOUT_STEP - len(step)), Text()]

    def lines_around(self) -> int:
        # one cell is free at each end of it
        return super().lines_around() + self.lines_of("verdict", self.size.width - 2)

    def heading(self, state: State | None = None) -> str:
        # where a stage has just ended it is that which is shown
        return super().heading(state or (self.cursor.came_out.before if self.cursor.came_out else None))

    def corner(self) -> Text:
        if not self.cursor.live:
            return Text(self.charset.say("replay_mark"), self.text_styles.quiet)
        if not self._is_connected():
            mark = "!" if self.charset.ascii_only else "○"
            return Text(f"{mark} {self.charset.say('link_away')}", self.text_styles.picked)
        return Text(
            f"{'*' if self.charset.ascii_only else '●'} {self.charset.say('replay_live')}", self.text_styles.good
        )

    def _verdict(self, width: int) -> Sequence[Text]:
        report = self.cursor.report
        verdict = describe(self.failure) if self.failure else game_verdict(self.cursor.record, report)
        text = say("replay_verdict", verdict=verdict)
        if self.failure:
            style = self.text_styles.bad
        elif report is None:
            style = self.text_styles.quiet
        else:
            style = {Verdict.COMPLETE: self.text_styles.good, Verdict.VIOLATION: self.text_styles.bad}.get(
                report.verdict, self.text_styles.strong
            )
        return self.canvas(width).lines(text, style)

    def board(self, width: int) -> Sequence[Text]:
        """Return the table; how a stage came out where one has just ended."""
        table = super().board(width)
        stage = self.cursor.came_out
        lines = self.overview(self.cursor.game, stage, min(width, OVERVIEW)) if stage else ()
        margin = " " if all(line.cell_len < width for line in lines) else ""
        shown = [Text(margin).append_text(line) for line in lines]
        return [*shown, *[Text()] * (len(table) - len(shown))] if shown else table

    def status(self, width: int) -> Sequence[Text]:
        (line,) = super().status(width)
        if self.cursor.is_broken and not self.notice:
            line.style = self.text_styles.bad
        return [line]

    def log_lines(self, width: int) -> Sequence[Text]:
        """Return the events so far; a click on a sentence goes back to its place."""
        story, canvas = self.story, self.canvas(width)
        # a remark on the decision that is taken next leads to it
        first = self.cursor.at + 1 + len(self._remarks()) - len(story)
        return [
            clickable(line, str(min(number, self.cursor.last)), width=width)
            for number, told in enumerate(story, start=first)
            for line in story.folded(told, canvas)
        ]

    def final_scores(self, width: int) -> Sequence[Text]:
        """Return how the game ended; a click on a turning point leads to its place."""
        review: Review | str | None = None
        if self._annotations:
            review = self._annotations.review
        elif self._annotator and not self.cursor.live:
            review = say("turning_awaited")
        lines = ending(self.presenter, review, self.canvas(width), leads_to=self.cursor.shown_after)
        return [*lines, Text(), Text(str(self.presenter.ending or ""), "bold")]

    def fair(self, width: int) -> Sequence[Text]:
        return super().fair(width) if self.cursor.report else ()

    def _progress(self, width: int) -> Sequence[Text]:
        going, resting = ">=" if self.charset.ascii_only else "▶‖"
        pace = self.charset.say("replay_speed", seconds=f"{SPEEDS[self.speed]:g}")
        pace = f"{going if self.is_playing else resting} {pace}"
        return [progress(self.cursor, pace, self.canvas(width))]

    def help(self) -> str:
        back, on, places = (say(self.cursor.game.own(code)) for code in ("stage_back", "stage_next", "places"))
        return say("replay_help", back=back, next=on, places=places)

    def key_hints(self) -> Sequence[Keys]:
        stage = say(self.cursor.game.own("stage"))
        back, on, up, down = "bnpr" if self.charset.ascii_only else "←→↑↓"
        mistakes = [Keys(say("keys_mistake"), [("x", "way_mistake"), ("X", "way_last_mistake")])]
        return [
            Keys(say("keys_step"), [(back, "way_back"), (on, "way_next")]),
            Keys(stage[:1].upper() + stage[1:], [(up, "way_last_stage"), (down, "way_next_stage")]),
            Keys(say("way_start"), [("s", "way_start")]),
            Keys(say("way_end"), [("e", "way_end")]),
            Keys(say("way_pause" if self.is_playing else "way_play"), [("a", "way_play")]),
            Keys(say("keys_speed"), [("-", "way_slower"), ("+", "way_faster")]),
            *(mistakes if self._annotator else []),
            *super().key_hints(),
        ]

    def is_available(self, code: str) -> bool:
        match code:
            case "key_fair":
                return self.cursor.report is not None
            case "key_hint" | "key_curve":
                return self._annotator is not None
        return super().is_available(code)
