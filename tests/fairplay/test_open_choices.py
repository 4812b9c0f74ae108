"""Cheats at Shadows of Macao, each proved, from either seat (SPEC 5.11, 16)."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import Side, State
from tests.cheater import (
    Table,
    catch,
    caught,
    check_dropped,
    check_proved,
    check_proves_nothing,
    check_unharmed,
    entry_frame,
    words,
)
from tests.pair import Pair, make_pair

GAME = Macao()
COMMITMENT = bytes(range(32))
BOTH = pytest.mark.parametrize("seat", [0, 1])

TURN, TURN_UP, LIMIT, DANCER, POLICEMAN, KILLER, OVER = 1, 2, 3, 4, 5, 6, 7
"""Phases, as SPEC 16.4 numbers them."""

Cheat = Callable[[State, int], Iterable[str] | str | None]
"""Actions of which the first that is none of the player's is taken; nothing, if there is no such cheat."""


def position(pair: Pair, seat: int) -> State:
    state = pair.sides[seat].endpoint.match.state
    assert isinstance(state, State)
    return state


class Eager(Pair):
    """A pair that mostly recruits and opens when it can, and in three of four cases what it likes."""

    likes: tuple[str, ...] = ()

    def act_at_random(self, seat: int, rng: random.Random) -> None:
        asked = self.sides[seat].asked
        assert asked is not None
        legal = asked.state.legal(asked.player)
        liked = next(
            filter(None, ([a for a in legal if a.startswith(each)] for each in (*self.likes, "recruit", "open"))), []
        )
        self.act(seat, rng.choice(liked if liked and rng.random() < 0.75 else legal))


def tables(kind: str, seat: int, *likes: str) -> Iterator[Table]:
    """Yield a table for each entry of `kind` by `seat`, in game after game; each goes on when the next is asked for."""
    for seed in range(300):
        rng = random.Random(f"macao {seed}")
        pair = Eager(**vars(make_pair(rng, GAME)))
        pair.likes = likes
        while table := catch(pair, kind, seat, rng):
            yield table
            table.deliver(entry_frame(table.due.data))
    raise AssertionError("nobody is tempted")


def twin(table: Table) -> Table:
    """Return a copy of a table, at which something else can happen."""
    kept = (*table.pair.identities, GAME.cards)
    return deepcopy(table, {id(each): each for each in kept})


def tempted(kind: str, seat: int, cheat: Callable[[State, int], Any], *likes: str) -> tuple[Table, Any]:
    """Return a table where an entry of `kind` by `seat` is due, with what `cheat` says of the position."""
    for table in tables(kind, seat, *likes):
        if (found := cheat(before(table), table.pair.sides[seat].endpoint.player)) is not None:
            return table, found
    raise AssertionError


def before(table: Table) -> State:
    """Return the position in which the entry is due."""
    return position(table.pair, 1 - table.seat)


def fixed(action: str) -> Cheat:
    return lambda state, player: action


def paid(verb: str, change: Callable[[State, Side, str, list[str]], Iterable[Sequence[str]]]) -> Cheat:
    """Return legal actions with a payment that is changed; the change is given what is not paid with, as well."""

    def cheat(state: State, player: int) -> Iterator[str]:
        for action in state.legal(player):
            start, _, cards = action.partition("=")
            if start.startswith(verb) and cards:
                for payment in change(state, state.sides[player], start.partition(":")[2], cards.split("+")):
                    yield f"{start}={'+'.join(payment)}" if payment else start

    return cheat


def ordered(state: State, cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=[card.id for card in state.deck.cards].index)


def rest(side: Side, name: str, cards: Sequence[str]) -> list[str]:
    """Return the blue cards that are neither recruited nor paid."""
    left = list(side.blue)
    for card in (*cards, *([name] if name in left else [])):
        left.remove(card)
    return left


def one_more(state: State, side: Side, name: str, cards: list[str]) -> Iterator[list[str]]:
    return (ordered(state, [*cards, card]) for card in rest(side, name, cards))


def one_less(state: State, side: Side, name: str, cards: list[str]) -> Iterator[list[str]]:
    return (cards[:at] + cards[at + 1 :] for at in range(len(cards)))


def in_place_of_one(
    others: Callable[[State, Side], Iterable[str]], state: State, side: Side, name: str, cards: list[str]
) -> Iterator[list[str]]:
    """Yield payments in which a card that is not the player's to pay with stands for one of like resource."""
    for card in others(state, side):
        for at, own in enumerate(cards):
            alike = state.deck.card[card].blue == state.deck.card[own].blue
            if alike and card not in side.blue:
                yield ordered(state, [*cards[:at], card, *cards[at + 1 :]])


