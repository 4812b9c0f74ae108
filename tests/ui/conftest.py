"""Fixtures of the tests of the user interface."""

from collections.abc import Iterator

import pytest

from tests.ui.chrome import Browser, chromium
from tests.ui.firefox import Firefox, firefox


@pytest.fixture(scope="session")
def opened() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as tab:
        yield tab


@pytest.fixture
def browser(opened: Browser) -> Browser:
    """Return a browser as people have it, whatever the last test did with it."""
    opened.prefers()
    opened.scripts(on=True)
    opened.sized(1200, 900)
    return opened
