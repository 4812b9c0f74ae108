"""Which text a peer may send, and what becomes of what a person types (SPEC 13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.text import cleaned, is_clean, is_name, is_visible

SPACES = [chr(code) for code in (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)]


@pytest.mark.parametrize("space", [*SPACES, "  ", " \u3000", "\t", "\n"])
def test_white_space_within_text_is_one_space(space: str) -> None:
    assert not is_clean(f"hi{space}there", 400)
    assert cleaned(f"{space}hi{space * 90}there{space}", 400, "") == "hi there"


@given(st.text(max_size=12), st.integers(1, 8))
def test_what_a_person_types_is_clean_or_nothing(text: str, limit: int) -> None:
    kept = cleaned(text, limit, "")
    assert kept == "" or is_clean(kept, limit)


@pytest.mark.parametrize(
    "blank",
    ["\u2800", "\u0301", "\u0336\u0337", "\u0301 \u0301", "\u3164", "\U0001d159", "\U00013441", "\U00016fe4", " "],
)
def test_a_name_that_nobody_sees_is_no_name(blank: str) -> None:
    assert not is_name(blank)
    assert not is_clean(blank, 32) or not is_visible(blank)


@pytest.mark.parametrize("name", ["Ada", "x\u0301", "上海人", "שלום", "मीरा", "🎲", "Ada Lovelace", "."])
def test_a_name_that_somebody_sees_is_one(name: str) -> None:
    assert is_name(name)
