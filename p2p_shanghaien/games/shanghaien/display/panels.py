"""Shanghaien's score table and round overview, as panels beside the table in full-screen mode."""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.pieces import CARD, card_lines, taker_mark
from p2p_shanghaien.games.shanghaien.display.story import trick_words
from p2p_shanghaien.games.shanghaien.display.view import Overview, Standing, View
from p2p_shanghaien.games.shanghaien.rules import ROUNDS
from p2p_shanghaien.games.shanghaien.scoring import Contest
from p2p_shanghaien.ui.full.drawing import Canvas
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

_WORD, _CREW, _POINTS, _TAVERN, _PILE = 9, 6, 3, 4, 5
"""The cells of the score table's columns: nationality, a crew, its points, sailors in the tavern and in the pile."""
_NAME, _STRENGTH, _SAILORS, _MOST_CARDS = 12, 5, 9, 30
"""The cells of the holdings' columns: nationality, strength, all sailors of one nationality, and a crew at the most."""


def heading(view: View, viewpoint: Viewpoint) -> str:
    """Return the round, who starts it, and how many cards are still to come."""
    begun = any(sum(place.contest.dice) for place in view.places)
    starter = str(viewpoint.news("shanghaien:started" if begun else "shanghaien:starts", view.starter))
    parts = (
        say("shanghaien:round_of", round=view.round, rounds=ROUNDS),
        starter,
        say("shanghaien:pile", count=view.pile),
    )
    return f" {viewpoint.charset.nothing} ".join(parts)


