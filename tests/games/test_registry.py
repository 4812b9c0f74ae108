"""Games are found by their entry points; one that cannot be used is named, and takes no other game with it."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from threading import Event

import pytest

from p2p_shanghaien.errors import CannotConnect, LocalError, Malformed
from p2p_shanghaien.games.api import Drawn, GameSpec, Part, Reading
from p2p_shanghaien.games.registry import GAMES, GROUP, OURS, RULES, Registry, Rules
from p2p_shanghaien.games.shanghaien import SPEC
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests import decked, toy
from tests.toy import Toy

NO_SPEC = "neither a declaration nor a game"
RENAMED: GameSpec = replace(toy.SPEC, name="renamed")
LEVELLESS: GameSpec = replace(toy.SPEC, name="levelless", opponent="master")


class Installed(Distribution):
    """A distribution of that name, as far as an entry point asks for it."""

    def __init__(self, name: str) -> None:
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


def point(name: str, place: str, distribution: str = "elsewhere") -> EntryPoint:
    found = EntryPoint(name, place, GROUP)
    vars(found)["dist"] = Installed(distribution)
    return found


HERE = "tests.games.test_registry"
SHANGHAIEN = point("shanghaien", "p2p_shanghaien.games.shanghaien:SPEC", OURS)
TOY = point("toy", "tests.toy:SPEC")
BOTH = {spec.name: spec for spec in (toy.SPEC, SPEC)}


def registry(*points: EntryPoint) -> Registry:
    return Registry(lambda: points)


def test_our_own_games_are_registered_as_others_are() -> None:
    assert GAMES["shanghaien"] is SPEC
    assert RULES["shanghaien"] is Shanghaien
    assert list(RULES) == list(GAMES)


@pytest.mark.usefixtures("_toy_is_installed")
def test_an_installed_game_is_found() -> None:
    assert GAMES["toy"] is toy.SPEC
    assert RULES["toy"] is Toy
    assert "toy" in RULES
    assert set(GAMES) >= {"shanghaien", "toy"}
    assert GAMES.unusable == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (point("gone", "tests.no_such_module:SPEC"), "game_not_loaded"),
        (point("lacking", "tests.toy:NO_SUCH_NAME"), "game_not_loaded"),
        (point("breaks", f"{HERE}:1/0"), "game_not_loaded"),
        (point("text", f"{HERE}:NO_SPEC"), "game_not_declared"),
        (point("class", "tests.toy:Toy"), "game_not_declared"),
        (point("other-name", f"{HERE}:RENAMED"), "game_named_otherwise"),
        (point("levelless", f"{HERE}:LEVELLESS"), "game_lacks_opponent"),
        (point("shanghaien", "tests.toy:SPEC"), "game_name_taken"),
        (point("toy", f"{HERE}:RENAMED", "zzz"), "game_name_taken"),
        (point("Capital", "tests.toy:SPEC"), "game_name_bad"),
        (point("../toy", "tests.toy:SPEC"), "game_name_bad"),
        (point("", "tests.toy:SPEC"), "game_name_bad"),
        (point("a" * 33, "tests.toy:SPEC"), "game_name_bad"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name[:12] or "empty",
)
def test_an_entry_point_that_cannot_be_used_is_named_and_left_out(bad: EntryPoint, reason: str) -> None:
    games = registry(bad, TOY, SHANGHAIEN)
    assert dict(games) == BOTH
    assert games["shanghaien"] is SPEC
    assert [(each.entry, each.reason) for each in games.unusable] == [(bad.name, reason)]
    assert games.unusable[0].distribution == bad.dist.name if bad.dist else False
    assert dict(games) == BOTH, "asked again, nothing is told twice"
    assert len(games.unusable) == 1


def test_one_game_that_is_found_twice_at_one_place_is_no_conflict() -> None:
    games = registry(SHANGHAIEN, SHANGHAIEN, TOY)
    assert len(games) == 2
    assert games.unusable == ()


@pytest.mark.parametrize("name", ["os", "os:system", "p2p_shanghaien.games.shanghaien:SPEC", "", "\0", "a" * 10_000])
def test_a_name_from_elsewhere_is_looked_up_and_nothing_else(name: str) -> None:
    games = registry(SHANGHAIEN)
    assert name not in games
    assert name not in Rules(games)
    with pytest.raises(KeyError):
        games[name]
    assert games.unusable == ()


def test_asking_for_one_game_loads_no_other() -> None:
    games = registry(point("gone", "tests.no_such_module:SPEC"), SHANGHAIEN)
    assert games["shanghaien"] is SPEC
    assert games.unusable == ()


def test_a_game_that_is_installed_twice_and_cannot_be_used_is_told_once() -> None:
    again = [point("toy", f"{HERE}:RENAMED", "zzz") for _ in range(2)]
    games = registry(TOY, *again)
    assert list(games) == ["toy"]
    assert len(games.unusable) == 1


@pytest.mark.usefixtures("_toy_is_installed")
def test_what_a_game_fails_with_is_raised_as_an_error_that_names_it() -> None:
    assert "toy" in GAMES
    with pytest.raises(LocalError) as raised, GAMES.named_in_errors():
        toy.CHANCE.events(Toy().start(), Drawn(()), Toy().start())
    assert raised.value.code == "game_failed"
    assert raised.value.details == {"game": "toy", "distribution": "toy", "error": "KeyError('bid')"}
    assert isinstance(raised.value.__cause__, KeyError)


@pytest.mark.usefixtures("_toy_is_installed")
def test_other_exceptions_pass() -> None:
    assert "toy" in GAMES
    with pytest.raises(ValueError, match="three"), GAMES.named_in_errors():
        int("three")
    with pytest.raises(Malformed), GAMES.named_in_errors():
        Toy.from_settings({"rounds": "0"})


def test_the_failure_of_code_that_is_no_game_here_passes() -> None:
    with pytest.raises(KeyError), GAMES.named_in_errors():
        toy.CHANCE.events(Toy().start(), Drawn(()), Toy().start())


def test_games_are_found_by_several_threads_at_once() -> None:
    """Logs are verified by as many as there are cores, and each asks for its game."""
    begun = Event()

    def find() -> Iterator[EntryPoint]:
        begun.set()
        time.sleep(0.1)  # whoever asks meanwhile has to wait
        yield TOY

    games = Registry(find)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(games.__getitem__, "toy")
        begun.wait()
        second = pool.submit(games.__getitem__, "toy")
        assert first.result() is second.result() is toy.SPEC


def test_games_of_other_distributions_can_be_left_aside() -> None:
    games = registry(SHANGHAIEN, TOY, point("gone", "tests.no_such_module:SPEC"))
    with games.only(OURS):
        assert list(games) == ["shanghaien"]
        assert games.unusable == ()
    assert list(games) == ["shanghaien", "toy"]


def test_games_by_the_same_data_are_equal() -> None:
    deck = bytes([77, 1, 2, 3])
    digest = sha256(deck).hexdigest()
    rules = Rules({"decked": decked.SPEC})
    rules.data = {digest: deck}.get
    one, other = (rules["decked"].from_settings({"deck": digest}) for _ in range(2))
    assert one == other
    assert one.start() == other.start() != rules["decked"].from_settings({}).start()
    rules.data = lambda _: None
    with pytest.raises(CannotConnect) as raised:
        rules["decked"].from_settings({"deck": digest})
    assert (raised.value.code, raised.value.details["digest"]) == ("data_missing", digest)


def test_a_game_is_played_by_no_data_unless_it_says_so() -> None:
    game = toy.Toy.from_settings({})
    assert game.named_data() == {}
    assert list(game.data_news()) == []


def test_games_read_the_data_that_they_are_given() -> None:
    deck = bytes([77, 1, 2, 3])
    digest = sha256(deck).hexdigest()
    games = Reading({"decked": decked.Decked, "toy": toy.Toy}, {digest: deck}.get)
    assert games["decked"] is games["decked"]
    assert games["decked"].from_settings({"deck": digest}).named_data() == {digest: deck}
    assert games["toy"] is toy.Toy
    assert (list(games), len(games), "toy" in games, "pig" in games) == (["decked", "toy"], 2, True, False)


@pytest.mark.parametrize("place", ["tests.no_such_module:GAME", "tests.toy:NO_SUCH_NAME", f"{HERE}:1/0"])
def test_a_part_that_cannot_be_imported_is_named(place: str) -> None:
    with pytest.raises(LocalError) as raised:
        Part(place).load()
    assert raised.value.code == "game_part_broken"
    assert raised.value.details["place"] == place
    assert raised.value.details["reason"] == repr(raised.value.__cause__)
