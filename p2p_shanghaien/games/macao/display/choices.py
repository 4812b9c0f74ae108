"""The legal actions of Shadows of Macao, in words, and the reasons why an input is not one."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.macao.deck import WIDOW
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.display.view import parts, steps, ways
from p2p_shanghaien.games.macao.rules import Phase, State
from p2p_shanghaien.ui.view import Choice, News, Viewpoint
from p2p_shanghaien.ui.words import say

MANY: Final = 18
"""More choices than these are summed up: those that a screen of 24 lines has room for below a question."""

_VERBS: Final = ("take", "recruit", "open", "discard", "reserve")
_PHASE_VERBS: Final[Mapping[int, Sequence[str]]] = {
    Phase.ACTION: ("take", "recruit", "open"),
    Phase.DANCER: ("take",),
    Phase.POLICEMAN: ("reserve",),
    Phase.LIMIT: ("discard",),
    Phase.KILLER: ("discard",),
}
_ACTION: Final = re.compile(r"([a-z]+)[: ] *([a-z0-9-]+) *(?:(?:=|with) *(.*))?")


def choices(state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
    """Return the legal actions in words, in their order; of the payments of a thing the least wasteful first."""
    found = ways(state.deck, state.legal(player))
    return [_choice(state, action, actions, viewpoint) for actions in found.values() for action in actions]


def _choice(state: State, action: Action, actions: Sequence[Action], viewpoint: Viewpoint) -> Choice:
    """Return `action`, one of the `actions` on the same thing; if it is the only one, it need not say what pays."""
    verb, thing, paid = parts(action)
    words = viewpoint.charset.transliterate(_words(state, verb, thing, paid))
    spellings = [
        f"{verb}{colon}{thing}{equals if paid else ''}{plus.join(paid)}"
        for colon, equals, plus in product(": ", ("=", " with "), "+ ")
    ]
    if verb in ("reserve", "discard"):
        spellings.append(thing)
    elif paid and len(actions) == 1:
        spellings += [f"{verb}{colon}{thing}" for colon in ": "]
    return Choice(action, words, spellings=tuple(dict.fromkeys(spellings)))


def _words(state: State, verb: str, thing: str, paid: Sequence[str]) -> str:
    deck = state.deck
    match verb:
        case "take":
            card = names.informant(deck.card[state.piles[int(thing) - 1].top])
            return say("macao:choose_take", card=card, pile=thing)
        case "recruit":
            code = "macao:choose_recruit" if paid else "macao:choose_recruit_free"
            return say(code, card=thing, count=deck.card[thing].coins, paid=names.cards(paid))
        case "open":
            code = "macao:choose_open" if paid else "macao:choose_open_free"
            return say(code, tile=names.tile(thing), value=deck.tile[thing].value, paid=names.cards(paid))
        case "reserve":
            return say("macao:choose_reserve", tile=names.price(deck.tile[thing]))
        case _:
            return say("macao:choose_discard", card=names.informant(deck.card[thing]))


def summary(state: State, player: int) -> Iterator[str]:
    """Yield what can be done, each thing with its least wasteful payment, if there are too many choices for a list."""
    legal = state.legal(player)
    if len(legal) <= MANY:
        return
    found = ways(state.deck, legal)
    takes = [thing for verb, thing in found if verb == "take"]
    yield say("macao:many_takes", piles=" ".join(takes))
    for (verb, _), actions in found.items():
        if verb != "take":
            yield say("macao:many_ways", action=actions[0], count=len(actions))
    yield say("macao:many_steps")


# --- why an input is not open


def refusal(state: State, player: int, text: str) -> News:
    """Return why `text` is not legal for `player` now, as exactly as possible."""
    found = _ACTION.fullmatch(" ".join(text.casefold().split()))
    if not found or found[1] not in _VERBS:
        return News("not_a_choice", {"text": text})
    verb, thing, paid = found[1], found[2], found[3]
    if verb not in _PHASE_VERBS[state.phase]:
        return News(f"macao:refuse_not_now_{_PHASE_VERBS[state.phase][0]}")
    refused = {
        "take": _refused_take,
        "recruit": _refused_recruit,
        "open": _refused_open,
        "discard": _refused_discard,
        "reserve": _refused_reserve,
    }
    return refused[verb](state, player, thing, paid)


def _refused_take(state: State, player: int, thing: str, paid: str | None) -> News:  # noqa: ARG001
    if thing not in ("1", "2", "3", "4"):
        return News("macao:refuse_pile", {"pile": thing, "last": len(state.piles)})
    return News("macao:refuse_empty", {"pile": thing})


def _refused_recruit(state: State, player: int, thing: str, paid: str | None) -> News:
    refused = _not_held(state, player, thing)
    return refused or _refused_payment(state, f"recruit:{thing}", paid, state.deck.card[thing].cost)


def _refused_open(state: State, player: int, thing: str, paid: str | None) -> News:
    deck = state.deck
    if thing not in deck.tile:
        return News("macao:refuse_no_tile", {"tile": thing})
    if thing not in (*state.centre, *state.sides[player].reserved):
        return News("macao:refuse_tile", {"tile": names.tile(thing)})
    if not deck.tile[thing].cost:
        details = {"tile": names.tile(thing), "condition": names.condition(deck.tile[thing])}
        return News("macao:refuse_condition", details)
    return _refused_payment(state, f"open:{thing}", paid, deck.tile[thing].cost)


def _refused_payment(state: State, start: str, paid: str | None, cost: str) -> News:
    """Return that no cards pay, or how a payment goes on: the least wasteful one, and the cards that can be added."""
    every = [action for action in state.legal(state.player) if action.partition("=")[0] == start]
    if not every:
        return News("macao:refuse_cost", {"cost": names.cost(cost)})
    typed = Counter(re.split("[+ ]+", paid)) if paid else Counter[str]()
    with_these = [action for action in every if typed <= Counter(parts(action)[2])]
    (found,) = ways(state.deck, with_these or every).values()
    if not with_these or len(found) == 1:
        return News("macao:refuse_payment", {"action": found[0]})
    cards = " ".join(cards[0] for cards, _ in steps(found))
    return News("macao:refuse_unpaid", {"action": found[0], "count": len(found), "cards": cards})


def _refused_discard(state: State, player: int, thing: str, paid: str | None) -> News:  # noqa: ARG001
    # whatever is held can be discarded
    return _not_held(state, player, thing) or News("not_a_choice", {"text": thing})


def _refused_reserve(state: State, player: int, thing: str, paid: str | None) -> News:  # noqa: ARG001
    if thing not in state.deck.tile:
        return News("macao:refuse_no_tile", {"tile": thing})
    return News("macao:refuse_centre", {"tile": names.tile(thing), "tiles": ", ".join(state.centre)})


def _not_held(state: State, player: int, card: str) -> News | None:
    """Return that the player has no such blue card, if so."""
    if card not in state.deck.card:
        return News("macao:refuse_no_card", {"card": card})
    if card in state.sides[player].blue:
        return None
    if card == WIDOW and state.sides[player].dead:
        return News("macao:refuse_dead")
    return News(
        "macao:refuse_not_yours", {"card": card, "cards": ", ".join(state.sides[player].blue) or say("nothing")}
    )
