"""Do bots that play by the second grade beat today's? In every system, the same deals both ways.

Run it with ``python -m tests.long.hidden_bots [DEALS [VARIANT ...]]``: two of them sit with two of
today's, then the seats are swapped and the deal is played again. It prints the score that they win
over the others, a hand, with the interval that holds it in 95 of 100 cases, and fails where that
lies below 0.
"""

from __future__ import annotations

import sys
from time import process_time

from replay.rulesets.ruleset import variants
from tests.kit.duplicate import margin

DEALS = 40


def main() -> None:
    """Play, print, and fail where today's bots are better."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    worse = []
    for variant in sys.argv[2:] or variants():
        began = process_time()
        found = margin(variant, deals, "long")
        print(f"{variant}: {found}, {process_time() - began:.0f} s", flush=True)
        if found.interval[1] < 0:
            worse.append(variant)
    if worse:
        sys.exit(f"today's bots are better at {', '.join(worse)}")


if __name__ == "__main__":
    main()
