"""Tables of plain text whose columns are as wide as what stands in them, whatever the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(
    heads: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the lines of a table: the heads, a rule, and the rows.

    ``right`` says of each column whether its cells stand to the right.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        parts = []
        for cell, width, to_right in zip(cells, widths, right, strict=True):
            room = " " * (width - cell_len(cell))
            parts.append(f"{room}{cell}" if to_right else f"{cell}{room}")
        return "  ".join(parts).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    return [line(heads), rule, *map(line, rows)]
