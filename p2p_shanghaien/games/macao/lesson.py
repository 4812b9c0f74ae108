"""The lesson of Shadows of Macao: the beginning, middle and end of a game in which every rule comes up."""

from typing import Final

from p2p_shanghaien.games.lesson import Lesson, Note, Skip

LESSON: Final = Lesson(
    course=(
        "tile:officers tile:restaurant tile:black-market tile:temple-bar 1:dancer-w 2:killer-m 3:sailor-j 4:croupier-m",
        Note("aim"),
        Note("cards"),
        Note("piles"),
        Note("take", {"": "other_card"}),
        "\n1. take:1 1:innkeeper-j take:2 2:policeman-j",
        Note("blue", {"": "jade_first"}),
        "\n2. take:4 4:croupier-a take:3 3:politician-j",
        Note(
            "jade", {"take": "other_jade", "take:4": "no_jade", "recruit": "widow_dies", "recruit:widow": "widow_early"}
        ),
        "\n3. take:2 2:dancer-a take:4 4:politician-j",
        Note("payment"),
        Note("recruit", {"take": "no_waiting", "recruit": "widow_dies", "recruit:widow": "widow_early"}),
        "\n4. recruit:dancer-w=policeman-j+croupier-m",
        Note("dancer", {"": "other_card"}),
        " take:3 3:trader-m recruit:killer-m=croupier-a+sailor-j+widow",
        Note("killer", {"discard:widow": "keep_widow"}),
        " discard:politician-j",
        Skip(
            """
            5. take:3 3:sailor-a take:1 1:innkeeper-j
            6. take:3 3:killer-w take:2 2:policeman-a
            7. take:3 3:innkeeper-a take:3 3:croupier-j
            8. recruit:trader-m=killer-w+sailor-a recruit:innkeeper-j=dancer-a+innkeeper-a
            9. take:3 3:policeman-m take:4 4:dancer-m
            10. take:3 3:trader-w take:2 2:politician-m
            11. take:1 1:politician-w take:3 3:sailor-w
            12. take:2 2:innkeeper-a take:1 1:killer-a"""
        ),
        Note("middle"),
        Note("limit", {"take": "other_card", "": "take_first"}),
        "\n13. take:3 3:politician-w",
        Note("discard", {"": "needed", "discard:widow": "keep_widow"}),
        " discard:politician-m take:2 2:trader-a",
        Note("red"),
        Note("trader", {"take": "no_waiting", "": "croupier_first", "recruit:croupier-j": "other_payment"}),
        "\n14. recruit:croupier-j=innkeeper-j open:temple-bar",
        Note("conditions"),
        Note("croupier"),
        Note("widow", {"take": "no_waiting", "recruit": "widow_first", "recruit:policeman-m": "widow_dies"}),
        "\n15. recruit:widow recruit:politician-j=policeman-a+trader-w+innkeeper-a",
        Note("free", {"take": "no_waiting", "recruit": "policeman_first"}),
        "\n16. recruit:policeman-m",
        Note("policeman", {"reserve:officers": "officers_later", "reserve:restaurant": "no_four"}),
        " reserve:black-market",
        Skip(
            """ take:2 2:trader-j
            17. recruit:sailor-w take:4 4:innkeeper-w
            18. take:4 4:politician-a recruit:politician-w=dancer-m+trader-a"""
        ),
        Note("late"),
        Note("open", {"take": "no_waiting", "recruit": "too_soon"}),
        "\n19. open:officers take:3",
        Note("known"),
        Note("market", {"take": "no_waiting", "recruit": "too_soon"}),
        "\n20. open:black-market take:4 4:dancer-j",
        Note("seven", {"take": "no_waiting"}),
        "\n21. recruit:innkeeper-w open:restaurant",
        Note("last_turn"),
        Note("score"),
        Note("result"),
    ),
)
