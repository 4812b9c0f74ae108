"""Practice at a table, without a terminal: what is told and asked, undo at any decision, and the records."""

import asyncio
import errno
from collections.abc import Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.participants.computer import Computer
from p2p_shanghaien.app.participants.human import LocalPerson
from p2p_shanghaien.app.practice_session import PracticeSession, RecordKeeper
from p2p_shanghaien.errors import LocalError, Quit, TakeBack
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Chosen, Game, Simultaneous, State, Step, Terminal, Transition
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.players.uniform import choose
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.store import files

NOON = datetime(2026, 11, 28, 12, 0, 0)


class Pupil:
    """A table at which `answers` are given to its decisions, first choices when there are no more.

    An answer is a number, counted from the first choice and as many as there are, or "undo" or "quit"; `ends` are those
    to the question for another game. It checks that what it is told fits together.
    """

    is_interactive = True

    def __init__(self, answers: Sequence[int | str] = (), ends: Sequence[bool | str] = ()) -> None:
        self._answers = iter(answers)
        self._ends = iter(ends)
        self.state: State | None = None
        self.me: int | None = None
        self.codes: list[str] = []
        self.kept: list[Path] = []
        self.asked: list[State] = []
        self.told: list[Transition] = []
        self.start: State | None = None

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        assert me is not None
        assert names[me] == "Ada"
        assert state is None
        self.me = me
        self.start = self.state = game.start()

    def drew(self, draw: Drew, ours: bool) -> None:
        raise AssertionError("no draw has a proof")

    def stepped(self, before: State, step: Step, after: State) -> None:
        assert before == self.state
        self.state = after
        self.told.append(Transition(before, step, after))

    def notify(self, code: str, /, **details: object) -> None:
        self.codes.append(code)
        if code == "practice_kept":
            assert isinstance(details["path"], Path)
            self.kept.append(details["path"])

    def thinks(self, name: str | None) -> None: ...

    def taken_back(self, earlier: Sequence[Transition], state: State) -> None:
        self.codes.append("taken_back")
        assert state == (earlier[-1].after if earlier else self.start)
        self.state = state

    async def decide(self, state: State, player: int) -> str:
        assert state == self.state
        assert player == self.me
        self.asked.append(state)
        answer = next(self._answers, 0)
        if answer == "undo":
            raise TakeBack
        if answer == "quit":
            raise Quit
        assert isinstance(answer, int)
        legal = state.legal(player)
        return legal[answer % len(legal)]

    async def confirm(self, code: str, /, **details: object) -> bool:
        assert code == "practice_again"
        answer = next(self._ends, False)
        if answer == "undo":
            raise TakeBack
        if answer == "quit":
            raise Quit
        return bool(answer)

    async def rematch(self) -> bool:
        raise AssertionError("no opponent is asked")

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        raise AssertionError("there is no tutor")

    async def ask(self, code: str, /, completions: Sequence[str] = (), **details: object) -> str:
        raise AssertionError("nobody asks")

    async def command(self) -> Command:
        raise AssertionError("there are no commands")

    async def run_session(self, session: Coroutine[Any, Any, int]) -> int:
        return await session


def session(
    table: Pupil, folder: Path, seeds: Sequence[str] = ("a", "b", "c"), rng: Random | None = None
) -> PracticeSession:
    keeper = RecordKeeper(folder, ("Ada", "Computer"), lambda: NOON)
    opponent = Computer(choose, rng or Random(5), "Computer", table.thinks)
    return PracticeSession(table, LocalPerson(table), opponent, keeper, iter(seeds).__next__)


def practised(table: Pupil, folder: Path, game: str = "shanghaien", **more: Any) -> int:
    return asyncio.run(session(table, folder, **more).play(RULES[game].from_settings({})))


def read(path: Path) -> Record:
    return record.read(path.read_bytes(), RULES)


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
def test_a_whole_game_is_on_record(tmp_path: Path, game: str) -> None:
    table = Pupil()
    assert practised(table, tmp_path / "practice", game) == 0
    assert table.state is not None
    assert isinstance(table.state.node, Terminal)
    (path,) = table.kept
    assert path == tmp_path / "practice" / f"{game}-2026-11-28-120000.shrec"
    found = read(path)
    assert found.is_practice
    assert found.last() == table.state
    assert sorted(found.names) == ["Ada", "Computer"]
    assert "you_left" not in table.codes


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
@given(data=st.data(), seed=st.integers(0, 999).map(str))
def test_undo_leads_to_the_same_game_again(
    tmp_path_factory: pytest.TempPathFactory, game: str, data: st.DataObject, seed: str
) -> None:
    """Whatever is taken back and then done again as before, the record is that of the game without it."""
    folder = tmp_path_factory.mktemp("practice")
    answers = data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=12))
    straight = Pupil([*answers, "quit"])
    practised(straight, folder, game, seeds=[seed])
    at = data.draw(st.integers(1, len(answers)))
    back = Pupil([*answers[:at], "undo", "quit"])
    practised(back, folder, game, seeds=[seed])
    if "undo_nothing" in back.codes:
        return
    earlier = back.asked[-1]
    # the decision that was taken back is the last one with an alternative
    undone = max(index for index, state in enumerate(back.asked[:-1]) if state == earlier)
    assert len(earlier.legal(back.me or 0)) > 1
    assert all(len(state.legal(back.me or 0)) == 1 for state in back.asked[undone + 1 : -2])
    again = Pupil([*answers[:at], "undo", *answers[undone:], "quit"])
    practised(again, folder, game, seeds=[seed])
    assert again.asked[-1] == straight.asked[-1]
    if straight.kept:
        assert read(again.kept[-1]).steps == read(straight.kept[-1]).steps


