"""Shadows of Macao in full-screen mode: piles and tiles between both players' cards, and what each could pay now."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from p2p_shanghaien.games.api import Action, Step, Turn
from p2p_shanghaien.games.macao.deck import KINDS, Card, Tile
from p2p_shanghaien.games.macao.display import draw, frames, names, view
from p2p_shanghaien.games.macao.display.pieces import (
    Lines,
    Pieces,
    beside,
    flowing,
    padded,
    stacked,
    width_of,
)
from p2p_shanghaien.games.macao.rules import MEMBERS, Pile, State
from p2p_shanghaien.ui.full.drawing import LIT, PICKED, ActionMenu, BoardView, Canvas, MenuItem
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

KEYS: Final = "abcdefgijnprstwxyzABCDEFGIJNPRSTWXYZ"
"""The letters of what can be done: those that no other key of the screen has."""
LEAST: Final = 79
"""The cells of the table across that there always are."""
ACROSS: Final = 4
"""The piles and the tiles beside each other, where they are drawn as boxes."""
BOXED: Final = 7
"""The lines that the middle has at least, where it is drawn as boxes."""
LOWEST: Final = 6
"""The lines that both players have at least."""
GAP: Final = 2
"""The cells between the piles and the tiles, where they are lines."""


class Form(NamedTuple):
    """A form of the table. `boxed` is what is drawn as boxes; the rest are lines."""

    boxed_middle: bool = False
    boxed_cards: bool = False
    columns: bool = False
    """True if cards stand in columns."""
    joined: bool = False
    """True if red and blue cards of a player follow each other in a line."""
    short: bool = False
    """True if kinds are shortened."""
    bare: bool = False
    """True if piles and tiles have no captions."""


FORMS: Final = (
    Form(boxed_middle=True, boxed_cards=True),
    Form(boxed_middle=True, columns=True),
    Form(boxed_middle=True),
    Form(columns=True),
    Form(),
    Form(joined=True),
    Form(short=True),
    Form(joined=True, short=True),
    Form(joined=True, short=True, bare=True),
)
"""The forms of the table, the roomiest first: the first that fits is drawn."""


class MacaoBoardView(BoardView[State]):
    """Shadows of Macao in full-screen mode."""

    widest = 119

    def heading(self, state: State, viewpoint: Viewpoint) -> str:
        # the table says what is about to end the game, on as many lines as that takes
        parts = draw.progress(state, viewpoint), draw.label(state, viewpoint)
        return say("between_parts").join(filter(None, parts))

    def menu_items(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:  # noqa: ARG002
        letters = iter(KEYS)
        return [
            _item(state, verb, thing, actions, letters)
            for (verb, thing), actions in view.ways(state.deck, state.legal(player)).items()
        ]

    def board(
        self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        return Board(state, viewpoint, menu, canvas, ended=ended).draw()

    def scores(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        lines = []
        for player in (viewpoint.far, viewpoint.near):
            side, deck = state.sides[player], state.deck
            name = viewpoint.charset.cut(viewpoint.who(player), 20)
            line = Text.assemble((name, canvas.text_styles.side(player, viewpoint)))
            line.align("left", 21)
            lines.append(line.append(str(side.score(deck)), "bold"))
            values = sum(deck.tile[tile].value for tile in side.opened)
            for code, number in (("red_cards", side.coins(deck)), ("opened", values)):
                line = Text(f" {canvas.charset.cut(canvas.charset.say(f'macao:scores_{code}'), 19)}")
                line.align("left", 21)
                lines.append(line.append(str(number)))
        return lines

    def holdings(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:  # noqa: ARG002
        return list(_unseen(state, canvas))

    def frames(self, before: State, step: Step, after: State) -> Iterator[State]:  # noqa: ARG002
        return frames.frames(before, step)


def _unseen(state: State, canvas: Canvas) -> Iterator[Text]:
    """Yield the cards that nobody has seen, kind by kind; none if `canvas` has too few lines."""
    if canvas.height < len(KINDS) + 1:
        return
    pieces = Pieces(canvas)
    yield Text(f" {canvas.charset.say('macao:unseen_cards')}", canvas.text_styles.quiet)
    for kind in KINDS:
        cards = [card for card in map(state.deck.card.__getitem__, state.unseen) if card.kind == kind]
        line = Text(f"  {kind}")
        line.align("left", 14)
        for card in cards:
            line.append_text(pieces.letters(card.blue)).append(" ")
        yield line if cards else line.append(canvas.charset.nothing, canvas.text_styles.quiet)


# --- menu items


def _item(state: State, verb: str, thing: str, actions: Sequence[Action], letters: Iterator[str]) -> MenuItem:
    """Return the menu item of a thing that can be done; its payments are further steps, if there are several."""
    group = say(f"macao:offers_{verb}")
    if verb == "take":
        return MenuItem(actions[0], thing, group, names.informant(state.deck.card[state.piles[int(thing) - 1].top]))
    label = thing if verb in ("reserve", "open") else names.informant(state.deck.card[thing])
    if len(actions) == 1:
        return MenuItem(actions[0], next(letters), group, label)
    return MenuItem(f"{verb}:{thing}=", next(letters), group, label, then=_payments(actions, {}))


def _payments(actions: Sequence[Action], known: dict[tuple[Action, ...], tuple[MenuItem, ...]]) -> tuple[MenuItem, ...]:
    """Return the least wasteful of these payments as the usual one, and the cards that narrow them down.

    `known` has the items of payments that several steps lead to.
    """
    key = tuple(actions)
    if key in known:
        return known[key]
    usual = names.cards(view.parts(actions[0])[2])
    items = [MenuItem(actions[0], "1", say("macao:offers_least"), usual, usual=True)]
    for number, (added, left) in enumerate(view.steps(actions), start=2):
        group = say("macao:offers_paid")
        if len(left) == 1:
            label = names.cards(view.parts(left[0])[2])
            items.append(MenuItem(left[0], "", group, label, typed=str(number)))
        else:
            start = actions[0].partition("=")[0]
            cards = (*view.settled(actions).elements(), *added)
            action = f"{start}={'+'.join(cards)}+"
            label = say("macao:offer_and_more", cards=names.cards(added))
            items.append(MenuItem(action, "", group, label, typed=str(number), then=_payments(left, known)))
    known[key] = tuple(items)
    return known[key]


# --- the table


class Board:
    """A drawing of the table."""

    def __init__(self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool) -> None:
        self.state = state
        self.deck = state.deck
        self.viewpoint = viewpoint
        self.picked = menu.picked
        self.canvas = canvas
        self.text_styles = canvas.text_styles
        self.width = max(canvas.width, LEAST)
        self.ended = ended
        self.pieces = Pieces(canvas)
        self.reaches = [
            {card: view.card_reach(state, player, card) for card in state.sides[player].blue} for player in (0, 1)
        ]
        """The part of the cost of each blue card that its owner could pay, by player and card."""
        self.actions = menu.actions
        self.is_paying = any("=" in action for action in self.actions) and len(
            {action.partition("=")[0] for action in self.actions}
        ) == 1 < len(self.actions)
        """True in a further step of a decision, in which cards to pay with are chosen."""

    def draw(self) -> Lines:
        """Return the table in the first form that fits."""
        has_room = self.canvas.height >= BOXED + LOWEST
        boxed = self._boxed_middle() if has_room else None
        plain, bare = self._middle(), self._middle(bare=True)
        for form in FORMS:
            middle = boxed if form.boxed_middle else bare if form.bare else plain
            if middle is None:
                continue
            room = self.canvas.height - len(middle)
            if room < LOWEST:
                continue
            far, near = (self._side(player, form) for player in (self.viewpoint.far, self.viewpoint.near))
            if len(far) + len(near) <= room:
                return [*far, *middle, *near]
        # no position of the deck that everybody has comes to this: lines that do not fit are left out
        return [*far[: room // 2], *bare, *near[: room // 2]]

    # What can be chosen.

    def _chosen(self, actions: Sequence[Action]) -> tuple[str, Action]:
        """Return the state of a piece that stands for one of these actions, and that action; empty if it cannot be."""
        found = [action for action in self.actions if action in actions]
        if not found:
            return "", ""
        return (PICKED if self.picked in found else LIT), found[0]

    def _named(self, verb: str, thing: str) -> tuple[str, Action]:
        """Return the same of the action with that verb and thing, however it is paid."""
        if self.is_paying:
            return (PICKED if self.actions[0].partition("=")[0] == f"{verb}:{thing}" else ""), ""
        return self._chosen([action for action in self.actions if view.parts(action)[:2] == (verb, thing)])

    def _blue_card(self, card: str, before: int, player: int) -> tuple[str, Action]:
        """Return the same of a blue card, of which `before` copies lie before it."""
        if player != self.viewpoint.near or not self.actions:
            return "", ""
        if not self.is_paying:
            for verb in ("recruit", "discard"):
                if (found := self._named(verb, card))[1]:
                    paid = _paid(self.picked or "")
                    return (PICKED, found[1]) if before < paid.count(card) else found
            return (PICKED, "") if before < _paid(self.picked or "").count(card) else ("", "")
        verb, thing, _ = view.parts(self.actions[0])
        if verb == "recruit" and thing == card:
            # the first copy is the one that is recruited
            if not before:
                return PICKED, ""
            before -= 1
        # the fewest cards are those of the step that adds this one
        adding = [action for action in self.actions if _paid(action).count(card) > before]
        if not adding:
            return "", ""
        action = min(adding, key=lambda each: len(_paid(each)))
        is_picked = _paid(self.picked or "").count(card) > before
        return (PICKED if is_picked else LIT), action

    # The piles and tiles.

    def _middle(self, *, bare: bool = False) -> Lines:
        piles = stacked(
            self.pieces.pile(number, pile, self._top(pile), *self._named("take", str(number)))
            for number, pile in enumerate(self.state.piles, start=1)
        )
        tiles = stacked(self.pieces.tile(tile, self._reaches(tile), *self._tile(tile)) for tile in self._tiles())
        charset, quiet = self.canvas.charset, self.text_styles.quiet
        left, right = (self.pieces.word(f" {say(f'macao:caption_{name}')}", quiet) for name in ("piles", "tiles"))
        tiles = tiles or self.pieces.word(f" {charset.nothing}", quiet)
        room = self.width - width_of(piles) - GAP
        ends = self._ends(room)
        if bare:
            return beside([piles, [*tiles, *ends]], GAP)
        # beside the caption, if that is one line
        if len(ends) == 1 and width_of(right) + GAP + width_of(ends) <= room:
            right = beside([right, ends], GAP - 1)
            ends = []
        return beside([[*left, *piles], [*right, *tiles, *ends]], GAP)

    def _boxed_middle(self) -> Lines:
        width = self.width // ACROSS
        piles = []
        for number, pile in enumerate(self.state.piles, start=1):
            chosen = self._named("take", str(number))
            piles.append(
                self.pieces.pile_box(number, self._top(pile), draw.below(pile, self.viewpoint), width, *chosen)
            )
        height = max((len(self.pieces.tile_name(tile, width)) for tile in self._tiles()), default=0)
        tiles = [
            self.pieces.tile_box(tile, self._reaches(tile), width, height, *self._tile(tile)) for tile in self._tiles()
        ]
        centre = beside(tiles) if tiles else self.pieces.word(f" {say('macao:no_tiles')}")
        return [*beside(piles), *centre, *self._ends(self.width)]

    def _ends(self, width: int) -> Lines:
        """Return what is about to end the game, in lines of that width, none of them cut."""
        found = () if self.ended else view.end_in_sight(self.state, self.viewpoint)
        whole = say("between_parts").join(found)
        canvas, style = self.canvas._replace(width=width - 1), self.text_styles.strong
        return [Text(f" {line.plain}", style) for line in canvas.lines(whole)] if whole else []

    def _top(self, pile: Pile) -> Card | None:
        return self.deck.card[pile.top] if pile.top else None

    def _tiles(self) -> Sequence[Tile]:
        return [self.deck.tile[name] for name in self.state.centre]

    def _tile(self, tile: Tile) -> tuple[str, Action]:
        verb = "reserve" if f"reserve:{tile.id}" in self.actions else "open"
        return self._named(verb, tile.id)

    def _reaches(self, tile: Tile) -> Text:
        """Return what both players have of what a tile of the centre costs or demands."""
        text = Text()
        for player in (self.viewpoint.near, self.viewpoint.far):
            style = self.text_styles.side(player, self.viewpoint)
            text.append(" " if text else "").append(self.viewpoint.mark(player), style)
            text.append_text(self.pieces.reach(view.tile_reach(self.state, player, tile)))
        return text

    # The players.

    def _side(self, player: int, form: Form) -> Lines:
        """Return a player's name and score, tiles, and red and blue cards."""
        side = self.state.sides[player]
        head = [self._head(player)]
        for code, tiles in (("reserved_tiles", side.reserved), ("opened_tiles", side.opened)):
            pieces = [self._own_tile(player, self.deck.tile[tile]) for tile in tiles]
            head += self._titled(self._title(code), pieces) if pieces else []
        red = [self._member(self.deck.card[card], form) for card in side.red]
        blue = [
            self._informant(player, self.deck.card[card], side.blue[:at].count(card), form)
            for at, card in enumerate(side.blue)
        ]
        blue += [self._dead(form)] * side.dead
        if form.columns:
            red, blue = ([padded(each, max(map(width_of, cards))) for each in cards] for cards in (red, blue))
        titles = [self._title(code) for code in ("red", "blue")]
        indent = max(map(width_of, titles))
        if not form.joined:
            titles = [padded(title, indent) for title in titles]
        red, blue = map(self._titled, titles, (red, blue))
        lying = flowing([[*red, *blue]] if form.joined else [red, blue], self.width, 1 if form.joined else indent)
        return [*flowing([head], self.width, 1), *lying]

    def _head(self, player: int) -> Lines:
        say_, side = self.canvas.charset.say, self.state.sides[player]
        style = self.text_styles.side(player, self.viewpoint)
        parts = [
            say_("macao:points", count=side.score(self.deck)),
            say_("macao:red_of", count=len(side.red), last=MEMBERS),
            say_("macao:places_of", number=side.crowd, places=side.places(self.deck)),
        ]
        text = Text.assemble(
            (f"{self.viewpoint.mark(player)} {self.viewpoint.who(player)}", style),
            "  ",
            say_("between_parts").join(parts),
        )
        if not self.ended and self.state.phase != frames.UNDER_WAY and self.state.node == Turn(player):
            text.append(f"  {say_('macao:to_move')}", self.text_styles.strong)
        return [text.append(" ")]

    def _title(self, code: str) -> Lines:
        return self.pieces.word(f" {say(f'macao:{code}')}", self.text_styles.quiet)

    def _titled(self, title: Lines, pieces: Sequence[Lines]) -> list[Lines]:
        """Return pieces, the first of them behind a title."""
        first, *others = pieces or [self.pieces.word(f" {self.canvas.charset.nothing}", self.text_styles.quiet)]
        return [beside([title, first]), *others]

    def _own_tile(self, player: int, tile: Tile) -> Lines:
        """Return a tile before a player: a reserved one with what it asks for."""
        if tile.id in self.state.sides[player].opened:
            return self.pieces.word(f" {tile.id} {tile.value} ")
        reach = self.pieces.reach(view.tile_reach(self.state, player, tile))
        chosen = self._named("open", tile.id) if player == self.viewpoint.near else ("", "")
        return self.pieces.tile(tile, reach, *chosen)

    def _member(self, card: Card, form: Form) -> Lines:
        return self.pieces.member_box(card) if form.boxed_cards else self.pieces.member(card, short=form.short)

    def _informant(self, player: int, card: Card, before: int, form: Form) -> Lines:
        reach = self.reaches[player][card.id]
        chosen = self._blue_card(card.id, before, player)
        if form.boxed_cards:
            return self.pieces.informant_box(card, reach, *chosen)
        return self.pieces.informant(card, reach, *chosen, short=form.short)

    def _dead(self, form: Form) -> Lines:
        word = say("macao:dead_widow")
        return self.pieces.dead_box(word) if form.boxed_cards else self.pieces.word(f" {word} ", self.text_styles.quiet)


def _paid(action: Action) -> Sequence[str]:
    """Return the cards that pay for an action, or for a step towards one."""
    return view.parts(action.removesuffix("+").removesuffix("="))[2]


BOARD_VIEW: Final = MacaoBoardView()
"""The board view of Shadows of Macao, as registered."""
