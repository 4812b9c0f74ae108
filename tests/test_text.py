"""Text that a peer may send, and the treatment of typed text (SPEC 13)."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.text import FORBIDDEN, cleaned, is_clean, is_name, is_permitted, is_visible
from p2p_shanghaien.unassigned import RANGES, is_unassigned
from tests.sweeps import together

SPACES = [chr(code) for code in (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)]


@together("space", [*SPACES, "  ", " \u3000", "\t", "\n"])
def test_white_space_within_text_is_one_space(space: str) -> None:
    assert not is_clean(f"hi{space}there", 400)
    assert cleaned(f"{space}hi{space * 90}there{space}", 400, "") == "hi there"


@given(st.text(max_size=12), st.integers(1, 8))
def test_what_a_person_types_is_clean_or_nothing(text: str, limit: int) -> None:
    kept = cleaned(text, limit, "")
    assert kept == "" or is_clean(kept, limit)


@together(
    "blank",
    ["\u2800", "\u0301", "\u0336\u0337", "\u0301 \u0301", "\u3164", "\U0001d159", "\U00013441", "\U00016fe4", " "],
)
def test_a_name_that_nobody_sees_is_no_name(blank: str) -> None:
    assert not is_name(blank)
    assert not is_clean(blank, 32) or not is_visible(blank)


@together("name", ["Ada", "x\u0301", "上海人", "שלום", "मीरा", "🎲", "Ada Lovelace", "."])
def test_a_name_that_somebody_sees_is_one(name: str) -> None:
    assert is_name(name)


def test_ranges_of_unassigned_code_points_are_apart_and_in_order() -> None:
    ends = [end for bounds in RANGES for end in bounds]
    assert ends == sorted(ends)
    assert all(second - first > 1 for (_, first), (second, _) in pairwise(RANGES))
    for first, last in RANGES:
        assert is_unassigned(chr(first))
        assert is_unassigned(chr(last))
        assert not is_unassigned(chr(first - 1))
        assert not is_unassigned(chr(last + 1))


def test_what_no_version_of_unicode_has_is_unassigned() -> None:
    """Python 3.11 has Unicode 14.0, later ones have later versions: what these lack, 14.0 lacked."""
    forbidden = {code for first, last in FORBIDDEN for code in range(first, last + 1)}
    listed = {code for first, last in RANGES for code in range(first, last + 1)}
    lacking = {code for code in range(0x110000) if unicodedata.category(chr(code)) == "Cn"} - forbidden
    assert lacking <= listed
    assert not forbidden & listed
    if unicodedata.unidata_version == "14.0.0":
        assert lacking == listed


@pytest.mark.parametrize("text", ["e\u0301", "\u212b"])
def test_a_normal_form_is_asked_for_by_players_alone(text: str) -> None:
    assert is_permitted(text, 32)
    assert not is_clean(text, 32)


@pytest.mark.parametrize("younger", ["\U000105d2\u0307", "b\u0301\U00010efd", "\U0001fae8"])
def test_what_is_younger_than_unicode_14_is_refused_by_everybody(younger: str) -> None:
    assert not is_permitted(younger, 32)
    assert cleaned(f"Ada {younger}", 32, "") in {"Ada", "Ada \u0307", "Ada b\u0301"}
