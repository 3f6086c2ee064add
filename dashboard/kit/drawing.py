"""How charts are drawn: layers made of Altair's parts, and their rows beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.numbers import MINUS

if TYPE_CHECKING:
    import altair as alt
else:
    from tricklog.dashboard.kit import vega as alt

PICK: Final = "pick"
"""Name of the selection of one point by a click."""
_CLICKABLE: Final = "clickable"
_PALE: Final = 0.4

Spec = dict[str, Any]
"""A specification of Vega-Lite, or a part of one."""


def layer(
    mark: alt.MarkDef,
    *,
    where: str = "",
    once: bool = False,
    picks: Sequence[str] = (),
    **channels: alt.SchemaBase | Sequence[alt.Tooltip],
) -> Spec:
    """Return a layer: a mark, and the channels that say how each row is drawn with it.

    ``where`` is an expression: only rows for which it holds are drawn. With ``once`` there is one
    mark, however many rows there are. With ``picks`` each mark can be clicked on, which selects
    these fields of its row.
    """
    spec: Spec = {"mark": _written(mark), "encoding": _encoding(channels)}
    if where:
        spec["transform"] = [{"filter": where}]
    if once:
        count = {"op": "count", "as": "rows"}
        spec["transform"] = [*spec.get("transform", ()), {"aggregate": [count], "groupby": []}]
    if picks:
        select = {"type": "point", "fields": [*picks]}
        spec |= {"name": _CLICKABLE, "params": [{"name": PICK, "select": select}]}
    return spec


def specification(
    layers: Sequence[Spec],
    height: int,
    **channels: alt.SchemaBase | Sequence[alt.Tooltip],
) -> Spec:
    """Return a chart of layers, of which one at most has ``picks``; all share the ``channels``.

    Its height is in pixels. It writes numbers and days as the language of its reader does.
    """
    spec: Spec = {
        "$schema": alt.SCHEMA_URL,
        "height": height,
        "encoding": _encoding(channels),
        "layer": [{name: each[name] for name in each if name != "params"} for each in layers],
    }
    params = [param for each in layers for param in each.get("params", ())]
    if params:
        spec["params"] = [param | {"views": [_CLICKABLE]} for param in params]
    if locale := locale_of(current()):
        spec["config"] = {"locale": locale}
    return spec


def show(spec: Spec, rows: pl.DataFrame, *, key: str, said: str) -> dict[str, str] | None:
    """Show a chart of rows, ``said`` aloud; return the fields of the mark clicked on, if any."""
    spec = spec | {"data": rows}
    if "params" not in spec:
        st.vega_lite_chart(spec, key=key, alt=said)
        return None
    event: Any = st.vega_lite_chart(spec, key=key, on_select="rerun", selection_mode=PICK, alt=said)
    picked = event.selection.get(PICK) or []
    return dict(picked[0]) if picked else None


def pale_where_few() -> alt.OpacityValue:
    """Return the channel that makes a mark pale when there are too few cases to say much."""
    return alt.OpacityValue(_PALE, condition={"test": "datum.enough", "value": 1})


def title_html(title: str, said: str, *more: str) -> str:
    """Return what stands above a chart: a title, and how to read it; ``more`` is HTML."""
    spans = "".join(f"<span>{each}</span>" for each in (as_html(said), *more) if each)
    return f'<p class="tl-chart-title"><b>{as_html(title)}</b>{spans}</p>'


def _written(part: alt.SchemaBase) -> Any:  # noqa: ANN401 - a JSON value
    return part.to_dict(validate=False)


def _encoding(channels: Mapping[str, alt.SchemaBase | Sequence[alt.Tooltip]]) -> Spec:
    return {
        name: _written(each) if isinstance(each, alt.SchemaBase) else [*map(_written, each)]
        for name, each in channels.items()
    }


# --- Languages

_DAYS: Final = {
    "sv": "%Y-%m-%d",
    "fi": "%-d.%-m.%Y",
    "es": "%-d/%-m/%Y",
    "hi": "%-d/%-m/%Y",
    "bn": "%-d/%-m/%Y",
}
# After the last group D3 begins again with the first, so there are as many as a number can have.
_GROUPS: Final = {"hi": [3, *[2] * 8], "bn": [3, *[2] * 8]}


@cache
def locale_of(language: str) -> Spec:
    """Return how D3 writes numbers and days in a language; empty for English."""
    if language == ENGLISH:
        return {}
    from babel import Locale

    locale = Locale.parse(language)
    symbols = locale.number_symbols["latn"]
    # Babel begins the week with Monday, D3 with Sunday.
    week, year = (6, *range(6)), range(1, 13)
    days, months = locale.days["stand-alone"], locale.months["stand-alone"]
    return {
        "number": {
            "decimal": symbols["decimal"],
            "thousands": symbols["group"],
            "grouping": _GROUPS.get(language, [3]),
            "currency": ["", ""],
            "percent": "\N{NO-BREAK SPACE}%",
            "minus": MINUS,
        },
        "time": {
            "dateTime": "%A %-d %B %Y %H:%M",
            "date": _DAYS[language],
            "time": "%H:%M",
            "periods": [locale.day_periods["format"]["abbreviated"][each] for each in ("am", "pm")],
            "days": [days["wide"][each] for each in week],
            "shortDays": [days["abbreviated"][each] for each in week],
            "months": [months["wide"][each] for each in year],
            "shortMonths": [months["abbreviated"][each] for each in year],
        },
    }
