"""The benchmark of a trained best response: it replies best to what `master` does, and is worth what it replies."""

import pickle
from math import fsum
from random import Random

import numpy as np
import pytest

from benchmarks.responding import Replies, Responder, positions, replied, round_of
from p2p_shanghaien.analysis.tournament import Contest, play_pair
from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players import easy, master
from p2p_shanghaien.games.halunken.players.evaluator import RoundEvaluator
from p2p_shanghaien.games.halunken.players.network import network
from p2p_shanghaien.games.halunken.players.rounds import CHANCE, Hire
from p2p_shanghaien.games.halunken.rules import ROUNDS, Phase, State
from tests.games.playing import play
from tests.sweeps import sweep

NETWORKS = [network(True, number) for number in range(1, ROUNDS)]


def auctions(seed: int, game: Halunken | None = None) -> list[State]:
    """Return the beginnings of the auctions of a random game, those of rounds 5 and 6 aside, which take long."""
    moments = play(game or Halunken(), Random(seed))
    states = [moment.before for moment in moments if moment.before.phase == Phase.AUCTION and not moment.before.bid]
    return [state for state in states if state.player == state.opener and state.round not in (5, 6)]


def after(state: State, responder: int) -> float:
    """Return what the best reply to the mixture of `master` is worth to player 0 at a secret choice."""
    evaluator = RoundEvaluator()
    payoffs = evaluator.payoffs(state)
    mixture = [weight.to_win for weight in evaluator.mixture(state, 1 - responder)]
    rows = payoffs if responder == 0 else list(zip(*payoffs, strict=True))
    means = [fsum(value.chance * share for value, share in zip(row, mixture, strict=True)) for row in rows]
    return max(means) if responder == 0 else min(means)


@sweep("responder", [0, 1], every=2)
def test_a_reply_to_the_bids_of_master_is_worth_what_it_leads_to(responder: int, thorough: bool) -> None:
    """With the values of `master` itself, which solves the last round exactly, before the auction and after it."""
    for seed in range(3 if thorough else 1):
        for begin in auctions(seed):
            replies, state = Replies(begin, responder, round_of(begin, NETWORKS)), begin
            worth = replies.of_round()[CHANCE]
            while isinstance(state.node, Turn) and state.phase == Phase.AUCTION:
                mine = state.player == responder
                state = state.apply(replies.best(state) if mine else master.choose(state, state.player, Random(1)))
            lost = set(begin.crews[state.hirer]) - set(state.crews[state.hirer]) if state.hirer is not None else {""}
            assert worth == pytest.approx(replies.after(Hire(state.hirer, *lost))[CHANCE], abs=1e-9)
            if begin.round == ROUNDS:
                assert state.phase == Phase.CHOICE
                assert worth == pytest.approx(after(state, responder), abs=1e-6)


@pytest.mark.parametrize("responder", [0, 1])
def test_a_reply_to_a_mixture_is_the_best_of_all(responder: int) -> None:
    for seed in range(4):
        for moment in play(Halunken("off"), Random(seed)):
            if moment.before.phase == Phase.CHOICE and moment.before.round not in (5, 6):
                state = moment.before
                networks = [network(False, number) for number in range(1, ROUNDS)]
                replies = Replies(state, responder, round_of(state, networks))
                assert replies.of_round()[CHANCE] == pytest.approx(after(state, responder), abs=1e-6)
                assert replies.best(state) in state.legal(responder)


def test_positions_are_seen_by_the_responder() -> None:
    """It replies no worse than by an equilibrium, whoever it is; and mirrored positions have mirrored values."""
    states = [state for seed in range(3) for state in auctions(seed) if state.round == 2]
    data = replied(NETWORKS, states)
    assert data.seen.shape[:2] == (2, 2 * len(states))
    assert (data.seen[0, 0::2] == data.seen[1, 1::2]).all()
    equilibrium = np.array([round_of(state, NETWORKS).value(state, CHANCE) for state in states])
    assert (data.values[0::2, CHANCE] >= equilibrium - 1e-6).all()
    assert (data.values[1::2, CHANCE] >= 1 - equilibrium - 1e-6).all()


@pytest.mark.thorough
def test_positions_are_those_before_the_rounds_of_a_game() -> None:
    (states,) = positions(Halunken(), 1, range(1))
    assert [(state.round, state.phase) for state in states] == [(number, Phase.AUCTION) for number in range(1, ROUNDS)]


@pytest.mark.thorough
def test_it_plays_whole_games_in_other_processes() -> None:
    responder = pickle.loads(pickle.dumps(Responder(NETWORKS)))
    first = play_pair(Contest(Halunken(), (responder, easy.choose), 1), 0)
    assert first == play_pair(Contest(Halunken(), (Responder(NETWORKS), easy.choose), 1), 0)
