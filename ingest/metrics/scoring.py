"""Figures of what hands and games bring."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Level, Metric

_OF_GAMES: Final = partial(
    Metric,
    group="Scoring",
    grain=Grain.GAME,
    from_totals=True,
    dated=date(2026, 11, 24),
)
_OF_HANDS: Final = partial(
    Metric,
    group="Scoring",
    grain=Grain.SEAT,
    from_totals=True,
    dated=date(2026, 11, 24),
)

METRICS: Final = (
    _OF_HANDS(
        name="score-change",
        title="Score a hand",
        sentence="What a hand adds to the score of a side.",
        unit="score a hand",
        numerator="amount added to the running score",
        denominator="hands played for something, once for each side",
        kind=Kind.MEAN,
        cases="side IS NOT NULL AND available > 0 AND side_change IS NOT NULL",
        amount="side_change",
        level=Level.SIDE,
        comparable=False,
        better=Better.HIGHER,
    ),
    _OF_HANDS(
        name="score-share",
        title="Share of the score at stake",
        sentence=(
            "What a hand adds to the score of a side, as a share of what it could bring, so that "
            "variants can be compared. A side that is set can lose: the share may be below zero."
        ),
        unit="share of the score at stake",
        numerator="amount added to the running score",
        denominator="card points of the pack, or the stake where hands are scored in game points",
        kind=Kind.MEAN,
        cases="side IS NOT NULL AND available > 0 AND side_change IS NOT NULL",
        amount="side_change",
        weight="available",
        level=Level.SIDE,
        better=Better.HIGHER,
    ),
    _OF_GAMES(
        name="win-rate",
        title="Games won",
        sentence="How often a side won the game.",
        unit="share of complete games",
        numerator="games won",
        denominator="complete games, once for each side",
        kind=Kind.SHARE,
        cases="won IS NOT NULL",
        amount="won::INTEGER",
        level=Level.SIDE,
        better=Better.HIGHER,
    ),
    _OF_GAMES(
        name="game-length",
        title="Length of a game",
        sentence="How many hands a game takes.",
        unit="hands a game",
        numerator="hands, thrown-in ones included",
        denominator="complete games",
        kind=Kind.MEAN,
        cases="hands IS NOT NULL",
        amount="hands",
        level=Level.HAND,
        comparable=False,
        least=1,
    ),
    _OF_GAMES(
        name="comebacks",
        title="Comebacks",
        sentence="How many games were won from at least half the target behind.",
        unit="share of games won",
        numerator="games won by a side that was once behind by half the target or more",
        denominator="games won",
        kind=Kind.SHARE,
        cases="won AND worst_lead IS NOT NULL",
        amount="(2 * worst_lead <= -target)::INTEGER",
        level=Level.SIDE,
        better=Better.HIGHER,
    ),
    _OF_GAMES(
        name="final-lead",
        title="Winning margin",
        sentence="How far the winners were ahead at the end.",
        unit="score a game",
        numerator="final score of the winners less the best of the others",
        denominator="complete games",
        kind=Kind.MEAN,
        cases="won AND lead_after IS NOT NULL",
        amount="lead_after",
        level=Level.SIDE,
        comparable=False,
    ),
    _OF_HANDS(
        name="hands",
        title="Hands",
        sentence="How many hands figures are made of.",
        unit="hands",
        numerator="hands",
        denominator="not a share",
        kind=Kind.COUNT,
        cases="true",
        level=Level.HAND,
    ),
    _OF_GAMES(
        name="games",
        title="Games",
        sentence="How many complete games there are.",
        unit="games",
        numerator="complete games",
        denominator="not a share",
        kind=Kind.COUNT,
        cases="true",
        level=Level.HAND,
    ),
)