def other_side(state: State, side: Side) -> Side:
    return state.sides[1] if side is state.sides[0] else state.sides[0]


def tops(state: State, _: Side) -> list[str]:
    return [pile.top for pile in state.piles if pile.top]


def recruits(cards: Callable[[State, Side], Iterable[str]]) -> Cheat:
    """Return recruits, by all payments of another card, of cards that are not the player's blue ones."""

    def cheat(state: State, player: int) -> Iterator[str]:
        side = state.sides[player]
        for action in state.legal(player):
            start, _, payment = action.partition("=")
            if start.startswith("recruit:") and payment:
                cost = state.deck.card[start[8:]].cost
                for card in cards(state, side):
                    if card not in side.blue and state.deck.card[card].cost == cost:
                        yield f"recruit:{card}={payment}"

    return cheat


def opens(tiles: Callable[[State, Side], Iterable[str]]) -> Cheat:
    def cheat(state: State, player: int) -> Iterator[str]:
        return (f"open:{tile}" for tile in tiles(state, state.sides[player]))

    return cheat


def unmet(tile: str) -> Cheat:
    return lambda state, player: f"open:{tile}" if tile in (*state.centre, *state.sides[player].reserved) else None


def out_of_the_game(state: State, _: Side) -> list[str]:
    there = {*state.centre, *(tile for side in state.sides for tile in (*side.reserved, *side.opened))}
    return [tile for tile in state.deck.tile_ids if tile not in there]


def discards(cards: Callable[[State, Side], Iterable[str]]) -> Cheat:
    return lambda state, player: [f"discard:{card}" for card in cards(state, state.sides[player])]


def dead(_: State, side: Side) -> list[str]:
    return ["widow"] * side.dead


ACTIONS: dict[str, tuple[int, Cheat]] = {
    "a fifth pile": (TURN, fixed("take:5")),
    "a pile 0": (TURN, fixed("take:0")),
    "two piles at once": (TURN, fixed("take:1+2")),
    "nothing": (TURN, fixed("pass")),
    "no word at all": (TURN, fixed("")),
    "a payment that does not suffice": (TURN, paid("recruit", one_less)),
    "a payment with a card too many": (TURN, paid("recruit", one_more)),
    "a recruit for nothing": (TURN, paid("recruit", lambda *_: [[]])),
    "a recruit with an empty payment": (TURN, paid("recruit", lambda *_: [[""]])),
    "a payment in another order": (TURN, paid("recruit", lambda state, side, name, cards: [cards[::-1]])),
    "a payment with one card twice": (
        TURN,
        paid(
            "recruit", lambda state, side, name, cards: [[cards[0], *cards]] if side.blue.count(cards[0]) == 1 else []
        ),
    ),
    "a payment with the recruited card": (
        TURN,
        paid(
            "recruit",
            lambda state, side, name, cards: [ordered(state, [*cards[1:], name])] if name not in cards else [],
        ),
    ),
    "a payment with a card of the other": (
        TURN,
        paid("recruit", partial(in_place_of_one, lambda state, side: other_side(state, side).blue)),
    ),
    "a payment with the top card of a pile": (TURN, paid("recruit", partial(in_place_of_one, tops))),
    "a payment with a card that nobody has seen": (
        TURN,
        paid("recruit", partial(in_place_of_one, lambda state, side: dict.fromkeys(state.unseen))),
    ),
    "a payment with a red card": (TURN, paid("recruit", partial(in_place_of_one, lambda state, side: side.red))),
    "a payment with a dead widow": (
        TURN,
        paid(
            "recruit",
            lambda state, side, name, cards: (
                [ordered(state, [*cards[1:], "widow"])] if side.dead and "widow" not in side.blue else []
            ),
        ),
    ),
    "a recruit of the other's card": (TURN, recruits(lambda state, side: other_side(state, side).blue)),
    "a recruit of a card on a pile": (TURN, recruits(tops)),
    "a recruit of a card that is in no box": (TURN, fixed("recruit:killer-x")),
    "a recruit of a red card": (TURN, recruits(lambda state, side: side.red)),
    "a tile for a payment that does not suffice": (TURN, paid("open", one_less)),
    "a tile for a card too many": (TURN, paid("open", one_more)),
    "a tile for nothing": (TURN, paid("open", lambda *_: [[]])),
    "a restaurant without four of a kind": (TURN, unmet("restaurant")),
    "a Temple Bar without six blue cards": (TURN, unmet("temple-bar")),
    "a China Club without six kinds": (TURN, unmet("china-club")),
    "a Black Market without one of each": (TURN, unmet("black-market")),
    "a tile out of the box": (TURN, opens(out_of_the_game)),
    "a tile that the other has reserved": (TURN, opens(lambda state, side: other_side(state, side).reserved)),
    "a tile that is opened already": (TURN, opens(lambda state, side: side.opened)),
    "a tile that the other has opened": (TURN, opens(lambda state, side: other_side(state, side).opened)),
    "a discard that nothing asks for": (TURN, discards(lambda state, side: side.blue)),
    "a reservation without a policeman": (TURN, lambda state, player: [f"reserve:{tile}" for tile in state.centre]),
    "a card too many, and none discarded": (LIMIT, fixed("take:1")),
    "the other's card for one's own limit": (
        LIMIT,
        discards(lambda state, side: other_side(state, side).blue),
    ),
    "a dead widow for the limit": (LIMIT, discards(dead)),
    "a red card for the limit": (LIMIT, discards(lambda state, side: side.red)),
    "a dancer who takes nothing": (DANCER, fixed("pass")),
    "a dancer who takes a tile": (DANCER, lambda state, player: [f"reserve:{tile}" for tile in state.centre]),
    "a policeman who takes a card": (POLICEMAN, fixed("take:1")),
    "a policeman who takes the other's tile": (
        POLICEMAN,
        lambda state, player: [f"reserve:{tile}" for tile in state.sides[1 - player].reserved],
    ),
    "a policeman who takes a tile out of the box": (
        POLICEMAN,
        lambda state, player: [f"reserve:{tile}" for tile in out_of_the_game(state, state.sides[player])],
    ),
    "a victim who discards nothing": (KILLER, fixed("take:1")),
    "a victim who discards the killer's card": (KILLER, discards(lambda state, side: other_side(state, side).blue)),
    "a victim who discards a dead widow": (KILLER, discards(dead)),
    "a victim who discards a red card": (KILLER, discards(lambda state, side: side.red)),
}


