"""Plain mode: what one person sees and types, line after line."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Action, Game, State, Step, Terminal
from p2p_shanghaien.players import Advise
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.ui.advice import HINT
from p2p_shanghaien.ui.command_input import HELP, CommandInput, begins_command, chosen, is_number, words
from p2p_shanghaien.ui.presenter import Confirmation, Presenter, Sentence, StepView, Tone
from p2p_shanghaien.ui.reading import Reader
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.streams import reader
from p2p_shanghaien.ui.view import Choice, rules_of
from p2p_shanghaien.ui.words import is_typed, say, typed
from p2p_shanghaien.waiting import if_long

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Panel

__all__ = ["PlainTable", "listing"]

ONE_A_LINE: Final = 6
"""So many choices are listed one a line; more of them stand beside each other."""
CELLS: Final = 13
"""A sixth of the screen: choices that stand beside each other begin at a multiple of it."""


class PlainTable:
    """A person's place at the table: at this program's terminal, or else its standard input and output.

    `begun` comes before any position or step is shown; `notify` and `confirm` may be used at any time. While `decide`
    or `confirm` waits, the others may be called: what they show appears above the line being typed. While `command`
    waits, a prompt stands there although nothing is asked. `ascii_only` None leaves it to the encoding of the output;
    `bell` says whether the terminal's bell calls the person when it becomes their turn. `advise` is where hints come
    from; None: there are none.
    """

    def __init__(
        self,
        screen: Screen | None = None,
        source: Reader | None = None,
        *,
        ascii_only: bool | None = None,
        bell: bool = False,
        advise: Advise | None = None,
    ) -> None:
        self.screen = screen or Screen(ascii_only=ascii_only)
        self.reader = source or reader(self.screen)
        self.presenter = Presenter(self.screen.charset)
        self.advise = advise
        self._talk = CommandInput(self.reader, self.screen.show, self._aside)
        self._bell = bell
        self._hinting: asyncio.Task[None] | None = None
        self._overview: Sequence[str | Text] = ()
        self._overview_line = 0
        """The last stage's outcome, kept until a decision has been taken in the next, and the line it begins at."""
        self._drawn: State | None = None
        """The position that was drawn last."""

    @property
    def attended(self) -> bool:
        return self.reader.interactive

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        self._overview = ()
        self._talk.stop()
        write(self.screen, self.presenter.begun(game, names, me, state))
        if state is not None:
            self.show_position(state)

    def notify(self, code: str, /, **details: object) -> None:
        """Show the sentence of `code`."""
        write(self.screen, self.presenter.notify(code, **details))

    def drew(self, draw: Drew, ours: bool) -> None:
        """Do nothing: a draw can be checked in the log; plain mode shows its outcome."""

    def thinks(self, name: str | None) -> None:
        if name is not None:
            self.notify("thinks", name=name)

    def stepped(self, before: State, step: Step, after: State) -> None:
        """Show what happened, and the new table when somebody else opens a stage."""
        shown = self.tell(before, step, after)
        if shown.stage:
            self._overview = self._came_out(before, step, after)
            self._overview_line = self.screen.lines - self.screen.counted(self._overview)
        # who has just decided has the table before them
        if shown.shows_table and self._drawn != before:
            self.show_position(after)

    def tell(self, before: State, step: Step, after: State) -> StepView:
        """Say what happened, and show how a stage, or the game, that it ended came out; return what was to be shown."""
        shown = self.presenter.stepped(before, step, after)
        for said in shown.told:
            write(self.screen, said)
        self.show_overview(before, step, after)
        if shown.result:
            game = self.presenter.game
            ending = game.table.ending(after, game.seating)
            scores = self._fitting(ending, lambda: game.table.picture(after, game.seating).panels[-1:])
            self.screen.show(*scores, str(shown.result))
        return shown

    def show_overview(self, before: State, step: Step, after: State) -> None:
        """Draw how the stage came out that `step` ended, if it ended one."""
        if lines := self._came_out(before, step, after):
            self.screen.show(*lines)

    def _came_out(self, before: State, step: Step, after: State) -> Sequence[str | Text]:
        game = self.presenter.game
        lines = game.table.overview(before, step, game.seating)
        return self._fitting(lines, lambda: game.table.picture(after, game.seating, before).panels[:1])

    def _fitting(self, lines: Sequence[Text], panels: "Callable[[], Sequence[Panel]]") -> Sequence[str | Text]:
        """Return `lines`, or what `panels` say in words where the screen is too narrow for those."""
        if all(line.cell_len <= self.screen.width for line in lines):
            return lines
        return [part.words for panel in panels() for part in panel.parts if part.words]

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        if not begins_command(self.reader.draft):
            self.reader.forget()
        if self.presenter.asked(state) and self._bell:
            self.screen.ring()
        table, seats = self.presenter.game.table, self.presenter.game.seating
        choices = self.presenter.choices(state, player, legal)
        summary = table.summary(state, player, seats)
        listed = summary or listing(choices, self.screen.width)
        self.show_position(state, listed)
        only = choices[0] if len(choices) == 1 else None
        numbered = not (summary or any(choice.key for choice in choices))
        asked = say("ask", count=len(choices)) if numbered else say("ask_unnumbered")
        prompt = say("ask_only", action=only.action) if only else asked
        hint = typed(HINT) if self.advise else ()
        offers = (*legal, HELP, *typed("ask_rules"), *hint, *(words() if self._talk.is_on else ()))
        try:
            while True:
                text = await self._talk.answer(prompt, offers)
                if text == HELP:
                    helps = ["ask_help", "hint_help"] if self.advise else ["ask_help"]
                    self.screen.show(*table.legend(seats), *map(say, helps), *self._talk_help(), *listed)
                elif self.advise and is_typed(text, HINT):
                    await self._hint(state, player)
                elif self._aside(text):
                    pass
                elif not text and not only:
                    self.show_position(state, listed)
                elif action := only.action if only and not text else chosen(text, choices, numbered=numbered):
                    self._overview = ()
                    return action
                elif numbered and is_number(text):
                    self.notify("no_such_number", number=text, count=len(choices))
                else:
                    self.screen.show(str(table.refusal(state, player, text)))
        finally:
            if self._hinting:
                self._hinting.cancel()

    async def _hint(self, state: State, player: int) -> None:
        """Have hints shown while the question stays open; where nobody sees it, before it is asked again."""
        if self._hinting is None or self._hinting.done():
            self._hinting = asyncio.create_task(self.show_hints(state, [(player, None)]))
        if not self.reader.interactive:
            await self._hinting

    async def show_hints(self, state: State, asked: Sequence[tuple[int, Action | None]]) -> None:
        """Show what each choice is worth to the players who decide in `state`, and what they did. May be cancelled."""
        if self.advise is None:
            self.notify("hints_refused")
            return
        with if_long(lambda: self.notify("hint_awaited")):
            found = await self.presenter.advised(self.advise, state, asked)
        for advice in found:
            self.screen.show(*advice.told())

    async def command(self) -> Command:
        prompt = say("ask_waiting", name=self.presenter.game.other) if self.reader.interactive else ""
        return await self._talk.command(prompt, (*words(), HELP, *typed("ask_rules")))

    def _aside(self, text: str) -> bool:
        """Show what `text` asks for, if it may be asked at any time."""
        if text == HELP:
            self.screen.show(*self._talk_help())
        elif is_typed(text, "ask_rules"):
            self.screen.show(rules_of(self.presenter.game.name))
        elif is_typed(text, HINT):
            self.notify("hint_not_yet" if self.advise else "hints_refused")
        else:
            return False
        return True

    def _talk_help(self) -> Sequence[str]:
        return [say("talk_help", name=self.presenter.game.other)] if self._talk.is_on else []

    async def confirm(self, code: str, /, **details: object) -> bool:
        self._talk.stop()
        self.reader.forget()
        asked = Confirmation.of(code, **details)
        write(self.screen, asked.question)
        while True:
            text = await self._talk.answer(asked.prompt, asked.words)
            if (meant := asked.answer(text)) is not None:
                return meant
            if text:
                self.notify("neither_yes_nor_no", text=text)

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str:
        self.reader.forget()
        return await self.reader.read(say(code, **details), offers)

    async def attend(self, session: Coroutine[Any, Any, int]) -> int:
        return await session

    def show_position(self, state: State, below: Sequence[str] = ()) -> None:
        """Draw the table, with `below` under it, and the last stage's outcome above it if that has scrolled away.

        Nothing is drawn of a game that is over: its result has been shown.
        """
        if isinstance(state.node, Terminal):
            return
        game = self.presenter.game
        self._drawn = state
        drawn = game.table.position(state, game.seating)
        table = self._fitting(drawn, lambda: game.table.picture(state, game.seating).panels)
        lines: list[str | Text] = [*table, *below]
        height = self.screen.height
        if self._overview and height:
            since = self.screen.lines - self._overview_line
            if since + self.screen.counted(lines) + 1 > height:
                self._overview_line = self.screen.lines
                self.screen.show(*self._overview)
        self.screen.show(*lines)


def write(screen: Screen, said: Sentence) -> None:
    """Write a sentence in its tone."""
    {Tone.CHAT: screen.quote, Tone.WARNING: screen.warn}.get(said.tone, screen.show)(str(said))


def listing(choices: Sequence[Choice], width: int = 80) -> Sequence[str]:
    """Return the choices as a numbered list, in lines; many of them beside each other, as many as fit in `width`."""
    entries = [_entry(number, choice) for number, choice in enumerate(choices, start=1)]
    if len(entries) <= ONE_A_LINE:
        return entries
    lines = [entries[0]]
    for entry in entries[1:]:
        begun = (cell_len(lines[-1]) // CELLS + 1) * CELLS
        if begun + cell_len(entry) > min(width // CELLS, 6) * CELLS:
            lines.append(entry)
        else:
            lines[-1] += " " * (begun - cell_len(lines[-1])) + entry
    return lines


def _entry(number: int, choice: Choice) -> str:
    notation = "" if choice.key else f" [{choice.action}]"
    return f"{choice.key or number:>2}. {choice.words}{notation}"
