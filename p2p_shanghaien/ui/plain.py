"""Plain mode: what one person sees and types, line after line."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.errors import LocalError, Quit, TakeBack
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Action, Game, State, Step, Terminal, Transition, deciders
from p2p_shanghaien.players import Advise, has_evaluator
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.ui.advice import HINT
from p2p_shanghaien.ui.command_input import (
    QUIT,
    CommandInput,
    Word,
    always,
    asks_help,
    begins_command,
    chosen,
    is_number,
    named,
    spoken,
    words,
)
from p2p_shanghaien.ui.post_game import FinishedGame, PostGame
from p2p_shanghaien.ui.presenter import UNDO, Confirmation, Presenter, Sentence, StepView, Tone
from p2p_shanghaien.ui.questions import LAST, MOVES, TABLE, Questions, meant
from p2p_shanghaien.ui.reading import Reader
from p2p_shanghaien.ui.review.lines import lines
from p2p_shanghaien.ui.review.turning import sections
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.streams import reader
from p2p_shanghaien.ui.turn_call import TurnCall, call_sequence
from p2p_shanghaien.ui.view import Choice, News, outcome, rules_of
from p2p_shanghaien.ui.words import describe, is_typed, say, typed
from p2p_shanghaien.waiting import if_long

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Panel

__all__ = ["PlainTable", "listing"]

ONE_A_LINE: Final = 6
"""So many choices are listed one a line; more of them stand beside each other."""
CELLS: Final = 13
"""A sixth of the screen: choices that stand beside each other begin at a multiple of it."""


REPLAY: Final = "word_replay"
LOOKS: Final = (REPLAY, "word_analyse")
"""The codes of what may be typed to look back on a game."""


class PlainTable:
    """A person's place at the table: at this program's terminal, or else its standard input and output.

    `begun` comes before any position or step is shown; `notify` and `confirm` may be used at any time. While `decide`
    or `confirm` waits, the others may be called: what they show appears above the line being typed. While `command`
    waits, a prompt stands there although nothing is asked. `ascii_only` None leaves it to the encoding of the output;
    `bell` says whether the terminal calls the person when it becomes their turn, as `call` decides. `advise` is where
    hints come from; None: there are none. `post_game` is what looks back on a game that has ended.
    """

    def __init__(  # noqa: PLR0913 - keywords, each with a default
        self,
        screen: Screen | None = None,
        source: Reader | None = None,
        *,
        ascii_only: bool | None = None,
        bell: bool = False,
        advise: Advise | None = None,
        call: TurnCall | None = None,
        post_game: PostGame | None = None,
    ) -> None:
        self.screen = screen or Screen(ascii_only=ascii_only)
        self.reader = source or reader(self.screen)
        self.presenter = Presenter(self.screen.charset)
        self.advise = advise
        self.questions = Questions(self.presenter)
        self.post_game = post_game
        self._talk = CommandInput(self.reader, self.screen.show, self._aside, self._stray)
        self._bell = bell
        self._call = call or TurnCall()
        self._hinting: asyncio.Task[None] | None = None
        self._overview: Sequence[str | Text] = ()
        self._overview_line = 0
        """The last stage's outcome, kept until a decision has been taken in the next, and the line it begins at."""
        self._untold = True
        """True if the table is to be shown before the next decision: news alone does not say how it is."""

    @property
    def is_interactive(self) -> bool:
        return self.reader.is_interactive

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        self._overview = ()
        self._untold = True
        self._talk.stop()
        write(self.screen, self.presenter.begun(game, names, me, state))
        if me is not None and self.is_interactive:
            self.notify("plain_begins")
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

    def taken_back(self, earlier: Sequence[Transition], state: State) -> None:
        self._overview, self._untold = (), True
        write(self.screen, self.presenter.taken_back(earlier, state))

    def stepped(self, before: State, step: Step, after: State) -> None:
        """Show what happened, and the table if that does not say how it is: before a decision, once that is asked."""
        shown = self.tell(before, step, after)
        if shown.stage:
            self._overview = self._came_out(before, step, after)
            self._overview_line = self.screen.lines - self.screen.counted(self._overview)
        self._untold |= shown.shows_table
        asked = deciders(after.node)
        if self._untold and asked and self.presenter.game.viewpoint.me not in asked:
            self.show_position(after)

    def tell(self, before: State, step: Step, after: State) -> StepView:
        """Say what happened, and show how a stage, or the game, that it ended came out; return what was to be shown."""
        shown = self.presenter.stepped(before, step, after)
        for said in shown.told:
            write(self.screen, said)
        self.show_overview(before, step, after)
        if shown.result:
            self._show_ending()
        return shown

    def _show_ending(self) -> None:
        """Show where the scores of the finished game come from, and who won."""
        game = self.presenter.game
        assert isinstance(game.state.node, Terminal)
        ending = game.table.ending(game.state, game.viewpoint)
        scores = self._fitting(ending, lambda: game.table.picture(game.state, game.viewpoint).panels[-1:])
        self.screen.show(*scores, str(outcome(game.state.node, game.viewpoint)))

    def show_overview(self, before: State, step: Step, after: State) -> None:
        """Draw how the stage came out that `step` ended, if it ended one."""
        if lines := self._came_out(before, step, after):
            self.screen.show(*lines)

    def _came_out(self, before: State, step: Step, after: State) -> Sequence[str | Text]:
        game = self.presenter.game
        lines = game.table.overview(before, step, game.viewpoint)
        return self._fitting(lines, lambda: game.table.picture(after, game.viewpoint, before).panels[:1])

    def _fitting(self, lines: Sequence[Text], panels: "Callable[[], Sequence[Panel]]") -> Sequence[str | Text]:
        """Return `lines`, or what `panels` say in words where the screen is too narrow for those."""
        if all(line.cell_len <= self.screen.width for line in lines):
            return lines
        return [part.words for panel in panels() for part in panel.parts if part.words]

    async def decide(self, state: State, player: int) -> str:
        if not begins_command(self.reader.draft, self._known()):
            self.reader.forget()
        if self.presenter.begin_decision(state) and self._call.is_due():
            self._call_person()
        table, seats = self.presenter.game.table, self.presenter.game.viewpoint
        choices, legal = self.presenter.choices(state, player), state.legal(player)
        summary = table.summary(state, player, seats)
        listed = summary or listing(choices, self.screen.width)
        if self._untold:
            self.show_position(state, listed)
        else:
            self.screen.show(*filter(None, [table.task(state, player, seats)]), *listed)
        only = choices[0] if len(choices) == 1 else None
        numbered = not (summary or any(choice.key for choice in choices))
        asked = say("ask", count=len(choices)) if numbered else say("ask_unnumbered")
        prompt = say("ask_only", action=only.action) if only else asked
        try:
            while True:
                text = await self._talk.answer(prompt, (*legal, *self._known()), legal)
                found = self.questions.find(text)
                if asks_help(text):
                    self._show_help(listed)
                elif action := only.action if only and not text else chosen(text, choices, numbered=numbered):
                    self._overview = ()
                    return action
                elif not text or (found and found[0].code == TABLE and not found[1]):
                    self.show_position(state, listed)
                elif found and found[0].code == MOVES and not found[1]:
                    self.screen.show(*listed)
                elif self.has_hints and is_typed(text, HINT):
                    await self._hint(state, player)
                elif self._practised(text) or self._aside(text):
                    pass
                elif numbered and is_number(text):
                    self.notify("no_such_number", number=text, count=len(choices))
                else:
                    self._refuse(table.refusal(state, player, text), text, legal)
        finally:
            self._call.answered()
            if self._hinting:
                self._hinting.cancel()

    @property
    def has_hints(self) -> bool:
        """True if somebody may be asked for hints, and the game that is shown can be evaluated."""
        return self.advise is not None and has_evaluator(self.presenter.game.name)

    def _practised(self, text: str) -> bool:
        """Obey `text` if it has a meaning of its own where a game is practised. Raises TakeBack, Quit."""
        if not self.presenter.is_practice:
            return False
        if is_typed(text, UNDO):
            if self.presenter.decisions:
                raise TakeBack
            self.notify("undo_nothing")
            return True
        command = spoken(text)
        if command == (Word.LEAVE, ""):
            raise Quit
        if command:
            self.notify("practice_alone")
        return command is not None

    def _show_help(self, listed: Sequence[str | Text]) -> None:
        game = self.presenter.game
        helps = ["practice_help" if self.presenter.is_practice else "ask_help"]
        helps += ["hint_help"] if self.has_hints else []
        self.screen.show(*game.table.legend(game.viewpoint), *map(say, helps), *self._talk_help(), *listed)

    def _call_person(self) -> None:
        if self._bell:
            self.screen.ring(call_sequence(self.presenter.game))
        if self.is_interactive:
            self._call.run(self.presenter.game, self.notify)

    def _known(self) -> tuple[str, ...]:
        """Return every word that may be typed now besides an action."""
        hint = typed(HINT) if self.has_hints else ()
        undo = typed(UNDO) if self.presenter.is_practice else ()
        talk = words() if self._talk.is_on else ()
        return (*always(), *typed("ask_rules"), *hint, *undo, *talk, *self.questions.words())

    def _refuse(self, refusal: News | str, text: str, legal: Sequence[str] = ()) -> None:
        """Show why `text` means nothing here, and the word that it may be a misspelling of."""
        why = str(refusal)
        if not isinstance(refusal, News) or refusal.code == "not_a_choice":
            near = meant(text, (*legal, *self._known()))
            why = say("did_you_mean", reason=why, name=near) if near else why
        self.screen.show(why)

    def _stray(self, text: str) -> None:
        self._refuse(say("wait_for_turn"), text)

    async def _hint(self, state: State, player: int) -> None:
        """Have hints shown while the question stays open; where nobody sees it, before it is asked again."""
        if self._hinting is None or self._hinting.done():
            self._hinting = asyncio.create_task(self.show_hints(state, [(player, None)]))
        if not self.reader.is_interactive:
            await self._hinting

    async def show_hints(self, state: State, asked: Sequence[tuple[int, Action | None]]) -> None:
        """Show what each choice is worth to the players who decide in `state`, and what they did. May be cancelled."""
        if self.advise is None:
            self.notify(self.presenter.why_no_hints)
            return
        with if_long(lambda: self.notify("hint_awaited")):
            found = await self.presenter.advised(self.advise, state, asked)
        for advice in found:
            self.screen.show(*advice.told())

    async def command(self) -> Command:
        prompt = say("ask_waiting", name=self.presenter.game.other) if self.reader.is_interactive else ""
        hint = typed(HINT) if self.has_hints else ()
        return await self._talk.command(
            prompt, (*words(), *always(), *typed("ask_rules"), *hint, *self.questions.words())
        )

    def _aside(self, text: str) -> bool:
        """Show what `text` asks for, if it may be asked at any time."""
        if asks_help(text):
            self.screen.show(*self._talk_help())
        elif is_typed(text, "ask_rules"):
            self.screen.show(rules_of(self.presenter.game.name))
        elif is_typed(text, HINT):
            self.notify("hint_not_yet" if self.has_hints else self.presenter.why_no_hints)
        elif is_typed(text, UNDO):
            self.notify("undo_not_yet" if self.presenter.is_practice else "undo_refused")
        else:
            return self.answer(text)
        return True

    def answer(self, text: str, last: Sequence[str] | None = None) -> bool:
        """Answer `text` and return True, if it is a question about the table.

        `last` is what happened last; None: what was told here.
        """
        found = self.questions.find(text)
        if not found:
            return False
        question, about = found
        if about and not question.takes:
            self.notify("word_alone", word=text.split(maxsplit=1)[0])
        elif question.code == TABLE:
            self._show_table()
        elif question.code == LAST:
            told = [*map(str, self.presenter.last)] if last is None else last
            self.screen.show(*told or [say("nothing_yet")])
        elif question.code == MOVES:
            self._show_moves()
        else:
            self.screen.show(*self.questions.answer(question, about))
        return True

    def _show_table(self) -> None:
        """Draw the table, or how the game came out if it is over."""
        game = self.presenter.game
        if game.is_over:
            self._show_ending()
        else:
            self.show_position(game.state)

    def _show_moves(self) -> None:
        """Show what may be done by whoever decides, where nobody is asked here."""
        seats = self.presenter.game.viewpoint
        moves = self.questions.moves() if seats.me is None else ()
        for player, choices in moves:
            self.notify("moves_of", who=seats.labels[player])
            self.screen.show(*listing(choices, self.screen.width))
        if not moves:
            self.notify("hint_nobody" if seats.me is None else "moves_none")

    def _talk_help(self) -> Sequence[str]:
        talk = [say("talk_help", name=self.presenter.game.other)] if self._talk.is_on else []
        return [*self.questions.help(), *talk]

    async def confirm(self, code: str, /, **details: object) -> bool:
        return await self._confirm(Confirmation.of(code, **details))

    async def _confirm(
        self, asked: Confirmation, others: Sequence[str] = (), other: Callable[[str], Awaitable[bool]] | None = None
    ) -> bool:
        """Ask until the answer is yes or no; `other` takes what else may be typed, such as the words `others`."""
        self._talk.stop()
        self.reader.forget()
        write(self.screen, asked.question)
        while True:
            text = await self._talk.answer(asked.prompt, (*asked.words, *others, *always()))
            if (meant := asked.answer(text)) is not None:
                return meant
            if asks_help(text):
                self.screen.show(str(asked.question), say("yes_or_no"))
            elif asked.is_undo(text):
                raise TakeBack
            elif text and not (other and await other(text)) and not self.answer(text):
                self.notify("neither_yes_nor_no", text=text)

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        for said in self.presenter.criticism(mistake):
            write(self.screen, said)
        if takes_back:
            return await self.confirm("tutor_take_back")
        self.notify("tutor_signed")
        return False

    async def rematch(self) -> bool:
        asked = Confirmation.of("play_again", result=self.presenter.ending)
        if self.post_game is None:
            return await self._confirm(asked)
        finished = asyncio.create_task(self.post_game.game())
        showing = asyncio.create_task(self._show_turning_points(finished))
        try:
            if not self.reader.is_interactive:
                await showing
            look_back = partial(self._look_back, self.post_game, finished)
            return await self._confirm(asked, [word for code in LOOKS for word in typed(code)], look_back)
        finally:
            for task in (showing, finished):
                task.cancel()
            await asyncio.gather(showing, finished, return_exceptions=True)

    async def _show_turning_points(self, finished: "asyncio.Task[FinishedGame]") -> None:
        """Say what turned the game, once that has been computed, and how to look back on it."""
        try:
            with if_long(lambda: self.notify("turning_awaited")):
                game = await asyncio.shield(finished)
            if review := game.review(self.presenter.game.viewpoint):
                for section in sections(review):
                    self.screen.show(section.heading, *(point.sentence for point in section.points))
        except LocalError as error:
            self.screen.show(describe(error))
        else:
            self.notify("end_commands" if game.analysis else "end_commands_replay", name=game.name)

    async def _look_back(self, post_game: PostGame, finished: "asyncio.Task[FinishedGame]", text: str) -> bool:
        """Show the replay or the analysis if `text` asks for it; return whether it does."""
        code = named(text, LOOKS)
        if code is None:
            return False
        try:
            game = await asyncio.shield(finished)
        except LocalError as error:
            self.screen.show(describe(error))
            return True
        if code == REPLAY:
            advise = post_game.advise(game.record.game.NAME) if game.analysis else None
            await post_game.step_through(game.record, PlainTable(self.screen, self.reader, advise=advise))
        elif review := game.review(self.presenter.game.viewpoint):
            self.screen.show(*lines(review, width=self.screen.width))
        else:
            self.notify("no_analysis", game=game.record.game.NAME)
        return True

    async def ask(self, code: str, /, completions: Sequence[str] = (), **details: object) -> str:
        self.reader.forget()
        while asks_help(text := await self.reader.read(say(code, **details), (*completions, *always()))):
            self.notify("line_help")
        if is_typed(text, QUIT):
            raise Quit
        return text

    async def run_session(self, session: Coroutine[Any, Any, int]) -> int:
        return await session

    def show_position(self, state: State, below: Sequence[str] = ()) -> None:
        """Draw the table, with `below` under it, and the last stage's outcome above it if that has scrolled away.

        Nothing is drawn of a game that is over: its result has been shown.
        """
        if isinstance(state.node, Terminal):
            return
        game = self.presenter.game
        self._untold = False
        drawn = game.table.position(state, game.viewpoint)
        table = self._fitting(drawn, lambda: game.table.picture(state, game.viewpoint).panels)
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
