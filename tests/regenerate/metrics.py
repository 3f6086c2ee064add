"""``docs/metrics.md``: the definitions of all figures, made from them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tricklog.ingest.metrics import DIMENSIONS, Dimension, Grain
from tricklog.ingest.metrics.leaks import LEAKS, Leak
from tricklog.ingest.metrics.page import (
    FIELD,
    LEAKS_READ,
    PAIRS,
    PLAYERS,
    PRINCIPLES,
    TWO_VARIANTS,
    Definition,
    by_group,
    definition,
)
from tricklog.ingest.metrics.query import Which

PAGE: Final = Path(__file__).parents[2] / "docs" / "metrics.md"


def as_page() -> str:
    """Return the page of all definitions, in Markdown."""
    parts = [_HEAD, "## How figures are made\n"]
    parts += [f"**{heading}.** {text}\n" for heading, text in PRINCIPLES]
    for group, metrics in by_group():
        parts.append(f"## {group}\n")
        parts += [_section(definition(each)) for each in metrics]
    parts += ["## Players against the field\n", PLAYERS, "## Leaks\n", LEAKS_READ]
    parts.append("| leak | events | an event costs | as a share of |\n|---|---|---|---|")
    parts += [_leak_row(each) for each in LEAKS]
    parts += ["\n## Pairs\n", PAIRS, "## Two variants\n", TWO_VARIANTS]
    parts += ["## Bidding apart from play\n", FIELD]
    parts.append("## Dimensions\n\nWhat figures can be grouped and filtered by.\n")
    parts.append("| dimension | what it is | of |\n|---|---|---|")
    parts += [_row(each) for each in DIMENSIONS]
    return "\n".join(parts) + "\n"


def _leak_row(leak: Leak) -> str:
    cases = "others" if leak.which == Which.OTHERS else leak.which
    events = f"{leak.sentence} Cases of `{leak.metric.name}` ({cases})"
    events += f", card {', '.join(leak.cards)}." if leak.cards else "."
    return f"| {leak.title} (`{leak.name}`) | {events} | `{leak.cost}` | {leak.share_of} |"


def _section(shown: Definition) -> str:
    facts = "\n".join(f"- {label}: {text}" for label, text in shown.facts)
    return (
        f"### {shown.title}\n\n`{shown.name}`: {shown.sentence}\n\n{facts}\n"
        f"- dimensions: those of {_PLURALS[shown.grain]}\n- last changed: {shown.dated}\n\n"
        f"```sql\n{shown.sql}\n```\n"
    )


def _row(dimension: Dimension) -> str:
    if set(dimension.grains) == set(Grain):
        grains = "everything"
    else:
        grains = ", ".join(_PLURALS[each] for each in dimension.grains)
    return f"| `{dimension.name}` | {dimension.sentence} | {grains} |"


_PLURALS: Final = {
    Grain.SEAT: "players",
    Grain.CARD: "cards",
    Grain.GAME: "games",
    Grain.FINDING: "findings",
    Grain.STUDY: "solved hands",
    Grain.DECISION: "decisions",
    Grain.JUDGED: "graded decisions",
    Grain.LUCK: "graded hands",
    Grain.PAR: "auctions held against par",
}

_HEAD: Final = """# Metrics

Made from `ingest/metrics/`, where each figure is defined once, in SQL; every page, command and
program uses that definition. `tricklog stats` prints figures, and in Python:

```python
from tricklog.ingest import metrics
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics.filters import Filters

with open_facts("tricklog-data") as facts:
    pedro = Filters.of({"variant": "pedro"})
    print(metrics.measure(facts, "made-rate", by=["player"], filters=pedro))
```

The query of each definition runs over [the facts](warehouse.md#facts) and gives the value for all
hands; grouped and filtered, the same sums are taken, with n and the interval.
"""


def write() -> None:
    """Write the page."""
    PAGE.write_text(as_page(), encoding="utf-8")
