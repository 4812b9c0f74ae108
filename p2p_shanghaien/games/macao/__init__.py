"""Shadows of Macao (Charles Chevallier, 2019): two bosses recruit informants as members and open establishments."""

from typing import Final

from p2p_shanghaien.games.api import GameSpec, Part, Setting

SPEC: Final = GameSpec(
    name="macao",
    settings=(Setting("deck", "reconstruction-1", names_data=True),),
    game=Part("p2p_shanghaien.games.macao.game:Macao"),
    table=Part("p2p_shanghaien.games.macao.display.table:TABLE"),
    board=Part("p2p_shanghaien.games.macao.display.full:BOARD_VIEW"),
    words=Part("p2p_shanghaien.games.macao.words:WORDS"),
    levels={
        "easy": Part("p2p_shanghaien.games.macao.players.easy:choose"),
        "greedy": Part("p2p_shanghaien.games.macao.players.greedy:choose"),
        "master": Part("p2p_shanghaien.games.macao.players.master:choose"),
    },
    opponent="easy",
    evaluator=Part("p2p_shanghaien.games.macao.players.evaluator:LookaheadEvaluator"),
    outlook=Part("p2p_shanghaien.games.macao.outlook:OUTLOOK"),
    chance=Part("p2p_shanghaien.games.macao.chance:CHANCE"),
    lesson=Part("p2p_shanghaien.games.macao.lesson:LESSON"),
)
