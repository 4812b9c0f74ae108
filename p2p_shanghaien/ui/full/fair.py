"""Why a draw is fair: everything that decided it, so that it can be worked out again by hand."""

from collections.abc import Callable, Iterator

from rich.text import Text

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.ui.full.parts import Ink
from p2p_shanghaien.ui.screen import folded


def fair_lines(
    draw: Drew | None, committer: str, other: str, width: int, ink: Ink, say: Callable[..., str]
) -> Iterator[Text]:
    """The draw, at most `width` cells wide; `committer` opened the commitment, `other` answered it.

    `say` gives the words of a code.
    """
    if draw is None:
        yield from _said(say("fair_none"), width, ink.quiet)
        return
    committed, answered = draw.shares[draw.seat], draw.shares[1 - draw.seat]
    steps: tuple[tuple[str, bytes], ...] = (
        (say("fair_commitment", who=committer, number=draw.committed_at), draw.commitment),
        (say("fair_answer", who=other), answered),
        (say("fair_opened", who=committer, number=draw.number), committed),
    )
    yield from _said(say("fair_intro"), width, ink.quiet)
    for words, value in steps:
        yield from _said(words, width, ink.strong)
        yield from _hex(value, width)
    indices = ", ".join(f"{index}<{bound}" for index, bound in zip(draw.indices, draw.bounds, strict=True))
    yield from _said(say("fair_outcome", indices=indices), width, ink.strong)
    yield from _said(say("fair_state"), width, ink.strong)
    yield from _hex(draw.state_hash, width)
    yield from _said(say("fair_check"), width, ink.quiet)
    for formula in ("fair_formula_commitment", "fair_formula_seed", "fair_formula_index"):
        values = {"committed": draw.committed_at, "number": draw.number, "who": committer}
        yield from _said(say(formula, **values), width, "")
    for words, value in (("session", draw.session), ("key", draw.key), ("parent", draw.parent)):
        yield from _said(say(f"fair_{words}", who=committer), width, ink.strong)
        yield from _hex(value, width)


def _said(text: str, width: int, style: str) -> Iterator[Text]:
    for line in folded(text, max(width, 10)):
        yield Text(line, style)


def _hex(value: bytes, width: int) -> Iterator[Text]:
    digits = value.hex()
    size = max(8, min(len(digits), width - 2) // 8 * 8)
    for at in range(0, len(digits), size):
        yield Text(f"  {digits[at : at + size]}")
