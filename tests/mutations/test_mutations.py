"""Single faults in hands of all systems under random house rules: each is found at its place.

Some systems are tried in the first tier, and all, with many more hands, in the thorough one.
"""

from collections import Counter

import pytest

from tests.kit.support import ALL_CODES
from tests.kit.tiers import scaled, some
from tests.mutations.kinds import KINDS
from tests.mutations.run import Tally, run
from tricklog.core import variants

HANDS = scaled(286, most=3_000)
"""Of each system, legal ones and mutated ones together."""
CODES = 1_500
"""Of each system likewise, where all codes are looked for."""

EVERYWHERE = {
    *("after-the-end", "bid-not-higher", "bid-out-of-turn", "bid-too-high", "bid-unknown"),
    *("card-not-held", "card-twice", "claimed-change", "claimed-points", "claimed-score"),
    *("claimed-winner", "deal-size", "incomplete", "kitty-size", "no-such-seat", "not-now"),
    *("played-out-of-turn", "played-twice", "player-twice", "revoke", "score-count"),
    *("stock-size", "stopped-without-cause", "trump-by-other", "trump-unknown", "wrong-leader"),
}
"""Codes that hands of every system provoke."""

OF_THE_DEAL = {
    *("card-twice", "card-not-in-pack", "deal-size", "kitty-size", "stock-size"),
    *("player-twice", "score-count", "claimed-points", "claimed-change", "claimed-score"),
    *("claimed-winner", "incomplete"),
}
"""Beside those of actions: what is wrong with the deal or the claims, and a record cut short."""


@pytest.mark.parametrize("variant", some(variants(), 4))
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


@pytest.mark.thorough("one hand for each code is in test_faults; rare ones need many hands")
def test_every_code_is_provoked_by_some_mutation() -> None:
    found: set[str] = set()
    for variant in variants():
        found |= set(run(variant, "codes", CODES).by_code)
    assert (ALL_CODES | OF_THE_DEAL) - found == set()


def test_every_way_to_put_a_fault_into_a_hand_has_a_name_of_its_own() -> None:
    assert len(KINDS) > 80
