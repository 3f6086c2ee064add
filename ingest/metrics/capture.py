"""Figures of the points in the tricks and of the cards that carry them."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Level, Metric

_CARDS: Final = partial(
    Metric,
    group="Capture",
    grain=Grain.CARD,
    kind=Kind.SHARE,
)
_POINTS: Final = partial(
    Metric,
    group="Capture",
    kind=Kind.MEAN,
    least=0,
    most=1,
)

METRICS: Final = (
    _POINTS(
        name="points-share",
        title="Share of the points",
        sentence="Which share of the points in the hand a side took.",
        unit="share of the points in play",
        numerator="card points of the side",
        denominator="card points of all sides, over hands with a maker",
        grain=Grain.SEAT,
        cases="side IS NOT NULL AND in_play > 0",
        from_totals=True,
        amount="side_points",
        weight="in_play",
        level=Level.SIDE,
        better=Better.HIGHER,
        dated=date(2026, 11, 24),
    ),
    _POINTS(
        name="own-points-share",
        title="Points won by the player",
        sentence="Which share of the hand's points the player took; the partner's do not count.",
        unit="share of the points in play",
        numerator=(
            "card points in tricks the player won, and of a two that counts for them as its holder"
        ),
        denominator="card points of all sides, over hands with a maker",
        grain=Grain.SEAT,
        cases="side IS NOT NULL AND in_play > 0 AND own_points IS NOT NULL",
        amount="own_points",
        weight="in_play",
        better=Better.HIGHER,
    ),
    _CARDS(
        name="cards-kept",
        title="Point cards kept",
        sentence="How often a point card counted for the side of the player who played it.",
        unit="share of point cards",
        numerator="cards whose points counted for the player's side",
        denominator="point cards the player played, or was left with as the last in the hand",
        cases="kept IS NOT NULL",
        amount="kept::INTEGER",
        better=Better.HIGHER,
    ),
    _CARDS(
        name="cards-lost",
        title="Point cards lost",
        sentence="How often a point card counted for another side than the player's.",
        unit="share of point cards",
        numerator="cards whose points counted for another side",
        denominator="point cards the player played, or was left with as the last in the hand",
        cases="kept IS NOT NULL",
        amount="(NOT kept)::INTEGER",
        better=Better.LOWER,
    ),
    _CARDS(
        name="cards-to-makers",
        title="Point cards to the makers",
        sentence="How often a point card counted for the makers.",
        unit="share of point cards",
        numerator="cards whose points counted for the makers",
        denominator="point cards played in hands with a maker",
        cases="to_makers IS NOT NULL",
        amount="to_makers::INTEGER",
    ),
    _POINTS(
        name="points-lost",
        title="Points lost",
        sentence="Which share of the points a player held went to another side.",
        unit="share of the card points held",
        numerator="card points that counted for another side",
        denominator="card points of the cards the player played",
        grain=Grain.CARD,
        cases="kept IS NOT NULL",
        amount="CASE WHEN kept THEN 0 ELSE card_points END",
        weight="card_points",
        better=Better.LOWER,
    ),
    _CARDS(
        name="pedros-lost",
        title="Makers' pedros lost",
        sentence="How often a five of trumps that the makers held went to the defenders.",
        unit="share of the makers' pedros",
        numerator="fives of trumps, right or left, that counted for the defenders",
        denominator="fives of trumps with five points that makers played",
        cases="point_card IN ('5', 'off five') AND card_points >= 5 AND side = 'makers'",
        amount="(NOT kept)::INTEGER",
        better=Better.LOWER,
    ),
    _CARDS(
        name="pedros-kept",
        title="Pedros kept",
        sentence="How often a five of trumps counted for the side of the player who held it.",
        unit="share of pedros",
        numerator="fives of trumps, right or left, that counted for the player's side",
        denominator="fives of trumps with five points that the player played",
        cases="point_card IN ('5', 'off five') AND card_points >= 5",
        amount="kept::INTEGER",
        better=Better.HIGHER,
    ),
    _CARDS(
        name="low-kept",
        title="Low kept",
        sentence="How often the two of trumps counted for the side of the player who held it.",
        unit="share of twos with a point",
        numerator="twos of trumps that counted for the player's side",
        denominator="twos of trumps with a point that the player played",
        cases="point_card = '2'",
        amount="kept::INTEGER",
        better=Better.HIGHER,
    ),
    _CARDS(
        name="taken-by-opponents-lead",
        title="Lost on the opponents' lead",
        sentence="How many of the lost point cards fell on a lead of the other side.",
        unit="share of point cards lost",
        numerator="point cards lost in tricks that an opponent led",
        denominator="point cards lost in tricks",
        cases="NOT kept AND led_by IS NOT NULL",
        amount="(led_by = 'opponents')::INTEGER",
    ),
)
