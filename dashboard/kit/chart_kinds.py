"""Kinds of charts: Altair draws one chart of each structure, and each use fills it in.

Altair checks every part of a chart against a schema, which takes 50 ms a chart. What a chart says
changes from use to use, but how it is made hardly ever does. So a chart is drawn once for each
structure, with stand-ins for what changes, and its finished specification is kept with slots in
their place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, TypeVar

import altair as alt
import polars as pl
import streamlit as st

from tricklog.dashboard.kit.chart_language import config_of
from tricklog.schemas.languages.current import current, in_language

PICK: Final = "pick"
"""Name of the selection of one point by a click."""
ROWS: Final = alt.NamedData("rows")
"""Data of every chart, which stands for the rows it is shown with."""
_PALE: Final = 0.4

Spec = dict[str, Any]
"""A specification of Vega-Lite, or a part of one."""
Structure = TypeVar("Structure", bound=Hashable)
Content = TypeVar("Content", bound=tuple[Any, ...])

# Pages have a theme of their own; that of Altair would fix the width.
alt.theme.enable("none")


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place in a finished specification that belongs to a field of the content."""

    field: int


class ChartKind(Generic[Structure, Content]):
    """A kind of chart: how Altair draws one, and the finished specification of each structure.

    ``draw`` decides by the structure alone which parts a chart has, and only puts the fields of the
    content into them. The fields are what stands in a specification: text, numbers, lists.
    """

    def __init__(
        self, draw: Callable[[Structure, Content], alt.LayerChart], stand_ins: Content
    ) -> None:
        """Take how to draw, and a content of which each field is valid and like nothing else."""
        self.draw: Final = draw
        self._stand_ins: Final = stand_ins
        self._finished: Final = cache(self._finish)

    def spec(self, structure: Structure, content: Content) -> Spec:
        """Return what ``draw(structure, content).to_dict()`` returns."""
        filled: Spec = _filled(self._finished(structure, current()), content)
        return filled

    def prepare(self, structure: Structure) -> None:
        """Draw the chart of a structure now rather than for its first use."""
        self._finished(structure, current())

    def show(
        self, rows: pl.DataFrame, structure: Structure, content: Content, *, key: str, said: str
    ) -> dict[str, str] | None:
        """Show a chart of rows, ``said`` aloud; return the fields of the point clicked on, if any.

        Where no layer is ``clickable`` there is nothing to click on.

        The rows go to the browser beside the specification, so that new rows need no new chart.
        """
        spec = _in_language(self.spec(structure, content)) | {"data": rows}
        if "params" not in spec:
            st.vega_lite_chart(spec, key=key, alt=said)
            return None
        event: Any = st.vega_lite_chart(
            spec,
            key=key,
            on_select="rerun",
            selection_mode=PICK,
            alt=said,
        )
        picked = event.selection.get(PICK) or []
        return dict(picked[0]) if picked else None

    def _finish(self, structure: Structure, language: str) -> object:
        # The language is what a finished one is kept by: what Altair draws has words.
        with in_language(language):
            drawn = self.draw(structure, self._stand_ins).to_dict()
        return _with_slots(drawn, self._stand_ins)


def _in_language(spec: Spec) -> Spec:
    """Return a specification that writes numbers and days as the language of its reader does."""
    written = config_of(current())
    return spec | {"config": spec.get("config", {}) | written} if written else spec


def clickable(layer: alt.Chart, fields: list[str]) -> alt.Chart:
    """Return a layer of which each mark can be clicked on, which selects these fields of it."""
    # Without a name of its own it would be called by the number of charts drawn before.
    named = layer.properties(name="clickable")
    return named.add_params(alt.selection_point(name=PICK, fields=fields))


def pale_where_few() -> alt.OpacityValue:
    """Return the channel that makes a mark pale when there are too few cases to say much."""
    return alt.OpacityValue(_PALE, condition={"test": "datum.enough", "value": 1})


def _with_slots(node: object, stand_ins: tuple[Any, ...]) -> object:
    """Return a finished specification with a slot in the place of each stand-in."""
    if node in stand_ins:
        return _Slot(stand_ins.index(node))
    if isinstance(node, dict):
        return {name: _with_slots(each, stand_ins) for name, each in node.items()}
    if isinstance(node, list):
        return [_with_slots(each, stand_ins) for each in node]
    return node


def _filled(node: Any, content: tuple[Any, ...]) -> Any:  # noqa: ANN401 - any part of a JSON value
    """Return a copy of a part of a specification with the content in its slots."""
    if isinstance(node, dict):
        return {name: _filled(each, content) for name, each in node.items()}
    if isinstance(node, list):
        return [_filled(each, content) for each in node]
    return content[node.field] if isinstance(node, _Slot) else node
