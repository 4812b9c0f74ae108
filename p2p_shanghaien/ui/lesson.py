"""A lesson in plain mode: what it tells stands above the table on which it is then done."""

from collections.abc import Sequence

from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.lesson import Page
from p2p_shanghaien.ui.advice import HINT
from p2p_shanghaien.ui.command_input import always, asks_help
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.words import has_words, is_typed, say, typed

ARROW = "> "
"""Stands before what the learner is asked to do."""


def told(game: str, page: Page) -> Sequence[str]:
    """Return what is told at a note of a game's lesson: the rule, if there is one, and the task, behind an arrow."""
    rule = f"{game}:{page.rule}"
    task = [f"{ARROW}{say(f'{game}:{page.task}')}"] if page.task else []
    return [*([say(rule)] if has_words(rule) else []), *task]


class PlainLesson(PlainTable):
    """The table of a lesson in plain mode (`app.learning.LessonTable`)."""

    _game = ""
    _told: Page | None = None
    """The page told last."""
    _is_mistaken = False

    def teach(self, game: str, page: Page) -> None:
        self._game, self._told = game, page
        self._is_mistaken = False
        self._untold = True
        self._repeat()

    def explain(self, code: str, /) -> None:
        self._is_mistaken = True
        own = f"{self._game}:{code}"
        self.screen.show(say(own if has_words(own) else code))

    async def go_on(self) -> None:
        prompt = say("lesson_ask_back" if self._is_mistaken else "lesson_ask_next")
        while text := await self._talk.answer(prompt, (*always(), *typed("lesson_again"), *typed("ask_rules"))):
            if not self._aside(text):
                self.notify("lesson_only_enter")

    def lay(self, state: State) -> None:
        self.presenter.lay(state)
        self._overview, self._untold = (), True

    def _aside(self, text: str) -> bool:
        if asks_help(text):
            self.screen.show(*self._talk_help())
        elif is_typed(text, HINT) or is_typed(text, "lesson_again"):
            self._repeat()
        else:
            return super()._aside(text)
        return True

    def _talk_help(self) -> Sequence[str]:
        return [say("lesson_help")]

    def _repeat(self) -> None:
        if page := self._told:
            step = say("lesson_step", number=page.number, count=page.total)
            self.screen.show("", f"--- {step} ---", *told(self._game, page))
