"""How a line that could not be read is told to people."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from ingest.reading.rejects import Reject
from schemas.render import one_line

EXCERPT: Final = 76
"""Characters of a line that are shown, so that they fit one line of a screen."""


def reject_text(reject: Reject) -> Text:
    """Return where a line stands, what is wrong with it, how it begins and what to do."""
    text = Text(f"{one_line(reject.file)}:{reject.line}  ", "bold")
    text.append("quarantined", "bold red")
    place = f" at {reject.pointer}" if reject.pointer else ""
    text.append(f"\n  ✗ {reject.code} (byte {reject.byte}{one_line(place)}): ", "bold red")
    text.append(one_line(reject.message))
    if reject.text:
        start = reject.excerpt
        shown = start if len(start) <= EXCERPT else f"{start[: EXCERPT - 1]}…"
        text.append(f"\n  {shown}", "dim")
    text.append(f"\n  {reject.hint}")
    return text


def reject_json(reject: Reject) -> dict[str, Any]:
    """Return a reject as plain values for a JSON encoder."""
    return {
        "file": reject.file,
        "line": reject.line,
        "byte": reject.byte,
        "code": reject.code.value,
        "pointer": reject.pointer,
        "message": reject.message,
        "hint": reject.hint,
    }
