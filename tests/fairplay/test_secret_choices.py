"""Cheats at Halunken, each proved; and nothing tells a secret choice before both have chosen (SPEC 5.7, 5.11, 15)."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal, LocalError
from p2p_shanghaien.fairplay.effects import Ask, ChoiceMade, Send, Stepped, Store
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.keys import Tag, choice_commitment, tagged_hash
from p2p_shanghaien.games.api import Chosen
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from tests.cheater import (
    Table,
    caught,
    check_dropped,
    check_proved,
    check_proves_nothing,
    check_unharmed,
    entry_frame,
    entry_in,
    words,
)
from tests.pair import Pair, make_pair
from tests.sweeps import sweep, together

GAME = Halunken()
SALT = bytes(range(32))
CARDS = "1234567r"
BOTH = pytest.mark.parametrize("seat", [0, 1])

PLACE, PLACE_JACK, AUCTION, CHOICE, NAME, TURN_UP, ROB_CAPTAIN, ROB_JACK = 0, 2, 3, 4, 5, 6, 7, 8
JACK_NAME, JACK_ROB, LOSE = 10, 12, 13
"""Phases, as SPEC 15.4 numbers them."""

Cheat = Callable[[State, int], str | None]
"""An action that is none of the player's in a position; None where there is no such cheat."""


def position(pair: Pair, seat: int) -> State:
    state = pair.sides[seat].endpoint.match.state
    assert isinstance(state, State)
    return state


def tempted(kind: str, seat: int, cheat: Callable[[State, int], object]) -> tuple[Table, Any]:
    """Return a table where an entry of `kind` by `seat` is due, with what `cheat` says of the position."""

    def made(pair: Pair) -> object:
        return cheat(position(pair, 1 - seat), pair.sides[seat].endpoint.player)

    table = caught(kind, seat, game=GAME, when=lambda pair, _: made(pair) is not None)
    return table, made(table.pair)


def value(rogue: str) -> int:
    return int(rogue[1:])


def bid(holds: Callable[[int, int], bool]) -> Cheat:
    def cheat(state: State, player: int) -> str | None:
        found = [rogue for rogue in state.crews[player] if state.bid and holds(value(rogue), value(state.bid))]
        return f"bid:{found[0]}" if found else None

    return cheat


def others(prefix: str) -> Cheat:
    """Return what is done with a rogue of the other's crew."""
    return lambda state, player: f"{prefix}:{state.crews[1 - player][0]}" if state.crews[1 - player] else None


def fixed(action: str) -> Cheat:
    return lambda state, player: action


ACTIONS: dict[str, tuple[int, Cheat]] = {
    "a captain on the other one": (
        PLACE,
        lambda state, player: f"at:{max(state.captains)}" if max(state.captains) else None,
    ),
    "a captain beside the ring": (PLACE, fixed("at:15")),
    "Black Jack on a captain": (PLACE_JACK, lambda state, player: f"at:{state.captains[player]}"),
    "a bid too low": (AUCTION, bid(lambda own, standing: own < standing)),
    "a bid of equal value": (AUCTION, bid(lambda own, standing: own == standing)),
    "a bid of the other's rogue": (AUCTION, others("bid")),
    "a bid of a rogue in a den": (AUCTION, lambda state, player: f"bid:{next(filter(None, state.tops))}"),
    "a bid of a rogue beside the boat": (
        AUCTION,
        lambda state, player: f"bid:{state.boat[0]}" if state.boat else None,
    ),
    "a card in an auction": (AUCTION, fixed("3")),
    "a theft in an auction": (AUCTION, others("take")),
    "the other's number": (NAME, lambda state, player: f"={state.numbers[1 - player]}"),
    "a number beyond seven": (NAME, fixed("=8")),
    "no number": (NAME, fixed("=0")),
    "a number for Black Jack": (NAME, fixed("J=2")),
    "a theft where rum is to be named": (NAME, others("take")),
    "nothing taken where one must": (ROB_CAPTAIN, fixed("leave")),
    "a theft from oneself": (ROB_CAPTAIN, lambda state, player: f"take:{state.crews[player][0]}"),
    "a theft from a den": (ROB_CAPTAIN, lambda state, player: f"take:{next(filter(None, state.tops))}"),
    "a theft from the boat, where a captain stands": (
        ROB_CAPTAIN,
        lambda state, player: f"take:{state.boat[0]}" if state.boat else None,
    ),
    "a theft from whoever has not hired Black Jack": (
        ROB_JACK,
        lambda state, player: others("take")(state, player) if state.hirer != 1 - player else None,
    ),
    "a theft from a hirer with fewer rogues": (
        ROB_JACK,
        lambda state, player: (
            others("take")(state, player)
            if state.hirer == 1 - player and len(state.crews[player]) > len(state.crews[1 - player])
            else None
        ),
    ),
    "a number beyond seven for Black Jack": (JACK_NAME, fixed("J=8")),
    "the number of one's own rum for Black Jack's": (JACK_NAME, fixed("=4")),
    "Black Jack takes nothing": (JACK_ROB, fixed("leave")),
    "Black Jack takes from the boat": (
        JACK_ROB,
        lambda state, player: f"take:{state.boat[0]}",
    ),
    "the other's rogue is lost": (LOSE, others("lose")),
    "a loss refused": (LOSE, fixed("leave")),
}


