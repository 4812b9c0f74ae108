"""Games with and without hints: never in a game between two people that can go on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from p2p_shanghaien.app.hints import hints, hints_on
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import State, Turn
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.store.home import Home
from tests import toy
from tests.cli.program import PROGRAM, Host, Running, environment, logs
from tests.cli.test_person import CHOICE, Person
from tests.spawned import Spawned
from tests.toy_values import Values
from tests.ui.ledger import RECORDS, load

REFUSED = "There are no hints in a game between"
GIVEN = "Your choices, best first"
ONLY = "You have only one choice"


def decisions(record: Record) -> list[State]:
    """Return every position of a game in which a player decides."""
    return [position for position in record.positions() if isinstance(position.node, Turn)]


@pytest.mark.parametrize("number", [3, 60])
async def test_hints_are_of_the_choices_that_are_open_as_the_player_sees_them(number: int) -> None:
    state = decisions(load(RECORDS[0]))[number]
    assert isinstance(state.node, Turn)
    player, advise = state.node.player, hints("shanghaien")
    advice = await advise(state, player)
    assert [each.action for each in advice] == list(state.legal(player))
    assert all(0 <= each.value.chance <= 1 for each in advice)
    # the same by the other's eyes
    other = await advise(state, 1 - player)
    for mine, theirs in zip(advice, other, strict=True):
        assert mine.value.chance + theirs.value.chance == pytest.approx(1)
        assert mine.value.points + theirs.value.points == pytest.approx(0)


async def test_at_the_end_of_a_game_the_winner_sees_that_shanghai_wins() -> None:
    last = next(state for state in reversed(decisions(load(RECORDS[0]))) if state.legal(0) or state.legal(1))
    assert isinstance(last.node, Turn)
    over = last.apply("#").node
    (shanghai,) = [each for each in await hints("shanghaien")(last, last.node.player) if each.action == "#"]
    won = over.winner == last.node.player  # type: ignore[union-attr]
    assert shanghai.value.chance == pytest.approx(float(won), abs=1e-3)


async def test_a_game_that_nobody_has_valued_has_none() -> None:
    state = toy.Toy().start()
    assert await hints("toy")(state, 0) == ()


@pytest.mark.usefixtures("_toy_is_installed")
@pytest.mark.parametrize("scores", [(0, 0), (30, 0)])
async def test_where_both_choose_they_say_how_often_to_take_what(scores: tuple[int, int]) -> None:
    state = toy.Toy(rounds=1).start()._replace(scores=scores)
    value, advise = Values().value(state).chance, hints("toy")
    for player in (0, 1):
        advice = await advise(state, player)
        assert [each.action for each in advice] == list(state.legal(player))
        shares = [each.share or 0.0 for each in advice]
        assert sum(shares) == pytest.approx(1)
        assert min(shares) > 0.25, "each bid has a better answer"
        for each in advice:
            assert each.value.chance == pytest.approx(1 - value if player else value)


async def test_where_no_mixture_is_known_they_are_means_over_what_the_other_may_choose(
    toy_as: Callable[[str], None],
) -> None:
    toy_as("tests.toy_values:WITHOUT_MIXTURES")
    state = toy.Toy(rounds=1).start().apply_joint(("2", "2"))
    advice = {player: await hints("toy")(state, player) for player in (0, 1)}
    # of 1 and 3 the lower bid wins at once; of equal ones nobody has anything
    assert advice[0] == advice[1] == [Option("1", PositionValue(0.75, 5.0)), Option("3", PositionValue(0.25, -5.0))]
    assert all(each.share is None for each in advice[0])


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_in_a_game_against_the_computer_and_when_it_is_resumed(tmp_path: Path) -> None:
    person = Person(tmp_path, "play", "--against", "random")
    for command in ("play", "resume"):
        if command == "resume":
            person = Person(tmp_path, "resume")
        person.expect(CHOICE)
        for _ in range(4):
            person.type("h")
        person.expect(ONLY)
        person.expect("win probability [0-9.]+%")
        (log, _) = logs(tmp_path)
        before = log.read_bytes()
        person.type("hint")
        person.expect(ONLY)
        assert log.read_bytes() == before, "a hint plays nothing"
        person.child.sendintr()
        assert person.exit_code() == 5


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_never_between_two_people_nor_in_the_replay_of_their_game_until_it_is_over(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, "--plain") as host, Running(there, "join", host.address, "--plain") as guest:
        host.wait_for("Play with")
        host.type("y")
        guest.wait_for("Play\\?")
        guest.type("y")
        for person in (host, guest):
            person.wait_for("starts|you start|Your choice")
        first, second = (host, guest) if "you start" in host.output else (guest, host)
        first.wait_for(CHOICE)
        first.type("h")
        first.wait_for(REFUSED)
        first.type("hint")
        assert GIVEN not in host.output + guest.output
        (log,) = logs(here)
        report = verify(log.read_bytes(), RULES)
        assert report.verdict == Verdict.INCOMPLETE
        assert hints_on(report, "shanghaien", Home(here)) is None
        assert hints_on(report, "shanghaien", Home(there)) is None
        assert replayed(here, log) == REFUSED
        first.type("resign")
        first.type("y")
        for person in (host, guest):
            person.wait_for("have both signed the result")
        assert replayed(here, log) == "has only one choice"
        assert second is not first


def replayed(home: Path, log: Path) -> str:
    """Return what a replay says that is asked for a hint at the game's first place."""
    replay = [*PROGRAM, "replay", "--plain", "--no-follow", str(log)]
    child = Spawned(replay, environment(home, TERM="xterm-256color"))
    child.expect("Step 1 of")
    child.send("h\r")
    child.expect([REFUSED, r"has\s+only\s+one\s+choice"])
    said = " ".join(str(child.after).split())
    child.close()
    return said
