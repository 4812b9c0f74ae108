"""The course of a step as frames: cards go from pile to player, from player under a pile, and turn over."""

from collections.abc import Iterator, Sequence
from typing import Final

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.macao.deck import WIDOW
from p2p_shanghaien.games.macao.happenings import (
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
from p2p_shanghaien.games.macao.rules import Pile, Side, State, happenings

UNDER_WAY: Final = -1
"""The phase of a frame: nobody is to do anything."""

SHORT: Final = 4
"""Frames for which each thing is shown before something follows."""


def frames(before: State, step: Step) -> Iterator[State]:
    """Yield what is to be seen during `step`, in order; a frame that stays is yielded several times.

    A card or a tile on its way lies nowhere for a frame.
    """
    last = before._replace(phase=UNDER_WAY)
    for happening in happenings(before, step):
        for frame in _frames(last, happening):
            yield from [frame] * SHORT
            last = frame


def _frames(state: State, happening: Happening) -> Iterator[State]:
    """Yield the frames of one thing that happens after `state`; the last has all of it.

    There are none of a round that begins, the set-up apart: the position itself shows it.
    """
    match happening:
        case RoundBegan(after) if not any(pile.top for pile in state.piles):
            yield from _set_up(state, after)
        case Taken(player, number, card):
            yield (state := _with_pile(state, number, top=""))
            yield _with_side(state, player, blue=_with(state, state.sides[player].blue, card))
        case TurnedUp(number, card):
            pile = state.piles[number - 1]
            if pile.unseen:
                yield _with_pile(state, number, top=card, unseen=pile.unseen - 1)
            else:
                yield _with_pile(state, number, top=card, known=pile.known[1:])
        case Recruited(player, card, paid, _):
            yield from (paying := _paid(state, player, paid))
            state = [state, *paying][-1]
            side = state.sides[player]
            yield _with_side(state, player, blue=_without(side.blue, card), red=_with(state, side.red, card))
        case Opened(player, tile, paid, _):
            yield from (paying := _paid(state, player, paid))
            state = [state, *paying][-1]
            yield (state := _without_tile(state, player, tile))
            yield _with_side(state, player, opened=_with(state, state.sides[player].opened, tile))
        case Reserved(player, tile):
            yield (state := _without_tile(state, player, tile))
            yield _with_side(state, player, reserved=_with(state, state.sides[player].reserved, tile))
        case Discarded(player, cards, number, why):
            if why != PAID:
                yield (state := _with_side(state, player, blue=_without(state.sides[player].blue, *cards)))
            yield _with_pile(state, number, known=(*state.piles[number - 1].known, *cards))


def _set_up(state: State, after: State) -> Iterator[State]:
    """Yield the tiles and then the top cards, one after the other."""
    for number in range(len(after.centre)):
        yield (state := state._replace(centre=after.centre[: number + 1]))
    for number in range(len(after.piles)):
        yield state._replace(piles=(*after.piles[: number + 1], *state.piles[number + 1 :]))


def _paid(state: State, player: int, cards: tuple[str, ...]) -> Sequence[State]:
    """Return the frames in which cards that pay go one after the other; a widow dies."""
    found = [state]
    for card in cards:
        side = found[-1].sides[player]
        dead = side.dead + (card == WIDOW)
        found.append(_with_side(state, player, blue=_without(side.blue, card), dead=dead))
    return found[1:]


def _with_side(state: State, player: int, **fields: object) -> State:
    """Return the frame in which a player's side has these fields."""
    sides: list[Side] = [*state.sides]
    sides[player] = sides[player]._replace(**fields)  # type: ignore[arg-type]  # fields of a side
    return state._replace(sides=(sides[0], sides[1]))


def _with_pile(state: State, number: int, **fields: object) -> State:
    """Return the frame in which a pile has these fields."""
    piles: list[Pile] = [*state.piles]
    piles[number - 1] = piles[number - 1]._replace(**fields)  # type: ignore[arg-type]  # fields of a pile
    return state._replace(piles=tuple(piles))


def _without_tile(state: State, player: int, tile: str) -> State:
    """Return the frame in which a tile has left the centre, or the tiles that the player has reserved."""
    if tile in state.centre:
        return state._replace(centre=_without(state.centre, tile))
    return _with_side(state, player, reserved=_without(state.sides[player].reserved, tile))


def _with(state: State, ids: tuple[str, ...], added: str) -> tuple[str, ...]:
    return state.deck.in_order((*ids, added))


def _without(ids: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    left = list(ids)
    for each in gone:
        left.remove(each)
    return tuple(left)
