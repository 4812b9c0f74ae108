"""Shanghaien's table in full sentences: cards of the row, crews, and the answers to questions about them."""

import re
from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.shanghaien.display.story import card_words, trick_words
from p2p_shanghaien.games.shanghaien.display.view import RowCard, View, view
from p2p_shanghaien.games.shanghaien.rules import ROW, State
from p2p_shanghaien.ui.view import Question, Viewpoint, of_players
from p2p_shanghaien.ui.words import listed, say

_NUMBER: Final = re.compile("[0-9]{1,4}")


def card_sentence(place: RowCard, number: int, viewpoint: Viewpoint, *, decided: bool = False) -> str:
    """Return what lies on the card of that number, and who takes it (`decided`) or would."""
    told = []
    for player in (viewpoint.far, viewpoint.near):
        if count := place.contest.dice[player]:
            told.append(say("shanghaien:dice_of", who=viewpoint.who(player), count=count))
        if decided and place.contest.neighbours is not None:
            told.append(str(viewpoint.news("shanghaien:sum_of", player, sum=place.contest.neighbours[player])))
    dice = listed(told) if told else say("shanghaien:no_dice")
    sentence = say("shanghaien:card_words", number=number, card=card_words(place.card), dice=dice)
    return f"{sentence} {_fate(place.contest.taker, decided, viewpoint)}".rstrip()


def open_card_sentence(place: RowCard) -> str:
    """Return both numbers of a card, while either end of the row can be number 1."""
    left, right = place.numbers
    return say("shanghaien:open_card", card=card_words(place.card), left=left, right=right)


def _fate(taker: int | None, decided: bool, viewpoint: Viewpoint) -> str:
    if taker is None:
        return say("shanghaien:card_out") if decided else ""
    return str(viewpoint.news("shanghaien:card_taken" if decided else "shanghaien:card_leads", taker))


def _row(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:  # noqa: ARG001 - nothing follows the word
    seen = view(state)
    if not seen.places:
        yield say("shanghaien:no_row")
    elif seen.places[0].number is None:
        yield say("shanghaien:open_row", row=", ".join(card_words(place.card) for place in seen.places))
    else:
        places = _by_number(seen)
        yield from (_card_of(place, viewpoint) for place in places if any(place.contest.dice))
        bare = [place for place in places if not any(place.contest.dice)]
        words = (say("shanghaien:bare_card", number=place.number, card=card_words(place.card)) for place in bare)
        if bare:
            yield say("shanghaien:bare_cards", cards=say("between_parts").join(words))


def _card(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:
    """Answer about the card of a number, or the cards of a notation."""
    places = _by_number(view(state))
    found = [place for place in places if place.card.casefold() == about.casefold()]
    if _NUMBER.fullmatch(about):
        found = [place for place in places if int(about) in _numbers(place)]
    if not places:
        yield say("shanghaien:no_row")
    elif not about:
        yield say("shanghaien:which_card")
    elif not found:
        yield say("shanghaien:no_such_card", text=about, last=ROW)
    for place in found:
        yield _card_of(place, viewpoint)


def _crew(state: State, about: str, viewpoint: Viewpoint) -> Iterator[str]:
    """Answer about one player's crew, or about both."""
    seen = view(state)
    return of_players(about, viewpoint, lambda player: _crew_of(seen, player, viewpoint))


def _crew_of(seen: View, player: int, viewpoint: Viewpoint) -> Iterator[str]:
    side, crews = seen.sides[player], [each for each in seen.scoring.standings if each.strengths[player]]
    parts = [
        say(
            "shanghaien:crew_part",
            nationality=say(f"shanghaien:nationality_{crew.nationality}"),
            cards=" ".join(crew.crews[player]),
            strength=crew.strengths[player],
            points=say("shanghaien:points_of", count=crew.points[player]),
        )
        for crew in crews
    ]
    code = "shanghaien:crew_is" if parts else "shanghaien:crew_is_empty"
    yield str(viewpoint.news(code, player, crew=say("between_parts").join(parts)))
    if side.tricks:
        yield str(viewpoint.news("shanghaien:holds_tricks", player, tricks=trick_words(side.tricks)))
    else:
        yield str(viewpoint.news("shanghaien:holds_no_tricks", player))
    if not seen.ended:
        yield str(viewpoint.news("shanghaien:has_dice", player, count=side.supply))


def _card_of(place: RowCard, viewpoint: Viewpoint) -> str:
    if place.number is None:
        return open_card_sentence(place)
    return card_sentence(place, place.number, viewpoint)


def _by_number(seen: View) -> list[RowCard]:
    return sorted(seen.places, key=lambda place: place.number or place.numbers[0])


def _numbers(place: RowCard) -> tuple[int, ...]:
    """Return the number of a card, or both that it may get."""
    return place.numbers if place.number is None else (place.number,)


QUESTIONS: Final = (
    Question("shanghaien:question_row", _row),
    Question("shanghaien:question_card", _card, takes=True),
    Question("shanghaien:question_crew", _crew, takes=True),
)
