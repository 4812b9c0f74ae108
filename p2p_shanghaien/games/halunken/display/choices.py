"""The legal actions at Halunken's table, in words, and the reasons why an input is not one."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from p2p_shanghaien.games.halunken.display.story import card_words, rogue_words
from p2p_shanghaien.games.halunken.rogues import DECK, VALUE, Rogue, score
from p2p_shanghaien.games.halunken.rules import (
    CARDS,
    JACK,
    LEAVE,
    NUMBERS,
    PASS,
    RUM,
    SPACES,
    Phase,
    State,
    ahead,
)
from p2p_shanghaien.ui.view import Choice, News, Viewpoint
from p2p_shanghaien.ui.words import say

_THEFTS: Final = (Phase.ROB_CAPTAIN, Phase.ROB_JACK, Phase.JACK_ROB)
_WORDS: Final = {PASS, LEAVE}
_ACTION: Final = re.compile(r"(at|bid|take|lose)[: ] *(.*)|(J?)=(.*)", re.IGNORECASE)
_ROGUE: Final = re.compile(r"[rvgy][0-9]{1,2}", re.IGNORECASE)


def choices(state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
    """Return the legal actions in words: spaces, cards and numbers in their order, rogues as they suit the player."""
    legal = state.legal(player)
    if state.phase == Phase.CHOICE:
        return [_card(state, player, action, viewpoint) for action in legal]
    if state.phase == Phase.AUCTION:
        return sorted((_bid(state, player, action, viewpoint) for action in legal), key=_dearest)
    if state.phase in _THEFTS:
        return _thefts(state, player, legal)
    if state.phase == Phase.LOSE:
        return _losses(state, player, legal)
    return [_space_or_number(state, player, action, viewpoint) for action in legal]


def summary(state: State, player: int, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield what a placing is about, and where the hirer's own cards and Black Jack's lead: each makes many choices."""
    if state.phase in (Phase.PLACE, Phase.PLACE_JACK):
        yield say("halunken:choose_place" if state.phase == Phase.PLACE else "halunken:choose_place_jack", last=SPACES)
    if state.phase != Phase.CHOICE or player != state.hirer or len(state.cards[player]) == 1:
        return
    own, his = state.cards[player], state.cards[JACK]
    yield say("halunken:choose_two", example=f"{own[0]}+{his[-1]}")
    for code, cards, words in (("choose_own", own, _reaches), ("choose_his", his, _jack_reaches)):
        leads = (say("halunken:card_leads", card=card, words=words(state, player, card, viewpoint)) for card in cards)
        yield say(f"halunken:{code}", cards=say("between_parts").join(leads))


def refusal(state: State, player: int, text: str) -> News:
    """Return why `text` is not legal for `player` now, as exactly as possible."""
    typed = " ".join(text.split())
    expected: dict[int, Callable[[State, int, str], News | None]] = {
        Phase.PLACE: _refused_space,
        Phase.PLACE_JACK: _refused_space,
        Phase.AUCTION: _refused_bid,
        Phase.CHOICE: _refused_card,
        Phase.NAME: _refused_number,
        Phase.JACK_NAME: _refused_number,
        **dict.fromkeys(_THEFTS, _refused_theft),
        Phase.LOSE: _refused_loss,
    }
    return expected[state.phase](state, player, typed) or News("not_a_choice", {"text": text})


# --- what is open


def _space_or_number(state: State, player: int, action: str, viewpoint: Viewpoint) -> Choice:
    """Return a placing, or the number of a rum."""
    if action.startswith("at:"):
        space = action.removeprefix("at:")
        return Choice(action, say("halunken:choose_space", space=space), space, (f"at {space}",))
    number = action.rpartition("=")[2]
    leads = _jack_reaches if state.phase == Phase.JACK_NAME else _reaches
    return Choice(action, leads(state, player, number, viewpoint), number)


def _card(state: State, player: int, action: str, viewpoint: Viewpoint) -> Choice:
    """Return a movement card, or the hirer's two."""
    own, _, his = action.partition("+")
    words = _reaches(state, player, own, viewpoint)
    if not his:
        return Choice(action, words, action, (say("halunken:rum"),) if own == RUM else ())
    return Choice(action, say("halunken:choose_pair", own=words, his=_jack_reaches(state, player, his, viewpoint)))


def _reaches(state: State, player: int, card: str, viewpoint: Viewpoint) -> str:
    """Return where a card of the player leads if nobody interferes: the space, its rogue, and a figure on it."""
    if card == RUM:
        return say("halunken:choose_rum")
    space = ahead(state.captains[player], int(card))
    rogue = state.tops[space - 1] or say("halunken:empty")
    if state.captains[1 - player] == space:
        return say("halunken:choose_to_captain", space=space, rogue=rogue, who=viewpoint.labels[1 - player])
    if state.jack == space:
        return say("halunken:choose_to_jack", space=space, rogue=rogue)
    return say("halunken:choose_to", space=space, rogue=rogue)


def _jack_reaches(state: State, player: int, card: str, viewpoint: Viewpoint) -> str:
    """Return where a card of Black Jack leads if nobody moves before, and whether he meets the other captain."""
    if card == RUM:
        return say("halunken:choose_rum")
    number, other = int(card), 1 - player
    space = ahead(state.jack, number)
    if (state.captains[other] - state.jack) % SPACES <= number:
        return say("halunken:choose_meets", space=space, who=viewpoint.labels[other])
    return say("halunken:choose_jack_to", space=space)


def _bid(state: State, player: int, action: str, viewpoint: Viewpoint) -> Choice:
    if action == PASS:
        who = viewpoint.labels[1 - player]
        return Choice(action, say("halunken:choose_pass" if state.bid else "halunken:choose_pass_first", who=who))
    rogue = action.removeprefix("bid:")
    points = score(_without(state.crews[player], rogue)).points
    words = say("halunken:choose_bid", rogue=rogue, points=points)
    return Choice(action, words, spellings=(f"bid {rogue}", rogue))


