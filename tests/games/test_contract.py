"""The contract of every game (games/api.py): for those in the catalogue, and the toy of the tests."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal, RecordError
from p2p_shanghaien.games.api import (
    Acted,
    Chance,
    Chosen,
    Drawn,
    Game,
    InvalidSetting,
    Simultaneous,
    State,
    Step,
    Terminal,
    Turn,
    action_of,
    advance,
    deciders,
)
from p2p_shanghaien.games.chance import ChanceModel, Deal, Roll
from p2p_shanghaien.games.record import Ended, Record, events, read, write
from p2p_shanghaien.games.registry import GAMES as SPECS
from p2p_shanghaien.games.registry import RULES
from tests.games import golden
from tests.games.playing import Moment, play
from tests.toy import SPEC, Toy

KINDS: dict[str, type[Game[Any]]] = {**RULES, Toy.NAME: Toy}
MODELS: dict[str, ChanceModel[Any, Any]] = {
    spec.name: spec.chance.load() for spec in (*SPECS.values(), SPEC) if spec.chance
}

# for each game: settings other than the defaults, and settings that must be refused
OTHER_SETTINGS: dict[str, list[dict[str, str]]] = {
    "shanghaien": [{"variant": "extra-wild"}, {"tricks": "p0 b8 r0"}, {"variant": "extra-wild", "tricks": "p8 b0 r0"}],
    "halunken": [{"blackjack": "off"}, {"theft": "may"}, {"blackjack": "off", "hands": "3"}],
    # its other decks are data from outside
    "macao": [],
    "toy": [{"rounds": "1"}, {"opening": "draw"}, {"opening": "turn", "rounds": "9"}],
}
BAD_SETTINGS: dict[str, list[dict[str, str]]] = {
    "shanghaien": [{"variant": ""}, {"variant": "wild"}, {"tricks": "p3 b3 r3"}, {"tricks": ""}],
    "halunken": [{"blackjack": ""}, {"blackjack": "On"}, {"hands": "2"}, {"hands": "03"}, {"theft": "perhaps"}],
    "macao": [{"deck": ""}, {"deck": "reconstruction-2"}, {"deck": "0" * 63}],
    "toy": [{"rounds": "0"}, {"rounds": ""}, {"rounds": "10"}, {"opening": "sing"}],
}

GAMES = [kind.from_settings(given) for name, kind in KINDS.items() for given in ({}, *OTHER_SETTINGS[name])]
SEEDS = range(12)

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
every_game = pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: f"{game.NAME}-{'-'.join(dict(game.settings).values())}"
)


def moments(game: Game[Any]) -> Iterator[Moment[Any]]:
    for seed in SEEDS:
        yield from play(game, Random(seed))


def steps_of(game: Game[Any], seed: int) -> tuple[Step, ...]:
    return tuple(step for _, step, _ in play(game, Random(seed)))


def is_plain(value: object) -> bool:
    """Made of what has a canonical encoding, by exact type: no subclass has a place in it."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) in (bool, int, str, bytes, type(None))


def test_the_catalogue_names_its_games() -> None:
    assert "shanghaien" in RULES
    assert len(RULES) == len([*RULES])
    for name, kind in RULES.items():
        assert name == kind.NAME
    with pytest.raises(KeyError):
        RULES["os"]


@pytest.mark.parametrize("game", [game for game in GAMES if game.NAME in MODELS], ids=str)
def test_a_chance_model_tells_dice_from_cards(game: Game[Any]) -> None:
    """Faces are those of their dice; what is dealt is in its deck, and no card of it is dealt twice."""
    model = MODELS[game.NAME]
    deck = model.deck(game)
    found = 0
    for seed in SEEDS:
        piles: dict[int, Counter[str]] = {}
        for before, step, after in play(game, Random(seed)):
            for event in model.events(before, step, after) if isinstance(step, Drawn) else ():
                match event:
                    case Roll(player, thrown):
                        assert player in (0, 1, None)
                        assert all(1 <= die.face <= die.sides for die in thrown)
                        found += len(thrown)
                    case Deal(cards, number, continued):
                        assert cards
                        assert not continued or number in piles
                        piles.setdefault(number, Counter(deck)).subtract(cards)
                        found += len(cards)
        assert min((count for pile in piles.values() for count in pile.values()), default=0) >= 0
    assert found
    for card in deck:
        assert all(group(card) for group in model.groupings.values())


@every_kind
def test_names_are_flags_and_tags(kind: type[Game[Any]]) -> None:
    assert re.fullmatch("[a-z][a-z0-9-]*", kind.NAME)
    assert kind.RULES_VERSION >= 1
    names = [setting.name for setting in kind.SETTINGS]
    assert len(names) == len(set(names))
    for name in names:
        assert re.fullmatch("[a-z][a-z0-9_]*", name)
        assert name.capitalize() not in ("Game", "First", "Second", "Result", "Ended")


