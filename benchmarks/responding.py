"""A best response, trained against `master`, at Halunken & Spelunken: how often it wins.

python -m benchmarks responding [--positions N] [--games N] [--seed N] [--cores N]

It knows the program of `master`: its bids, and the mixture from which it draws each secret choice, but not the draw. In
the auction, and with its own secret choice, it plays the best reply to these; it decides everything else as `master`
does. What positions before a round are worth to it is fitted, from round 7 to the first, to the values of its best
replies in positions of games of `master` against itself, beginning with what they are worth to `master`. As rounds are
solved here with fitted values at their ends, it need not be the very best response, and what it wins is a lower bound
of what can be won.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property, partial
from multiprocessing import get_context
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.exploiting import AgainstMaster, self_play
from benchmarks.ratings import Kept, pairings_table, run_pairing
from fitting.halunken import SHARE, Solved, backwards, seen
from p2p_shanghaien.analysis.tournament import Contest, summarise
from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players import master
from p2p_shanghaien.games.halunken.players.evaluator import solution
from p2p_shanghaien.games.halunken.players.network import Network, network
from p2p_shanghaien.games.halunken.players.rounds import CHANCE, Auction, Hire, Judge, Solution
from p2p_shanghaien.games.halunken.rules import ROUNDS, Phase, State

POSITIONS: Final = 2000
GAMES: Final = 1000
MISHAPS: Final = (0.0, 0.05)
"""The rates of random actions in the games that positions come from, so that others than those of `master` occur."""

Values = tuple[float, float]


class Replies:
    """Best replies of `responder` to `master` in a round, from `state`, where an auction or the secret choices begin.

    `ours` is the round with what its ends are worth to the responder.
    """

    def __init__(self, state: State, responder: int, ours: Solution) -> None:
        self._begin, self._responder, self._ours, self._theirs = state, responder, ours, solution(state)

    def of_round(self) -> Values:
        """Return what the round is worth to player 0."""
        if self._begin.phase == Phase.CHOICE:
            return self.after(Hire(self._begin.hirer))
        return self._auction.value(self._begin.player, self._begin.bid)

    def best(self, state: State) -> Action:
        """Return the best reply in the round's position `state`."""
        if state.phase == Phase.CHOICE:
            values = self._expected(Hire(state.hirer))
            return state.legal(self._responder)[int(self._sign(values[:, CHANCE]).argmax())]
        found = {action: value[CHANCE] for action, value in self._auction.actions(state.player, state.bid).items()}
        return master.best(found, self._responder)

    @cached_property
    def _auction(self) -> Auction[Values]:
        after = {end: self.after(end) for end in self._ours.ends}
        return AgainstMaster(self._begin, self._responder, after)

    def after(self, end: Hire) -> Values:
        """Return what the best reply to the secret choice of `master` is worth to player 0."""
        values = self._expected(end)
        chance, points = values[self._sign(values[:, CHANCE]).argmax()]
        return float(chance), float(points)

    def _expected(self, end: Hire) -> NDArray[np.float64]:
        """Return what each secret choice of the responder is worth to player 0, (choices, 2)."""
        matrix, mixtures = self._ours.ends[end].matrix, self._theirs.equilibrium(CHANCE, end)
        own = (matrix, mixtures.columns) if self._responder == 0 else (matrix.swapaxes(0, 1), mixtures.rows)
        expected: NDArray[np.float64] = np.einsum("ijk,j->ik", *own)
        return expected

    def _sign(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return -values if self._responder else values


class Responder:
    """A player, with what positions before each round are worth to it."""

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = networks
        self._replies: tuple[State, int, Replies] | None = None

    def __call__(self, state: State, player: int, rng: Random) -> Action:
        if state.phase not in (Phase.AUCTION, Phase.CHOICE) or len(state.legal(player)) == 1:
            return master.choose(state, player, rng)
        begin = state
        if state.phase == Phase.AUCTION:
            assert state.opener is not None
            begin = state._replace(player=state.opener, bid="")
        if self._replies is None or self._replies[:2] != (begin, player):
            self._replies = begin, player, Replies(begin, player, round_of(begin, self._networks))
        return self._replies[2].best(state)


def round_of(state: State, networks: Sequence[Network]) -> Solution:
    """Return the round of a position with these networks; its last two need none."""
    return Solution(Judge(state, networks)) if state.round < ROUNDS - 1 else solution(state)


def replied(networks: Sequence[Network], states: Sequence[State]) -> Solved:
    """Return positions before a round, and what they are worth to the responder as player 0; each as either player."""
    values = []
    for state in states:
        ours = round_of(state, networks)
        first, second = (Replies(state, player, ours).of_round() for player in (0, 1))
        values += [first, (1 - second[0], -second[1])]
    both = seen(states)
    # of each position, as player 0 sees it and as player 1 does
    turned = np.stack([both, both[::-1]], axis=2).reshape(2, -1, both.shape[-1])
    return Solved(turned, np.array(values))


def positions(game: Halunken, seed: int, numbers: Sequence[int]) -> list[list[State]]:
    """Return the positions before rounds 1 to 7 in games of `master` against itself."""
    return [_game(game, Random(f"{seed} {number}")) for number in numbers]


def _game(game: Halunken, rng: Random) -> list[State]:
    mishaps = rng.choice(MISHAPS)

    def stumbling(state: State, player: int, rng: Random) -> Action:
        chosen = master.choose(state, player, rng)
        return rng.choice(state.legal(player)) if rng.random() < mishaps else chosen

    first: dict[int, State] = {}
    for state in self_play(game, stumbling, rng):
        if state.round == ROUNDS:
            break
        first.setdefault(state.round, state)
    return [first[number] for number in range(1, ROUNDS)]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks responding", description="What is won from master.")
    parser.add_argument("--positions", type=int, default=POSITIONS, help=f"games to train on (default: {POSITIONS})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games (default: {GAMES})")
    parser.add_argument("--blackjack", choices=("on", "off"), default="on", help="the option (default: on)")
    parser.add_argument("--seed", type=int, default=1997, help="fixes everything (default: 1997)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="processes (default: one for every core)")
    given = parser.parse_args(arguments)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of each process: several wait for each other most of the time
    game, pairing = Halunken(given.blackjack), ("best response", "master")
    tell = partial(print, file=sys.stderr, flush=True)
    with ProcessPoolExecutor(given.cores, get_context("spawn")) as executor:
        parts = [range(at, min(at + SHARE, given.positions)) for at in range(0, given.positions, SHARE)]
        games = [each for part in executor.map(partial(positions, game, given.seed), parts) for each in part]
        tell(f"{len(games)} games of master against itself")
        begin = [network(given.blackjack == "on", number) for number in range(1, ROUNDS)]
        networks = backwards(list(zip(*games, strict=True)), given.seed, executor, tell, replied, begin)
        contest = Contest(game, (Responder(networks), master.choose), given.seed, luck=True)
        kept = Kept(None, game, given.seed)
        for line in run_pairing(contest, pairing, (given.games + 1) // 2, kept, executor):
            tell(line)
    print(pairings_table([(pairing, summarise(kept.of(pairing)))]))
