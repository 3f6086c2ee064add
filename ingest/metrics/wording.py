"""Metrics, leaks, themes and dimensions in the language of whoever reads of them.

Their own texts are English, and are keys as well: what somebody is shown comes from here. Metrics
of one's own have no translations and are shown as they are written.
"""

from __future__ import annotations

from typing import Final, Protocol

from tricklog.ingest.metrics.model import Dimension, Metric
from tricklog.schemas.languages.messages import translated_in

FIGURE: Final = "a figure"
"""The context of the titles of metrics, groups, leaks and themes."""
DIMENSION: Final = "a dimension"
"""The context of the titles of dimensions."""
UNIT: Final = "a unit"
DEFINED: Final = "a definition"
"""The context of sentences about what a metric, leak or dimension is."""


class Defined(Protocol):
    """A metric, a leak or a dimension."""

    @property
    def title(self) -> str:
        """What it is called, in English."""

    @property
    def sentence(self) -> str:
        """What it is, in English."""


def title(defined: Defined) -> str:
    """Return what a metric, leak or dimension is called: ``Contracts made``, ``partner``."""
    context = DIMENSION if isinstance(defined, Dimension) else FIGURE
    return translated_in(context, defined.title)


def theme(named: str) -> str:
    """Return what a theme is called: ``cinch missed``."""
    return translated_in(FIGURE, named)


def sentence(defined: Defined) -> str:
    """Return the sentence about what a metric, leak or dimension is."""
    return translated_in(DEFINED, defined.sentence)


def group(name: str) -> str:
    """Return a heading that metrics stand under, such as Bidding."""
    return translated_in(FIGURE, name)


def unit(metric: Metric) -> str:
    """Return what the values of a metric are: ``share of contracts``."""
    return translated_in(UNIT, metric.unit)


def numerator(metric: Metric) -> str:
    """Return what a metric counts."""
    return translated_in(DEFINED, metric.numerator)


def denominator(metric: Metric) -> str:
    """Return what a metric counts that out of."""
    return translated_in(DEFINED, metric.denominator)