@every_kind
def test_settings_default(kind: type[Game[Any]]) -> None:
    game = kind.from_settings({})
    defaults = {setting.name: setting.default for setting in kind.SETTINGS}
    assert game.settings == tuple(defaults.items())
    assert game == kind.from_settings(defaults)
    for setting in kind.SETTINGS:
        assert all(kind.from_settings({setting.name: choice}) for choice in setting.choices)
    assert game.NAME == kind.NAME


@every_game
def test_settings_round_trip(game: Game[Any]) -> None:
    assert type(game).from_settings(dict(game.settings)) == game
    assert [name for name, _ in game.settings] == [setting.name for setting in game.SETTINGS]
    assert all(type(word) is str for pair in game.settings for word in pair)
    assert {game: "hashable"}[type(game).from_settings(dict(game.settings))]
    json.dumps(game.settings_fields())


def test_games_differ_by_their_settings() -> None:
    assert len(set(GAMES)) == len(GAMES)


@every_kind
def test_settings_refused(kind: type[Game[Any]]) -> None:
    for settings in BAD_SETTINGS[kind.NAME]:
        with pytest.raises(InvalidSetting) as caught:
            kind.from_settings(settings)
        assert [caught.value.setting] == [*settings]
    with pytest.raises(InvalidSetting) as caught:
        kind.from_settings({"colour": "red"})
    assert caught.value.setting == "colour"


@every_game
def test_only_who_is_awaited_may_act(game: Game[Any]) -> None:
    for state, _, after in moments(game):
        legal = state.legal(0), state.legal(1)
        match state.node:
            case Turn(player):
                assert player in (0, 1)
                assert legal[player]
                assert legal[1 - player] == ()
            case Simultaneous():
                assert all(legal)
            case Chance(bounds):
                assert legal == ((), ())
                assert bounds
                assert all(type(bound) is int and 1 <= bound <= 65_536 for bound in bounds)
        if isinstance(after.node, Terminal):
            assert after.legal(0) == after.legal(1) == ()
        assert deciders(state.node) == tuple(player for player in (0, 1) if legal[player])
        for actions in legal:
            assert type(actions) is tuple
            assert len(actions) == len(set(actions))
            assert all(re.fullmatch(r"[!-~]{1,150}", action) for action in actions)


def seen_of(game: Game[Any], state: State, step: Step) -> object:
    """Return the position after `step` and its events: two actions may lead to one position, by different events."""
    after = advance(state, step)
    return after.encode(), json.dumps([*game.events(state, step, after, [])])


@every_game
def test_everything_legal_can_be_done(game: Game[Any]) -> None:
    for state, _, _ in moments(game):
        match state.node:
            case Turn(player):
                done = [Acted(player, action) for action in state.legal(player)]
                results = {seen_of(game, state, step) for step in done}
                assert len(results) == len(done), "two names for one action"
            case Simultaneous():
                assert all(
                    state.apply_joint((one, other)) != state for one in state.legal(0) for other in state.legal(1)
                )
            case Chance(bounds):
                assert state.apply_chance((0,) * len(bounds)) != state
                assert state.apply_chance([bound - 1 for bound in bounds]) != state


def forbidden(state: State) -> Iterator[Step]:
    """Steps that no rule allows in `state`: of the wrong kind, by the wrong player, or out of bounds."""
    node = state.node
    for player in (0, 1, 2, -1):
        yield Acted(player, "")
        yield Acted(player, "no such action")
        if node != Turn(player):
            yield from (Acted(player, action) for each in (0, 1) for action in state.legal(each))
    if isinstance(node, Simultaneous):
        one, other = state.legal(0)[0], state.legal(1)[0]
        yield from (Chosen((one, "no such action")), Chosen(("", other)))
    else:
        legal = [*state.legal(0), *state.legal(1), "1", "roll"]
        yield from (Chosen((action, action)) for action in legal)
    if isinstance(node, Chance):
        zeros = (0,) * len(node.bounds)
        yield from (Drawn(indices) for indices in ((), zeros[1:], (*zeros, 0)))
        for place, bound in enumerate(node.bounds):
            for index in (-1, bound, bound + 1):
                yield Drawn((*zeros[:place], index, *zeros[place + 1 :]))
    else:
        yield from (Drawn(indices) for indices in ((), (0,), (0, 0), (0,) * 6))


@every_game
def test_nothing_else_can(game: Game[Any]) -> None:
    for before, _, after in moments(game):
        for state in (before, after) if isinstance(after.node, Terminal) else (before,):
            encoded = state.encode()
            for step in forbidden(state):
                with pytest.raises(Illegal):
                    advance(state, step)
            assert state.encode() == encoded


@every_game
def test_steps_decide_everything(game: Game[Any]) -> None:
    """The same steps give equal positions, equal encodings and equal events; the position before stays as it was."""
    for seed in SEEDS:
        first, second = (list(play(game, Random(seed))) for _ in range(2))
        assert first == second
        happened: list[dict[str, Any]] = []
        for before, step, after in first:
            encoded = before.encode()
            assert advance(before, step) == after
            assert advance(before, step).encode() == after.encode()
            assert hash(advance(before, step)) == hash(after)
            assert before.encode() == encoded != after.encode()
            new = [*game.events(before, step, after, happened)]
            assert [*game.events(before, step, after, happened)] == new
            happened += new
            match step:
                case Acted(_, action):
                    assert before.apply(action) == after
                case Chosen(actions):
                    assert before.apply_joint(actions) == after
                case Drawn(indices):
                    assert before.apply_chance(indices) == before.apply_chance([*indices]) == after


