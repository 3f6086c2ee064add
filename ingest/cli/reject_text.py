"""How a line that could not be read is told to people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from rich.text import Text

from tricklog.ingest.cli.output import err, note_json, remark, values_of
from tricklog.ingest.reading.rejects import Part, Reject, problems_json
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.printable import one_line

EXCERPT: Final = 76
"""Characters of a line that are shown, so that they fit one line of a screen."""
MOST_RUNS: Final = 8
"""Stretches of lines of a record that are named."""


def reject_text(reject: Reject) -> Text:
    """Return where a line stands, what is wrong with it, how it begins and what to do."""
    text = Text(f"{one_line(reject.file)}:{reject.line}  ", "bold")
    text.append("quarantined", "bold red")
    text.append(f"\n  ✗ {reject.code}{one_line(_place(reject))}: ", "bold red")
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
    text.append(f"\n  {reject.hint}")
    return text


def _place(reject: Reject) -> str:
    """Return where in a line the trouble is; of a row of a score sheet the sentence says it."""
    byte = f"byte {reject.byte}" if reject.has_byte else ""
    at = f"at {reject.pointer}" if reject.pointer else ""
    return f" ({' '.join(filter(None, (byte, at)))})" if byte or at else ""


def tell_reject(reject: Reject, *, as_object: bool) -> None:
    """Say on standard error which line could not be read."""
    if as_object:
        note_json(reject_json(reject))
    else:
        err().print(reject_text(reject))


def tell_warning(file: str, problem: Problem, *, as_object: bool) -> None:
    """Say on standard error what of a text may not be what was meant."""
    if as_object:
        note_json(warning_json(file, problem))
    else:
        remark(warning_text(file, problem))


def warning_text(file: str, problem: Problem) -> Text:
    """Return what of a hand that is written as text may not be what was meant."""
    text = Text(f"{one_line(file)}:{problem.line}:{problem.column}  ", "bold")
    text.append(f"{problem.severity.value}: ", "yellow")
    return text.append(one_line(problem.message))


def warning_json(file: str, problem: Problem) -> dict[str, Any]:
    """Return the same as plain values for a JSON encoder."""
    place = {"file": file, "line": problem.line, "column": problem.column}
    return {**place, "severity": problem.severity.value, "message": problem.message}


def reject_json(reject: Reject) -> dict[str, Any]:
    """Return a reject as plain values for a JSON encoder."""
    told = values_of(reject, without=["text", "parts", "problems"])
    parts = {"parts": [each._asdict() for each in reject.parts]} if reject.parts else {}
    return told | {"byte": reject.known_byte} | problems_json(reject) | parts


def _parts_words(parts: Sequence[Part]) -> str:
    """Return on which lines a record stands, of several files each with its lines."""
    said = []
    for file, of_file in groupby(parts, key=lambda part: part.file):
        runs: list[list[int]] = []
        for part in of_file:
            if runs and part.line == runs[-1][-1] + 1:
                runs[-1][1:] = [part.line]
            else:
                runs.append([part.line])
        shown = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
        more = f" and {len(shown) - MOST_RUNS} more places" if len(shown) > MOST_RUNS else ""
        name = "" if file == parts[0].file else f" of {one_line(file)}"
        said.append(f"{', '.join(shown[:MOST_RUNS])}{more}{name}")
    return f"{'line' if len(parts) == 1 else 'lines'} {'; '.join(said)}"
