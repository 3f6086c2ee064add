"""Players are compared within their roles where what is counted hangs on these."""

from dataclasses import replace
from datetime import date

import pytest

from tests.kit.facts import Facts, facts_in
from tricklog.ingest.metrics.comparing import compare, sums
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.model import Better, Grain, Kind, Metric
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.versus import compare_two

COST = Metric(
    name="planted",
    title="Planted cost",
    sentence="What hangs on the role alone, and on the hand.",
    unit="points",
    numerator="planted points",
    denominator="hands",
    group="Planted",
    grain=Grain.SEAT,
    kind=Kind.MEAN,
    cases="role IS NOT NULL",
    amount="(CASE WHEN role = 'defender' THEN 760 ELSE 500 END + hash(hand) % 7)",
    least=0,
    better=Better.LOWER,
    dated=date(2026, 11, 29),
    within="role",
)


facts = facts_in("club_warehouse")


def differences(facts: Facts, metric: Metric) -> dict[str, float]:
    rows, totals = sums(facts, metric, "player", EVERYTHING)
    return dict(compare(rows, totals, metric.scale).select("who", "difference").iter_rows())


def test_nobody_stands_out_by_the_roles_they_had(facts: Facts) -> None:
    mixed = differences(facts, replace(COST, within=""))
    assert max(map(abs, mixed.values())) > 10
    within = differences(facts, COST)
    assert within.keys() == mixed.keys()
    assert max(map(abs, within.values())) < 1
    assert not standings(facts, COST, "player")["named"].any()


def test_what_is_a_players_own_is_found(facts: Facts) -> None:
    found = differences(facts, COST)
    who = max(found)
    more = f"CASE WHEN player = '{who}' THEN 100 ELSE 0 END"
    planted = replace(COST, amount=f"{COST.amount} + {more}")
    above = differences(facts, planted)
    assert above[who] == pytest.approx(100, abs=2)
    frame = standings(facts, planted, "player").filter(player=who)
    plain = standings(facts, replace(planted, within=""), "player").filter(player=who)
    # The figure itself is as it was counted, and what is expected is of the same roles.
    assert frame["value"].item() == pytest.approx(plain["value"].item())
    value, expected, apart = (frame[each].item() for each in ("value", "expected", "difference"))
    assert value - expected == pytest.approx(apart)
    other = min(found)
    apart = compare_two(facts, "player", (who, other), [planted], EVERYTHING, 1)
    # Two are as far apart as what each is above the others, of whom the other one is one.
    assert apart["difference"].item() == pytest.approx(above[who] - above[other])
