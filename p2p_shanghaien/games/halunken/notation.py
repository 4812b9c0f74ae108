"""Halunken's move text and replay events (protocol/RECORD.md, "Halunken & Spelunken")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from p2p_shanghaien.errors import Code, GameCode
from p2p_shanghaien.games.api import Acted, Chosen, Drawn, RecordReader, Step, Terminal, Token, advance
from p2p_shanghaien.games.halunken.happenings import (
    BlackJackMoved,
    CardDrawn,
    DensFilled,
    Displaced,
    FirstRogue,
    HandScored,
    Happening,
    Hired,
    Lost,
    Moved,
    Revealed,
    RoundBegan,
    Stolen,
    TurnedUp,
)
from p2p_shanghaien.games.halunken.rogues import DECK
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, NUMBERS, Phase, State, happenings

_TURNED_UP: Final = re.compile(r"([1-9][0-9]?):([rvgy][1-9][0-9]?)")
_ROGUES: Final = (Phase.FIRST, Phase.TURN_UP)
_EVENTS: Final[dict[type[Happening], str]] = {
    FirstRogue: "first",
    DensFilled: "dens",
    Hired: "hired",
    Revealed: "reveal",
    Moved: "move",
    TurnedUp: "turned",
    Stolen: "theft",
    Displaced: "displaced",
    CardDrawn: "drawn",
    BlackJackMoved: "jack",
    Lost: "lost",
    HandScored: "scored",
}
_RENAMED: Final = {"start": "from", "end": "to"}


class HalunkenCode(Code):
    """Errors in the options and records of this game."""

    UNKNOWN_CHOICE = "halunken:unknown_choice"
    HEADING_EXPECTED = "halunken:heading_expected"
    ROGUE_EXPECTED = "halunken:rogue_expected"
    OTHER_DEN = "halunken:other_den"
    NO_SUCH_ROGUE = "halunken:no_such_rogue"
    ROGUE_NOT_LEFT = "halunken:rogue_not_left"
    CARD_EXPECTED = "halunken:card_expected"
    CARD_NOT_LEFT = "halunken:card_not_left"
    NUMBER_EXPECTED = "halunken:number_expected"
    CHOICES_EXPECTED = "halunken:choices_expected"


def read(tokens: Sequence[Token], reader: RecordReader[State]) -> None:
    """Give `reader` the steps of `tokens`. Raises RecordError."""
    heading = ""
    at = 0
    while at < len(tokens):
        state, token = reader.state, tokens[at]
        if state.phase == Phase.OVER:
            raise token.error(GameCode.AFTER_THE_END)
        if heading != (heading := _heading(state)):
            if token.text != heading:
                raise token.error(HalunkenCode.HEADING_EXPECTED, expected=heading)
            at += 1
        elif state.phase in _ROGUES:
            at += _read_rogues(tokens[at : at + len(state.hidden)], reader)
        else:
            reader.take(_step(state, token), token)
            at += 1


def _heading(state: State) -> str:
    """Return the token that opens this hand's setup or this round."""
    return f"{state.round}." if state.round else f"hand:{state.hand}"


def _read_rogues(tokens: Sequence[Token], reader: RecordReader[State]) -> int:
    """Read the rogues of one draw, as far as they go; return the number of tokens read."""
    dens, pile, indices = reader.state.hidden, list(reader.state.pile), []
    for token, den in zip(tokens, dens, strict=False):
        found = _TURNED_UP.fullmatch(token.text)
        if not found:
            raise token.error(HalunkenCode.ROGUE_EXPECTED, den=den)
        if found[1] != str(den):
            raise token.error(HalunkenCode.OTHER_DEN, den=den)
        rogue = found[2]
        if rogue not in DECK:
            raise token.error(HalunkenCode.NO_SUCH_ROGUE, rogue=rogue)
        if rogue not in pile:
            raise token.error(HalunkenCode.ROGUE_NOT_LEFT, rogue=rogue)
        indices.append(pile.index(rogue))
        pile.remove(rogue)
    if len(indices) == len(dens):
        reader.take(Drawn(tuple(indices)), tokens[-1])
    return len(tokens)


def _step(state: State, token: Token) -> Step:
    """Return the step of one token. Raises RecordError if a draw or both choices are due, and it stands for neither."""
    text = token.text
    if state.phase == Phase.JACK_CARD:
        if len(text) != 3 or not text.startswith("J:") or text[2] not in CARDS:
            raise token.error(HalunkenCode.CARD_EXPECTED)
        if text[2] not in state.cards[JACK]:
            raise token.error(HalunkenCode.CARD_NOT_LEFT, card=text[2], left=" ".join(state.cards[JACK]))
        return Drawn((state.cards[JACK].index(text[2]),))
    if state.phase == Phase.JACK_NUMBER:
        numbers = [f"J={number}" for number in range(1, NUMBERS + 1)]
        if text not in numbers:
            raise token.error(HalunkenCode.NUMBER_EXPECTED)
        return Drawn((numbers.index(text),))
    if state.phase == Phase.CHOICE:
        choices = text.split("/")
        if len(choices) != 2:
            raise token.error(HalunkenCode.CHOICES_EXPECTED)
        return Chosen((choices[0], choices[1]))
    return Acted(state.player, text)


def write(state: State, steps: Sequence[Step]) -> Iterator[str]:
    """Yield one line for each setup of a hand and each round in which something has been decided or drawn."""
    line: list[str] = []
    for step in steps:
        heading = _heading(state)
        line = line or [heading]
        line += _tokens(state, step)
        state = advance(state, step)
        if heading != _heading(state):
            yield " ".join(line)
            line = []
    if line or not steps:
        yield " ".join(line)


def _tokens(state: State, step: Step) -> list[str]:
    """Return the tokens of `step` from `state`."""
    match step:
        case Acted(_, action):
            return [action]
        case Chosen(actions):
            return ["/".join(actions)]
    if state.phase == Phase.JACK_CARD:
        return [f"J:{state.cards[JACK][step.indices[0]]}"]
    if state.phase == Phase.JACK_NUMBER:
        return [f"J={step.indices[0] + 1}"]
    pile = list(state.pile)
    return [f"{den}:{pile.pop(index)}" for den, index in zip(state.hidden, step.indices, strict=True)]


def events(before: State, step: Step, after: State, earlier: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield an event for each thing that `step` brings about, and at the end the result, hand by hand."""
    new = [_event(happening) for happening in happenings(before, step)]
    yield from new
    if isinstance(over := after.node, Terminal):
        hands = [event["points"] for event in (*earlier, *new) if event["event"] == "scored"]
        yield {"event": "result", "scores": list(over.scores), "winner": over.winner, "hands": hands}


def _event(happening: Happening) -> dict[str, Any]:
    if isinstance(happening, RoundBegan):
        return _round(happening.state)
    fields = happening._asdict().items()
    return {"event": _EVENTS[type(happening)], **{_RENAMED.get(name, name): _listed(value) for name, value in fields}}


def _listed(value: object) -> object:
    """Return a value of JSON: a list for each tuple in it."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _round(state: State) -> dict[str, Any]:
    """Return the event of a round that begins: the whole table."""
    return {
        "event": "round",
        "hand": state.hand,
        "round": state.round,
        "opener": state.opener,
        "captains": _listed(state.captains),
        "jack": state.jack or None,
        "crews": _listed(state.crews),
        "boat": _listed(state.boat),
        "tops": [top or None for top in state.tops],
        "left": _listed(state.left),
        "cards": _listed(state.cards),
    }
