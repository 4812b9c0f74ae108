"""Names that a hasty reader takes for each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.lookalikes import look_alike
from tests.sweeps import together

ALIKE = [
    ("Hanna", "\u041d\u0430nn\u0430"),  # Cyrillic
    ("Hanna", "\u0397\u0430nna"),  # Greek, Cyrillic
    ("HANNA", "\u0397\u0391\u039d\u039d\u0391"),
    ("Max", "\u041c\u0430\u0445"),
    ("Hanna", "hanna"),
    ("Hanna", "Hanna."),
    ("Hanna", "H anna"),
    ("Hanna", "Ha\u0301nna"),
    ("Hanna", "H\u0336anna"),
    ("Hanna", "\uff28anna"),
    ("Hanna", "\U0001d4d7anna"),
    ("Hanna", "Hanna\u2800"),
    ("Otto", "0tto"),
    ("Bill", "Bi11"),
    ("Bill", "BiII"),
    ("Ida", "lda"),
    ("Emma", "Ernma"),
    ("上海", "上 海"),
]


@together(("one", "other"), ALIKE)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Hanna", "Hannah"), ("Ben", "Ben Gunn"), ("Ada", "Ida"), ("!", "?"), ("上海", "北京"), ("Hanna", "")],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other)
    assert not look_alike(other, one)


@given(st.text(max_size=32))
def test_every_name_looks_like_itself(name: str) -> None:
    assert look_alike(name, name)
    assert look_alike(name, name.casefold()) or not name.isascii()
