"""Vectors of SPEC section 15 and of RECORD.md, section 7: logs with secret choices, positions and records."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Kind
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.transcript import opening
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Simultaneous, Step, Turn, advance
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rogues import VALUE, ordered
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, RUM, Phase, State
from protocol.making.common import Vector, some_bytes
from protocol.making.games import state, text_record, walk
from protocol.making.table import Played, at_random, evaluated, meet, played, proofs

_GAMES: Final = 12
"""The number of games in which the earliest place for a violation is looked for."""


def _game(label: str, game: Halunken | None = None) -> Played:
    return played(label, at_random(label), (game or Halunken()).settings, game=Halunken.NAME)


def _seated(label: str, first: int, game: Halunken | None = None) -> Played:
    """Return a game with player 0 at the seat `first`."""
    found = (_game(f"{label} {number}", game) for number in range(100))
    return next(game for game in found if game.matches[-1].first == first)


def _content(game: Played, place: int) -> tuple[Any, ...]:
    content = decode(game.entries[place].content, MAX_ENTRY)
    assert isinstance(content, tuple)
    return content


def logs() -> Iterator[Vector]:
    """Yield whole games, games that wait for each entry of a secret choice, and the violations that there can be."""
    for name, comment, first, game in (
        ("whole", "player 0 sits at seat 0", 0, Halunken()),
        ("whole-guest", "player 0 sits at seat 1", 1, Halunken()),
        ("whole-simple", "the game without Black Jack", 1, Halunken(blackjack="off")),
        ("whole-hands", "three hands, and thieves may leave a rogue", 0, Halunken(hands="3", theft="may")),
    ):
        found = _seated(f"halunken {name}", first, game)
        vector = evaluated(name, comment, found.log(), Verdict.COMPLETE)
        yield {**vector, "secrets": [secret.hex() for secret in found.secrets]}
    guest = _seated("halunken whole-guest", 1)
    for kind in (Kind.CHOICE_COMMIT, Kind.CHOICE_CONTRIBUTION, Kind.CHOICE_REVEAL):
        place = guest.find(kind)
        yield evaluated(f"before-{kind}", f"the {kind} is awaited", guest.log(place), Verdict.INCOMPLETE)
    games = [_game(f"halunken {number}") for number in range(_GAMES)]
    yield from _twice(guest, games)
    yield _other_score(guest)
    yield from _settings()
    for case in (*_PLACES, *_AUCTION, *_CHOICES, *_NUMBERS, *_THEFTS, *_DRAWS):
        found, place, forged = min(_offered(case, games), key=lambda at: at[1])
        data = found.revealed(place, forged[0]) if case.truly else found.log(place, _forged(found, place, case, forged))
        yield evaluated(case.id, case.comment, data, Verdict.VIOLATION, case.reason)


def _settings() -> Iterator[Vector]:
    """Yield openings whose settings are none of the game."""
    jack, hands, theft = Halunken().settings
    for name, comment, reason, settings in (
        ("order", "settings in another order", "bad_setting", (hands, jack, theft)),
        ("missing", "a setting missing", "bad_setting", (jack, hands)),
        ("more", "a setting more", "bad_setting", (jack, hands, theft, ("dice", "7"))),
        ("unknown", "a setting that there is not", "bad_setting", (jack, hands, ("dice", "7"))),
        ("blackjack", "another spelling", "bad_setting", (("blackjack", "On"), hands, theft)),
        ("hands", "two hands", "bad_setting", (jack, ("hands", "2"), theft)),
        ("hands-01", "a leading zero", "bad_setting", (jack, ("hands", "01"), theft)),
        ("theft", "a thief who must not", "bad_setting", (jack, hands, ("theft", "never"))),
        ("other", "a value of another setting", "bad_setting", (jack, ("hands", "on"), theft)),
    ):
        hellos = meet(f"halunken {name}", game=Halunken.NAME, settings=settings)
        log = opening(hellos, proofs(hellos))
        yield evaluated(f"setting-{name}", comment, log, Verdict.INVALID_FILE, reason)


def _forged(game: Played, place: int, case: "_Case", forged: Any) -> Entry:
    """Return the entry with a false state, with an illegal action, or wrong in nothing but its content."""
    true = game.entries[place]
    if case.reason == "wrong_state":
        return game.forge(place, true.kind, true.content, state=forged)
    changes: dict[str, Any] = {} if case.reason == "illegal_action" else {"state": true.state}
    return game.forge(place, true.kind, forged, **changes)


def _twice(game: Played, games: Sequence[Played]) -> Iterator[Vector]:
    """Yield games in which seat 0 reveals a choice a second time: `game`, and one where its own entry comes next."""
    places = [entry.number for entry in game.entries if entry.kind == Kind.CHOICE_REVEAL]
    action, salt, carried = _content(game, places[0])
    state = game.matches[places[0]].state
    other = next(each for each in state.legal(game.matches[places[0]].first or 0) if each != action)
    again = game.forge(places[0], Kind.CHOICE_REVEAL, (other, salt, carried))
    yield evaluated("reveal-twice", "another reveal later", game.log(places[0] + 2, again), Verdict.VIOLATION, "fork")
    game, place = next(
        (each, entry.number)
        for each in games
        for entry in each.entries
        if entry.kind == Kind.CHOICE_REVEAL and each.entries[entry.number + 1].seat == 0
    )
    again = game.forge(place + 1, Kind.CHOICE_REVEAL, game.entries[place].content)
    data = game.log(place + 1, again)
    yield evaluated("reveal-again", "the same reveal again", data, Verdict.VIOLATION, "wrong_kind")


def _other_score(game: Played) -> Vector:
    """Return a game at whose end seat 0 counts a colour twice more."""
    place = len(game.entries) - 2
    match _content(game, place):
        case ("over", (int(mine), theirs), winner):
            forged = game.forge(place, Kind.RESULT, ("over", (mine + 1, theirs), winner))
            return evaluated(
                "result-scores", "a point too many", game.log(place, forged), Verdict.VIOLATION, "wrong_result"
            )
        case result:
            raise AssertionError(result)


class _Table(NamedTuple):
    """A place of a game where an entry is expected of `player`: the position, and the true content."""

    match: Match
    state: State
    player: int
    content: tuple[Any, ...]
    after: State
    """The position after the true entry."""

    def hash(self, **changes: Any) -> bytes:
        """Return the hash of another position than the true one after the entry."""
        return tagged_hash(Tag.STATE, self.match.first, self.after._replace(**changes).encode())


class _Case(NamedTuple):
    """A violation: `forge` returns the forged content, or the hash of a false state, or None where there is none.

    `truly`: seat 0 commits to its content, which it is then true to.
    """

    id: str
    comment: str
    reason: str
    kind: Kind
    forge: Callable[[_Table], Any]
    truly: bool = False


def _offered(case: _Case, games: list[Played]) -> Iterator[tuple[Played, int, Any]]:
    """Yield the first place of each game at which the case can be made."""
    for game in games:
        for entry in game.entries:
            before, after = game.matches[entry.number : entry.number + 2]
            if entry.kind != case.kind or before.first is None:
                continue
            player = entry.seat ^ before.first
            assert isinstance(before.state, State)
            assert isinstance(after.state, State)
            table = _Table(before, before.state, player, _content(game, entry.number), after.state)
            if (forged := case.forge(table)) is not None:
                yield game, entry.number, forged
                break


def _acting(phase: int, action: Callable[[State, int], str | None]) -> Callable[[_Table], Any]:
    """Return the content of an action in `phase` that `action` makes up from the position and the player."""

    def forge(table: _Table) -> Any:
        if table.state.phase != phase or (found := action(table.state, table.player)) is None:
            return None
        assert found not in table.state.legal(table.player)
        return found, table.content[-1]

    return forge


def _case(id_: str, comment: str, phase: int, action: Callable[[State, int], str | None]) -> _Case:
    return _Case(id_, comment, "illegal_action", Kind.ACTION, _acting(phase, action))


def _fixed(action: str) -> Callable[[State, int], str]:
    return lambda *_: action


_PLACES: Final = (
    _case("place-15", "there are fourteen spaces", Phase.PLACE, _fixed("at:15")),
    _case("place-0", "spaces count from 1", Phase.PLACE, _fixed("at:0")),
    _case("place-01", "a leading zero", Phase.PLACE, _fixed("at:01")),
    _case(
        "place-on-captain",
        "the other captain stands there",
        Phase.PLACE,
        lambda state, player: f"at:{state.captains[1 - player]}" if state.captains[1 - player] else None,
    ),
    _case(
        "place-jack-on-captain",
        "Black Jack where a captain stands",
        Phase.PLACE_JACK,
        lambda state, player: f"at:{state.captains[player]}",
    ),
    _Case(
        "place-no-commitment",
        "a space without a commitment to the draw of its rogue",
        "no_commitment",
        Kind.ACTION,
        lambda table: (table.content[0], None) if table.state.phase == Phase.PLACE else None,
    ),
)


def _held(state: State, player: int, holds: Callable[[int, int], bool]) -> str | None:
    """Return a bid of an own rogue whose value and that of the standing bid are as wanted."""
    if not state.bid:
        return None
    found = [rogue for rogue in state.crews[player] if holds(VALUE[rogue], VALUE[state.bid])]
    return f"bid:{found[0]}" if found else None


_AUCTION: Final = (
    _case("bid-lower", "a bid too low", Phase.AUCTION, lambda s, p: _held(s, p, lambda own, bid: own < bid)),
    _case(
        "bid-equal",
        "a bid of equal value, in another colour",
        Phase.AUCTION,
        lambda s, p: _held(s, p, lambda own, bid: own == bid),
    ),
    _case("bid-others", "a rogue of the other's crew", Phase.AUCTION, lambda s, p: f"bid:{s.crews[1 - p][0]}"),
    _case("bid-den", "a rogue that lies in a den", Phase.AUCTION, lambda s, _: f"bid:{s.tops[0]}"),
    _case("bid-no-rogue", "there is no such rogue", Phase.AUCTION, _fixed("bid:r12")),
    _case("pass-upper-case", "another spelling", Phase.AUCTION, _fixed("PASS")),
)


def _used(cards: str) -> str | None:
    return next((card for card in CARDS if card not in cards), None)


def _own_used(table: _Table) -> str | None:
    """Return a choice of an own card that is used up."""
    card = _used(table.state.cards[table.player])
    his = f"+{table.state.cards[JACK][0]}" if table.state.hirer == table.player else ""
    return card and card + his


def _jack_used(table: _Table) -> str | None:
    """Return a choice of the hirer with a card of Black Jack's that is used up."""
    card = _used(table.state.cards[JACK]) if table.state.hirer == table.player else None
    return card and f"{table.state.cards[table.player][0]}+{card}"


