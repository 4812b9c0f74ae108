"""Shanghaien (Michael Schacht and Roman Pelek, 2008): two captains roll dice for the sailors of a tavern."""

from typing import Final

from p2p_shanghaien.games.api import GameSpec, Part, Setting

SPEC: Final = GameSpec(
    name="shanghaien",
    settings=(Setting("variant", "standard"), Setting("tricks", "p3 b3 r2")),
    game=Part("p2p_shanghaien.games.shanghaien.game:Shanghaien"),
    table=Part("p2p_shanghaien.ui.tables.shanghaien.table:TABLE"),
    board=Part("p2p_shanghaien.ui.tables.shanghaien.full:SPREAD"),
    words=Part("p2p_shanghaien.ui.tables.shanghaien.words:WORDS"),
    levels={
        "easy": Part("p2p_shanghaien.players.shanghaien.easy:choose"),
        "greedy": Part("p2p_shanghaien.players.shanghaien.greedy:choose"),
        "master": Part("p2p_shanghaien.players.shanghaien.master:choose"),
    },
    # a beginner wants neither a coin nor a master
    opponent="easy",
    evaluator=Part("p2p_shanghaien.players.shanghaien.valuation:RoundByRound"),
    chance=Part("p2p_shanghaien.games.shanghaien.chance:CHANCE"),
)
