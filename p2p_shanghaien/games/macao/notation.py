"""The move text and replay events of Shadows of Macao (protocol/RECORD.md, "Shadows of Macao")."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from p2p_shanghaien.errors import GameCode
from p2p_shanghaien.games.api import Acted, Drawn, RecordReader, Step, Terminal, Token, Turn, advance
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.happenings import (
    Discarded,
    Happening,
    Opened,
    Recruited,
    Reserved,
    RoundBegan,
    Taken,
    TurnedUp,
)
from p2p_shanghaien.games.macao.rules import OFFERED, PILES, Phase, State, happenings

_TILE: Final = re.compile(r"tile:([a-z-]+)")
_TURNED_UP: Final = re.compile(r"([1-4]):([a-z]+(?:-[a-z][1-9]?)?)")
_EVENTS: Final[dict[type[Happening], str]] = {
    TurnedUp: "turned",
    Recruited: "recruited",
    Opened: "opened",
    Reserved: "reserved",
    Discarded: "discarded",
}


def read(tokens: Sequence[Token], reader: RecordReader[State]) -> None:
    """Give `reader` the steps of `tokens`. Raises RecordError."""
    at = _read_set_up(tokens[: OFFERED + len(PILES)], reader)
    round_ = 0
    while at < len(tokens):
        state, token = reader.state, tokens[at]
        if state.phase == Phase.OVER:
            raise token.error(GameCode.AFTER_THE_END)
        if round_ != state.round:
            round_ = state.round
            if token.text != f"{round_}.":
                raise token.error(MacaoCode.HEADING_EXPECTED, expected=f"{round_}.")
        elif state.phase == Phase.TURN_UP:
            reader.take(Drawn((_turned_up(token, state.pile + 1, state.unseen, state),)), token)
        else:
            assert isinstance(state.node, Turn)
            reader.take(Acted(state.node.player, token.text), token)
        at += 1


def _read_set_up(tokens: Sequence[Token], reader: RecordReader[State]) -> int:
    """Read the tiles in the centre and the top cards, as far as they go; return the number of tokens read."""
    state = reader.state
    tiles, unseen = list(state.deck.tile_ids), list(state.unseen)
    indices = []
    for number, token in enumerate(tokens):
        if number < OFFERED:
            index = _offered(token, tiles, state)
            del tiles[index]
        else:
            index = _turned_up(token, number - OFFERED + 1, unseen, state)
            del unseen[index]
        indices.append(index)
    if len(indices) == OFFERED + len(PILES):
        reader.take(Drawn(tuple(indices)), tokens[-1])
    return len(tokens)


def _offered(token: Token, left: Sequence[str], state: State) -> int:
    """Return the index, among the tiles that are left, of the one that `token` draws. Raises RecordError."""
    found = _TILE.fullmatch(token.text)
    if not found:
        raise token.error(MacaoCode.TILE_EXPECTED)
    if found[1] not in state.deck.tile:
        raise token.error(MacaoCode.NO_SUCH_TILE, tile=found[1])
    if found[1] not in left:
        raise token.error(MacaoCode.TILE_NOT_LEFT, tile=found[1])
    return left.index(found[1])


def _turned_up(token: Token, pile: int, unseen: Sequence[str], state: State) -> int:
    """Return the index, among the unseen cards, of the one that `token` turns up. Raises RecordError."""
    found = _TURNED_UP.fullmatch(token.text)
    if not found:
        raise token.error(MacaoCode.CARD_EXPECTED, pile=pile)
    if found[1] != str(pile):
        raise token.error(MacaoCode.OTHER_PILE, pile=pile)
    if found[2] not in state.deck.card:
        raise token.error(MacaoCode.NO_SUCH_CARD, card=found[2])
    if found[2] not in unseen:
        raise token.error(MacaoCode.CARD_NOT_LEFT, card=found[2])
    return unseen.index(found[2])


def write(state: State, steps: Sequence[Step]) -> Iterator[str]:
    """Yield a line for the set-up, and one for each round in which something has been decided or drawn."""
    line: list[str] = []
    for step in steps:
        if not line and state.phase != Phase.SET_UP:
            line.append(f"{state.round}.")
        line += _tokens(state, step)
        after = advance(state, step)
        if state.phase == Phase.SET_UP or after.round != state.round:
            yield " ".join(line)
            line = []
        state = after
    if line:
        yield " ".join(line)


def _tokens(state: State, step: Step) -> list[str]:
    """Return the tokens of `step` from `state`."""
    if isinstance(step, Acted):
        return [step.action]
    assert isinstance(step, Drawn)
    unseen = list(state.unseen)
    if state.phase == Phase.TURN_UP:
        return [f"{state.pile + 1}:{unseen[step.indices[0]]}"]
    tiles = list(state.deck.tile_ids)
    offered = [f"tile:{tiles.pop(index)}" for index in step.indices[:OFFERED]]
    tops = [f"{pile}:{unseen.pop(index)}" for pile, index in enumerate(step.indices[OFFERED:], start=1)]
    return offered + tops


def events(before: State, step: Step, after: State) -> Iterator[dict[str, Any]]:
    """Yield an event for each thing that `step` brings about, and at the end the result."""
    for happening in happenings(before, step):
        # what is taken is in the decision, and in the table before it
        if isinstance(happening, RoundBegan):
            yield _table(happening.state)
        elif not isinstance(happening, Taken):
            fields = happening._asdict().items()
            yield {"event": _EVENTS[type(happening)], **{name: _listed(value) for name, value in fields}}
    if isinstance(over := after.node, Terminal):
        yield {
            "event": "result",
            "scores": list(over.scores),
            "winner": over.winner,
            "tiles": [len(side.opened) for side in after.sides],
            "red": [len(side.red) for side in after.sides],
        }


def _listed(value: object) -> object:
    """Return a value of JSON: a list for each tuple in it."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _table(state: State) -> dict[str, Any]:
    """Return the event of a round that begins: the whole table."""
    first, second = state.sides
    fields = zip(first._fields, zip(first, second, strict=True), strict=True)
    return {
        "event": "table",
        "round": state.round,
        "tiles": list(state.centre),
        "piles": _listed(tuple(map(tuple, state.piles))),
        **{name: _listed(pair) for name, pair in fields},
        "coins": [side.coins(state.deck) for side in state.sides],
    }
