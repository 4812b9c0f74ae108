"""The decks of Shadows of Macao that vectors name, besides the reconstruction: data from outside the games."""

import json
from hashlib import sha256
from typing import Final

from p2p_shanghaien.games.macao.deck import read
from p2p_shanghaien.games.macao.game import Macao
from tests.games.macao.plain import DECK_OF_CHOICES

CHOICES: Final = read(json.dumps(DECK_OF_CHOICES).encode())
"""A deck in which croupiers have a choice, as in no cost of the reconstruction."""
OTHER: Final = Macao(sha256(CHOICES.canonical()).hexdigest(), CHOICES)
"""The game with this deck."""
SHORT: Final = CHOICES.canonical().replace(b'"a","wwm","a",3,2,""', b'"a","wwm","a",3,1,""')
"""The canonical form of the same with a card less, which is no deck."""
SHORT_DIGEST: Final = sha256(SHORT).hexdigest()
DATA: Final = {OTHER.deck: CHOICES.canonical(), SHORT_DIGEST: SHORT}
"""All of it, by digest."""
MACAO: Final = Macao.reading(DATA.get)
"""The game of a program that has it."""
