"""Properties of every game of Shanghaien, whatever the players do and the dice show."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Simultaneous, Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import State
from p2p_shanghaien.games.shanghaien.scoring import contests, scores
from tests.games.playing import exchanged, play
from tests.games.strategies import generators, preferences, shanghaiens
from tests.games.table import NATIONALITIES, Table, beside, points, takers, worth
from tests.sweeps import examples

SAILORS = Counter(nationality + value for nationality in NATIONALITIES for value in "12334")
ENDS = ("", "<", ">")
EVERY_ACTION = (
    "roll",
    "#",
    "!r",
    *(f"-{die}{end}" for die, end in product(range(8), ENDS)),
    *(f"!b{end}" for end in ENDS),
    *(f"!p{sign}{die}" for sign, die in product("+-", range(8))),
    *(f"!{trick}={nationality}" for trick, nationality in product("pbrwX", NATIONALITIES + "X")),
)
"""All that the notation can say, and a little more."""
NONSENSE = (
    "",
    "-",
    "--1",
    "-1 ",
    " roll",
    "ROLL",
    "roll<",
    "!",
    "!p",
    "!p+",
    "!w",
    "!b=",
    "##",
    "-\u0661",
    "-1<>",
    "\0",
)

TWINS = (2, 3)
"""The two American sailors of value 3, which stand side by side in the deck."""

bounded = settings(max_examples=examples(3))


def moments(game: Shanghaien, rng: Random, prefer: str) -> Iterator[tuple[State, Acted | Drawn, State]]:
    """Yield a random game: every step with the positions before and after it."""
    for before, step, after in play(game, rng, prefer):
        assert not isinstance(step, Chosen)
        yield before, step, after


@given(shanghaiens, generators, preferences)
@bounded
def test_plays_as_at_the_table(game: Shanghaien, rng: Random, prefer: str) -> None:
    """Step by step, the package and the plain reading of the rules agree about everything that can be seen."""
    table = Table(
        "".join(letter * count for letter, count in zip("pbr", game.tricks, strict=True)), bool(game.start().tricks[0])
    )
    for before, step, after in moments(game, rng, prefer):
        if isinstance(step, Drawn):
            table.draw(step.indices)
        else:
            assert {*before.legal(step.player)} == table.legal(step.player)
            table.act(step.action)
        assert after.round == table.round
        assert after.pile == tuple(table.pile)
        assert after.row == tuple(table.row)
        assert after.direction == table.first_end
        assert after.dice == tuple(table.rolled)
        assert [*map(Counter, after.crews)] == [*map(Counter, table.crews)]
        assert [*map(Counter, after.tricks)] == [*map(Counter, table.hands)]
        assert after.tricked == tuple(table.has_tricked)
        for player in (0, 1):
            assert after.supply(player) == table.supply(player)
            assert [*after.placed[player]] == [table.dice[player].count(number) for number in range(1, 7)]
        match after.node:
            case Turn(player):
                assert table.stage in ("turn", "rolled", "place")
                assert player == table.player
            case Chance(bounds):
                assert bounds == (
                    (6, 6) if table.stage in ("dice", "reroll") else tuple(len(table.pile) - i for i in range(6))
                )
                assert after.starter == table.starter
            case Terminal(final):
                assert table.stage == "over"
                assert [*final] == points(table.crews, table.hands)


@given(shanghaiens, generators, preferences)
@bounded
def test_ends_after_exactly_eight_rounds(game: Shanghaien, rng: Random, prefer: str) -> None:
    rows = calls = 0
    state = game.start()
    for before, step, state in moments(game, rng, prefer):
        rows += isinstance(step, Drawn) and len(step.indices) == 6
        calls += step == Acted(before.player, "#")
        assert isinstance(state.node, Terminal) == (calls == 8)
    assert (rows, calls) == (8, 8)
    assert not state.legal(0)
    assert not state.legal(1)


@given(shanghaiens, generators, preferences)
@bounded
def test_every_card_is_accounted_for(game: Shanghaien, rng: Random, prefer: str) -> None:
    """Cards in pile, row, crews and hands, and those seen to leave the game, are the 48 (and the wild ones)."""
    wild = len("".join(game.start().tricks))
    deck = SAILORS + Counter(dict(zip(("Xp", "Xb", "Xr"), game.tricks, strict=True))) + Counter({"Xw": wild})
    gone: Counter[str] = Counter()
    for before, step, after in moments(game, rng, prefer):
        if step == Acted(before.player, "#"):
            gone.update(
                card for card, c in zip(before.numbered_row(), contests(before.placed), strict=True) if c.taker is None
            )
        elif isinstance(step, Acted) and step.action[0] == "!" and "=" not in step.action:
            gone["X" + step.action[1]] += 1
        crews = (card if card[1].isdigit() else "X" + card[1] for crew in after.crews for card in crew)
        hands = (f"X{letter}" for hand in after.tricks for letter in hand)
        assert Counter(after.pile) + Counter(after.row) + Counter(crews) + Counter(hands) + gone == deck
        assert len(after.pile) == 48 - 6 * (after.round - (not after.row and not isinstance(after.node, Terminal)))


@given(shanghaiens, generators, preferences)
@bounded
def test_six_dice_a_player(game: Shanghaien, rng: Random, prefer: str) -> None:
    for _, _, state in moments(game, rng, prefer):
        for player in (0, 1):
            rolled = len(state.dice) if player == state.player else 0
            assert sum(state.placed[player]) + state.supply(player) + rolled == 6
            assert state.supply(player) >= 0
        assert len(state.dice) in (0, 2)
        assert all(1 <= die <= 6 for die in state.dice)


@given(shanghaiens, generators, preferences)
@bounded
def test_scores_never_exceed_what_is_in_play(game: Shanghaien, rng: Random, prefer: str) -> None:
    *_, (_, _, last) = moments(game, rng, prefer)
    over = last.node
    assert isinstance(over, Terminal)
    in_play = sum([worth(card) for crew in last.crews for card in crew]) + len("".join(last.tricks))
    assert over.scores[0] >= 0
    assert over.scores[1] >= 0
    assert sum(over.scores) <= in_play <= 8 * 13 + 2 * 8 + 2 * 2
    first, second = over.scores
    assert over.winner == (None if first == second else int(second > first))


@given(shanghaiens, generators, preferences)
@settings(max_examples=examples(6))
def test_whatever_is_not_legal_is_refused(game: Shanghaien, rng: Random, prefer: str) -> None:
    for before, _, _ in moments(game, rng, prefer):
        seen = tuple(before)
        node = before.node
        legal = before.legal(node.player) if isinstance(node, Turn) else ()
        for action in {*EVERY_ACTION, *NONSENSE}.difference(legal):
            with pytest.raises(Illegal):
                before.apply(action)
        with pytest.raises(Illegal):
            before.apply_joint(("roll", "roll"))
        assert tuple(before) == seen


@given(shanghaiens, generators, preferences, st.data())
@settings(max_examples=examples(6))
def test_draws_outside_their_bounds_are_refused(
    game: Shanghaien, rng: Random, prefer: str, data: st.DataObject
) -> None:
    for before, step, _ in moments(game, rng, prefer):
        if not isinstance(before.node, Chance):
            with pytest.raises(Illegal):
                before.apply_chance((0, 0))
            continue
        assert isinstance(step, Drawn)
        good, bounds = list(step.indices), before.node.bounds
        place = data.draw(st.integers(0, len(bounds) - 1))
        for index in (-1, -bounds[place], bounds[place], bounds[place] + 1, 1 << 70):
            with pytest.raises(Illegal):
                before.apply_chance([*good[:place], index, *good[place + 1 :]])
        for wrong in ((), good[:-1], [*good, 0]):
            with pytest.raises(Illegal):
                before.apply_chance(wrong)


@given(shanghaiens, generators, preferences)
@bounded
def test_naming_the_players_the_other_way_round_changes_nothing(game: Shanghaien, rng: Random, prefer: str) -> None:
    mirror = exchanged(game.start())
    for before, step, after in moments(game, rng, prefer):
        if isinstance(step, Acted):
            assert mirror.legal(1 - step.player) == before.legal(step.player)
            mirror = mirror.apply(step.action)
        else:
            mirror = mirror.apply_chance(step.indices)
        assert mirror == exchanged(after)
    over, mirror_over = after.node, mirror.node
    assert isinstance(over, Terminal)
    winner = None if over.winner is None else 1 - over.winner
    assert mirror_over == Terminal(over.scores[::-1], winner)


dice_on_cards = st.lists(st.integers(1, 6), max_size=6)


@given(dice_on_cards, dice_on_cards)
def test_any_dice_are_compared_as_at_the_table(first: list[int], second: list[int]) -> None:
    counts = [tuple(map(own.count, range(1, 7))) for own in (first, second)]
    decided = contests((counts[0], counts[1]))
    assert [contest.taker for contest in decided] == takers((first, second))
    for number, contest in enumerate(decided, start=1):
        here = (first.count(number), second.count(number))
        assert contest.dice == here
        sums = (beside(first, number), beside(second, number))
        assert contest.neighbours == (sums if here[0] == here[1] != 0 else None)
    swapped = [None if taker is None else 1 - taker for taker in takers((first, second))]
    assert [contest.taker for contest in contests((counts[1], counts[0]))] == swapped


crews = st.lists(st.sampled_from([n + mark for n in NATIONALITIES for mark in "1234pbrw"]), max_size=20)
hands = st.text("pbrw", max_size=6)


@given(crews, crews, hands, hands)
def test_any_crews_are_scored_as_at_the_table(first: list[str], second: list[str], mine: str, yours: str) -> None:
    assert [*scores((first, second), (mine, yours))] == points((first, second), (mine, yours))
    assert scores((second, first), (yours, mine)) == scores((first, second), (mine, yours))[::-1]


@given(shanghaiens, generators, preferences)
@bounded
def test_no_choice_is_made_in_secret(game: Shanghaien, rng: Random, prefer: str) -> None:
    assert not any(isinstance(state.node, Simultaneous) for _, _, state in moments(game, rng, prefer))


@given(generators)
@bounded
def test_equal_positions_are_equal_however_they_came_about(rng: Random) -> None:
    """Two equal cards, two orders of the dice, and two orders of winning cards make no difference."""
    state = Shanghaien().start()
    low, high = TWINS
    rest = [int(rng.random() * 40) for _ in range(5)]
    assert state.apply_chance([low, *rest]) == state.apply_chance([high, *rest])
    assert state.apply_chance([low, *rest]).encode() == state.apply_chance([high, *rest]).encode()
    dice = [int(rng.random() * 6) for _ in range(2)]
    rolled = state.apply_chance([low, *rest]).apply("roll")
    assert rolled.apply_chance(dice) == rolled.apply_chance(dice[::-1])
    assert hash(rolled.apply_chance(dice)) == hash(rolled.apply_chance(dice[::-1]))
