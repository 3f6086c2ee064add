"""Figures of the play of the cards, and of what players declare besides."""

from __future__ import annotations

from functools import partial
from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Metric

_HIDDEN: Final = "family = 'twenty-nine' AND role IS NOT NULL AND asks IS NOT NULL"

_SHARE: Final = partial(
    Metric,
    group="Play",
    grain=Grain.SEAT,
    kind=Kind.SHARE,
)

METRICS: Final = (
    _SHARE(
        name="trump-leads",
        title="Leads of trumps",
        sentence="How many of the player's leads were trumps.",
        unit="share of leads",
        numerator="leads of a trump",
        denominator="tricks the player led in hands with a suit as trumps",
        cases="leads > 0 AND suit IN ('S', 'H', 'D', 'C')",
        amount="trump_leads",
        weight="leads",
    ),
    _SHARE(
        name="point-leads",
        title="Leads of point cards",
        sentence="How many of the player's leads were cards with points.",
        unit="share of leads",
        numerator="leads of a card with points",
        denominator="tricks the player led",
        cases="leads > 0",
        amount="point_leads",
        weight="leads",
    ),
    _SHARE(
        name="leads-won",
        title="Leads that won",
        sentence="How many of the tricks the player led went to their side.",
        unit="share of leads",
        numerator="tricks the player led and their side won",
        denominator="tricks the player led",
        cases="leads > 0",
        amount="leads_won",
        weight="leads",
        better=Better.HIGHER,
    ),
    Metric(
        name="trumps-drawn",
        title="Trumps drawn",
        sentence="How many trumps of opponents fell on a lead of trumps.",
        unit="trumps a lead of trumps",
        numerator="trumps of opponents that fell on the player's leads of trumps",
        denominator="leads of a trump",
        group="Play",
        grain=Grain.SEAT,
        kind=Kind.MEAN,
        cases="trump_leads > 0",
        amount="trumps_drawn",
        weight="trump_leads",
        comparable=False,
        better=Better.HIGHER,
        least=0,
    ),
    _SHARE(
        name="tricks-won",
        title="Tricks won",
        sentence="Which share of the tricks the player won; the partner's do not count.",
        unit="share of tricks",
        numerator="tricks the player won",
        denominator="complete tricks of the hands they sat in",
        cases="trick_count > 0",
        amount="tricks_won",
        weight="trick_count",
    ),
    _SHARE(
        name="point-tricks",
        title="Tricks won with points",
        sentence="How many of the tricks the player won had points in them.",
        unit="share of tricks won",
        numerator="tricks won with points",
        denominator="tricks the player won",
        cases="tricks_won > 0",
        amount="point_tricks_won",
        weight="tricks_won",
        better=Better.HIGHER,
    ),
    _SHARE(
        name="cinching",
        title="Cinching",
        sentence=(
            "How often the third to play went above the five of trumps while an opponent behind "
            "them might still drop one."
        ),
        unit="share of chances",
        numerator="chances in which the player played a trump above the five",
        denominator=(
            "tricks of four in which the player, third to play and holding a trump above the five, "
            "could keep the fourth from winning with a five not played yet"
        ),
        cases="cinch_chances > 0",
        amount="cinches",
        weight="cinch_chances",
        better=Better.HIGHER,
    ),
    _SHARE(
        name="asks",
        title="Asking for trumps",
        sentence="How often the player asked for the hidden trumps.",
        unit="share of hands",
        numerator="hands in which the player asked",
        denominator="hands of Twenty-Nine with a maker",
        cases=_HIDDEN,
        amount="(asks > 0)::INTEGER",
    ),
    _SHARE(
        name="reveals",
        title="Trumps shown",
        sentence="How often the player turned the hidden trumps up.",
        unit="share of hands",
        numerator="hands in which the player showed the trumps",
        denominator="hands of Twenty-Nine with a maker",
        cases=_HIDDEN,
        amount="(reveals > 0)::INTEGER",
    ),
    _SHARE(
        name="pairs",
        title="Pairs declared",
        sentence="How often the player declared king and queen of trumps.",
        unit="share of hands",
        numerator="hands in which the player declared a pair",
        denominator="hands of Twenty-Nine with a maker",
        cases=_HIDDEN,
        amount="(pairs > 0)::INTEGER",
    ),
    _SHARE(
        name="doubles",
        title="Doubles",
        sentence="How often the player raised the stake by a double, a redouble or a super.",
        unit="share of hands",
        numerator="hands in which the player raised the stake",
        denominator="hands of Twenty-Nine with a maker",
        cases=_HIDDEN,
        amount="(doubles > 0)::INTEGER",
    ),
)
