"""What is worked out beside the pages: how far it is, and the buttons that begin it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from tricklog.dashboard.data import snapshot, work
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.schemas.languages.messages import message, say, say_in, translated_in
from tricklog.schemas.languages.numbers import number

EVERY: Final = 1.0
"""Seconds between two looks at how far a run is."""
BUDGET: Final = "10m"
STAGE: Final = "what a long run is doing"
"""Context of the words for a stage of a run."""
_WORTH: Final = message("what hands are worth with all cards open")
_PAR: Final = message("what auctions could have made")


def show_running() -> bool:
    """Show how far the run under way is, or why the latest failed; return whether one goes on."""
    latest = work.latest()
    if latest is None:
        return False
    if latest.is_running:
        _watch()
    elif latest.error:
        failed = say("Working out {what} did not succeed.", what=latest.what)
        st.error(as_markdown(f"{failed} {latest.error}"))
    return latest.is_running


@st.fragment(run_every=EVERY)
def _watch() -> None:
    latest = work.latest()
    if latest is None or not latest.is_running:
        st.rerun()
    share, words = progress_words(latest.progress, time.monotonic() - latest.stage_began)
    st.progress(share, f"{as_markdown(str(latest.what))}: {words}")
    help_ = say("What has been worked out is kept.")
    st.button(say_in("a button", "Stop"), on_click=latest.stop, help=help_)


def offer_solving(said: str, *, par: bool = False) -> None:
    """Say that nothing is solved yet, with how far a run is, or a button as ``solving_button``."""
    st.info(said)
    if not show_running():
        solving_button(par=par)


def solving_button(*, par: bool = False) -> None:
    """Show a button that solves the newest hands for ten minutes, with ``par`` their auctions, too.

    There is none while a run goes on.
    """
    latest = work.latest()
    if latest is not None and latest.is_running:
        return
    st.button(say("Work on the newest hands for ten minutes"), on_click=_solve, kwargs={"par": par})


def _solve(*, par: bool) -> None:
    flags = ["--par"] if par else []
    where = f"--db={snapshot.warehouse().address}"
    work.start(_PAR if par else _WORTH, ["solve", *flags, f"--budget={BUDGET}", where])


def progress_words(told: Mapping[str, Any], seconds: float) -> tuple[float, str]:
    """Return how much of a stage is done, and how far it is in words, with the time left."""
    stage = translated_in(STAGE, str(told.get("stage", "starting")))
    done, total = told.get("done", 0), told.get("total")
    if not total:
        return 0.0, stage
    values = {"stage": stage, "done": number(done), "total": number(total)}
    words = say("{stage}, {done} of {total}", **values)
    if done and seconds > 1:
        left = number(max(1, round(seconds * (total - done) / done)))
        words = say("{stage}, {done} of {total}, about {left} s left", **values, left=left)
    return min(1.0, done / total), words
