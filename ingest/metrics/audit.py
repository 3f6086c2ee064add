"""Figures of what the audit found; hands of every verdict count in them."""

from __future__ import annotations

from typing import Final

from ingest.metrics.model import Better, Grain, Kind, Level, Metric

METRICS: Final = (
    Metric(
        name="valid-rate",
        title="Hands in order",
        sentence="How many of the stored hands were played and scored by the rules.",
        unit="share of hands",
        numerator="hands with the verdict valid",
        denominator="hands stored, whatever their verdict",
        group="Audit",
        grain=Grain.SEAT,
        kind=Kind.SHARE,
        cases="true",
        amount="(verdict = 'valid')::INTEGER",
        level=Level.HAND,
        every_verdict=True,
        better=Better.HIGHER,
    ),
    Metric(
        name="verdicts",
        title="Hands stored",
        sentence="How many hands are stored, those left out of other figures included.",
        unit="hands",
        numerator="hands",
        denominator="not a share",
        group="Audit",
        grain=Grain.SEAT,
        kind=Kind.COUNT,
        cases="true",
        level=Level.HAND,
        every_verdict=True,
    ),
    Metric(
        name="fault-rate",
        title="Hands with a fault",
        sentence="In how many of their hands a finding names the player.",
        unit="share of hands",
        numerator="hands with a finding that names the player",
        denominator="hands the player sat in, whatever their verdict",
        group="Audit",
        grain=Grain.SEAT,
        kind=Kind.SHARE,
        cases="true",
        amount="(faults > 0)::INTEGER",
        every_verdict=True,
        better=Better.LOWER,
    ),
    Metric(
        name="findings",
        title="Findings",
        sentence="How many findings there are.",
        unit="findings",
        numerator="findings of hands and of games",
        denominator="not a share",
        group="Audit",
        grain=Grain.FINDING,
        kind=Kind.COUNT,
        cases="true",
        every_verdict=True,
        better=Better.LOWER,
    ),
)
