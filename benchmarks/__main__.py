"""`python -m benchmarks`: everything that is measured, as one table. Nothing is asserted.

Ratios compare what was measured side by side in this run; the absolute numbers are this machine's.
`python -m benchmarks ratings`, `calibration`, `exploiting` and `responding` are not among it: how strong the computer
players are, whether what the best of them expects comes true, and what a best response wins takes long to find out.
"""

import sys
from collections.abc import Callable

from benchmarks import (
    analysing,
    calibration,
    crowd,
    deciding,
    engine,
    exploiting,
    full,
    ratings,
    responding,
    rolling,
    solving,
    starting,
    verifying,
)
from benchmarks.report import Row, table

PARTS: dict[str, Callable[[], list[Row]]] = {
    "engine": engine.run,
    "verifying": verifying.run,
    "rolling": rolling.run,
    "starting": starting.run,
    "full": full.run,
    "crowd": crowd.run,
    "solving": solving.run,
    "deciding": deciding.run,
    "analysing": analysing.run,
}
LONG: dict[str, Callable[[list[str]], None]] = {
    "ratings": ratings.main,
    "calibration": calibration.main,
    "exploiting": exploiting.main,
    "responding": responding.main,
}


def main(names: list[str]) -> None:
    if names and names[0] in LONG:
        LONG[names[0]](names[1:])
        return
    if names[:1] == ["deciding"] and names[1:2] in (["--games"], ["--game"]):
        deciding.main(names[1:])
        return
    if unknown := set(names) - set(PARTS):
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in names or PARTS:
        print(f"\n{name}\n")
        print(table(PARTS[name]()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