def _jack_of_other(table: _Table) -> str | None:
    """Return a choice with a card of Black Jack's by a player who has not hired him."""
    is_hirer = table.state.hirer == table.player
    return None if is_hirer else f"{table.state.cards[table.player][0]}+{table.state.cards[JACK][0]}"


def _jack_missing(table: _Table) -> str | None:
    return table.state.cards[table.player][0] if table.state.hirer == table.player else None


_ILLEGAL_CHOICES: Final = (
    ("card-used", "a card that is used up", _own_used),
    ("jack-used", "a card of Black Jack's that is used up", _jack_used),
    ("jack-not-hired", "a card of Black Jack's without having hired him", _jack_of_other),
    ("jack-missing", "the hirer without a card of Black Jack's", _jack_missing),
    ("card-8", "there is no such card", lambda _: "8"),
    ("cards-both", "both choices in one", lambda _: "1/2"),
)


def _contributing(choice: Callable[[_Table], str | None]) -> Callable[[_Table], Any]:
    return lambda table: None if (found := choice(table)) is None else (found,)


def _other_choice(table: _Table) -> Any:
    action, salt, carried = table.content
    return next(each for each in table.state.legal(table.player) if each != action), salt, carried


_CHOICES: Final = (
    *(
        _Case(
            f"contribution-{id_}",
            f"{comment}, by seat 1",
            "illegal_action",
            Kind.CHOICE_CONTRIBUTION,
            _contributing(choice),
        )
        for id_, comment, choice in _ILLEGAL_CHOICES
    ),
    *(
        _Case(
            f"reveal-{id_}",
            f"{comment}, by seat 0, truly committed to",
            "illegal_action",
            Kind.CHOICE_REVEAL,
            forge,
            truly=True,
        )
        for id_, comment, forge in ((i, c, _contributing(choice)) for i, c, choice in _ILLEGAL_CHOICES)
    ),
    _Case(
        "reveal-other",
        "another choice than the hidden one",
        "choice_not_committed",
        Kind.CHOICE_REVEAL,
        _other_choice,
    ),
    _Case(
        "reveal-other-jack",
        "another card of Black Jack's than the hidden one",
        "choice_not_committed",
        Kind.CHOICE_REVEAL,
        lambda table: _jack_changed(table.state, *table.content),
    ),
    _Case(
        "reveal-other-salt",
        "another salt",
        "choice_not_committed",
        Kind.CHOICE_REVEAL,
        lambda table: (table.content[0], some_bytes("a salt"), table.content[2]),
    ),
)


