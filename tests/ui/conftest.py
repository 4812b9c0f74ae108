"""Fixtures of the tests of the user interface."""

from collections.abc import Iterator

import pytest

from tests.ui.chrome import Browser, chromium


@pytest.fixture(scope="session")
def opened() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def browser(opened: Browser) -> Browser:
    """Return a browser as people have it, whatever the last test did with it."""
    opened.prefers()
    opened.scripts(on=True)
    opened.sized(1200, 900)
    return opened
