"""Sweeps over many parameters: a plain run strides through them, `--thorough` takes every one."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
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


def together(
    names: str | Sequence[str], values: Iterable[Any], *, ids: Callable[[Any], str] | Iterable[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run one test for all sets of values, instead of one test for each, as `parametrize` does.

    It is for hundreds of cases that take less time than pytest spends on a test. They share what fixtures give. The
    first that fails ends the test, and is named in what pytest prints.
    """
    called = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    cases = list(values)
    labels = [ids(case) for case in cases] if callable(ids) else list(ids or map(repr, cases))

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**others: object) -> None:
            assert cases
            for label, case in zip(labels, cases, strict=True):
                try:
                    test(**dict(zip(called, case if len(called) > 1 else [case], strict=True)), **others)
                except BaseException as error:
                    error.add_note(f"in the case of {label}")
                    raise

        whole = signature(test)
        fixtures = [given for name, given in whole.parameters.items() if name not in called]
        # pytest reads which fixtures it takes
        run.__signature__ = whole.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate
