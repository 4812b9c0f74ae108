"""Looking through a record, with and without a terminal."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.record import Ended, Record, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.stepper import follow, step_through
from tests.pair import make_pair
from tests.sweeps import sweep
from tests.ui.desk import Desk
from tests.ui.ledger import RECORDS, load, moments


def shown(record: Record, keys: list[str] | None = None) -> list[list[str]]:
    """Return what is shown, cut at the prompts; without keys nobody sits there."""
    desk = Desk(keys or [], interactive=keys is not None)
    asyncio.run(step_through(record, desk.table))
    screens: list[list[str]] = [[]]
    for line in desk.shown():
        if line.startswith("Step "):
            screens.append([])
        else:
            screens[-1].append(line)
    assert len(desk.script.prompts) == len(screens) - 1
    return screens


def text(screens: list[list[str]]) -> str:
    return "\n".join(line for screen in screens for line in screen)


@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_without_a_terminal_the_whole_game_is_told(path: Path) -> None:
    (lines,) = shown(load(path))
    whole = "\n".join(lines)
    for moment in moments(path):
        event = moment.events[0]
        if event["event"] == "decision" and event["action"][0] == "-":
            assert f"{('Ada', 'Ben')[event['player']]} placed the {event['action'][1]} on " in whole
    assert whole.count("called Shanghai") == 8
    assert sum(line.startswith("taken by") for line in lines) == 8
    assert [line for line in lines if line.startswith("Scoring")]
    assert lines[-1].startswith("The game is over, ")


def test_forward_and_back() -> None:
    start, roll, back, roll_again, rest = shown(load(RECORDS[0]), ["", "b", "n", "q"])[:5]
    assert "Round 1: Ada starts. The tavern row, left to right: F3" in "\n".join(start)
    assert roll == ["Ada rolled 5 and 6."], "a step on is told, and the table is as told"
    assert back == start[1:]
    assert roll_again == roll
    assert rest == []


def test_questions_and_words_on_the_way() -> None:
    keys = ["n", "n", "last", "row", "table", "moves", "score", "crew ada", "crew me", "tabel", "help", "quit"]
    screens = shown(load(RECORDS[0]), keys)
    assert screens[3][-2:] == ["Ada rolled 5 and 6.", screens[2][0]]
    assert screens[3][0].startswith("Round 1: Ada starts.")
    assert screens[4][0] == "Number 5, F3 (French): Ada 1 die. Ada would take it."
    assert screens[5][0].startswith("Round 1 of 8; Ada started")
    assert screens[6] == ["Ben:", " 1. roll two of your 6 dice [roll]"]
    assert screens[7] == ["If the game ended now, the score would be 0 for Ada and 0 for Ben."]
    assert screens[8] == ["Ada has no sailors yet. Ada holds no tricks. Ada has 5 dice left."]
    assert screens[9] == ['"me" is neither Ada nor Ben.']
    assert screens[10] == ['Unknown input "tabel". Did you mean table?']
    assert screens[11][0].startswith("Enter or n goes")
    assert screens[12] == [], "and quit has left it"


def test_by_rounds() -> None:
    screens = shown(load(RECORDS[0]), ["r", "r", "p", "n", "p", "e", "s", "b", "e", "r", "q"])
    rounds = [next((line[6] for line in screen if " of 8; " in line), "") for screen in screens]
    assert rounds[:9] == ["1", "2", "3", "2", "", "2", "", "1", ""]
    assert screens[8] == ["There is nothing further in that direction."]
    assert screens[9] == screens[6]
    assert screens[10] == ["There is nothing further in that direction."]


def test_to_a_place() -> None:
    screens = shown(load(RECORDS[0]), ["3.2", "3", "9", "3.2.1", "q"])
    assert "Round 3 of 8" in "\n".join(screens[1])
    assert "placed" in screens[1][0]
    assert any(line.startswith("Round 3: ") for line in screens[2])
    assert screens[3] == ["There is no place 9 in this game. The nearest is 8."]
    assert "rolled" in screens[4][0]


def test_a_round_opens_under_the_outcome_of_the_last() -> None:
    _, second = shown(load(RECORDS[0]), ["r"])[:2]
    assert second[0].startswith("Round 1 ")
    assert second[3].startswith("taken by")
    assert second[4].startswith("Round 2: Ben starts.")
    assert len(second) + 2 <= 24


def test_the_end_shows_the_scoring() -> None:
    last = shown(load(RECORDS[0]), ["e"])[1]
    assert last[-1] == "The game is over, 15 to 29: Ben wins."
    assert any(line.startswith("Round 8 ") for line in last)
    assert not any("Round 8 of 8" in line for line in last)


def test_other_keys_are_explained() -> None:
    _, wrong, asked, _ = shown(load(RECORDS[0]), ["x\x1b[2J", "?", "q"])
    assert wrong[0] == 'Unknown input "x\\x1b[2J".'
    assert wrong[1:] == asked
    assert "Next round" in asked[0]


def part(moves: str) -> Record:
    return read(f'[Game "shanghaien"]\n[First "Ada"]\n[Second "Ben"]\n\n{moves}'.encode(), RULES)


@pytest.mark.parametrize(
    ("moves", "ended", "said"),
    [
        ("1. F3 I2 A4 C2 F3 S2 56-5< 36", None, "The record ends here; Ben is to play."),
        ("1. F3 I2 A4 C2 F3 S2 roll", None, "The record ends here; a draw would come next."),
        ("1. F3 I2 A4 C2 F3 S2 56-5<", Ended(1), "Ben resigned."),
        ("1. F3 I2 A4 C2 F3 S2", Ended(None), "The game was abandoned by consent."),
        ("", None, "The record ends here; a draw would come next."),
    ],
)
def test_a_game_that_did_not_reach_its_end(moves: str, ended: Ended | None, said: str) -> None:
    record = replace(part(moves), ended=ended)
    assert shown(record)[0][-1] == said
    assert said in text(shown(record, ["e", "q"]))


def test_one_game_after_the_other_is_told() -> None:
    """The second begins anew, however far the first had come."""
    logs = []
    for seed in (1, 2):
        pair = make_pair(random.Random(seed))
        pair.play(random.Random(seed))
        logs.append(pair.logs[0])
    reports = [verify(data, RULES) for data in logs]

    async def growth() -> AsyncIterator[Report]:
        yield reports[0]
        yield reports[1]

    desk = Desk([], interactive=False)
    assert asyncio.run(follow(verify(logs[0][: len(logs[0]) // 2], RULES), growth(), desk.table))
    told = " ".join(desk.shown())
    assert told.count("The game is over") == 2
    assert told.count("Round 1: ") == 2
