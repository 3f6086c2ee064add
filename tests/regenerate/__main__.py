"""Write every file that is made from the code and its data: ``./dev regenerate [NAME...]``.

The files are written in the order in which one follows from the other. Each has a test that fails
when it is out of date, but for the pictures, which are written only when they are named.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from tests.engine import test_golden as golden
from tests.metrics import test_definitions as definitions
from tests.regenerate import (
    architecture,
    broken,
    coverage,
    languages,
    metrics,
    pictures,
    samples,
    schemas,
    tables,
    texts,
    variant_pages,
    written_pages,
)
from tests.rules import test_rules_docs as rules_index

MADE: Final[dict[str, Callable[[], None]]] = {
    "hand-schema": schemas.write_hands,
    "ruleset-schema": schemas.write_rulesets,
    "rules-index": rules_index.write,
    "samples": samples.write,
    "broken": broken.write,
    "texts": texts.write,
    "variants": variant_pages.write,
    "sheets": samples.write_sheet,
    "coverage": coverage.write,
    "metrics": metrics.write,
    "definitions": definitions.write,
    "golden": golden.write,
    "architecture": architecture.write,
    "tables": tables.write,
    "completion": written_pages.write_names,
    "help": written_pages.write,
    "languages": languages.write,
}
PICTURES: Final = "pictures"


def main(names: list[str]) -> int:
    """Write the files named, or all of them; return the exit status."""
    writers = {**MADE, PICTURES: pictures.write}
    if unknown := [name for name in names if name not in writers]:
        sys.stderr.write(f"There is no {unknown[0]}; there are {', '.join(writers)}.\n")
        return 2
    for name in names or MADE:
        sys.stderr.write(f"writing {name}\n")
        writers[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
