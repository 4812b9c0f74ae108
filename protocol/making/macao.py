"""Vectors of SPEC section 16 and of RECORD.md, section 8: logs, positions and records of Shadows of Macao."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Kind
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.transcript import opening
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Chance, Drawn, Step
from p2p_shanghaien.games.macao.deck import (
    CROUPIER,
    RECONSTRUCTION_DIGEST,
    SAILOR,
    TRADER,
    WIDOW,
    Deck,
)
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.payments import means, payments, reduced
from p2p_shanghaien.games.macao.rules import Course, Phase, Pile, Side, State
from protocol.making.common import Vector, some_bytes
from protocol.making.decks import CHOICES, DATA, OTHER, SHORT, SHORT_DIGEST
from protocol.making.games import state, text_record, walk
from protocol.making.hellos import guest_hello, host_hello
from protocol.making.table import Decide, Played, at_random, evaluated, played, proofs
from tests.games.macao.plain import DECK_OF_CHOICES, RULES, Table

_BY_TILES: Final = 314
"""One of few games of equal scores; the player with more opened tiles has fewer red cards."""
_BY_RED: Final = 382
"""One of few games of equal scores and equally many opened tiles."""

_STYLES: Final[dict[str, Sequence[str]]] = {
    "anything": (),
    "members": ("recruit", "open"),
    "tiles": ("recruit:policeman", "open", "recruit:sailor", "recruit:croupier", "take"),
    "places": ("open", "recruit:innkeeper", "recruit:policeman", "take"),
    "croupiers": ("discard:widow", "open", "recruit:widow", "recruit:croupier", "recruit:killer", "recruit"),
    "traders": ("open", "recruit:trader", "recruit:dancer", "recruit"),
    "one pile": ("recruit", "take:4", "take:3", "take:2", "take:1"),
    "takes": ("take",),
}
"""The beginnings of what players do if they can, best first, in four of five decisions; `takes` always."""


def _style(name: str, label: str) -> Decide:
    """Return players of a style, who decide alike for the same label."""
    choose, choose_whether = at_random(label), at_random(f"{label}/whether")

    def decide(number: int, legal: Sequence[str]) -> str:
        if name == "takes" or choose_whether(number, "yyyyn") == "y":
            for start in _STYLES[name]:
                if liked := [action for action in legal if action.startswith(start)]:
                    return choose(number, liked)
        return choose(number, legal)

    return decide


@cache
def _game(style: str, number: int, game: Macao | None = None) -> Played:
    label = f"macao {style} {number}"
    return played(label, _style(style, label), (game or Macao()).settings, game=Macao.NAME)


def _data(*decks: bytes) -> dict[str, Any]:
    """Return the field of a vector that needs data from outside the games."""
    return {"outside": [deck.hex() for deck in decks]}


def _needed(game: object) -> dict[str, Any]:
    """Return that field for a game, empty unless it is played with another deck."""
    return _data(CHOICES.canonical()) if game == OTHER else {}


def logs() -> Iterator[Vector]:
    """Yield whole games, games that wait for each entry of a turn, and the violations that there can be."""
    yield from _whole()
    yield from _unfinished()
    yield from _opened()
    yield from _results()
    yield from _twice()
    yield _other_set_up()
    for case in (*_TAKES, *_RECRUITS, *_OPENS, *_DISCARDS, *_COMMITMENTS, *_DRAWS, *_STATES):
        found, place, forged = next(_offered(case))
        log = found.log(place, _forged(found, place, case, forged))
        vector = evaluated(case.id, case.comment, log, Verdict.VIOLATION, case.reason)
        yield {**vector, **_needed(found.matches[0].session.game)}


def _whole() -> Iterator[Vector]:
    """Yield a game for each way in which one can end, and be won."""
    for name, comment, style, number, game in (
        ("whole", "player 1 brings the end by seven red cards; player 0 sits at seat 0", "members", 0, None),
        ("whole-guest", "player 0 has seven red cards, and player 1 one more turn; seat 1 begins", "members", 1, None),
        ("whole-centre", "no tile is left in the centre", "places", 12, None),
        ("whole-tiles", "equal scores, and more opened tiles", "members", _BY_TILES, None),
        ("whole-red", "equal scores and opened tiles, and more red cards", "members", _BY_RED, None),
        ("whole-drawn", "both only take cards, until round 40 is over: a draw", "takes", 0, None),
        ("whole-deck", "another deck, in which croupiers have a choice", "croupiers", 0, OTHER),
    ):
        found = _game(style, number, game)
        vector = evaluated(name, comment, found.log(), Verdict.COMPLETE)
        yield {**vector, **_needed(game), "secrets": [secret.hex() for secret in found.secrets]}


def _unfinished() -> Iterator[Vector]:
    """Yield games that wait for a decision of each phase, and for each entry of a draw."""
    for phase, name in _DECISIONS.items():
        found, place = next(
            (game, number)
            for game, number, at in _places()
            if game.entries[number].kind == Kind.ACTION and at.state.phase == phase
        )
        yield evaluated(f"before-{name}", f"a {name} is awaited", found.log(place), Verdict.INCOMPLETE)
    game = _game("members", 1)
    taken = next(entry.number for entry in game.entries if entry.kind == Kind.ACTION)
    for place, kind in enumerate((Kind.DRAW_CONTRIBUTION, Kind.DRAW_REVEAL), start=taken + 1):
        assert game.entries[place].kind == kind
        yield evaluated(f"before-{kind}", f"the {kind} of a draw is awaited", game.log(place), Verdict.INCOMPLETE)
    resigned = (1, game.matches[taken].head, game.resignation(1, game.matches[taken].head))
    closed = game.closed(taken, Kind.RESIGNATION, resigned)
    yield evaluated("resigned", "a resignation instead of an action", game.log(taken, *closed), Verdict.COMPLETE)


def _opened() -> Iterator[Vector]:
    """Yield openings whose settings are none of the game, or that nobody can check without the deck."""
    missing = "0" * 64
    for name, comment, settings, verdict, reason, data in (
        ("deck-unknown", "no such deck", [("deck", "printed")], Verdict.INVALID_FILE, "bad_setting", ()),
        (
            "deck-capital",
            "a digest in capitals",
            [("deck", OTHER.deck.upper())],
            Verdict.INVALID_FILE,
            "bad_setting",
            (),
        ),
        (
            "deck-digest",
            "the digest of the reconstruction, instead of its name",
            [("deck", RECONSTRUCTION_DIGEST)],
            Verdict.INVALID_FILE,
            "bad_setting",
            (),
        ),
        ("deck-absent", "no deck is named", [], Verdict.INVALID_FILE, "bad_setting", ()),
        (
            "setting-unknown",
            "a setting more",
            [("deck", "reconstruction-1"), ("hands", "1")],
            Verdict.INVALID_FILE,
            "bad_setting",
            (),
        ),
        ("deck-missing", "a deck that is not there", [("deck", missing)], Verdict.UNSUPPORTED, "data_missing", ()),
        ("deck-there", "another deck", [("deck", OTHER.deck)], Verdict.INCOMPLETE, None, (CHOICES.canonical(),)),
        (
            "deck-bad",
            "bytes of that digest that are no deck: it lacks a card",
            [("deck", SHORT_DIGEST)],
            Verdict.INVALID_FILE,
            "bad_setting",
            (SHORT,),
        ),
    ):
        label = f"macao {name}"
        hellos = host_hello(label, game=Macao.NAME, settings=tuple(settings)).encode(), guest_hello(label).encode()
        log = opening(hellos, proofs(hellos))
        yield {**evaluated(name, comment, log, verdict, reason), **(_data(*data) if data else {})}


def _results() -> Iterator[Vector]:
    """Yield games at whose end seat 0 counts something else."""
    for name, comment, style, number in (
        ("result-scores", "a point too many", "members", 0),
        ("result-tiles", "equal scores, won by the player with fewer opened tiles", "members", _BY_TILES),
        ("result-red", "equal scores and opened tiles, won by the player with fewer red cards", "members", _BY_RED),
    ):
        game = _game(style, number)
        place = len(game.entries) - 2
        assert (game.entries[place].kind, game.entries[place].seat) == (Kind.RESULT, 0)
        _, (mine, theirs), winner = _content(game, place)
        false = ("over", (mine + 1, theirs), winner) if mine != theirs else ("over", (mine, theirs), 1 - winner)
        forged = game.forge(place, Kind.RESULT, false)
        yield evaluated(name, comment, game.log(place, forged), Verdict.VIOLATION, "wrong_result")


def _twice() -> Iterator[Vector]:
    """Yield games in which a player signs two different actions for one step."""
    game = _game("members", 1)
    places = [entry.number for entry in game.entries if entry.kind == Kind.ACTION]
    for seat in (0, 1):
        place = next(each for each in places if game.entries[each].seat == seat)
        before = game.matches[place]
        assert isinstance(before.state, State)
        action, carried = _content(game, place)
        other = next(each for each in before.state.legal(before.state.player) if each[:4] == "take" and each != action)
        again = game.forge(place, Kind.ACTION, (other, carried))
        for later in (1, 6):
            data = game.log(place + later, again)
            name = f"action-twice-{seat}-{later}"
            yield evaluated(name, f"another action of seat {seat} for one place", data, Verdict.VIOLATION, "fork")


def _other_set_up() -> Vector:
    """Return a game whose opening draw is revealed with other tiles than the drawn ones."""
    game = _game("members", 0)
    place = game.find(Kind.DRAW_REVEAL)
    after = game.matches[place + 1]
    assert isinstance(after.state, State)
    other = next(tile for tile in after.state.deck.tile_ids if tile not in after.state.centre)
    centre = after.state.deck.in_order((*after.state.centre[1:], other))
    false = tagged_hash(Tag.STATE, after.first, after.state._replace(centre=centre).encode())
    entry = game.entries[place]
    forged = game.forge(place, entry.kind, entry.content, state=false)
    return evaluated(
        "draw-other-tile", "another tile than the drawn one", game.log(place, forged), Verdict.VIOLATION, "wrong_state"
    )


def _content(game: Played, place: int) -> tuple[Any, ...]:
    content = decode(game.entries[place].content, MAX_ENTRY)
    assert isinstance(content, tuple)
    return content


class _Place(NamedTuple):
    """A place of a game where an entry of `player` is expected: the position, the true content, and what follows."""

    match: Match
    state: State
    player: int
    content: tuple[Any, ...]
    after: State

    def hash(self, state: State) -> bytes:
        """Return the hash of a position."""
        return tagged_hash(Tag.STATE, self.match.first, state.encode())


class _Case(NamedTuple):
    """A violation: `forge` returns the forged content or, if the state alone is false, its hash; None for neither."""

    id: str
    comment: str
    reason: str
    kind: Kind
    forge: Callable[[_Place], Any]


_SEARCHED: Final[tuple[tuple[str, int, Macao | None], ...]] = (
    *(("members", number, None) for number in range(8)),
    *(("tiles", number, None) for number in range(6)),
    *(("places", number, None) for number in range(4)),
    *(("croupiers", number, None) for number in range(6)),
    *(("traders", number, None) for number in range(4)),
    *(("one pile", number, None) for number in range(3)),
    *(("members", number, OTHER) for number in range(4)),
)
"""The games in which the earliest place for a violation is looked for, those with another deck last."""


@cache
def _places() -> tuple[tuple[Played, int, _Place], ...]:
    """Return the places of all these games but those of the opening draw."""
    found = []
    for style, label, deck in _SEARCHED:
        game = _game(style, label, deck)
        for entry in game.entries:
            before, after = game.matches[entry.number : entry.number + 2]
            if entry.kind not in (Kind.ACTION, Kind.DRAW_REVEAL) or before.first is None:
                continue
            assert isinstance(before.state, State)
            assert isinstance(after.state, State)
            player, content = entry.seat ^ before.first, _content(game, entry.number)
            found.append((game, entry.number, _Place(before, before.state, player, content, after.state)))
    return tuple(sorted(found, key=lambda at: (at[2].match.session.game == OTHER, at[1])))


def _offered(case: _Case) -> Iterator[tuple[Played, int, Any]]:
    """Yield the earliest place at which the case can be made, if there is one."""
    for game, number, place in _places():
        if game.entries[number].kind == case.kind and (forged := case.forge(place)) is not None:
            yield game, number, forged
            return


def _forged(game: Played, number: int, case: _Case, forged: Any) -> Entry:
    """Return the entry with a false state, or with a content that is wrong, and the state that would follow."""
    true = game.entries[number]
    if case.reason == "wrong_state":
        return game.forge(number, true.kind, true.content, state=forged)
    if case.reason != "illegal_action":
        return game.forge(number, true.kind, forged, state=true.state)
    match = game.matches[number]
    assert isinstance(match.state, State)
    after = _lawless(match.state, forged)
    carried = some_bytes("a commitment") if isinstance(after.node, Chance) else None
    return game.forge(number, true.kind, (forged, carried), state=tagged_hash(Tag.STATE, match.first, after.encode()))


def _lawless(state: State, action: str) -> State:
    """Return the position after an action, at a table that allows whatever can be carried out."""
    try:
        return Course(state).act(action).state
    except (ValueError, KeyError, IndexError):
        return state


# Actions that are none


def _in_phase(id_: str, comment: str, phase: int, found: Callable[[State, int], Iterable[str] | str | None]) -> _Case:
    """Return a case of the first action of those found that is not legal, in a phase."""

    def forge(place: _Place) -> str | None:
        if place.state.phase != phase:
            return None
        actions = found(place.state, place.player)
        legal = place.state.legal(place.player)
        return next(
            (each for each in ([actions] if isinstance(actions, str) else actions or ()) if each not in legal), None
        )

    return _Case(id_, comment, "illegal_action", Kind.ACTION, forge)


def _in_a_turn(id_: str, comment: str, found: Callable[[State, Side], Iterable[str] | str | None]) -> _Case:
    return _in_phase(id_, comment, Phase.ACTION, lambda state, player: found(state, state.sides[player]))


def _parts(action: str) -> tuple[str, tuple[str, ...]]:
    """Return what an action is done with, without the payment, and the cards that pay."""
    start, _, paid = action.partition("=")
    return start, tuple(paid.split("+")) if paid else ()


def _notation(start: str, paid: Sequence[str]) -> str:
    return f"{start}={'+'.join(paid)}" if paid else start


def _paying(state: State, verb: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the legal actions that are paid with blue cards, in parts."""
    for action in state.legal(state.player):
        start, paid = _parts(action)
        if paid and start.startswith(verb):
            yield start, paid


