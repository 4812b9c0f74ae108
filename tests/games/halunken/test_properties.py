"""Properties of every game of Halunken & Spelunken, whatever the players do and whatever is drawn."""

from collections import Counter
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay import canonical
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Simultaneous, Step, Terminal, Turn, advance
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from tests.games.halunken.playing import STYLES, next_step, take
from tests.games.halunken.strategies import OPTIONS, events_of, moments, options, styles, table_with
from tests.games.halunken.table import CARDS, DECK, RULES, SPACES, Table, in_order, points, value
from tests.games.strategies import generators
from tests.sweeps import examples, sweep

BLOCK = 200
"""So many games have every rule come up, and take two seconds."""

EVERY_ACTION = (
    "pass",
    "leave",
    *(f"at:{space}" for space in range(16)),
    *(f"{verb}:{rogue}" for verb in ("bid", "take", "lose") for rogue in [*DECK, "y13", "r3", "b1"]),
    *(f"{mark}{number}" for mark in ("=", "J=", "") for number in range(9)),
    "r",
    *(f"{one}+{other}" for one, other in product(f"{CARDS}8", repeat=2)),
)
"""All that the notation can say, and a little more."""
NONSENSE = (
    *("", " ", "pass ", "PASS", "at:", "at:01", "at:+1", "at:\u0661", "bid", "bid:", "take:", "1+", "+1", "1+1+1"),
    *("R", "=", "=r", "J", "J:1", "J=r", "3/6", "r4", "lose:r4,r5", "\0"),
)

bounded = settings(max_examples=examples(1))


