"""The rules in JavaScript say the same as the package's of every position of a game, and of any action in it."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from p2p_shanghaien.games.api import (
    Acted,
    Chance,
    Chosen,
    Drawn,
    Game,
    Node,
    Simultaneous,
    State,
    Step,
    Terminal,
    Turn,
    advance,
    deciders,
)
from protocol.making.decks import DATA
from tests.games.playing import random_step
from tests.sweeps import sweep
from tests.verifier.made import any_game
from tests.verifier.node import answers, in_hexadecimal

PREFERRED = ("", "take", "recruit", "open", "bid", "pass", "!", "#", "roll", "-")


class Followed(NamedTuple):
    """A game: its positions, the steps between them, and for each position actions to ask about, with their players."""

    game: Game[Any]
    positions: list[State]
    steps: list[Step]
    asked: list[list[tuple[int, str]]]

    def request(self) -> dict[str, Any]:
        return {
            "game": self.game.NAME,
            "settings": self.game.settings,
            "data": in_hexadecimal(DATA),
            "steps": [_plain(step) for step in self.steps],
            "asked": self.asked,
        }


def _plain(step: Step) -> dict[str, Any]:
    match step:
        case Acted(player, action):
            return {"player": player, "action": action}
        case Chosen(actions):
            return {"actions": actions}
        case Drawn(indices):
            return {"indices": indices}


@sweep("seed", range(30), every=30)
def test_positions_and_legal_actions(seed: int) -> None:
    rng = Random(f"rules {seed}")
    games = [followed(any_game(rng), rng) for _ in range(12)]
    for each, answer in zip(games, answers(game.request() for game in games), strict=True):
        for state, asked, found in zip(each.positions, each.asked, answer["positions"], strict=True):
            label = f"{each.game.settings}: {state}"
            assert (found["value"], found["asks"]) == (_lists(state.encode()), asks(state.node)), label
            wrong = [
                (player, action)
                for (player, action), legal in zip(asked, found["legal"], strict=True)
                if legal is not (action in state.legal(player))
            ]
            assert not wrong, label
        end = each.positions[-1].node
        assert isinstance(end, Terminal)
        assert answer["result"] == [list(end.scores), end.winner]


def asks(node: Node) -> dict[str, Any]:
    """Return what a position asks for, as a game in JavaScript says it."""
    match node:
        case Turn(player):
            return {"kind": "turn", "player": player}
        case Simultaneous():
            return {"kind": "choice"}
        case Chance(bounds):
            return {"kind": "draw", "bounds": list(bounds)}
        case Terminal():
            return {"kind": "over"}


def followed(game: Game[Any], rng: Random) -> Followed:
    """Return a random game with actions to ask about: legal ones, others of the same game, and misspelt ones."""
    prefer, state, said = rng.choice(PREFERRED), game.start(), [""]
    positions, steps, asked = [state], list[Step](), list[list[tuple[int, str]]]()
    while True:
        asked.append(
            [(player, action) for player in deciders(state.node) for action in _some(state, player, said, rng)]
        )
        if isinstance(state.node, Terminal):
            return Followed(game, positions, steps, asked)
        steps.append(random_step(state, rng, prefer))
        state = advance(state, steps[-1])
        positions.append(state)


def _some(state: State, player: int, said: list[str], rng: Random) -> Iterator[str]:
    legal = state.legal(player)
    yield from rng.sample(said, min(len(said), 10))
    for action in rng.sample(legal, min(len(legal), 8)):
        said.append(action)
        yield action
        yield _misspelt(action, rng)
        if "=" in action:
            yield _otherwise_paid(action, rng)


def _misspelt(action: str, rng: Random) -> str:
    at = rng.randrange(len(action) + 1)
    added = rng.choice(("", *"=+:<>!#-/01rabdwg \n"))
    return f"{action[:at]}{added}{action[at + rng.randrange(2) :]}"


def _otherwise_paid(action: str, rng: Random) -> str:
    """Return an action of Shadows of Macao with another payment."""
    begin, _, payment = action.partition("=")
    cards = payment.split("+")
    match rng.randrange(4):
        case 0:
            return begin
        case 1:
            cards.pop(rng.randrange(len(cards)))
        case 2:
            cards.append(rng.choice(cards))
        case _:
            cards = rng.sample([*cards, "widow"], len(cards))
    return f"{begin}={'+'.join(cards)}"


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
