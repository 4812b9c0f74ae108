"""Why a draw is fair: everything that decided it, so that it can be worked out again by hand."""

from collections.abc import Iterator

from rich.text import Text

from p2p_shanghaien.ui.full.drawing import Canvas
from p2p_shanghaien.ui.presenter import Presenter, ShownGame
from p2p_shanghaien.ui.words import say


def fair_lines(presenter: Presenter, canvas: Canvas) -> Iterator[Text]:
    """Yield the last draw, as wide as the canvas."""
    text_styles = canvas.text_styles
    if presenter.draw is None:
        yield from canvas.lines(say("fair_none"), text_styles.quiet)
        return
    draw, ours = presenter.draw
    committer, other = _players(presenter.seated, ours)
    committed, answered = draw.shares[draw.seat], draw.shares[1 - draw.seat]
    steps: tuple[tuple[str, bytes], ...] = (
        (say("fair_commitment", who=committer, number=draw.committed_at), draw.commitment),
        (say("fair_answer", who=other), answered),
        (say("fair_opened", who=committer, number=draw.number), committed),
    )
    yield from canvas.lines(say("fair_intro"), text_styles.quiet)
    for words, value in steps:
        yield from canvas.lines(words, text_styles.strong)
        yield from _hex(value, canvas.width)
    indices = ", ".join(f"{index}<{bound}" for index, bound in zip(draw.indices, draw.bounds, strict=True))
    yield from canvas.lines(say("fair_outcome", indices=indices), text_styles.strong)
    yield from canvas.lines(say("fair_state"), text_styles.strong)
    yield from _hex(draw.state_hash, canvas.width)
    yield from canvas.lines(say("fair_check"), text_styles.quiet)
    for formula in ("fair_formula_commitment", "fair_formula_seed", "fair_formula_index"):
        values = {"committed": draw.committed_at, "number": draw.number, "who": committer}
        yield from canvas.lines(say(formula, **values))
    for words, value in (("session", draw.session), ("key", draw.key), ("parent", draw.parent)):
        yield from canvas.lines(say(f"fair_{words}", who=committer), text_styles.strong)
        yield from _hex(value, canvas.width)


def _players(game: ShownGame | None, ours: bool) -> tuple[str, str]:
    """Return who committed, and who answered, as they are called here; no names before it is known who sits where."""
    if game is None:
        return "", ""
    us, them = game.viewpoint.who(game.viewpoint.near), game.other
    return (us, them) if ours else (them, us)


def _hex(value: bytes, width: int) -> Iterator[Text]:
    digits = value.hex()
    size = max(8, min(len(digits), width - 2) // 8 * 8)
    for at in range(0, len(digits), size):
        yield Text(f"  {digits[at : at + size]}")
