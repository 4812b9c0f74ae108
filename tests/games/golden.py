"""The golden playthroughs: one game of each kind, position by position, kept in data/.

`python -m tests.games.golden` writes them anew; the differences are then what changed in the rules or the encoding.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from p2p_shanghaien.games.api import Game, State, Step
from p2p_shanghaien.games.record import Record, write
from p2p_shanghaien.games.registry import RULES
from tests.games.playing import play
from tests.toy import Toy

DATA = Path(__file__).parent / "data"
SEED = 4225
"""With it, the game of Shanghaien plays every kind of trick, for its effect and as a joker."""
PREFER = {"shanghaien": "!", "halunken": "pass", "macao": "recruit"}
SETTINGS = {
    "shanghaien": {"variant": "extra-wild"},
    "halunken": {"theft": "may"},
    "toy": {"opening": "draw", "rounds": "4"},
}


def path_of(kind: type[Game[Any]]) -> Path:
    """Return where a game's playthrough is kept."""
    return DATA / f"playthrough-{kind.NAME}.jsonl"


def playthrough(kind: type[Game[Any]]) -> str:
    """Return a game's playthrough: a line for each position, and the record."""
    game = kind.from_settings(SETTINGS.get(kind.NAME, {}))
    state = game.start()
    lines = [_line(state)]
    steps: list[Step] = []
    happened: list[dict[str, Any]] = []
    for before, step, after in play(game, Random(SEED), PREFER.get(kind.NAME, "")):
        steps.append(step)
        lines.append({"step": step, "events": (new := [*game.events(before, step, after, happened)]), **_line(after)})
        happened += new
    lines.append({"record": write(Record(game, ("Ada", "Ben"), tuple(steps))).splitlines()})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _line(state: State) -> dict[str, Any]:
    node = state.node
    return {
        "node": [type(node).__name__, *node],
        "legal": [state.legal(0), state.legal(1)],
        "state": state.encode(),
    }


if __name__ == "__main__":
    kinds: list[type[Game[Any]]] = [*RULES.values(), Toy]
    for each in kinds:
        path_of(each).write_text(playthrough(each), "utf-8")
