"""The list of figures and dimensions, as text and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tricklog.ingest.cli.output import SUCCESS, tell
from tricklog.ingest.cli.written_pages import HEADING, LISTS, laid_out

if TYPE_CHECKING:
    from tricklog.ingest.metrics import Dimension, Metric


def listed_figures(*, json: bool = False) -> int:
    """Print which figures and dimensions there are; return the exit status."""
    from tricklog.ingest.reading.entry_points import METRICS, are_brought

    if not os.environ.get("TRICKLOG_METRICS") and not are_brought(METRICS):
        text = (LISTS / f"figures.{'json' if json else 'txt'}").read_text("utf-8")
        tell(text.rstrip("\n") if json else laid_out(text))
        return SUCCESS
    from tricklog.ingest.metrics import known_metrics

    known = known_metrics().values()
    tell(figures_json(known) if json else laid_out(figures_page(known)))
    return SUCCESS


def figures_json(metrics: Iterable[Metric]) -> str:
    """Return one JSON object with the definitions of metrics, and all dimensions."""
    import msgspec

    from tricklog.ingest.metrics import DIMENSIONS
    from tricklog.ingest.metrics.page import definition

    told = {
        "metrics": [definition(each) for each in metrics],
        "dimensions": [
            {"name": each.name, "title": each.title, "sentence": each.sentence}
            for each in DIMENSIONS
        ],
    }
    return msgspec.json.encode(told).decode()


def figures_page(metrics: Iterable[Metric]) -> str:
    """Return the page of ``written_pages`` that lists metrics by group, and all dimensions."""
    from tricklog.ingest.metrics import DIMENSIONS
    from tricklog.ingest.metrics.page import by_group
    from tricklog.schemas.printable import one_line

    lines: list[str] = []
    listed: list[tuple[str, Sequence[Metric | Dimension]]]
    listed = [*by_group(metrics), ("Dimensions, for --by and --where", DIMENSIONS)]
    for title, named in listed:
        lines.append(f"{HEADING}{one_line(title)}")
        lines += (f"\t{one_line(each.name)}\t{one_line(each.sentence)}" for each in named)
        lines.append("")
    return "\n".join(lines)
