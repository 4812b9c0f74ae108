"""Halunken's words within the ring, its scores, and how a hand came out, in full-screen mode and in pictures."""

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.halunken.display.pieces import HIDDEN, colour
from p2p_shanghaien.games.halunken.display.view import Auction, Cards, Crew, View, crew, groups, view
from p2p_shanghaien.games.halunken.happenings import HandScored
from p2p_shanghaien.games.halunken.rogues import COLOURS
from p2p_shanghaien.games.halunken.rules import ROUNDS, RUM, Phase, State, happenings
from p2p_shanghaien.ui.full.drawing import Canvas
from p2p_shanghaien.ui.view import News, Viewpoint
from p2p_shanghaien.ui.words import say

_AWAITED: Final = {
    Phase.PLACE: "place",
    Phase.PLACE_JACK: "place_jack",
    Phase.AUCTION: "auction",
    Phase.NAME: "name",
    Phase.ROB_CAPTAIN: "rob_captain",
    Phase.ROB_JACK: "rob_jack",
    Phase.JACK_NAME: "jack_name",
    Phase.JACK_ROB: "jack_rob",
    Phase.LOSE: "lose",
}
"""The task of a player, by phase: a part of the code of its words."""
_ROBBING: Final = (Phase.ROB_CAPTAIN, Phase.JACK_ROB)


def heading(seen: View, viewpoint: Viewpoint) -> str:
    """Return the hand, if there are several, and the round."""
    round_ = say("halunken:round_of", round=seen.round, rounds=ROUNDS) if seen.round else say("halunken:setup")
    if seen.hands == 1:
        return round_
    return f"{say('halunken:hand_of', hand=seen.hand, hands=seen.hands)} {viewpoint.charset.nothing} {round_}"


def awaited(state: State, viewpoint: Viewpoint) -> str:
    """Return what is to be decided, in a sentence; empty while something is drawn or under way."""
    player, other = state.player, 1 - state.player
    if state.phase in _ROBBING and other == viewpoint.me:
        return say(f"halunken:board_{_AWAITED[state.phase]}_by", who=viewpoint.labels[player])
    if state.phase == Phase.CHOICE:
        return say("halunken:board_choice")
    if code := _AWAITED.get(state.phase):
        details = {"other": viewpoint.labels[other], "number": state.numbers[other]}
        return str(viewpoint.news(f"halunken:board_{code}", player, **details))
    return ""


def auction(standing: Auction, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield who has opened the auction, and the standing bid, or that there is none."""
    yield viewpoint.news("halunken:opened", standing.opener)
    if standing.bidder is not None:
        yield viewpoint.news("halunken:has_bid", standing.bidder)
    elif standing.opener_passed:
        yield viewpoint.news("halunken:has_passed", standing.opener)


def meaning(cards: Cards) -> str:
    """Return what a card of this round has come to, in a word; empty if the card itself says it."""
    if cards.shown in (None, HIDDEN):
        return ""
    if cards.number == 0:
        return say("halunken:card_cancelled")
    return say("halunken:named_number", number=cards.number) if cards.shown == RUM and cards.number else ""


def points(seen: View, player: int, canvas: Canvas) -> Text:
    """Return the points that a player would have if the hand ended now, after those of earlier hands."""
    before = f"{seen.earlier[player]} + " if seen.hand > 1 else ""
    now = canvas.charset.say("halunken:points", count=seen.crews[player].points)
    return Text(f"{before}{now}", canvas.text_styles.strong)


def scores(state: State, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield both crews by colour, with sums and points, and the rogues that nobody has seen; at most 40 cells wide."""
    seen = view(state, ended=True)
    for player in (viewpoint.far, viewpoint.near):
        yield from _crew(seen.crews[player], player, viewpoint, canvas)
        if seen.hand > 1:
            yield _sum(canvas.charset.say("halunken:earlier"), seen.earlier[player])
            yield _sum(canvas.charset.say("halunken:total"), seen.earlier[player] + seen.crews[player].points)
        yield Text()
    yield Text(canvas.charset.say("halunken:unseen"), canvas.text_styles.quiet)
    for group in groups(state.pile):
        values = canvas.charset.cut(" ".join(map(str, group.values)), 36)
        yield Text.assemble((f" {group.colour} ", colour(group.colour, canvas)), f" {values}")


def colour_name(letter: str, canvas: Canvas) -> str:
    """Return the colour of that letter in a word."""
    return canvas.charset.say(f"halunken:colour_{letter}")


def unseen(state: State, canvas: Canvas) -> Iterator[Text]:
    """Yield the rogues that nobody has seen, colours by name; none if `canvas` has too few lines."""
    if canvas.height < len(COLOURS) + 1:
        return
    yield Text(f" {canvas.charset.say('halunken:unseen')}", canvas.text_styles.quiet)
    names = {letter: colour_name(letter, canvas) for letter in COLOURS}
    widest = max(map(cell_len, names.values()))
    held = {group.colour: group for group in groups(state.pile)}
    for letter, name in names.items():
        values = " ".join(map(str, held[letter].values)) if letter in held else canvas.charset.nothing
        yield Text.assemble("  ", (f" {name:<{widest}} ", colour(letter, canvas)), f" {values}")


def overview(before: State, step: Step, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield both crews at the end of a hand that another one follows, with what they score."""
    if before.hand == before.options.hands or before.round < ROUNDS:
        return
    for happening in happenings(before, step):
        if isinstance(happening, HandScored):
            for player in (viewpoint.far, viewpoint.near):
                yield from _crew(crew(happening.crews[player]), player, viewpoint, canvas)
                if before.hand > 1:
                    yield _sum(canvas.charset.say("halunken:earlier"), before.scores[player])
                yield Text()


def _crew(held: Crew, player: int, viewpoint: Viewpoint, canvas: Canvas) -> Iterator[Text]:
    """Yield a player's name, and the crew by colour with the sums and the points."""
    name = viewpoint.charset.cut(viewpoint.who(player), 36)
    yield Text(f"{viewpoint.mark(player)} {name}", canvas.text_styles.side(player, viewpoint))
    groups = {group.colour: group for group in held.groups}
    for letter in COLOURS:
        line = Text.assemble((f" {letter} ", colour(letter, canvas)), " ")
        group = groups.get(letter)
        values = " ".join(map(str, group.values)) if group else canvas.charset.nothing
        line.append(canvas.charset.cut(values, 27))
        if group:
            line.align("left", 32)
            line.append(f"{group.sum:>4}").append(" x2" if letter == held.doubled else "", "bold")
        yield line
    yield _sum(canvas.charset.say("halunken:this_hand"), held.points)


def _sum(word: str, number: int) -> Text:
    line = Text(word, "bold")
    line.align("left", 32)
    return line.append(f"{number:>4}")
