"""The outlook: what comes of a round and the next one."""

from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.outlook import OUTLOOK
from p2p_shanghaien.games.macao.rules import Side
from p2p_shanghaien.games.outlook import Prospect


def test_it_is_over_after_the_next_round() -> None:
    since = Macao().start()._replace(round=3)
    assert [number for number in range(3, 8) if OUTLOOK.is_over(since, since._replace(round=number))] == [5, 6, 7]


def test_it_names_what_is_new() -> None:
    before, after = Side(red=("killer-a",)), Side(dead=1, red=("killer-a", "killer-a", "sailor-j"), opened=("casino",))
    since = Macao().start()._replace(sides=(before, Side()))
    end = since._replace(sides=(after, Side(dead=1)))
    new = {Prospect("recruited_own", card) for card in ("killer-a", "sailor-j")} | {Prospect("opened_own", "casino")}
    widows = {Prospect("widow_own"), Prospect("widow_other")}
    assert set(OUTLOOK.outcome(since, end, end, 0)) == new | widows
    others = {prospect._replace(code=prospect.code.replace("own", "other")) for prospect in new}
    assert set(OUTLOOK.outcome(since, end, end, 1)) == others | widows
