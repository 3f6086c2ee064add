"""Every value of every policy, and any two house rules, in every game.

Where there are rules with a value, a table plays by them; two numbers of house rules hold together,
or are refused with one of them named.

    python -m tests.long.policies [--only NAME]...

Stops with the first hand that is not valid by the rules it was played by, or the first two numbers
of which that is not so.
"""

import argparse

from replay import variants
from tests.rules.test_house_rules import PAIRS, assert_held_or_refused
from tests.rules.test_ruleset import each_policy_changed, play_by


def main() -> None:
    """Play and try, and print how many changes and pairs each game had."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", action="append", choices=variants(), metavar="NAME")
    for variant in parser.parse_args().only or variants():
        changes = list(each_policy_changed())
        play_by(variant, changes)
        assert_held_or_refused(variant, PAIRS)
        print(
            f"{variant}: {len(changes)} changes, all refused with a reason or played; "
            f"{len(PAIRS)} pairs",
            flush=True,
        )


if __name__ == "__main__":
    main()
