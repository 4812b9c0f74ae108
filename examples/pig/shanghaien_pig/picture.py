"""Pig as a picture: for each player a track to the goal, and between them the die."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, box, dice_symbols, join, label, use
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say
from shanghaien_pig.rules import State

WIDTH: Final = 720
HEIGHT: Final = 340
STRIP: Final = 92
"""The height of a player's strip."""
TRACK: Final = WIDTH - 32
"""The length of the whole way to the goal."""
DIE: Final = 72


def picture(state: State, viewpoint: Viewpoint, *, ended: bool) -> Picture:
    """Return the table as it lies; nobody is to act where the game has `ended`."""
    parts = (
        _heading(state),
        _strip(state, viewpoint.far, 42, viewpoint, ended=ended),
        _die(state),
        _strip(state, viewpoint.near, HEIGHT - STRIP - 2, viewpoint, ended=ended),
    )
    return Picture(dice_symbols(("light",)), (Panel("pig:panel_table", WIDTH, HEIGHT, parts),))


def _heading(state: State) -> Part:
    goal = say("pig:first_to", goal=state.goal)
    return Part(label(4, 26, goal, 21, WIDTH - 8, class_="strong"), f"{goal}.")


def _strip(state: State, player: int, top: float, viewpoint: Viewpoint, *, ended: bool) -> Part:
    """Draw a player's name and score, and the track: banked points solid, those of this turn lighter behind them."""
    node = state.node
    wins = isinstance(node, Terminal) and node.winner == player
    acts = not ended and node == Turn(player)
    score = state.scores[player]
    total = state.total if player == state.player else 0
    shown = say("pig:score_of", score=f"{score} + {total}" if total else score, goal=state.goal)
    drawn = [
        box(1.5, top, WIDTH - 3, STRIP, 12, class_="acting" if acts else "side"),
        label(16, top + 36, viewpoint.who(player), 22, 260, class_="strong"),
        label(WIDTH - 16, top + 36, shown, 22, 240, class_="strong end"),
        box(16, top + 54, TRACK, 20, 10, class_="rule"),
        *_bar(score + total, state.goal, top, opacity="0.4"),
        *_bar(score, state.goal, top),
    ]
    if acts or wins:
        drawn.append(box(300, top + 14, 104, 28, 14, class_="pill"))
        drawn.append(
            label(352, top + 34, say("pig:to_move" if acts else "pig:wins"), 16, 92, class_="on-pill middle strong")
        )
    told = [say("pig:points_of", who=viewpoint.who(player), count=score, goal=state.goal)]
    if total:
        told.append(say("pig:points_at_risk", total=total))
    if acts:
        told.append(str(viewpoint.news("pig:has_turn", player)))
    return Part(join(drawn), f"{say('between_parts').join(told)}.")


def _bar(points: int, goal: int, top: float, **look: object) -> Iterator[Markup]:
    if points:
        yield box(16, top + 54, TRACK * min(points / goal, 1), 20, 10, class_="pill", **look)


def _die(state: State) -> Part:
    """Draw the die as it lies, or an empty one that has not been rolled."""
    die = use(f"light{state.die}", (WIDTH - DIE) / 2, (42 + HEIGHT - DIE) / 2, DIE)
    return Part(die, say("pig:die_shows", die=state.die) if state.die else "")
