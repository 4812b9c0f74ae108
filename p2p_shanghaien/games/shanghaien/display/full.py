"""Shanghaien's table in full-screen mode: cards, captains and dice, and the legal actions beside them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Drawn, Step
from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, PLUS_MINUS
from p2p_shanghaien.games.shanghaien.display import panels, view
from p2p_shanghaien.games.shanghaien.display.pieces import CARD, card_lines, dice_lines, taker_mark, trick_sign
from p2p_shanghaien.games.shanghaien.display.story import card_at, end_of, end_words, kind, trick_words
from p2p_shanghaien.games.shanghaien.display.view import LEFT, RIGHT, RowCard, Side, View
from p2p_shanghaien.games.shanghaien.rules import OPEN, ROLL, SHANGHAI, Phase, State
from p2p_shanghaien.ui.full.drawing import ActionMenu, BoardView, Canvas, MenuItem, clickable, large_die
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import listed, say

MARGIN: Final = 4
"""The cells beside the row at either end, where the captains stand."""
STRIDE: Final = CARD + 1
"""The cells from one card to the next."""
WIDTH: Final = 2 * MARGIN + 6 * STRIDE - 1
LOW, HIGH = 14, 20
"""The lines of the table: for a window of 24 lines, and with larger cards and dice."""

_DICE_AT: Final = 32
"""The column of the rolled dice, beside the name and before the words."""
_TUMBLES: Final = ((3, 5), (6, 1), (2, 4), (1, 3), (5, 6), (4, 2))
"""The dice as shown while they fall."""


class ShanghaienBoardView(BoardView[State]):
    """Shanghaien in full-screen mode."""

    def heading(self, state: State, viewpoint: Viewpoint) -> str:
        return panels.heading(view.view(state), viewpoint)

    def menu_items(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:  # noqa: ARG002
        items = (_offer(state, player, action) for action in state.legal(player))
        return sorted(items, key=lambda item: _order(item.action))

    def board(
        self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        return Board(view.view(state, ended=ended), viewpoint, menu, canvas).draw()

    def scores(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        return list(panels.scores(view.view(state), viewpoint, canvas))

    def holdings(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        return list(panels.holdings(view.view(state), viewpoint, canvas))

    def overview(self, before: State, step: Step, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        if not isinstance(step, Acted) or step.action != SHANGHAI:
            return ()
        return list(panels.overview(view.overview(before), viewpoint, canvas))

    def frames(self, before: State, step: Step, after: State) -> Iterator[State]:
        if isinstance(step, Drawn) and before.phase != Phase.ROW:
            for first, second in _TUMBLES:
                yield after._replace(dice=(first, second))


def _offer(state: State, player: int, action: str) -> MenuItem:
    """Return the menu item of `action`; jokers have the first letter of their nationality as a key."""
    if action == ROLL:
        return MenuItem(action, "r", "", say("shanghaien:choose_roll", count=state.supply(player)))
    if action == SHANGHAI:
        return MenuItem(action, "s#", "", say("shanghaien:offer_shanghai"))
    end = end_of(action)
    if action[0] == "-":
        label = _target(state, int(action[1]), end)
        return MenuItem(action, action[1], say("shanghaien:offers_place"), f"{label} {end_mark(end)}".rstrip())
    letter, use = action[1], action[2:]
    if use[:1] == "=":
        return MenuItem(
            action, use[1].lower(), say("shanghaien:offers_joker"), f"{kind(use[1] + '0')} ({trick_words(letter)})"
        )
    group = say(f"shanghaien:trick_{letter}")
    if letter == PLUS_MINUS:
        die = int(use[1])
        return MenuItem(action, use[0], group, f"{die} > {die + 1 if use[0] == '+' else die - 1}")
    if letter == BOTH:
        label = listed(_target(state, die, end) for die in state.dice)
        return MenuItem(action, "b", group, f"{label} {end_mark(end)}".rstrip())
    assert letter == AGAIN, action
    return MenuItem(action, "r", group, say("shanghaien:choose_again"))


def _target(state: State, die: int, end: str) -> str:
    return say("shanghaien:offer_die", die=die, card=card_at(state, die, end))


def end_mark(end: str) -> str:
    """Return where number 1 would be, in a few letters."""
    return say("shanghaien:offer_end", end=end_words(end)) if end else ""


def _order(action: str) -> tuple[int, str]:
    """Return a sort key: dice first, then each trick for its own effect, then jokers."""
    if action[:1] == "!":
        return (5, action[3] + action[1]) if action[2:3] == "=" else ("pbr".index(action[1]) + 2, action)
    return (1 if action == SHANGHAI else 0, action)


class Board:
    """A drawing of the table."""

    def __init__(self, seen: View, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas) -> None:
        self.view = seen
        self.viewpoint = viewpoint
        self.menu = menu
        self.canvas = canvas
        self.text_styles = canvas.text_styles
        self.high = canvas.height >= HIGH
        self.lines: list[Text] = []

    def draw(self) -> Sequence[Text]:
        far, near = self.viewpoint.far, self.viewpoint.near
        self._strip(far)
        if self.view.places:
            self.lines.append(self._dice(far))
            self._row()
            self.lines.append(self._dice(near))
            self.lines.append(self._hints())
        else:
            height = HIGH - 10 if self.high else LOW - 6
            self.lines += [Text()] * (height // 2)
            awaited = "" if self.view.ended else self.canvas.charset.say("shanghaien:row_awaited")
            self.lines.append(Text(awaited.center(WIDTH).rstrip(), self.text_styles.quiet))
            self.lines += [Text()] * (height - height // 2 - 1)
        self._strip(near)
        return self.lines

    # The two players.

    def _strip(self, player: int) -> None:
        """Draw a player's name, dice and tricks; the rolled dice, large; and their description."""
        side = self.view.sides[player]
        acts = player == self.view.to_act
        called = self.viewpoint.charset.cut(self.viewpoint.who(player), 24)
        style = self.text_styles.side(player, self.viewpoint)
        name = Text.assemble((f" {self.viewpoint.mark(player)} {called}", style))
        block = [name, Text() if self.view.ended else self._supply(side), self._tricks(side)]
        words = [Text(), self._said(player, side) if acts else Text(), Text()]
        dice = [large_die(die, self.canvas, self.canvas.text_styles.object, boxed=self.high) for die in side.rolled]
        if self.high:
            block, words = [Text(), *block, Text()], [Text(), *words, Text()]
        for y, (left, right) in enumerate(zip(block, words, strict=True)):
            line = left
            line.align("left", _DICE_AT)
            for die in dice:
                line.append_text(die[y])
                line.append("  ")
            line.append_text(right)
            line.truncate(WIDTH)
            self.lines.append(line)

    def _supply(self, side: Side) -> Text:
        mark = "#" if self.canvas.charset.ascii_only else "■"
        dice = " ".join(mark * side.supply) or self.viewpoint.charset.nothing
        return Text.assemble(
            "   ",
            (f"{dice:<12}", "bold"),
            (self.canvas.charset.say("shanghaien:supply", count=side.supply), self.text_styles.quiet),
        )

    def _tricks(self, side: Side) -> Text:
        if not side.tricks:
            return Text(f"   {self.canvas.charset.say('shanghaien:no_tricks')}", self.text_styles.quiet)
        signs = " ".join(trick_sign(letter, ascii_only=self.canvas.charset.ascii_only) for letter in side.tricks)
        return Text.assemble(
            "   ",
            (f"[{signs}] ", "bold"),
            (self.canvas.charset.transliterate(trick_words(side.tricks)), self.text_styles.quiet),
        )

    def _said(self, player: int, side: Side) -> Text:
        if side.rolled:
            text = self.canvas.charset.say("shanghaien:rolled_dice", dice=listed(side.rolled))
        elif player == self.viewpoint.me:
            text = self.canvas.charset.say("shanghaien:your_turn")
        else:
            text = self.canvas.charset.say("shanghaien:their_turn", who=self.viewpoint.labels[player])
        return Text.assemble("  ", (text, self.text_styles.strong))

    # The tavern row.

    def _row(self) -> None:
        """Draw the cards, with the captains beside number 1, or both ends while either may become number 1."""
        height = 7 if self.high else 5
        cards = []
        for place in self.view.places:
            means = self._meant(place)
            arrow = taker_mark(place.contest.taker, self.viewpoint)
            lines = card_lines(place.card, self._number(place), arrow, self.menu.mark(*means), self.canvas, height)
            cards.append([clickable(line, *means) for line in lines])
        for y in range(height):
            row = (Text.assemble(card[y], " ") for card in cards)
            line = Text.assemble(self._end(LEFT, y, height), *row, self._end(RIGHT, y, height))
            line.truncate(WIDTH)
            self.lines.append(line)

    def _meant(self, place: RowCard) -> tuple[str, ...]:
        """Return the legal actions that put a die on this card; both dice at once only if the card is one of theirs."""
        return tuple(action for action in self.menu.actions if self._touches(action, place))

    def _touches(self, action: str, place: RowCard) -> bool:
        if action[0] != "-":
            return False
        return int(action[1]) == place.numbers[(end_of(action) or self.view.direction) == RIGHT]

    def _number(self, place: RowCard) -> str:
        """Return the number; while the direction is open, both, from the left and from the right."""
        dot = self.canvas.charset.nothing
        return str(place.number) if place.number else f"{place.numbers[0]}{dot}{place.numbers[1]}"

    def _end(self, end: str, y: int, height: int) -> Text:
        """Return the cells beside the row at `end`, which can be clicked for what makes that end number 1."""
        means = [action for action in self.menu.actions if end_of(action) == end]
        return clickable(self._end_text(end, y, height), *means, width=MARGIN)

    def _end_text(self, end: str, y: int, height: int) -> Text:
        """Return the captains at number 1, on their sides, or that it may become number 1."""
        open_ = self.view.direction == OPEN
        if open_ and y == height // 2:
            lit = any(end_of(action) == end for action in self.menu.actions)
            return Text.assemble(" ", ("1?", self.text_styles.lit if lit else self.text_styles.quiet))
        if end == self.view.direction:
            if y == height // 2:
                return Text(" 1", "bold")
            if y in (0, height - 1):
                return self._captain(self.viewpoint.near if y else self.viewpoint.far)
        return Text()

    def _captain(self, player: int) -> Text:
        """Return a player's captain: standing while a trick may still be played in this round, lying afterwards."""
        lying = self.view.sides[player].tricked
        mark = ("_" if lying else "!") if self.canvas.charset.ascii_only else ("◇" if lying else "◆")
        return Text.assemble(" ", (mark, self.text_styles.side(player, self.viewpoint)))

    def _dice(self, player: int) -> Text:
        """Return a player's dice on their side of the row."""

        def dice(place: RowCard) -> Text:
            count = place.contest.dice[player]
            return dice_lines(place.number, count, self.canvas) if count else Text()

        return self._at_cards(dice)

    def _hints(self) -> Text:
        """Return the keys that pick each card, below it."""

        def keys(place: RowCard) -> Text:
            picked, key = self.text_styles.picked, self.text_styles.key
            meant = self._meant(place)
            return Text.assemble(*((f"[{each[1]}]", picked if each == self.menu.picked else key) for each in meant))

        return self._at_cards(keys)

    def _at_cards(self, cell: Callable[[RowCard], Text]) -> Text:
        """Return a line above or below the row, with a cell for each card, which can be clicked as the card can."""
        line = Text(" " * MARGIN)
        for place in self.view.places:
            text = cell(place)
            text.align("center", CARD)
            line.append_text(clickable(text, *self._meant(place))).append(" ")
        return line


BOARD_VIEW: Final = ShanghaienBoardView()
