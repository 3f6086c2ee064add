"""Figures of decisions graded by what their players knew. docs/hidden-cards.md has the words.

Means over deals are thousandths, so that their sums are exact: each case adds a whole number of
them, and weighs a thousand.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import ROLE, Better, Grain, Kind, Level, Metric

GROUP: Final = "Hidden cards"
_DATED: Final = date(2026, 11, 24)
_WEIGHT: Final = "1000"

_COST: Final = partial(
    Metric,
    group=GROUP,
    kind=Kind.MEAN,
    weight=_WEIGHT,
    comparable=False,
    better=Better.LOWER,
    within=ROLE,
    dated=_DATED,
)

METRICS: Final = (
    _COST(
        name="judged-cost-per-decision",
        title="Points a decision cost by what was known",
        sentence="How many card points a decision cost as far as its player could know.",
        unit="points",
        numerator=(
            "mean card points of the choice that looks best less those of the one made, over deals "
            "that fit what the player knew; below 0 where no other looks better"
        ),
        denominator="graded decisions, but for hands alone",
        grain=Grain.JUDGED,
        cases="NOT alone",
        amount="(judged * 1000)::BIGINT",
    ),
    _COST(
        name="judged-score-cost-per-decision",
        title="Score a decision cost by what was known",
        sentence="How much score a decision cost as far as its player could know.",
        unit="points of score",
        numerator="the same in score of the player's side less that of the others",
        denominator="graded decisions of hands whose score goes by points",
        grain=Grain.JUDGED,
        cases="score_judged IS NOT NULL",
        amount="(score_judged * 1000)::BIGINT",
    ),
    _COST(
        name="judged-cost-per-hand",
        title="Points lost by what was known",
        sentence="How many card points a hand's decisions cost as far as the player could know.",
        unit="points per hand",
        numerator="card points that the player's graded decisions cost by what was known",
        denominator=(
            "hands the player sat in of which every decision with a choice was graded, but for "
            "hands alone"
        ),
        grain=Grain.LUCK,
        cases="NOT alone",
        amount="(judged * 1000)::BIGINT",
    ),
    Metric(
        name="lie-cost-per-hand",
        title="Points lost to where cards lay",
        sentence="How many card points the lie of the cards cost the player; below 0 it gave some.",
        unit="points per hand",
        numerator=(
            "card points that the player's graded decisions cost with all cards open, less those "
            "that they cost by what was known"
        ),
        denominator=(
            "hands the player sat in of which every decision with a choice was graded, but for "
            "hands alone"
        ),
        group=GROUP,
        grain=Grain.LUCK,
        kind=Kind.MEAN,
        cases="NOT alone",
        amount="(luck * 1000)::BIGINT",
        weight=_WEIGHT,
        comparable=False,
        dated=_DATED,
    ),
    Metric(
        name="graded-hands",
        title="Graded hands",
        sentence="How many hands were graded by what their players knew.",
        unit="hands",
        numerator="valid hands of which every decision with a choice was graded",
        denominator="not a share",
        group=GROUP,
        grain=Grain.LUCK,
        kind=Kind.COUNT,
        cases="true",
        level=Level.HAND,
        dated=_DATED,
    ),
)