@sweep("seat", [0, 1], every=2)
@together("name", ACTIONS)
def test_an_illegal_action(seat: int, name: str) -> None:
    phase, cheat = ACTIONS[name]
    table, action = tempted("action", seat, lambda s, p: cheat(s, p) if s.phase == phase else None)
    carried = words(table.due)[-1]
    check_proved(table, table.forged(action, carried), "illegal_action")


# Choices


def used(cards: str) -> str | None:
    return next((card for card in CARDS if card not in cards), None)


def used_card(state: State, player: int) -> str | None:
    card = used(state.cards[player])
    return card and (f"{card}+{state.cards[2][0]}" if state.hirer == player else card)


def used_by_jack(state: State, player: int) -> str | None:
    card = used(state.cards[2])
    return f"{state.cards[player][0]}+{card}" if card and state.hirer == player else None


def not_hired(state: State, player: int) -> str | None:
    return None if state.hirer == player else f"{state.cards[player][0]}+{state.cards[2][0]}"


def hired_and_no_card(state: State, player: int) -> str | None:
    return state.cards[player][0] if state.hirer == player else None


CHOICES: dict[str, Cheat] = {
    "a card used twice": used_card,
    "a card of Black Jack's used twice": used_by_jack,
    "a card of Black Jack's without having hired him": not_hired,
    "no card of Black Jack's, having hired him": hired_and_no_card,
    "two own cards": lambda state, player: "12",
    "no such card": lambda state, player: "8",
    "nothing": lambda state, player: "",
    "an action of another phase": lambda state, player: "pass",
}


@together("name", CHOICES)
def test_an_illegal_answer(name: str) -> None:
    table, action = tempted("choice_contribution", 1, CHOICES[name])
    check_proved(table, table.forged(action), "illegal_action")


@together("name", CHOICES)
def test_an_illegal_choice_that_is_truly_committed_to(name: str) -> None:
    table, action = tempted("choice_commit", 0, CHOICES[name])
    hidden = choice_commitment(table.session, table.due.number, table.own.public, SALT, action)
    table.deliver(entry_frame(table.forged(hidden)))
    table.pair.act_at_random(1, random.Random(1))
    data = table.next("choice_reveal", action, SALT, None)
    check_proved(table, data, "illegal_action", number=table.due.number + 2)


def test_a_changed_choice() -> None:
    """Whatever else seat 0 would like to have chosen, once it knows the answer."""
    fresh, _ = tempted("choice_reveal", 0, lambda state, player: state.hirer == player or None)
    action, salt, carried = words(fresh.due)
    wishes = [each for each in position(fresh.pair, 1).legal(fresh.pair.sides[0].endpoint.player) if each != action]
    only_jacks = [wish for wish in wishes if wish[0] == action[0]]
    assert only_jacks
    for wish in (*only_jacks, *wishes[:3], wishes[-1]):
        table, _ = tempted("choice_reveal", 0, lambda state, player: state.hirer == player or None)
        check_proved(table, table.forged(wish, salt, carried), "choice_not_committed")


def test_a_choice_revealed_twice() -> None:
    """Another choice for the same place is a fork, even after the game has gone on."""
    for later in (0, 12):
        table = caught("choice_reveal", 0, game=GAME)
        action, salt, carried = words(table.due)
        wish = next(
            each for each in position(table.pair, 1).legal(table.pair.sides[0].endpoint.player) if each != action
        )
        table.deliver(entry_frame(table.due.data))
        entries = len(table.entries) + later
        table.pair.play(random.Random(0), until=lambda pair: len(pair.sides[1].endpoint.entries) >= entries)  # noqa: B023
        check_proved(table, table.forged(wish, salt, carried), "fork")


def test_a_reveal_repeated_as_the_next_entry() -> None:
    """It is out of place if seat 1 is expected, and of the wrong kind if seat 0 is."""
    found = set[str]()
    for seed in range(12):
        table = caught("choice_reveal", 0, game=GAME, seed=seed)
        content = words(table.due)
        table.deliver(entry_frame(table.due.data))
        expected = table.victim.endpoint.match.expected
        assert expected is not None
        data = table.next("choice_reveal", *content)
        if expected.seat == 0:
            check_proved(table, data, "wrong_kind", number=table.victim.endpoint.match.number)
        else:
            check_dropped(table, entry_frame(data), "wrong_seat")
            check_proves_nothing(table, data)
        found.add(str(expected.seat))
    assert found == {"0", "1"}


