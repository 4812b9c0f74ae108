"""The fairness of dice and cards: observed and expected counts, and the results of the tests."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from p2p_shanghaien.analysis.dedupe import SAME_GAME, Counted, LeftOut
from p2p_shanghaien.analysis.draws import Draws
from p2p_shanghaien.analysis.fairness import (
    POWER,
    SIMULATIONS,
    TELLING,
    Finding,
    Findings,
    Group,
    Sensitivity,
    Tails,
    dice_needed,
)
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.ui.characters import UNICODE, Charset
from p2p_shanghaien.ui.naming import is_unmistakable
from p2p_shanghaien.ui.verdicts import game_with_options, summary
from p2p_shanghaien.ui.words import describe, has_words, say

WIDTH: Final = 78
"""The width of a table."""
FEW_COPIES: Final = 4
"""Copies that are listed one by one; the fields name them all."""


class _Tested(NamedTuple):
    """The draws of a group, and the results of their tests; `title` is the game with the options that matter."""

    game: str
    title: str
    draws: Draws
    result: Findings


def lines(
    groups: Sequence[Group],
    left: Sequence[LeftOut],
    called: Callable[[str], str | ShortName],
    width: int,
    charset: Charset = UNICODE,
) -> Iterator[str]:
    """Yield a conclusion in a sentence, the files left out, and each group's draws and tests, with what they can show.

    Files have the names for people that `called` gives them. Tables have at most `width` columns, and
    the characters of `charset`.
    """
    names = [each.game for each in groups]
    titles = [game_with_options(each.game, each.settings if names.count(each.game) > 1 else {}) for each in groups]
    tested = [
        _Tested(group.game, title, group.draws, group.findings)
        for group, title in zip(groups, titles, strict=True)
        if group.draws and group.findings
    ]
    if tested or not groups:
        yield _conclusion(tested)
    if tested and left:
        yield ""
    copies = [each for each in left if each.reason == SAME_GAME]
    told = left if len(copies) <= FEW_COPIES else [each for each in left if each not in copies]
    yield from (_why_not(each, called) for each in told)
    if len(copies) > FEW_COPIES:
        yield say("dice_copies", count=len(copies))
    for number, (group, title) in enumerate(zip(groups, titles, strict=True)):
        if number or tested:
            yield ""
        if group.draws and group.findings:
            yield from _group(_Tested(group.game, title, group.draws, group.findings), width, charset)
        else:
            code = "dice_untold" if group.is_signed else "dice_untold_unsigned"
            yield say(code, game=title, count=len(group.games))
    if tested:
        yield ""
        yield from _overall(tested)
        if all(group.is_signed for group in groups):
            yield say("dice_proof")


def _conclusion(tested: Sequence[_Tested]) -> str:
    """Return what all tests together say, for somebody who knows nothing of tests."""
    if not tested:
        return say("dice_nothing")
    group, test = _strangest(tested)
    if group.result.is_strange:
        return say("dice_looks_unfair", test=test)
    code = "dice_looks_fair" if any(each.result.says_much for each in tested) else "dice_looks_unknown"
    return say(code, count=sum(each.draws.games for each in tested))


def _why_not(left: LeftOut, called: Callable[[str], str | ShortName]) -> str:
    reason = ""
    if isinstance(left.found, Report):
        reason = summary(left.found)
    elif isinstance(left.found, ShanghaienError):
        reason = describe(left.found)
    other = called(left.other) if left.other else ""
    return say(f"dice_left_{left.reason}", file=called(left.name), other=other, reason=reason)


def _group(group: _Tested, width: int, charset: Charset) -> Iterator[str]:
    found = group.draws
    rolls = found.thrown()
    thrown = sum(len(dice) * count for dice, count in rolls.items())
    cards = sum(len(deal) for game in found.dealt for deal in game.deals)
    code = "dice_counted" if thrown else "dice_counted_cards"
    yield say(code, game=group.title, count=found.games, rolls=rolls.total(), dice=thrown, cards=cards)
    if found.unrevealed:
        yield say("dice_unrevealed", count=found.unrevealed)
    yield say("dice_tables")
    for test in group.result.tests:
        yield ""
        yield _title(test, group)
        yield from _table(test, min(WIDTH, width), charset)
        yield from (f"  {line}" for line in _told(test.tails))


def _title(test: Finding, group: _Tested) -> str:
    found = group.draws
    details = {"name": found.names[test.key], "fingerprint": shown_key(test.key)} if test.key is not None else {}
    grouping = test.code.removeprefix("cards_")
    code = f"dice_{test.code}" if grouping == test.code else f"{group.game}:{test.code}"
    if test.key is not None and is_unmistakable(found.names[test.key], found.names.values()):
        code = "dice_faces_name"
    # a game that has no words for one of its groupings of cards has its tests all the same
    title = say(code, **details) if has_words(code) else say("dice_cards", grouping=grouping)
    # where all dice are alike, it need not be said which are meant
    is_needed = test.dice and len({tuple(die.sides for die in roll) for roll in found.thrown()}) > 1
    return say("dice_title", title=title, text=_notation(test.dice)) if is_needed else title


def _notation(dice: Sequence[int]) -> str:
    """Return dice as players write them: d6 for one, 2d6 + 1d8 for more."""
    if len(dice) == 1:
        return say("dice_die", sides=dice[0])
    kinds = dict.fromkeys(dice)
    return " + ".join(say("dice_number", number=dice.count(sides), die=_notation((sides,))) for sides in kinds)


def _table(test: Finding, width: int, charset: Charset) -> Iterator[str]:
    """Yield observed and expected counts, as many columns beside each other as there is room for."""
    cells = [
        [f"{seen}/{_rounded(expected)}" for seen, expected in zip(*row, strict=True)]
        for row in zip(test.seen, test.expected, strict=True)
    ]
    named = test.code in ("doubles", "starts")
    columns = [charset.say(f"dice_label_{label}") if named else label for label in test.columns]
    cell = 2 + max(len(text) for text in [*columns, *(text for row in cells for text in row)])
    margin = max(4, 2 + max(map(len, test.rows)))
    room = max(1, (width - margin) // cell)
    for start in range(0, len(columns), room):
        part = slice(start, start + room)
        yield " " * margin + "".join(label.rjust(cell) for label in columns[part])
        for label, row in zip(test.rows, cells, strict=True):
            yield label.rjust(margin) + "".join(text.rjust(cell) for text in row[part])


def _rounded(expected: float) -> str:
    return f"{expected:.1f}" if expected < 100 else f"{expected:.0f}"


def _told(chance: Tails) -> Iterator[str]:
    too_even = chance.even < chance.uneven and chance.strange < 0.05
    rate = chance.even if too_even else chance.uneven
    method = say(
        f"dice_by_{chance.method}", statistic=f"{chance.statistic:.2f}", freedom=chance.freedom, count=SIMULATIONS
    )
    yield say("dice_even" if too_even else "dice_uneven", rate=_rate(rate), method=method, p=f"{rate:.2g}")


def _rate(chance: float) -> str:
    """Return a probability as a number out of a hundred, of a thousand, or of ten thousand."""
    for total in (100, 1_000, 10_000):
        if total * chance >= 1:
            return say("dice_rate", count=round(total * chance), total=total)
    return say("dice_rate_below", total=10_000)


def _overall(tested: Sequence[_Tested]) -> Iterator[str]:
    """Yield the result of all tests together, and the bias that they can show."""
    group, test = _strangest(tested)
    strangest = group.result
    code = "dice_strange" if strangest.is_strange else "dice_extreme"
    yield say(code, count=strangest.family, rate=_rate(strangest.strange), test=test)
    for _, title, found, result in tested:
        for each in result.sensitivities:
            which = [title] * (len(tested) > 1) + [_notation((each.sides,))] * (len(result.sensitivities) > 1)
            yield from _power(each, which, found.games, result.family)


def _strangest(tested: Sequence[_Tested]) -> tuple[_Tested, str]:
    """Return the group with the most extreme result, and the title of the test that has it."""
    group = min(tested, key=lambda each: each.result.strange)
    worst = next(test for test in group.result.tests if test.adjusted == group.result.strange)
    test = _title(worst, group)
    return group, test if len(tested) == 1 else say("dice_title", title=group.title, text=test)


def _power(found: Sensitivity, which: Sequence[str], games: int, tests: int) -> Iterator[str]:
    """Yield the bias of a face that so many dice can show; `which` says which dice, if that is needed."""
    fair = 1 / found.sides
    code = "dice_power" if found.least + fair <= 1 else "dice_powerless"
    power = say(code, dice=found.dice, biased=_percent(fair + found.least), fair=_percent(fair))
    yield say("dice_title", title=", ".join(which), text=power) if which else power
    for wanted in (100 * TELLING, 2, 1):
        if wanted < 100 * found.least:
            needed = dice_needed(wanted / 100, found.sides, tests)
            biased, games = _percent(fair + wanted / 100), -(-needed * games // found.dice)
            yield say("dice_needed", biased=biased, fair=_percent(fair), needed=needed, games=games)
            return


def _percent(share: float) -> str:
    return f"{100 * share:{'.1f' if share >= 0.01 else '.2g'}}"


def fields(groups: Sequence[Group], counted: Sequence[Counted], left: Sequence[LeftOut]) -> dict[str, Any]:
    """Return the result for other programs. Probabilities are not percentages."""
    return {"files": _files(counted, left), "games": list(map(_fields, groups))}


def _files(counted: Sequence[Counted], left: Sequence[LeftOut]) -> Sequence[dict[str, Any]]:
    return [{"file": game.name, "counted": True, "signed": game.report is not None} for game in counted] + [
        {"file": each.name, "counted": False, "reason": each.reason, **({"other": each.other} if each.other else {})}
        for each in left
    ]


def _fields(group: Group) -> dict[str, Any]:
    found, result = group.draws, group.findings
    about = {"game": group.game, "settings": group.settings, "counted": len(group.games)}
    if not found or not result:
        return {**about, "chance_model": False, "tests": []}
    return {
        **about,
        "chance_model": True,
        "rolls": found.thrown().total(),
        "unrevealed": found.unrevealed,
        "strange": result.strange,
        "least_bias": result.least,
        "dice": [{"sides": each.sides, "thrown": each.dice, "least_bias": each.least} for each in result.sensitivities],
        "power": POWER,
        "tests": [
            {
                "test": test.code,
                "dice": test.dice,
                "key": test.key.hex() if test.key else None,
                "rows": test.rows,
                "columns": test.columns,
                "seen": test.seen,
                "expected": test.expected,
                **test.tails._asdict(),
                "strange": test.tails.strange,
                "adjusted": test.adjusted,
            }
            for test in result.tests
        ],
    }
