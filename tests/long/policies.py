"""Every value that a policy can have, in every game: where there are rules, a table plays by them.

    python -m tests.long.policies [--only NAME]...

Stops with the first hand that is not valid by the rules it was played by.
"""

import argparse

from replay import variants
from tests.rules.test_ruleset import each_policy_changed, play_by


def main() -> None:
    """Play, and print how many changes each game was played with."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", action="append", choices=variants(), metavar="NAME")
    for variant in parser.parse_args().only or variants():
        changes = list(each_policy_changed())
        play_by(variant, changes)
        print(f"{variant}: {len(changes)} changes, all refused with a reason or played", flush=True)


if __name__ == "__main__":
    main()
