"""What the garbage collector is spared once all is loaded."""

from __future__ import annotations

import atexit
import gc
from functools import cache

from tricklog.dashboard.kit.charts import INTERVALS, Structure


@cache
def spare() -> None:
    """Keep what is loaded by now, the modules above all, out of all later garbage collections.

    Streamlit collects after each run of a page, and the last parts of the page are sent after that.
    Altair, and the schema it reads for its first chart, are loaded even if no page has shown one.
    """
    INTERVALS.prepare(Structure())
    gc.collect()
    gc.freeze()
    # What is frozen is never freed, not even at the end, and DuckDB would report it as leaked.
    atexit.register(gc.unfreeze)
