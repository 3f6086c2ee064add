"""Lines of one file that cannot be read for one reason: told once, the others counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from ingest.cli.reject_text import MOST_RUNS
from ingest.reading.rejects import Reject
from schemas.render import one_line
from schemas.words import counted

MOST_REASONS: Final = 1_000
"""Reasons that are kept in mind; lines with any other are told one by one."""


@dataclass(slots=True)
class _Others:
    """The lines behind the first one with a reason."""

    first: Reject
    lines: int = 0
    runs: list[tuple[int, int]] = field(default_factory=list)
    """Stretches of lines that follow each other, the first few of them."""
    elsewhere: int = 0
    """Lines that are in none of these."""

    def add(self, line: int) -> None:
        self.lines += 1
        if self.runs and not self.elsewhere and line == self.runs[-1][1] + 1:
            self.runs[-1] = (self.runs[-1][0], line)
        elif len(self.runs) < MOST_RUNS:
            self.runs.append((line, line))
        else:
            self.elsewhere += 1

    def text(self) -> Text:
        text = Text(f"{one_line(self.first.file)}  ", "bold")
        text.append(f"{counted(self.lines, 'more line')} quarantined", "bold red")
        text.append(f"\n  ✗ {self.first.code}, as line {self.first.line}: ", "bold red")
        text.append(one_line(self.first.message))
        shown = ", ".join(
            f"{start} to {end}" if end > start else str(start) for start, end in self.runs
        )
        more = f" and {self.elsewhere:,} more" if self.elsewhere else ""
        text.append(f"\n  {'Line' if self.lines == 1 else 'Lines'} {shown}{more}.", "dim")
        return text


class RepeatedRejects:
    """What was told already of the lines that cannot be read."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._others: dict[tuple[str, ...], _Others] = {}

    def is_new(self, reject: Reject) -> bool:
        """Return whether a line is to be told; else it is counted with those of its reason."""
        reason = (reject.file, reject.code, reject.pointer, reject.message, reject.hint)
        others = self._others.get(reason)
        if others is not None:
            others.add(reject.line)
            return False
        if len(self._others) < MOST_REASONS:
            self._others[reason] = _Others(reject)
        return True

    def texts(self) -> list[Text]:
        """Return for each reason the number of lines that were not told, and which they are."""
        return [each.text() for each in self._others.values() if each.lines]
