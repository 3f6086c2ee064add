"""Figures of where results came from, as shares of what was at stake. docs/ledger.md has the words.

Points of two games are not of one kind, and neither are parts of a ledger in points. Divided by
what a hand could bring they are, so that players can be compared over several games.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import ROLE, Better, Grain, Kind, Level, Metric

GROUP: Final = "Luck and choices"
_CASES: Final = "brought IS NOT NULL AND available > 0"
_OF_HANDS: Final = "hands with a ledger in score; where each plays alone, those of the maker alone"

_PART: Final = partial(
    Metric,
    unit="share of the score at stake",
    denominator=f"score at stake, as for the share of it, over {_OF_HANDS}",
    group=GROUP,
    grain=Grain.PAR,
    kind=Kind.MEAN,
    cases=_CASES,
    weight="available",
    dated=date(2026, 11, 24),
)

METRICS: Final = (
    _PART(
        name="luck-share",
        title="Luck",
        sentence=(
            "What the cards brought the side that were dealt, and that came later: par of the "
            "auction, and the draw."
        ),
        numerator="score of the player's side, less that of the others, by par and draw",
        amount="at_par + draw",
        level=Level.SIDE,
    ),
    _PART(
        name="own-choices-share",
        title="Own choices",
        sentence="What the player's own bids, exchange and cards brought their side.",
        numerator="score that the player's choices brought their side, less that of the others",
        amount="own_bids + own_exchange + own_cards",
        better=Better.HIGHER,
    ),
    _PART(
        name="own-bids-share",
        title="Own bids",
        sentence="What the player's contracts brought their side, beside par of the auction.",
        numerator="score that the contracts of the player are worth above par, or below",
        amount="own_bids",
        better=Better.HIGHER,
    ),
    _PART(
        name="own-exchange-share",
        title="Own exchange",
        sentence="What the cards that the player laid off, gave or robbed brought their side.",
        numerator="score that these choices brought, beside what the usual exchange does",
        amount="own_exchange",
        better=Better.HIGHER,
        within=ROLE,
    ),
    _PART(
        name="own-cards-share",
        title="Own cards",
        sentence="What the cards that the player played cost their side, with all cards open.",
        numerator="score that the player's decisions in the play cost, as 0 or less",
        amount="own_cards",
        better=Better.HIGHER,
        within=ROLE,
    ),
    _PART(
        name="partners-choices-share",
        title="Partner's choices",
        sentence="What the choices of the player's partner brought their side.",
        numerator="score that the choices of partners brought the player's side",
        amount="by_partners",
    ),
    _PART(
        name="others-choices-share",
        title="Others' choices",
        sentence="What the choices of the other side brought the player's side.",
        numerator="score that the choices of the others brought the player's side",
        amount="by_others",
        level=Level.SIDE,
    ),
    _PART(
        name="ledger-hands",
        title="Hands with a ledger",
        sentence="How many hands there are of which every part of the result is known in score.",
        unit="hands",
        numerator="valid hands with a ledger in score",
        denominator="not a share",
        kind=Kind.COUNT,
        cases="status = 'valued' AND no_ledger IS NULL AND no_score IS NULL",
        weight="1",
        level=Level.HAND,
    ),
)

PARTS: Final = (
    "luck-share",
    "own-bids-share",
    "own-exchange-share",
    "own-cards-share",
)
"""The parts that are compared between players: luck, and what a player chose themselves."""
