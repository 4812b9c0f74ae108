"""The news at Shanghaien's table, in sentences."""

from collections.abc import Iterator, Sequence

from p2p_shanghaien.games.api import Acted, Drawn, Step
from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, DECK_TRICKS, PLUS_MINUS, WILD, is_trick
from p2p_shanghaien.games.shanghaien.display.view import LEFT, RIGHT
from p2p_shanghaien.games.shanghaien.rules import ROLL, SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import contests
from p2p_shanghaien.ui.view import News, Viewpoint
from p2p_shanghaien.ui.words import listed, say


def news(before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield the news about `step`. A choice to roll has none: the dice follow at once."""
    match step:
        case Drawn() if before.phase == Phase.ROW:
            row = ", ".join(map(card_words, after.row))
            yield viewpoint.news("shanghaien:round_begins", after.starter, round=after.round, row=row)
        case Drawn():
            code = "shanghaien:rolled" if before.phase == Phase.DICE else "shanghaien:rolled_again"
            yield viewpoint.news(code, after.player, dice=listed(after.dice))
        case Acted(player, action) if action == SHANGHAI:
            yield viewpoint.news("shanghaien:called_shanghai", player, round=before.round)
            yield from distribution(before, viewpoint)
        case Acted(player, action) if action != ROLL:
            yield _move(before, player, action, viewpoint)


def distribution(state: State, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield who takes which cards if Shanghai is called in `state`."""
    takes = taken(state)
    for player in (viewpoint.near, viewpoint.far):
        if takes[player]:
            yield viewpoint.news("shanghaien:took", player, cards=listed(takes[player]))
    if takes[None]:
        yield News("shanghaien:left_game", {"cards": listed(takes[None])})


def taken(state: State) -> dict[int | None, list[str]]:
    """Return the cards each player takes if Shanghai is called in `state`, and (None) those that nobody does."""
    takes: dict[int | None, list[str]] = {0: [], 1: [], None: []}
    for card, contest in zip(state.numbered_row(), contests(state.placed), strict=True):
        takes[contest.taker].append(card)
    return takes


def card_words(card: str) -> str:
    """Return a card in a sentence: its notation and its kind."""
    return say("shanghaien:card", card=card, word=kind(card))


def kind(card: str) -> str:
    """Return a sailor's nationality, or a trick's effect."""
    return say(f"shanghaien:trick_{card[1]}") if is_trick(card) else say(f"shanghaien:nationality_{card[0]}")


def trick_words(letters: str) -> str:
    """Return the tricks held, each kind once: `2 die +/-1, wild`."""
    kinds = [letter for letter in DECK_TRICKS + WILD if letter in letters]
    counts = [f"{letters.count(letter)} " if letters.count(letter) > 1 else "" for letter in kinds]
    return ", ".join(count + say(f"shanghaien:trick_{letter}") for letter, count in zip(kinds, counts, strict=True))


def card_at(state: State, number: int, end: str = "") -> str:
    """Return the card of that number, with number 1 at `end` if the direction is still open."""
    row = state.row if (state.direction or end) == LEFT else state.row[::-1]
    return row[number - 1]


def end_of(action: str) -> str:
    """Return `<` or `>` if the action fixes the direction, else nothing."""
    return action[-1] if action[-1] in (LEFT, RIGHT) else ""


def end_words(end: str) -> str:
    """Return the end of the row that `<` or `>` names."""
    return say("shanghaien:left") if end == LEFT else say("shanghaien:right")


def placements(state: State, numbers: Sequence[int], end: str) -> str:
    """Return several dice with their cards."""
    return listed(say("shanghaien:die_on_card", die=n, card=card_words(card_at(state, n, end))) for n in numbers)


def _move(state: State, player: int, action: str, viewpoint: Viewpoint) -> News:
    """Return a placement or a trick in words."""
    end = end_of(action)
    first = "_first" if end else ""
    if action[0] == "-":
        die = int(action[1])
        card = card_words(card_at(state, die, end))
        return viewpoint.news(f"shanghaien:placed{first}", player, die=die, card=card, end=end_words(end))
    letter, use = action[1], action[2:]
    if use[:1] == "=":
        nationality = say(f"shanghaien:nationality_{use[1]}")
        return viewpoint.news(
            "shanghaien:played_joker", player, trick=say(f"shanghaien:trick_{letter}"), nationality=nationality
        )
    if letter == BOTH:
        dice = placements(state, state.dice, end)
        return viewpoint.news(f"shanghaien:placed_both{first}", player, placements=dice, end=end_words(end))
    if letter == PLUS_MINUS:
        die = int(use[1])
        return viewpoint.news("shanghaien:moved_die", player, die=die, result=die + 1 if use[0] == "+" else die - 1)
    assert letter == AGAIN, action
    return viewpoint.news("shanghaien:rolls_again", player)
