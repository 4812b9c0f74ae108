"""A decision at the full screen: what is open, what is picked, and that nothing is played before it is confirmed."""

import asyncio
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.ui.full.drawing import Canvas, Drawing, HitRegion, TextStyles
from p2p_shanghaien.ui.presenter import Presenter

GROUP: Final = 12
"""Cells of the groups' names."""


class Choosing:
    """The decision of `player` in `state`, among `legal`; `answer` is the action, once it has been played."""

    def __init__(
        self,
        presenter: Presenter,
        state: State,
        player: int,
        legal: Sequence[Action],
        answer: "asyncio.Future[str]",
    ) -> None:
        self.state = state
        self.player = player
        self.answer = answer
        self._presenter = presenter
        self._legal = legal
        self._at: int | None = None
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what is open in the language that is chosen now; what is picked stays so."""
        presenter, asked = self._presenter, (self.state, self.player, self._legal)
        fit = presenter.charset.transliterate
        self.offers = [
            offer._replace(group=fit(offer.group), label=fit(offer.label))
            for offer in presenter.game.board_view.offers(*asked, presenter.game.seating)
        ]
        self._words = {choice.action: choice.words for choice in presenter.choices(*asked)}

    @property
    def picked(self) -> str | None:
        return None if self._at is None else self.offers[self._at].action

    @property
    def meaning(self) -> str | None:
        """Return the choice that would be played, in words."""
        return self._words.get(self.picked or "")

    def drop(self) -> None:
        """Pick nothing."""
        self._at = None

    def key(self, character: str) -> bool:
        """Pick the offer of that key, the next one of several; whether there is one."""
        return self._next([i for i, offer in enumerate(self.offers) if character in offer.keys])

    def touch(self, actions: Sequence[str]) -> bool:
        """Pick one of `actions`, the next one of several. Whether the only one of them had been picked already."""
        if len(actions) == 1 and self.picked == actions[0]:
            return True
        self._next([i for i, offer in enumerate(self.offers) if offer.action in actions])
        return False

    def step(self, by: int) -> None:
        """Pick the offer that stands `by` further in the list, from its end to its beginning."""
        start = -1 if by > 0 else 0
        self._at = ((start if self._at is None else self._at) + by) % len(self.offers)

    def leap(self, by: int) -> None:
        """Pick the first offer of the next group, or of the one before."""
        groups = list(dict.fromkeys(offer.group for offer in self.offers))
        at = groups.index(self.offers[self._at].group) + by if self._at is not None else min(by, 0) % len(groups)
        group = groups[at % len(groups)]
        self._at = next(i for i, offer in enumerate(self.offers) if offer.group == group)

    def play(self) -> bool:
        """Play what is picked; whether anything was."""
        if self._at is None or self.answer.done():
            return False
        self.answer.set_result(self.offers[self._at].action)
        return True

    def _next(self, indices: Sequence[int]) -> bool:
        if indices:
            after = [i for i in indices if self._at is not None and i > self._at]
            self._at = after[0] if after and self._at in indices else indices[0]
        return bool(indices)

    def draw(self, canvas: Canvas) -> Drawing:
        """The offers with their keys, as high as `canvas` at most: each group on lines of its own where there is room.

        Where not even one after the other fits, the lines around what is picked are shown, with arrows where there are
        others above and below.
        """
        width, height, text_styles, charset = canvas
        whole = self._laid_out(width, text_styles, flowing=False)
        if len(whole.lines) > height:
            whole = self._laid_out(width - 2, text_styles, flowing=True)
        over = len(whole.lines) - height
        if over <= 0:
            return whole
        at = next((region.y for region in whole.regions if region.means == (self.picked,)), 0)
        first = min(max(at - height // 2, 0), over)
        lines = list(whole.lines[first : first + height])
        above, below = "^v" if charset.ascii_only else "↑↓"
        for line, mark, cut_off in ((lines[0], above, first), (lines[-1], below, over - first)):
            if cut_off:
                line.align("left", width - 1)
                line.append(mark, text_styles.key)
        regions = [
            region._replace(y=region.y - first) for region in whole.regions if first <= region.y < first + height
        ]
        return Drawing(lines, regions)

    def _laid_out(self, width: int, text_styles: TextStyles, *, flowing: bool) -> Drawing:
        """All lines and spots; `flowing` has groups follow each other within a line."""
        lines = [Text("   ")]
        regions: list[HitRegion] = []
        group = ""
        for number, offer in enumerate(self.offers):
            chip = f"[{offer.keys[0]}] {offer.label}"
            begins = offer.group != group
            head = offer.group if begins else ""
            lead = f"{head} " if flowing and head else ""
            cells = cell_len(lead + chip)
            if (begins and number and not flowing) or lines[-1].cell_len + cells + 2 > width:
                lines.append(Text("   "))
            if not flowing and offer.group and lines[-1].cell_len == 3:
                lead = f"{head:<{GROUP}}"
            group = offer.group
            lines[-1].append(lead, text_styles.quiet)
            regions.append(HitRegion(lines[-1].cell_len, len(lines) - 1, cell_len(chip), 1, (offer.action,)))
            if offer.action == self.picked:
                lines[-1].append(chip, text_styles.picked)
            else:
                lines[-1].append(chip[:3], text_styles.key).append(chip[3:])
            lines[-1].append("  ")
        return Drawing(lines, regions)
