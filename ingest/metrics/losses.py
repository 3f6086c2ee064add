"""Figures of what decisions in the play cost, with all cards open. docs/solver.md has the words."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from ingest.metrics.model import ROLE, Better, Grain, Kind, Level, Metric

GROUP: Final = "Open cards"
_DATED: Final = date(2026, 11, 24)
_CHOICE: Final = "choices > 1 AND loss IS NOT NULL"
_CONTRACT: Final = "made_open IS NOT NULL AND result IN ('made', 'set')"

_COST: Final = partial(
    Metric,
    group=GROUP,
    kind=Kind.MEAN,
    comparable=False,
    least=0,
    better=Better.LOWER,
    within=ROLE,
    dated=_DATED,
)
_CONTRACTS: Final = partial(
    Metric,
    group=GROUP,
    grain=Grain.STUDY,
    kind=Kind.SHARE,
    level=Level.HAND,
    dated=_DATED,
)

METRICS: Final = (
    Metric(
        name="accuracy",
        title="Accuracy",
        sentence="How often a decision in the play cost nothing with all cards open.",
        unit="share of decisions",
        numerator="decisions that cost the player's side nothing",
        denominator=(
            "decisions of solved hands with more than one choice: cards, surplus put down, and "
            "pairs that could be declared and were not"
        ),
        group=GROUP,
        grain=Grain.DECISION,
        kind=Kind.SHARE,
        cases=_CHOICE,
        amount="(loss = 0)::INTEGER",
        better=Better.HIGHER,
        within=ROLE,
        dated=_DATED,
    ),
    _COST(
        name="cost-per-decision",
        title="Points a decision cost",
        sentence="How many card points a decision in the play cost with all cards open.",
        unit="points",
        numerator="card points that the decisions cost the player's side",
        denominator="decisions of solved hands with more than one choice, but for hands alone",
        grain=Grain.DECISION,
        cases=f"{_CHOICE} AND NOT alone",
        amount="loss",
    ),
    _COST(
        name="score-cost-per-decision",
        title="Score a decision cost",
        sentence="By how much a decision in the play changed the scores, with all cards open.",
        unit="points of score",
        numerator="score of the player's side, less that of the others, that the decisions cost",
        denominator=(
            "decisions with more than one choice of solved hands whose score goes by points"
        ),
        grain=Grain.DECISION,
        cases="choices > 1 AND score_loss IS NOT NULL",
        amount="score_loss",
    ),
    Metric(
        name="no-choice",
        title="Decisions without a choice",
        sentence="How often there was just one thing to do in the play.",
        unit="share of decisions",
        numerator="decisions with one legal choice",
        denominator="decisions in the play of solved hands",
        group=GROUP,
        grain=Grain.DECISION,
        kind=Kind.SHARE,
        cases="choices >= 1",
        amount="(choices = 1)::INTEGER",
        dated=_DATED,
    ),
    Metric(
        name="decisions",
        title="Decisions",
        sentence="How many decisions with a choice there were in the play.",
        unit="decisions",
        numerator="decisions of solved hands with more than one choice",
        denominator="not a share",
        group=GROUP,
        grain=Grain.DECISION,
        kind=Kind.COUNT,
        cases=_CHOICE,
        dated=_DATED,
    ),
    _COST(
        name="cost-per-hand",
        title="Points lost in the play",
        sentence="How many card points a hand's decisions cost with all cards open.",
        unit="points per hand",
        numerator="card points that the player's decisions cost their side",
        denominator="solved hands the player sat in, but for hands alone",
        grain=Grain.STUDY,
        cases="unit = 'points'",
        amount="lost",
    ),
    _COST(
        name="score-cost-per-hand",
        title="Score lost in the play",
        sentence="By how much a hand's decisions changed the scores, with all cards open.",
        unit="points of score per hand",
        numerator="score of the player's side, less that of the others, that the decisions cost",
        denominator="solved hands the player sat in whose score goes by points",
        grain=Grain.STUDY,
        cases="score_lost IS NOT NULL",
        amount="score_lost",
    ),
    _COST(
        name="dearest",
        title="Dearest decision of a hand",
        sentence="How many card points the one decision cost that cost most, with all cards open.",
        unit="points per hand",
        numerator="card points that the dearest decision of the player cost in each hand",
        denominator="solved hands the player sat in, but for hands alone",
        grain=Grain.STUDY,
        cases="unit = 'points'",
        amount="dearest",
    ),
    _CONTRACTS(
        name="makeable",
        title="Contracts that best play makes",
        sentence="How often best play of all makes the contract with all cards open.",
        unit="share of contracts",
        numerator="contracts whose number best play reaches, king and queen declared",
        denominator="contracts of solved hands that were made or set",
        cases=_CONTRACT,
        amount="made_open::INTEGER",
    ),
    _CONTRACTS(
        name="makeable-made",
        title="Makeable contracts made",
        sentence="How often a contract was made that best play makes with all cards open.",
        unit="share of contracts",
        numerator="contracts that were made",
        denominator="contracts of solved hands that best play makes",
        cases=f"{_CONTRACT} AND made_open",
        amount="(result = 'made')::INTEGER",
    ),
    _CONTRACTS(
        name="unmakeable-made",
        title="Unmakeable contracts made",
        sentence="How often a contract was made that best play sets with all cards open.",
        unit="share of contracts",
        numerator="contracts that were made",
        denominator="contracts of solved hands that best play sets",
        cases=f"{_CONTRACT} AND NOT made_open",
        amount="(result = 'made')::INTEGER",
    ),
    Metric(
        name="over-par",
        title="Makers against par",
        sentence="How many card points more than with best play of all the makers took.",
        unit="points per hand",
        numerator="card points of the makers less those of best play; below 0 where they took less",
        denominator="solved hands, but for hands alone",
        group=GROUP,
        grain=Grain.STUDY,
        kind=Kind.MEAN,
        cases="unit = 'points'",
        amount="outcome - par",
        level=Level.HAND,
        comparable=False,
        dated=_DATED,
    ),
    Metric(
        name="solved-hands",
        title="Solved hands",
        sentence="How many hands there are whose values with all cards open are known.",
        unit="hands",
        numerator="valid hands that were solved",
        denominator="not a share",
        group=GROUP,
        grain=Grain.STUDY,
        kind=Kind.COUNT,
        cases="true",
        level=Level.HAND,
        dated=_DATED,
    ),
)
