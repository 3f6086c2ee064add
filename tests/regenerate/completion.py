"""``ingest/completing/names.json``: the names that shells complete, made from what there is."""

import json

from tricklog import ADAPTERS, Verdict, variants
from tricklog.ingest.completing.words import NAMES_FILE
from tricklog.ingest.exporting import ALL, GROUPS, NAMES
from tricklog.ingest.metrics import DIMENSIONS, METRIC


def text() -> str:
    kinds = {
        "adapters": sorted(ADAPTERS),
        "dimensions": sorted(each.name for each in DIMENSIONS),
        "metrics": sorted(METRIC),
        "player_dimensions": sorted(each.name for each in DIMENSIONS if each.players),
        "tables": [*GROUPS, ALL, *NAMES],
        "variants": list(variants()),
        "verdicts": [each.value for each in Verdict],
    }
    return json.dumps(kinds, indent=1) + "\n"


def write() -> None:
    NAMES_FILE.write_text(text(), "utf-8")
