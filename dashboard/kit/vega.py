"""Altair, whose parts charts are made of, imported when the first one is drawn.

That takes a fifth of a second, and the front page has no chart.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever Altair has
    return getattr(_altair(), name)


@cache
def _altair() -> ModuleType:
    import altair as alt
    from altair.utils import schemapi

    # It would hold every part against a schema as it is made, 50 ms a chart: the tests do.
    schemapi.disable_debug_mode()
    return alt
