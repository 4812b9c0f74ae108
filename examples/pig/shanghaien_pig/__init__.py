"""Pig: roll a die as often as you dare; first to 100 wins."""

from typing import Final

from p2p_shanghaien.games.api import GameSpec, Part, Setting

SPEC: Final = GameSpec(
    name="pig",
    settings=(Setting("goal", "100"),),
    game=Part("shanghaien_pig.game:Pig"),
    table=Part("shanghaien_pig.table:TABLE"),
    board=Part("shanghaien_pig.board:BOARD"),
    words=Part("shanghaien_pig.words:WORDS"),
    levels={"optimal": Part("shanghaien_pig.players:optimal")},
    # luck decides most games: even a beginner wins nearly half of them
    opponent="optimal",
    evaluator=Part("shanghaien_pig.players:PigEvaluator"),
    chance=Part("shanghaien_pig.chance:CHANCE"),
    lesson=Part("shanghaien_pig.lesson:LESSON"),
)
