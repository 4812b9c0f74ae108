"""Halunken & Spelunken (Alex Randolph, 1997): two captains walk round a harbour and sign on rogues."""

from typing import Final

from p2p_shanghaien.games.api import GameSpec, Part, Setting

SPEC: Final = GameSpec(
    name="halunken",
    settings=(
        Setting("blackjack", "on", ("on", "off")),
        Setting("hands", "1", ("1", "3")),
        Setting("theft", "takes", ("takes", "may")),
    ),
    game=Part("p2p_shanghaien.games.halunken.game:Halunken"),
    table=Part("p2p_shanghaien.games.halunken.display.table:TABLE"),
    board=Part("p2p_shanghaien.games.halunken.display.full:BOARD_VIEW"),
    words=Part("p2p_shanghaien.games.halunken.words:WORDS"),
    levels={
        "easy": Part("p2p_shanghaien.games.halunken.players.easy:choose"),
        "greedy": Part("p2p_shanghaien.games.halunken.players.greedy:choose"),
        "master": Part("p2p_shanghaien.games.halunken.players.master:choose"),
    },
    # a beginner wants neither a coin nor a master
    opponent="easy",
    evaluator=Part("p2p_shanghaien.games.halunken.players.evaluator:RoundEvaluator"),
    outlook=Part("p2p_shanghaien.games.halunken.outlook:OUTLOOK"),
    chance=Part("p2p_shanghaien.games.halunken.chance:CHANCE"),
    lesson=Part("p2p_shanghaien.games.halunken.lesson:LESSON"),
)
