"""Events of a session in, what every table shows of them out: plain mode prints these values, a full screen draws them.

Nothing here draws, waits, or knows a terminal.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Acted, Action, Chosen, Game, State, Step, Terminal, Transition, has_decided
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Advise, has_evaluator
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.ui.advice import Advice, heading, hints
from p2p_shanghaien.ui.characters import Charset
from p2p_shanghaien.ui.tutoring import told as told_by_tutor
from p2p_shanghaien.ui.view import Choice, Table, Viewpoint, outcome, table_of, told, viewpoint
from p2p_shanghaien.ui.words import Later, describe, is_typed, later, say, typed

if TYPE_CHECKING:
    from p2p_shanghaien.ui.full.drawing import BoardView

DELIBERATE: Final = frozenset({"play_with_doubtful_guest", "take_terms_of_doubtful_host"})
"""Questions that need the whole word as an answer: a key pressed in haste must not be one."""

LINKS: Final = {
    "waiting": "none",
    "waiting_again": "none",
    "against_computer": "here",
    "authentication": "here",
    "interrupted_game": "away",
    "opponent_awaited": "away",
    "reconnected": "here",
    "chains_differ": "here",
    "practice_begins": "practice",
    "full_practice_begins": "practice",
}
"""News about the connection, and the state of the connection after each."""

UNDO: Final = "ask_undo"
"""The code of the command that takes the last decision back."""

TAKING_BACK: Final = frozenset({"practice_again"})
"""Questions at which the last decision can be taken back instead."""

TAKEN_BACK_BY_YES: Final = frozenset({"tutor_take_back"})
"""Questions whose yes takes a decision back, so that the command for it means yes."""

CHOICES: Final = frozenset({"choice_made", "has_chosen"})
"""News that the user, or the peer, has made a secret choice."""

WATCHERS: Final = frozenset({"watchers", "watchers_none"})
"""News of how many watch."""

ENDINGS: Final = {
    "resigned": "title_resigned",
    "abandoned": "abandoned",
    "peer_broke_rules": "title_violation",
    "we_broke_rules": "title_own_violation",
}
"""News that end a game before its rules do, and the title for each."""


class Tone(Enum):
    """The tone of a sentence; each table has its own style for it."""

    NEWS = auto()
    STRONG = auto()
    CHAT = auto()
    """A line of chat, not of the program."""
    REMARK = auto()
    """An annotation of a decision."""
    WARNING = auto()
    """A conspicuous warning."""


TONES: Final = {
    "chat": Tone.CHAT,
    **dict.fromkeys(("playing", "offered", "full_offered"), Tone.STRONG),
    **dict.fromkeys(DELIBERATE, Tone.WARNING),
    "opponent_name_taken": Tone.WARNING,
    "opponent_lookalike": Tone.WARNING,
    "opponent_took_name": Tone.WARNING,
    "opponent_not_looked_up": Tone.WARNING,
    "key_to_check": Tone.WARNING,
    "peer_broke_rules": Tone.WARNING,
    "we_broke_rules": Tone.WARNING,
}
"""The tone of each code that is not mere news."""


class Sentence(NamedTuple):
    """A sentence to the user, in the language in which it is shown."""

    words: str | Later
    tone: Tone = Tone.NEWS

    def __str__(self) -> str:
        return str(self.words)


def sentence(code: str, /, **details: object) -> Sentence:
    """Return the sentence of `code`, in its tone."""
    return Sentence(later(code, **details), TONES.get(code, Tone.NEWS))


@dataclass(frozen=True)
class Confirmation:
    """A yes/no question; one that must not be answered in haste needs the whole word for yes."""

    question: Sentence
    is_deliberate: bool
    takes_back: bool = False
    """True if the last decision can be taken back instead of an answer."""
    undo_is_yes: bool = False

    @classmethod
    def of(cls, code: str, /, **details: object) -> "Confirmation":
        """Return the question of `code`."""
        return cls(sentence(code, **details), code in DELIBERATE, code in TAKING_BACK, code in TAKEN_BACK_BY_YES)

    @property
    def prompt(self) -> str:
        """The possible answers."""
        if self.is_deliberate:
            return say("ask_whole_word", word=say("answer_yes"))
        return say("ask_yes_no_undo") if self.takes_back else say("ask_yes_no")

    @property
    def words(self) -> Sequence[str]:
        """The words that may be completed."""
        undo = typed(UNDO) if self.takes_back else ()
        return () if self.is_deliberate else (*typed("answers_yes"), *typed("answers_no"), *undo)

    def answer(self, text: str) -> bool | None:
        """Return the answer that `text` means; None if it is none."""
        if is_typed(text, "answer_yes" if self.is_deliberate else "answers_yes"):
            return True
        if self.undo_is_yes and is_typed(text, UNDO):
            return True
        return False if is_typed(text, "answers_no") else None

    def is_undo(self, text: str) -> bool:
        """Return whether `text` takes the last decision back, where that is possible."""
        return self.takes_back and is_typed(text, UNDO)


@dataclass(frozen=True)
class ShownGame:
    """A game at a table, with its players and its position.

    `names` are as they came; `viewpoint` has put them into the characters that there are.
    """

    name: str
    table: Table[Any]
    names: tuple[str, str]
    viewpoint: Viewpoint
    state: State

    @property
    def board_view(self) -> "BoardView[Any]":
        """The game's view in full-screen mode. Raises LocalError."""
        found: BoardView[Any] = GAMES[self.name].board.load()
        return found

    @property
    def other(self) -> str:
        """The local name of the peer."""
        return self.viewpoint.labels[self.viewpoint.far]

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""
        return isinstance(self.state.node, Terminal)

    def own(self, code: str) -> str:
        """Return the code, prefixed with the game's name, of a sentence that every game has for itself."""
        return f"{self.name}:{code}"

    def news(self, before: State, step: Step, after: State) -> str:
        """Return the effects of `step`, in sentences; empty if nothing can be said yet."""
        return told(self.table, before, step, after, self.viewpoint)