def _jack_changed(state: State, action: str, salt: bytes, carried: bytes | None) -> Any:
    others = [card for card in state.cards[JACK] if "+" in action and card != action[-1]]
    return (action[:-1] + others[0], salt, carried) if others else None


_NUMBERS: Final = (
    _case("name-others", "the other's number", Phase.NAME, lambda s, p: f"={s.numbers[1 - p]}"),
    _case("name-8", "a number beyond seven", Phase.NAME, _fixed("=8")),
    _case("name-0", "no move at all", Phase.NAME, _fixed("=0")),
    _case("name-for-jack", "the number of Black Jack's rum", Phase.NAME, _fixed("J=1")),
    _case("name-jack-8", "a number beyond seven for Black Jack", Phase.JACK_NAME, _fixed("J=8")),
)


def _not_in_loot(state: State, player: int) -> str | None:
    """Return the theft of the other's rogue on Black Jack's space, where only those beside the boat may be taken."""
    found = [rogue for rogue in state.crews[1 - player] if rogue not in state.loot]
    return f"take:{found[0]}" if found else None


def _stolen(table: _Table) -> bytes | None:
    """Return the hash of the position with a rogue stolen that none of the rules takes."""
    crews = [list(crew) for crew in table.after.crews]
    if not crews[1 - table.player]:
        return None
    crews[table.player].append(crews[1 - table.player].pop())
    return table.hash(crews=tuple(map(ordered, crews)))


