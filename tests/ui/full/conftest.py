"""Fixtures of the tests of full-screen mode."""

from collections.abc import Iterator

import pytest
from textual._compositor import Compositor

from p2p_shanghaien.ui.language import LANGUAGES, choose


# English is that of all other tests, and German needs the most room
@pytest.fixture(params=[pytest.param(each, marks=[pytest.mark.thorough] * (each != "de")) for each in LANGUAGES])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


@pytest.fixture(autouse=True)
def _drawn_when_looked_at(thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a screen when a test looks at it (`desk.strips`): without a terminal, nobody sees it in between.

    A thorough run draws every change, as a terminal would, which takes a third of the time of these tests.
    """
    if not thorough:
        monkeypatch.setattr(Compositor, "render_update", _drawn)


def _drawn(compositor: Compositor, **_: object) -> None:
    """Take all that has changed for drawn."""
    compositor._dirty_regions = set()  # noqa: SLF001 - Textual has no other way
