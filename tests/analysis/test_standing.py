"""Sums over games as one of the players sees them."""

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from p2p_shanghaien.analysis.annotate import Analysis, FixedValue, Tally
from p2p_shanghaien.analysis.standing import PlayedGame, Standing
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.record import Ended, Record
from tests.ui.ledger import RECORDS, load


def analysis(decisions: int, lost: int, rolls: int) -> Analysis:
    """Player 0 decides so often, which costs so much; the rolls are player 1's luck."""
    mine = Tally(decisions, FixedValue(lost, 10), FixedValue(), Counter())
    other = Tally(2 * decisions, FixedValue(3 * lost, 20), FixedValue(rolls, 5), Counter())
    return Analysis((), FixedValue(), (mine, other), FixedValue(7, 1), FixedValue(), FixedValue())


def standing(games: Iterable[PlayedGame]) -> Standing:
    return reduce(Standing.plus, games, Standing())


PLAYED = load(RECORDS[0])
OVER = PLAYED.last().node
SHORT = Record(PLAYED.game, PLAYED.names, PLAYED.steps[:20])


def test_a_game_played_out_counts_for_both() -> None:
    assert isinstance(OVER, Terminal)
    lead = OVER.scores[0] - OVER.scores[1]
    assert lead != 0
    sides = [standing([PlayedGame(PLAYED, player, analysis(5, 100, 40))]) for player in (0, 1)]
    assert [side.margin for side in sides] == [lead, -lead]
    assert [(side.won, side.lost) for side in sides] == [(int(lead > 0), int(lead < 0)), (int(lead < 0), int(lead > 0))]
    assert sides[0].luck == FixedValue(7 - 40, 1 - 5)
    assert sides[1].luck == FixedValue(40 - 7, 5 - 1)
    assert (sides[0].decisions, sides[1].decisions) == ((5, 10), (10, 5))
    assert sides[1].costs == (FixedValue(300, 20), FixedValue(100, 10))


def test_a_resignation_decides_without_points() -> None:
    resigned = Record(SHORT.game, SHORT.names, SHORT.steps, Ended(1))
    total = standing([PlayedGame(resigned, 0, analysis(1, 1, 1)), PlayedGame(resigned, 1, analysis(1, 1, 1))])
    assert (total.won, total.drawn, total.lost) == (1, 0, 1)
    assert (total.games, total.played_out, total.margin) == (2, 0, 0)


def test_what_has_no_result_counts_for_nothing_else() -> None:
    abandoned = Record(SHORT.game, SHORT.names, SHORT.steps, Ended(None))
    total = standing(PlayedGame(record, 0, analysis(5, 100, 40)) for record in (SHORT, abandoned))
    assert total == Standing(without_result=2)


def test_sums_do_not_depend_on_how_games_are_divided() -> None:
    games = [PlayedGame(load(path), number % 2, analysis(number, 10, 3)) for number, path in enumerate(RECORDS)]
    whole, halves = standing(games), [standing(games[::2]), standing(games[1::2])]
    assert whole.games == len(RECORDS)
    for field in ("won", "drawn", "lost", "played_out", "margin"):
        assert getattr(whole, field) == sum(getattr(half, field) for half in halves)
    assert whole.luck == halves[0].luck.plus(halves[1].luck)
    assert whole.drawn > 0, "one of the known games is a draw"


def test_without_an_analysis_results_count() -> None:
    with_it, without = (standing([PlayedGame(PLAYED, 0, each)]) for each in (analysis(5, 100, 40), None))
    assert without == with_it._replace(luck=FixedValue(), decisions=(0, 0), costs=(FixedValue(), FixedValue()))
    assert without.games == without.played_out == 1
