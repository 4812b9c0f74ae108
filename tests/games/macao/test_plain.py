"""The plain table plays the shared games as they are written down: what it is compared with is right."""

from pathlib import Path

import pytest

from tests.games.macao.plain import KINDS, RECONSTRUCTION, Table
from tests.games.macao.reading import GAMES, TEXTS, follow, lines_of, state_hash, tags_of
from tests.sweeps import together

SAMPLE = Path(__file__).parents[3] / "examples" / "macao.shrec"


def test_every_record_is_here() -> None:
    assert len(GAMES) == 12
    assert len(TEXTS) == 6


@together("path", GAMES, ids=lambda path: path.stem)
def test_states(path: Path) -> None:
    """Every position of a shared game, how much is open in it, and the result."""
    table = Table()
    for line in lines_of(path):
        match line:
            case {"format": form, "rules": rules, "deck": deck}:
                assert (form, rules, deck) == ("macao-record-1", 1, RECONSTRUCTION["name"])
            case {"bounds": bounds, "draw": indices, "state": state}:
                assert table.waits == f"draw {' '.join(map(str, bounds))}"
                table.draw(indices)
                assert state_hash(table.encoded()) == state
            case {"player": player, "action": action, "legal": number, "state": state}:
                assert table.waits == f"turn {player}"
                assert len(table.legal(player)) == number
                table.act(action)
                assert state_hash(table.encoded()) == state
            case {"scores": scores, "winner": winner, "rounds": rounds}:
                assert table.waits == "over"
                assert (table.scores(), table.winner(), table.round) == (scores, winner, rounds)
            case _:
                pytest.fail(str(line))


@together("path", TEXTS, ids=lambda path: path.stem)
def test_decisions(path: Path) -> None:
    """The deciders, the legal actions and the result, as the file beside the record has them."""
    text = path.read_text("utf-8")
    *decisions, result = lines_of(path.with_suffix(".decisions.jsonl"))
    asked = []
    for table in follow(text):
        asked += [(player, sorted(table.legal(player))) for player in (0, 1) if table.legal(player)]
    assert asked == [(event["player"], event["legal"]) for event in decisions]
    assert table.waits == "over"
    assert (table.scores(), table.winner()) == (result["scores"], result["winner"])
    assert tags_of(text)["Result"] == "-".join(map(str, table.scores()))


def test_the_sample_game() -> None:
    """It comes to its end, and ends as it says."""
    text = SAMPLE.read_text("utf-8")
    *_, table = follow(text)
    assert table.waits == "over"
    assert tags_of(text)["Result"] == "-".join(map(str, table.scores()))
    assert {f"{kind} recruited" for kind in KINDS if kind != "widow"} <= {*+table.rules}
