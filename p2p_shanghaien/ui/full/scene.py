"""What the full screen shows, as far as it does not depend on how."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Game, Simultaneous, State, Terminal, Turn
from p2p_shanghaien.ui import game_words, tables
from p2p_shanghaien.ui.full.choosing import Choosing
from p2p_shanghaien.ui.full.parts import Drawing, Ink, Paper, Spread
from p2p_shanghaien.ui.full.story import Story, Told
from p2p_shanghaien.ui.view import ASCII, UNICODE, Seating, Symbols, Table, ascii_text, seating
from p2p_shanghaien.ui.words import Later, called, say

LINKS: Final = {
    "waiting": "none",
    "waiting_again": "none",
    "against_computer": "here",
    "authentication": "here",
    "interrupted_game": "away",
    "opponent_awaited": "away",
    "reconnected": "here",
    "chains_differ": "here",
}
"""News that tell of the connection, and what it is then."""

ENDINGS: Final = {
    "resigned": "title_resigned",
    "abandoned": "abandoned",
    "peer_broke_rules": "title_violation",
    "we_broke_rules": "title_own_violation",
}
"""News that end a game before its rules do, and what the title says then."""


@dataclass
class Seated:
    """A game at a table with its players: all that is there from its beginning on."""

    name: str
    table: Table[Any]
    spread: Spread[Any]
    names: tuple[str, str]
    """The players' names as they came, which `seating` puts into the characters that there are."""
    seating: Seating
    state: State


class Scene:
    """The game that is shown, if any, what has been told, and the decision that is open."""

    def __init__(self, *, ascii_only: bool) -> None:
        self.ascii_only = ascii_only
        self.seated: Seated | None = None
        self.choosing: Choosing | None = None
        self.draw: Drew | None = None
        self.seat = 0
        """The seat of the near side: 0 is the host's."""
        self.hint: str | Later | None = None
        """What the last key came to, where it came to nothing."""
        self.thinking: str | None = None
        """Who takes long over a decision."""
        self.ending: str | Later | None = None
        """How the game ended, or that it does not go on at this table."""
        self.story = Story()
        self.connection = "none"

    def own(self, code: str) -> str:
        """Return the code, with its game's name in front, of a sentence that every game has for itself."""
        return f"{self.game.name}:{code}"

    @property
    def game(self) -> Seated:
        """The game that is shown. Only once one has begun."""
        assert self.seated is not None
        return self.seated

    @property
    def state(self) -> State | None:
        """The position shown, if there is one."""
        return self.seated.state if self.seated else None

    @property
    def has_overviews(self) -> bool:
        """True where stages of the game are shown as they came out."""
        return self.seated is not None and "overview" in game_words.words(self.seated.name)

    def begin(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> Seated:
        """Seat both for a game that begins, or is taken up again at `state`."""
        table, spread = tables.table(game.NAME), tables.spread(game.NAME)
        self.seated = Seated(game.NAME, table, spread, names, self._seating(names, me), state or game.start())
        self.choosing, self.connection, self.ending = None, "here", None
        return self.seated

    def end(self, ending: str | Later) -> None:
        """The game has ended; nobody is to act or expected to."""
        self.ending, self.choosing, self.thinking, self.hint = ending, None, None, None

    def put_into_words(self) -> None:
        """Say everything that is kept in the language that is chosen now, in the characters that there are."""
        if self.seated:
            self.seated.seating = self._seating(self.seated.names, self.seated.seating.me)
        if self.choosing:
            self.choosing.put_into_words()
        self.story.put_into_words()

    def seating(self, game: Seated) -> Seating:
        """Return the seating of `game`, this one or one before, by the names and characters that there are now."""
        return game.seating if game is self.seated else self._seating(game.names, game.seating.me)

    def _seating(self, names: tuple[str, str], me: int | None) -> Seating:
        return seating(names, me, self.symbols, self.fit)

    def fit(self, text: str) -> str:
        """`text` in the characters that there are."""
        return ascii_text(text) if self.ascii_only else text

    @property
    def symbols(self) -> Symbols:
        return ASCII if self.ascii_only else UNICODE

    @property
    def more(self) -> tuple[str, str]:
        """What says that a list goes on above, and below."""
        return ("^", "v") if self.ascii_only else ("↑", "↓")

    def tell(self, text: str | Later, style: str = "", *, said: bool = False) -> None:
        """Add to the story a sentence of ours, or what somebody `said`."""
        self.story.add(Told(Later(lambda: self.fit(str(text))), style, said))

    def title(self, state: State | None = None) -> str:
        """The game and how far it has come, or how it ended; `state` where that is not the position shown."""
        game = self.seated
        if game is None:
            return str(self.ending or say("full_welcome"))
        ended = self.ending and not state
        progress = str(self.ending) if ended else game.spread.heading(state or game.state, game.seating)
        return f"{called(game.name)} {self.symbols.nothing} {progress}"

    def link(self, ink: Ink) -> Text:
        """Whose turn it is, and whether the other side is there."""
        marks = "*!--" if self.ascii_only else "●○··"
        mark = dict(zip(("here", "away", "none", "closed"), marks, strict=True))
        style = ink.picked if self.connection == "away" else ink.strong
        return Text(f"{mark[self.connection]} {say(f'link_{self.connection}')}", style)

    def status(self) -> str:
        """One line: what may be done, or what was done last."""
        if self.hint:
            return str(self.hint)
        if self.choosing:
            if self.choosing.meaning:
                return say("full_picked", meaning=self.choosing.meaning)
            return say("full_choose")
        if self.thinking:
            return say("thinks", name=self.thinking)
        return self.story.last

    def board(self, paper: Paper) -> Drawing:
        """The table as it lies; the scores where the game has come to its end."""
        game = self.seated
        if game is None:
            return Drawing([])
        if self.is_over:
            return Drawing([Text(" ").append_text(line) for line in self.final_scores()])
        choosing = self.choosing
        offers = choosing.offers if choosing else ()
        picked = choosing.picked if choosing else None
        return game.spread.board(game.state, game.seating, offers, picked, paper, ended=self.ending is not None)

    def final_scores(self) -> Sequence[Text]:
        """How the scores of a finished game come about."""
        game = self.seated
        return game.table.ending(game.state, game.seating) if game else []

    def scores(self, paper: Paper) -> Sequence[Text]:
        """How both stand."""
        game = self.seated
        return game.spread.scores(game.state, game.seating, paper) if game else []

    def drawers(self) -> tuple[str, str]:
        """Who committed to the draw, and who answered, as they are called here."""
        if self.draw is None or self.seated is None:
            return "", ""
        mine, seats = self.draw.seat == self.seat, self.seated.seating
        us, them = seats.who(seats.near), seats.labels[seats.far]
        return (us, them) if mine else (them, us)

    @property
    def other(self) -> str:
        """What the other side is called."""
        return self.seated.seating.labels[self.seated.seating.far] if self.seated else ""

    @property
    def is_mine(self) -> bool:
        """Whether the person is to decide in the position shown."""
        return self.seated is not None and self.seated.state.node in (Turn(self.seated.seating.near), Simultaneous())

    @property
    def is_playing(self) -> bool:
        """Whether there is a game that goes on."""
        return self.seated is not None and self.ending is None

    @property
    def is_over(self) -> bool:
        """Whether the game has come to the end that its rules give it."""
        return self.state is not None and isinstance(self.state.node, Terminal)
