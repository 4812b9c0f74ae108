"""Parts of a full screen: text that can be clicked, menu items with keys, dice, and the board view of a game."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from rich.style import Style
from rich.text import Text

from p2p_shanghaien.games.api import S, Step
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.view import UNICODE, Charset, Viewpoint

__all__ = [
    "DARK",
    "LIGHT",
    "LIT",
    "PICKED",
    "PLAIN",
    "ActionMenu",
    "BoardView",
    "Border",
    "Canvas",
    "MenuItem",
    "TextStyles",
    "border",
    "clickable",
    "clicks",
    "large_die",
    "means_of",
    "narrowed",
]


class TextStyles(NamedTuple):
    """Styles that mean something, beside a game's own colours. None of them tells anything that no character tells."""

    quiet: str
    strong: str
    near: str
    far: str
    key: str
    """A key that can be pressed."""
    lit: str
    """A place that can be chosen."""
    picked: str
    """The choice that Enter would play."""
    object: str
    """Dice, pieces, whatever lies on the table."""
    good: str
    """A check that holds."""
    bad: str
    """A broken rule."""

    def side(self, player: int, viewpoint: Viewpoint) -> str:
        """Return the style of what is `player`'s."""
        return self.near if player == viewpoint.near else self.far

    def marked(self, mark: str, otherwise: str) -> str:
        """Return the style of what is LIT or PICKED; `otherwise` that of what is neither."""
        return {LIT: self.lit, PICKED: self.picked}.get(mark, otherwise)


DARK: Final = TextStyles(
    quiet="#acacac",
    strong="bold #ffffff",
    near="bold #56b4e9",
    far="bold #e69f00",
    key="bold #f0e442",
    lit="bold #000000 on #ffffff",
    picked="bold #000000 on #f0e442",
    object="bold #000000 on #e8e4d8",
    good="bold #5fd7a7",
    bad="bold #ffffff on #b03000",
)
LIGHT: Final = TextStyles(
    quiet="#565656",
    strong="bold #000000",
    near="bold #005b8f",
    far="bold #8a3c00",
    key="bold #8f2a00",
    lit="bold #ffffff on #000000",
    picked="bold #ffffff on #8a3c00",
    object="bold #000000 on #fffdf4",
    good="bold #00664a",
    bad="bold #ffffff on #b03000",
)
PLAIN: Final = TextStyles("", "bold", "bold", "bold", "bold", "bold", "bold reverse", "reverse", "bold", "bold reverse")
"""For a terminal without colours."""


LIT: Final = "lit"
"""The mark of what can be chosen."""
PICKED: Final = "picked"
"""The mark of what Enter would choose."""

_MEANS: Final = "means"
"""The name of what a click means, among the data of a style."""


class Canvas(NamedTuple):
    """A canvas: cells across and down, the styles, and the characters that the terminal can show."""

    width: int
    height: int
    text_styles: TextStyles = DARK
    charset: Charset = UNICODE

    def lines(self, text: object, style: str = "") -> list[Text]:
        """Return a text in those characters, folded to the width."""
        return [Text(line, style) for line in folded(self.charset.transliterate(str(text)), max(self.width, 10))]


def clickable(text: Text, *means: str, width: int = 0) -> Text:
    """Return `text`, and blanks behind it up to `width` cells, as a place to click; nowhere if that `means` nothing.

    It can be clicked wherever it is put, whatever is put around it.
    """
    place = Text.assemble(text, " " * (width - text.cell_len))
    if means:
        place.apply_meta({_MEANS: means})
    return place


def means_of(style: str | Style) -> tuple[str, ...]:
    """Return what a click on text of that style means; nothing if it cannot be clicked."""
    return tuple(style.meta.get(_MEANS, ())) if isinstance(style, Style) else ()


def clicks(lines: Iterable[Text]) -> Sequence[tuple[str, ...]]:
    """Return what clicks on these lines can mean, in their order, each once."""
    found = (means_of(span.style) for line in lines for span in line.spans)
    return list(dict.fromkeys(filter(None, found)))


def narrowed(lines: Sequence[Text], width: int) -> Sequence[Text]:
    """Return the lines of a table without columns of blanks between its columns, as many as must go for it to fit.

    One blank stays between two columns. A table that has wide characters stays as it is.
    """
    longest = max((line.cell_len for line in lines), default=0)
    if longest <= width or any(line.cell_len != len(line) for line in lines):
        return lines
    rows = [line.plain.ljust(longest) for line in lines]
    blank = [column for column in range(1, longest) if all(row[column - 1 : column + 1] == "  " for row in rows)]
    narrow = [line.copy() for line in lines]
    for column in reversed(blank[: longest - width]):
        narrow = [Text.assemble(line[:column], line[column + 1 :]) if len(line) > column else line for line in narrow]
    return narrow


