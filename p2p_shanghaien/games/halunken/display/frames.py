"""The course of a step as frames: cards turn over, figures walk from space to space, rogues change hands."""

from collections.abc import Iterator
from typing import Any, Final, TypeVar, cast

from p2p_shanghaien.games.api import Acted, Step
from p2p_shanghaien.games.halunken.display.pieces import HIDDEN
from p2p_shanghaien.games.halunken.happenings import (
    BlackJackMoved,
    CardDrawn,
    DensFilled,
    Displaced,
    FirstRogue,
    Happening,
    Hired,
    Lost,
    Moved,
    Revealed,
    Stolen,
    TurnedUp,
)
from p2p_shanghaien.games.halunken.rogues import Rogue, ordered
from p2p_shanghaien.games.halunken.rules import JACK, SPACES, Phase, State, ahead, happenings

UNDER_WAY: Final = -1
"""The phase of a frame: nobody is to do anything."""

WALK: Final = 2
"""Frames for which a figure stays on a space that it passes."""
LOOK: Final = 10
"""Frames for which cards are shown once they have been turned over."""
SHORT: Final = 4
"""Frames for which anything else is shown before something follows."""


_Items = TypeVar("_Items", bound=tuple[Any, ...])


def jack_space(state: State) -> int:
    """Return the space on which Black Jack is shown: in the thefts and losses of his move that where it ends."""
    return state.jack_ends if state.phase in (Phase.JACK_ROB, Phase.LOSE) else state.jack


def frames(before: State, step: Step) -> Iterator[State]:
    """Yield what is to be seen during `step`, in order; a frame that stays is yielded several times."""
    last = before._replace(phase=UNDER_WAY, jack=jack_space(before))
    if isinstance(step, Acted) and before.phase in (Phase.NAME, Phase.JACK_NAME):
        place = JACK if before.phase == Phase.JACK_NAME else step.player
        last = last._replace(numbers=_put(last.numbers, place, int(step.action[-1])))
        yield from [last] * SHORT
    for happening in happenings(before, step):
        for frame in _frames(last, happening):
            yield frame
            last = frame


def _frames(state: State, happening: Happening) -> Iterator[State]:
    """Yield the frames of one thing that happens after `state`; the last has all of it.

    There are none of a round that begins and of a hand that is over: the position itself shows them.
    """
    match happening:
        case Revealed() | CardDrawn():
            yield from _turned_over(state, happening)
        case Moved() | Displaced() | BlackJackMoved():
            yield from _walked(state, happening)
        case FirstRogue(player=player, space=space, rogue=rogue):
            yield from [_joined(_taken(state, space), player, rogue)] * SHORT
        case DensFilled(tops=tops):
            for den in range(1, SPACES + 1):
                yield state._replace(tops=(*tops[:den], *state.tops[den:]))
        case TurnedUp(space=space, rogue=rogue):
            yield from [state._replace(tops=_put(state.tops, space - 1, rogue))] * SHORT
        case Hired(player=int(player), rogue=str(rogue)):
            yield from [_paid(state, player, rogue)._replace(hirer=player, bid="")] * SHORT
        case Lost(player=player, rogue=rogue):
            yield from [_paid(state, player, rogue)] * SHORT
        case Stolen(thief=thief, victim=victim, rogue=rogue):
            boat = tuple(each for each in state.boat if each != rogue)
            robbed = state._replace(boat=boat) if victim is None else _left(state, victim, rogue)
            yield from [_joined(robbed, thief, rogue)] * SHORT


def _turned_over(state: State, happening: Revealed | CardDrawn) -> Iterator[State]:
    """Yield cards face down, then all of them face up at once."""
    if isinstance(happening, Revealed):
        up = (*happening.cards, happening.jack or "")
        down = (HIDDEN, HIDDEN, HIDDEN if happening.jack else "")
    else:
        up = (*state.shown[:JACK], happening.card)
        down = (*state.shown[:JACK], HIDDEN)
    yield from [state._replace(shown=down)] * SHORT
    first, second, jack = (held.replace(card, "") for held, card in zip(state.cards, up, strict=True))
    numbers = state.numbers
    if isinstance(happening, Revealed) and not happening.cancelled:
        numbers = (_number(up[0]), _number(up[1]), _number(up[JACK]))
    elif isinstance(happening, CardDrawn):
        numbers = _put(numbers, JACK, _number(happening.card))
    yield from [state._replace(shown=up, cards=(first, second, jack), numbers=numbers)] * LOOK


def _walked(state: State, happening: Moved | Displaced | BlackJackMoved) -> Iterator[State]:
    """Yield a figure on each space along its way, and at its end what a captain takes there."""
    match happening:
        case Moved(player=who, number=number):
            state = state._replace(numbers=_put(state.numbers, who, number))
        case BlackJackMoved(number=number):
            who, state = JACK, state._replace(numbers=_put(state.numbers, JACK, number))
        case Displaced(captain=captain):
            who = JACK if captain is None else captain
    for distance in range(1, (happening.end - happening.start) % SPACES + 1):
        space = ahead(happening.start, distance)
        at = {"jack": space} if who == JACK else {"captains": _put(state.captains, who, space)}
        state = state._replace(**at)
        yield from [state] * WALK
    if isinstance(happening, Moved) and happening.rogue:
        yield from [_joined(_taken(state, happening.end), who, happening.rogue)] * SHORT
    elif isinstance(happening, BlackJackMoved):
        # the round may be over, and its cards are put away
        yield from [state] * SHORT


def _paid(state: State, player: int, rogue: Rogue) -> State:
    """Return the frame in which a rogue of a crew lies beside the boat."""
    return _left(state, player, rogue)._replace(boat=ordered((*state.boat, rogue)))


def _taken(state: State, space: int) -> State:
    """Return the frame in which the top rogue of a den has been taken."""
    left = _put(state.left, space - 1, state.left[space - 1] - 1)
    return state._replace(tops=_put(state.tops, space - 1, ""), left=left)


def _joined(state: State, player: int, rogue: Rogue) -> State:
    """Return the frame in which `rogue` has joined a crew."""
    return state._replace(crews=_put(state.crews, player, ordered((*state.crews[player], rogue))))


def _left(state: State, player: int, rogue: Rogue) -> State:
    """Return the frame in which `rogue` has left a crew."""
    crew = tuple(each for each in state.crews[player] if each != rogue)
    return state._replace(crews=_put(state.crews, player, crew))


def _number(card: str) -> int:
    """Return the number of a card; 0 for rum, and where there is no card."""
    return int(card) if card.isdigit() else 0


def _put(items: _Items, at: int, item: object) -> _Items:
    """Return the items, with another one at `at`."""
    return cast(_Items, (*items[:at], item, *items[at + 1 :]))
