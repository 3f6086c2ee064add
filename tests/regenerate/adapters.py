"""What the modules of the adapters say about themselves, for the page about adapters."""

from __future__ import annotations

import inspect

from tricklog.ingest.adapters import (
    catch_five_arena,
    knybbe_history,
    knybbe_pidro,
    rlcard_29,
    sixty_three,
)

_MODULES = (catch_five_arena, knybbe_pidro, knybbe_history, rlcard_29, sixty_three)


def part() -> str:
    """Return a paragraph or more for each, in Markdown."""
    return "\n\n".join((inspect.getdoc(each) or "").replace("``", "`") for each in _MODULES) + "\n"
