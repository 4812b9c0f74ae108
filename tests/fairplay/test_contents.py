"""Contents of entries have the form that SPEC 5.4 gives, and each entry moves the game once."""

import random
from collections import Counter
from typing import Any

import pytest

from p2p_shanghaien.errors import FairplayCode
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.contents import (
    Abandonment,
    Action,
    ChoiceCommit,
    ChoiceContribution,
    ChoiceReveal,
    Content,
    DrawCommit,
    DrawContribution,
    DrawReveal,
    Kind,
    Resignation,
    Result,
    Unreadable,
    kind_of,
    read,
)
from tests.pair import make_pair
from tests.sweeps import together
from tests.toy import State, Toy

HASH, SIGNATURE = b"\x01" * 32, b"\x02" * 64

FORMS: list[tuple[str, tuple[Any, ...], Content]] = [
    ("draw_commit", (HASH,), DrawCommit(HASH)),
    ("draw_contribution", (HASH,), DrawContribution(HASH)),
    ("draw_reveal", (HASH, None), DrawReveal(HASH)),
    ("draw_reveal", (HASH, HASH), DrawReveal(HASH, HASH)),
    ("action", ("roll", None), Action("roll")),
    ("action", ("roll", HASH), Action("roll", HASH)),
    ("choice_commit", (HASH,), ChoiceCommit(HASH)),
    ("choice_contribution", ("1",), ChoiceContribution("1")),
    ("choice_reveal", ("1", HASH, None), ChoiceReveal("1", HASH)),
    ("choice_reveal", ("1", HASH, HASH), ChoiceReveal("1", HASH, HASH)),
    ("resignation", (1, HASH, SIGNATURE), Resignation(1, HASH, SIGNATURE)),
    ("abandonment", (SIGNATURE,), Abandonment(SIGNATURE)),
    ("result", ("over", (3, 4), 1), Result("over", (3, 4), 1)),
    ("result", ("over", (3, 3), None), Result("over", (3, 3))),
    ("result", ("resigned", None, 0), Result("resigned", None, 0)),
    ("result", ("abandoned", None, None), Result("abandoned")),
]


@together(("kind", "values", "content"), FORMS)
def test_each_content_is_encoded_as_the_specification_says_and_read_back(
    kind: str, values: tuple[Any, ...], content: Content
) -> None:
    assert encode(content) == encode(values)
    again = read(kind, encode(values))
    assert again == content
    assert type(again) is type(content)
    assert kind_of(content) == kind


def test_every_kind_has_a_form() -> None:
    assert {kind for kind, _, _ in FORMS} == set(Kind)


@together(("kind", "values", "content"), FORMS)
def test_content_with_an_item_too_many_or_too_few_is_unreadable(
    kind: str, values: tuple[Any, ...], content: Content
) -> None:
    code = FairplayCode.WRONG_RESULT if kind == "result" else FairplayCode.MALFORMED_CONTENT
    for other in (values[:-1], (*values, None), ()):
        assert read(kind, encode(other)) == Unreadable(kind, code)
    assert read(kind, encode(values) + b"\0") == Unreadable(kind, FairplayCode.MALFORMED_CONTENT)
    assert read("cheat", encode(values)) == Unreadable("cheat", FairplayCode.MALFORMED_CONTENT)


def test_a_boolean_is_no_seat_and_no_score() -> None:
    for values in (("over", (True, 0), 1), ("over", (1, 0), True), ("resigned", None, False)):
        assert read("result", encode(values)) == Unreadable("result", FairplayCode.WRONG_RESULT)
    assert read("resignation", encode((True, HASH, SIGNATURE))) == Unreadable(
        "resignation", FairplayCode.MALFORMED_CONTENT
    )


@pytest.mark.parametrize("opening", ["bid", "draw", "turn"])
def test_each_entry_moves_the_game_once_at_either_side(monkeypatch: pytest.MonkeyPatch, opening: str) -> None:
    """The need for a commitment is known without trying the entry twice."""
    calls: Counter[str] = Counter()

    def counted(name: str) -> None:
        original = getattr(State, name)

        def method(self: State, *arguments: Any) -> Any:
            calls[name] += 1
            return original(self, *arguments)

        monkeypatch.setattr(State, name, method)

    for name in ("apply", "apply_joint", "apply_chance"):
        counted(name)
    rng = random.Random(1)
    pair = make_pair(rng, Toy(opening=opening))
    pair.play(rng)
    kinds = Counter(entry.kind for entry in pair.sides[0].endpoint.entries)
    assert calls["apply"] == 2 * kinds["action"]
    assert calls["apply_joint"] == 2 * kinds["choice_reveal"]
    empty = 0 if opening == "draw" else 1
    # an opening draw without bounds of the game draws nothing
    assert calls["apply_chance"] == 2 * (kinds["draw_reveal"] - empty)
    assert sum(calls.values()) > 10