_THEFTS: Final = (
    _case("theft-not-due", "a theft in the auction", Phase.AUCTION, lambda s, p: f"take:{s.crews[1 - p][0]}"),
    _case("theft-left", "what must be taken is left", Phase.ROB_CAPTAIN, _fixed("leave")),
    _case("theft-own", "an own rogue is taken", Phase.ROB_CAPTAIN, lambda s, p: f"take:{s.crews[p][0]}"),
    _case(
        "theft-boat",
        "on a captain's space, one beside the boat",
        Phase.ROB_CAPTAIN,
        lambda s, _: f"take:{s.boat[0]}" if s.boat else None,
    ),
    _case("theft-of-other", "on Black Jack's space, one of whoever has not hired him", Phase.ROB_JACK, _not_in_loot),
    _case("theft-jack-left", "hired Black Jack leaves what must be taken", Phase.JACK_ROB, _fixed("leave")),
    _case(
        "lost-others",
        "a rogue of the other is lost",
        Phase.LOSE,
        lambda s, p: f"lose:{s.crews[1 - p][0]}" if s.crews[1 - p] else None,
    ),
    _case("lost-nothing", "nothing is lost", Phase.LOSE, _fixed("leave")),
    _Case("theft-in-state", "a theft that is not due, in the state alone", "wrong_state", Kind.CHOICE_REVEAL, _stolen),
)


def _turned_up(table: _Table) -> int | None:
    """Return the den at which a rogue has come up and still lies."""
    if table.state.phase != Phase.TURN_UP or not table.after.tops[table.state.hidden[0] - 1]:
        return None
    return table.state.hidden[0] - 1


def _other_rogue(table: _Table) -> bytes | None:
    """Return the hash of the position in which the next rogue of the pile has come up instead."""
    if (den := _turned_up(table)) is None:
        return None
    tops, pile = list(table.after.tops), list(table.after.pile)
    tops[den], pile[0] = pile[0], tops[den]
    return table.hash(tops=tuple(tops), pile=ordered(pile))


def _other_den(table: _Table) -> bytes | None:
    """Return the hash of the position in which the rogue has come up at another den, in exchange."""
    if (den := _turned_up(table)) is None:
        return None
    tops = list(table.after.tops)
    other = next(at for at, top in enumerate(tops) if top and at != den)
    tops[den], tops[other] = tops[other], tops[den]
    return table.hash(tops=tuple(tops))


_DRAWS: Final = (
    _Case("draw-other-rogue", "another rogue than the drawn one", "wrong_state", Kind.DRAW_REVEAL, _other_rogue),
    _Case("draw-other-den", "the drawn rogue at another den", "wrong_state", Kind.DRAW_REVEAL, _other_den),
)


