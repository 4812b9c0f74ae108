"""The vectors as the tests read them."""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from operator import itemgetter
from pathlib import Path
from typing import Any

from tests.sweeps import together

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"

Test = dict[str, Any]


def load(name: str) -> list[Test]:
    """Return the tests of a file."""
    content = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert content["protocol"] == 1
    tests: list[Test] = content["tests"]
    return tests


def each(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test function for each test of some files, as `test`."""
    return together("test", [test for name in names for test in load(name)], ids=itemgetter("id"))


def patched(document: Any, patch: Sequence[Mapping[str, Any]]) -> Any:
    """Return a copy of a JSON document after the operations `add`, `remove` and `replace` of a patch (RFC 6902)."""
    result = deepcopy(document)
    for operation in patch:
        *parents, last = operation["path"].split("/")[1:]
        place = result
        for name in parents:
            place = place[int(name) if isinstance(place, list) else name]
        key = last if isinstance(place, dict) else len(place) if last == "-" else int(last)
        match operation["op"]:
            case "add" if isinstance(place, list):
                place.insert(key, operation["value"])
            case "remove":
                del place[key]
            case _:
                place[key] = operation["value"]
    return result


def deck_file(test: Test, reconstruction: Any) -> bytes:
    """Return the bytes of the data file of a deck that a test has, or that its patch makes of the reconstruction's."""
    if "data" in test:
        return bytes.fromhex(test["data"])
    return json.dumps(patched(reconstruction, test["patch"])).encode()


def log_of(test: Test) -> bytes:
    """Return the log of a test, which may be that of another test."""
    log = test["log"]
    if isinstance(log, dict):
        (log,) = (other["log"] for other in load(log["file"]) if other["id"] == log["id"])
    return bytes.fromhex(log)


def value(plain: Any) -> Any:
    """Return the value that a vector's JSON stands for; arrays as lists."""
    match plain:
        case {"bytes": str(text)}:
            return bytes.fromhex(text)
        case {"integer": str(text)}:
            return int(text)
        case list():
            return [value(item) for item in plain]
    return plain
