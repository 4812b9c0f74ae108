"""The two examples that every edition of the rulebook works through."""

from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import events, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.games.shanghaien.scoring import contests, scores

# Anna 2, 2, 3, 6, 6; Bernd 3, 4, 5, 6, 6
ROUND = b"""
[Game "shanghaien"]
1. S1 F2 G3 C4 D1 T2 22-2< 33-3 22-2 44-4 33-3 55-5 66-6 66-6 66-6 66-6 #
"""
TAKEN_BY = [None, 0, None, 1, 1, 1]

CREWS = (
    ("S3", "Sp", "Sr", "F1", "F4", "A1", "A2", "A3", "C1"),
    ("F2", "F3", "A3", "A4", "C3", "C3", "C4"),
)
TRICKS = ("", "b")


def test_round() -> None:
    record = read(ROUND, RULES)
    (distribution,) = (event for event in events(record) if event["event"] == "distribution")
    assert distribution["taken_by"] == TAKEN_BY
    assert distribution["row"] == ["S1", "F2", "G3", "C4", "D1", "T2"]
    last = record.last()
    assert isinstance(last, State)
    assert last.crews == (("F2",), ("C4", "D1", "T2"))


def test_round_shows_what_decided() -> None:
    decided = contests(((0, 2, 1, 0, 0, 2), (0, 0, 1, 1, 1, 2)))
    assert [contest.taker for contest in decided] == TAKEN_BY
    assert [contest.dice for contest in decided] == [(0, 0), (2, 0), (1, 1), (0, 1), (0, 1), (2, 2)]
    assert [contest.neighbours for contest in decided] == [None, None, (4, 4), None, None, (0, 5)]


def test_scoring() -> None:
    assert scores(CREWS, TRICKS) == (7, 8)
    over = Shanghaien().start()._replace(phase=Phase.OVER, crews=CREWS, tricks=TRICKS)
    assert over.node == Terminal((7, 8), winner=1)
