"""Known answers: what is open in positions of every kind (data/legal.json)."""

import json
from pathlib import Path
from typing import Any

from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from tests.sweeps import together

DATA = json.loads((Path(__file__).parent / "data" / "legal.json").read_text("utf-8"))


@together("position", DATA["positions"], ids=lambda position: position["id"])
def test_position(position: dict[str, Any]) -> None:
    tags = {"Game": "shanghaien"} | {name.capitalize(): value for name, value in position.get("options", {}).items()}
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    text = f"{header}{DATA['setups'][position['after']]} {position['moves']}"
    state = read(text.encode(), RULES).last()
    match state.node:
        case Turn(player):
            assert player == position["to_act"]
            legal = state.legal(player)
            assert sorted(legal) == sorted(position["legal"])
            assert len(set(legal)) == len(legal)
            assert state.legal(1 - player) == ()
        case Chance(bounds):
            assert position["to_act"] is None
            assert [*bounds] == position["bounds"]
            assert state.legal(0) == state.legal(1) == ()
        case _:
            assert position["to_act"] is None
            assert isinstance(state.node, Terminal)
            assert state.legal(0) == state.legal(1) == ()
    if not isinstance(state.node, Turn):
        assert "legal" not in position


def test_every_position_has_an_id_of_its_own() -> None:
    ids = [position["id"] for position in DATA["positions"]]
    assert len(ids) == len(set(ids)) > 60
    assert {position["after"] for position in DATA["positions"]} == {*DATA["setups"]}
