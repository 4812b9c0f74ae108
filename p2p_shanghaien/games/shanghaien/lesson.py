"""The lesson of Shanghaien: rounds 1, 2 and 8 of a game in which every rule comes up."""

from typing import Final

from p2p_shanghaien.games.lesson import Lesson, Note, Skip

LESSON: Final = Lesson(
    course=(
        "1. A4 Xp F3 G2 Xr F1",
        Note("aim"),
        Note("cards"),
        Note("roll"),
        " 25",
        Note("place", {"-2": "low_die", "-5<": "left_end"}),
        "-5> 35-5",
        Note("tie"),
        " 14",
        Note("neighbour", {"-1": "no_neighbour"}),
        "-4 12-2",
        Note("shanghai", {"roll": "roll_on"}),
        " #",
        Note("taken"),
        "\n2. I1 S4 T2 D3 G3 Xb 11!r36-6<",
        Note("again"),
        " 35",
        Note("turn_die", {"-": "no_trick", "!p=": "joker_early", "!p": "other_turn"}),
        "!p+5",
        Note("end_card", {"-3": "no_fight"}),
        "-6 12-2",
        Note("alone"),
        " 15",
        Note("break_tie", {"-1": "leaves_tie"}),
        "-5 34-4",
        Note("roll_on", {"#": "too_early"}),
        " 12",
        Note("deny", {"-1": "gives_card"}),
        "-2 #",
        Note("called"),
        Skip(
            """
            3. I2 C3 S3 D4 G1 A2 12-1> 45-4 25-5 34-3 #
            4. A3 D3 T4 Xp C2 I4 46-6< 56-6 14-4 34-4 15-5 44-4 #
            5. Xr F4 C3 F2 S3 A3 12-2< 15-1 25-2 44-4 33-3 #
            6. F3 I3 T3 C1 C4 S2 12-2< 45-5 26-6 33-3 #
            7. Xb A1 G3 T3 D1 D2 14-1< 46-4 44-4 15-1 #
            8. I3 S1 Xp G4 T1 Xb"""
        ),
        Note("last_round"),
        Note("scoring"),
        Note("unrivalled"),
        " 14",
        Note("both", {"-": "one_only", "!b>": "other_end", "!b=": "joker_both", "!p": "keep_point"}),
        "!b< 46!r=D-4",
        Note("joker", {"#": "german_lost"}),
        " 25",
        Note("beside", {"-2": "not_beside"}),
        "-5 13-1",
        Note("two_ties", {"#": "ties_remain"}),
        " 26",
        Note("one_side", {"-6": "trick_first"}),
        "-2 56-5",
        Note("equal_sums", {"#": "german_lost"}),
        " 36",
        Note("german", {"-6": "trick_first"}),
        "-3 36-6",
        Note("only_shanghai"),
        " #",
        Note("result"),
        Note("points"),
    ),
)
