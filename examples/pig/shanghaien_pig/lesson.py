"""The lesson of Pig: a short game to 20, in which a 1 comes for both players.

Its strings, joined, are the move text of a record; what each note says is in `words`.
"""

from typing import Final

from p2p_shanghaien.games.lesson import Lesson, Note

LESSON: Final = Lesson(
    settings={"goal": "20"},
    course=(
        Note("roll"),
        "5",
        Note("again", {"hold": "early"}),
        "4",
        Note("hold", {"roll": "greedy"}),
        "h 63h",
        Note("other"),
        " 6",
        Note("risk", {"hold": "careful"}),
        "1",
        Note("lost"),
        " 41",
        Note("last"),
        " 6",
        Note("more", {"hold": "no_win"}),
        "5",
        Note("win"),
        "h",
        Note("end"),
    ),
)
