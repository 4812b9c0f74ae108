"""`python -m benchmarks`: everything that is measured, as one table. Nothing is asserted.

Ratios compare what was measured side by side in this run; the absolute numbers are this machine's.
`python -m benchmarks ratings` is not among it: how strong the computer players are takes hours to find out.
"""

import sys
from collections.abc import Callable

from benchmarks import analysing, crowd, deciding, engine, full, ratings, rolling, solving, starting, verifying
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


def main(names: list[str]) -> None:
    if names[:1] == ["ratings"]:
        ratings.main(names[1:])
        return
    if names[:1] == ["deciding"] and names[1:2] == ["--games"]:
        deciding.main(names[1:])
        return
    if unknown := set(names) - set(PARTS):
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in names or PARTS:
        print(f"\n{name}\n")
        print(table(PARTS[name]()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
