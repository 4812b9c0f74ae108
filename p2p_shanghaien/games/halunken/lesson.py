"""The lesson of Halunken & Spelunken: the setup and three rounds in which every rule comes up."""

from typing import Final

from p2p_shanghaien.games.lesson import Lesson, Note

LESSON: Final = Lesson(
    course=(
        "hand:1",
        Note("aim"),
        Note("rogues"),
        Note("place", {"at": "any_space"}),
        " at:3 3:y9 at:14 14:g9 1:r8 2:v6 3:y4 4:v9 5:g10 6:r5 7:g4 8:v3 9:y11 10:r10 11:g8 12:v5 13:y2 14:g11 at:1",
        Note("first"),
        Note("jack"),
        "\n1.",
        Note("auction", {"bid": "only_rogue"}),
        " pass pass",
        Note("choice", {"": "secret"}),
        " 5/5 3:r6 14:v8 J:3",
        Note("lose", {"lose:y9": "higher_lost"}),
        " lose:y4 \n2.",
        Note("bid", {"pass": "cheap"}),
        " bid:y9 bid:g11",
        Note("outbid"),
        " pass",
        Note("hired", {"": "not_on_jack"}),
        " 1/4+2 4:y10",
        Note("boat", {"take:y4": "lower_taken", "leave": "nothing_taken"}),
        " take:g11 4:r4 take:g11",
        Note("robbed"),
        Note("too_many"),
        "\n3. pass",
        Note("hire", {"pass": "unhired", "bid:y9": "yellow_paid"}),
        " bid:v9",
        Note("rum", {"": "no_rum", "r+": "no_rum_for_jack"}),
        " r+r/7",
        Note("name", {"": "other_den"}),
        " =3 9:r7 11:g2",
        Note("name_jack", {"J=1": "too_near", "J=2": "too_near", "J=3": "too_near", "J": "passes_too"}),
        " J=4",
        Note("steal", {"": "other_colour"}),
        " take:y10",
        Note("displaced"),
        Note("scoring"),
        Note("end"),
    ),
)