def illegal(phase: int, cheat: Cheat) -> Callable[[State, int], str | None]:
    """Return the cheat's first action that is none of the player's, in a phase."""

    def found(state: State, player: int) -> str | None:
        if state.phase != phase or not state.legal(player):
            return None
        actions = cheat(state, player)
        legal = state.legal(player)
        return next(
            (each for each in ([actions] if isinstance(actions, str) else actions or ()) if each not in legal), None
        )

    return found


@BOTH
def test_an_illegal_action(seat: int, thorough: bool) -> None:
    """Each is tried at the first place where it could be; a plain run tries a half from either seat."""
    names = list(ACTIONS) if thorough else list(ACTIONS)[seat::2]
    left = {name: illegal(*ACTIONS[name]) for name in names}
    for table in tables("action", seat):
        for name, cheat in list(left.items()):
            if (action := cheat(before(table), table.pair.sides[seat].endpoint.player)) is not None:
                check_proved(twin(table), table.forged(action, words(table.due)[-1]), "illegal_action")
                del left[name]
        if not left:
            return


# Draws


def takes_with_a_draw(state: State, _: int) -> bool | None:
    return True if state.phase == TURN and all(pile.unseen for pile in state.piles) else None


@BOTH
def test_a_card_taken_without_a_commitment_to_the_next_one(seat: int) -> None:
    table = caught("action", seat, game=GAME, when=lambda _, entry: words(entry)[0].startswith("take"))
    check_proved(table, table.forged(words(table.due)[0], None), "no_commitment")


@BOTH
def test_a_commitment_where_nothing_is_drawn(seat: int) -> None:
    table = caught("action", seat, game=GAME, when=lambda _, entry: words(entry)[0].startswith("recruit"))
    check_proved(table, table.forged(words(table.due)[0], COMMITMENT), "idle_commitment")


@BOTH
def test_another_share_than_the_one_committed_to(seat: int) -> None:
    table, _ = tempted("draw_reveal", seat, lambda state, _: True if state.phase == TURN_UP else None)
    _, carried = words(table.due)
    check_proved(table, table.forged(COMMITMENT, carried), "share_not_committed")


def hashed(table: Table, state: State) -> bytes:
    """Return the hash of a position, after making sure that the true one would be the hash that is due."""
    match = table.pair.sides[table.seat].endpoint.match
    true = match.state
    assert isinstance(true, State)
    assert tagged_hash(Tag.STATE, match.first, true.encode()) == table.due.state
    return tagged_hash(Tag.STATE, match.first, state.encode())


