"""The rules help of Shadows of Macao, in this project's own words, section after section."""

from typing import Final

RULES: Final[dict[str, str]] = {
    "rules_title": "SHADOWS OF MACAO",
    "rules_aim": """\
Two bosses in the Macao of the thirties. Informants bring you resources;
with these you recruit informants as members of your gang, and open
establishments. Members bring coins and establishments points, and the
higher sum wins.""",
    "rules_deck": """\
Reconstructed cards
  The printed rules do not list the cards. How many there are of each,
  what they cost, give and bring is RECONSTRUCTED here, and so is the
  resource jade. The kinds and their powers, the numbers of characters and
  widows, the ten establishments with their conditions and values are the
  printed ones.""",
    "rules_cards": """\
Cards
  45 characters of eight kinds, and widows. A card before you lies with
  its blue side up as an informant, or its red side up as a member.
  killer-a is a killer whose resource is alcohol: a alcohol, w weapons,
  m money, j jade. A widow gives a diamond, d, which stands for any one of
  them. On the screen a blue card shows its cost and the coins that it
  brings as a member: killer-a wwm 3 costs two weapons and one money.""",
    "rules_setup": """\
Setting up
  Each player has a widow, blue side up. 46 cards lie in four piles, of
  which only the top card is seen; four of the ten establishments, the
  tiles, lie in the centre. Cards and tiles are drawn by both programs
  together when they are turned up, so nobody knows them before.""",
    "rules_turn": """\
A turn is one of these:
  Take     Take the top card of a pile, blue side up. The next card of the
           pile is turned up. You may keep five blue cards; if you have
           more, discard one.
  Recruit  Pay the cost of one of your blue cards and turn it to its red
           side. Its power takes effect.
  Open     Pay the cost of a tile in the centre, or of one that you have
           reserved, or meet its condition, and put it before you.
  Discarded cards go under the smallest pile, in an order that both see.""",
    "rules_paying": """\
Paying
  - Each red card gives its resource in every payment, and stays. A red
    sailor gives it twice, and a red widow a diamond.
  - A blue card gives its resource once, and is discarded. A blue widow
    dies instead: she stays, takes up a place, and is of no more use.
  - The two resources of a red trader stand for each other, and several
    traders chain.
  - Each red croupier takes one resource off the cost of a character, of a
    kind that is there at least twice.
  - You cannot pay a card that could be left out.""",
    "rules_powers": """\
Powers
  killer      The opponent discards a blue card of their choice.
  dancer      You take a card.
  policeman   You reserve a tile of the centre: only you can open it.
  innkeeper   You may keep one blue card more.
  croupier, trader, sailor and widow help with payments; a politician
  brings most coins. A power works once it is recruited, and is a must.""",
    "rules_tiles": """\
Tiles
  Harbour Restaurant, 5  at least 4 cards of one kind, blue and red
  Temple Bar, 5          at least 6 blue cards, dead widows included
  China Club, 5          cards of at least 6 kinds, blue and red
  Black Market, 5        a blue card or dead widow, a red card, a reserved
                         tile and an opened one
  The six others cost resources, and are worth 6.""",
    "rules_end": """\
The end
  The game is over at the end of a round in which a player has 7 red cards
  or no tile is left in the centre, and after round 40. You score the
  coins of your red cards, of which a widow takes two off, and the values
  of the tiles that you have opened. If the scores are equal, more opened
  tiles win, then more red cards; else it is a draw.""",
    "rules_assumed": """\
Where the printed rules leave room
  ASSUMED here: several traders chain; croupiers never take off the last
  of a resource, and nothing off a tile; dead widows count where blue
  cards are counted, but not where kinds are; a reserved Black Market is
  its own reserved tile; the 40th round is the last.""",
    "rules_typing": """\
What you can type
  The number of a choice in the list, or the choice as it is written in
  game records:
  take:3                          the top card of pile 3
  recruit:dancer-a=sailor-w+widow recruit, paid by these blue cards
  recruit:dancer-a                recruit, paid by red cards alone
  open:casino=killer-a            open a tile, paid in the same way
  discard:killer-a  reserve:casino
  Spaces do for : and +, and "with" for =.""",
}
