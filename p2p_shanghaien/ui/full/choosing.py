"""A decision at the full screen: what is open, what is picked, and that nothing is played before it is confirmed."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.errors import TakeBack
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.ui.full.drawing import Canvas, MenuItem, TextStyles, clickable, clicks
from p2p_shanghaien.ui.presenter import Presenter

GROUP: Final = 12
"""Cells of the groups' names."""


class Choosing:
    """The decision of `player` in `state`; `answer` is the action, once it has been played."""

    def __init__(
        self,
        presenter: Presenter,
        state: State,
        player: int,
        answer: "asyncio.Future[str]",
    ) -> None:
        self.state = state
        self.player = player
        self.answer = answer
        self._presenter = presenter
        self._at: int | None = None
        self._typed = ""
        """The keys that have picked what is picked."""
        self._picked_by: dict[str, int | None] = {}
        """The item that several keys have picked last; typed again, they pick the next one."""
        self._steps: list[int] = []
        """The steps of the decision that have been chosen, where it has several: the index of each in its items."""
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what is open in the language that is chosen now; what is picked stays so."""
        presenter, asked = self._presenter, (self.state, self.player)
        self._first_items = presenter.game.board_view.menu_items(*asked, presenter.game.viewpoint)
        self._open_items()
        self._words = {choice.action: choice.words for choice in presenter.choices(*asked)}

    def _transliterated(self, item: MenuItem) -> MenuItem:
        group, label = map(self._presenter.charset.transliterate, (item.group, item.label))
        return item._replace(group=group, label=label)

    def _open_items(self) -> None:
        """Find the items that follow the steps chosen so far."""
        items = self._first_items
        for index in self._steps:
            items = items[index].then
        self.items: Sequence[MenuItem] = [self._transliterated(item) for item in items]
        """The items that are open; where steps of a decision have been chosen, those of the next one."""

    @property
    def keys(self) -> Mapping[Action, str]:
        """The keys that pick each action, by the fewest steps."""
        found: dict[Action, str] = {}
        seen = set[int]()
        steps = deque([("", self._first_items)])
        while steps:
            before, items = steps.popleft()
            for item in items:
                keys = f"{before} {item.key}".strip()
                if not item.then:
                    found.setdefault(item.action, keys)
                elif id(item.then) not in seen:
                    seen.add(id(item.then))
                    steps.append((keys, item.then))
        return found

    @property
    def picked(self) -> str | None:
        return None if self._at is None else self.items[self._at].action

    @property
    def meaning(self) -> str | None:
        """Return the choice that would be played, in words."""
        return self._words.get(self.picked or "")

    def drop(self) -> None:
        """Pick nothing; where nothing is picked, or what is usual, go back to the step of the decision before."""
        if self._steps and (self._at is None or self.items[self._at].usual):
            self._steps.pop()
            self._open_items()
            self._pick_usual()
        else:
            self._forget()

    def key(self, character: str) -> bool:
        """Pick the item of that key, the next one of several; whether there is one.

        It may continue what was typed before: of 1 and 12, the keys 1 and 2 pick first the one, then the other.
        """
        for typed in dict.fromkeys((self._typed + character, character)):
            exact = [i for i, item in enumerate(self.items) if typed == item.typed or typed in tuple(item.keys)]
            begun = [i for i, item in enumerate(self.items) if item.typed.startswith(typed)]
            if self._next(exact or begun, self._picked_by.get(typed) if len(typed) > 1 else self._at):
                self._typed = typed
                self._picked_by[typed] = self._at
                self.go_on()
                return True
        return False

    def touch(self, actions: Sequence[str]) -> bool:
        """Pick one of `actions`, the next one of several. Whether the only one of them had been picked already."""
        if len(actions) == 1 and self.picked == actions[0]:
            return True
        self._typed = ""
        if self._next([i for i, item in enumerate(self.items) if item.action in actions], self._at):
            self.go_on()
        return False

    def go_on(self) -> bool:
        """Go on to the next step of the decision, if one that has a next is picked; whether it was."""
        if self._at is None or not self.items[self._at].then:
            return False
        self._steps.append(self._at)
        self._open_items()
        self._pick_usual()
        return True

    def step(self, by: int) -> None:
        """Pick the item that stands `by` further in the list, from its end to its beginning."""
        self._typed = ""
        start = -1 if by > 0 else 0
        self._at = ((start if self._at is None else self._at) + by) % len(self.items)

    def leap(self, by: int) -> None:
        """Pick the first item of the next group, or of the one before."""
        self._typed = ""
        groups = list(dict.fromkeys(item.group for item in self.items))
        at = groups.index(self.items[self._at].group) + by if self._at is not None else min(by, 0) % len(groups)
        group = groups[at % len(groups)]
        self._at = next(i for i, item in enumerate(self.items) if item.group == group)

    def _pick_usual(self) -> None:
        """Pick what is usual in a step that has been opened, if anything is."""
        self._forget()
        self._at = next((i for i, item in enumerate(self.items) if item.usual), None)

    def _forget(self) -> None:
        self._at, self._typed = None, ""
        self._picked_by.clear()

    def play(self) -> bool:
        """Play what is picked; whether anything was."""
        if self._at is None or self.answer.done():
            return False
        self.answer.set_result(self.items[self._at].action)
        return True

    def take_back(self) -> None:
        """Take the decision before this one back, instead of an answer."""
        if not self.answer.done():
            self.answer.set_exception(TakeBack())

    def _next(self, indices: Sequence[int], at: int | None) -> bool:
        """Pick the one of `indices` after `at`, the first if that is none of them; whether there is any."""
        if indices:
            after = [i for i in indices if at is not None and i > at]
            self._at = after[0] if after and at in indices else indices[0]
        return bool(indices)

    def draw(self, canvas: Canvas) -> Sequence[Text]:
        """Return the items with their keys, as high as `canvas` at most: each group on its own lines if there is room.

        Where not even one after the other fits, the lines around what is picked are shown, with arrows where there are
        others above and below.
        """
        width, height, text_styles, charset = canvas
        whole = self._laid_out(width, text_styles, flowing=False)
        if len(whole) > height:
            whole = self._laid_out(width - 2, text_styles, flowing=True)
        over = len(whole) - height
        if over <= 0:
            return whole
        at = next((number for number, line in enumerate(whole) if (self.picked,) in clicks([line])), 0)
        first = min(max(at - height // 2, 0), over)
        lines = whole[first : first + height]
        above, below = "^v" if charset.ascii_only else "↑↓"
        for line, mark, cut_off in ((lines[0], above, first), (lines[-1], below, over - first)):
            if cut_off:
                line.align("left", width - 1)
                line.append(mark, text_styles.key)
        return lines

    def _laid_out(self, width: int, text_styles: TextStyles, *, flowing: bool) -> list[Text]:
        """Return all lines; `flowing` has groups follow each other within a line."""
        lines = [Text("   ")]
        group = ""
        for number, item in enumerate(self.items):
            chip = f"[{item.key}] {item.label}".rstrip()
            begins = item.group != group
            head = item.group if begins else ""
            lead = f"{head} " if flowing and head else ""
            cells = cell_len(lead + chip)
            if (begins and number and not flowing) or lines[-1].cell_len + cells + 2 > width:
                lines.append(Text("   "))
            if not flowing and item.group and lines[-1].cell_len == 3:
                lead = f"{head:<{GROUP}}"
            group = item.group
            lines[-1].append(lead, text_styles.quiet)
            mark = len(item.key) + 2
            shown = Text.assemble((chip[:mark], text_styles.key), chip[mark:])
            if item.action == self.picked:
                shown = Text(chip, text_styles.picked)
            lines[-1].append_text(clickable(shown, item.action)).append("  ")
        return lines
