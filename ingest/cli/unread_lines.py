"""What commands say of lines that they cannot read: each reason once, and whose they may be."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from rich.text import Text

from tricklog.ingest.cli.output import err, note_json, own_command, remark, values_of
from tricklog.ingest.reading.rejects import Part, Reject, RejectCode, problems_json
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXCERPT: Final = 76
"""Characters of a line that are shown, so that they fit one line of a screen."""
MOST_RUNS: Final = 8
"""Stretches of lines that are named."""
MOST_WARNINGS: Final = 20
"""Warnings that are shown; of a sheet of years, one a line would hide all else."""
MOST_REASONS: Final = 1_000
"""Reasons that are kept in mind; lines with any other are told one by one."""
_FIRST: Final = 20
"""Lines among which records of another program are looked for."""


def reject_text(reject: Reject) -> Text:
    """Return where a line stands, what is wrong with it, how it begins and what to do."""
    text = Text(f"{one_line(reject.file)}:{reject.line}  ", "bold")
    text.append("quarantined", "bold red")
    # Of a row of a score sheet the sentence says where it is.
    byte = f"byte {reject.byte}" if reject.has_byte else ""
    at = f"at {reject.pointer}" if reject.pointer else ""
    place = f" ({' '.join(filter(None, (byte, at)))})" if byte or at else ""
    text.append(f"\n  ✗ {reject.code}{one_line(place)}: ", "bold red")
    for problem in reject.problems:
        text.append(f"\n    {one_line(reject.file)}:{problem.line}:{problem.column}  ", "bold")
        text.append(one_line(problem.message))
    if not reject.problems:
        text.append(one_line(reject.message))
    if reject.text:
        start = reject.excerpt
        shown = start if len(start) <= EXCERPT else f"{start[: EXCERPT - 1]}…"
        text.append(f"\n  {shown}", "dim")
    if reject.parts:
        text.append(f"\n  Its record takes {_parts_words(reject.parts)}.", "dim")
    return text.append(f"\n  {reject.hint}")


def reject_json(reject: Reject) -> dict[str, Any]:
    """Return a reject as plain values for a JSON encoder."""
    told = values_of(reject, without=["text", "parts", "problems"])
    parts = {"parts": [each._asdict() for each in reject.parts]} if reject.parts else {}
    return told | {"byte": reject.known_byte} | problems_json(reject) | parts


def warning_text(file: str, problem: Problem) -> Text:
    """Return what of a hand that is written as text may not be what was meant."""
    text = Text(f"{one_line(file)}:{problem.line}:{problem.column}  ", "bold")
    text.append(f"{problem.severity.value}: ", "yellow")
    return text.append(one_line(problem.message))


def tell_reject(reject: Reject, *, as_object: bool) -> None:
    """Say on standard error which line could not be read."""
    if as_object:
        note_json(reject_json(reject))
    else:
        err().print(reject_text(reject))


def tell_warning(file: str, problem: Problem, *, as_object: bool) -> None:
    """Say on standard error what of a text may not be what was meant."""
    if as_object:
        place = {"file": file, "line": problem.line, "column": problem.column}
        note_json({**place, "severity": problem.severity.value, "message": problem.message})
    else:
        remark(warning_text(file, problem))


_Runs = list[tuple[int, int]]
"""Stretches of lines that follow each other: the first and the last line of each."""


def _joined(runs: _Runs, line: int) -> bool:
    """Whether a line follows the last stretch, which then takes it in."""
    follows = bool(runs) and line == runs[-1][1] + 1
    if follows:
        runs[-1] = (runs[-1][0], line)
    return follows


def _runs_text(runs: _Runs) -> str:
    return ", ".join(f"{start} to {end}" if end > start else str(start) for start, end in runs)


def _parts_words(parts: Sequence[Part]) -> str:
    """Return on which lines a record stands, of several files each with its lines."""
    said = []
    for file, of_file in groupby(parts, key=lambda part: part.file):
        runs: _Runs = []
        for part in of_file:
            if not _joined(runs, part.line):
                runs.append((part.line, part.line))
        more = f" and {len(runs) - MOST_RUNS} more places" if len(runs) > MOST_RUNS else ""
        name = "" if file == parts[0].file else f" of {one_line(file)}"
        said.append(f"{_runs_text(runs[:MOST_RUNS])}{more}{name}")
    return f"{'line' if len(parts) == 1 else 'lines'} {'; '.join(said)}"


@dataclass(slots=True)
class _Others:
    """The lines behind the first one with a reason."""

    first: Reject
    lines: int = 0
    runs: _Runs = field(default_factory=list)
    """The first few stretches of them."""
    elsewhere: int = 0
    """Lines that are in none of these."""

    def add(self, line: int) -> None:
        self.lines += 1
        if self.elsewhere or not _joined(self.runs, line):
            if len(self.runs) < MOST_RUNS:
                self.runs.append((line, line))
            else:
                self.elsewhere += 1

    def text(self) -> Text:
        text = Text(f"{one_line(self.first.file)}  ", "bold")
        text.append(f"{counted(self.lines, 'more line')} quarantined", "bold red")
        text.append(f"\n  ✗ {self.first.code}, as line {self.first.line}: ", "bold red")
        text.append(one_line(self.first.message))
        more = f" and {self.elsewhere:,} more" if self.elsewhere else ""
        lines = "Line" if self.lines == 1 else "Lines"
        return text.append(f"\n  {lines} {_runs_text(self.runs)}{more}.", "dim")


class UnreadLines:
    """Lines that cannot be read: shows the first of each reason, and of warnings the first few."""

    def __init__(self, command: str, paths: Sequence[object], *options: str) -> None:
        """``command`` is what was called, with the ``paths`` it reads.

        Its ``options`` say which warehouse keeps the lines, if any does.
        """
        self._command = command
        self._options = options
        self._behind = (*map(str, paths), *options)
        self._first: list[Reject] = []
        self._others: dict[tuple[str, ...], _Others] = {}
        self._warnings = 0

    def note(self, reject: Reject) -> None:
        """Remember a line, if it is one of the first."""
        if len(self._first) < _FIRST:
            self._first.append(reject)

    def told(self, reject: Reject) -> Text | None:
        """Return what to say of a line; nothing where it is counted with others of its reason."""
        self.note(reject)
        reason = (reject.file, reject.code, reject.pointer, reject.message, reject.hint)
        if others := self._others.get(reason):
            others.add(reject.line)
            return None
        if len(self._others) < MOST_REASONS:
            self._others[reason] = _Others(reject)
        return reject_text(reject)

    def warned(self, file: str, warning: Problem) -> Text | None:
        """Return what to say of a warning; nothing where enough of them have been shown."""
        self._warnings += 1
        return warning_text(file, warning) if self._warnings <= MOST_WARNINGS else None

    def rest(self) -> list[Text]:
        """Return how much was not shown, for each reason which lines; then ``advice``."""
        said = [each.text() for each in self._others.values() if each.lines]
        if (more := self._warnings - MOST_WARNINGS) > 0:
            audit = f"{own_command()} audit shows them all."
            said.insert(0, Text(f"… and {more:,} more like these; {audit}"))
        return said + self.advice()

    def advice(self) -> list[Text]:
        """Return whose log the lines look like, and how to read it as such or to get an adapter."""
        if not self._first:
            return []
        from tricklog.ingest.adapters.recognising import recognise_rejects

        found, own = recognise_rejects(self._first), own_command()
        if found.adapter is None:
            says = (
                "No adapter that is installed knows these records. If they are another program’s, "
                f"install its adapter and say {own} {self._command} --from NAME; {own} convert "
                f"--list has those that are installed, {own} convert --new NAME begins one of your "
                "own."
            )
            are_foreign = all(each.code == RejectCode.UNKNOWN_FORMAT for each in self._first)
            return [Text(says)] if are_foreign else []
        words = shlex.join((self._command, "--from", found.adapter.name, *self._behind))
        said = [
            f"These lines look like another program’s: {found.adapter.program}.",
            f"Read them as such: {own} {words}",
        ]
        if self._options:
            log = shlex.join((*self._options, "--log", self._first[0].file))
            said.append(f"Then drop these lines: {own} db rejects {log} --forget")
        return [Text(each) for each in said]
