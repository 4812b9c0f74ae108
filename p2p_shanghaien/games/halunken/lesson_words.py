"""The sentences of the lesson of Halunken & Spelunken, in which the computer speaks of itself as "I"."""

from typing import Final

LESSON_WORDS: Final[dict[str, str]] = {
    # The setup.
    "lesson_aim": "Two captains sail in the morning, and go from den to den at night to sign on rogues. High values "
    "count, and those of the colour that you have most of count twice.",
    "lesson_rogues": "There are 42 rogues, red, violet, grey and yellow; y9 is the yellow one of value 9. Three lie "
    "in the den before each of 14 spaces, and only the top one will be turned up.",
    "lesson_place": "The lot fell on you to begin. A captain who is put on a space takes the top rogue of its den; "
    "the spaces are numbered clockwise.",
    "lesson_place_do": "Put your captain on space 3.",
    "lesson_not_any_space": "Any space would do, as nobody knows yet what lies in the dens. In this lesson it is "
    "space 3.",
    "lesson_first": "Your first rogue is y9, mine g9. The higher value is the stronger, and of equal values yellow "
    "beats grey, grey beats violet, and violet beats red.",
    "lesson_jack": "Whoever has the weaker one puts Black Jack on a free space: I chose space 1, from where he comes "
    "to you first. He works for whoever pays him.",
    # Round 1.
    "lesson_auction": "Each of eight rounds begins with an auction for him, and the stronger first rogue opens it: "
    "you. A bid is one rogue of your crew; whoever passes is out.",
    "lesson_auction_do": "You have one rogue only: pass.",
    "lesson_not_only_rogue": "If I pass then, your only rogue goes beside the boat, where nobody owns it. That is "
    "much for one night's work.",
    "lesson_choice": "I passed too, so nobody has hired him. Now both choose a movement card, 1 to 7 or rum, in "
    "secret and at the same time; it is used up, whatever happens.",
    "lesson_choice_do": "Choose the 5.",
    "lesson_not_secret": "You cannot know what I choose, so that is no mistake. But in this lesson it is the 5.",
    "lesson_lose": "Equal cards cancel each other: no captain moves, and each takes the top rogue where the captain "
    "stands. Black Jack then moved by a card that was drawn, and each captain whom he passes or reaches loses a rogue.",
    "lesson_lose_do": "Give up y4; it goes beside the boat.",
    "lesson_not_higher_lost": "The choice is yours, and y9 is worth more than y4.",
    # Round 2.
    "lesson_bid": "Nobody has hired Black Jack yet, so you open again. You may bid even your last rogue; a bid that "
    "does not win stays in its crew.",
    "lesson_bid_do": "Bid y9: I shall have to pay more.",
    "lesson_not_cheap": "Then I hire him with my worst rogue. Your bid costs me a better one.",
    "lesson_outbid": "A bid has to be higher in value than the one before, so you cannot outbid my g11.",
    "lesson_outbid_do": "Pass, which ends the auction.",
    "lesson_hired": "I have hired Black Jack: g11 goes beside the boat, and I choose one of his cards along with "
    "mine. He stands one space ahead of you.",
    "lesson_hired_do": "Choose the 1, which ends on his space.",
    "lesson_not_not_on_jack": "That card may be useful later. The 1 alone takes you to Black Jack.",
    "lesson_boat": "The lower number moves first: you took v9 and ended on Black Jack, so you may take a rogue from "
    "beside the boat. As I have hired him you could even rob my crew, if you had no more rogues than I.",
    "lesson_boat_do": "Take g11.",
    "lesson_not_lower_taken": "y4 has your colour, but g11 is worth far more, and I would like to have it back.",
    "lesson_not_nothing_taken": "You may leave it. But a rogue for nothing is a good thing.",
    "lesson_robbed": "My 4 ended on your space. Whoever ends on the other captain, with no more rogues than the "
    "other, steals one: I took g11, and your captain was put on the next free space, ahead of Black Jack.",
    "lesson_too_many": "Then he moved by 2 for me and met you, but he steals only if his hirer has no more rogues "
    "than the other. I have three, you have two.",
    # Round 3.
    "lesson_hire": "I hired him last, so I opened, and passed. The other may then hire him with any one rogue, or "
    "pass too.",
    "lesson_hire_do": "Hire him with v9.",
    "lesson_not_unhired": "Then he would work for nobody. He is worth a rogue to you now.",
    "lesson_not_yellow_paid": "Keep y9: y11 lies open in den 9, and two of one colour count twice.",
    "lesson_rum": "As the hirer you choose two cards, yours and his. Rum is a number that is named later, when the "
    "other's card is known.",
    "lesson_rum_do": "Choose rum for yourself and rum for him.",
    "lesson_not_no_rum": "A number has to be chosen before you see mine. With rum you wait and see.",
    "lesson_not_no_rum_for_jack": "Rum is right for you. Take it for Black Jack as well: then you see first where my "
    "captain goes.",
    "lesson_name": "I showed 7, so you may name any number but 7; the lower number then moves first. Three spaces "
    "ahead of you lies y11.",
    "lesson_name_do": "Name 3.",
    "lesson_not_other_den": "There you would take another rogue. With y9 you want y11, three spaces ahead.",
    "lesson_name_jack": "Now Black Jack's rum. He ignores your captain, his hirer's, but he meets mine, four spaces "
    "ahead of him, if he passes or reaches it.",
    "lesson_name_jack_do": "Name 4.",
    "lesson_not_too_near": "With that he does not get to my captain, who is four spaces ahead of him.",
    "lesson_not_passes_too": "He would meet my captain as well, since he passes. Name 4 to see what happens if he "
    "ends there.",
    "lesson_steal": "You have two rogues and I have four, so he steals one for you. Look at the colours: you have two "
    "yellow ones.",
    "lesson_steal_do": "Take y10.",
    "lesson_not_other_colour": "A grey one would count once. With y10 you have three yellow ones, and those count "
    "twice.",
    # The end.
    "lesson_displaced": "Black Jack ended on my captain, so he was put on the next free space. A figure that is put "
    "somewhere takes nothing there and meets nobody.",
    "lesson_scoring": "After eight rounds all cards are used, and each crew scores its values, those of its largest "
    "colour twice. Yours would have 60 points now, three yellow ones twice; mine 56.",
    "lesson_end": "Rogues beside the boat score for nobody, and of two colours that are equally large the better one "
    "counts twice. The higher score wins.",
}
