"""What the field does with the same cards: bidding judged apart from play, and bid or pass.

``tables`` names the kinds of tables there are, ``study`` judges the hands of one of them, and all
else is asked of what it returns. Decision 56 has the model and what it was measured by.
"""

from __future__ import annotations

from tricklog.ingest.metrics.field.decisions import (
    GivenHand,
    Guide,
    Held,
    bid_or_pass,
    calibration,
    given_hand,
    guide_of,
    passed_auctions,
    score_by_bid,
)
from tricklog.ingest.metrics.field.figures import (
    QUESTION,
    QUESTIONS,
    Question,
    figures_over_tables,
    player_figures,
    words,
)
from tricklog.ingest.metrics.field.judging import Scope, Study, study
from tricklog.ingest.metrics.field.reading import Table, tables

__all__ = [
    "QUESTION",
    "QUESTIONS",
    "GivenHand",
    "Guide",
    "Held",
    "Question",
    "Scope",
    "Study",
    "Table",
    "bid_or_pass",
    "calibration",
    "figures_over_tables",
    "given_hand",
    "guide_of",
    "passed_auctions",
    "player_figures",
    "score_by_bid",
    "study",
    "tables",
    "words",
]