_ON, _OFF, _HANDS = Halunken(), Halunken(blackjack="off"), Halunken(hands="3", theft="may")
_OF_PHASES: Final[tuple[tuple[str, int, str, Callable[[State], bool]], ...]] = (
    ("second-captain", Phase.PLACE, "the second captain is placed next", lambda s: s.captains != (0, 0)),
    ("first-rogue", Phase.FIRST, "the first rogue is drawn", lambda _: True),
    ("dens", Phase.FIRST, "the second first rogue is drawn, and the dens are filled", lambda s: 0 not in s.captains),
    ("place-jack", Phase.PLACE_JACK, "Black Jack is placed", lambda _: True),
    ("auction", Phase.AUCTION, "an auction begins", lambda _: True),
    ("auction-passed", Phase.AUCTION, "the opener has passed", lambda s: s.player != s.opener and not s.bid),
    ("auction-bid", Phase.AUCTION, "a bid stands", lambda s: bool(s.bid)),
    ("auction-hirer-opens", Phase.AUCTION, "the last hirer opens", lambda s: bool(s.boat) and s.player == s.opener),
    ("choice", Phase.CHOICE, "nobody has hired", lambda s: s.hirer is None),
    ("choice-hired", Phase.CHOICE, "Black Jack is hired", lambda s: s.hirer is not None),
    ("choice-last-rogue", Phase.CHOICE, "hired with the last rogue", lambda s: () in s.crews),
    ("name", Phase.NAME, "rum is named", lambda _: True),
    ("turn-up", Phase.TURN_UP, "a rogue has been taken", lambda s: not s.cancelled),
    ("cancelled", Phase.TURN_UP, "equal cards: two rogues come up", lambda s: s.cancelled and len(s.hidden) == 2),
    ("cancelled-one", Phase.TURN_UP, "equal cards: one rogue comes up", lambda s: s.cancelled and len(s.hidden) == 1),
    ("rums", Phase.TURN_UP, "two rums cancel each other", lambda s: s.shown[:JACK] == (RUM, RUM)),
    ("rob-captain", Phase.ROB_CAPTAIN, "a captain is robbed", lambda _: True),
    ("rob-boat", Phase.ROB_JACK, "a rogue beside the boat may be taken", lambda s: not set(s.loot) - set(s.boat)),
    ("rob-hirer", Phase.ROB_JACK, "the hirer may be robbed as well", lambda s: bool(set(s.loot) - set(s.boat))),
    ("jack-card", Phase.JACK_CARD, "Black Jack's card is drawn", lambda _: True),
    ("jack-name", Phase.JACK_NAME, "the hirer names the number of his rum", lambda _: True),
    ("jack-number", Phase.JACK_NUMBER, "the number of his rum is drawn", lambda _: True),
    ("jack-rob", Phase.JACK_ROB, "hired Black Jack robs", lambda _: True),
    ("lose", Phase.LOSE, "a rogue is lost to Black Jack", lambda s: len(s.met) == 1),
    ("lose-second", Phase.LOSE, "both lose one, the second now", lambda s: s.met[1:] == (s.player,)),
    ("over", Phase.OVER, "a game is over", lambda _: True),
)  # fmt: skip


_WAY_TO_NOBODY: Final[tuple[str | tuple[int, ...], ...]] = (
    *("at:13", (4,), "at:6", (3, 29, 1, 11, 35, 1, 13, 28, 10, 22, 17, 6, 6, 0, 8), "at:10"),
    *("bid:r8", "pass", "r+5/r", (22, 7), "bid:r4", "bid:r7", "pass", "5/5+1", "bid:v10", "pass", "7/7+6"),
    *("bid:v14", "pass", "6/6+3", "pass", "bid:r4", "4+7/4", "bid:y8", "pass", "2+2/2"),
)
"""A game that only players who look for it play."""


def _nobody() -> Vector:
    """Return the position after hired Black Jack has met the other's captain, and neither player has a rogue."""
    position, steps = _ON.start(), list[Step]()
    for way in _WAY_TO_NOBODY:
        match position.node:
            case Turn(player):
                steps.append(Acted(player, str(way)))
            case Simultaneous():
                first, second = str(way).split("/")
                steps.append(Chosen((first, second)))
            case _:
                steps.append(Drawn(tuple(map(int, way))))
        position = advance(position, steps[-1])
    return state("jack-rob-nobody", "Black Jack met a captain, and neither player has a rogue", _ON, steps, position, 0)


