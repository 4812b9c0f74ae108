"""The table of Shadows of Macao in lines of text, at most 79 cells wide."""

from collections.abc import Iterable, Iterator
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.rules import LAST_ROUND, Phase, State
from p2p_shanghaien.ui.view import Seating

WIDTH: Final = 79
_NAMES: Final = {
    Phase.ACTION: "action",
    Phase.LIMIT: "limit",
    Phase.DANCER: "dancer",
    Phase.POLICEMAN: "policeman",
    Phase.KILLER: "killer",
}
"""The name of the decision of each phase in the codes of sentences."""


def position(state: State, seating: Seating) -> Iterator[Text]:
    """Yield the tiles and piles in the middle, between both players."""
    between = seating.charset.say("between_parts")
    for line in _wrapped("", filter(None, heading(state, seating)), between):
        yield Text(line.plain, "bold")
    yield from side(state, seating.far, seating)
    yield from middle(state, seating)
    yield from side(state, seating.near, seating)


def heading(state: State, seating: Seating) -> Iterator[str]:
    """Yield the round, whose turn it is, and what kind of cards these are."""
    say = seating.charset.say
    is_set_up = state.phase != Phase.SET_UP
    yield say("macao:round_of", round=state.round, last=LAST_ROUND) if is_set_up else say("macao:setup")
    yield status(state, seating)
    yield label(state, seating)


def label(state: State, seating: Seating) -> str:
    """Return that the cards are reconstructed, if they are."""
    return seating.charset.say("macao:reconstructed") if state.deck == reconstruction() else ""


def status(state: State, seating: Seating) -> str:
    """Return who is to do what."""
    if not isinstance(state.node, Turn):
        return ""
    news = seating.news(f"macao:to_{_NAMES[state.phase]}", state.node.player)
    return seating.charset.transliterate(str(news))


def side(state: State, player: int, seating: Seating) -> Iterator[Text]:
    """Yield the name and the score of a player, then cards and tiles."""
    say, deck = seating.charset.say, state.deck
    own = state.sides[player]
    mark = seating.charset.near if player == seating.near else seating.charset.far
    parts = [
        say("macao:points", count=own.score(deck)),
        say("macao:places_of", number=own.crowd, places=own.places(deck)),
        say("macao:dead", count=own.dead) if own.dead else "",
    ]
    head = Text(f"{mark} {seating.who(player)}", "bold")
    yield head.append(f"  {say('between_parts').join(filter(None, parts))}", "not bold")
    yield from _listed(say("macao:red"), map(names.member, map(deck.card.__getitem__, own.red)), seating)
    yield from _listed(say("macao:blue"), map(names.informant, map(deck.card.__getitem__, own.blue)), seating)
    for code, tiles in (("reserved_tiles", own.reserved), ("opened_tiles", own.opened)):
        if tiles:
            yield from _listed(say(f"macao:{code}"), map(names.price, map(deck.tile.__getitem__, tiles)), seating)


def compact(state: State, seating: Seating) -> Iterator[Text]:
    """Yield the table in as few lines as it can have: of the piles the top cards, and how many cards lie below."""
    say, deck = seating.charset.say, state.deck
    yield from _short_side(state, seating.far, seating)
    yield from _listed(say("macao:tiles"), map(names.price, map(deck.tile.__getitem__, state.centre)), seating)
    piles = []
    for number, pile in enumerate(state.piles, start=1):
        top = names.informant(deck.card[pile.top]) if pile.top else seating.charset.nothing
        below = f" +{pile.unseen + len(pile.known)}" if pile.unseen or pile.known else ""
        piles.append(f"{number}  {top}{below}")
    for left, right in (piles[:2], piles[2:]):
        yield Text(f" {left:<38}{right}".rstrip())
    yield from _short_side(state, seating.near, seating)


def _short_side(state: State, player: int, seating: Seating) -> Iterator[Text]:
    """Yield a player's side with the tiles in its first line."""
    own = state.sides[player]
    titled = (("reserved_tiles", own.reserved), ("opened_tiles", own.opened))
    tiles = [f"{seating.charset.say(f'macao:{code}')} {', '.join(found)}" for code, found in titled if found]
    first, *others = side(state, player, seating)
    beside = "".join(f"  {each}" for each in tiles)
    fits = first.cell_len + len(beside) < WIDTH
    yield first.append(beside, "not bold") if fits else first
    # behind the cards, tiles with their costs have lines of their own
    yield from others[: len(others) - len(tiles)]
    if not fits:
        yield from _wrapped("", tiles, " ")


def middle(state: State, seating: Seating) -> Iterator[Text]:
    """Yield the tiles in the centre, and the piles."""
    say, deck = seating.charset.say, state.deck
    yield from _listed(say("macao:tiles"), map(names.price, map(deck.tile.__getitem__, state.centre)), seating)
    for number, pile in enumerate(state.piles, start=1):
        top = names.informant(deck.card[pile.top]) if pile.top else seating.charset.nothing
        below = say("macao:unseen", count=pile.unseen) if pile.unseen else ""
        known = say("macao:known", cards=" ".join(pile.known)) if pile.known else ""
        rest = ", ".join(filter(None, (below, known)))
        yield from _wrapped(f" {number}  ", f"{top:<20} {rest}".rstrip().split(" "), " ")


def _listed(title: str, entries: Iterable[str], seating: Seating) -> Iterator[Text]:
    """Yield entries behind a title, in as many lines as they need."""
    found = list(map(seating.charset.transliterate, entries))
    pieces = [f"{entry}," for entry in found[:-1]] + found[-1:]
    yield from _wrapped(f" {title} ", pieces or [seating.charset.nothing], " ")


def _wrapped(start: str, pieces: Iterable[str], between: str) -> Iterator[Text]:
    """Yield pieces beside each other behind `start`, in lines of at most WIDTH cells; further lines are indented."""
    indent = " " * cell_len(start)
    line, empty = start, True
    for piece in pieces:
        if not empty and cell_len(line) + len(between) + cell_len(piece) > WIDTH:
            yield Text(line.rstrip())
            line, empty = indent, True
        line += piece if empty else f"{between}{piece}"
        empty = False
    yield Text(line.rstrip())
