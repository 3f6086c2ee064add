"""Figures from tallies beside those from facts: every metric by every dimension and filter.

    python -m tests.long.tallies [--only METRIC]...

Asks for every metric that is tallied by each dimension of a game and by several at once, under
each filter, both ways. Stops with the first figure that is not the same.
"""

import argparse
import tempfile
from itertools import chain
from pathlib import Path

from ingest.facts.files import open_facts
from ingest.metrics import Grain, dimensions_of
from tests.metrics.test_tallies import (
    FILTERS,
    GROUPINGS,
    OF_PEOPLE,
    TALLIED,
    assert_same_both_ways,
    make,
)


def main() -> None:
    """Ask, and print how often."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = [metric.name for metric in TALLIED]
    parser.add_argument("--only", action="append", choices=names, metavar="METRIC")
    only = parser.parse_args().only or names
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        with open_facts(Path(folder) / "db") as facts:
            for metric in (each for each in TALLIED if each.name in only):
                single = [
                    (each.name,) for each in dimensions_of(metric) if Grain.GAME in each.grains
                ]
                ways = [*chain(*GROUPINGS), *OF_PEOPLE, *single]
                for filters in FILTERS.values():
                    for by in ways:
                        assert_same_both_ways(facts, metric.name, by, filters)
                print(f"{metric.name}: {len(ways) * len(FILTERS)} times the same", flush=True)


if __name__ == "__main__":
    main()
