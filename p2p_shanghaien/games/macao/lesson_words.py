"""The sentences of the lesson of Shadows of Macao, in which the computer speaks of itself as "I"."""

from typing import Final

LESSON_WORDS: Final[dict[str, str]] = {
    # The beginning: rounds 1 to 4.
    "lesson_aim": "Two bosses in Macao look for people. Members of your gang bring coins and establishments points, "
    "and whoever has more of both together wins.",
    "lesson_cards": "dancer-w mj 2 is one of 45 characters: a dancer who gives weapons, costs money and jade, and "
    "brings 2 coins as a member; a is alcohol. The printed rules do not list the cards, so this deck is reconstructed.",
    "lesson_piles": "They and some widows lie in four piles: you see the top cards, and nobody knows the others, which "
    "are drawn when they are turned up. Four of ten establishments, the tiles, lie in the centre.",
    "lesson_take": "In each turn you take a card, recruit one, or open a tile. The lot fell on you to start.",
    "lesson_take_do": "Take dancer-w, the top card of pile 1.",
    "lesson_not_other_card": "Any pile is open to you, and that card is not a bad one. But this lesson needs the one "
    "that it names.",
    "lesson_blue": "She lies before you with her blue side up, as an informant, and the next card of the pile was "
    "turned up at once. Beside her is a widow, whom each of us had from the start.",
    "lesson_blue_do": "The dancer costs money and jade. For the money take croupier-m from pile 4.",
    "lesson_not_jade_first": "Jade you need as well, but three piles offer it. Only pile 4 has money: take that first.",
    "lesson_jade": "Nothing is hidden but the order of the piles, so you can see what I collect.",
    "lesson_jade_do": "Now for the jade take policeman-j from pile 2.",
    "lesson_not_other_jade": "That one gives jade, too. But this lesson goes on with policeman-j.",
    "lesson_not_no_jade": "That one gives alcohol, and the dancer costs jade.",
    "lesson_payment": "The cost of a card is paid by your other cards: each blue one gives its resource once and is "
    "discarded. A widow gives a diamond, which stands for any resource, but she dies of it.",
    "lesson_recruit": "Of several payments the program proposes the one that wastes least: no widow, then few cards, "
    "then few coins. You cannot pay a card that could be left out.",
    "lesson_recruit_do": "Recruit dancer-w; policeman-j and croupier-m pay.",
    "lesson_not_no_waiting": "You may wait, but cards that you only collect bring nothing. Use what you have.",
    "lesson_not_widow_dies": "Then the widow dies: she stays before you for good, takes up a place, and is of no more "
    "use. Keep her diamond for later.",
    "lesson_not_widow_early": "You may recruit the widow, but that takes two coins off your score. Her turn will come.",
    "lesson_dancer": "Both cards went under the smallest pile, the leftmost of equal ones, in an order that we both "
    "see. dancer-w is red now, a member, and her power is that you take a card at once.",
    "lesson_dancer_do": "Take politician-j from pile 3.",
    "lesson_killer": "I recruited a killer, so you discard a blue card of your choice. My widow helped to pay and "
    "died: she takes up a place for good, and can never be discarded or used again.",
    "lesson_killer_do": "Give up politician-j; four resources are too dear for now.",
    "lesson_not_keep_widow": "A living widow may be discarded, too. But her diamond pays for whatever you lack: keep "
    "her.",
    # The middle: rounds 13 to 16.
    "lesson_middle": "Eight rounds later you have recruited trader-m, and hold five blue cards, as many as you have "
    "places. I have an innkeeper: red, he gives me one place more.",
    "lesson_limit": "You may take a card even so. If you then have more blue cards than places, you discard one, once "
    "the next card of the pile is turned up.",
    "lesson_limit_do": "Take sailor-w from pile 3.",
    "lesson_not_take_first": "You can recruit that now. But first see what happens if you take a sixth blue card.",
    "lesson_discard": "It may be any of them, even the one that you have just taken. Politicians bring five coins, "
    "more than all others, but have no power and cost four resources.",
    "lesson_discard_do": "Discard politician-m.",
    "lesson_not_needed": "You will need that card in the next rounds. You can spare politician-m.",
    "lesson_red": "From the next payment on, a red card gives its resource in every one, and stays; red cards are used "
    "before blue ones. Your dancer-w always gives weapons now, and your trader-m money.",
    "lesson_trader": "A red trader also exchanges two resources, yours money and jade, as often as you like, and "
    "several traders form a chain. croupier-j costs mm: trader-m gives one m, and j will do for the other.",
    "lesson_trader_do": "Recruit croupier-j, and choose innkeeper-j to pay.",
    "lesson_not_other_payment": "That pays for it as well. But you will need policeman-m and the widow, so let "
    "innkeeper-j pay.",
    "lesson_not_croupier_first": "You may, but begin with the croupier: he makes what follows cheaper.",
    "lesson_conditions": "I opened Temple Bar, which asks for six blue cards, dead widows included, and takes none of "
    "them. Harbour Restaurant asks for four cards of one kind, China Club for six kinds, blue and red together, dead "
    "widows not included.",
    "lesson_croupier": "Each red croupier takes one resource off the cost of a character, of a kind that is there at "
    "least twice, and nothing off a tile. So policeman-m now costs you aw in place of aaw.",
    "lesson_widow": "Your dancer gives w; a is missing. A living widow can be recruited as well: that takes two coins "
    "off your score, but red she gives a diamond in every payment.",
    "lesson_widow_do": "Recruit the widow; your red cards pay for her.",
    "lesson_not_widow_first": "Your red cards pay for that already, and will do so later. The widow first makes the "
    "policeman free, too.",
    "lesson_free": "Now the diamond stands for a. If red cards alone cover a cost, no blue card is used.",
    "lesson_free_do": "Recruit policeman-m.",
    "lesson_not_policeman_first": "That costs you no card either. But the policeman can reserve a tile for you, as "
    "long as there is one.",
    "lesson_policeman": "A policeman reserves a tile: it leaves the centre, lies before you, and only you can open it. "
    "Powers are a must, but do nothing where there is no tile to reserve or no blue card to discard.",
    "lesson_policeman_do": "Reserve the Black Market.",
    "lesson_not_officers_later": "I have no weapons, so nobody will take Officers' Club from you. The Black Market is "
    "the better choice, as it asks for a reserved tile.",
    "lesson_not_no_four": "That one asks for four cards of one kind, and no two of yours are.",
    # The end: rounds 19 to 21.
    "lesson_late": "Two rounds later you have recruited sailor-w, and hold innkeeper-w. A red sailor gives its "
    "resource twice: with the dancer that makes three weapons.",
    "lesson_open": "A tile is paid for like a card, or opened for free if you meet its condition. Officers' Club costs "
    "awwwj: the diamond, your three weapons, and the jade of croupier-j.",
    "lesson_open_do": "Open Officers' Club.",
    "lesson_not_too_soon": "That would be your seventh red card, which ends the game with this round. First open what "
    "you can.",
    "lesson_known": "No card of pile 3 is unseen any more, so a discarded one came up: croupier-a, which I paid in "
    "round 4. An empty pile cannot be taken from, until a discarded card comes to lie there.",
    "lesson_market": "The Black Market asks for a blue card or a dead widow, a red card, a reserved tile, and an "
    "opened one. While it is reserved, it is the reserved one itself.",
    "lesson_market_do": "Open the Black Market.",
    "lesson_seven": "The game ends with the round in which somebody has seven red cards, a red widow included, or no "
    "tile is left in the centre; round 40 is the last in any case.",
    "lesson_seven_do": "Recruit innkeeper-w; the diamond stands for its a.",
    "lesson_last_turn": "You started, so I had one more turn: four politicians, two red and two blue, opened Harbour "
    "Restaurant for me. If I had brought about the end, you would have had no further turn.",
    "lesson_score": "The coins of the red cards and the values of the opened tiles add up to 27 for each of us; a tile "
    "that is only reserved counts nothing. If scores are equal, whoever has opened more tiles wins, and we have two "
    "each.",
    "lesson_result": "After that, whoever has more red cards wins: you have seven, I have four, and the game is yours. "
    "If these were equal as well, it would be a draw.",
}
