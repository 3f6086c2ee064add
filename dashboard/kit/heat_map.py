"""Heat maps: a cell for each two categories, coloured by a share, which can be clicked on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from tricklog.dashboard.kit.drawing import layer, show, specification
from tricklog.dashboard.kit.palette import palette

if TYPE_CHECKING:
    import altair as alt
else:
    from tricklog.dashboard.kit import vega as alt

_AROUND: Final = 32
_FONT: Final = 13


def show_heat_map(  # noqa: PLR0913 - each is a part of what the chart says
    rows: pl.DataFrame,
    *,
    across: Sequence[str],
    along: Sequence[str],
    cell: int,
    tooltip: Mapping[str, str],
    picks: Sequence[str],
    key: str,
    said: str,
    left: int | None = None,
) -> dict[str, str] | None:
    """Draw a cell for each row; return the fields ``picks`` of the one clicked on, if any.

    ``across`` and ``along`` are the categories, the first at the left and at the top, and ``cell``
    is the height of one in pixels. Columns: ``across`` and ``along``; ``share`` from 0 to 1, null
    where there is too little to colour a cell; ``large`` and ``small``, what stands in it, one
    below the other; ``framed``; ``said``, the cell in words; those of ``tooltip``, by which title
    each is shown; and of ``picks``. ``left`` is the room for the labels of rows in pixels.
    """
    of_two = "small" in rows.columns
    room: dict[str, Any] = {} if left is None else {"minExtent": left, "maxExtent": left}

    def side(channel: Any, name: str, values: Sequence[str], **looks: Any) -> Any:  # noqa: ANN401 - as Altair has them
        scale = alt.Scale(domain=[*values], paddingInner=0.06, paddingOuter=0.03)
        axis = alt.Axis(grid=False, ticks=False, domain=False, labelFontSize=_FONT, **looks)
        return channel(f"{name}:N", title=None, sort=[*values], scale=scale, axis=axis)

    places = {
        "x": side(alt.X, "across", across, labelAngle=0, labelOverlap=True, orient="top"),
        "y": side(alt.Y, "along", along, labelFlush=False, **room),
    }
    cells = layer(
        alt.MarkDef("rect", cursor="pointer", cornerRadius=3, strokeWidth=2),
        picks=picks,
        fill=alt.Fill("ground:N", scale=None),
        stroke=alt.Stroke("edge:N", scale=None),
        description=alt.Description("said:N"),
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in tooltip.items()],
    )
    ink = alt.Color("ink:N", scale=None)
    looks: dict[str, Any] = {"aria": False, "baseline": "middle"}
    texts = [
        layer(
            alt.MarkDef("text", dy=-8 if of_two else 0, fontSize=16 if of_two else 12, **looks),
            text=alt.Text("large:N"),
            color=ink,
        )
    ]
    if of_two:
        mark = alt.MarkDef("text", dy=10, fontSize=12, **looks)
        texts.append(layer(mark, text=alt.Text("small:N"), color=ink))
    spec = specification([cells, *texts], _AROUND + cell * len(along), **places)
    return show(spec, _coloured(rows), key=key, said=said)


def _coloured(rows: pl.DataFrame) -> pl.DataFrame:
    colours = palette()
    few = ("transparent", colours.field, colours.line)
    looks = [few if share is None else (*colours.of_share(share), None) for share in rows["share"]]
    edges = [
        colours.ink if framed else edge
        for framed, (*_, edge) in zip(rows["framed"], looks, strict=True)
    ]
    return rows.with_columns(
        pl.Series("ground", [ground for ground, *_ in looks], pl.String),
        pl.Series("ink", [ink for _, ink, _ in looks], pl.String),
        pl.Series("edge", edges, pl.String),
    )