def with_piles(state: State, tops_: Sequence[str]) -> State:
    return state._replace(piles=tuple(pile._replace(top=top) for pile, top in zip(state.piles, tops_, strict=True)))


@BOTH
@pytest.mark.parametrize("elsewhere", [False, True], ids=["another card", "another pile"])
def test_a_draw_that_is_not_the_joint_one(seat: int, elsewhere: bool) -> None:
    """The card follows from both shares: nobody can turn up a better one, or turn it up elsewhere."""
    table, pile = tempted("draw_reveal", seat, lambda state, _: state.pile if state.phase == TURN_UP else None)
    after = position(table.pair, seat)
    shown = [each.top for each in after.piles]
    if elsewhere:
        other = (pile + 1) % 4
        shown[pile], shown[other] = shown[other], shown[pile]
        false = with_piles(after, shown)
    else:
        card = next(each for each in after.unseen if each != shown[pile])
        unseen = ordered(after, [*rest(Side(blue=after.unseen), "", [card]), shown[pile]])
        shown[pile] = card
        false = with_piles(after, shown)._replace(unseen=tuple(unseen))
    check_proved(table, table.forged(*words(table.due), state=hashed(table, false)), "wrong_state")


@BOTH
def test_tiles_that_are_not_the_drawn_ones(seat: int) -> None:
    """Seat 0 reveals the opening draw, so only it can try."""
    if seat == 1:
        table = caught("draw_contribution", 1, game=GAME)
        check_proved(table, table.forged(*words(table.due), state=COMMITMENT), "wrong_state")
        return
    table = caught("draw_reveal", 0, game=GAME)
    after = position(table.pair, 0)
    tiles = (*after.centre[1:], next(tile for tile in after.deck.tile_ids if tile not in after.centre))
    false = after._replace(centre=after.deck.in_order(tiles))
    check_proved(table, table.forged(*words(table.due), state=hashed(table, false)), "wrong_state")


# What follows from an action


def next_turn(state: State) -> State:
    if state.player == 0:
        return state._replace(phase=TURN, player=1)
    return state._replace(phase=TURN, player=0, round=state.round + 1)


@BOTH
def test_a_power_that_is_left_out(seat: int) -> None:
    """Powers are not optional, the state says that one is due, and the killer's victim is the one to choose."""
    left = {DANCER, POLICEMAN, KILLER}
    for table in tables("action", seat, "recruit:killer", "recruit:policeman", "recruit:dancer"):
        after = position(table.pair, seat)
        if after.phase not in left or not words(table.due)[0].startswith("recruit"):
            continue
        copy = twin(table)
        check_proved(copy, copy.forged(*words(table.due), state=hashed(copy, next_turn(after))), "wrong_state")
        if after.phase == KILLER:
            copy = twin(table)
            copy.deliver(entry_frame(table.due.data))
            victim = copy.victim.endpoint.player
            data = copy.next("action", f"discard:{after.sides[victim].blue[0]}", None)
            check_dropped(copy, entry_frame(data), "wrong_seat")
        left.remove(after.phase)
        if not left:
            return


@BOTH
def test_a_payment_that_is_not_made(seat: int) -> None:
    """The cards that pay are discarded under the smallest pile; a widow dies."""
    for table in tables("action", seat):
        start, _, cards = words(table.due)[0].partition("=")
        piles = zip(before(table).piles, position(table.pair, seat).piles, strict=True)
        grown = [at for at, (old, new) in enumerate(piles) if len(new.known) > len(old.known) and old.top == new.top]
        if start.startswith("recruit") and "+widow" in cards and grown:
            break
    player = table.pair.sides[seat].endpoint.player
    after = position(table.pair, seat)
    side = after.sides[player]
    kept = side._replace(blue=after.deck.in_order((*side.blue, "widow")), dead=before(table).sides[player].dead)
    lives = side._replace(dead=before(table).sides[player].dead)
    here, there = grown[0], (grown[0] + 1) % 4
    moved = list(after.piles)
    known = before(table).piles[here].known
    moved[here] = after.piles[here]._replace(known=known)
    moved[there] = after.piles[there]._replace(
        known=(*after.piles[there].known, *after.piles[here].known[len(known) :])
    )
    for false in (with_side(after, player, kept), with_side(after, player, lives), after._replace(piles=tuple(moved))):
        copy = twin(table)
        check_proved(copy, copy.forged(*words(table.due), state=hashed(copy, false)), "wrong_state")


