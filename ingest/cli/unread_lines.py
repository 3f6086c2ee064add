"""What commands say of lines that they cannot read: each reason once, and whose they may be."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from tricklog.ingest.cli.output import own_command
from tricklog.ingest.cli.reject_text import MOST_RUNS, reject_text
from tricklog.ingest.reading.rejects import Reject, RejectCode
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

MOST_REASONS: Final = 1_000
"""Reasons that are kept in mind; lines with any other are told one by one."""
_FIRST: Final = 20
"""Lines among which records of another program are looked for."""


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


class UnreadLines:
    """Lines that cannot be read: shows the first of each file and reason, and counts the others."""

    def __init__(self, command: str, paths: Sequence[str], *options: str) -> None:
        """``command`` is what was called, with the ``paths`` it reads.

        Its ``options`` say which warehouse keeps the lines, if any does.
        """
        self._command = command
        self._options = options
        self._behind = (*map(str, paths), *options)
        self._first: list[Reject] = []
        self._others: dict[tuple[str, ...], _Others] = {}

    def note(self, reject: Reject) -> None:
        """Remember a line, if it is one of the first."""
        if len(self._first) < _FIRST:
            self._first.append(reject)

    def told(self, reject: Reject) -> Text | None:
        """Return what to say of a line; nothing where it is counted with others of its reason."""
        self.note(reject)
        reason = (reject.file, reject.code, reject.pointer, reject.message, reject.hint)
        others = self._others.get(reason)
        if others is not None:
            others.add(reject.line)
            return None
        if len(self._others) < MOST_REASONS:
            self._others[reason] = _Others(reject)
        return reject_text(reject)

    def rest(self) -> list[Text]:
        """Return for each reason how many lines were not shown, and which; then ``advice``."""
        return [*(each.text() for each in self._others.values() if each.lines), *self.advice()]

    def advice(self) -> list[Text]:
        """Return whose log the lines look like and how to read it as such.

        Of records that no adapter knows it is said how to get one.
        """
        if not self._first:
            return []
        from tricklog.ingest.adapters.recognising import recognise_rejects

        found = recognise_rejects(self._first)
        if found.adapter is None:
            is_foreign = all(each.code == RejectCode.UNKNOWN_FORMAT for each in self._first)
            return [Text(self._no_adapter())] if is_foreign else []
        words = shlex.join((self._command, "--from", found.adapter.name, *self._behind))
        said = [
            f"These lines look like another program’s: {found.adapter.program}.",
            f"Read them as such: {own_command()} {words}",
        ]
        if self._options:
            log = shlex.join((*self._options, "--log", self._first[0].file))
            said.append(f"Then drop these lines: {own_command()} db rejects {log} --forget")
        return [Text(each) for each in said]

    def _no_adapter(self) -> str:
        own = own_command()
        return (
            "No adapter that is installed knows these records. If they are another program’s, "
            f"install its adapter and say {own} {self._command} --from NAME; {own} convert "
            f"--list has those that are installed, {own} convert --new NAME begins one of your own."
        )
