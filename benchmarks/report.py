"""The results of a benchmark, and their table."""

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple


class Row(NamedTuple):
    """One measurement. `ratio` is how many times the value named by `ratio_to` it is, both measured in one run.

    A row that others refer to has the ratio 1; one that could not be measured has no value.
    """

    name: str
    value: float | None
    unit: str
    ratio_to: str
    ratio: float | None


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table, which is Markdown as well."""
    lines = [("what", "measured", "ratio", "to")]
    lines += [(row.name, _measured(row), number(row.ratio), row.ratio_to) for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    head, *body = (_line(line, widths) for line in lines)
    rule = f"|{'-' * (widths[0] + 2)}|{'-' * (widths[1] + 1)}:|{'-' * (widths[2] + 1)}:|{'-' * (widths[3] + 2)}|"
    return "\n".join([head, rule, *body])


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    name, measured, ratio, ratio_to = cells
    return f"| {name:{widths[0]}} | {measured:>{widths[1]}} | {ratio:>{widths[2]}} | {ratio_to:{widths[3]}} |"


def _measured(row: Row) -> str:
    return f"{number(row.value)} {row.unit}".strip()


def number(value: float | None) -> str:
    """`value` to three significant digits, thousands apart; nothing for what was not measured."""
    if value is None:
        return ""
    places = 2 - floor(log10(abs(value))) if value else 0
    return f"{round(value, places):,.{max(0, places)}f}"
