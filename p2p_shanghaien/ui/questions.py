"""Questions about the table that may be typed in plain mode at any time, and their answers in full sentences.

Every game has those of `SHARED`; a game's own are declared by its table (`ui.view.Table.questions`).
"""

from collections.abc import Iterable, Sequence
from typing import Final

from p2p_shanghaien.games.api import Terminal, deciders
from p2p_shanghaien.text import nearest
from p2p_shanghaien.ui.presenter import Presenter, ShownGame
from p2p_shanghaien.ui.view import Choice, Question, outcome
from p2p_shanghaien.ui.words import is_typed, say, typed

__all__ = ["LAST", "MOVES", "SCORE", "SHARED", "TABLE", "Questions", "meant"]

TABLE: Final = "question_table"
SCORE: Final = "question_score"
LAST: Final = "question_last"
MOVES: Final = "question_moves"
SHARED: Final = (*map(Question, (SCORE, LAST, MOVES, TABLE)),)
"""The questions of every game. What answers `LAST`, `MOVES` and `TABLE` is up to whoever shows the game."""


class Questions:
    """The questions about the game of `presenter`, if one has begun."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    def all(self) -> Sequence[Question]:
        """Return every question that there is now, the game's own first."""
        game = self._presenter.seated
        return (*game.table.questions, *SHARED) if game else ()

    def words(self) -> tuple[str, ...]:
        """Return the words for them, as they are typed."""
        return tuple(dict.fromkeys(word for question in self.all() for word in typed(question.code)))

    def help(self) -> Sequence[str]:
        """Return a line for each of them, and what they are for before these."""
        lines = [f"  {say(f'{question.code}_help')}" for question in self.all()]
        return [say("questions_intro"), *lines] if lines else []

    def find(self, text: str) -> tuple[Question, str] | None:
        """Return the question that `text` asks, and what it is about."""
        first, _, about = text.partition(" ")
        found = next((each for each in self.all() if is_typed(first, each.code)), None)
        return (found, " ".join(about.split())) if found else None

    def answer(self, question: Question, about: str) -> Sequence[str]:
        """Return the answer to a question of the game's own, or what the score is."""
        game = self._presenter.game
        return list(question.answer(game.state, about, game.viewpoint)) if question.answer else score(game)

    def moves(self) -> Sequence[tuple[int, Sequence[Choice]]]:
        """Return each player who decides, with what they may do, in words: for an observer."""
        state = self._presenter.game.state
        return [(player, self._presenter.choices(state, player)) for player in deciders(state.node)]


def score(game: ShownGame) -> Sequence[str]:
    """Return what both would have if the game ended now, or the outcome; without points, what the picture says."""
    state, seats = game.state, game.viewpoint
    if isinstance(state.node, Terminal):
        return [str(outcome(state.node, seats))]
    if points := game.table.points(state):
        near, far = points[seats.near], points[seats.far]
        return [str(seats.news("score_now", seats.near, near=near, far=far, other=seats.labels[seats.far]))]
    panel = game.table.picture(state, seats).panels[-1]
    return [part.words for part in panel.parts if part.words]


def meant(text: str, known: Iterable[str]) -> str | None:
    """Return `text` with its first word replaced by the one of `known` that it may be a misspelling of, if any is."""
    first, _, rest = text.partition(" ")
    near = nearest(first, known) if len(first) > 1 and first.isalpha() else None
    return f"{near} {rest.strip()}".strip() if near else None
