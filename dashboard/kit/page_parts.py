"""The frame of a section: refused or empty, its figures folded, beside others, or behind tabs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl
import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.kit.palette import is_dark
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.metrics import FigureError
from tricklog.schemas.languages.messages import Message, say, say_counted, translated
from tricklog.schemas.printable import one_line


@contextmanager
def refusals_said() -> Iterator[None]:
    """Say in the place of a section why it shows nothing: refused, or empty as ``need`` says.

    It decorates what shows the section.
    """
    try:
        yield
    except FigureError as error:
        st.info(as_markdown(str(error)))


def need(rows: pl.DataFrame, words: str | Message = "") -> None:
    """End a section that has no rows, with a sentence on why and what to do.

    Raises ``FigureError``, which ``refusals_said`` says.
    """
    if rows.is_empty():
        raise FigureError(str(words) or say("No hand matches. Remove a filter, or load more logs."))


def show_figures(
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    name: str | None = None,
    title: str = "",
    whole_rows: bool = False,
) -> None:
    """Show the figures of a chart as a table, folded; ``title`` in the place of the usual one."""
    with st.expander(title or say("The figures, and the hands behind each")):
        show_table(heads, [*rows], name=name, whole_rows=whole_rows)


def in_twos(count: int) -> Iterator[Any]:
    """Yield a place for each of several parts, two beside each other; a single one is as wide."""
    for start in range(0, count, 2):
        places = st.columns(2, gap="medium") if count > 1 else [st.container()]
        yield from places[: count - start]


def show_parts(parts: Mapping[str, Callable[[], None]]) -> None:
    """Show tabs, and the part behind the one that is open.

    ``parts`` are by their titles, which are marked texts.
    """
    shown = {translated(each): each for each in parts}
    parameters.choice(
        urls.VIEW,
        shown,
        lambda label: translated(shown[label]),
        ids=lambda label: urls.id_of(shown[label]),
    )
    tabs = st.tabs(list(shown), key=urls.VIEW, on_change="rerun")
    for tab, show_part in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show_part()


def name_window(said: str) -> None:
    """Call the window, and what a browser keeps of it, by what is shown."""
    st.set_page_config(page_title=f"{one_line(said)} · Tricklog")


def show_head(title: str, where: Iterable[str], said: str, *looks: str) -> None:
    """Show the head of a page that fits a sheet of paper; ``where`` and ``said`` are HTML."""
    name_window(title)
    classes = " ".join(["tl-sheet-head", *looks, *(["tl-dark"] if is_dark() else [])])
    st.html(
        f'<div class="{classes}"><h2>{as_html(title)}</h2>'
        f'<p class="tl-where">{" · ".join(where)}</p><p>{said}</p></div>'
    )


def few_words(count: int) -> str:
    """Return how many are left out as there are too few games of them."""
    return say_counted(
        "{count} with too few games to compare is left out.",
        "{count} with too few games to compare are left out.",
        count,
    )


def lead_to(
    page: str,
    said: str,
    query: Mapping[str, str | Sequence[str]] | None = None,
    *,
    more: str | None = None,
) -> None:
    """Show a link to a page; ``said`` is Markdown, and ``more`` what is said on hovering."""
    st.page_link(page, label=f":blue[{said}]", query_params=query, help=more)


def show_values(values: Iterable[tuple[str, str]]) -> None:
    """Show a few values in a line, each after what it is."""
    told = "".join(
        f"<span>{as_html(name)} <b>{as_html(value)}</b></span>" for name, value in values
    )
    st.html(f'<p class="tl-values">{told}</p>')


def first_row(total: int, size: int) -> int:
    """Return the place of the first row of the part of a list that is open, of so many a part."""
    return (parameters.part(_parts(total, size)) - 1) * size


def offer_parts(total: int, size: int) -> None:
    """Let the viewer turn to the other parts of a list, below the one that ``first_row`` begins."""
    if (last := _parts(total, size)) > 1:
        st.pagination(last, key=urls.PART)


def _parts(total: int, size: int) -> int:
    return max(1, -(-total // size))
