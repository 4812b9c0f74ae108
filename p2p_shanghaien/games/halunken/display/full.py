"""Halunken & Spelunken in full-screen mode: the ring of spaces, both crews and cards, Black Jack and his boat."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from textwrap import wrap
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.halunken.display import frames, panels
from p2p_shanghaien.games.halunken.display.frames import UNDER_WAY
from p2p_shanghaien.games.halunken.display.pieces import (
    ACROSS,
    DOWN,
    HIDDEN,
    PLACES,
    black_jack,
    captain,
    colour,
    den_lines,
    face,
    hand,
)
from p2p_shanghaien.games.halunken.display.view import Cards, Crew, Space, view
from p2p_shanghaien.games.halunken.rogues import COLOURS, VALUE, Rogue
from p2p_shanghaien.games.halunken.rules import JACK, LEAVE, PASS, RUM, Phase, State
from p2p_shanghaien.ui.full.drawing import ActionMenu, BoardView, Canvas, MenuItem, clickable
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

LEAST, MOST = 9, 14
"""The cells of a den across."""
BESIDE: Final = 32
"""The cells of what stands right of the ring."""
HEIGHTS: Final = {3: 14, 4: 18, 5: 22}
"""The lines of the table, by those of a den."""
LOW: Final = HEIGHTS[3]
"""The lines of a table on which colours are letters; larger ones name them."""
SHORT: Final = 10
"""The cells of a name within the ring."""
MARGIN: Final = 1
ABOVE: Final = 2
"""The lines of a player above the crew."""
COUNTED: Final = 7
"""The cells of the sum of a colour, and that it counts twice."""


class CrewLine(NamedTuple):
    """A line of a crew: rogues of one colour, and its name or letter, sum and whether it counts twice in its first."""

    colour: str
    name: str
    values: Sequence[int]
    sum: int | None
    doubled: bool


class HalunkenBoardView(BoardView[State]):
    """Halunken & Spelunken in full-screen mode."""

    widest = MARGIN + ACROSS * MOST + 1 + BESIDE

    def heading(self, state: State, viewpoint: Viewpoint) -> str:
        return panels.heading(view(state, ended=True), viewpoint)

    def menu_items(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:
        legal = state.legal(player)
        if state.phase == Phase.CHOICE and player == state.hirer:
            return [
                _card(own, say("halunken:offers_own"), [_card(action, say("halunken:offers_jack")) for action in pairs])
                for own, pairs in ((own, list(pairs)) for own, pairs in groupby(legal, lambda action: action[0]))
            ]
        return [_offer(state, player, action, viewpoint) for action in legal]

    def board(
        self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        return Board(state, viewpoint, menu, canvas, ended=ended).draw()

    def choosing(self, state: State, chosen: Collection[int]) -> State:
        first, second, jack = (HIDDEN if player in chosen else "" for player in (0, 1, state.hirer))
        return state._replace(shown=(first, second, jack))

    def scores(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        return list(panels.scores(state, viewpoint, canvas))

    def holdings(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:  # noqa: ARG002
        return list(panels.unseen(state, canvas))

    def overview(self, before: State, step: Step, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        return list(panels.overview(before, step, viewpoint, canvas))

    def frames(self, before: State, step: Step, after: State) -> Iterator[State]:  # noqa: ARG002
        return frames.frames(before, step)


def _card(action: str, group: str, then: Sequence[MenuItem] = ()) -> MenuItem:
    """Return the menu item of a movement card, the last one of `action`."""
    card = action[-1]
    return MenuItem(action, card, group, say("halunken:rum") if card == RUM else "", then=tuple(then))


def _offer(state: State, player: int, action: str, viewpoint: Viewpoint) -> MenuItem:
    """Return the menu item of `action`: a number as it is typed, a rogue by its value."""
    if action == PASS:
        return MenuItem(action, "p", say("halunken:offers_bid"), say("halunken:offer_pass"))
    kind, _, thing = action.partition(":")
    victim = say("halunken:offers_take", who=viewpoint.who(1 - player))
    if action == LEAVE:
        last = say("halunken:offers_boat") if state.loot[-1] in state.boat else victim
        return MenuItem(action, "n", last, say("halunken:offer_leave"))
    match kind:
        case "at":
            top = state.tops[int(thing) - 1]
            return MenuItem(action, "", say("halunken:offers_space"), top, typed=thing)
        case "bid" | "lose":
            return MenuItem(action, "", say(f"halunken:offers_{kind}"), thing, typed=str(VALUE[thing]))
        case "take" if thing in state.boat:
            return MenuItem(action, "", say("halunken:offers_boat"), thing, typed=str(VALUE[thing]))
        case "take":
            return MenuItem(action, "", victim, thing, typed=str(VALUE[thing]))
    if "=" in action:
        return MenuItem(action, action[-1], say("halunken:offers_number"), "")
    return _card(action, say("halunken:offers_card"))


class Board:
    """A drawing of the table."""

    def __init__(self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool) -> None:
        # in a frame nobody is to do anything, as after the end
        self.ended = ended or state.phase in (UNDER_WAY, Phase.OVER)
        self.view = view(state._replace(jack=frames.jack_space(state)), ended=self.ended)
        self.state = state
        self.viewpoint = viewpoint
        self.menu = menu
        self.canvas = canvas
        self.text_styles = canvas.text_styles
        self.height = max((height for height, lines in HEIGHTS.items() if lines <= canvas.height), default=3)
        self.width = min(max((canvas.width - MARGIN - BESIDE - 1) // ACROSS, LEAST), MOST)
        self.lines = [Text(" " * MARGIN) for _ in range(HEIGHTS[self.height])]
        self.figures = (*(captain(player, viewpoint, canvas) for player in (0, 1)), black_jack(canvas))

    def draw(self) -> Sequence[Text]:
        self._ring()
        if self.view.jack:
            self._jack(self.view.jack, self.lines[DOWN * self.height])
            self._boat(self.lines[DOWN * self.height + 1])
        height = HEIGHTS[self.height]
        far, near = self._crews(named=height > LOW)
        if len(far) + len(near) + 2 * ABOVE > height:
            far, near = self._crews(named=False)
        self._side(self.viewpoint.far, 0, far)
        self._side(self.viewpoint.near, height - ABOVE - len(near), near)
        return self.lines

    # The ring.

    def _ring(self) -> None:
        """Draw the spaces with their dens, and within them what is going on."""
        dens = {place: self._den(space) for space, place in zip(self.view.spaces, PLACES, strict=True)}
        inside = self._inside((ACROSS - 2) * self.width, (DOWN - 2) * self.height)
        for row in range(DOWN):
            for y in range(self.height):
                line = self.lines[row * self.height + y]
                for column in range(ACROSS):
                    if (column, row) in dens:
                        line.append_text(dens[column, row][y])
                    elif column == 1:
                        line.append_text(inside[(row - 1) * self.height + y])

    def _den(self, space: Space) -> Sequence[Text]:
        action = f"at:{space.number}"
        mark = self.menu.mark(action)
        figures = [self.figures[who] for who in space.figures]
        lines = den_lines(space, figures, mark, self.canvas, self.width, self.height)
        return [clickable(line, action) for line in lines] if mark else lines

    # Within the ring.

    def _inside(self, width: int, height: int) -> Sequence[Text]:
        """Return what is awaited, and the auction or the cards of this round."""
        # a long name would take the room of what is said about it
        first, second = (self.viewpoint.charset.cut(label, SHORT) for label in self.viewpoint.labels)
        viewpoint = replace(self.viewpoint, labels=(first, second))
        awaited = "" if self.ended else panels.awaited(self.state, viewpoint)
        lines = self._folded(awaited, width, self.text_styles.strong)
        if self.view.auction:
            for news in panels.auction(self.view.auction, viewpoint):
                lines += self._folded(str(news), width)
            if bid := self.view.auction.bid:
                lines.append(Text.assemble((f" {bid} ", f"bold {colour(bid[0], self.canvas)}")))
        elif self.state.phase == Phase.CHOICE or any(self.state.shown):
            # the cards stay where they are, whatever is said above them
            lines = [*[Text()] * (2 - len(lines)), *lines[:2], *self._cards(width)]
        above = max(height - len(lines), 0) // 2
        lines = [*[Text()] * above, *lines, *[Text()] * (height - above - len(lines))]
        return [_centred(line, width) for line in lines[:height]]

    def _folded(self, text: str, width: int, style: str = "") -> list[Text]:
        return [
            Text(line.strip(), style) for line in folded(self.canvas.charset.transliterate(text), width - 2) if text
        ]

    def _cards(self, width: int) -> Iterator[Text]:
        """Yield the cards of this round beside each other, and below them what they have come to."""
        places = [self.viewpoint.far, self.viewpoint.near, *([JACK] if self.view.jack else [])]
        room = width // 3
        faces = [
            face(
                self.state.shown[place], self.figures[place].name, self.canvas, self._style(place), min(room - 2, MOST)
            )
            for place in places
        ]
        for row in zip(*faces, strict=True):
            yield _columns(row, room)
        meanings = [self.canvas.charset.transliterate(panels.meaning(self._cards_of(place))) for place in places]
        cells = [Text(self.viewpoint.charset.cut(meaning, room), self.text_styles.strong) for meaning in meanings]
        yield _columns(cells, room)

    def _cards_of(self, place: int) -> Cards:
        return self.view.jack if place == JACK and self.view.jack else self.view.cards[place]

    def _style(self, place: int) -> str:
        return self.text_styles.strong if place == JACK else self.text_styles.side(place, self.viewpoint)

    # Below the ring.

    def _jack(self, cards: Cards, line: Text) -> None:
        """Draw Black Jack's cards, and who has hired him."""
        figure = self.figures[JACK]
        line.append(f"{figure.mark} {figure.name}", figure.style).append(" ")
        pairs = [action for action in self.menu.actions if "+" in action]
        picked = self.menu.picked[-1] if pairs and self.menu.picked else ""
        line.append_text(hand(cards.left, pairs, picked, self.canvas))
        if self.view.hirer is not None:
            hired = self.viewpoint.news("halunken:hired_by", self.view.hirer)
            line.append(f" {self.canvas.charset.transliterate(str(hired))}", self._style(self.view.hirer))
        line.truncate(MARGIN + ACROSS * self.width)

    def _boat(self, line: Text) -> None:
        line.append(f"{self.canvas.charset.say('halunken:short_boat')} ", self.text_styles.quiet)
        if not self.state.boat:
            line.append(self.canvas.charset.nothing, self.text_styles.quiet)
        end = MARGIN + ACROSS * self.width
        boat = self.state.boat
        named = [f" {panels.colour_name(rogue[0], self.canvas)} {rogue[1:]} " for rogue in boat]
        margins = [f" {rogue} " for rogue in boat]
        # many rogues fit only by their letters, or without their margins
        forms: list[Sequence[str]] = [*([named] if HEIGHTS[self.height] > LOW else []), margins, boat]
        fitting = (form for form in forms if line.cell_len + sum(map(cell_len, form)) + len(form) <= end + 1)
        for rogue, shown in zip(boat, next(fitting, list(boat)), strict=True):
            if line.cell_len + len(shown) > end:
                line.append(self.canvas.charset.ellipsis)
                return
            self._rogue(line, rogue, shown, colour(rogue[0], self.canvas))
            line.append(" ")

    # The two players.

    def _crews(self, *, named: bool) -> Sequence[Sequence[CrewLine]]:
        """Return the lines of both crews, the far one first: colours by name, and on several lines if need be."""
        return [
            list(self._crew(self.view.crews[player], named=named))
            for player in (self.viewpoint.far, self.viewpoint.near)
        ]

    def _crew(self, crew: Crew, *, named: bool) -> Iterator[CrewLine]:
        groups = {group.colour: group for group in crew.groups}
        names = {letter: panels.colour_name(letter, self.canvas) if named else letter for letter in COLOURS}
        widest = max(map(cell_len, names.values()))
        for letter, name in names.items():
            head, group = f" {name:<{widest}} ", groups.get(letter)
            if group is None:
                yield CrewLine(letter, head, (), None, doubled=False)
                continue
            folded_values = wrap(" ".join(map(str, group.values)), BESIDE - COUNTED - 1 - cell_len(head))
            first, *rest = [tuple(map(int, line.split())) for line in folded_values] if named else [group.values]
            yield CrewLine(letter, head, first, group.sum, doubled=letter == crew.doubled)
            yield from (CrewLine(letter, "", values, None, doubled=False) for values in rest)

    def _side(self, player: int, top: int, crew: Sequence[CrewLine]) -> None:
        """Draw a player's name and points, the movement cards, and the crew by colour."""
        for y in range(top, top + ABOVE + len(crew)):
            self.lines[y].align("left", MARGIN + ACROSS * self.width + 1)
        figure, points = self.figures[player], panels.points(self.view, player, self.canvas)
        called = self.viewpoint.charset.cut(figure.name, BESIDE - 3 - points.cell_len)
        name = Text(f"{figure.mark} {called}", self._style(player))
        name.align("left", BESIDE - points.cell_len)
        self.lines[top].append_text(name).append_text(points)
        self._hand_of(player, self.lines[top + 1])
        indent = max(cell_len(each.name) for each in crew)
        for line, each in zip(self.lines[top + ABOVE :], crew, strict=False):
            self._crew_line(line, each, indent)

    def _hand_of(self, player: int, line: Text) -> None:
        """Draw a player's movement cards, and whether the player has chosen or is to move."""
        own: Sequence[str] = ()
        picked = ""
        if self.state.phase == Phase.CHOICE and player == self.viewpoint.near and self.menu.actions:
            # in the second half of a hirer's choice the first one is settled
            own = [action for action in self.menu.actions if "+" not in action]
            picked = (self.menu.picked or "" if own else self.menu.actions[0])[:1]
        line.append_text(hand(self.view.cards[player].left, own, picked, self.canvas))
        if not self.ended and self.view.cards[player].shown == HIDDEN:
            line.append(f" {self.canvas.charset.say('halunken:chosen')}", self.text_styles.strong)
        elif self._acts(player):
            line.append(f" {self.canvas.charset.say('halunken:to_move')}", self.text_styles.strong)

    def _acts(self, player: int) -> bool:
        """Return whether `player` decides now. Of a secret choice one is asked after the other: the one at the screen
        while there are offers.
        """
        if self.state.phase == Phase.CHOICE and self.viewpoint.me is not None and not self.ended:
            return (player == self.viewpoint.near) == bool(self.menu.actions)
        return player in self.view.deciding

    def _crew_line(self, line: Text, shown: CrewLine, indent: int) -> None:
        letter = shown.colour
        end = line.cell_len + BESIDE
        line.append(shown.name or " " * indent, colour(letter, self.canvas) if shown.name else "").append(" ")
        if not shown.values:
            line.append(self.canvas.charset.nothing, self.text_styles.quiet)
            return
        for value in shown.values:
            if line.cell_len + len(str(value)) + COUNTED + 1 > end:
                line.append(self.canvas.charset.ellipsis)
                break
            self._rogue(line, f"{letter}{value}", str(value), self.text_styles.strong)
            line.append(" ")
        line.align("left", end - COUNTED)
        if shown.sum is not None:
            line.append(f"{shown.sum:>4}", self.text_styles.quiet)
        line.append(" x2" if shown.doubled else "", "bold")

    def _rogue(self, line: Text, rogue: Rogue, shown: str, style: str) -> None:
        """Draw a rogue, which can be clicked if there is something to do with it."""
        means = [action for action in self.menu.actions if action.partition(":")[2] == rogue][:1]
        line.append_text(clickable(Text(shown, self.text_styles.marked(self.menu.mark(*means), style)), *means))


def _centred(line: Text, width: int) -> Text:
    line = line.copy()
    line.align("center", width)
    return line


def _columns(cells: Sequence[Text], width: int) -> Text:
    line = Text()
    for cell in cells:
        line.append_text(_centred(cell, width))
    return line


BOARD_VIEW: Final = HalunkenBoardView()
