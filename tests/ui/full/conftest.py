"""What several tests of the full screen are given."""

from collections.abc import Iterator

import pytest

from p2p_shanghaien.ui.language import LANGUAGES, choose


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")
