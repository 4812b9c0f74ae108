"""The level `greedy`: takes what is best at once.

It compares its expected margin after this round, the other's card taken as random, and bids for Black Jack while half
of what he would steal for it and half of what he would steal from it exceed the cost of the bid. It thinks neither of
later rounds nor of what the other will choose.
"""

from random import Random

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.halunken.players.margins import (
    Round,
    Walked,
    auction_gain,
    joined,
    margin,
    of_jack,
    points,
    replaced,
    without,
)
from p2p_shanghaien.games.halunken.rogues import Rogue
from p2p_shanghaien.games.halunken.rules import LEAVE, NUMBERS, PASS, SPACES, Phase, State


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the choice with the best expected margin for `player`; any of equals."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    if state.phase == Phase.AUCTION:
        return _bid(state, player)
    sign = 1 - 2 * player
    values = [sign * value for value in _values(state, player, legal)]
    best = max(values)
    return rng.choice([action for action, value in zip(legal, values, strict=True) if value > best - 1e-9])


def _bid(state: State, player: int) -> Action:
    """Return the cheapest bid if it pays, and else a pass."""
    crew = state.crews[player]

    def cost(action: Action) -> int:
        return points(crew) - points(without(crew, _rogue(action)))

    bids = [action for action in state.legal(player) if action != PASS]
    cheapest = min(bids, key=cost)
    return cheapest if auction_gain(state.crews, player) > cost(cheapest) else PASS


def _values(state: State, player: int, legal: tuple[Action, ...]) -> list[float]:
    """Return the expected margin to player 0 after each action."""
    match state.phase:
        case Phase.PLACE:
            return [0.0 for _ in legal]
        case Phase.PLACE_JACK:
            return [_threat(state, int(_rogue(action))) for action in legal]
        case Phase.CHOICE:
            return _choices(state, player, legal)
        case Phase.NAME:
            course, other = Round(state), state.numbers[1 - player]
            pairs = [(int(action[1:]), other) for action in legal]
            return [course.of_numbers(pair if player == 0 else pair[::-1], state.shown[2]) for pair in pairs]
        case Phase.JACK_NAME:
            there = Walked(state.crews, state.captains, state.jack)
            return [of_jack(state, there, number) for number in range(1, NUMBERS + 1)]
        case Phase.LOSE:
            crew = state.crews[player]
            return [margin(replaced(state.crews, player, without(crew, _rogue(action)))) for action in legal]
        case _:
            return [_stolen(state, player, action) for action in legal]


def _choices(state: State, player: int, legal: tuple[Action, ...]) -> list[float]:
    course, others = Round(state), state.legal(1 - player)

    def of_pair(own: Action, other: Action) -> float:
        first, second = (own, other) if player == 0 else (other, own)
        hirers = own if state.hirer == player else other
        return course.of_cards(first[0], second[0], hirers[2:])

    return [sum(of_pair(own, other) for other in others) / len(others) for own in legal]


def _stolen(state: State, player: int, action: Action) -> float:
    """Return the margin after a theft; a rogue of the other's crew, or one that lies beside the boat."""
    crews, other = state.crews, 1 - player
    if action == LEAVE:
        return margin(crews)
    rogue = _rogue(action)
    return margin(joined(replaced(crews, other, without(crews[other], rogue)), player, rogue))


def _threat(state: State, space: int) -> float:
    """Return how much more likely Black Jack meets player 1's captain than player 0's from `space`."""
    first, second = (max(0, NUMBERS + 1 - (captain - space) % SPACES) for captain in state.captains)
    return second - first


def _rogue(action: Action) -> Rogue:
    return action.partition(":")[2]