@every_game
def test_encoding_is_plain_and_complete(game: Game[Any]) -> None:
    """Positions that wait for different things, or allow different things, are encoded differently."""
    seen: dict[Any, object] = {}
    for before, _, after in moments(game):
        for state in (before, after):
            encoded = state.encode()
            assert is_plain(encoded)
            assert 1 <= depth(encoded) <= 8
            shown = (state, state.node, state.legal(0), state.legal(1))
            assert seen.setdefault(encoded, shown) == shown


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


@every_game
def test_a_game_ends_and_stays_so(game: Game[Any]) -> None:
    for seed in SEEDS:
        *_, (_, _, last) = play(game, Random(seed))
        over = last.node
        assert isinstance(over, Terminal)
        assert all(type(score) is int for score in over.scores)
        assert over.winner in (None, 0, 1)
        if over.winner is None:
            assert over.scores[0] == over.scores[1]
        else:
            # of equal scores something else may decide
            assert over.scores[over.winner] >= over.scores[1 - over.winner]


@every_game
def test_events(game: Game[Any]) -> None:
    for seed in SEEDS:
        steps = steps_of(game, seed)
        found = [*events(Record(game, ("Ada", "Ben"), steps))]
        assert json.loads(json.dumps(found)) == found
        assert found[0] == {"event": "players", "names": ["Ada", "Ben"], **game.settings_fields()}
        assert found[-1]["event"] == "result"
        decisions = [(event["player"], event["action"]) for event in found if event["event"] == "decision"]
        assert decisions == [pair for step in steps for pair in decisions_of(step)]
        for step in steps:
            assert [(p, done) for p in (0, 1) if (done := action_of(step, p)) is not None] == decisions_of(step)
        for event in found:
            if event["event"] == "decision":
                assert event["legal"] == sorted(event["legal"])
                assert event["action"] in event["legal"]
        reserved = ("players", "decision", "unfinished", "ended", "violation")
        for before, step, after in play(game, Random(seed)):
            assert not any(event["event"] in reserved for event in game.events(before, step, after, []))


def decisions_of(step: Step) -> list[tuple[int, str]]:
    match step:
        case Acted(player, action):
            return [(player, action)]
        case Chosen(actions):
            return [*enumerate(actions)]
        case Drawn():
            return []


@every_game
def test_records_round_trip_wherever_they_stop(game: Game[Any], thorough: bool) -> None:
    games = {game.NAME: type(game)}
    for seed in SEEDS[: 4 if thorough else 1]:
        steps = steps_of(game, seed)
        for length in {*range(0, len(steps), 1 if thorough else 5), len(steps)}:
            ended = Ended(length % 2) if length < len(steps) else None
            record = Record(game, ("Ada", "Ben"), steps[:length], ended)
            again = read(write(record).encode(), games)
            assert [*again.positions()] == [*record.positions()]
            assert (again.game, again.names, again.ended) == (game, record.names, ended)
            assert write(again) == write(record)
            assert [*events(again)] == [*events(record)]


@every_game
def test_words_that_mean_nothing(game: Game[Any]) -> None:
    """Whatever the move text is, it is followed or refused with a place in it."""
    tags = [("Game", game.NAME), *((name.capitalize(), value) for name, value in game.settings)]
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags)
    for word in (
        "?",
        "1",
        "0",
        "1.1",
        "-",
        "#",
        "roll",
        "take",
        "1:1",
        "1:",
        ":",
        "0,0",
        "99999,99999",
        "hand:1",
        "at:1",
        "1/1",
        "1:r4",
        "J:1",
        "\0",
        "x" * 99,
    ):
        with suppress(RecordError):
            record = read(f"{header}{word} {word}".encode(), {game.NAME: type(game)})
            assert len(record.steps) <= 2


def test_the_toy_has_every_transition() -> None:
    """Whatever a position waits for, anything may be awaited next; that is what the toy is for."""
    kinds = {Turn, Simultaneous, Chance}
    seen = {
        (type(before.node), type(after.node))
        for opening in ("bid", "draw", "turn")
        for seed in range(200)
        for before, _, after in play(Toy(2, opening), Random(seed))
    }
    assert seen == {(one, other) for one in kinds for other in {*kinds, Terminal}}
    assert {type(Toy(2, opening).start().node) for opening in ("bid", "draw", "turn")} == kinds


@every_kind
def test_golden_playthrough(kind: type[Game[Any]]) -> None:
    """A whole game, kept position by position. After a wanted change: python -m tests.games.golden."""
    path = golden.path_of(kind)
    assert golden.playthrough(kind).splitlines() == path.read_text("utf-8").splitlines()


def test_no_playthrough_is_left_over() -> None:
    assert {*golden.DATA.glob("playthrough-*")} == {golden.path_of(kind) for kind in KINDS.values()}
