"""The rules help of Halunken & Spelunken, in this project's own words, section after section."""

from typing import Final

RULES: Final[dict[str, str]] = {
    "rules_title": "HALUNKEN & SPELUNKEN",
    "rules_aim": """\
Two captains have to sail in the morning and walk round the harbour at
night, from den to den, to sign on rogues. High values count, and most of
all many rogues of one colour. You choose how far to go in secret, both at
the same time; and a third figure, Black Jack, works for whoever pays him.""",
    "rules_rogues": """\
Rogues, dens and cards
  42 rogues, each of them once, in four colours:
  r red     4 to 11 and 15        v violet  3 to 11 and 14
  g grey    2 to 11 and 13        y yellow  1 to 12
  On the screen v11 is the violet rogue of value 11.
  The harbour is a ring of 14 spaces, numbered clockwise, each before a
  den. Three rogues lie in every den, all but the top one face down. On a
  space there is room for one figure: a captain, or Black Jack.
  Both captains have eight movement cards, 1 to 7 and rum; so has Black
  Jack. Cards that are used up, and the rogues of a crew, lie open.""",
    "rules_setup": """\
A hand begins
  The program draws by lot who goes first. You put your captain on any
  space and take the top rogue of its den; then the other does so on
  another space. Then the top rogue of every den is turned up.
  Compare the first rogues: the higher value is the stronger, and of equal
  values yellow beats grey, grey beats violet, violet beats red. Whoever
  has the weaker one puts Black Jack on a free space; whoever has the
  stronger one opens the first auction.""",
    "rules_auction": """\
A round: 1. Auction
  A hand has eight rounds, each with an auction for Black Jack, a secret
  choice, the captains' moves and Black Jack's move. The auction is opened
  by whoever hired him last in this hand, or as long as nobody has, by the
  owner of the stronger first rogue. You take turns to bid or to pass:
  - A bid is one rogue of your crew, of a higher value than the standing
    bid. It replaces your earlier bid. Even your last rogue will do.
  - Who passes is out. If the other has bid, that ends the auction.
  - If the opener passes first, the other may hire with any one rogue, or
    pass too; then Black Jack works for nobody.
  The rogue that has hired him goes beside the boat, where nobody owns it.
  All other bids stay in their crews.""",
    "rules_choice": """\
A round: 2. Secret choice
  Both choose a movement card, and whoever has hired Black Jack one of his
  as well. They are shown at the same time, and are used up.
  - Equal cards, rum and rum too, cancel each other: no captain moves, and
    each takes the top rogue of the den where the captain stands.
  - Whoever shows rum against a number now names a number from 1 to 7, but
    not the one that the other shows.
  - Black Jack's card cancels nothing, and rum may name its number.""",
    "rules_captains": """\
A round: 3. Captains
  The lower number moves first, then the higher: so many spaces clockwise.
  Whom a captain passes does not matter, only where the move ends:
  - The captain takes the top rogue of the den, and the next is turned up.
  - If the other captain stands there, and you have no more rogues than
    the other (the one just taken counts), you steal one of that crew; you
    pick it. Then the other captain is put on the next free space.
  - If Black Jack stands there, you may take one rogue from beside the
    boat, however large your crew. If the other has hired him this round
    and you have no more rogues than the other, you may steal one of that
    crew instead. Then Black Jack is put on the next free space.
  A figure that is put on a space takes nothing and meets nobody there. A
  captain who has yet to move then moves from there.""",
    "rules_jack": """\
A round: 4. Black Jack
  Hired, he moves by the card that was chosen for him; for rum his hirer
  now names any number from 1 to 7. He meets every captain whom he passes
  or on whose space his number ends. He steals a rogue from his hirer's
  opponent if he meets that captain and the hirer has no more rogues than
  the opponent; the hirer picks it. The hirer's own captain he ignores.
  Hired by nobody, he moves by a card that is drawn from those he has left
  (for rum a number is drawn as well), and every captain whom he meets
  loses a rogue, whatever the size of the crew: the owner picks which, and
  it goes beside the boat.
  If his number ends on a captain, he is put on the next free space.""",
    "rules_scoring": """\
Scoring
  After eight rounds all cards are used. A crew scores the values of its
  rogues, and those of the colour that it has most rogues of once more; of
  several such colours the one that is worth more. Rogues beside the boat
  score for nobody. The higher score wins; equal scores are a draw. The
  points on the screen are what a crew would score now.""",
    "rules_options": """\
Options
  --hands 3        three hands, each with all rogues and cards; the points
                   are added up. The players take turns to go first.
  --blackjack off  the simple game without Black Jack and auctions
  --theft may      who may steal from a crew may also leave it""",
    "rules_assumed": """\
Where the printed rules leave room
  ASSUMED here: only a higher value outbids, not a colour; a pass is
  final; a crew may steal if it is smaller or as large, the rogue of the
  den included; who ends on Black Jack may decline; and reaching a captain
  exactly is meeting him. Black Jack has rum among his eight cards.""",
    "rules_typing": """\
What you can type
  What stands before a choice in the list, or the choice as it is written
  in game records:
  9    at:9      put the figure on space 9
  v11  bid:v11   bid this rogue;  pass  bids nothing
  3  r           your movement card 3, or rum
  3+r            the hirer's: the own card 3, and rum for Black Jack
  4  =4  J=4     the number for rum; with J for Black Jack's
  v11  take:v11  steal this rogue;  leave  steals none
  y3   lose:y3   give this rogue up
  Tab       completes what you have typed, or lists what is possible""",
}