# False states


def hashed(table: Table, **changes: Any) -> bytes:
    """Return the hash of the position after the entry that is due, with changes: what nobody is owed."""
    match = table.pair.sides[table.seat].endpoint.match
    state = match.state
    assert isinstance(state, State)
    assert tagged_hash(Tag.STATE, match.first, state.encode()) == table.due.state
    return tagged_hash(Tag.STATE, match.first, state._replace(**changes).encode())


@BOTH
def test_a_theft_that_is_not_due(seat: int) -> None:
    """A rogue comes up, and the state of the entry has another one change hands."""
    table, _ = tempted("draw_reveal", seat, lambda state, player: True if state.phase == TURN_UP else None)
    crews = [[*crew] for crew in position(table.pair, seat).crews]
    me = table.pair.sides[seat].endpoint.player
    stolen = crews[1 - me].pop()
    deck = [*(f"r{n}" for n in range(16)), *(f"v{n}" for n in range(16))]
    deck += [*(f"g{n}" for n in range(16)), *(f"y{n}" for n in range(16))]
    crews[me] = sorted([*crews[me], stolen], key=deck.index)
    check_proved(
        table, table.forged(*words(table.due), state=hashed(table, crews=tuple(map(tuple, crews)))), "wrong_state"
    )


@BOTH
def test_another_rogue_or_that_of_another_den(seat: int) -> None:
    """The drawn rogue follows from both shares: nobody can turn up a better one, or turn it up elsewhere."""

    def comes_up(state: State, player: int) -> int | None:
        return state.hidden[0] - 1 if state.phase == TURN_UP else None

    for elsewhere in (False, True):
        table, den = tempted("draw_reveal", seat, comes_up)
        after = position(table.pair, seat)
        tops, pile = list(after.tops), list(after.pile)
        if elsewhere:
            other = next(at for at, top in enumerate(tops) if top and at != den)
            tops[den], tops[other] = tops[other], tops[den]
        else:
            tops[den], pile[0] = pile[0], tops[den]
        false = hashed(table, tops=tuple(tops), pile=tuple(pile))
        check_proved(table, table.forged(*words(table.due), state=false), "wrong_state")


# Secrecy


def asked(pair: Pair) -> list[int]:
    return [seat for seat in (0, 1) if pair.sides[seat].asked]


def until_choice(rng: random.Random) -> Pair:
    """Return a pair at a secret choice, for which seat 0 alone is asked."""
    pair = make_pair(rng, GAME)
    pair.play(rng, until=lambda each: position(each, 0).phase == CHOICE and bool(each.sides[0].asked))
    assert asked(pair) == [0]
    return pair


def choices(pair: Pair) -> Iterator[tuple[Entry, Entry]]:
    """Yield the entries with seat 0's commitments, and those that reveal them."""
    entries = pair.sides[0].endpoint.entries
    revealed = [entry for entry in entries if entry.kind == "choice_reveal"]
    yield from zip([entry for entry in entries if entry.kind == "choice_commit"], revealed, strict=True)


def test_seat_1_is_asked_only_after_the_commitment_and_no_answer_comes_before() -> None:
    pair = until_choice(random.Random(1))
    guest = pair.sides[1].endpoint
    for action in position(pair, 1).legal(guest.player):
        with pytest.raises(Illegal, match="not_your_turn"):
            guest.act(action)
    pair.act_at_random(0, random.Random(1))
    assert asked(pair) == []
    pair.hand_over(1)
    assert asked(pair) == [1]
    pair.act_at_random(1, random.Random(1))
    kinds = [entry.kind for entry in guest.entries[-2:]]
    assert kinds == ["choice_commit", "choice_contribution"]


def test_an_answer_before_the_commitment_is_out_of_place() -> None:
    table = caught("choice_contribution", 1, game=GAME)
    early = until_choice(random.Random(1))
    match = early.sides[0].endpoint.match
    premature = Table(early, 1, table.due)
    data = premature.forged(
        "3", session=match.session.id, number=match.number, parent=match.head, state=match.state_hash,
        handshake=early.established[0].hellos.handshake,
    )  # fmt: skip
    check_dropped(premature, entry_frame(data), "wrong_seat")
    check_proves_nothing(premature, data)