class StepView(NamedTuple):
    """A step as shown."""

    told: Sequence[Sentence]
    """Its effects; empty if nothing can be said yet."""
    stage: Transition | None
    """The step, if it ended a stage that has an overview."""
    result: Sentence | None
    """The outcome of the game, if the step ended it."""
    shows_table: bool
    """True if the whole table is to be shown, since the step changed more than its effects say."""


class Turns(NamedTuple):
    """Decisions of one player in a row (None: one decision of both), with all that followed, as told."""

    player: int | None
    told: list[Sentence]


class Presenter:
    """The state of the table: the game, the connection, and what the peer is doing.

    `charset` may change at any time; `put_into_words` follows it.
    """

    def __init__(self, charset: Charset) -> None:
        self.charset = charset
        self.seated: ShownGame | None = None
        """The game that is shown, if one has begun."""
        self.stage: Transition | None = None
        """The last step of the game that ended a stage with an overview."""
        self.draw: tuple[Drew, bool] | None = None
        """The last draw, and whether it was the near side that committed to it."""
        self.thinking: str | None = None
        """The player who takes long over a decision."""
        self.ending: str | Later | None = None
        """The end of the game, or that it does not continue at this table."""
        self.offers: frozenset[int] = frozenset()
        """The players whose offer to abandon the game stands, or will be made."""
        self.chosen: frozenset[int] = frozenset()
        """The players who have made the secret choice that is awaited."""
        self.decisions = 0
        """The decisions of the user so far that can be taken back in practice."""
        self.connection = "none"
        self.watchers = 0
        """The number of people who watch."""
        self._called = True
        """True if the user is to be called to the turn: somebody else has had theirs."""
        self._turns: deque[Turns] = deque(maxlen=2)

    @property
    def last(self) -> Sequence[Sentence]:
        """The sentences about the last turn and about this one, as far as it has come."""
        return [said for turn in self._turns for said in turn.told]

    @property
    def game(self) -> ShownGame:
        """The game that is shown. Requires that one has begun."""
        if self.seated is None:
            raise LookupError("no game has begun")
        return self.seated

    @property
    def is_playing(self) -> bool:
        """True while a game goes on."""
        return self.seated is not None and self.ending is None

    @property
    def is_practice(self) -> bool:
        """True if decisions can be taken back, and nobody is there to talk to."""
        return self.connection == "practice"

    @property
    def why_no_hints(self) -> str:
        """The code of the reason why there are no hints on this game where nobody is asked for any."""
        return "hints_refused" if self.seated is None or has_evaluator(self.seated.name) else "no_hints"

    # Characters and language.

    def put_into_words(self) -> None:
        """Rename the players for the present language and characters."""
        if self.seated:
            self.seated = self.now(self.seated)

    def now(self, game: ShownGame) -> ShownGame:
        """Return `game`, this one or an earlier one, in the present language and characters."""
        return replace(game, viewpoint=viewpoint(game.names, game.viewpoint.me, self.charset))

    # What the session tells.

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> Sentence:
        """Seat both for a game that begins, or is resumed at `state`; return its announcement."""
        seats = viewpoint(names, me, self.charset)
        self.seated = ShownGame(game.NAME, table_of(game.NAME), names, seats, state or game.start())
        self.stage = self.ending = None
        self._turns.clear()
        self.chosen = self.offers = frozenset()
        self.decisions, self.connection, self._called = 0, "here", True
        about = {"game": game.NAME, "options": dict(game.settings)}
        if me is None:
            return sentence("watching", first=seats.names[0], second=seats.names[1], **about)
        return sentence("playing", me=seats.names[me], other=seats.names[1 - me], **about)

    def notify(self, code: str, /, **details: object) -> Sentence:
        """Take other news, and return them."""
        self.connection = LINKS.get(code, self.connection)
        if code in WATCHERS:
            self.watchers = int(str(details["count"]))
        if code in CHOICES and self.seated:
            viewpoint = self.seated.viewpoint
            self.chosen |= {viewpoint.near if code == "choice_made" else viewpoint.far}
        if self.seated:
            self._take_offer(code, self.seated.viewpoint)
        if code in ENDINGS:
            self.end(later(ENDINGS[code], **details))
        return sentence(code, **details)

    def _take_offer(self, code: str, viewpoint: Viewpoint) -> None:
        """Keep whose offer stands after news of `code`."""
        match code:
            case "offered" | "full_offered":
                self.offers |= {viewpoint.far}
            case "offer_lapsed" | "choice_made":
                self.offers -= {viewpoint.far}
            case "offer_made" | "offer_kept":
                self.offers |= {viewpoint.near}
            case "own_offer_lapsed":
                self.offers -= {viewpoint.near}

    def drew(self, draw: Drew, ours: bool) -> None:
        """Keep the draw for a later explanation; `ours` if the near side committed to it."""
        self.draw = draw, ours

    def lay(self, state: State) -> None:
        """Put this position on the table."""
        self.seated = replace(self.game, state=state)

    def stepped(self, before: State, step: Step, after: State) -> StepView:
        """Continue with the position `after`, and return the view of the step that led there."""
        game, me = self.game, self.game.viewpoint.me
        self.lay(after)
        self.chosen = frozenset()
        self.decisions += me is not None and has_decided(before, step, me)
        if isinstance(step, Acted) and step.player == me:
            self.offers -= {game.viewpoint.far}  # declined
        self._called |= isinstance(step, Chosen) or (isinstance(step, Acted) and step.player != me)
        news = Sentence(Later(lambda: self.now(game).news(before, step, after)))
        result = None
        if isinstance(over := after.node, Terminal):
            result = Sentence(Later(lambda: outcome(over, self.now(game).viewpoint)), Tone.STRONG)
            self.end(result.words)
        stage = Transition(before, step, after) if game.table.overview(before, step, game.viewpoint) else None
        self.stage = stage or self.stage
        told = (news,) if str(news) else ()
        self._turn_of(step).told.extend(told)
        return StepView(told, stage, result, game.table.is_untold(before, step, after))

    def _turn_of(self, step: Step) -> Turns:
        """Return the turn that `step` belongs to; what is drawn belongs to the one in which it is."""
        player = step.player if isinstance(step, Acted) else None
        if (
            not self._turns
            or isinstance(step, Chosen)
            or (isinstance(step, Acted) and player != self._turns[-1].player)
        ):
            self._turns.append(Turns(player, []))
        return self._turns[-1]

    def taken_back(self, earlier: Sequence[Transition], state: State) -> Sentence:
        """Go back to the position `state`, which `earlier` steps led to, and return the news of it."""
        self.lay(state)
        self._turns.clear()
        self.ending, self.chosen, self._called = None, frozenset(), False
        table, seats = self.game.table, self.game.viewpoint
        self.decisions = sum(has_decided(before, step, seats.near) for before, step, _ in earlier)
        self.stage = next((each for each in reversed(earlier) if table.overview(each.before, each.step, seats)), None)
        return sentence("taken_back")

    def end(self, ending: str | Later) -> None:
        """Record the end of the game: nobody is to act."""
        self.ending, self.thinking = ending, None

    # What the session asks.

    def begin_decision(self, state: State) -> bool:
        """Let the user decide in `state`; return whether they are to be called, since somebody else has acted."""
        self.lay(state)
        called, self._called = self._called, False
        return called

    def criticism(self, mistake: Mistake) -> Sequence[Sentence]:
        """Return the tutor's sentences about a decision of the user."""

        def lines() -> Sequence[str]:
            game, (state, player, *_) = self.game, mistake
            choices = self.choices(state, player)
            return [*told_by_tutor(mistake, game.name, choices, game.viewpoint.labels[1 - player])]

        return [
            Sentence(Later(partial(lambda at: lines()[at], at)), Tone.REMARK if at else Tone.STRONG)
            for at in range(len(lines()))
        ]

    def choices(self, state: State, player: int) -> Sequence[Choice]:
        """Return the legal actions of `player` in words, in the order in which they are offered."""
        choices = self.game.table.choices(state, player, self.game.viewpoint)
        return [choice._replace(words=self.charset.transliterate(choice.words)) for choice in choices]

    async def advised(
        self, advise: Advise, state: State, asked: Sequence[tuple[int, Action | None]]
    ) -> Sequence[Advice]:
        """Return the hints for the players who decide in `state`, each with what they did there. May be cancelled.

        Where there are none for one player, there are none for the other.
        """
        found: list[Advice] = []
        for player, done in asked:
            try:
                known = await advise(state, player)
            except LocalError as error:
                return [Advice(describe(error))]
            choices = self.choices(state, player)
            found.append(Advice(heading(known, state, player, self.game.viewpoint), hints(known, choices, done)))
            if not known:
                break
        return found
