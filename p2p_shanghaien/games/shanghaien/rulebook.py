"""The rules help of Shanghaien, in this project's own words, section after section."""

from typing import Final

RULES: Final[dict[str, str]] = {
    "rules_title": "SHANGHAIEN",
    "rules_aim": """\
Two captains need crews before they sail, and roll dice for the sailors in
a harbour tavern. The captain with the stronger crew of a nation does not
profit from that strength but from what the rival has of the same nation.""",
    "rules_cards": """\
The cards
  40 sailors of eight nations, each with the values 1, 2, 3, 3 and 4:
  A American, F French, G German, C Chinese,
  D Dutch, T Turkish, S Spanish, I Italian.
  8 Dirty Tricks: p "die +/-1", b "both dice", r "roll again".
  On the screen F3 is a French sailor of value 3, and Xp a trick p.
  How many there are of each trick is printed nowhere. Three p, three b
  and two r are ASSUMED here; the players may agree on other numbers.""",
    "rules_round": """\
A round
  The game lasts eight rounds. In each, six cards form the tavern row, so
  that every card comes up once in a game. Both captains have six dice.
  The program draws by lot who starts round 1; afterwards the captain who
  did not call Shanghai starts the next round. You take turns:

  Roll. Roll two dice of your supply, place one of them, take the other
  back. Each card of the row has a number from 1 to 6, and a die goes on
  the card with its number. Number 1 is at one end of the row: at which
  one is decided by the captain who places the first die of the round,
  with that die.

  Or call Shanghai. You may once you have placed two dice in this round,
  and you must when fewer than two dice are left to roll. You decide this
  before you roll; nobody can know the roll at that point.""",
    "rules_shanghai": """\
Shanghai
  The round ends and the cards are taken:
  - Whoever has more dice on a card takes it. One against none will do.
  - If both have as many, add up the numbers on your own dice that lie on
    the neighbouring cards; the larger sum takes the card. A card at the
    end of the row has one neighbour.
  - If that is equal too, or no die lies on the card, it leaves the game.
  All six cards are judged with the dice as they lie. Then everybody takes
  their dice back. Sailors join your crew; tricks are kept until used.""",
    "rules_tricks": """\
Dirty Tricks
  Right after rolling you may play one trick, one in each round. It must
  have been yours when the round began, so a trick won in round 8 can no
  longer be played. Any trick does what it says, or serves as a joker:
  p  die +/-1: turn one of the two dice up or down by one, never past 1 or
     6; then place either die.
  b  both dice: place both of them. Allowed with your last two dice too.
  r  roll again: roll both dice once more. The second roll counts; place
     one of its dice.
  A joker joins a nation of which you have a sailor and stays there as a
  sailor of strength 2. You still place a die.""",
    "rules_scoring": """\
Scoring
  After round 8 each nation's crews are compared. Where both captains have
  some, the stronger crew is discarded and scores the strength of the
  weaker one for its owner; equally strong crews are both discarded. A
  crew without a rival scores its own strength. Each unused trick scores a
  point, but a joker in a crew counts only there. More points win; equal
  points are a draw. The score table shows what both would have if the
  game ended now.""",
    "rules_extra_wild": """\
The variant extra-wild
  Both captains begin with one more card, w. It can be played only as a
  joker, is the one trick of its round, and scores a point if it is never
  used. This is how we read a card that we know only from a picture:
  ASSUMED.""",
    "rules_typing": """\
What you can type
  The number of a choice in the list, or the choice as it is written in
  game records:
  roll      roll two dice
  #         Shanghai
  -5        place the die that shows 5
  -5<  -5>  the same as the round's first die, number 1 left or right
  !p+3 !p-3 trick p: make the 3 a 4 or a 2
  !b        trick b: place both dice (first in a round: !b< or !b>)
  !r        trick r: roll again
  !p=F      play the trick p as a French joker; likewise b, r and w
  Tab       completes what you have typed, or lists what is possible""",
}
