"""Figures of the auction and of the contracts it led to."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Level, Metric
from schemas.actions import MAX_BID

_CONTRACT: Final = "role = 'maker' AND result IN ('made', 'set') AND bid IS NOT NULL"
CHOSEN: Final = f"{_CONTRACT} AND NOT forced"
"""Condition that a row is the maker of a contract that they chose to bid."""
_COUNTED: Final = "maker_points IS NOT NULL AND need IS NOT NULL"
"""Condition that the points of the makers are known, as they are not in every record with gaps."""

_SHARE: Final = partial(
    Metric,
    group="Bidding",
    grain=Grain.SEAT,
    kind=Kind.SHARE,
    from_totals=True,
    dated=date(2026, 11, 24),
)
_MEAN: Final = partial(
    Metric,
    group="Bidding",
    grain=Grain.SEAT,
    kind=Kind.MEAN,
    from_totals=True,
    dated=date(2026, 11, 24),
)

METRICS: Final = (
    _SHARE(
        name="auctions-won",
        title="Auctions won",
        sentence="How often the player won the auction.",
        unit="share of auctions",
        numerator="hands in which they were the maker",
        denominator=(
            "hands they sat in with a contract that was bid; hands without a bid and hands played "
            "alone have none"
        ),
        cases="role IS NOT NULL AND bid IS NOT NULL",
        amount="(role = 'maker')::INTEGER",
    ),
    _MEAN(
        name="bid-level",
        title="Bid level",
        sentence="What the maker undertook, as a share of the card points of the pack.",
        unit="share of the card points",
        numerator="the number bid; all card points for a bid above the highest number",
        denominator="card points of the pack, over the contracts they chose to bid",
        cases=CHOSEN,
        amount=f"CASE WHEN bid > {MAX_BID} THEN pack_points ELSE bid END",
        weight="pack_points",
        least=0,
        most=1,
    ),
    _SHARE(
        name="made-rate",
        title="Contracts made",
        sentence="How often a contract was made that the maker chose to bid.",
        unit="share of contracts",
        numerator="contracts made",
        denominator=(
            "contracts made or set that the maker chose to bid; forced bids, hands without a bid, "
            "void hands and hands played alone are not among them"
        ),
        cases=CHOSEN,
        amount="(result = 'made')::INTEGER",
        better=Better.HIGHER,
    ),
    _SHARE(
        name="set-rate",
        title="Contracts set",
        sentence="How often a contract that the maker chose to bid was set.",
        unit="share of contracts",
        numerator="contracts set",
        denominator="contracts made or set that the maker chose to bid",
        cases=CHOSEN,
        amount="(result = 'set')::INTEGER",
        better=Better.LOWER,
    ),
    _SHARE(
        name="forced-rate",
        title="Forced bids",
        sentence="How many of the player's contracts they had to bid, being the last to speak.",
        unit="share of contracts",
        numerator="contracts the maker was forced to bid",
        denominator="contracts made or set",
        cases=f"{_CONTRACT} AND forced IS NOT NULL",
        amount="forced::INTEGER",
    ),
    _SHARE(
        name="forced-made-rate",
        title="Forced contracts made",
        sentence="How often a contract was made that the maker was forced to bid.",
        unit="share of forced contracts",
        numerator="forced contracts made",
        denominator="forced contracts made or set",
        cases=f"{_CONTRACT} AND forced",
        amount="(result = 'made')::INTEGER",
        better=Better.HIGHER,
    ),
    _MEAN(
        name="margin",
        title="Points over the need",
        sentence="How far the makers ended above the points they needed, or below.",
        unit="card points a contract",
        numerator="card points the makers took less those they needed",
        denominator="contracts made or set that the maker chose to bid",
        cases=f"{CHOSEN} AND {_COUNTED}",
        amount="maker_points - need",
        comparable=False,
    ),
    _MEAN(
        name="margin-share",
        title="Contract margin",
        sentence=(
            "How far the makers ended above the points they needed, as a share of the points of "
            "the pack, so that variants can be compared."
        ),
        unit="share of the card points",
        numerator="card points the makers took less those they needed",
        denominator="card points of the pack, over contracts the maker chose to bid",
        cases=f"{CHOSEN} AND {_COUNTED}",
        amount="maker_points - need",
        weight="pack_points",
    ),
    _MEAN(
        name="underbid",
        title="Hindsight: points not bid",
        sentence=(
            "What makers took beyond the need. It says what could have been bid by one who knew "
            "all cards, and is no fault where makers score all they take."
        ),
        unit="card points a contract made",
        numerator="card points taken beyond the need",
        denominator="contracts made that the maker chose to bid",
        cases=f"{CHOSEN} AND {_COUNTED} AND result = 'made'",
        amount="greatest(maker_points - need, 0)",
        comparable=False,
        least=0,
    ),
    _MEAN(
        name="overbid",
        title="Points short",
        sentence="How many points were lacking where a contract was set.",
        unit="card points a contract set",
        numerator="card points short of the need",
        denominator="contracts set that the maker chose to bid",
        cases=f"{CHOSEN} AND {_COUNTED} AND result = 'set'",
        amount="greatest(need - maker_points, 0)",
        comparable=False,
        better=Better.LOWER,
        least=1,
    ),
    _MEAN(
        name="captured-by-makers",
        title="Points captured by the makers",
        sentence="What the makers really took; by bid it shows whether bids mean what they say.",
        unit="card points a contract",
        numerator="card points the makers took",
        denominator="contracts made or set, forced ones included",
        cases=f"{_CONTRACT} AND {_COUNTED}",
        amount="maker_points",
        comparable=False,
        least=0,
    ),
    Metric(
        name="aggression",
        title="Aggression",
        sentence="How often the player bid where they were free to pass.",
        unit="share of free calls",
        numerator="bids, holding the standing bid and undertaking all tricks included",
        denominator="calls, but for bids that the passes of all others forced",
        group="Bidding",
        grain=Grain.SEAT,
        kind=Kind.SHARE,
        cases="turns > 0",
        amount="bids",
        weight="turns",
    ),
    _MEAN(
        name="set-cost",
        title="Cost of a set contract",
        sentence="What a set contract took from the makers' score.",
        unit="score a contract set",
        numerator="amount taken from the score",
        denominator="contracts set, forced ones included",
        cases=f"{_CONTRACT} AND result = 'set' AND side_change IS NOT NULL",
        amount="-side_change",
        comparable=False,
        better=Better.LOWER,
        least=0,
    ),
    Metric(
        name="maker-trumps",
        title="Trumps held by the maker",
        sentence="How many trumps the maker held when they bid.",
        unit="cards a contract",
        numerator="trumps among the cards held during the auction",
        denominator="contracts made or set that the maker chose to bid, with the cards recorded",
        group="Bidding",
        grain=Grain.SEAT,
        kind=Kind.MEAN,
        cases=f"{CHOSEN} AND trumps_held IS NOT NULL",
        amount="trumps_held",
        comparable=False,
        least=0,
    ),
    Metric(
        name="maker-points-held",
        title="Points held by the maker",
        sentence="How many card points in trumps the maker held when they bid.",
        unit="card points a contract",
        numerator="card points of the trumps held during the auction",
        denominator="contracts made or set that the maker chose to bid, with the cards recorded",
        group="Bidding",
        grain=Grain.SEAT,
        kind=Kind.MEAN,
        cases=f"{CHOSEN} AND points_held IS NOT NULL",
        amount="points_held",
        comparable=False,
        least=0,
    ),
    _SHARE(
        name="thrown-in-rate",
        title="Hands thrown in",
        sentence="How often a hand was thrown in without play.",
        unit="share of hands",
        numerator="hands thrown in",
        denominator="hands with an outcome",
        cases="result IS NOT NULL",
        amount="(result = 'thrown_in')::INTEGER",
        level=Level.HAND,
    ),
)
