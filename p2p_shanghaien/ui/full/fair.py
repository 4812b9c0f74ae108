"""Why a draw is fair: everything that decided it, so that it can be worked out again by hand."""

from collections.abc import Iterator

from rich.text import Text

from p2p_shanghaien.ui.full.parts import Paper
from p2p_shanghaien.ui.presenter import Presenter, Seated
from p2p_shanghaien.ui.words import say


def fair_lines(presenter: Presenter, paper: Paper) -> Iterator[Text]:
    """Yield the last draw, as wide as the paper."""
    ink = paper.ink
    if presenter.draw is None:
        yield from paper.lines(say("fair_none"), ink.quiet)
        return
    draw, ours = presenter.draw
    committer, other = _players(presenter.seated, ours)
    committed, answered = draw.shares[draw.seat], draw.shares[1 - draw.seat]
    steps: tuple[tuple[str, bytes], ...] = (
        (say("fair_commitment", who=committer, number=draw.committed_at), draw.commitment),
        (say("fair_answer", who=other), answered),
        (say("fair_opened", who=committer, number=draw.number), committed),
    )
    yield from paper.lines(say("fair_intro"), ink.quiet)
    for words, value in steps:
        yield from paper.lines(words, ink.strong)
        yield from _hex(value, paper.width)
    indices = ", ".join(f"{index}<{bound}" for index, bound in zip(draw.indices, draw.bounds, strict=True))
    yield from paper.lines(say("fair_outcome", indices=indices), ink.strong)
    yield from paper.lines(say("fair_state"), ink.strong)
    yield from _hex(draw.state_hash, paper.width)
    yield from paper.lines(say("fair_check"), ink.quiet)
    for formula in ("fair_formula_commitment", "fair_formula_seed", "fair_formula_index"):
        values = {"committed": draw.committed_at, "number": draw.number, "who": committer}
        yield from paper.lines(say(formula, **values))
    for words, value in (("session", draw.session), ("key", draw.key), ("parent", draw.parent)):
        yield from paper.lines(say(f"fair_{words}", who=committer), ink.strong)
        yield from _hex(value, paper.width)


def _players(game: Seated | None, ours: bool) -> tuple[str, str]:
    """Return who committed, and who answered, as they are called here; no names before it is known who sits where."""
    if game is None:
        return "", ""
    us, them = game.seating.who(game.seating.near), game.other
    return (us, them) if ours else (them, us)


def _hex(value: bytes, width: int) -> Iterator[Text]:
    digits = value.hex()
    size = max(8, min(len(digits), width - 2) // 8 * 8)
    for at in range(0, len(digits), size):
        yield Text(f"  {digits[at : at + size]}")
