"""The table of Shadows of Macao in full sentences, and the answers to questions about it."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.macao.deck import Tile
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.rules import State
from p2p_shanghaien.ui.view import Question, Viewpoint, of_players
from p2p_shanghaien.ui.words import listed, say


def tile_sentences(state: State) -> Iterator[str]:
    """Yield what each tile in the centre costs or demands."""
    if not state.centre:
        yield say("macao:no_tiles")
    for name in state.centre:
        yield names.price_sentence(state.deck.tile[name])


def pile_sentence(state: State, number: int) -> str:
    """Return what is known about a pile, counted from 1."""
    pile = state.piles[number - 1]
    if not pile.size:
        return say("macao:pile_is_empty", pile=number)
    said = [say("macao:pile_top", pile=number, card=pile.top) if pile.top else say("macao:pile_hidden", pile=number)]
    if pile.unseen:
        said.append(say("macao:pile_unseen", count=pile.unseen))
    if pile.known:
        said.append(say("macao:pile_known", cards=listed(pile.known)))
    return " ".join(said)


def side_sentences(state: State, player: int, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield what lies before a player."""
    side, deck = state.sides[player], state.deck
    who = viewpoint.who(player)
    yield say("macao:score_is", who=who, count=side.score(deck))
    yield say("macao:red_are", cards=listed(side.red))
    yield say("macao:blue_are", cards=listed(side.blue))
    if side.dead:
        yield say("macao:dead_are", count=side.dead)
    if side.reserved:
        yield say("macao:reserved_are", tiles=listed(map(names.tile, side.reserved)))
    if side.opened:
        yield say("macao:opened_are", tiles=listed(map(names.tile, side.opened)))


def _tiles(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - nothing follows the word
    yield from tile_sentences(state)


def _piles(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - as above
    for number in range(1, len(state.piles) + 1):
        yield pile_sentence(state, number)


def _side(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:
    """Answer about one player's side, or about both."""
    return of_players(about, viewpoint, lambda player: side_sentences(state, player, viewpoint))


def _card(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001
    name = about.casefold()
    deck = state.deck
    found: Tile | None = deck.tile.get(name)
    if found:
        yield names.price_sentence(found)
    elif name in deck.card:
        yield names.card_sentence(deck.card[name])
    else:
        yield say("macao:which_card") if not about else say("macao:refuse_no_card", card=about)


QUESTIONS: Final = (
    Question("macao:question_tiles", _tiles),
    Question("macao:question_piles", _piles),
    Question("macao:question_side", _side, takes=True),
    Question("macao:question_card", _card, takes=True),
)