def _others(side: Side, start: str) -> list[str]:
    """Return the blue cards that can pay an action."""
    left = list(side.blue)
    if start.startswith("recruit:"):
        left.remove(start.partition(":")[2])
    return left


def _less(verb: str) -> Callable[[State, Side], Iterator[str]]:
    return lambda state, _: (_notation(start, paid[:-1]) for start, paid in _paying(state, verb))


def _more(verb: str) -> Callable[[State, Side], Iterator[str]]:
    """Return payments of which one card could be left out."""

    def found(state: State, side: Side) -> Iterator[str]:
        for start, paid in _paying(state, verb):
            left = _others(side, start)
            for card in paid:
                left.remove(card)
            for card in left:
                yield _notation(start, state.deck.in_order((*paid, card)))

    return found


def _other_order(verb: str) -> Callable[[State, Side], Iterator[str]]:
    return lambda state, _: (_notation(start, paid[::-1]) for start, paid in _paying(state, verb))


def _unneeded(state: State, side: Side) -> Iterator[str]:
    """Yield payments with a blue card where red ones alone suffice."""
    for action in state.legal(state.player):
        if action.startswith("recruit:") and "=" not in action:
            yield from (f"{action}={card}" for card in _others(side, action))


def _recruits(
    state: State,
    side: Side,
    hand: Callable[[list[str]], Iterable[str]] = lambda others: others,
    red: Callable[[str], Iterable[str]] = lambda _: (),
    croupiers: Callable[[str], int] = lambda _: 0,
    needs: Callable[[str], bool] = lambda _: True,
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield recruits, in parts, of cards that `needs` holds for, by a hand, red cards and croupiers that are not so."""
    for name in dict.fromkeys(side.blue):
        if not needs(name):
            continue
        others = list(side.blue)
        others.remove(name)
        given = means(state.deck, (*side.red, *red(name)))
        cards = state.deck.in_order(hand(others))
        cost = state.deck.card[name].cost
        for paid in payments(state.deck, cost, cards, given, croupiers=given.croupiers + croupiers(name)):
            yield f"recruit:{name}", paid


def _with_hand(more: Callable[[State, Side], Iterable[str]]) -> Callable[[State, Side], Iterator[str]]:
    """Return recruits that are paid with cards which are not the player's to pay with."""

    def found(state: State, side: Side) -> Iterator[str]:
        foreign = [card for card in more(state, side) if card not in side.blue]
        for start, paid in _recruits(state, side, hand=lambda others: [*others, *foreign]):
            if any(card in foreign for card in paid):
                yield _notation(start, paid)

    return found


def _pays_itself(state: State, side: Side) -> Iterator[str]:
    for start, paid in _recruits(state, side, hand=lambda _: dict.fromkeys(side.blue)):
        if start.partition(":")[2] in paid:
            yield _notation(start, paid)


def _pays_twice(state: State, side: Side) -> Iterator[str]:
    """Yield payments with two copies of a card of which the player has one."""
    for start, paid in _recruits(state, side, hand=lambda others: [*others, *others]):
        if any(paid.count(card) > 1 for card in paid):
            yield _notation(start, paid)


def _own_effect(kind: str) -> Callable[[State, Side], Iterator[str]]:
    """Return recruits of a card that takes effect for its own cost."""

    def found(state: State, side: Side) -> Iterator[str]:
        is_kind = _is(state.deck, kind)
        return (_notation(*each) for each in _recruits(state, side, red=lambda name: (name,), needs=is_kind))

    return found


def _is(deck: Deck, kind: str) -> Callable[[str], bool]:
    return lambda name: deck.card[name].kind == kind


def _blue_effect(kind: str) -> Callable[[State, Side], Iterator[str]]:
    """Return recruits for which a blue card does what it would do if it were red."""

    def found(state: State, side: Side) -> Iterator[str]:
        for card in filter(_is(state.deck, kind), dict.fromkeys(side.blue)):
            yield from _as_if_red(state, side, card)

    return found


def _as_if_red(state: State, side: Side, card: str) -> Iterator[str]:
    """Yield recruits of others for which this blue card is discarded, and yet counts as a red one."""
    recruits = _recruits(
        state,
        side,
        hand=lambda others: [each for each in others if each != card],
        red=lambda _: (card,),
        needs=lambda name: name != card,
    )
    for start, paid in recruits:
        yield _notation(start, state.deck.in_order((*paid, card)))


def _below_one(state: State, side: Side) -> Iterator[str]:
    """Yield recruits for which a croupier takes off a resource that is there once."""
    red = means(state.deck, side.red)
    for name in dict.fromkeys(side.blue):
        cost = state.deck.card[name].cost
        fewest = min(reduced(cost, red.croupiers), key=len)
        if len(cost) - len(fewest) < red.croupiers and len(fewest) > 1:
            others = list(side.blue)
            others.remove(name)
            for paid in payments(state.deck, fewest[1:], others, red):
                yield _notation(f"recruit:{name}", paid)


def _not_blue(cards: Callable[[State, Side], Iterable[str]]) -> Callable[[State, Side], Iterator[str]]:
    """Return recruits of cards that are not among the player's blue ones, paid in full."""

    def found(state: State, side: Side) -> Iterator[str]:
        red = means(state.deck, side.red)
        for name in cards(state, side):
            if name not in side.blue:
                for paid in payments(state.deck, state.deck.card[name].cost, side.blue, red, croupiers=red.croupiers):
                    yield _notation(f"recruit:{name}", paid)

    return found


def _other(state: State) -> Side:
    return state.sides[1 - state.player]


def _tops(state: State) -> list[str]:
    return [pile.top for pile in state.piles if pile.top]


def _dead(_: State, side: Side) -> list[str]:
    return [WIDOW] * side.dead


_TAKES: Final = (
    _in_a_turn("take-0", "piles count from 1", lambda *_: "take:0"),
    _in_a_turn("take-5", "there are four piles", lambda *_: "take:5"),
    _in_a_turn("take-01", "a leading zero", lambda *_: "take:01"),
    _in_a_turn("take-capital", "another spelling", lambda *_: "Take:1"),
    _in_a_turn("take-nothing", "no pile", lambda *_: "take:"),
    _in_a_turn(
        "take-empty",
        "a pile in which there is no card",
        lambda state, _: [f"take:{at}" for at, pile in enumerate(state.piles, 1) if not pile.top],
    ),
    _in_a_turn("pass", "nobody passes", lambda *_: "pass"),
)

_RECRUITS: Final = (
    _in_a_turn("recruit-less", "a card of the payment is missing", _less("recruit")),
    _in_a_turn("recruit-more", "a card of the payment could be left out", _more("recruit")),
    _in_a_turn("recruit-unneeded", "a blue card pays where red ones suffice", _unneeded),
    _in_a_turn("recruit-order", "the payment is not in file order", _other_order("recruit")),
    _in_a_turn(
        "recruit-empty-payment",
        "a sign of equality without a payment",
        lambda state, _: [
            f"{each}=" for each in state.legal(state.player) if each.startswith("recruit") and "=" not in each
        ],
    ),
    _in_a_turn("recruit-pays-itself", "the recruited card pays as well", _pays_itself),
    _in_a_turn("recruit-pays-twice", "a card pays twice", _pays_twice),
    _in_a_turn("recruit-pays-others", "a blue card of the other pays", _with_hand(lambda state, _: _other(state).blue)),
    _in_a_turn("recruit-pays-top", "the top card of a pile pays", _with_hand(lambda state, _: _tops(state))),
    _in_a_turn("recruit-pays-dead", "a dead widow pays", _with_hand(_dead)),
    _in_a_turn("recruit-pays-red", "a red card is discarded", _with_hand(lambda _, side: side.red)),
    _in_a_turn("recruit-others", "a blue card of the other", _not_blue(lambda state, _: _other(state).blue)),
    _in_a_turn("recruit-top", "the top card of a pile", _not_blue(lambda state, _: _tops(state))),
    _in_a_turn("recruit-red", "a card that is red already", _not_blue(lambda _, side: side.red)),
    _in_a_turn("recruit-dead", "a dead widow", _not_blue(_dead)),
    _in_a_turn("recruit-unknown", "there is no such card", lambda *_: "recruit:killer-x"),
    _in_a_turn("recruit-own-croupier", "a croupier reduces the own cost", _own_effect(CROUPIER)),
    _in_a_turn("recruit-own-trader", "a trader exchanges for the own cost", _own_effect(TRADER)),
    _in_a_turn("recruit-own-sailor", "a sailor pays the own cost", _own_effect(SAILOR)),
    _in_a_turn("recruit-blue-croupier", "a blue croupier reduces a cost", _blue_effect(CROUPIER)),
    _in_a_turn("recruit-blue-trader", "a blue trader exchanges", _blue_effect(TRADER)),
    _in_a_turn("recruit-blue-sailor", "a blue sailor pays twice", _blue_effect(SAILOR)),
    _in_a_turn("recruit-below-one", "a croupier takes off a resource that is there once", _below_one),
)


def _tile_is_payable(state: State, side: Side, tiles: Iterable[str], *, reduces: bool = False) -> Iterator[str]:
    """Yield openings of these tiles that the player could pay, or whose condition is met."""
    red = means(state.deck, side.red)
    for name in tiles:
        tile = state.deck.tile[name]
        if tile.cost:
            for paid in payments(state.deck, tile.cost, side.blue, red, croupiers=red.croupiers if reduces else 0):
                yield _notation(f"open:{name}", paid)
        elif side.meets(tile.condition, state.deck):
            yield f"open:{name}"


def _out_of_the_game(state: State, _: Side) -> list[str]:
    there = {*state.centre, *(tile for side in state.sides for tile in (*side.reserved, *side.opened))}
    return [tile for tile in state.deck.tile_ids if tile not in there]


def _tiles(found: Callable[[State, Side], Iterable[str]]) -> Callable[[State, Side], Iterator[str]]:
    return lambda state, side: _tile_is_payable(state, side, found(state, side))


def _nearly(tile: str, holds: Callable[[State, Side], bool]) -> Callable[[State, Side], str | None]:
    """Return the opening of a tile on offer whose condition nearly is met."""

    def found(state: State, side: Side) -> str | None:
        on_offer = tile in state.centre or tile in side.reserved
        return (
            f"open:{tile}"
            if on_offer and not side.meets(state.deck.tile[tile].condition, state.deck) and holds(state, side)
            else None
        )

    return found


def _kinds(state: State, side: Side) -> list[str]:
    return [state.deck.card[card].kind for card in (*side.blue, *side.red)]


def _lacks(lacking: str) -> Callable[[State, Side], bool]:
    """Return a condition: of what the Black Market asks for, this alone is missing."""

    def holds(_: State, side: Side) -> bool:
        has = {"blue": side.crowd, "red": side.red, "reserved": side.reserved, "opened": side.opened}
        return [name for name, those in has.items() if not those] == [lacking]

    return holds


_OPENS: Final = (
    _in_a_turn("open-less", "a card of the payment is missing", _less("open")),
    _in_a_turn("open-more", "a card of the payment could be left out", _more("open")),
    _in_a_turn("open-order", "the payment is not in file order", _other_order("open")),
    _in_a_turn(
        "open-croupier",
        "a croupier reduces the cost of a tile",
        lambda state, side: _tile_is_payable(state, side, (*state.centre, *side.reserved), reduces=True),
    ),
    _in_a_turn("open-out", "a tile that is out of the game", _tiles(_out_of_the_game)),
    _in_a_turn("open-reserved", "a tile that the other has reserved", _tiles(lambda state, _: _other(state).reserved)),
    _in_a_turn("open-again", "a tile that is opened already", _tiles(lambda _, side: side.opened)),
    _in_a_turn("open-others", "a tile that the other has opened", _tiles(lambda state, _: _other(state).opened)),
    _in_a_turn("open-unknown", "there is no such tile", lambda *_: "open:saloon"),
    _in_a_turn(
        "open-condition-paid",
        "a card is discarded for a condition",
        lambda state, side: [
            f"{each}={side.blue[0]}"
            for each in state.legal(state.player)
            if each.startswith("open") and side.blue and not state.deck.tile[each[5:].partition("=")[0]].cost
        ],
    ),
    _in_a_turn(
        "open-restaurant-3",
        "three cards of one kind",
        _nearly(
            "restaurant", lambda state, side: max(map(_kinds(state, side).count, _kinds(state, side)), default=0) == 3
        ),
    ),
    _in_a_turn("open-temple-bar-5", "five blue cards", _nearly("temple-bar", lambda _, side: side.crowd == 5)),
    _in_a_turn(
        "open-china-club-5",
        "cards of five kinds",
        _nearly("china-club", lambda state, side: len({*_kinds(state, side)}) == 5 and not side.dead),
    ),
    _in_a_turn(
        "open-china-club-dead",
        "cards of five kinds, and a dead widow",
        _nearly("china-club", lambda state, side: len({*_kinds(state, side)} - {WIDOW}) == 5 and bool(side.dead)),
    ),
    *(
        _in_a_turn(f"open-black-market-{lacking}", f"no {lacking} one", _nearly("black-market", _lacks(lacking)))
        # whoever has reserved a tile has a red policeman
        for lacking in ("reserved", "opened")
    ),
)

_DECISIONS: Final = {
    Phase.ACTION: "turn",
    Phase.LIMIT: "limit",
    Phase.DANCER: "dancer",
    Phase.POLICEMAN: "policeman",
    Phase.KILLER: "killer",
}


def _takes_any(state: State, _: int) -> list[str]:
    return [f"take:{at}" for at, pile in enumerate(state.piles, 1) if pile.top]


def _discards(cards: Callable[[State, int], Iterable[str]]) -> Callable[[State, int], list[str]]:
    return lambda state, player: [f"discard:{card}" for card in cards(state, player)]


_DISCARDS: Final = (
    *(
        case
        for phase, name, whose in ((Phase.LIMIT, "limit", "the player"), (Phase.KILLER, "killer", "the victim"))
        for case in (
            _in_phase(
                f"{name}-others",
                f"a card of the other, not of {whose}",
                phase,
                _discards(lambda s, p: s.sides[1 - p].blue),
            ),
            _in_phase(f"{name}-red", "a red card is discarded", phase, _discards(lambda s, p: s.sides[p].red)),
            _in_phase(
                f"{name}-dead", "a dead widow is discarded", phase, _discards(lambda s, p: [WIDOW] * s.sides[p].dead)
            ),
            _in_phase(f"{name}-top", "a card of a pile is discarded", phase, _discards(lambda s, _: _tops(s))),
            _in_phase(f"{name}-nothing", "nothing is discarded", phase, _takes_any),
        )
    ),
    _in_phase(
        "discard-in-a-turn", "a discard that nothing asks for", Phase.ACTION, _discards(lambda s, p: s.sides[p].blue)
    ),
    _in_a_turn(
        "reserve-in-a-turn", "a tile is reserved without a policeman", lambda s, _: [f"reserve:{t}" for t in s.centre]
    ),
    _in_phase(
        "reserve-others",
        "a tile that the other has reserved",
        Phase.POLICEMAN,
        lambda s, p: [f"reserve:{tile}" for tile in s.sides[1 - p].reserved],
    ),
    _in_phase(
        "reserve-opened",
        "a tile that is opened",
        Phase.POLICEMAN,
        lambda s, _: [f"reserve:{tile}" for side in s.sides for tile in side.opened],
    ),
    _in_phase(
        "reserve-out",
        "a tile that is out of the game",
        Phase.POLICEMAN,
        lambda s, p: [f"reserve:{tile}" for tile in _out_of_the_game(s, s.sides[p])],
    ),
    _in_phase("reserve-nothing", "a card is taken instead of a tile", Phase.POLICEMAN, _takes_any),
    _in_phase("dancer-nothing", "nothing is taken", Phase.DANCER, lambda *_: "pass"),
    _in_phase(
        "dancer-recruits",
        "a card is recruited where the dancer takes one",
        Phase.DANCER,
        lambda s, _: [each for each in s._replace(phase=Phase.ACTION).legal(s.player) if each.startswith("recruit")],
    ),
    _in_phase("dancer-5", "the dancer takes from a fifth pile", Phase.DANCER, lambda *_: "take:5"),
)

_COMMITMENTS: Final = (
    _Case(
        "take-no-commitment",
        "a card is taken without a commitment to the next one's draw",
        "no_commitment",
        Kind.ACTION,
        lambda at: (at.content[0], None) if at.content[1] else None,
    ),
    _Case(
        "take-idle-commitment",
        "a commitment, where a known card comes up",
        "idle_commitment",
        Kind.ACTION,
        lambda at: (
            (at.content[0], some_bytes("a commitment"))
            if at.content[0].startswith("take:")
            and not at.content[1]
            and at.after.piles[int(at.content[0][5:]) - 1].top
            else None
        ),
    ),
    _Case(
        "recruit-idle-commitment",
        "a commitment, where nothing is drawn",
        "idle_commitment",
        Kind.ACTION,
        lambda at: (at.content[0], some_bytes("a commitment")) if at.content[0].startswith("recruit:") else None,
    ),
)


# States that do not follow


def _side(state: State, player: int, **changes: Any) -> State:
    """Return a position with changes to one side."""
    sides = [*state.sides]
    sides[player] = sides[player]._replace(**changes)
    return state._replace(sides=(sides[0], sides[1]))


def _piles(state: State, **changes: Pile) -> State:
    """Return a position with other piles, by number, `pile_1` to `pile_4`."""
    return state._replace(
        piles=tuple(changes.get(f"pile_{number}", pile) for number, pile in enumerate(state.piles, start=1))
    )


def _false(id_: str, comment: str, false: Callable[[_Place], State | None], kind: Kind = Kind.ACTION) -> _Case:
    """Return a case of a true content with the state of another position than the one that follows."""

    def forge(place: _Place) -> bytes | None:
        state = false(place)
        return None if state is None or state == place.after else place.hash(state)

    return _Case(id_, comment, "wrong_state", kind, forge)


def _another_card(at: _Place) -> State | None:
    """Return the position in which another unseen card has come up."""
    if not at.after.unseen:
        return None
    pile = at.after.piles[at.state.pile]
    left = list(at.after.unseen)
    other = left.pop(0)
    unseen = at.after.deck.in_order((*left, pile.top))
    return _piles(at.after, **{f"pile_{at.state.pile + 1}": pile._replace(top=other)})._replace(unseen=unseen)


def _another_pile(at: _Place) -> State | None:
    """Return the position in which the drawn card has come up on another pile, in exchange for its top card."""
    here, there = at.state.pile, next(n for n, pile in enumerate(at.after.piles) if pile.top and n != at.state.pile)
    first, second = at.after.piles[here], at.after.piles[there]
    return _piles(
        at.after,
        **{f"pile_{here + 1}": first._replace(top=second.top), f"pile_{there + 1}": second._replace(top=first.top)},
    )


def _next_turn(state: State) -> State:
    """Return the position in which the turn is over."""
    if state.player == 0:
        return state._replace(phase=Phase.ACTION, player=1)
    return state._replace(phase=Phase.ACTION, player=0, round=state.round + 1)


def _skipped(phase: int) -> Callable[[_Place], State | None]:
    """Return the position in which the turn is over, though something else is to be done."""
    return lambda at: _next_turn(at.after) if at.after.phase == phase and at.state.phase != phase else None


def _under(at: _Place) -> tuple[int, tuple[str, ...]] | None:
    """Return the pile, from 1, under which cards were discarded, and those cards; None if there are none."""
    for number, (before, after) in enumerate(zip(at.state.piles, at.after.piles, strict=True), start=1):
        if before.top == after.top and len(after.known) > len(before.known):
            return number, after.known[len(before.known) :]
    return None


def _other_under(at: _Place) -> State | None:
    """Return the position in which discarded cards lie under another pile."""
    if (found := _under(at)) is None:
        return None
    number, cards = found
    there = number % 4 + 1
    here, target = at.after.piles[number - 1], at.after.piles[there - 1]
    known = here.known[: -len(cards)]
    return _piles(
        at.after,
        **{
            f"pile_{number}": here._replace(known=known),
            f"pile_{there}": target._replace(known=(*target.known, *cards)),
        },
    )


def _other_order_under(at: _Place) -> State | None:
    """Return the position in which discarded cards lie in another order."""
    if (found := _under(at)) is None:
        return None
    number, cards = found
    pile = at.after.piles[number - 1]
    known = (*pile.known[: -len(cards)], *reversed(cards))
    return _piles(at.after, **{f"pile_{number}": pile._replace(known=known)})


def _living(at: _Place) -> State | None:
    """Return the position in which a paid widow is discarded, and does not die."""
    found, died = _under(at), at.after.sides[at.player].dead - at.state.sides[at.player].dead
    if not died or found is None:
        return None
    number, _ = found
    pile = at.after.piles[number - 1]
    kept = _piles(at.after, **{f"pile_{number}": pile._replace(known=(*pile.known, *[WIDOW] * died))})
    return _side(kept, at.player, dead=at.state.sides[at.player].dead)


def _kept(at: _Place) -> State | None:
    """Return the position in which what paid stays in play."""
    _, paid = _parts(at.content[0])
    if not paid or at.state.phase != Phase.ACTION or (found := _under(at)) is None:
        return None
    number, cards = found
    pile = at.after.piles[number - 1]
    side = at.after.sides[at.player]
    back = _piles(at.after, **{f"pile_{number}": pile._replace(known=pile.known[: -len(cards)])})
    return _side(back, at.player, blue=at.after.deck.in_order((*side.blue, *cards)))


def _of_opening(change: Callable[[_Place, str], State]) -> Callable[[_Place], State | None]:
    """Return a change to the position after a tile was opened."""

    def false(at: _Place) -> State | None:
        start, _ = _parts(at.content[0])
        return change(at, start[5:]) if start.startswith("open:") else None

    return false


_DRAWS: Final = (
    _false("draw-other-card", "another card than the drawn one", _another_card, Kind.DRAW_REVEAL),
    _false("draw-other-pile", "the drawn card on another pile", _another_pile, Kind.DRAW_REVEAL),
    _false(
        "draw-not-taken-out",
        "the drawn card still counts as unseen",
        lambda at: at.after._replace(unseen=at.state.unseen),
        Kind.DRAW_REVEAL,
    ),
    _false(
        "limit-ignored",
        "a card too many is kept",
        lambda at: _next_turn(at.after) if at.after.phase == Phase.LIMIT else None,
        Kind.DRAW_REVEAL,
    ),
)

_STATES: Final = (
    _false("dancer-skipped", "the dancer takes no card", _skipped(Phase.DANCER)),
    _false("policeman-skipped", "the policeman reserves no tile", _skipped(Phase.POLICEMAN)),
    _false("killer-skipped", "the killer's victim discards nothing", _skipped(Phase.KILLER)),
    _false("discard-other-pile", "discarded cards under another pile", _other_under),
    _false("discard-other-order", "discarded cards in another order", _other_order_under),
    _false("widow-lives", "a widow that paid is discarded", _living),
    _false("payment-kept", "the cards that paid are kept", _kept),
    _false(
        "opened-stays",
        "an opened tile stays in the centre",
        _of_opening(lambda at, tile: at.after._replace(centre=at.after.deck.in_order({*at.after.centre, tile}))),
    ),
    _false(
        "opened-reserved",
        "a tile lies before the player as reserved, not as opened",
        _of_opening(
            lambda at, tile: _side(
                at.after,
                at.player,
                opened=at.state.sides[at.player].opened,
                reserved=at.after.deck.in_order((*at.after.sides[at.player].reserved, tile)),
            )
        ),
    ),
    _false(
        "no-end",
        "the game goes on, though it is over",
        lambda at: _next_turn(at.after) if at.after.phase == Phase.OVER else None,
    ),
    _false(
        "early-end",
        "the game is over before player 1 has had as many turns",
        lambda at: (
            at.after._replace(phase=Phase.OVER, player=1)
            if at.state.player == 0 and at.after.player == 1 and at.after.is_last_round
            else None
        ),
    ),
    _false(
        "round-twice",
        "a new round does not count",
        lambda at: at.after._replace(round=at.state.round) if at.after.round != at.state.round else None,
    ),
    _false(
        "turn-again",
        "the same player has the next turn",
        lambda at: (
            at.after._replace(player=0) if (at.state.player, at.after.player, at.after.phase) == (0, 1, 1) else None
        ),
    ),
)


# Positions


_WALKS: Final = (
    *(("anything", number, Macao()) for number in range(2)),
    *(("members", number, Macao()) for number in range(8)),
    *(("tiles", number, Macao()) for number in range(6)),
    *(("places", number, Macao()) for number in range(6)),
    *(("croupiers", number, Macao()) for number in range(8)),
    *(("traders", number, Macao()) for number in range(6)),
    *(("one pile", number, Macao()) for number in range(8)),
    ("takes", 0, Macao()),
    ("croupiers", 0, OTHER),
    ("croupiers", 1, OTHER),
)
"""The games in which the shortest way to each position is looked for."""
_PHASES: Final = ("set-up", "turn", "turned-up", "limit", "dancer", "policeman", "killer", "over")


def states() -> Iterator[Vector]:
    """Yield a position of each phase, and the first one after each rule came up, by the shortest of some ways."""
    yield state("start", "before anything is drawn", Macao(), [], Macao().start(), None)
    yield {**state("deck", "another deck", OTHER, [], OTHER.start(), None), **_needed(OTHER)}
    ways: dict[str, tuple[int, int, Macao, Sequence[Step], Sequence[State]]] = {}
    for number, (style, label, game) in enumerate(_WALKS):
        steps, positions = walk(game, f"macao {style} {label}", _style(style, f"macao {style} {label}"))
        if label == 1:
            # whatever went wrong on the way shows at the end
            id_ = f"over-{style.replace(' ', '-')}{'-deck' if game is OTHER else ''}"
            yield {**state(id_, "a whole game", game, steps, positions[-1], 0), **_needed(game)}
        for at, name in _met(game, steps, positions):
            if name not in ways or (at, number) < ways[name][:2]:
                ways[name] = at, number, game, steps, positions
    for name in (*(f"phase: {phase}" for phase in _PHASES[1:]), *RULES):
        at, number, game, steps, positions = ways[name]
        id_ = name.replace(": ", "-").replace(" ", "-")
        yield {**state(id_, name, game, steps[:at], positions[at], number % 2), **_needed(game)}


def _met(game: Macao, steps: Sequence[Step], positions: Sequence[State]) -> Iterator[tuple[int, str]]:
    """Yield the number of steps after which each phase, and each rule by the plain table's count, came up."""
    table = Table(DECK_OF_CHOICES) if game is OTHER else Table()
    for at, (step, (before, after)) in enumerate(zip(steps, pairwise(positions), strict=True), start=1):
        counted = table.rules.copy()
        if isinstance(step, Drawn):
            table.draw(step.indices)
        else:
            table.act(step.action)  # type: ignore[union-attr]
        if after.phase != before.phase:
            yield at, f"phase: {_PHASES[after.phase]}"
        yield from ((at, rule) for rule, count in table.rules.items() if count > counted[rule])


# Records


_HEAD: Final = '[Game "macao"]\n'
_CENTRE: Final = "tile:china-club tile:temple-bar tile:red-room tile:restaurant"
_SET_UP: Final = f"{_HEAD}{_CENTRE} 1:innkeeper-j 2:innkeeper-a 3:innkeeper-j 4:politician-j"
_ONE: Final = f"{_SET_UP}\n1. take:2 2:trader-m take:1 1:policeman-m"
_THREE: Final = f"{_ONE}\n2. take:3 3:dancer-w take:1 1:sailor-m\n3. take:4 4:killer-a take:4 4:innkeeper-w"
_FOUR: Final = f"{_THREE}\n4. take:4 4:sailor-w"
_PAID: Final = f"{_FOUR} recruit:innkeeper-j=killer-a+policeman-m+widow"
_VALID: Final = (
    ("game-alone", "only Game is required", _HEAD),
    ("tiles-partly", "a draw may break off", _HEAD + "tile:casino tile:red-room"),
    ("tops-partly", "the set-up is one draw", f"{_HEAD}{_CENTRE} 1:innkeeper-j"),
    ("set-up", "a turn begins", _SET_UP),
    ("round-alone", "the same", _SET_UP + "\n1."),
    ("taken", "a card is to come up", _SET_UP + "\n1. take:2"),
    ("round", "a whole round", _ONE),
    ("recruited", "a payment in which a widow dies", _PAID),
    (
        "lines",
        "other lines, with comments",
        _HEAD + _PAID.removeprefix(_HEAD).replace(" ", "\n").replace("take:2", "take:2 ; pile 2"),
    ),
    ("deck", "another deck", f'{_HEAD}[Deck "{OTHER.deck}"]\n{_CENTRE}'),
    ("resigned", "ended by a resignation", f'{_HEAD}[Ended "0 resigned"]\n{_CENTRE}'),
)
_INVALID: Final = (
    ("deck-unknown", "no such deck", '[Game "macao"]\n[Deck "printed"]\n'),
    ("deck-digest", "the digest of the reconstruction", f'[Game "macao"]\n[Deck "{RECONSTRUCTION_DIGEST}"]\n'),
    ("deck-missing", "a deck that is not there", f'[Game "macao"]\n[Deck "{"0" * 64}"]\n'),
    ("deck-bad", "data that is no deck", f'[Game "macao"]\n[Deck "{SHORT_DIGEST}"]\n'),
    ("no-tile", "a round before the set-up", _HEAD + "1."),
    ("no-such-tile", "there is no saloon", _HEAD + "tile:saloon"),
    ("tile-twice", "a tile that is drawn already", _HEAD + "tile:casino tile:casino"),
    ("five-tiles", "a fifth tile", f"{_HEAD}{_CENTRE} tile:casino"),
    ("top-order", "the top cards out of order", f"{_HEAD}{_CENTRE} 2:killer-a"),
    ("no-such-card", "there is no killer-x", f"{_HEAD}{_CENTRE} 1:killer-x"),
    ("card-twice", "a card of which all copies have come up", f"{_HEAD}{_CENTRE} 1:widow 2:widow"),
    ("partly-twice", "a draw that breaks off is checked", f"{_HEAD}tile:casino tile:gallery tile:gallery"),
    ("no-round", "a round that is not opened", _SET_UP + "\ntake:2"),
    ("other-round", "round 2 first", _SET_UP + "\n2. take:2"),
    ("pile-5", "there are four piles", _SET_UP + " 1. take:5"),
    ("no-card", "no card where one comes up", _SET_UP + " 1. take:2 take:1"),
    ("other-pile", "a card on another pile", _SET_UP + " 1. take:2 1:trader-m"),
    ("card-not-left", "a card of which no copy is left", _SET_UP + " 1. take:2 2:innkeeper-a take:1 1:innkeeper-a"),
    ("recruit-unpaid", "a recruit that nothing pays", _SET_UP + " 1. recruit:widow"),
    ("payment-less", "a payment that does not suffice", f"{_FOUR} recruit:innkeeper-j=killer-a+widow"),
    (
        "payment-more",
        "a card that could be left out",
        f"{_FOUR} recruit:innkeeper-j=killer-a+policeman-m+sailor-m+widow",
    ),
    ("payment-order", "a payment that is not in file order", f"{_FOUR} recruit:innkeeper-j=policeman-m+killer-a+widow"),
    ("open-early", "a condition that is not met", _SET_UP + " 1. open:china-club"),
    ("open-out", "a tile that is out of the game", _SET_UP + " 1. open:casino"),
    ("discard-early", "a discard that nothing asks for", _SET_UP + " 1. discard:widow"),
    ("reserve-early", "a tile is reserved without a policeman", _SET_UP + " 1. reserve:red-room"),
    ("capital", "another spelling", _SET_UP + " 1. Take:1"),
    ("result-early", "a result before the end", f'{_HEAD}[Result "18-20"]\n{_CENTRE}'),
)


def records() -> Iterator[Vector]:
    """Yield records with their events and their canonical spelling, and texts that are none, with the place."""
    for name, comment, text in _VALID:
        yield _record(name, comment, text, fine=True)
    for name, style, label, game in (("whole", "members", 0, Macao()), ("whole-deck", "croupiers", 0, OTHER)):
        steps, _ = walk(game, f"macao {style} {label}", _style(style, f"macao {style} {label}"))
        text = record.write(record.Record(game, ("Ada", "Ben"), tuple(steps)))
        yield _record(name, "a whole game", text, fine=True)
        yield _record(f"{name}-after-the-end", "a token after the end", f"{text}take:1", fine=False)
        wrong = text.replace('[Result "', '[Result "1')
        yield _record(f"{name}-wrong-result", "a result that does not follow", wrong, fine=False)
    ended = text.replace("[Result", '[Ended "abandoned"]\n[Result')
    yield _record("ended-but-over", "ended, and yet over", ended, fine=False)
    for name, comment, text in _INVALID:
        yield _record(name, comment, text, fine=False)


def _record(name: str, comment: str, text: str, *, fine: bool) -> Vector:
    needed = [data for digest, data in DATA.items() if digest in text]
    return {**text_record(name, comment, text.encode(), fine=fine), **(_data(*needed) if needed else {})}
