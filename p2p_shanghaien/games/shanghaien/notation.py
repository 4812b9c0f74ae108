"""Shanghaien's move text and replay events (protocol/RECORD.md, "Shanghaien")."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from p2p_shanghaien.errors import Code, GameCode
from p2p_shanghaien.games.api import Acted, Drawn, RecordReader, Step, Terminal, Token, Turn, advance
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.rules import ROLL, ROW, SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import contests, strengths

_CARD = re.compile(rf"[{NATIONALITIES}][1-4]|X[pbr]")
_ROLLED = re.compile(r"[1-6][1-6]")
_PIECE = re.compile(rf"![pbrw]=[{NATIONALITIES}]|!p[+-][1-6]|!b[<>]?|!r(?P<again>[1-6][1-6])?|-[1-6][<>]?")
_BETWEEN_TURNS: Final = (Phase.TURN, Phase.ROW, Phase.OVER)


class ShanghaienCode(Code):
    """Errors in the options and records of this game."""

    UNKNOWN_VARIANT = "shanghaien:unknown_variant"
    BAD_TRICKS = "shanghaien:bad_tricks"
    ROUND_EXPECTED = "shanghaien:round_expected"
    NOT_A_CARD = "shanghaien:not_a_card"
    CARD_NOT_LEFT = "shanghaien:card_not_left"
    NOT_A_TURN = "shanghaien:not_a_turn"
    TURN_NOT_FINISHED = "shanghaien:turn_not_finished"


def read(tokens: Sequence[Token], reader: RecordReader[State]) -> None:
    """Give `reader` the steps of `tokens`. Raises RecordError."""
    at = 0
    while at < len(tokens):
        phase = reader.state.phase
        if phase == Phase.OVER:
            raise tokens[at].error(GameCode.AFTER_THE_END)
        if phase == Phase.ROW:
            at += _read_row(tokens[at : at + 1 + ROW], reader)
        else:
            _read_turn(tokens[at], at == len(tokens) - 1, reader)
            at += 1


def _read_row(tokens: Sequence[Token], reader: RecordReader[State]) -> int:
    """Read `N.` and the row behind it, as far as it goes; return the number of tokens read."""
    state = reader.state
    if tokens[0].text != f"{state.round}.":
        raise tokens[0].error(ShanghaienCode.ROUND_EXPECTED, expected=f"{state.round}.")
    pile = list(state.pile)
    indices = []
    for token in tokens[1:]:
        if not _CARD.fullmatch(token.text):
            raise token.error(ShanghaienCode.NOT_A_CARD)
        if token.text not in pile:
            raise token.error(ShanghaienCode.CARD_NOT_LEFT, card=token.text)
        indices.append(pile.index(token.text))
        pile.remove(token.text)
    if len(indices) == ROW:
        reader.take(Drawn(tuple(indices)), tokens[-1])
    return len(tokens)


def _read_turn(token: Token, last: bool, reader: RecordReader[State]) -> None:
    """Read one turn. Only the last token of the text may stop before the turn is complete."""
    player = reader.state.player
    if token.text == SHANGHAI:
        reader.take(Acted(player, SHANGHAI), token)
        return
    rolled = _ROLLED.match(token.text)
    if not rolled and not (last and token.text == ROLL):
        raise token.error(ShanghaienCode.NOT_A_TURN, part=token.text)
    reader.take(Acted(player, ROLL), token)
    if not rolled:
        return
    reader.take(_dice(rolled.group()), token)
    at = rolled.end()
    while at < len(token.text):
        piece = _PIECE.match(token.text, at)
        if not piece or reader.state.node != Turn(player):
            raise token.error(ShanghaienCode.NOT_A_TURN, part=token.text[at:])
        again = piece.group("again")
        reader.take(Acted(player, piece.group().removesuffix(again or "")), token)
        if again:
            reader.take(_dice(again), token)
        at = piece.end()
    if not last and reader.state.phase not in _BETWEEN_TURNS:
        raise token.error(ShanghaienCode.TURN_NOT_FINISHED)


def _dice(digits: str) -> Drawn:
    return Drawn((int(digits[0]) - 1, int(digits[1]) - 1))


def write(state: State, steps: Sequence[Step]) -> Iterator[str]:
    """Yield one line for each round: its number, its row, a token for each turn."""
    line = [f"{state.round}."]
    for step in steps:
        after = advance(state, step)
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
                raise AssertionError(step)
        if after.phase == Phase.ROW:
            yield " ".join(line)
            line = [f"{after.round}."]
        state = after
    yield " ".join(line)


def _digits(state: State) -> str:
    return "".join(str(die) for die in state.dice)


def events(before: State, step: Step, after: State) -> Iterator[dict[str, Any]]:
    """Yield the round, dice, distribution and result events of `step`."""
    if isinstance(step, Drawn):
        if before.phase == Phase.ROW:
            yield {"event": "round", "round": after.round, "starter": after.starter, "row": list(after.row)}
        else:
            yield {"event": "dice", "player": after.player, "dice": list(after.dice)}
    elif before.phase == Phase.TURN and after.phase in (Phase.ROW, Phase.OVER):
        taken_by = [contest.taker for contest in contests(before.placed)]
        row = list(before.numbered_row())
        yield {"event": "distribution", "round": before.round, "row": row, "taken_by": taken_by}
        if isinstance(over := after.node, Terminal):
            yield {
                "event": "result",
                "scores": list(over.scores),
                "winner": over.winner,
                "crews": [strengths(crew) for crew in after.crews],
                "tricks": [{letter: held.count(letter) for letter in sorted(set(held))} for held in after.tricks],
            }