def states() -> Iterator[Vector]:
    """Positions of each phase with the shortest of some ways that lead to them."""
    yield state("start", "before anything is placed", _ON, [], _ON.start(), None)
    walks = [walk(_ON, f"halunken {number}", at_random(f"halunken {number}")) for number in range(40)]
    for name, phase, comment, holds in _OF_PHASES:
        found = [
            (at, number, position.player)
            for number, (_, positions) in enumerate(walks)
            for at, position in enumerate(positions)
            if position.phase == phase and holds(position)
        ]
        # of each player, the earliest first
        earliest = [min(each for each in found if each[2] == player) for player in {each[2] for each in found}]
        for (at, number, _), suffix in zip(sorted(earliest), ("", "-other"), strict=False):
            steps, positions = walks[number]
            yield state(f"{name}{suffix}", comment, _ON, steps[:at], positions[at], number % 2)
    for name, game in (("simple", _OFF), ("hands", _HANDS)):
        steps, positions = walk(game, f"halunken {name}", at_random(f"halunken {name}"))
        yield state(f"{name}-start", "other options", game, [], positions[0], None)
        opened = next(at for at, position in enumerate(positions) if position.round == 2)
        yield state(f"{name}-round", "a second round", game, steps[:opened], positions[opened], 0)
        for hand in range(2, int(game.hands) + 1):
            begun = next(at for at, position in enumerate(positions) if position.hand == hand)
            yield state(f"{name}-{hand}", f"hand {hand} begins", game, steps[:begun], positions[begun], 0)
        yield state(f"{name}-over", "a whole game", game, steps, positions[-1], 1)
    yield _nobody()
    for number in range(12):
        # whatever went wrong on the way shows at the end of a hand
        game = Halunken(theft=("takes", "may")[number % 2])
        steps, positions = walk(game, f"halunken over {number}", at_random(f"halunken over {number}"))
        yield state(f"over-{number}", "a whole game", game, steps, positions[-1], 0)


