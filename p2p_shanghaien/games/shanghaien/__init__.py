"""Shanghaien (Michael Schacht and Roman Pelek, 2008): two captains roll dice for the sailors of a tavern."""

from typing import Final

from p2p_shanghaien.games.api import GameSpec, Part, Setting

SPEC: Final = GameSpec(
    name="shanghaien",
    settings=(Setting("variant", "standard", ("standard", "extra-wild")), Setting("tricks", "p3 b3 r2")),
    game=Part("p2p_shanghaien.games.shanghaien.game:Shanghaien"),
    table=Part("p2p_shanghaien.games.shanghaien.display.table:TABLE"),
    board=Part("p2p_shanghaien.games.shanghaien.display.full:BOARD_VIEW"),
    words=Part("p2p_shanghaien.games.shanghaien.words:WORDS"),
    levels={
        "easy": Part("p2p_shanghaien.games.shanghaien.players.easy:choose"),
        "greedy": Part("p2p_shanghaien.games.shanghaien.players.greedy:choose"),
        "master": Part("p2p_shanghaien.games.shanghaien.players.master:choose"),
    },
    # a beginner wants neither a coin nor a master
    opponent="easy",
    evaluator=Part("p2p_shanghaien.games.shanghaien.players.evaluator:RoundEvaluator"),
    outlook=Part("p2p_shanghaien.games.shanghaien.outlook:OUTLOOK"),
    chance=Part("p2p_shanghaien.games.shanghaien.chance:CHANCE"),
    lesson=Part("p2p_shanghaien.games.shanghaien.lesson:LESSON"),
)
