"""Values of positions: exact where the game ends, without a mean of luck, the same on every machine, for any deck."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from p2p_shanghaien.analysis.annotate import GAME, annotate
from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.macao.deck import Deck, reconstruction
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.players import master
from p2p_shanghaien.games.macao.players.evaluator import LookaheadEvaluator, ahead, drawn
from p2p_shanghaien.games.macao.players.features import GRAIN, Features
from p2p_shanghaien.games.macao.players.network import STEP, Network, network, packed, squashed, unpacked
from p2p_shanghaien.games.macao.rules import Phase, Pile, Side, State, start
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import PositionValue
from tests.games.playing import play
from tests.sweeps import sweep

NO_LUCK = PositionValue(0.0, 0.0)


@cache
def states(seed: int, game: Macao = Macao()) -> list[State]:  # noqa: B008
    return [moment.before for moment in play(game, Random(seed), "recruit")]


def last_turn(*opened: str, **changes: Any) -> State:
    """Return a position in which player 1, who has opened these tiles, has the last turn."""
    red = ("killer-a", "killer-w", "killer-m", "innkeeper-a", "sailor-a", "sailor-m", "sailor-w")
    blue = ("dancer-w", "dancer-m", "policeman-j", "killer-j", "croupier-j", "widow")
    piles = (Pile("sailor-j", 2, ()), Pile("trader-a", 0, ("killer-j",)), Pile("", 0, ()), Pile("widow", 0, ()))
    found = start(reconstruction())._replace(
        player=1,
        phase=Phase.ACTION,
        round=20,
        sides=(Side(("trader-m", "trader-j"), 1, red), Side(blue, 0, red[:5], (), opened)),
        centre=("gallery",),
        piles=piles,
        unseen=("politician-a", "politician-w"),
    )
    return found._replace(**changes)


def brute_force(state: State) -> PositionValue:
    """Return the value of a position by the rules, everything tried to the end."""
    match state.node:
        case Terminal(scores, winner):
            return PositionValue(0.5 if winner is None else 1 - winner, scores[0] - scores[1])
        case Turn(player):
            values = [brute_force(state.apply(action)) for action in state.legal(player)]
            best: Callable[..., Any] = min if player else max
            return PositionValue(best(each.chance for each in values), best(each.points for each in values))
        case node:
            assert isinstance(node, Chance)
            (bound,) = node.bounds
            values = [brute_force(state.apply_chance((index,))) for index in range(bound)]
            return PositionValue(fmean(each.chance for each in values), fmean(each.points for each in values))


def test_values_of_the_last_turn_are_exact() -> None:
    evaluator, phases = LookaheadEvaluator(), set()
    for state in (last_turn(), last_turn("casino"), last_turn("casino").apply("take:1"), last_turn(round=40)):
        assert evaluator.value(state) == pytest.approx(brute_force(state))
        for option in evaluator.options(state):
            after = state.apply(option.action)
            assert option.value == pytest.approx(brute_force(after))
            phases.add(after.phase)
    assert phases == {Phase.OVER, Phase.TURN_UP, Phase.DANCER, Phase.POLICEMAN, Phase.KILLER, Phase.LIMIT}
    over = next(after for action in last_turn().legal(1) if (after := last_turn().apply(action)).phase == Phase.OVER)
    assert evaluator.value(over) == brute_force(over)
    assert evaluator.options(over) == ()


def test_a_draw_is_worth_the_mean_of_all_cards() -> None:
    """The look ahead takes a short cut through them: the other player's actions are the same after each."""
    for state in [state for state in states(1) if state.phase == Phase.TURN_UP][::10]:
        found, copies = zip(*drawn(state), strict=True)
        assert sum(copies) == len(state.unseen)
        values = [ahead([after], 1)[0] for after in found]
        (value,) = ahead([state], 1)
        for at in range(2):
            mean = fmean([each[at] for each in values], copies)
            assert value[at] == pytest.approx(mean, abs=1e-12)


def test_luck_is_zero_in_the_mean_over_all_draws() -> None:
    evaluator, spread = LookaheadEvaluator(), 0.0
    for state in [state for state in states(2) if state.phase == Phase.TURN_UP][::9]:
        luck = [evaluator.luck(state, state.apply_chance((index,))) for index in range(len(state.unseen))]
        assert fmean(each.chance for each in luck) == pytest.approx(0, abs=1e-12)
        assert fmean(each.points for each in luck) == pytest.approx(0, abs=1e-9)
        spread = max(spread, *(each.chance for each in luck))
    assert spread > 0.01


def test_there_is_no_luck_in_the_set_up_nor_in_a_card_that_changes_nothing() -> None:
    evaluator = LookaheadEvaluator()
    begin = Macao().start()
    assert evaluator.value(begin) == PositionValue(0.5, 0.0)
    assert evaluator.luck(begin, begin.apply_chance((0,) * 8)) == NO_LUCK
    state = last_turn().apply("take:1")
    assert {evaluator.luck(state, state.apply_chance((index,))) for index in (0, 1)} == {NO_LUCK}


