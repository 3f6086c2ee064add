"""A long run of logs made to fill memory: less than 1 GB, whatever is done with them.

    python -m tests.long.memory [--case NAME]... [--texts 800]

Loads each log in both lanes and audits it; then a warehouse of it is listed, figured, verified,
audited again and rebuilt, each in a process of its own. Prints what each took at most; exit status
1 when anything took more than 1 GB or came to something else.
"""

import argparse
import gzip
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from schemas.hand import Hand, encode_hand
from tests.kit.filling_logs import (
    among_strangers,
    in_one_game,
    under_long_rules,
    under_own_rules,
    unreadable,
    with_long_extras,
    with_long_titles,
    with_many_actions,
    with_names_of_their_own,
)
from tests.kit.measured_loading import run_measured

MOST: Final = 10**9
LANES: Final = ("fast", "careful", "audit")
READERS: Final = ("rejects", "stats", "verify", "reaudit", "rebuild")


def _hands(make: Callable[[int], Iterator[Hand]]) -> Callable[[int], Iterator[bytes]]:
    return lambda count: map(encode_hand, with_names_of_their_own(make(count)))


CASES: Final[dict[str, tuple[Callable[[int], Iterator[bytes]], float]]] = {
    "extras": (_hands(with_long_extras), 1),
    "unreadable": (unreadable, 1),
    "titles": (_hands(with_long_titles), 1),
    "rules that compress": (_hands(under_long_rules), 1),
    "own rules": (_hands(under_own_rules), 37.5),
    "strangers": (_hands(among_strangers), 37.5),
    "actions": (_hands(with_many_actions), 15),
    "one game": (lambda count: map(encode_hand, in_one_game(count)), 15),
}
"""By name, the lines of a log, and how many of them there are for each long text."""


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--texts", type=int, default=800, help="long texts in a log")
    arguments = parser.parse_args()
    print("| log | lines | step | memory, MB |\n|---|---:|---|---:|", flush=True)
    wrong = 0
    for name in arguments.case or CASES:
        make, times = CASES[name]
        count = round(arguments.texts * times)
        with tempfile.TemporaryDirectory() as folder:
            log, db = Path(folder) / "log.jsonl.gz", Path(folder) / "db"
            with gzip.open(log, "wb", 1) as file:
                file.writelines(line + b"\n" for line in make(count))
            for step in (*LANES, *READERS):
                measured = run_measured(
                    step, *([log] if step in LANES else []), db=db if step != "fast" else "-"
                )
                lines = measured.accepted + measured.quarantined
                is_wrong = measured.memory >= MOST or lines not in (count, 0)
                wrong += is_wrong
                says = f"{measured.memory / 1e6:.0f}{' **wrong**' if is_wrong else ''}"
                print(f"| {name} | {count:,} | {step} | {says} |", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
