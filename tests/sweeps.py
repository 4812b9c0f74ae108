"""Sweeps over many parameters: a plain run strides through them, `--thorough` takes every one."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings


def sweep(
    names: str, values: Iterable[Any], *, every: int, ids: Callable[[Any], str] | Sequence[str] | None = None
) -> pytest.MarkDecorator:
    """Return a `parametrize` of which a plain run takes each `every`th set of values, beginning with the first."""
    several = "," in names
    parameters = (
        pytest.param(*(value if several else (value,)), marks=[pytest.mark.thorough] if index % every else [])
        for index, value in enumerate(values)
    )
    return pytest.mark.parametrize(names, list(parameters), ids=ids)


def examples(slowness: int) -> int:
    """Return how many examples Hypothesis tries of what takes `slowness` times as long as most."""
    return max(1, settings().max_examples // slowness)
