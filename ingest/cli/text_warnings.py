"""What a load says of hands written as text that may not be what was meant: not without end."""

from __future__ import annotations

from typing import Final

from tricklog.ingest.cli.output import own_command

MOST: Final = 20
"""Warnings that are shown; of a sheet of years, one a line would hide all else."""


class TextWarnings:
    """Counts warnings, and says which of them are shown."""

    def __init__(self) -> None:
        self._count = 0

    def is_shown(self) -> bool:
        """Count one; return whether it is to be shown."""
        self._count += 1
        return self._count <= MOST

    def rest(self) -> str:
        """Return a sentence about those that were not shown, empty when there are none."""
        if self._count <= MOST:
            return ""
        more = self._count - MOST
        return f"… and {more:,} more like these; {own_command()} audit shows them all."
