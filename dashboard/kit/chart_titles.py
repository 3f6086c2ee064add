"""What stands above a chart: its title, and how to read it."""

from __future__ import annotations

from tricklog.dashboard.text.escaping import as_html


def chart_title_html(title: str, said: str, *more: str) -> str:
    """Return a title with what is said of the chart beside it; ``more`` is HTML of its own."""
    spans = "".join(f"<span>{each}</span>" for each in (as_html(said), *more))
    return f'<p class="tl-chart-title"><b>{as_html(title)}</b>{spans}</p>'
