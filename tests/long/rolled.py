"""Every metric by every dimension and filter, from the roll-up and from tallies: the same digits.

    python -m tests.long.rolled [--every 1]

Prints how many figures there are, how many came of the roll-up and how many differ; exit status 1
when any does. The suite asks some of them.
"""

import argparse
import sys
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path

from ingest.metrics import comparing
from ingest.metrics.rolled import rolled
from tests.kit.rolled_facts import mixed_warehouse, open_views, roll_up, without_roll_up
from tests.lake.test_moments import BY, COMPARED, FILTERS, ROLLED, figure
from tests.metrics.test_tallies import recorded

FURTHER = (
    ("partner", "variant"),
    ("opponent", "variant"),
    ("session", "variant"),
    ("player", "day", "variant"),
    ("player", "month"),
    ("seat", "kind", "ruleset"),
    ("kind", "week", "variant"),
    ("source", "month", "variant"),
)


def main() -> None:
    """Ask, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="ask every so many of the questions")
    every = parser.parse_args().every
    found: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_views(mixed_warehouse(Path(folder), recorded())) as facts,
    ):
        roll_up(facts, ("tallies", "game_facts"))
        questions = list(product(ROLLED, (*BY, *FURTHER), FILTERS))[::every]
        figures = [figure(facts, metric, by, FILTERS[chosen]) for metric, by, chosen in questions]
        for (metric, by, chosen), known in zip(questions, figures, strict=True):
            refused = isinstance(known, str)
            found["refused"] += refused
            found["rolled up"] += not refused and bool(rolled(facts, metric, by, FILTERS[chosen]))
        sums = {
            (metric, chosen): comparing.sums(facts, metric, "player", FILTERS[chosen])
            for metric, chosen in list(product(COMPARED, FILTERS))[::every]
        }
        with without_roll_up(facts):
            for (metric, by, chosen), known in zip(questions, figures, strict=True):
                if known != figure(facts, metric, by, FILTERS[chosen]):
                    found["different"] += 1
                    print(f"differs: {metric.name} by {', '.join(by)}, {chosen}", flush=True)
            for (metric, chosen), (rows, totals) in sums.items():
                others = comparing.sums(facts, metric, "player", FILTERS[chosen])
                if not (rows.equals(others[0]) and totals.equals(others[1])):
                    found["different"] += 1
                    print(f"differs: players in {metric.name}, {chosen}", flush=True)
    print(
        f"{len(questions):,} figures and {len(sums):,} comparisons: {found['rolled up']:,} of the "
        f"figures from the roll-up, {found['refused']:,} refused, {found['different']:,} different"
    )
    sys.exit(bool(found["different"]))


if __name__ == "__main__":
    main()