_HEAD: Final = '[Game "halunken"]\n'
_OPEN: Final = "hand:1 at:2 2:y1 at:6 6:r5"
_DENS: Final = "1:y5 2:v8 3:v10 4:r4 5:v11 6:v6 7:g13 8:v9 9:g3 10:v3 11:y6 12:v5 13:v7 14:y2"
_SETUP: Final = f"{_HEAD}{_OPEN} {_DENS} at:9"
_ROUND: Final = f"{_SETUP}\n1. pass pass 3/6 5:r8 12:y4 J:7 lose:r5"
_TWO: Final = f"{_ROUND}\n2. pass pass 6/4 2:r6 leave 11:r15 J:1"
_THREE: Final = f"{_TWO}\n3. pass pass r/3"
_FOUR: Final = f"{_THREE} =7 5:g5 4:g7 leave J:6\n4. bid:v8 pass 1/2+5"
_VALID: Final = (
    ("game-alone", "only Game is required", _HEAD),
    ("hand-alone", "nothing is placed yet", _HEAD + "hand:1"),
    ("placed", "a captain is placed", _HEAD + "hand:1 at:2"),
    ("first-rogue", "a crew begins", _HEAD + "hand:1 at:2 2:y1"),
    ("dens-partly", "a draw may break off", f"{_HEAD}{_OPEN} 1:y5 2:v8"),
    ("dens", "Black Jack is not placed yet", f"{_HEAD}{_OPEN} {_DENS}"),
    ("setup", "an auction begins", _SETUP),
    ("round-alone", "the same", _SETUP + "\n1."),
    ("round", "a whole round", _ROUND),
    ("naming", "rum is named", _THREE),
    ("hired", "a round with a hirer", _FOUR + " 8:r7"),
    ("turn-up", "a rogue comes up", _FOUR),
    (
        "lines",
        "other lines, with comments",
        _HEAD + _ROUND.removeprefix(_HEAD).replace(" ", "\n").replace("3/6", "3/6 ; cards"),
    ),
    ("simple", "the game without Black Jack", f'{_HEAD}[Blackjack "off"]\n{_OPEN} {_DENS}\n1. 3/6 5:r8'),
    ("cancelled", "equal cards, one of two rogues is drawn", f'{_HEAD}[Blackjack "off"]\n{_OPEN} {_DENS} 1. 4/4 2:g5'),
    ("settings", "the other options", f'{_HEAD}[Blackjack "off"]\n[Hands "3"]\n[Theft "may"]\n'),
    ("resigned", "ended by a resignation", f'{_HEAD}[Ended "0 resigned"]\n{_OPEN}'),
)
_INVALID: Final = (
    ("unknown-hands", "no such number of hands", '[Game "halunken"]\n[Hands "2"]\n'),
    ("unknown-theft", "no such theft", '[Game "halunken"]\n[Theft "steals"]\n'),
    ("no-hand", "a setup that is not opened", _HEAD + "at:2"),
    ("other-hand", "hand 2 first", _HEAD + "hand:2 at:2"),
    ("no-round", "a round that is not opened", _SETUP + "\npass"),
    ("other-round", "round 2 first", _SETUP + "\n2. pass"),
    ("space-15", "there are fourteen spaces", _HEAD + "hand:1 at:15"),
    ("on-captain", "a captain on the other", _HEAD + "hand:1 at:2 2:y1 at:2"),
    ("no-rogue", "no rogue where one comes up", _HEAD + "hand:1 at:2 at:6"),
    ("no-such-rogue", "there is no r12", _HEAD + "hand:1 at:2 2:r12"),
    ("rogue-twice", "a rogue that has come up", _HEAD + "hand:1 at:2 2:y1 at:6 6:y1"),
    ("other-den", "a rogue at another den", _HEAD + "hand:1 at:2 3:y1"),
    ("dens-order", "dens out of order", f"{_HEAD}{_OPEN} 2:v8 1:y5"),
    ("partly-twice", "a draw that breaks off is checked", f"{_HEAD}{_OPEN} 1:y5 2:y5"),
    ("bid-others", "a rogue of the other's crew", _SETUP + " 1. bid:y1"),
    ("bid-lower", "a bid that is too low", _ROUND + " 2. bid:v3 bid:y1"),
    ("one-card", "one card alone", _SETUP + " 1. pass pass 3"),
    ("card-used", "a card that is used up", _ROUND + " 2. pass pass 3/4"),
    ("jack-not-hired", "Black Jack's card, not hired", _SETUP + " 1. pass pass 3+1/6"),
    ("jack-missing", "the hirer without Black Jack's card", _SETUP + " 1. pass bid:y1 3/6"),
    ("jack-used", "Black Jack's card is used up", _ROUND + " 2. pass bid:v11 6+7/4"),
    ("name-others", "the other's number", _THREE + " =3"),
    ("no-card", "no card where Black Jack's is drawn", _SETUP + " 1. pass pass 3/6 5:r8 12:y4 lose:r5"),
    ("card-8", "there is no card 8", _SETUP + " 1. pass pass 3/6 5:r8 12:y4 J:8"),
    ("drawn-used", "a drawn card that is used up", _TWO + " 3. pass pass r/3 =7 5:g5 4:g7 leave J:7"),
    ("number-8", "a number beyond seven", _SETUP + " 1. pass pass 3/6 5:r8 12:y4 J:r J=8"),
    ("lose-others", "a rogue of the other is lost", _SETUP + " 1. pass pass 3/6 5:r8 12:y4 J:7 lose:y1"),
    ("capital", "another spelling", _SETUP + " 1. Pass"),
    ("result-early", "a result before the end", f'{_HEAD}[Result "46-81"]\n{_OPEN}'),
)


def records() -> Iterator[Vector]:
    """Records with their events and their canonical spelling, and texts that are none, with the place."""
    for name, comment, text in _VALID:
        yield text_record(name, comment, text.encode(), fine=True)
    for name, game in (("whole", _ON), ("hands", _HANDS)):
        steps, _ = walk(game, f"halunken {name}", at_random(f"halunken {name}"))
        text = record.write(record.Record(game, ("Ada", "Ben"), tuple(steps)))
        yield text_record(name, "a whole game", text.encode(), fine=True)
        yield text_record(f"{name}-after-the-end", "a token after the end", f"{text}pass".encode(), fine=False)
        wrong = text.replace('[Result "', '[Result "1')
        yield text_record(f"{name}-wrong-result", "a result that does not follow", wrong.encode(), fine=False)
    for name, comment, text in _INVALID:
        yield text_record(name, comment, text.encode(), fine=False)
