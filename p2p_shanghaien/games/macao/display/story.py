"""The events of Shadows of Macao, told in sentences."""

from collections.abc import Iterator

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.happenings import (
    KILLED,
    PAID,
    Discarded,
    Happening,
    Opened,
    Recruited,
    Reserved,
    RoundBegan,
    Taken,
    TurnedUp,
)
from p2p_shanghaien.games.macao.rules import State, happenings
from p2p_shanghaien.ui.view import News, Viewpoint


def news(before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield the news about `step`."""
    for happening in happenings(before, step):
        yield from _about(happening, viewpoint)
        if isinstance(happening, Taken) and not after.piles[happening.pile - 1].size:
            yield News("macao:pile_empty", {"pile": happening.pile})


def _about(happening: Happening, viewpoint: Viewpoint) -> Iterator[News]:
    match happening:
        case RoundBegan(state):
            yield News("macao:round_begins", {"round": state.round})
        case Taken(player, pile, card):
            yield viewpoint.news("macao:took", player, card=names.card(card), pile=pile)
        case TurnedUp(pile, card):
            yield News("macao:turned_up", {"pile": pile, "card": names.card(card)})
        case Recruited(player, card, paid, died):
            code = "macao:recruited" if paid else "macao:recruited_free"
            yield viewpoint.news(code, player, card=names.card(card), paid=names.cards(paid))
            yield from _died(died)
        case Opened(player, tile, paid, died):
            code = "macao:opened" if paid else "macao:opened_free"
            yield viewpoint.news(code, player, tile=names.tile(tile), paid=names.cards(paid))
            yield from _died(died)
        case Reserved(player, tile):
            yield viewpoint.news("macao:reserved", player, tile=names.tile(tile))
        case Discarded(_, cards, pile, why) if why == PAID:
            yield News("macao:went_under", {"cards": names.cards(cards), "pile": pile})
        case Discarded(player, cards, pile, why):
            code = "macao:lost" if why == KILLED else "macao:discarded"
            yield viewpoint.news(code, player, card=names.card(cards[0]), pile=pile)


def _died(number: int) -> Iterator[News]:
    if number:
        yield News("macao:died", {"count": number})
