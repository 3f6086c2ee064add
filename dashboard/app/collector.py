"""What the garbage collector is spared once all is loaded."""

from __future__ import annotations

import atexit
import gc
from functools import cache


@cache
def spare() -> None:
    """Keep what is loaded by now, the modules above all, out of all later garbage collections.

    Streamlit collects after each run of a page, and the last parts of the page are sent after that.
    Altair is loaded even if no page has shown a chart.
    """
    # At the end of a first page, so that it does not wait for this.
    import altair as alt  # noqa: F401 - loaded before what is spared

    gc.collect()
    gc.freeze()
    # What is frozen is never freed, not even at the end, and DuckDB would report it as leaked.
    atexit.register(gc.unfreeze)
