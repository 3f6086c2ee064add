"""Single faults in hands of all systems under random house rules: each is found at its place.

The first tier replays at least 2,000 hands. `python -m tests.long.mutations` runs as many as
wanted, and prints tables of what they came to.
"""

from collections import Counter

import pytest

from replay import variants
from tests.kit.tiers import scaled
from tests.mutations.kinds import KINDS
from tests.mutations.run import Tally, run

HANDS = scaled(2_000) // len(variants()) + 1
"""Of each system, legal ones and mutated ones together."""


EVERYWHERE = {
    *("after-the-end", "bid-not-higher", "bid-out-of-turn", "bid-too-high", "bid-unknown"),
    *("card-not-held", "card-twice", "claimed-change", "claimed-points", "claimed-score"),
    *("claimed-winner", "deal-size", "incomplete", "kitty-size", "no-such-seat", "not-now"),
    *("played-out-of-turn", "played-twice", "player-twice", "revoke", "score-count"),
    *("stock-size", "stopped-without-cause", "trump-by-other", "trump-unknown", "wrong-leader"),
}
"""Codes that hands of every system provoke."""


@pytest.mark.parametrize("variant", variants())
def test_every_fault_is_found_at_its_place_and_nothing_in_legal_hands(variant: str) -> None:
    tally = run(variant, "0", HANDS)
    assert tally.hands >= HANDS
    assert not tally.failures, summary(tally)
    assert tally.legal > HANDS // 30
    assert set(tally.by_code) >= EVERYWHERE
    assert len(tally.by_kind) > 40


def summary(tally: Tally) -> str:
    """Return how many of each kind failed, and the first few in full."""
    kinds = Counter(text.split(":")[0] for text in tally.failures)
    return "\n".join([f"{len(tally.failures)} failures: {dict(kinds)}", *tally.failures[:3]])


def test_every_way_to_put_a_fault_into_a_hand_has_a_name_of_its_own() -> None:
    assert len(KINDS) > 80
