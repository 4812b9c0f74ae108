"""Shanghaien's move text and replay events (protocol/RECORD.md, "Shanghaien")."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from p2p_shanghaien.games.api import Acted, Drawn, Over, Step, Turn, advance
from p2p_shanghaien.games.record import Follower, Word
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.rules import ROLL, ROW, SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import contests, strengths

_CARD = re.compile(rf"[{NATIONALITIES}][1-4]|X[pbr]")
_ROLLED = re.compile(r"[1-6][1-6]")
_PIECE = re.compile(rf"![pbrw]=[{NATIONALITIES}]|!p[+-][1-6]|!b[<>]?|!r(?P<again>[1-6][1-6])?|-[1-6][<>]?")
_BETWEEN_TURNS: Final = (Phase.TURN, Phase.ROW, Phase.OVER)


def follow(words: Sequence[Word], follower: Follower) -> None:
    """Take the steps that `words` mean. Raises RecordError."""
    at = 0
    while at < len(words):
        phase = _state(follower).phase
        if phase == Phase.OVER:
            raise words[at].error("after_the_end")
        if phase == Phase.ROW:
            at += _follow_row(words[at : at + 1 + ROW], follower)
        else:
            _follow_turn(words[at], at == len(words) - 1, follower)
            at += 1


def _state(follower: Follower) -> State:
    state = follower.state
    assert isinstance(state, State)
    return state


def _follow_row(words: Sequence[Word], follower: Follower) -> int:
    """Read `N.` and the row behind it, as far as it goes; return how many words that took."""
    state = _state(follower)
    if words[0].text != f"{state.round}.":
        raise words[0].error("shanghaien:round_expected", expected=f"{state.round}.")
    pile = list(state.pile)
    indices = []
    for word in words[1:]:
        if not _CARD.fullmatch(word.text):
            raise word.error("shanghaien:not_a_card")
        if word.text not in pile:
            raise word.error("shanghaien:card_not_left", card=word.text)
        indices.append(pile.index(word.text))
        pile.remove(word.text)
    if len(indices) == ROW:
        follower.take(Drawn(tuple(indices)), words[-1])
    return len(words)


def _follow_turn(word: Word, last: bool, follower: Follower) -> None:
    """Read one turn. Only the last token of the text may stop before the turn is complete."""
    player = _state(follower).player
    if word.text == SHANGHAI:
        follower.take(Acted(player, SHANGHAI), word)
        return
    rolled = _ROLLED.match(word.text)
    if not rolled and not (last and word.text == ROLL):
        raise word.error("shanghaien:not_a_turn", part=word.text)
    follower.take(Acted(player, ROLL), word)
    if not rolled:
        return
    follower.take(_dice(rolled.group()), word)
    at = rolled.end()
    while at < len(word.text):
        piece = _PIECE.match(word.text, at)
        if not piece or follower.state.waits != Turn(player):
            raise word.error("shanghaien:not_a_turn", part=word.text[at:])
        again = piece.group("again")
        follower.take(Acted(player, piece.group().removesuffix(again or "")), word)
        if again:
            follower.take(_dice(again), word)
        at = piece.end()
    if not last and _state(follower).phase not in _BETWEEN_TURNS:
        raise word.error("shanghaien:turn_not_finished")


def _dice(digits: str) -> Drawn:
    return Drawn((int(digits[0]) - 1, int(digits[1]) - 1))


def write(state: State, steps: Sequence[Step]) -> Iterator[str]:
    """One line a round: its number, its row, a token a turn."""
    line = [f"{state.round}."]
    for step in steps:
        after = advance(state, step)
        assert isinstance(after, State)
        match step:
            case Drawn() if state.phase == Phase.ROW:
                line += after.row
            case Drawn() if state.phase == Phase.DICE:
                line[-1] = _digits(after)
            case Drawn():
                line[-1] += _digits(after)
            case Acted(_, action) if state.phase == Phase.TURN:
                line.append(action)
            case Acted(_, action):
                line[-1] += action
            case _:
                raise TypeError(step)
        if after.phase == Phase.ROW:
            yield " ".join(line)
            line = [f"{after.round}."]
        state = after
    yield " ".join(line)


def _digits(state: State) -> str:
    return "".join(str(die) for die in state.dice)


def events(before: State, step: Step, after: State) -> Iterator[dict[str, Any]]:
    """The round, dice, distribution and result events that `step` makes."""
    if isinstance(step, Drawn):
        if before.phase == Phase.ROW:
            yield {"event": "round", "round": after.round, "starter": after.starter, "row": list(after.row)}
        else:
            yield {"event": "dice", "player": after.player, "dice": list(after.dice)}
    elif before.phase == Phase.TURN and after.phase in (Phase.ROW, Phase.OVER):
        taken_by = [contest.taker for contest in contests(before.placed)]
        row = list(before.numbered_row())
        yield {"event": "distribution", "round": before.round, "row": row, "taken_by": taken_by}
        if isinstance(over := after.waits, Over):
            yield {
                "event": "result",
                "scores": list(over.scores),
                "winner": over.winner,
                "crews": [strengths(crew) for crew in after.crews],
                "tricks": [{letter: held.count(letter) for letter in sorted(set(held))} for held in after.tricks],
            }
