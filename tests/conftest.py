"""Every test sees this program in English, whatever the machine's language, and its other catalogues as they are."""

import os

import pytest

from tools.compiling import compile_in_place

os.environ["SHANGHAIEN_LANG"] = "en"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, before the tests are handed out
        compile_in_place()