def with_side(state: State, player: int, side: Side) -> State:
    first, second = state.sides
    return state._replace(sides=(side, second) if player == 0 else (first, side))


# Turns, and steps that are signed twice


@BOTH
def test_an_action_out_of_turn(seat: int) -> None:
    """It is taken for garbage: it proves nothing, and the game goes on."""
    table = caught("action", 1 - seat, game=GAME)
    match = table.pair.sides[seat].endpoint.match
    out_of_turn = Table(table.pair, seat, table.due)
    data = out_of_turn.forged(
        "take:1", COMMITMENT, number=match.number, parent=match.head, state=match.state_hash, seat=seat
    )
    check_dropped(out_of_turn, entry_frame(data))
    check_proves_nothing(out_of_turn, data)


@BOTH
@pytest.mark.parametrize("later", [0, 9])
def test_two_actions_signed_for_one_step(seat: int, later: int) -> None:
    """Another pile, once the card that came up is not to one's liking, is a fork: now, or when the game has gone on."""

    def when(pair: Pair, entry: Entry) -> bool:
        return words(entry)[0].startswith("take") and takes_with_a_draw(position(pair, 1 - seat), 0) is not None

    table = caught("action", seat, game=GAME, when=when)
    action, carried = words(table.due)
    wish = next(f"take:{pile}" for pile in (1, 2, 3, 4) if f"take:{pile}" != action)
    table.deliver(entry_frame(table.due.data))
    entries = len(table.entries) + later
    table.pair.play(random.Random(0), until=lambda pair: len(pair.sides[1 - seat].endpoint.entries) >= entries)
    check_proved(table, table.forged(wish, carried), "fork")


@BOTH
def test_the_same_action_again_for_the_next_step(seat: int) -> None:
    """The card is taken, and its draw is due: whoever acts again instead is out of turn, or signs the wrong kind."""
    table = caught("action", seat, game=GAME, when=lambda _, entry: words(entry)[1] is not None)
    content = words(table.due)
    table.deliver(entry_frame(table.due.data))
    # the other has answered with its share, so that a reveal is due
    data = table.next("action", *content)
    check_proved(table, data, "wrong_kind", number=table.victim.endpoint.match.number)


# The end


@pytest.mark.thorough
@BOTH
def test_a_false_result(seat: int) -> None:
    """Neither a point more for oneself, nor a won tie, passes."""
    table = caught("result", seat, game=GAME)
    reason, scores, winner = words(table.due)
    more = [*scores]
    more[seat] += 1
    check_proved(table, table.forged(reason, tuple(more), winner), "wrong_result")
    table = caught("result", seat, game=GAME, when=lambda _, entry: words(entry)[2] != seat)
    check_proved(table, table.forged(reason, words(table.due)[1], seat), "wrong_result")


@pytest.mark.thorough
def test_a_game_that_goes_on_after_its_end() -> None:
    """The last action ends the game, whatever its author's state says."""

    def when(pair: Pair, entry: Entry) -> bool:
        return position(pair, entry.seat).phase == OVER

    found = [seat for seat in (0, 1) for table in [caught("action", seat, game=GAME, when=when)] if goes_on(table)]
    assert found == [0, 1]


def goes_on(table: Table) -> bool:
    """Check that a last turn with the state of another one to follow is proved to be false."""
    after = position(table.pair, table.seat)
    check_proved(table, table.forged(*words(table.due), state=hashed(table, next_turn(after))), "wrong_state")
    return True


@BOTH
def test_a_program_refuses_what_its_own_player_may_not_do(seat: int) -> None:
    """So an honest program can sign no violation by mistake."""
    table = caught("action", 1 - seat, game=GAME)
    table.deliver(entry_frame(table.due.data))
    table.pair.settle()
    while not table.pair.sides[seat].asked:
        table.pair.play(random.Random(0), until=lambda pair: bool(pair.sides[seat].asked))
    endpoint = table.pair.sides[seat].endpoint
    log = table.pair.sides[seat].log
    for action in ("take:5", "open:saloon", "recruit:killer-x", "discard:killer-x", "pass"):
        with pytest.raises(Illegal):
            endpoint.act(action)
    assert table.pair.sides[seat].log == log


@BOTH
def test_a_cheater_harms_nobody_but_itself(seat: int) -> None:
    """Garbage in place of an action leaves the game as it is."""
    table = caught("action", seat, game=GAME)
    check_dropped(table, entry_frame(table.due.data[:-1]))
    check_dropped(table, encode(("entry", encode(("take:1",)))))
    check_unharmed(table)
