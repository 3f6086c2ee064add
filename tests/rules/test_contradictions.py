"""Rules that contradict each other are refused, each with its sentence, and nothing else is.

Nothing here loads all games as it is imported: a check that one of them fails is found by a test.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.kit.rule_cases import fields_in, rows_in
from tests.kit.support import refused, ruleset_for
from tricklog.core import load_variant, variants
from tricklog.core.rulesets.relevance import checks, contradiction

Case = tuple[str, dict[str, Any], str, str]

CASES: list[Case] = [
    (variant, fields_in(options), key, reason)
    for variant, options, key, reason in rows_in(Path(__file__).with_name("contradictions.txt"))
]
ORDERS = """
twenty-nine trump double, ukrainian trump fold, sixty-three trump give, pedro trump discard,
king-pedro kitty discard, ukrainian deal-rest fold, ukrainian deal-rest discard,
ukrainian fold discard, pedro discard refill, pedro refill rob, pedro give refill,
pedro give dealer-give, pedro rob dealer-give, pedro dealer-give come-down, pedro rob come-down,
pedro come-down show, cinch rob show
"""
"""Games, and phases of which the one has to come before the other."""


def turned_round(variant: str, first: str, later: str) -> list[str]:
    """The phases of a variant with two of them changing places."""
    phases = list(load_variant(variant).values["phases"])
    here, there = phases.index(first), phases.index(later)
    phases[here], phases[there] = later, first
    return phases


ORDER_CASES: list[Case] = [
    (
        variant,
        {"phases": turned_round(variant, first, later)},
        "phases",
        f"must have {first} before {later}",
    )
    for variant, first, later in map(str.split, ORDERS.split(","))
]


def wrong_in(variant: str, options: dict[str, Any]) -> list[tuple[int, str, str]]:
    """All that is wrong, by the place of the check."""
    found = enumerate(checks({**load_variant(variant).values, **options}))
    return [(place, key, reason) for place, (wrong, key, reason) in found if wrong]


@pytest.mark.parametrize(("variant", "options", "key", "reason"), CASES)
def test_a_contradiction_is_refused_with_its_sentence(
    variant: str, options: dict[str, Any], key: str, reason: str
) -> None:
    values = {**load_variant(variant).values, **options}
    assert (key, reason) == contradiction(values)
    error = refused(ruleset_for, variant, options)
    place = f"/rules/options/{key}" if key in options else "/rules/options"
    assert error.pointer == place
    assert reason in error.message


@pytest.mark.parametrize(("variant", "options", "key", "reason"), ORDER_CASES)
def test_phases_out_of_order_are_refused(
    variant: str, options: dict[str, Any], key: str, reason: str
) -> None:
    assert (key, reason) in [each[1:] for each in wrong_in(variant, options)]
    assert "phases must have" in str(refused(ruleset_for, variant, options))


def test_every_check_has_a_case() -> None:
    every = list(enumerate(checks(load_variant("pedro").values)))
    found = {
        place
        for variant, options, key, reason in (*CASES, *ORDER_CASES)
        for place, *told in wrong_in(variant, options)
        if told == [key, reason]
    }
    assert [each for each in every if each[0] not in found] == []


@pytest.mark.parametrize("variant", variants())
def test_no_game_contradicts_itself(variant: str) -> None:
    assert wrong_in(variant, {}) == []
