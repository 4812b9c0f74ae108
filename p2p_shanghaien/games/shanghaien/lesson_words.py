"""The sentences of the lesson of Shanghaien, in which the computer speaks of itself as "I"."""

from typing import Final

LESSON_WORDS: Final[dict[str, str]] = {
    # Round 1.
    "lesson_aim": "Two captains need crews before they sail, and roll dice for the sailors in a tavern. The game lasts "
    "eight rounds; in each, six cards form the tavern row.",
    "lesson_cards": "F3 is a French sailor of value 3: each of eight nations has the values 1, 2, 3, 3 and 4. An X is "
    'one of eight Dirty Tricks, such as Xp, "die +/-1"; every card comes up once in a game.',
    "lesson_roll": "You have six dice. In your turn you roll two, place one of them, and take the other back.",
    "lesson_roll_do": "The lot fell on you to start: roll two dice.",
    "lesson_place": "A die goes on the card with its number. Whoever places the first die of a round decides with it "
    "at which end of the row number 1 is.",
    "lesson_place_do": "Place the 5 with number 1 at the right: it then lies on the trick Xp.",
    "lesson_not_low_die": "You may place either die, and the other goes back. Here place the 5.",
    "lesson_not_left_end": "Counted from the left, card 5 is the other trick, Xr. This time put number 1 at the right.",
    "lesson_tie": "My 5 lies on Xp too: one die each. Where both have as many, add up the numbers on your own dice on "
    "the neighbouring cards; the larger sum takes the card.",
    "lesson_tie_do": "Roll two of the dice that you have left.",
    "lesson_neighbour": "Card 4 is a neighbour of card 5. A die there counts 4 for you in the tie, and one against "
    "none takes F3 as well.",
    "lesson_neighbour_do": "Place the 4.",
    "lesson_not_no_neighbour": "Card 1 is no neighbour of card 5, so the tie on Xp would remain.",
    "lesson_shanghai": "I took the 2, for Xr. Once you have placed two dice in a round, you may call Shanghai instead "
    "of rolling: the round ends, and whoever has more dice on a card takes it.",
    "lesson_shanghai_do": "You are ahead on F3 and Xp: call Shanghai.",
    "lesson_not_roll_on": "You have to choose before you see the dice. Rolling gives me a turn too, and with a 6 I "
    "would win the tie on Xp.",
    "lesson_taken": "You have taken F3 and, with the 4 beside it, Xp; I have taken Xr. A card without dice leaves the "
    "game, and so does a tied one with equal sums.",
    # Round 2.
    "lesson_again": 'You called Shanghai, so I started this round. I did not like my 1 and 1: the trick r, "roll '
    'again", let me roll both dice once more, and the second roll counts.',
    "lesson_again_do": "All dice are back with their owners: roll.",
    "lesson_turn_die": "Right after rolling you may play one trick in each round, if it was yours when the round "
    'began. Your p, "die +/-1", turns one die up or down by one, never past 1 or 6.',
    "lesson_turn_die_do": "Turn the 5 into a 6.",
    "lesson_not_no_trick": "You can place a die without a trick. But this is a good moment to see what p does.",
    "lesson_not_joker_early": "That is a joker, another use of any trick. I will show it to you in the last round.",
    "lesson_not_other_turn": "That works too, but 6 is the number of the card that we both want: Xb.",
    "lesson_end_card": "After a trick you still place a die, either one. Card 6 is at the end of the row, so only card "
    "5 counts as its neighbour.",
    "lesson_end_card_do": "Place the 6.",
    "lesson_not_no_fight": "Then Xb would be mine: one die against none.",
    "lesson_alone": "My 2 is alone on S4, the best sailor in the row.",
    "lesson_alone_do": "Roll.",
    "lesson_break_tie": "On Xb we have one die each, and card 5 is its only neighbour.",
    "lesson_break_tie_do": "Place the 5: it takes G3 and decides the tie.",
    "lesson_not_leaves_tie": "The 1 takes I1, but without a die beside Xb on either side nobody gets it.",
    "lesson_roll_on": "With my 4 I would have D3. You have placed two dice and could call Shanghai, but then S4 would "
    "be mine.",
    "lesson_roll_on_do": "Roll on.",
    "lesson_not_too_early": "Shanghai now leaves S4 to me. You still have four dice to prevent that.",
    "lesson_deny": "Neither of us has a die beside S4. With one die each on it the sums are equal, none against none.",
    "lesson_deny_do": "Place the 2, and nobody gets S4.",
    "lesson_not_gives_card": "I1 would be yours, but S4 mine. Four points of strength are worth more than one.",
    "lesson_called": "Now I have called Shanghai: Xb and G3 are yours, D3 is mine, and S4 has left the game. Sailors "
    "join a crew, tricks are kept until they are used.",
    # Round 8.
    "lesson_last_round": "Five rounds later: this is the last one, with the last six cards. I called Shanghai in round "
    "7, so you start.",
    "lesson_scoring": "After it the crews are compared, nation by nation. The stronger crew is discarded and scores "
    "the strength of the weaker one; equally strong crews score nothing.",
    "lesson_unrivalled": "A crew without a rival scores its own strength, and each unused trick a point. The score "
    "table shows what both of us would have now: 9 for you, 16 for me.",
    "lesson_unrivalled_do": "Roll for the last round.",
    "lesson_both": 'The trick b, "both dice", lets you place both.',
    "lesson_both_do": "Place both with number 1 at the left: on I3, and on G4.",
    "lesson_not_one_only": "Then the other die goes back. With b you get two cards out of one turn.",
    "lesson_not_other_end": "With number 1 at the right your dice would lie on the two tricks: a point each, no more.",
    "lesson_not_joker_both": "As a joker b would be a sailor of strength 2. Placing both dice brings more here.",
    "lesson_not_keep_point": "Keep p: unused it scores a point, and b brings more here.",
    "lesson_joker": "I played r as a joker: any trick can join a nation of which one has a sailor, with strength 2. My "
    "Dutch have no rival, so it scores 2 there, and 1 if it were never used.",
    "lesson_joker_do": "On G4 we have one die each now. Roll.",
    "lesson_beside": "Card 5 lies beside G4.",
    "lesson_beside_do": "Place the 5.",
    "lesson_not_not_beside": "Card 2 is not beside G4. The 2 is useful later, but the 5 decides a tie now.",
    "lesson_two_ties": "My 1 ties I3. Its only neighbour is card 2.",
    "lesson_two_ties_do": "Roll.",
    "lesson_not_ties_remain": "The tie on I3 would stand at none against none, and I3 would leave the game.",
    "lesson_one_side": "The 2 takes S1, and decides the tie on I3. Your Spaniards will then be as strong as mine, and "
    "neither of us will score there.",
    "lesson_one_side_do": "Place the 2.",
    "lesson_not_trick_first": "A trick is worth a point. The other die brings more.",
    "lesson_equal_sums": "My 5 lies beside G4 too: there the sums are 5 and 5 now, and on T1 they are 4 and 4. As it "
    "stands, both cards would leave the game.",
    "lesson_equal_sums_do": "Roll on.",
    "lesson_not_german_lost": "Then G4 leaves the game, and with it four points: your Germans have no rival.",
    "lesson_german": "Card 3 is the other neighbour of G4.",
    "lesson_german_do": "Place the 3: it takes Xp, and G4 by 8 to 5.",
    "lesson_only_shanghai": "My 6 wins Xb, and T1 by 10 to 4. You have one die left, and a roll takes two: only "
    "Shanghai is open to you.",
    "lesson_only_shanghai_do": "Call Shanghai.",
    "lesson_result": "Your French and Italians are stronger and score my 2 and 4; Chinese and Spaniards are equal and "
    "score nothing. Your Americans and Germans, my Dutch and Turks have no rival and score their own strength.",
    "lesson_points": "Your two unused tricks score a point each, also the one won in this last round; my joker counts "
    "in its crew only. 17 to 14: the higher score wins, and that is you.",
}
