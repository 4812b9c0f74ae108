"""The table of Shadows of Macao in lines of text, at most 79 cells wide."""

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.display import names, view
from p2p_shanghaien.games.macao.rules import LAST_ROUND, Phase, Pile, State
from p2p_shanghaien.ui.view import Viewpoint, flowed

WIDTH: Final = 79
STYLES: Final = {
    "a": "#000000 on #e69f00",
    "w": "#ffffff on #b03000",
    "m": "#000000 on #f0e442",
    "j": "#000000 on #3fbf8f",
    "d": "#000000 on #a8d8f5",
}
"""The resources' colours, which colour-blind people can distinguish; those of other decks have none."""
_NAMES: Final = {
    Phase.ACTION: "action",
    Phase.LIMIT: "limit",
    Phase.DANCER: "dancer",
    Phase.POLICEMAN: "policeman",
    Phase.KILLER: "killer",
}
"""The name of the decision of each phase in the codes of sentences."""


def position(state: State, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the tiles and piles in the middle, between both players."""
    between = viewpoint.charset.say("between_parts")
    for line in flowed("", filter(None, heading(state, viewpoint)), WIDTH, between):
        yield Text(line.plain, "bold")
    yield from side(state, viewpoint.far, viewpoint)
    yield from middle(state, viewpoint)
    yield from side(state, viewpoint.near, viewpoint)


def heading(state: State, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield the round, whose turn it is, what kind of cards these are, and what is about to end the game."""
    yield progress(state, viewpoint)
    yield status(state, viewpoint)
    yield label(state, viewpoint)
    yield from map(viewpoint.charset.transliterate, view.end_in_sight(state, viewpoint))


def progress(state: State, viewpoint: Viewpoint) -> str:
    """Return the round, or that the game is being set up."""
    say = viewpoint.charset.say
    return (
        say("macao:round_of", round=state.round, last=LAST_ROUND) if state.phase != Phase.SET_UP else say("macao:setup")
    )


def label(state: State, viewpoint: Viewpoint) -> str:
    """Return that the cards are reconstructed, if they are."""
    return viewpoint.charset.say("macao:reconstructed") if state.deck == reconstruction() else ""


def status(state: State, viewpoint: Viewpoint) -> str:
    """Return who is to do what."""
    if not isinstance(state.node, Turn):
        return ""
    news = viewpoint.news(f"macao:to_{_NAMES[state.phase]}", state.node.player)
    return viewpoint.charset.transliterate(str(news))


def side(state: State, player: int, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the name and the score of a player, then cards and tiles."""
    say, deck = viewpoint.charset.say, state.deck
    own = state.sides[player]
    parts = [
        say("macao:points", count=own.score(deck)),
        say("macao:places_of", number=own.crowd, places=own.places(deck)),
        say("macao:dead", count=own.dead) if own.dead else "",
    ]
    head = Text(f"{viewpoint.mark(player)} {viewpoint.who(player)}", "bold")
    yield head.append(f"  {say('between_parts').join(filter(None, parts))}", "not bold")
    yield from _listed(say("macao:red"), map(names.member, map(deck.card.__getitem__, own.red)), viewpoint)
    yield from _listed(say("macao:blue"), map(names.informant, map(deck.card.__getitem__, own.blue)), viewpoint)
    for code, tiles in (("reserved_tiles", own.reserved), ("opened_tiles", own.opened)):
        if tiles:
            yield from _listed(say(f"macao:{code}"), map(names.price, map(deck.tile.__getitem__, tiles)), viewpoint)
    if state.phase != Phase.OVER and (open_ := list(view.payable(state, player))):
        yield from _listed(say("macao:payable"), open_, viewpoint)


def middle(state: State, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the tiles in the centre, and the piles."""
    say, deck = viewpoint.charset.say, state.deck
    yield from _listed(say("macao:tiles"), map(names.price, map(deck.tile.__getitem__, state.centre)), viewpoint)
    for number, pile in enumerate(state.piles, start=1):
        top = names.informant(deck.card[pile.top]) if pile.top else viewpoint.charset.nothing
        yield from flowed(f" {number}  ", f"{top:<20} {below(pile, viewpoint)}".rstrip().split(" "), WIDTH)


def below(pile: Pile, viewpoint: Viewpoint) -> str:
    """Return how many cards below the top of a pile nobody has seen, and which follow below those."""
    say = viewpoint.charset.say
    unseen = say("macao:unseen", count=pile.unseen) if pile.unseen else ""
    known = say("macao:known", cards=" ".join(pile.known)) if pile.known else ""
    return ", ".join(filter(None, (unseen, known)))


def _listed(title: str, entries: Iterable[str], viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield entries behind a title, in as many lines as they need."""
    found = list(map(viewpoint.charset.transliterate, entries))
    pieces = [f"{entry}," for entry in found[:-1]] + found[-1:]
    yield from flowed(f" {title} ", pieces or [viewpoint.charset.nothing], WIDTH)