def test_whatever_seat_0_chooses_it_stores_and_sends_the_same_but_for_the_commitment() -> None:
    """Up to the answer: one entry, of the same size, with the same state; its signature and hash follow from it."""
    seen = []
    for at in range(8):
        pair = until_choice(random.Random(1))
        side = pair.sides[0]
        action = position(pair, 0).legal(side.endpoint.player)[at]
        before, log, effects = len(side.effects), side.log, len(pair.sides[1].effects)
        pair.act(0, action)
        done = side.effects[before:]
        assert [type(effect) for effect in done] == [Store, Send, ChoiceMade]
        store, send, _ = done
        assert isinstance(store, Store)
        assert isinstance(send, Send)
        entry = entry_in(send.frame)
        assert entry is not None
        assert entry.data == store.entry == side.log[len(log) + 4 :]
        (hidden,) = words(entry)
        pair.hand_over(1)
        assert [type(effect) for effect in pair.sides[1].effects[effects:]] == [Store, ChoiceMade, Ask]
        fixed_fields = (entry.session, entry.number, entry.parent, entry.seat, entry.handshake, entry.kind, entry.state)
        seen.append((len(entry.data), fixed_fields, hidden, pair.sides[1].asked))
    assert len({(size, fields, question) for size, fields, _, question in seen}) == 1
    assert len({hidden for _, _, hidden, _ in seen}) == 8


def test_no_step_is_shown_before_both_have_chosen() -> None:
    pair = until_choice(random.Random(1))
    marks = [len(side.effects) for side in pair.sides]

    def stepped() -> list[list[Stepped]]:
        effects = (side.effects[mark:] for side, mark in zip(pair.sides, marks, strict=True))
        return [[each for each in found if isinstance(each, Stepped)] for found in effects]

    pair.act_at_random(0, random.Random(1))
    pair.hand_over(1)
    pair.act_at_random(1, random.Random(2))
    assert stepped() == [[], []]
    pair.hand_over(0)
    pair.hand_over(1)
    steps = [[each.step for each in found if isinstance(each.step, Chosen)] for found in stepped()]
    entries = pair.sides[0].endpoint.entries
    contributed, revealed = (
        words(entry)[0] for entry in entries if entry.number in (entries[-1].number, entries[-2].number)
    )
    first = pair.sides[0].endpoint.match.first
    both = (revealed, contributed) if first == 0 else (contributed, revealed)
    assert steps == [[Chosen(both)], [Chosen(both)]]


def test_every_commitment_is_salted() -> None:
    """No salt comes twice, none of the public values is one, and without the salt no action is told from another."""
    salts = []
    for seed in range(3):
        rng = random.Random(seed)
        pair = make_pair(rng, GAME)
        pair.play(rng)
        key = pair.identities[0].public
        assert len([*choices(pair)]) == 8
        for choice, revealed in choices(pair):
            (hidden,), (action, salt, _) = words(choice), words(revealed)
            assert hidden == choice_commitment(choice.session, choice.number, key, salt, action)
            salts.append(salt)
            public = [bytes(32), choice.session, choice.parent, choice.handshake, choice.state, key]
            for guess in (*public, *salts[:-1]):
                assert hidden != choice_commitment(choice.session, choice.number, key, guess, action)
    assert {len(salt) for salt in salts} == {32}
    assert len({*salts}) == len(salts)


def killed_after_choosing(rng: random.Random, chosen: int) -> tuple[Pair, str]:
    """Return a pair whose host is started again once it has chosen, and seat 1 has answered."""
    pair = until_choice(rng)
    action = position(pair, 0).legal(pair.sides[0].endpoint.player)[chosen]
    pair.act(0, action)
    pair.hand_over(1)
    pair.act_at_random(1, rng)
    return pair, action


def test_a_program_that_is_killed_knows_its_choice_by_its_secret() -> None:
    """So the choice need not be on disk."""
    for chosen in range(8):
        rng = random.Random(1)
        pair, action = killed_after_choosing(rng, chosen)
        pair.restart(0)
        pair.resume(rng)
        pair.settle()
        (revealed,) = [entry for entry in pair.sides[1].endpoint.entries if entry.kind == "choice_reveal"]
        assert words(revealed)[0] == action


def test_without_the_secret_nobody_knows_it() -> None:
    rng = random.Random(1)
    pair, _ = killed_after_choosing(rng, 3)
    pair.sides[0].secret = bytes(32)
    pair.restart(0)
    pair.resume(rng)
    with pytest.raises(LocalError, match="secret_lost"):
        pair.settle()


def test_a_cheater_harms_nobody_but_itself() -> None:
    """Garbage in place of an answer leaves the game as it is."""
    table = caught("choice_contribution", 1, game=GAME)
    check_dropped(table, entry_frame(table.due.data[:-1]))
    assert parse(table.due.data).kind == "choice_contribution"
    check_unharmed(table)
