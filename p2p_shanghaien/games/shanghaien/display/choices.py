"""The legal actions at Shanghaien's table, in words, and the reasons why an input is not one."""

import re
from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, NATIONALITIES, PLUS_MINUS
from p2p_shanghaien.games.shanghaien.display.story import card_at, card_words, end_of, end_words, taken, trick_words
from p2p_shanghaien.games.shanghaien.rules import OPEN, ROLL, SHANGHAI, Phase, State
from p2p_shanghaien.ui.view import Choice, News, Viewpoint
from p2p_shanghaien.ui.words import listed, say

_DIE: Final = re.compile(r"-([1-6])([<>]?)")
_MOVED: Final = re.compile(r"!p[+-][1-6]")
_JOKER: Final = re.compile(rf"!([pbrw])=([{NATIONALITIES}])")


def choices(state: State, player: int, viewpoint: Viewpoint) -> Iterator[Choice]:
    """Yield each legal action with its meaning."""
    for action in state.legal(player):
        yield Choice(action, _meaning(state, player, action, viewpoint))


def refusal(state: State, player: int, text: str) -> News:
    """Return why `text` is not legal for `player` now, as exactly as possible."""
    if text == SHANGHAI and state.phase == Phase.TURN:
        return News("shanghaien:refuse_shanghai")
    if text in (ROLL, SHANGHAI):
        rolled = state.phase != Phase.TURN
        return (
            News("shanghaien:refuse_roll_rolled", {"dice": listed(state.dice)})
            if rolled
            else News("shanghaien:refuse_roll_none")
        )
    if found := _DIE.fullmatch(text):
        return _refused_die(state, text, int(found[1]), found[2])
    if text.startswith("!"):
        return _refused_trick(state, player, text)
    return News("not_a_choice", {"text": text})


def _meaning(state: State, player: int, action: str, viewpoint: Viewpoint) -> str:
    if action == ROLL:
        return say("shanghaien:choose_roll", count=state.supply(player))
    if action == SHANGHAI:
        return say("shanghaien:choose_shanghai", takes=_takes(state, player, viewpoint))
    end = end_of(action)
    if action[0] == "-":
        die = int(action[1])
        card = card_at(state, die, end)
        if end:
            return say("shanghaien:choose_place_end", die=die, card=card, end=end_words(end))
        return say("shanghaien:choose_place", die=die, card=card_words(card))
    letter, use = action[1], action[2:]
    if use[:1] == "=":
        return say("shanghaien:choose_joker", nationality=say(f"shanghaien:nationality_{use[1]}"))
    if letter == BOTH:
        dice = listed(say("shanghaien:die_at", die=die, card=card_at(state, die, end)) for die in state.dice)
        return say(
            "shanghaien:choose_both_end" if end else "shanghaien:choose_both", placements=dice, end=end_words(end)
        )
    if letter == PLUS_MINUS:
        die = int(use[1])
        return say("shanghaien:choose_turn", die=die, result=die + 1 if use[0] == "+" else die - 1)
    assert letter == AGAIN, action
    return say("shanghaien:choose_again")


def _takes(state: State, player: int, viewpoint: Viewpoint) -> str:
    """Return who would take which cards, the player's own first."""
    takes = taken(state)
    both = (player, 1 - player)
    return say("between_parts").join(
        str(viewpoint.news("shanghaien:would_take", p, cards=" ".join(takes[p]) or say("nothing"))) for p in both
    )


def _refused_die(state: State, text: str, die: int, end: str) -> News:
    if state.phase == Phase.TURN:
        return _not_rolled(state)
    if die not in state.dice:
        return News("shanghaien:refuse_die", {"dice": listed(state.dice), "die": die})
    if state.direction == OPEN and not end:
        return News("shanghaien:refuse_end_missing", {"text": text})
    return News("shanghaien:refuse_end_fixed", {"text": text.rstrip("<>")})


def _refused_trick(state: State, player: int, text: str) -> News:
    if state.phase == Phase.TURN:
        return _not_rolled(state)
    if state.tricked[player]:
        return News("shanghaien:refuse_tricked")
    held = state.tricks[player]
    joker = _JOKER.fullmatch(text)
    if not joker and not _MOVED.fullmatch(text) and text not in ("!b", "!b<", "!b>", "!r"):
        return News("not_a_choice", {"text": text})
    if text[1] not in held:
        having = say("shanghaien:you_hold", tricks=trick_words(held)) if held else say("shanghaien:you_hold_none")
        return News("shanghaien:refuse_no_trick", {"held": having})
    if joker:
        return News("shanghaien:refuse_joker", {"nationality": say(f"shanghaien:nationality_{joker[2]}")})
    if text[1] == PLUS_MINUS:
        return News("shanghaien:refuse_move_die", {"text": text, "dice": listed(state.dice)})
    if state.direction == OPEN:
        return News("shanghaien:refuse_end_missing", {"text": text})
    return News("shanghaien:refuse_end_fixed", {"text": text.rstrip("<>")})


def _not_rolled(state: State) -> News:
    can_roll = ROLL in state.legal(state.player)
    return News("shanghaien:refuse_roll_first") if can_roll else News("shanghaien:refuse_roll_none")
