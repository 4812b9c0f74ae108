"""Errors as values: they are copied and sent to other processes whole."""

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import p2p_shanghaien
from p2p_shanghaien import errors
from p2p_shanghaien.errors import Malformed, RecordError, ShanghaienError
from p2p_shanghaien.net.addresses import Address


def kinds() -> Iterator[type[ShanghaienError]]:
    """All classes of errors, wherever they are defined."""
    for module in walk_packages(p2p_shanghaien.__path__, "p2p_shanghaien."):
        if "research" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)
    waiting: list[type[ShanghaienError]] = [ShanghaienError]
    while waiting:
        kind = waiting.pop()
        yield kind
        waiting += kind.__subclasses__()


DETAILS = {
    "level": "gredy",
    "path": Path("/tmp/x"),
    "address": Address("::1"),
    "reason": Malformed("too_long", limit=3),
}


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
def test_an_error_comes_whole_from_another_process(kind: type[ShanghaienError]) -> None:
    more = {"line": 3, "column": 9, "token": "x"} if issubclass(kind, RecordError) else {}
    error = kind("some_code", **more, **DETAILS)
    error.add_note("seen in passing")
    copies = [pickle.loads(pickle.dumps(error, version)) for version in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*copies, copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert str(again) == str(error)
        assert again.exit_code == error.exit_code
        assert vars(again).keys() == vars(error).keys()
        assert again.code == "some_code"
        assert again.details["address"] == Address("::1")
        reason = again.details["reason"]
        assert isinstance(reason, ShanghaienError)
        assert reason.details == {"limit": 3}
        assert again.__notes__ == ["seen in passing"]
        for name, value in more.items():
            assert getattr(again, name) == value


def test_every_class_of_errors_is_found() -> None:
    found = {kind.__name__ for kind in kinds()}
    assert {name for name in vars(errors) if name.endswith("Error")} <= found
    assert "EngineError" in found