class Border(NamedTuple):
    """The characters of a border."""

    top_left: str
    across: str
    top_right: str
    down: str
    bottom_left: str
    bottom_right: str

    def enclose(self, rows: Iterable[Text], edge: str, above: Text, below: Text | None = None) -> list[Text]:
        """Return rows within this border, of the style `edge`; `above` and `below` are as wide as they are."""
        below = below or Text(self.across * above.cell_len, edge)
        return [
            Text.assemble((self.top_left, edge), above, (self.top_right, edge)),
            *(Text.assemble((self.down, edge), row, (self.down, edge)) for row in rows),
            Text.assemble((self.bottom_left, edge), below, (self.bottom_right, edge)),
        ]


_BORDERS: Final = {"": Border(*"╭─╮│╰╯"), LIT: Border(*"┏━┓┃┗┛"), PICKED: Border(*"╔═╗║╚╝")}
_ASCII_BORDERS: Final = {"": Border(*"+-+|++"), LIT: Border(*"*=*I**"), PICKED: Border(*"######")}


def border(mark: str, canvas: Canvas) -> Border:
    """Return the border of what has that mark, LIT or PICKED, or none: all differ without colour."""
    return (_ASCII_BORDERS if canvas.charset.ascii_only else _BORDERS)[mark]


_PIPS: Final = ("       ", " o     ", "   o   ", "     o ", " o   o ")
_FACES: Final = ((0, 0, 0), (0, 2, 0), (1, 0, 3), (1, 2, 3), (4, 0, 4), (4, 2, 4), (4, 4, 4))
"""The three lines of pips for each number, and for no number yet."""


def large_die(number: int, canvas: Canvas, style: str, *, boxed: bool = True) -> list[Text]:
    """Draw a die of six sides, 7 cells by 3 lines or in a box of 9 by 5; `number` is 0 where none has been rolled."""
    pip, outline = "o" if canvas.charset.ascii_only else "●", border("", canvas)
    rows = [Text(_PIPS[row].replace("o", pip), style) for row in _FACES[number]]
    return outline.enclose(rows, style, Text(outline.across * 7, style)) if boxed else rows


class MenuItem(NamedTuple):
    """An open action: the keys that pick it (the first is shown), the group it is listed in, and a few words."""

    action: str
    keys: str
    group: str
    label: str
    typed: str = ""
    """Several keys, one after the other, that pick it as well; shown in place of the first of `keys`."""
    then: tuple["MenuItem", ...] = ()
    """The next step of a decision in several: items to choose from once this one, which is no action then, is chosen.

    Different items may go on with the same ones.
    """
    usual: bool = False
    """True if it is picked at once where it is open: Enter plays it."""

    @property
    def key(self) -> str:
        """The key or keys that are shown."""
        return self.typed or self.keys[0]


class ActionMenu(NamedTuple):
    """The menu items that are open to the near side, and the action of the one that Enter would play."""

    items: Sequence[MenuItem] = ()
    picked: str | None = None

    @property
    def actions(self) -> Sequence[str]:
        """The actions of the items."""
        return [item.action for item in self.items]

    def mark(self, *actions: str) -> str:
        """Return PICKED if one of these actions is, LIT if one of them is open, else nothing."""
        if self.picked in actions:
            return PICKED
        return LIT if any(item.action in actions for item in self.items) else ""


class BoardView(Protocol[S]):
    """The full screen of one game; `S` is the type of its positions."""

    widest: int = 79
    """The most cells across that its table can use."""

    def heading(self, state: S, viewpoint: Viewpoint) -> str:
        """Return how far the game has come, in a few words."""
        ...

    def menu_items(self, state: S, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:
        """Return the legal actions of `player`, each with its key, group by group."""
        ...

    def board(
        self, state: S, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        """Return the table as it lies, at least 79 by 14 cells; nobody is to act where the game has `ended`."""
        ...

    def scores(self, state: S, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        """Return the scores of both, at most 40 cells wide."""
        ...

    def holdings(self, state: S, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:  # noqa: ARG002
        """Return in full what the table and the scores only have signs for, below the table in a large window.

        Empty where `canvas`, as wide as the table, has too few lines for it, and for a game that has nothing to add.
        """
        return ()

    def overview(self, before: S, step: Step, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:  # noqa: ARG002
        """Return the outcome of the stage that `step` ended, at most 76 cells wide; empty where `Table.overview` is."""
        return ()

    def frames(self, before: S, step: Step, after: S) -> Iterable[S]:  # noqa: ARG002
        """Yield the frames in which `step` is seen to happen, before `after` is shown; none if it shows at once.

        All stay equally long; one that is yielded again stays longer. They need not be positions of the rules.
        """
        return ()

    def choosing(self, state: S, chosen: Collection[int]) -> S:  # noqa: ARG002
        """Return what is shown of a position in which both choose in secret, and the players `chosen` have done so."""
        return state