@sweep("block", range(20), every=20)
def test_plays_as_at_the_table(block: int) -> None:
    """Step by step, the package and the plain reading of the rules agree about everything that there is."""
    found: Counter[str] = Counter()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        given_ = OPTIONS[seed % len(OPTIONS)]
        found += compared(given_, Random(seed), STYLES[seed // len(OPTIONS) % len(STYLES)])
    if block == 0:
        assert found.keys() == {*RULES}


def compared(given_: dict[str, str], rng: Random, style: str) -> Counter[str]:
    """Play a random game at the table and in the package; return which rules came up."""
    table = table_with(given_)
    state = Halunken.from_settings(given_).start()
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
        legal = state.legal(player)
        assert {*legal} == table.legal(player)
        assert len(legal) == len({*legal})
    match state.node:
        case Turn(player):
            assert table.waits == f"turn {player}"
        case Simultaneous():
            assert table.waits == "simultaneous"
        case Chance(bounds):
            assert table.waits == f"draw {' '.join(map(str, bounds))}"
        case Terminal(scores, winner):
            assert table.waits == "over"
            assert [*scores] == table.scores
            assert winner == (None if scores[0] == scores[1] else int(scores[1] > scores[0]))


@given(options, generators, styles)
@bounded
def test_each_rogue_is_in_one_place(given_: dict[str, str], rng: Random, style: str) -> None:
    for _, _, state in moments(given_, rng, style):
        tops = [top for top in state.tops if top]
        assert sorted([*state.crews[0], *state.crews[1], *state.boat, *tops, *state.pile]) == sorted(DECK)
        for rogues in (*state.crews, state.boat, state.pile):
            assert rogues == in_order(rogues)
        assert len(state.pile) == sum(state.left) - len(tops)
        # at most 18 of the 42 rogues leave the dens in a hand
        assert sum(state.left) >= 42 - 18
        if given_["blackjack"] == "off":
            assert state.boat == ()
        turned_up = state.phase not in (0, 1)
        for den, (top, left) in enumerate(zip(state.tops, state.left, strict=True), start=1):
            assert 0 <= left <= 3
            if not top and left and turned_up:
                assert state.phase == 6
                assert den in state.captains


@given(options, generators, styles)
@bounded
def test_one_figure_on_a_space(given_: dict[str, str], rng: Random, style: str) -> None:
    """Two only while the one that ends on the other takes a rogue there."""
    for _, _, state in moments(given_, rng, style):
        figures = [space for space in (*state.captains, state.jack) if space]
        assert all(1 <= space <= SPACES for space in figures)
        assert len(figures) - len({*figures}) <= (state.phase in (6, 7, 8))
        if state.phase == 7:
            assert state.captains[0] == state.captains[1]
        if state.phase == 8:
            assert state.captains[state.player] == state.jack
        assert (state.jack == 0) == (given_["blackjack"] == "off" or state.phase in (0, 1, 2))


@given(options, generators, styles)
@bounded
def test_the_cards_are_used_up(given_: dict[str, str], rng: Random, style: str) -> None:
    """One of each in each round, none twice; what is shown is used."""
    for before, _, state in moments(given_, rng, style):
        owners = 3 if given_["blackjack"] == "on" else 2
        for owner in range(owners):
            shown = state.shown[owner]
            used = state.round - (shown == "" and state.phase != 14) if state.round else 0
            assert len(state.cards[owner]) == 8 - used
            assert shown not in [*state.cards[owner]]
            assert state.cards[owner] == "".join(card for card in CARDS if card in state.cards[owner])
            if before.hand == state.hand:
                assert {*state.cards[owner]} <= {*before.cards[owner]}
        if owners == 2:
            assert (state.cards[2], state.shown[2], state.numbers[2]) == ("", "", 0)
            assert (state.opener, state.hirer, state.bid) == (None, None, "")


@given(options, generators, styles)
@bounded
def test_never_stuck(given_: dict[str, str], rng: Random, style: str) -> None:
    """Somebody can do something, or something can be drawn, and not for ever."""
    steps = 0
    for before, _, after in moments(given_, rng, style):
        steps += 1
        match before.node:
            case Turn(player):
                assert 1 <= len(before.legal(player)) <= 20
            case Simultaneous():
                sizes = [len(before.legal(player)) for player in (0, 1)]
                each = 9 - before.round
                assert sizes == [each**2 if player == before.hirer else each for player in (0, 1)]
            case Chance(bounds):
                assert all(bound >= 1 for bound in bounds)
        assert after.hand in (before.hand, before.hand + 1)
    assert isinstance(after.node, Terminal)
    assert after.hand == int(given_["hands"])
    assert steps <= 150 * after.hand


@given(options, generators, styles)
@bounded
def test_a_hand_scores_what_its_crews_are_worth(given_: dict[str, str], rng: Random, style: str) -> None:
    hands: list[list[int]] = []
    for (before, _, after), event in events_of(given_, rng, style):
        if event["event"] == "scored":
            assert isinstance(after.node, Terminal) or after.hand == before.hand + 1
            worth = [points(crew) for crew in event["crews"]]
            assert event["points"] == worth
            assert [*after.scores] == [old + new for old, new in zip(before.scores, worth, strict=True)]
            hands.append(worth)
            for crew, colour in zip(event["crews"], event["doubled"], strict=True):
                assert sum(value(rogue) * (1 + (rogue[0] == colour)) for rogue in crew) == points(crew)
    assert event["event"] == "result"
    assert event["hands"] == hands
    assert [*after.scores] == [sum(each) for each in zip(*hands, strict=True)] == event["scores"]


@given(options, generators, styles)
@settings(max_examples=examples(5))
def test_whatever_is_not_legal_is_refused(given_: dict[str, str], rng: Random, style: str) -> None:
    for before, _, _ in moments(given_, rng, style):
        seen = tuple(before)
        legal = [*before.legal(0), *before.legal(1)]
        single = legal if isinstance(before.node, Turn) else []
        for action in {*EVERY_ACTION, *NONSENSE}.difference(single):
            with pytest.raises(Illegal):
                before.apply(action)
        if isinstance(before.node, Simultaneous):
            good = [before.legal(player)[0] for player in (0, 1)]
            for action in {*EVERY_ACTION, *NONSENSE}:
                if action not in before.legal(0):
                    with pytest.raises(Illegal):
                        before.apply_joint((action, good[1]))
                if action not in before.legal(1):
                    with pytest.raises(Illegal):
                        before.apply_joint((good[0], action))
        else:
            for action in (*legal, "1"):
                with pytest.raises(Illegal):
                    before.apply_joint((action, action))
        assert tuple(before) == seen


@given(options, generators, styles)
@bounded
def test_encoded_canonically_and_each_position_differently(given_: dict[str, str], rng: Random, style: str) -> None:
    seen = {canonical.encode(Halunken.from_settings(given_).start().encode())}
    steps = 0
    for _, _, state in moments(given_, rng, style):
        steps += 1
        encoded = canonical.encode(state.encode())
        assert State(*state.encode()) == state  # type: ignore[misc]
        seen.add(encoded)
    assert len(seen) == steps + 1


@given(options, generators, styles)
@bounded
def test_the_events_tell_the_whole_hand(given_: dict[str, str], rng: Random, style: str) -> None:
    """Whoever follows the events from one round on sees the next rounds as they are."""
    board: dict[str, Any] = {}
    for _, event in events_of(given_, rng, style):
        if event["event"] == "round":
            now = {name: event[name] for name in ("captains", "jack", "crews", "boat", "tops", "left", "cards")}
            assert event["round"] == 1 or now == board
            board = deepcopy(now)
        elif board:
            happens(board, event)


def happens(board: dict[str, Any], event: dict[str, Any]) -> None:
    """Change the board as the event says, and check what it says."""
    crews, boat, captains, cards = (board[name] for name in ("crews", "boat", "captains", "cards"))
    match event:
        case {"event": "hired", "player": int(player), "rogue": rogue}:
            crews[player].remove(rogue)
            boat.append(rogue)
        case {"event": "reveal", "cards": shown, "jack": jack, "cancelled": cancelled}:
            assert cancelled == (shown[0] == shown[1])
            for owner, card in enumerate([*shown, *([jack] if jack else [])]):
                cards[owner] = use(cards[owner], card)
        case {"event": "move", "player": player, "number": number, "from": start, "to": to, "rogue": rogue}:
            assert captains[player] == start
            assert (start + number - to) % SPACES == 0
            captains[player] = to
            assert board["tops"][to - 1] == rogue
            if rogue is not None:
                crews[player].append(rogue)
                board["tops"][to - 1] = None
                board["left"][to - 1] -= 1
        case {"event": "turned", "space": space, "rogue": rogue}:
            assert board["tops"][space - 1] is None
            assert board["left"][space - 1] > 0
            board["tops"][space - 1] = rogue
        case {"event": "theft", "thief": thief, "victim": victim, "rogue": rogue}:
            (boat if victim is None else crews[victim]).remove(rogue)
            crews[thief].append(rogue)
        case {"event": "displaced", "captain": captain, "from": start, "to": to}:
            if captain is None:
                assert board["jack"] == start
                board["jack"] = to
            else:
                assert captains[captain] == start
                captains[captain] = to
        case {"event": "drawn", "card": card}:
            cards[2] = use(cards[2], card)
        case {"event": "jack", "from": start, "to": to, "number": number, "met": met}:
            assert board["jack"] == start
            way = [(start + steps - 1) % SPACES + 1 for steps in range(1, number + 1)]
            assert met == sorted(
                (player for player in (0, 1) if captains[player] in way), key=lambda each: way.index(captains[each])
            )
            assert to not in captains
            board["jack"] = to
        case {"event": "lost", "player": player, "rogue": rogue}:
            crews[player].remove(rogue)
            boat.append(rogue)
        case {"event": "scored", "crews": final}:
            assert [in_order(crew) for crew in crews] == [tuple(crew) for crew in final]
    for rogues in (*crews, boat):
        rogues.sort(key=DECK.index)


def use(cards: str, card: str) -> str:
    assert card in cards
    return cards.replace(card, "")


def exchanged(state: State) -> State:
    """Return the same position with the players' names exchanged."""
    both = state.phase in (4, 9, 11, 14) or (state.phase == 6 and state.shown[0] == state.shown[1])
    return state._replace(
        player=0 if both else 1 - state.player,
        opener=other(state.opener),
        hirer=other(state.hirer),
        shown=(state.shown[1], state.shown[0], state.shown[2]),
        numbers=(state.numbers[1], state.numbers[0], state.numbers[2]),
        captains=(state.captains[1], state.captains[0]),
        cards=(state.cards[1], state.cards[0], state.cards[2]),
        crews=(state.crews[1], state.crews[0]),
        scores=(state.scores[1], state.scores[0]),
    )


def other(player: int | None) -> int | None:
    return None if player is None else 1 - player


def exchanged_step(state: State, step: Step) -> Step:
    match step:
        case Acted(player, action):
            return Acted(1 - player, action)
        case Chosen((one, two)):
            return Chosen((two, one))
        case _ if state.phase == 6 and len(step.indices) == 2:
            # player 0's den is turned up first
            pile = [*state.pile]
            first, second = (pile.pop(index) for index in step.indices)
            pile = [rogue for rogue in state.pile if rogue != second]
            return step._replace(indices=(state.pile.index(second), pile.index(first)))
        case _:
            return step


@given(st.sampled_from([each for each in OPTIONS if each["hands"] == "3"]), generators, styles)
@bounded
def test_a_hand_is_the_same_for_both(given_: dict[str, str], rng: Random, style: str) -> None:
    """A hand that player 1 begins goes as the hand before it, with the players exchanged, that player 0 begins."""

    def later(state: State) -> State:
        return exchanged(state)._replace(hand=state.hand + 1)

    mirror = later(Halunken.from_settings(given_).start())
    for before, step, after in moments(given_, rng, style):
        if after.hand == 3:
            break
        for player in (0, 1):
            assert {*mirror.legal(1 - player)} == {*before.legal(player)}
        mirror = advance(mirror, exchanged_step(before, step))
        assert mirror == later(after)
