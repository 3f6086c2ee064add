"""Figures of auctions held against par. docs/ledger.md has the words."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Level, Metric

GROUP: Final = "Against par"
_DATED: Final = date(2026, 11, 24)
CHOSEN: Final = "role = 'maker' AND NOT forced AND \"over\" IS NOT NULL"
"""Condition that a row is the maker of a contract that they chose to bid."""
_CALLED: Final = "status = 'valued' AND own_most IS NOT NULL"
_SET: Final = f"{CHOSEN} AND result = 'set' AND made_open IS NOT NULL"
_DEFENDED: Final = f"{_CALLED} AND side = 'defenders' AND points_bid IS NOT NULL AND NOT forced"
_COULD: Final = "own_most > points_bid"
"""Condition that a side could have outbid the contract of the others and made it."""

_SHARE: Final = partial(
    Metric,
    group=GROUP,
    grain=Grain.PAR,
    kind=Kind.SHARE,
    dated=_DATED,
)
_MISSED: Final = partial(
    Metric,
    group=GROUP,
    grain=Grain.PAR,
    kind=Kind.SHARE,
    level=Level.SIDE,
    better=Better.LOWER,
    dated=_DATED,
)

METRICS: Final = (
    Metric(
        name="bid-over-par",
        title="Bid against par",
        sentence="How many card points above the most that the side could make was bid, or below.",
        unit="card points a contract",
        numerator="the number bid less the most that the side makes on half of the stocks or more",
        denominator="contracts held against par that the maker chose to bid",
        group=GROUP,
        grain=Grain.PAR,
        kind=Kind.MEAN,
        cases=CHOSEN,
        amount='"over"',
        comparable=False,
        dated=_DATED,
    ),
    Metric(
        name="bid-over-par-share",
        title="Bid against par, share of the points",
        sentence=(
            "How far above the most that the side could make was bid, or below, as a share of the "
            "points of the pack, so that variants can be compared."
        ),
        unit="share of the card points",
        numerator="the number bid less the most that the side makes on half of the stocks or more",
        denominator="card points of the pack, over contracts that the maker chose to bid",
        group=GROUP,
        grain=Grain.PAR,
        kind=Kind.MEAN,
        cases=CHOSEN,
        amount='"over"',
        weight="pack_points",
        dated=_DATED,
    ),
    _SHARE(
        name="above-par",
        title="Bids above par",
        sentence="How often more was bid than the side makes on half of the stocks.",
        unit="share of contracts",
        numerator="contracts with a number above the most that the side could make",
        denominator="contracts held against par that the maker chose to bid",
        cases=CHOSEN,
        amount='("over" > 0)::INTEGER',
    ),
    _SHARE(
        name="overbids",
        title="Overbids that no play makes",
        sentence="How often a number was bid that no play of the side makes on any of the stocks.",
        unit="share of contracts",
        numerator="contracts with a number above all that the side takes, whatever it names",
        denominator="contracts held against par that the maker chose to bid",
        cases=CHOSEN,
        amount="beyond::INTEGER",
        better=Better.LOWER,
    ),
    _SHARE(
        name="set-by-play",
        title="Set by the play",
        sentence="How often a contract was set that best play makes from the first card on.",
        unit="share of contracts set",
        numerator="contracts that best play of all makes with the cards as they lay",
        denominator="contracts set, with a ledger, that the maker chose to bid",
        cases=_SET,
        amount="made_open::INTEGER",
    ),
    _SHARE(
        name="set-by-bid",
        title="Set by the bid",
        sentence="How often a contract was set that was above par and that no play makes.",
        unit="share of contracts set",
        numerator=(
            "contracts that best play sets, with a number above the most that the side could make"
        ),
        denominator="contracts set, with a ledger, that the maker chose to bid",
        cases=_SET,
        amount='(NOT made_open AND "over" > 0)::INTEGER',
    ),
    _SHARE(
        name="set-by-cards",
        title="Set by the cards that came",
        sentence=(
            "How often a contract was set that the side could make at par, and no play made once "
            "trumps were named and all cards had come."
        ),
        unit="share of contracts set",
        numerator="contracts that best play sets, with a number no higher than the side could make",
        denominator="contracts set, with a ledger, that the maker chose to bid",
        cases=_SET,
        amount='(NOT made_open AND "over" <= 0)::INTEGER',
    ),
    _SHARE(
        name="passed-out-makeable",
        title="Deals passed out that could be made",
        sentence="How often a side could have made a bid where everybody passed.",
        unit="share of deals passed out",
        numerator="deals in which a side makes the lowest bid on half of the stocks or more",
        denominator="deals held against par in which everybody passed",
        cases="status = 'valued' AND passed_out",
        amount="makeable::INTEGER",
        level=Level.HAND,
    ),
    _MISSED(
        name="passed-out-own",
        title="Passed out with a bid to make",
        sentence="How often the own side could have made a bid where everybody passed.",
        unit="share of deals passed out",
        numerator="deals in which the own side makes the lowest bid on half of the stocks or more",
        denominator="deals held against par in which everybody passed, once for each side",
        cases=f"{_CALLED} AND passed_out",
        amount="(own_most >= lowest_bid)::INTEGER",
    ),
    _MISSED(
        name="left-to-others",
        title="Contracts left to the others",
        sentence=(
            "How often the other side had the contract where the own side could have outbid it "
            "and made its own."
        ),
        unit="share of contracts defended",
        numerator=(
            "contracts of the others at a number below the most that the own side could make"
        ),
        denominator="contracts of the others, held against par, forced ones not counted",
        cases=_DEFENDED,
        amount=f"({_COULD})::INTEGER",
    ),
    _MISSED(
        name="par-left",
        title="Contracts at par left to the others",
        sentence="How often the other side had the contract that was the own side's at par.",
        unit="share of contracts defended",
        numerator="contracts of the others where the own side could make more than any other",
        denominator="contracts of the others, held against par, forced ones not counted",
        cases=_DEFENDED,
        amount="coalesce(has_par, false)::INTEGER",
    ),
    _MISSED(
        name="passed-could-make",
        title="Passed with a contract to make",
        sentence=(
            "How often a side did not bid at all although it could have made the lowest bid, or, "
            "where the others bid, more than theirs."
        ),
        unit="share of auctions without a bid of the side",
        numerator="auctions in which the side could have made a number that had the contract",
        denominator="auctions held against par in which nobody of the side bid",
        cases=f"{_CALLED} AND side_bids = 0 AND NOT alone AND side IS DISTINCT FROM 'makers'",
        amount=f"coalesce({_COULD}, own_most >= lowest_bid)::INTEGER",
    ),
    Metric(
        name="par-auctions",
        title="Auctions held against par",
        sentence="How many auctions were held against what could be made.",
        unit="auctions",
        numerator="valid hands whose auction was valued, deals passed out among them",
        denominator="not a share",
        group=GROUP,
        grain=Grain.PAR,
        kind=Kind.COUNT,
        cases="status = 'valued'",
        level=Level.HAND,
        dated=_DATED,
    ),
)