def test_nothing_depends_on_an_order_of_unseen_cards() -> None:
    """A position has no such order but that of the file: in any other one, the same is done and expected."""
    evaluator = LookaheadEvaluator()
    for state in [state for state in states(3) if isinstance(state.node, Turn) and len(state.unseen) > 1][::18]:
        other = state._replace(unseen=state.unseen[::-1])
        assert evaluator.options(other) == evaluator.options(state)
        who = state.node.player  # type: ignore[union-attr]
        assert master.choose(other, who, Random(1)) == master.choose(state, who, Random(2))


def going(seed: int, every: int) -> list[State]:
    return [state for state in states(seed) if state.phase != Phase.SET_UP][::every]


def test_values_are_the_same_on_every_machine() -> None:
    """All sums are exact: in fractions they come to the same. Roots and quotients are rounded as the standard says."""
    seen = Features(reconstruction()).rows(going(4, 35))
    own = network()
    assert not (seen % GRAIN).any()
    assert not any((weights % STEP).any() for weights in own)
    hidden, bias, out, direct = (np.vectorize(Fraction, otypes=[object])(weights) for weights in own)
    exact = np.vectorize(Fraction, otypes=[object])(seen)
    found = np.maximum(exact @ hidden + bias, 0) @ out + exact @ direct
    half = np.asarray((found[0] - found[1]) / 2)
    assert [Fraction(value) for value in own.values(seen)[:, 1]] == [10 * value for value in half[:, 1]]
    assert own.values(seen)[:, 0].tolist() == squashed(half[:, 0].astype(np.float64)).tolist()


def test_both_players_are_treated_alike() -> None:
    seen = Features(reconstruction()).rows(going(5, 4))
    values, mirrored = network().values(seen), network().values(seen[::-1])
    assert mirrored[:, 0] == pytest.approx(1 - values[:, 0], abs=1e-12)
    assert mirrored[:, 1].tolist() == (-values[:, 1]).tolist()
    assert np.ptp(values[:, 0]) > 0.3


def other_deck() -> Deck:
    """Return a deck with three resources, of other costs and coins."""
    deck = reconstruction()

    def replaced(letters: str) -> str:
        return letters.replace("j", "a")

    cards = [
        card._replace(
            blue=replaced(card.blue), red=replaced(card.red), cost=replaced(card.cost)[:2], coins=card.coins // 2
        )
        for card in deck.cards
    ]
    traders = [card._replace(pair="aw") if card.pair else card for card in cards]
    tiles = [tile._replace(cost=replaced(tile.cost)) for tile in deck.tiles]
    return replace(deck, resources="awm", cards=tuple(traders), tiles=tuple(tiles))


def test_any_deck_can_be_played() -> None:
    game = Macao("0" * 64, other_deck())
    for state in [state for state in states(6, game) if isinstance(state.node, Turn)][::20]:
        options = LookaheadEvaluator().options(state)
        assert [option.action for option in options] == list(state.legal(state.node.player))  # type: ignore[union-attr]
        assert all(0 <= option.value.chance <= 1 for option in options)


@sweep("turns", [0, 1], every=2)
def test_the_parts_of_an_analysis_add_up_to_the_result(turns: int) -> None:
    steps = tuple(moment.step for moment in play(Macao(), Random(7), "recruit"))
    found = annotate(Record(Macao(), steps=steps), LookaheadEvaluator(turns))
    for player in (0, 1):
        parts = [found.luck(player), found.skill(player), found.matchup(player)]
        begin = found.start.to_player(player)
        total = [begin.chance + sum(p.chance for p in parts), begin.points + sum(p.points for p in parts)]
        assert total == list(found.result.to_player(player))
    assert found.result.chance in (0, GAME // 2, GAME)
    assert all(decision.cost.chance >= 0 for step in found.steps for decision in step.decisions)


def test_a_network_is_kept_in_integers() -> None:
    rng = np.random.default_rng(1)
    found = Network(rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=(5, 2)))
    arrays = packed(found)
    assert all(np.issubdtype(array.dtype, np.integer) for array in arrays.values())
    for weights, again in zip(found, unpacked(arrays), strict=True):
        assert again == pytest.approx(weights, abs=STEP / 2)


def test_master_takes_the_most_points_if_the_game_is_won_anyway() -> None:
    state = last_turn("casino", "red-room", "officers", centre=())
    scores = {option.action: option.value for option in LookaheadEvaluator().options(state)}
    assert {value.chance for value in scores.values()} == {0.0}
    chosen = master.choose(state, 1, Random(1))
    assert scores[chosen].points == min(value.points for value in scores.values()) < scores["take:1"].points