def scores(view: View, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield for each nationality both crews and their points, the sailors in the tavern and those still in the pile."""
    scoring, text_styles = view.scoring, canvas.text_styles
    sides = (viewpoint.far, viewpoint.near)
    head = Text(" " * _WORD)
    for player in sides:
        name = canvas.charset.cut(viewpoint.who(player), _CREW + _POINTS)
        head.append(f" {name:>{_CREW + _POINTS}}", text_styles.side(player, viewpoint))
    for code, cells in (("shanghaien:scores_row", _TAVERN), ("shanghaien:scores_pile", _PILE)):
        head.append(f" {canvas.charset.cut(canvas.charset.say(code), cells):>{cells}}", text_styles.quiet)
    yield head
    for standing in scoring.standings:
        yield _standing(standing, sides, canvas)
    held = [view.sides[player].tricks for player in sides]
    yield _line(
        Text(canvas.charset.cut(canvas.charset.say("shanghaien:scores_tricks"), _WORD), "bold"),
        [(" ".join(tricks) if len(tricks) < 4 else tricks, str(len(tricks))) for tricks in held],
        str(scoring.tricks_in_tavern or canvas.charset.nothing),
        str(scoring.tricks_to_come or canvas.charset.nothing),
    )
    total = _line(
        Text(canvas.charset.say("shanghaien:scores_sum")),
        [("", str(scoring.totals[player])) for player in sides],
        "",
        "",
    )
    total.stylize("bold")
    yield total


def _standing(standing: Standing, sides: tuple[int, int], canvas: Canvas) -> Text:
    letter = standing.nationality
    word = Text(canvas.charset.cut(canvas.charset.say(f"shanghaien:short_nationality_{letter}"), _WORD).ljust(_WORD))
    word.stylize(STYLES[letter] if canvas.text_styles.quiet else "bold")
    nothing = canvas.charset.nothing
    crews = []
    for player in sides:
        strength = standing.strengths[player]
        whole = f"{standing.crews[player]}={strength}"
        crew = (whole if len(whole) <= _CREW else f"={strength}") if strength else nothing
        crews.append((crew, str(standing.points[player]) if strength else nothing))
    tavern = canvas.charset.cut(standing.tavern, _TAVERN)
    return _line(word, crews, tavern or nothing, standing.to_come or nothing)


def holdings(view: View, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield the crews beside each other: all sailors and jokers by name, strengths, points, and what is to come.

    None if `canvas` has too few lines. The table is 79 cells wide, and wider where the canvas is.
    """
    if canvas.height < len(NATIONALITIES) + 3:
        return
    scoring, text_styles, charset = view.scoring, canvas.text_styles, canvas.charset
    cards = min((canvas.width - 2 - _NAME - 2 * (_SAILORS + 1)) // 2 - 2 - _STRENGTH - _POINTS, _MOST_CARDS)
    player_cells = cards + _STRENGTH + _POINTS

    def line(name: Text, sides: Iterable[Text], to_come: Iterable[str]) -> Text:
        name.align("left", _NAME)
        row = Text(" ").append_text(name)
        for side in sides:
            side.align("left", player_cells)
            row.append("  ").append_text(side)
        for cell in to_come:
            row.append(f" {charset.cut(cell, _SAILORS):>{_SAILORS}}", text_styles.quiet)
        return row

    def side(held: str, strength: str, points: int | None) -> Text:
        text = Text(charset.cut(held, cards))
        text.align("left", cards)
        text.append(f"{strength:>{_STRENGTH}}", text_styles.quiet)
        return text.append("" if points is None else f"{points:>{_POINTS}}", "bold")

    sides = (viewpoint.far, viewpoint.near)
    points = charset.say("shanghaien:points")
    heads = []
    for player in sides:
        called = charset.cut(viewpoint.who(player), player_cells - cell_len(points) - 3)
        head = Text(f"{viewpoint.mark(player)} {called}", text_styles.side(player, viewpoint))
        head.align("left", player_cells - cell_len(points))
        heads.append(head.append(points, text_styles.quiet))
    yield line(Text(), heads, [charset.say("shanghaien:on_table"), charset.say("shanghaien:to_come")])
    for standing in scoring.standings:
        letter = standing.nationality
        crews = []
        for player in sides:
            marks, strength = standing.crews[player], standing.strengths[player]
            held = _by_name(marks, cards, canvas) or charset.nothing
            crews.append(
                side(held, f"= {strength}" if len(marks) > 1 else "", standing.points[player] if marks else None)
            )
        name = Text(f" {charset.cut(charset.say(f'shanghaien:nationality_{letter}'), _NAME - 2)} ")
        name.stylize(STYLES[letter] if text_styles.quiet else "bold")
        yield line(name, crews, [" ".join(standing.tavern), " ".join(standing.to_come)])
    tricks = []
    for player in sides:
        held = view.sides[player].tricks
        names_of = charset.transliterate(trick_words(held))
        tricks.append(
            side((names_of if cell_len(names_of) <= cards else " ".join(held)) or charset.nothing, "", len(held))
        )
    counts = [str(count or "") for count in (scoring.tricks_in_tavern, scoring.tricks_to_come)]
    yield line(Text(f" {charset.cut(charset.say('shanghaien:scores_tricks'), _NAME - 1)}", "bold"), tricks, counts)
    totals = [side("", "", scoring.totals[player]) for player in sides]
    yield line(Text(f" {charset.cut(charset.say('shanghaien:scores_sum'), _NAME - 1)}", "bold"), totals, [])


def _by_name(marks: str, cells: int, canvas: Canvas) -> str:
    """Return the cards of a crew: sailors by value, jokers by the trick; by its letter where that is too long."""
    named = " ".join(mark if mark.isdigit() else canvas.charset.say(f"shanghaien:trick_{mark}") for mark in marks)
    return named if cell_len(named) <= cells else " ".join(marks)


def _line(word: Text, crews: list[tuple[str, str]], tavern: str, to_come: str) -> Text:
    word.align("left", _WORD)
    line = word
    for crew, points in crews:
        line.append(f" {crew:>{_CREW}}")
        line.append(f"{points:>{_POINTS}}", "bold")
    line.append(f" {tavern:>{_TAVERN}} {to_come:>{_PILE}}")
    return line


def overview(result: Overview, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield each card between both dice counts, with the sums that decided, and an arrow to its taker."""
    called = viewpoint.news("shanghaien:called_shanghai", result.caller, round=result.round)
    yield Text(canvas.charset.transliterate(str(called)), canvas.text_styles.strong)
    yield Text()
    contests = [contest for _, contest in result.decided]
    cards = [
        card_lines(card, str(n), taker_mark(contest.taker, viewpoint), "", canvas, 5)
        for n, (card, contest) in enumerate(result.decided, start=1)
    ]
    far, near = viewpoint.far, viewpoint.near
    for player in (far, near):
        if player == near:
            for row in zip(*cards, strict=True):
                yield Text(" ").join(row)
        name = Text(canvas.charset.cut(viewpoint.who(player), 6 * CARD), canvas.text_styles.side(player, viewpoint))
        rows = [name, _cells([_count(contest, player, canvas) for contest in contests])]
        yield from rows if player == far else reversed(rows)
    yield Text()
    takers = [_taker(contest.taker, viewpoint, canvas) for contest in contests]
    yield _cells(takers)
    out = [card for card, contest in result.decided if contest.taker is None]
    if out:
        yield Text(canvas.charset.say("shanghaien:left_game", cards=", ".join(out)), canvas.text_styles.quiet)


def _cells(cells: list[Text]) -> Text:
    for cell in cells:
        cell.align("center", CARD)
    return Text(" ").join(cells)


def _count(contest: Contest, player: int, canvas: Canvas) -> Text:
    """Return the number of a player's dice at a card, with the sum beside it if that decided."""
    count, style = contest.dice[player], "bold" if contest.taker == player else ""
    if contest.neighbours is None:
        return Text(canvas.charset.say("shanghaien:dice_count", count=count), style)
    return Text(canvas.charset.say("shanghaien:beside", count=count, sum=contest.neighbours[player]), style)


def _taker(player: int | None, viewpoint: Viewpoint, canvas: Canvas) -> Text:
    if player is None:
        return Text(canvas.charset.say("shanghaien:nobody"), canvas.text_styles.quiet)
    name = canvas.charset.cut(viewpoint.who(player), CARD - 2)
    return Text(f"{viewpoint.mark(player)} {name}", canvas.text_styles.side(player, viewpoint))
