"""Where each of many stands, as far as draws of what all of them bring tell."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ingest.ratings.model import Numbers, Whole

FEWEST_OTHERS: Final = 50
"""Others like somebody from whom on a share of them says more than a place."""
FEWEST_HANDS: Final = 300
"""Hands from which on somebody is taken for a part of that company."""
_PLACES_WITHIN: Final = (2.5, 97.5)
_SHARES_WITHIN: Final = (5.0, 95.0)


class Places(NamedTuple):
    """The places of each, 1 for who brings the most, with an interval of 95 %."""

    place: Whole
    low: Whole
    high: Whole


class Shares(NamedTuple):
    """The share of the others that each is better than, with an interval of 90 %."""

    share: Numbers
    low: Numbers
    high: Numbers


def places(means: Numbers, drawn: Numbers) -> Places:
    """Return where each stands: by ``means``, and in draws of all, a row a draw."""
    each = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    place = np.asarray((-means).argsort(kind="stable").argsort() + 1, np.int64)
    low, high = np.percentile(each, _PLACES_WITHIN, axis=0, method="inverted_cdf")
    return Places(place, np.minimum(low, place), np.maximum(high, place))


def shares(drawn: Numbers) -> Shares:
    """Return the share of the others that each is better than, from 0 to 1.

    ``drawn`` are draws of all, a row a draw, two columns at least. The share is the mean over the
    draws, which errs less than the rank among means.
    """
    below = drawn.argsort(axis=1).argsort(axis=1) / (drawn.shape[1] - 1)
    return Shares(below.mean(axis=0), *np.percentile(below, _SHARES_WITHIN, axis=0))
