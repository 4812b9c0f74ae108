"""Vectors of games, and those of SPEC section 12 and of RECORD.md: positions of Shanghaien, and text records."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from p2p_shanghaien.errors import RecordError
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Game, S, Simultaneous, Step, Turn, advance, deciders
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import State
from protocol.making.common import Vector, plain, some_bytes
from protocol.making.table import KNOWN, Decide, at_random, tricky

PLACING = 5
"""The phase in which a trick has been played and a die is placed next."""


def walk(game: Game[S], label: str, decide: Decide) -> tuple[Sequence[Step], Sequence[S]]:
    """Return a whole game: its steps, and the state before each and after the last."""
    steps: list[Step] = []
    states = [game.start()]
    while True:
        number = len(steps)
        match states[-1].node:
            case Chance(bounds):
                dice = some_bytes(f"{label}/{number}", 4 * len(bounds))
                draws = [int.from_bytes(dice[4 * at :][:4], "big") % bound for at, bound in enumerate(bounds)]
                steps.append(Drawn(tuple(draws)))
            case Turn(player):
                steps.append(Acted(player, decide(number, states[-1].legal(player))))
            case Simultaneous():
                first, second = states[-1].legal(0), states[-1].legal(1)
                steps.append(Chosen((decide(number, first), decide(-number, second))))
            case _:
                return steps, states
        after = advance(states[-1], steps[-1])
        states.append(after)


def states() -> Iterator[Vector]:
    """Positions with the steps that lead to them, their encodings and their hashes."""
    standard, extra = Shanghaien(), Shanghaien("extra-wild", (2, 3, 3))
    steps, positions = walk(standard, "standard", at_random("standard"))
    yield state("start", "before anything is drawn", standard, steps[:0], positions[0], None)
    yield state("first-row", "a row is laid out", standard, steps[:1], positions[1], 0)
    yield state("first-row-guest", "the same where player 0 sits at seat 1", standard, steps[:1], positions[1], 1)
    yield state("rolling", "a roll is chosen", standard, steps[:2], positions[2], 0)
    yield state("rolled", "dice are drawn", standard, steps[:3], positions[3], 0)
    yield state("placed", "a die lies, the direction is fixed", standard, steps[:4], positions[4], 1)
    second = next(at for at, state in enumerate(positions) if state.round == 2)
    yield state("second-round", "cards are distributed", standard, steps[:second], positions[second], 0)
    yield state("over", "a whole game", standard, steps, positions[-1], 1)
    yield state("extra-start", "the variant, before anything is drawn", extra, [], extra.start(), None)
    games = [walk(extra, f"extra {n}", tricky(f"extra {n}")) for n in range(8)]
    for trick in ("!p+", "!p-", "!b", "!r", "!p=", "!b=", "!r=", "!w="):
        at, steps, positions = _first(trick, games)
        yield state(f"after-{trick}", f"after the trick {trick}", extra, steps[:at], positions[at], 0)
        if trick == "!r":
            yield state("rolled-again", "after the second roll", extra, steps[: at + 1], positions[at + 1], 1)
    wanted: tuple[tuple[str, str, Callable[[State], bool]], ...] = (
        ("six-dice", "a player has placed six dice", lambda state: max(map(sum, state.placed)) == 6),
        ("p-pair", "!p has made a pair", lambda state: state.phase == PLACING and len(set(state.dice)) == 1),
    )
    for name, comment, holds in wanted:
        steps, positions, at = next(_found(extra, holds))
        yield state(name, comment, extra, steps[:at], positions[at], 0)
    steps, positions = games[0]
    yield state("extra-over", "a whole game of the variant", extra, steps, positions[-1], 0)
    for number, (steps, positions) in enumerate(games[1:]):
        # whatever went wrong on the way shows at the end
        yield state(f"over-{number}", "a whole game with many tricks", extra, steps, positions[-1], 0)
    for name, comment, lower, higher in (
        ("neighbours-higher", "a card would be taken otherwise if dice on the next number counted one more", 0, 1),
        ("neighbours-lower", "if those on the number before did", 1, 0),
        ("neighbours-alike", "if both counted the number of the card", 1, -1),
    ):
        steps, positions, at = next(_by_neighbours(extra, lower, higher))
        yield state(name, comment, extra, steps[:at], positions[at], 0)


def _by_neighbours(game: Shanghaien, lower: int, higher: int) -> Iterator[tuple[Sequence[Step], Sequence[State], int]]:
    """Yield games, and the end of a round in which the dice beside a number decide.

    It would be decided otherwise if those on the lower and on the higher number counted so much more.
    """
    for number in count():
        steps, positions = walk(game, f"neighbours {number}", at_random(f"neighbours {number}"))
        for at, step in enumerate(steps):
            if isinstance(step, Acted) and step.action == "#":
                mine, yours = positions[at].placed
                for place in (place for place in range(6) if mine[place] == yours[place] > 0):
                    true, false = (
                        _compared(_beside(mine, place, *more), _beside(yours, place, *more))
                        for more in ((0, 0), (lower, higher))
                    )
                    if true and true != false:
                        yield steps, positions, at + 1


def _beside(dice: Sequence[int], place: int, lower: int, higher: int) -> int:
    """Return the sum of the dice beside a number, which stands at `place` from 0."""
    below = dice[place - 1] * (place + lower) if place else 0
    return below + (dice[place + 1] * (place + 2 + higher) if place < 5 else 0)


def _compared(one: int, other: int) -> int:
    return (one > other) - (one < other)


def _found(game: Shanghaien, holds: Callable[[State], bool]) -> Iterator[tuple[Sequence[Step], Sequence[State], int]]:
    """Games with tricks, and the first place in each where the position is as wanted, just after an action."""
    for number in count():
        steps, positions = walk(game, f"wanted {number}", at_random(f"wanted {number}"))
        for at, step in enumerate(steps, 1):
            if isinstance(step, Acted) and holds(positions[at]):
                yield steps, positions, at
                break


def _first(
    trick: str, games: Sequence[tuple[Sequence[Step], Sequence[State]]]
) -> tuple[int, Sequence[Step], Sequence[State]]:
    """Return the shortest way, in all these games, to a position just after a trick of this kind."""
    return min(
        (
            (at, steps, positions)
            for steps, positions in games
            for at, step in enumerate(steps, 1)
            if isinstance(step, Acted) and _plays(step.action, trick)
        ),
        key=lambda found: found[0],
    )


def _plays(action: str, trick: str) -> bool:
    """Return whether an action is of a kind: `!b` and `!r` are their own effects, not jokers."""
    return action.startswith(trick) and (trick[-1] in "+-=" or "=" not in action)


def state(name: str, comment: str, game: Game[S], steps: Sequence[Step], position: S, first: int | None) -> Vector:
    """Return a position with the steps that lead to it."""
    return {
        "id": name,
        "comment": comment,
        "settings": plain(game.settings),
        "steps": [list(step.indices) if isinstance(step, Drawn) else _spelled(step) for step in steps],
        "first": first,
        "value": plain(position.encode()),
        "data": encode(position.encode()).hex(),
        "hash": tagged_hash(Tag.STATE, first, position.encode()).hex(),
        "legal": [sorted(position.legal(player)) if player in deciders(position.node) else [] for player in (0, 1)],
    }


def _spelled(step: Acted | Chosen) -> str:
    return step.action if isinstance(step, Acted) else "/".join(step.actions)


_HEAD = '[Game "shanghaien"]\n'
_ROW = "1. D1 F4 T1 Xp A3 A4"
_ROUND = f"{_ROW} 56-5< 25-5 34-4 11-1 #"
_VALID: tuple[tuple[str, str, str], ...] = (
    ("game-alone", "only Game is required", _HEAD),
    ("round-alone", "the row is not drawn yet", _HEAD + "1."),
    ("row-partly", "a row may break off", _HEAD + "1. D1 F4"),
    ("row", "a row", _HEAD + _ROW),
    ("roll", "a roll is chosen", _HEAD + _ROW + " roll"),
    ("dice", "a roll, in either order", _HEAD + _ROW + " 65"),
    ("placed", "number 1 is the right end", _HEAD + _ROW + " 56-6>"),
    ("round", "a whole round", _HEAD + _ROUND),
    ("round-open", "the next round's row is not drawn yet", _HEAD + _ROUND + "\n2."),
    (
        "lines",
        "a round over several lines, with comments",
        _HEAD + _ROW + " ; the row\n56-5<\n\n; nothing\n\t25-5 34-4;x",
    ),
    ("crlf", "lines that end in CRLF", _HEAD.replace("\n", "\r\n") + _ROUND + "\r\n"),
    ("bom", "a byte order mark is skipped", "\ufeff" + _HEAD + _ROW),
    ("names", "names with escapes", _HEAD + '[First "\\"A\\\\B\\""][Second "Ren\u00e9"]\n'),
    ("settings", "the variant", _HEAD + '[Variant "extra-wild"]\n[Tricks "p8 b0 r0"]\n'),
    ("tags", "unknown tags are kept", _HEAD + '[Event "Club"]\n[Date "2020-02-02"]\n' + _ROW),
    ("resigned", "ended by a resignation", _HEAD + '[Ended "1 resigned"]\n' + _ROW + " 56"),
    ("abandoned", "ended by consent", _HEAD + '[Ended "abandoned"]\n'),
)
_TRICK_HEAD = _HEAD + '[Variant "extra-wild"]\n'
_TRICKS = f"{_ROUND}\n2. S4 F2 D3 I3 Xb S3"
_VALID_TRICKS: tuple[tuple[str, str, str], ...] = (
    ("joker", "a joker, then a die", " 45!w=D-5<"),
    ("joker-open", "a joker, nothing placed yet", " 45!w=D"),
)
_INVALID: tuple[tuple[str, str, str], ...] = (
    ("empty", "nothing", ""),
    ("no-game", "no Game tag", '[First "Ada"]\n'),
    ("unknown-game", "another game", '[Game "chess"]\n'),
    ("bad-tag", "a tag without quotes", "[Game shanghaien]\n"),
    ("bad-escape", "an escape that is none", _HEAD + '[First "A\\n"]\n'),
    ("open-tag", "a tag that is not closed", _HEAD + '[First "Ada"\n'),
    ("tag-twice", "a tag twice", _HEAD + _HEAD),
    ("tag-late", "a tag after the moves", _HEAD + _ROW + '\n[First "Ada"]\n'),
    ("bad-variant", "no such variant", _HEAD + '[Variant "wild"]\n'),
    ("bad-tricks", "nine trick cards", _HEAD + '[Tricks "p3 b3 r3"]\n'),
    ("tricks-commas", "trick counts with commas", _HEAD + '[Tricks "p2,b3,r3"]\n'),
    ("bad-ended", "no such end", _HEAD + '[Ended "2 resigned"]\n'),
    ("result-early", "a result before the end", _HEAD + '[Result "26-27"]\n' + _ROW),
    ("no-round", "a row without its number", _HEAD + "D1 F4"),
    ("round-number", "round 2 first", _HEAD + "2. D1"),
    ("not-a-card", "a card that does not exist", _HEAD + "1. D1 D5"),
    ("small-letter", "a card in small letters", _HEAD + "1. d1"),
    ("wild-in-row", "a card that is not in the deck", _HEAD + "1. Xw"),
    ("card-twice", "a card drawn twice", _HEAD + "1. D1 F4 D1"),
    ("third-three", "a nationality has two 3s", _HEAD + "1. D3 D3 D3"),
    ("not-a-turn", "a word that is no turn", _HEAD + _ROW + " hello"),
    ("die-7", "a die that shows 7", _HEAD + _ROW + " 17-1<"),
    ("no-direction", "the first die without an end", _HEAD + _ROW + " 56-5"),
    ("second-direction", "an end where it is fixed", _HEAD + _ROW + " 56-5< 25-5<"),
    ("other-die", "a die that was not rolled", _HEAD + _ROW + " 56-4<"),
    ("placed-twice", "both dice without the trick", _HEAD + _ROW + " 56-5<-6"),
    ("early-shanghai", "Shanghai with one die placed", _HEAD + _ROW + " 56-5< 25-5 #"),
    ("late-roll", "roll where more follows", _HEAD + _ROW + " roll 56-5<"),
    ("unfinished-turn", "a turn left open where more follows", _HEAD + _ROW + " 56 25-5"),
    ("no-trick", "a trick that is not held", _HEAD + _ROW + " 56!r"),
    ("no-sailor", "a joker without a sailor", _TRICK_HEAD + _ROW + " 56!w=A"),
    ("bad-joker", "no such nationality", _TRICK_HEAD + _ROW + " 56!w=B"),
    ("no-break-space", "white space that is none", _HEAD + _ROW + "\u00a056-5<"),
    ("column-wide", "columns count characters", _HEAD + '[First "\u4e0a\u6d77"] [Second]\n'),
)


def records() -> Iterator[Vector]:
    """Records with the replay's events and their canonical spelling, and texts that are none, with the place."""
    for name, comment, text in _VALID:
        yield text_record(name, comment, text.encode(), fine=True)
    for name, comment, more in _VALID_TRICKS:
        yield text_record(name, comment, (_TRICK_HEAD + _TRICKS + more).encode(), fine=True)
    whole = _whole()
    yield text_record("whole", "a whole game", whole.encode(), fine=True)
    tagged = whole.replace(_HEAD, _HEAD + "{}", 1)
    for name, comment, tag in (
        ("wrong-result", "a result that does not follow", whole.replace('Result "', 'Result "1')),
        ("ended-but-over", "ended, and yet over", tagged.format('[Ended "abandoned"]\n')),
        ("after-the-end", "a word after the end", whole + "9."),
    ):
        yield text_record(name, comment, tag.encode(), fine=False)
    for name, comment, text in _INVALID:
        yield text_record(name, comment, text.encode(), fine=False)
    yield text_record("not-utf8", "a byte that is no UTF-8", _HEAD.encode() + b"1. D1 \xff", fine=False)
    yield text_record("nul", "a zero", _HEAD.encode() + b"1.\0", fine=False)


def _whole() -> str:
    game = Shanghaien("extra-wild", (2, 3, 3))
    steps, _ = walk(game, "record", tricky("record"))
    return record.write(record.Record(game, ("Ada", "Ben"), tuple(steps)))


def text_record(name: str, comment: str, data: bytes, *, fine: bool) -> Vector:
    """Return a record with its events, or with the place of its error."""
    vector: dict[str, Any] = {"id": name, "comment": comment, "data": data.hex()}
    try:
        read = record.read(data, KNOWN)
    except RecordError as error:
        if fine:
            raise
        where = {"line": error.line, "column": error.column, "token": error.token}
        return {**vector, "result": "invalid", "reason": error.code.unqualified, **where}
    if not fine:
        raise AssertionError(f"{name} was read")
    return {**vector, "result": "valid", "canonical": record.write(read), "events": list(record.events(read))}