def _dearest(choice: Choice) -> int:
    """Return the value of a bid: passing first, then the lowest bid."""
    return 0 if choice.action == PASS else VALUE[choice.action.removeprefix("bid:")]


def _thefts(state: State, player: int, legal: Sequence[str]) -> Sequence[Choice]:
    """Return the thefts, those first that leave the player furthest ahead, with the points of both after it."""
    found = []
    for action in legal:
        rogue = "" if action == LEAVE else action.removeprefix("take:")
        robs = rogue in state.crews[1 - player]
        own = score((*state.crews[player], rogue) if rogue else state.crews[player]).points
        theirs = score(_without(state.crews[1 - player], rogue)).points
        code = "choose_leave" if not rogue else "choose_rob" if robs else "choose_loot"
        words = say(f"halunken:{code}", rogue=rogue, own=own, theirs=theirs)
        found.append((theirs - own, Choice(action, words, spellings=(f"take {rogue}", rogue) if rogue else ())))
    return [choice for _, choice in sorted(found, key=lambda each: each[0])]


def _losses(state: State, player: int, legal: Sequence[str]) -> Sequence[Choice]:
    """Return the losses, the cheapest first, with the points that are left."""
    found = []
    for action in legal:
        rogue = action.removeprefix("lose:")
        points = score(_without(state.crews[player], rogue)).points
        words = say("halunken:choose_lose", rogue=rogue, points=points)
        found.append((-points, Choice(action, words, spellings=(f"lose {rogue}", rogue))))
    return [choice for _, choice in sorted(found, key=lambda each: each[0])]


def _without(crew: Sequence[Rogue], rogue: Rogue) -> Sequence[Rogue]:
    return [each for each in crew if each != rogue]


# --- why an input is not open


def _typed_rogue(text: str) -> Rogue | None:
    """Return the rogue that `text` names, with or without the word for what to do with it; None if it names none."""
    found = _ACTION.fullmatch(text)
    thing = (found[2] or "" if found else text).casefold()
    return thing if _ROGUE.fullmatch(thing) else None


def _typed_number(text: str) -> int | None:
    """Return the number that `text` names, with or without the sign before it; None if it names none."""
    found = _ACTION.fullmatch(text)
    thing = (found[2] or found[4] or "") if found else text
    return int(thing) if thing.isascii() and thing.isdecimal() and len(thing) < 5 else None


def _refused_space(state: State, player: int, text: str) -> News | None:  # noqa: ARG001
    number = _typed_number(text)
    if number is None:
        return None
    if not 1 <= number <= SPACES:
        return News("halunken:refuse_space", {"number": number, "last": SPACES})
    return News("halunken:refuse_taken", {"space": number})


def _refused_bid(state: State, player: int, text: str) -> News | None:
    rogue = _typed_rogue(text)
    if rogue is None:
        return None
    if refused := _not_held(state, player, rogue):
        return refused
    return News("halunken:refuse_low", {"rogue": rogue_words(rogue), "bid": rogue_words(state.bid)})


def _refused_card(state: State, player: int, text: str) -> News | None:
    typed = text.casefold().replace(" ", "").replace(say("halunken:rum").casefold(), RUM)
    if not re.fullmatch(r"[0-9r]([+][0-9r])?", typed):
        return None
    own, plus, his = typed.partition("+")
    if unknown := [card for card in (own, his) if card and card not in CARDS]:
        return News("halunken:refuse_no_card", {"card": unknown[0], "last": NUMBERS})
    if plus and player != state.hirer:
        return News("halunken:refuse_not_hirer", {"card": own})
    if own not in state.cards[player]:
        return News("halunken:refuse_card", _left(own, state.cards[player]))
    if not plus:
        return News("halunken:refuse_one_card", {"card": own})
    return News("halunken:refuse_jack_card", _left(his, state.cards[JACK]))


def _left(card: str, cards: str) -> dict[str, object]:
    return {"card": card_words(card), "cards": " ".join(map(card_words, cards))}


def _refused_number(state: State, player: int, text: str) -> News | None:
    number = _typed_number(text)
    if number is None:
        return None
    if state.phase == Phase.NAME and number == state.numbers[1 - player]:
        return News("halunken:refuse_same_number", {"number": number})
    return News("halunken:refuse_number", {"number": number, "last": NUMBERS})


def _refused_theft(state: State, player: int, text: str) -> News | None:
    if text.casefold() in _WORDS:
        return News("halunken:refuse_leave") if text.casefold() == LEAVE else None
    rogue = _typed_rogue(text)
    if rogue is None:
        return None
    if rogue not in DECK:
        return News("halunken:refuse_no_rogue", {"rogue": rogue})
    if rogue in state.crews[player]:
        return News("halunken:refuse_own", {"rogue": rogue_words(rogue)})
    open_ = " ".join(state.loot)
    return News("halunken:refuse_not_there", {"rogue": rogue_words(rogue), "rogues": open_})


def _refused_loss(state: State, player: int, text: str) -> News | None:
    rogue = _typed_rogue(text)
    return None if rogue is None else _not_held(state, player, rogue)


def _not_held(state: State, player: int, rogue: Rogue) -> News | None:
    """Return that the player does not have this rogue, if so."""
    if rogue not in DECK:
        return News("halunken:refuse_no_rogue", {"rogue": rogue})
    if rogue in state.crews[player]:
        return None
    return News("halunken:refuse_not_yours", {"rogue": rogue_words(rogue), "rogues": " ".join(state.crews[player])})
