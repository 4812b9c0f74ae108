"""Fixtures of the tests of full-screen mode."""

from collections.abc import Iterator

import pytest

from p2p_shanghaien.ui.language import LANGUAGES, choose


# English is that of all other tests, and French and German need the most room
@pytest.fixture(
    params=[pytest.param(each, marks=[pytest.mark.thorough] * (each in ("en", "it"))) for each in LANGUAGES]
)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")
