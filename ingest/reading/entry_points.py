"""By which names installed packages bring something of their own, and whether any does."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

ADAPTERS: Final = "tricklog.adapters"
"""The group of entry points of adapters."""
METRICS: Final = "tricklog.metrics"
"""The group of entry points of metrics."""
_OURS: Final = "tricklog.ingest."


def are_brought(group: str) -> bool:
    """Whether a package besides Tricklog names something in a group of entry points."""
    return any(not each.value.startswith(_OURS) for each in entry_points(group=group))
