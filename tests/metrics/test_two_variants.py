"""Two variants side by side, against counts from the hands themselves and known truths.

Players are compared within their roles where what is counted hangs on these.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.kit.facts import Facts, facts_in, made_up
from tests.kit.figures import RARE, sound
from tests.kit.simulated_games import summed
from tricklog import Filters, Verb
from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED, compare, sums
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.intervals import Z_99, Scale, interval, typical
from tricklog.ingest.metrics.model import Better, Kind, Metric
from tricklog.ingest.metrics.naming import NAMED_AT, corrected
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.versus import (
    FIGURES,
    Comparison,
    apart,
    better_at_which,
    compare_two,
    compare_variants,
)

FIRST, SECOND = "pedro", "king-pedro"
SIDES = ((FIRST, ""), (SECOND, "other_"))


@pytest.fixture(scope="module")
def compared(figures: Facts) -> Comparison:
    return compare_variants(figures, FIRST, SECOND)


def row_of(comparison: Comparison, name: str) -> dict[str, float]:
    return comparison.rows.filter(pl.col("figure") == name).row(0, named=True)


def test_what_this_page_alone_has_is_counted(figures: Facts, compared: Comparison) -> None:
    margins = figures.execute(
        "SELECT variant::VARCHAR, maker_points - need FROM seat_facts "
        "WHERE role = 'maker' AND result IN ('made', 'set') AND NOT forced AND verdict = 'valid'"
    ).fetchall()
    cards = figures.execute(
        "SELECT variant::VARCHAR, trick, card_points FROM card_facts WHERE verdict = 'valid'"
    ).fetchall()
    games = figures.execute(
        "SELECT variant::VARCHAR, lead_after, target FROM game_facts "
        "WHERE won AND first_of_side AND verdict = 'valid'"
    ).fetchall()
    for variant, prefix in SIDES:
        own = [margin for name, margin in margins if name == variant]
        found = row_of(compared, "Contracts set by exactly one point")
        assert found[f"{prefix}n"] == len(own)
        assert found[f"{prefix}value"] == pytest.approx(own.count(-1) / len(own))
        first = sum(points for name, trick, points in cards if (name, trick) == (variant, 1))
        whole = sum(points for name, _, points in cards if name == variant)
        found = row_of(compared, "Points that fall in the first trick")
        assert found[f"{prefix}value"] == pytest.approx(first / whole)
        leads = [(lead, target) for name, lead, target in games if name == variant]
        found = row_of(compared, "Winning margin as a share of the target")
        assert found[f"{prefix}games"] == len(leads)
        lead, target = map(sum, zip(*leads, strict=True))
        assert found[f"{prefix}value"] == pytest.approx(lead / target)


def test_bids_are_those_of_the_auctions(compared: Comparison) -> None:
    for variant, prefix in SIDES:
        calls = [
            (number, each.seat, each.verb)
            for number, hand in enumerate(sound(variant))
            for each in hand.actions
            if each.verb in (Verb.BID, Verb.PASS)
        ]
        found = row_of(compared, "Bids of each player in an auction")
        bids = sum(verb == Verb.BID for _, _, verb in calls)
        # Seats with a call that was free.
        seats = len({(number, seat) for number, seat, _ in calls})
        # Where everybody passes, the last bid is not free and the seat may have no other call.
        assert found[f"{prefix}n"] <= seats
        assert found[f"{prefix}value"] == pytest.approx(bids / seats, rel=0.02)


def test_both_sides_are_the_figures_themselves(figures: Facts, compared: Comparison) -> None:
    known = {each.name: each for each in FIGURES if each.metric.name in METRIC}
    seen = 0
    for row in compared.rows.to_dicts():
        if row["figure"] not in known:
            continue
        each = known[row["figure"]]
        for variant, prefix in SIDES:
            chosen = Filters.of({"variant": variant, **dict(each.only)})
            whole = measure(figures, each.metric, (), chosen).row(0, named=True)
            for name in ("n", "games", "value", "enough"):
                assert row[f"{prefix}{name}"] == pytest.approx(whole[name]), row["figure"]
            seen += 1
    assert seen > 20
    # Swapped sides say the same.
    swapped = compare_variants(figures, SECOND, FIRST)
    one, other = (each.rows.sort("figure") for each in (compared, swapped))
    assert one["figure"].to_list() == other["figure"].to_list()
    for a, b in zip(one.to_dicts(), other.to_dicts(), strict=True):
        assert (a["n"], a["named"]) == (b["other_n"], b["named"])
        if a["difference"] is not None:
            assert a["difference_low"] == pytest.approx(-b["difference_high"])


def test_a_difference_is_the_second_less_the_first_with_its_interval(compared: Comparison) -> None:
    judged = compared.rows.drop_nulls("difference")
    assert len(judged) > 10
    for row in judged.to_dicts():
        assert row["difference"] == pytest.approx(row["other_value"] - row["value"])
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]
        # The interval is that of 99 %, so what it leaves out has a chance below 1 %.
        outside = row["difference_low"] > 0 or row["difference_high"] < 0
        assert (row["chance"] < 0.01) == outside
    # Names stand among all figures of the page.
    relevant = {each.name: each.metric.relevant for each in FIGURES}
    for row, chance in zip(judged.to_dicts(), corrected(judged["chance"].to_list()), strict=True):
        large = abs(row["difference"]) >= relevant[row["figure"]]
        assert row["named"] == (chance < NAMED_AT and large)
    assert compared.rows.filter(pl.col("difference").is_null())["named"].is_null().all()


def test_figures_of_few_games_have_no_difference_and_a_filter_bars_some(figures: Facts) -> None:
    found = compare_variants(figures, FIRST, RARE)
    assert not found.rows.is_empty()
    assert found.rows["difference"].is_null().all()
    # There are no fives of trumps with points in Twenty-Nine.
    assert "Makers' pedros lost" in found.missing
    # A filter leaves out the figures that cannot be filtered so, and no others.
    found = compare_variants(figures, FIRST, SECOND, Filters.of({"card": "5"}))
    assert "Contracts made" in found.barred
    assert "Points lost" in found.rows["figure"]
    defenders = compare_variants(figures, FIRST, SECOND, Filters.of({"side": "defenders"}))
    assert "Makers’ share of the points" in defenders.barred
    never = Filters.of({"day": "1999-01-01"})
    assert compare_variants(figures, FIRST, SECOND, never).rows.is_empty()


def split_at_random(
    draw: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]], scale: Scale
) -> float:
    """How often games of one kind, called two, differ at 99 %."""
    chance = np.random.default_rng(7)
    told, rounds = 0, 300
    for _ in range(rounds):
        values, ends = [], []
        for _ in range(2):
            y, w = draw(chance, 40)
            sums = summed(y[None, :].astype(float), w[None, :].astype(float))
            low, high = interval(sums, np.array([typical(sums, scale)]), scale, 0.0, Z_99)
            values.append(float(sums.ratio[0]))
            ends.append((float(low[0]), float(high[0])))
        found = apart(values, ends)
        told += found.low > 0 or found.high < 0
    return told / rounds


def test_games_alike_are_hardly_ever_told_apart() -> None:
    def shares(chance: np.random.Generator, games: int) -> tuple[np.ndarray, np.ndarray]:
        # Hands of a game go together: a game has a share of its own.
        w = chance.integers(4, 12, games)
        return chance.binomial(w, chance.beta(6, 4, games)), w

    def amounts(chance: np.random.Generator, games: int) -> tuple[np.ndarray, np.ndarray]:
        w = chance.integers(4, 12, games)
        return w * chance.normal(0.1, 0.2, games) + chance.normal(0, 0.3, games), w

    assert split_at_random(shares, Scale.SHARE) <= 0.03
    assert split_at_random(amounts, Scale.FREE) <= 0.03


def test_people_are_compared_by_what_each_is_above_the_field(figures: Facts) -> None:
    found = better_at_which(figures, FIRST, SECOND)
    assert len(found) == 4
    sides = [
        standings(figures, METRIC["score-share"], filters=Filters.of({"variant": variant}))
        for variant in (FIRST, SECOND)
    ]
    for row in found.to_dicts():
        one, other = (side.filter(player=row["player"]).row(0, named=True) for side in sides)
        assert (row["n"], row["games"]) == (one["n"], one["games"])
        assert row["above"] == pytest.approx(one["difference"])
        assert row["difference"] == pytest.approx(other["difference"] - one["difference"])
        # Games of two variants are distinct, so neither interval is wider than that of both.
        widest = max(each["difference_high"] - each["difference_low"] for each in (one, other))
        assert row["difference_high"] - row["difference_low"] > widest
        assert row["games"] >= FEWEST_COMPARED
    assert better_at_which(figures, FIRST, RARE).is_empty()


# --- Within roles
ROLE_ALONE = "(CASE WHEN role = 'defender' THEN 760 ELSE 500 END + hash(hand) % 7)"
"""What hangs on the role alone, and on the hand."""
OF_ROLES = {"kind": Kind.MEAN, "least": 0, "better": Better.LOWER, "within": "role"}
COST = made_up("planted", "role IS NOT NULL", ROLE_ALONE, **OF_ROLES)
facts = facts_in("club_warehouse")


def differences(facts: Facts, metric: Metric) -> dict[str, float]:
    rows, totals = sums(facts, metric, "player", EVERYTHING)
    return dict(compare(rows, totals, metric.scale).select("who", "difference").iter_rows())


def test_nobody_stands_out_by_their_roles_but_by_what_is_their_own(facts: Facts) -> None:
    mixed = differences(facts, replace(COST, within=""))
    assert max(map(abs, mixed.values())) > 10
    within = differences(facts, COST)
    assert within.keys() == mixed.keys()
    assert max(map(abs, within.values())) < 1
    assert not standings(facts, COST, "player")["named"].any()
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