def test_nothing_to_take_back(tmp_path: Path) -> None:
    table = Pupil(["undo", "undo", "quit"])
    practised(table, tmp_path / "practice")
    assert table.codes.count("undo_nothing") == 2
    assert len(set(table.asked)) == 1
    # nothing was decided, so there is no record, and not even a folder for it
    assert table.kept == []
    assert not (tmp_path / "practice").exists()


def test_the_end_can_be_taken_back(tmp_path: Path) -> None:
    table = Pupil(ends=["undo", "undo"])
    assert practised(table, tmp_path) == 0
    assert table.codes.count("taken_back") == 2
    assert isinstance(read(table.kept[-1]).last().node, Terminal)
    # it is one game, with one record
    assert len(set(table.kept)) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_each_game_has_a_record_of_its_own(tmp_path: Path) -> None:
    table = Pupil(ends=[True, True, False])
    assert practised(table, tmp_path) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "shanghaien-2026-11-28-120000-2.shrec",
        "shanghaien-2026-11-28-120000-3.shrec",
        "shanghaien-2026-11-28-120000.shrec",
    ]
    assert len({read(path).steps for path in tmp_path.iterdir()}) == 3


@pytest.mark.parametrize("at", [1, 2, 3, 10, 30])
def test_leaving_keeps_the_game_so_far(tmp_path: Path, at: int) -> None:
    table = Pupil([*range(at), "quit"])
    assert practised(table, tmp_path) == 0
    assert "you_left" in table.codes
    for path in table.kept:
        assert read(path).last() == table.state
        assert not isinstance(read(path).last().node, Terminal)
    assert bool(table.kept) == any(len(state.legal(table.me or 0)) > 1 for state in table.asked[:-1])


def test_leaving_at_the_question_for_another_game(tmp_path: Path) -> None:
    table = Pupil(ends=["quit"])
    assert practised(table, tmp_path) == 0
    assert len(table.kept) == 1


def test_a_request_to_end_keeps_the_game(tmp_path: Path) -> None:
    async def run() -> Pupil:
        table = Pupil([1, 1, 1])
        waits = asyncio.Event()

        async def decide(state: State, player: int) -> str:
            if len(table.asked) == 6:
                waits.set()
                await asyncio.Event().wait()
            return await Pupil.decide(table, state, player)

        table.decide = decide  # type: ignore[method-assign]
        playing = asyncio.create_task(session(table, tmp_path).play(RULES["shanghaien"].from_settings({})))
        await waits.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        return table

    table = asyncio.run(run())
    (path,) = table.kept
    assert read(path).last() == table.state


class Curious(Pupil):
    """Makes each secret choice in three ways: whatever comes after one is taken back."""

    async def decide(self, state: State, player: int) -> str:
        tried = sum(before == state for before, *_ in self.told)
        if isinstance(state.node, Simultaneous) and tried < 3:
            return state.legal(player)[tried]
        if self.told and any(isinstance(step, Chosen) for _, step, _ in self.told):
            if tried == 3:
                raise Quit
            raise TakeBack
        return state.legal(player)[0]


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_opponent_stands_by_its_secret_choice(tmp_path: Path, seed: str) -> None:
    """Taken back and made anew, our choice meets the same card, although the opponent would choose another by now."""
    table = Curious()
    practised(table, tmp_path, "halunken", rng=Random(), seeds=[seed])
    choices = [step.actions for _, step, _ in table.told if isinstance(step, Chosen)]
    assert table.me is not None
    assert len({actions[table.me] for actions in choices}) == 3
    assert len({actions[1 - table.me] for actions in choices}) == 1


def test_a_full_disk_costs_nobody_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "write_new", full)
    table = Pupil(ends=[True, False])
    assert practised(table, tmp_path) == 0
    assert table.codes.count("practice_not_kept") >= 2
    assert table.kept == []


def test_the_opponents_error_ends_it_with_a_record(tmp_path: Path) -> None:
    def broken(state: State, player: int, rng: Random) -> str:
        raise RuntimeError("no idea")

    table = Pupil([0, 1, 2, 3])
    keeper = RecordKeeper(tmp_path, ("Ada", "Computer"), lambda: NOON)
    opponent = Computer(broken, Random(1), "Computer", table.thinks)
    playing = PracticeSession(table, LocalPerson(table), opponent, keeper, iter(["starts"] * 9).__next__)
    with pytest.raises(LocalError):
        asyncio.run(playing.play(RULES["shanghaien"].from_settings({})))
    assert len(table.kept) <= 1
