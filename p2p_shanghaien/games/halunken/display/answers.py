"""Halunken's table in full sentences: spaces, crews and cards, and the answers to questions about them."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from p2p_shanghaien.games.halunken.display import panels
from p2p_shanghaien.games.halunken.display.pieces import HIDDEN
from p2p_shanghaien.games.halunken.display.view import Cards, Group, Space, View, view
from p2p_shanghaien.games.halunken.rules import JACK, RUM, SPACES, State
from p2p_shanghaien.ui.view import Question, Viewpoint, of_players
from p2p_shanghaien.ui.words import listed, say

_NUMBER: Final = re.compile("[0-9]{1,4}")


def called(who: int, viewpoint: Viewpoint) -> str:
    """Return the name of a player, or of Black Jack."""
    return say("halunken:jack") if who == JACK else viewpoint.who(who)


def den_sentences(space: Space, viewpoint: Viewpoint) -> str:
    """Return what lies in the den of a space, and who stands before it."""
    if space.top:
        den = say("halunken:den_top", space=space.number, rogue=space.top, count=space.below)
    else:
        den = say("halunken:den_hidden" if space.below else "halunken:den_empty", space=space.number)
    here = [_news("halunken:stands_there", who, viewpoint) for who in space.figures]
    return " ".join([den, *here])


def boat_sentence(boat: Sequence[Group]) -> str:
    """Return which rogues lie beside the boat."""
    return say("halunken:boat_words", rogues=_rogues(boat))


def cards_sentence(cards: Cards, who: int, viewpoint: Viewpoint) -> str:
    """Return which movement cards a player, or Black Jack, has left."""
    left = " ".join(map(_card_words, cards.left)) or say("nothing")
    return say("halunken:cards_of", who=called(who, viewpoint), cards=left)


def shown_sentence(cards: Cards, who: int, viewpoint: Viewpoint) -> str:
    """Return which card a player, or Black Jack, shows this round, and what it has come to."""
    assert cards.shown
    said = _news("halunken:shown_words", who, viewpoint, card=_card_words(cards.shown))
    return f"{said} {panels.meaning(cards)}".rstrip() + "."


def crew_sentences(seen: View, player: int, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield a player's rogues, the colour that counts twice, and the points."""
    crew = seen.crews[player]
    yield say("halunken:crew_words", who=viewpoint.who(player), rogues=_rogues(crew.groups))
    if crew.doubled:
        yield say("halunken:doubled_words", colour=say(f"halunken:colour_{crew.doubled}"))
    total = seen.earlier[player] if seen.over else seen.earlier[player] + crew.points
    yield f"{say('halunken:points', count=total)}."


def _ring(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - nothing follows the word
    seen = view(state)
    places = {who: space.number for space in seen.spaces for who in space.figures}
    figures = (viewpoint.far, viewpoint.near, *([JACK] if seen.jack else []))
    yield " ".join(
        _news("halunken:is_on", who, viewpoint, space=places[who])
        if who in places
        else _news("halunken:is_nowhere", who, viewpoint)
        for who in figures
    )
    tops = [say("halunken:open_at", space=space.number, rogue=space.top) for space in seen.spaces if space.top]
    yield say("halunken:lie_open", rogues=", ".join(tops)) if tops else say("halunken:lie_hidden")
    if empty := [str(space.number) for space in seen.spaces if not space.top and not space.below]:
        yield say("halunken:dens_empty", spaces=listed(empty))


def _space(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:
    if not about:
        yield say("halunken:which_space")
    elif _NUMBER.fullmatch(about) and 1 <= int(about) <= SPACES:
        yield den_sentences(view(state).spaces[int(about) - 1], viewpoint)
    else:
        yield say("halunken:no_such_space", text=about, last=SPACES)


def _crew(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:
    """Answer about one player's crew, or about both."""
    seen = view(state)
    return of_players(about, viewpoint, lambda player: crew_sentences(seen, player, viewpoint))


def _cards(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - as above
    seen = view(state)
    for who in (viewpoint.far, viewpoint.near, JACK):
        cards = seen.jack if who == JACK else seen.cards[who]
        if cards:
            shown = [shown_sentence(cards, who, viewpoint)] if cards.shown else []
            yield " ".join([cards_sentence(cards, who, viewpoint), *shown])


def _boat(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - as above
    seen = view(state)
    if seen.jack is None:
        yield say("halunken:without_jack")
        return
    yield boat_sentence(seen.boat)
    if seen.hirer is None:
        yield say("halunken:hired_by_nobody")
    else:
        yield str(viewpoint.news("halunken:hired_by_player", seen.hirer))


def _news(code: str, who: int, viewpoint: Viewpoint, **details: object) -> str:
    """Return the sentence of `code` about a player, or about Black Jack."""
    return (
        say(code, who=called(who, viewpoint), **details) if who == JACK else str(viewpoint.news(code, who, **details))
    )


def _card_words(card: str) -> str:
    return say("halunken:rum") if card == RUM else say("halunken:chosen") if card == HIDDEN else card


def _rogues(groups: Sequence[Group]) -> str:
    return listed(f"{group.colour}{value}" for group in groups for value in group.values)


QUESTIONS: Final = (
    Question("halunken:question_ring", _ring),
    Question("halunken:question_space", _space, takes=True),
    Question("halunken:question_crew", _crew, takes=True),
    Question("halunken:question_cards", _cards),
    Question("halunken:question_boat", _boat),
)
