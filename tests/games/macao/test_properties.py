"""Properties of every game of Shadows of Macao, whatever the players do and whatever is drawn."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay import canonical
from p2p_shanghaien.games.api import Acted, Chance, Drawn, Terminal, Turn, advance
from p2p_shanghaien.games.macao.notation import events
from p2p_shanghaien.games.macao.rules import Phase, State, start
from tests.games.macao.plain import RULES, Table
from tests.games.macao.playing import STYLES, next_step, take
from tests.games.macao.strategies import FILES, deck_of, files, moments, styles
from tests.games.strategies import generators
from tests.sweeps import examples, sweep

BLOCK = 50
RARE = (66, 130)
"""Games in which what is rare comes up: with the first block, every rule does."""

NONSENSE = (
    *("", " ", "take", "take:", "take:0", "take:5", "take:01", "take:+1", "TAKE:1", "take:1 ", "take:1=widow"),
    *("recruit", "recruit:", "recruit:widow=", "recruit:widow=widow", "recruit:killer", "recruit:killer-x"),
    *(
        "open:",
        "open:saloon",
        "open:casino=",
        "reserve:",
        "reserve:saloon",
        "discard:",
        "discard:killer-x",
        "pass",
        "\0",
    ),
)

bounded = settings(max_examples=examples(1))


@sweep("block", range(100), every=100)
def test_plays_as_at_the_table(block: int) -> None:
    """Step by step, the package and the plain reading of the rules agree about everything that there is."""
    found: Counter[str] = Counter()
    for seed in (*range(block * BLOCK, (block + 1) * BLOCK), *(RARE if block == 0 else ())):
        found += compared(FILES[seed % len(FILES)], Random(seed), STYLES[seed // len(FILES) % len(STYLES)])
    if block == 0:
        assert found.keys() == {*RULES}


def compared(file: Any, rng: Random, style: str) -> Counter[str]:
    """Play a random game at the table and in the package; return which rules came up."""
    table = Table(file)
    state = start(deck_of(file))
    same(state, table)
    while table.waits != "over":
        step = next_step(table, rng, style)
        take(table, step)
        state = advance(state, step)
        same(state, table)
    return table.rules


def same(state: State, table: Table) -> None:
    assert state.encode() == table.encoded()
    for player in (0, 1):
        assert [*state.legal(player)] == table.legal(player)
    match state.node:
        case Turn(player):
            assert table.waits == f"turn {player}"
        case Chance(bounds):
            assert table.waits == f"draw {' '.join(map(str, bounds))}"
        case Terminal(scores, winner):
            assert table.waits == "over"
            assert [*scores] == table.scores()
            assert winner == table.winner()


@given(files, generators, styles)
@bounded
def test_no_card_and_no_tile_is_lost(file: Any, rng: Random, style: str) -> None:
    deck = deck_of(file)
    characters = Counter(card for card in deck.face_down if card != "widow")
    for before, _, state in moments(file, rng, style):
        lying = Counter(state.unseen)
        for side in state.sides:
            lying += Counter((*side.blue, *side.red))
            lying["widow"] += side.dead
        for pile in state.piles:
            lying += Counter((*([pile.top] if pile.top else []), *pile.known))
        assert lying == characters + Counter(widow=3)
        assert sum(pile.unseen for pile in state.piles) == len(state.unseen)
        tiles = [*state.centre, *(tile for side in state.sides for tile in (*side.reserved, *side.opened))]
        assert len(tiles) == len({*tiles}) == (0 if state.phase == Phase.SET_UP else 4)
        if before.phase != Phase.SET_UP:
            assert {*tiles} == {*before.centre} | {
                tile for side in before.sides for tile in (*side.reserved, *side.opened)
            }
        for side in state.sides:
            for names in (*(side.blue, side.red, side.reserved, side.opened), state.centre, state.unseen):
                assert names == deck.in_order(names)


@given(files, generators, styles)
@bounded
def test_within_the_bounds(file: Any, rng: Random, style: str) -> None:
    """An action is always possible, and everything is within the bounds of the rules."""
    decisions = draws = longest = 0
    for before, step, after in moments(file, rng, style):
        match before.node:
            case Turn(player):
                decisions += 1
                legal = before.legal(player)
                assert legal
                longest = max(longest, *map(len, legal))
                assert before.legal(1 - player) == ()
                if before.phase in (Phase.ACTION, Phase.DANCER):
                    assert any(action.startswith("take:") for action in legal)
            case Chance(bounds):
                draws += 1
                assert all(bound >= 1 for bound in bounds)
        assert 1 <= after.round <= 40
        for player, side in enumerate(after.sides):
            beyond = after.phase in (Phase.TURN_UP, Phase.LIMIT) and player == after.player
            assert side.crowd <= side.places(after.deck) + beyond
            assert len(side.red) <= 7
            assert len(side.red) < 7 or before.round == after.round
        assert sum(side.dead for side in after.sides) <= 3
        assert after.phase == Phase.SET_UP or any(pile.top for pile in after.piles)
        assert all(not pile.known or pile.top or after.phase == Phase.TURN_UP for pile in after.piles)
        assert isinstance(step, Drawn) == isinstance(before.node, Chance)
    assert isinstance(after.node, Terminal)
    assert decisions <= 240
    assert draws <= 81
    assert longest <= 150


@given(files, generators, styles)
@settings(max_examples=examples(5))
def test_no_card_of_a_payment_can_be_left_out(file: Any, rng: Random, style: str) -> None:
    """Of two payments of one thing, none contains the other."""
    for before, _, _ in moments(file, rng, style):
        paid: dict[str, list[Counter[str]]] = {}
        for action in before.legal(before.player):
            thing, _, names = action.partition("=")
            if not thing.startswith("take:"):
                paid.setdefault(thing, []).append(Counter(names.split("+") if names else ()))
        for payments in paid.values():
            assert not any(one <= other for one in payments for other in payments if one is not other)


@given(files, generators, styles)
@settings(max_examples=examples(5))
def test_whatever_is_not_legal_is_refused(file: Any, rng: Random, style: str) -> None:
    deck = deck_of(file)
    nonsense = [*NONSENSE, *(f"discard:{name}" for name in deck.card), *(f"recruit:{name}" for name in deck.card)]
    nonsense += [f"{verb}:{name}" for verb in ("open", "reserve") for name in deck.tile]
    for before, _, _ in moments(file, rng, style):
        legal = (*before.legal(0), *before.legal(1))
        for action in {*nonsense, *(f"take:{number}" for number in range(1, 5))}.difference(legal):
            with pytest.raises(Illegal):
                before.apply(action)
        with pytest.raises(Illegal):
            before.apply_joint(("take:1", "take:1"))
        bounds = before.node.bounds if isinstance(before.node, Chance) else ()
        for indices in ((), (-1,), bounds, tuple(bound - 1 for bound in bounds[:-1])):
            with pytest.raises(Illegal):
                before.apply_chance(indices)


@given(files, generators, styles)
@bounded
def test_encoded_canonically_and_each_position_differently(file: Any, rng: Random, style: str) -> None:
    seen = {canonical.encode(start(deck_of(file)).encode())}
    steps = 0
    for _, _, state in moments(file, rng, style):
        steps += 1
        seen.add(canonical.encode(state.encode()))
    assert len(seen) == steps + 1


@given(files, generators, styles)
@bounded
def test_the_events_tell_the_whole_game(file: Any, rng: Random, style: str) -> None:
    """Whoever follows the events, and what is taken, from one round on sees the next rounds as they are."""
    board: dict[str, Any] = {}
    for before, step, after in moments(file, rng, style):
        if isinstance(step, Acted) and step.action.startswith("take:"):
            pile = board["piles"][int(step.action[5:]) - 1]
            board["blue"][step.player].append(pile[0])
            pile[0] = ""
        for event in events(before, step, after):
            if event["event"] == "table":
                now = {name: event[name] for name in event if name not in ("event", "round", "coins")}
                assert event["round"] == after.round
                assert event["coins"] == [side.coins(after.deck) for side in after.sides]
                assert not board or now == sorted_as(board, after)
                board = deepcopy(now)
            else:
                happens(board, event)
    assert event["event"] == "result"
    assert (tuple(event["scores"]), event["winner"]) == after.node
    assert event["tiles"] == [len(opened) for opened in board["opened"]]
    assert event["red"] == [len(red) for red in board["red"]]


def happens(board: dict[str, Any], event: dict[str, Any]) -> None:
    """Change the board as the event says, and check what it says."""
    match event:
        case {"event": "turned", "pile": number, "card": card}:
            pile = board["piles"][number - 1]
            assert pile[0] == ""
            pile[0] = card
            if pile[1]:
                pile[1] -= 1
            else:
                assert pile[2].pop(0) == card
        case {"event": "recruited", "player": player, "card": card, "paid": paid, "died": died}:
            board["blue"][player].remove(card)
            board["red"][player].append(card)
            widows_die(board, player, paid, died)
        case {"event": "opened", "player": player, "tile": tile, "paid": paid, "died": died}:
            (board["tiles"] if tile in board["tiles"] else board["reserved"][player]).remove(tile)
            board["opened"][player].append(tile)
            widows_die(board, player, paid, died)
        case {"event": "reserved", "player": player, "tile": tile}:
            board["tiles"].remove(tile)
            board["reserved"][player].append(tile)
        case {"event": "discarded", "player": player, "cards": cards, "pile": number, "why": why}:
            assert why in ("limit", "killer", "paid")
            assert why == "paid" or len(cards) == 1
            for card in cards:
                board["blue"][player].remove(card)
            pile = board["piles"][number - 1]
            pile[2] += cards
        case _:
            assert event["event"] == "result"


def widows_die(board: dict[str, Any], player: int, paid: list[str], died: int) -> None:
    assert paid.count("widow") == died
    for _ in range(died):
        board["blue"][player].remove("widow")
    board["dead"][player] += died


def sorted_as(board: dict[str, Any], state: State) -> dict[str, Any]:
    """Return the board with everything in file order."""
    names = ("blue", "red", "reserved", "opened")
    return board | {name: [[*state.deck.in_order(each)] for each in board[name]] for name in names}
