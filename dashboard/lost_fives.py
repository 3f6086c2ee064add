"""Where the fives go at one kind of table: who loses which, when, on whose lead, and to whom."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, asked, cells, figures, filters, flow_chart, snapshot
from dashboard.cells import Colour, Picture, Track
from dashboard.escaping import as_html, as_markdown
from dashboard.filters import Chosen
from dashboard.labels import counted, value_words
from dashboard.one_table import TABLE, at_table, choose_table, table_words
from dashboard.tables import Cell, Lines, Link, show_table
from ingest.metrics import FigureError, fives, metric_named
from ingest.metrics.figure_words import value_text
from ingest.metrics.query import Which
from schemas.languages.numbers import ordinal

MOST_ROWS: Final = 25
MOST_NAMED: Final = 3
_METRIC: Final = metric_named(fives.LOST)
_WAYS: Final = metric_named(fives.KEPT)
_SEATS: Final = {"left": "left opponent", "right": "right opponent", "partner": "maker’s partner"}
_LEAST_SCALE: Final = 0.1


class _Part(NamedTuple):
    """A small table of the fives taken apart by a dimension."""

    name: str
    title: str


_COLUMNS: Final = (
    (_Part("five", "Which five"), _Part("holder", "Held by"), _Part("taker", "Lost to")),
    (_Part("leader", "On the lead of"), _Part("played", "Played")),
    (_Part("trick", "In trick"), _Part("lost-to", "Taken by")),
)
"""The small tables, from left to right and from top to bottom."""


class LostFives:
    """The part of a page that follows the fives of one game."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show in a sentence, a flow and tables where fives are lost, when, by whom, to whom."""
        figures.heading(fives.LOST, "Where do the fives go?")
        asked.takes(TABLE)
        try:
            tables = snapshot.kept(fives.tables, facts, chosen.filters)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        if tables.is_empty():
            figures.show_nothing(_no_fives(facts, chosen))
            return
        table = choose_table(tables)
        of_table = at_table(chosen, table)
        given = (of_table.filters, chosen.minimum)
        where = snapshot.kept(fives.where_lost, facts, *given)
        losers = snapshot.kept(fives.losers, facts, *given)
        ways = snapshot.kept(fives.ways, facts, of_table.filters)
        names = filters.labels_of(facts, "player")
        st.markdown(sentence(where, losers, names))
        left, right = st.columns(2, gap="large")
        with left:
            _show_ways(facts, of_table, ways, table_words(table))
        with right:
            _show_losers(facts, of_table, where, losers, names)
        _show_where(facts, of_table, where, names)


def _no_fives(facts: DuckDBPyConnection, chosen: Chosen) -> str:
    """Return what to say where no five was played."""
    titles = snapshot.titles()
    played = figures.variants_of(facts, chosen)
    if not played:
        return ""
    named = ", ".join(as_markdown(titles.get(each, each)) for each in played)
    return f"No five that counts was played in these hands: {named}."


# --- The answer first


def sentence(where: pl.DataFrame, losers: pl.DataFrame, names: Mapping[str, str]) -> str:
    """Return the answer in markdown, from the frames of ``ingest.metrics.fives``.

    ``names`` are those of players. People are told only where they are named among all.
    """
    rows = {(row["part"], row["of"]): row for row in where.iter_rows(named=True)}
    whole = rows.get((fives.ALL, fives.ALL))
    if whole is None or not whole["enough"]:
        games = 0 if whole is None else whole["games"]
        of = counted(0 if whole is None else whole["n"], "five")
        return f"Too few to say how often makers lose a five: {of} in {counted(games, 'game')}."
    said = [f"Makers lose **{_hundred(whole)} of 100 fives they played** {_ends(whole)}."]
    theirs, own = (rows.get((fives.LEAD, each)) for each in ("defenders", "makers"))
    if theirs and own and theirs["enough"] and own["enough"]:
        said.append(
            f"When a defender has the lead it is {_hundred(theirs)} {_ends(theirs)}, when they "
            f"lead themselves {_hundred(own)} {_ends(own)}."
        )
    return " ".join([*said, *_named(losers, names)])


def _named(losers: pl.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Return a sentence for those who lose more than the others, and one for those who lose fewer.

    Only for those who stand among all that are compared.
    """
    named = losers.filter(pl.col("named").fill_null(value=False))
    more = named.filter(pl.col("difference") > 0).sort("difference", descending=True)
    less = named.filter(pl.col("difference") < 0).sort("difference")
    said = [
        f"**{as_markdown(names.get(row['player'], row['player']))} loses {_hundred(row)}** "
        f"{_ends(row)}{_mostly(row['tricks'])}."
        for row in more.head(MOST_NAMED).iter_rows(named=True)
    ]
    if len(less):
        listed = ", ".join(
            f"**{as_markdown(names.get(row['player'], row['player']))}**, {_hundred(row)} "
            f"{_ends(row)}"
            for row in less.head(MOST_NAMED).iter_rows(named=True)
        )
        said.append(f"Fewest are lost by {listed}.")
    if not said:
        judged = losers["place"].count()
        said.append(
            f"Nobody stands out among {counted(judged, 'player')} for sure."
            if judged > 1
            else "There are too few games to compare players."
        )
    return said


def _mostly(tricks: Sequence[int]) -> str:
    """Return in which trick most were lost, where one has more than any other."""
    most = max(tricks, default=0)
    if not most or list(tricks).count(most) > 1:
        return ""
    return f", most often in trick {list(tricks).index(most) + 1}"


def _hundred(row: Mapping[str, Any]) -> str:
    return f"{100 * row['value']:.0f}"


def _ends(row: Mapping[str, Any]) -> str:
    return f"({100 * row['low']:.0f} to {100 * row['high']:.0f})"


# --- The way of the fives


def _show_ways(facts: DuckDBPyConnection, chosen: Chosen, ways: pl.DataFrame, title: str) -> None:
    found = flow_chart.bands(ways)
    if not found:
        st.info("There is no five in hands with a maker.")
        return
    fives_in_all = sum(band.n for band in found if band.start == 0)
    colours = (
        '<i class="tl-key tl-one"></i> stays with its side '
        '<i class="tl-key tl-strong tl-two"></i> won by the other side'
    )
    st.html(
        '<p class="tl-chart-title"><b>The way of the fives</b>'
        f"<span>{as_html(title)}: {counted(fives_in_all, 'five')}, seats as seen from the maker. "
        f"A band leads to its hands.</span><span>{colours}</span></p>"
    )
    picked = flow_chart.show_flow(
        found,
        key=f"flow-{title}",
        said=f"The way of {counted(fives_in_all, 'five')}; the table below has all numbers",
    )
    if picked:
        values, which = _behind(picked)
        figures.go_to_hands(chosen, _WAYS, values, which)
    st.caption(_kept_words(found))
    with st.expander("The figures, and the hands behind each"):
        show_table(
            ["held by", "in a trick led by", "stays with its side", "won by the other side"],
            [
                [
                    flow_chart.node_words(holder),
                    flow_chart.node_words(leader),
                    *(
                        _count_cell(facts, chosen, found, holder, leader, kept)
                        for kept in (True, False)
                    ),
                ]
                for holder, leader in dict.fromkeys(band.ends for band in found if band.start == 0)
            ],
            name="The way of the fives",
        )


def _count_cell(
    facts: DuckDBPyConnection,
    chosen: Chosen,
    found: Sequence[flow_chart.Band],
    holder: str,
    leader: str,
    kept: bool,  # noqa: FBT001 - one of two columns
) -> Cell:
    for band in found:
        if band.start == 0 and band.ends == (holder, leader) and band.kept == kept:
            values, which = _behind(band)
            return figures.link_to_hands(facts, chosen, band.n, _WAYS, values, which)
    return 0


def _behind(band: flow_chart.Band) -> tuple[dict[str, str], Which]:
    """Return the values of dimensions of the fives of a band, and which of their cases they are."""
    values = {"trick": "0"} if band.leader == flow_chart.NO_TRICK else {"leader": band.leader}
    values |= {"holder": band.holder} if band.holder else {"side": band.side}
    return values, Which.COUNTED if band.kept else Which.OTHERS


def _kept_words(found: Sequence[flow_chart.Band]) -> str:
    """Return how many each side kept of its fives."""
    kept, held = (
        dict.fromkeys(("makers", "defenders"), 0),
        dict.fromkeys(("makers", "defenders"), 0),
    )
    for band in found:
        if band.start == 0:
            held[band.side] += band.n
            kept[band.side] += band.n if band.kept else 0
    won = held["defenders"] - kept["defenders"]
    return (
        f"Makers keep {kept['makers']:,} of their {counted(held['makers'], 'five')}"
        f"{_of(kept['makers'], held['makers'])} and win {won:,} of the defenders’ "
        f"{held['defenders']:,}{_of(won, held['defenders'])}."
    )


def _of(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.0f} %)" if whole else ""


# --- Who loses them


def _show_losers(
    facts: DuckDBPyConnection,
    chosen: Chosen,
    where: pl.DataFrame,
    losers: pl.DataFrame,
    names: Mapping[str, str],
) -> None:
    shown = losers.sort("n", descending=True, maintain_order=True).head(MOST_ROWS)
    shown = shown.sort("enough", "value", descending=True, maintain_order=True)
    track = _track(shown, _whole(where))
    tricks = max(losers["tricks"].list.len(), default=0)
    st.html(
        '<p class="tl-chart-title"><b>Who loses them, and to whom</b>'
        "<span>as makers; the tick is all, the small columns are fives lost in each trick, "
        "blue intervals are apart with all compared</span></p>"
    )
    if len(losers) > MOST_ROWS:
        st.caption(f"The {MOST_ROWS} of {len(losers):,} players with the most fives.")
    judged = losers["place"].count()
    place = f"place of {judged:,}" if judged else "place"
    with st.container(key="fives-losers"):
        show_table(
            [
                *("Player", "lost", _scale_words(track), "from, to", "fives"),
                *(f"in trick 1 to {tricks}" if tricks else "in tricks", "most often to", place),
                *("Player", f"lost, {_scale_words(track)}"),
            ],
            [_loser_row(facts, chosen, row, track, names) for row in shown.iter_rows(named=True)],
            name="Who loses the makers’ fives",
            for_phones=2,
        )


def _loser_row(
    facts: DuckDBPyConnection,
    chosen: Chosen,
    row: Mapping[str, Any],
    track: Track,
    names: Mapping[str, str],
) -> list[Cell]:
    name = names.get(row["player"], row["player"])
    address = addresses.of_page(addresses.PLAYERS, facts, chosen, player=row["player"])
    by_trick = ", ".join(
        f"{lost} in trick {trick}" for trick, lost in enumerate(row["tricks"], 1) if lost
    )
    to = "" if row["to"] is None else f"{_seat(row['to'])}, {row['to_count']:,} of {row['lost']:,}"
    place = ""
    if row["place"] is not None:
        place = f"{ordinal(row['from_place'])} to {ordinal(row['to_place'])}"
    link = Link(name, address, f"{name}: player")
    value, picture, ends = _figure_cells(row, track, Colour.ONE if row["named"] else Colour.FIELD)
    told = (
        f"{value} ({ends})" if ends else value,
        ", ".join(filter(None, [f"of {counted(row['n'], 'five')}", f"to the {to}" if to else ""])),
        f"place {place}" if place else "",
    )
    return [
        *(link, value, picture, ends),
        figures.link_to_hands(facts, chosen, row["n"], _METRIC, {"player": row["player"]}),
        cells.columns(row["tricks"], by_trick or "none lost in a trick"),
        to,
        place,
        *(link, Lines(tuple(filter(None, told)), picture)),
    ]


def _seat(seat: str) -> str:
    return "left" if seat == "left" else "right" if seat == "right" else value_words("taker", seat)


# --- Where they are lost


def _show_where(
    facts: DuckDBPyConnection, chosen: Chosen, where: pl.DataFrame, names: Mapping[str, str]
) -> None:
    whole = _whole(where)
    track = _track(where, whole)
    of_takers = track._replace(tick=fives.taken_by_one(where))
    st.html(
        '<p class="tl-chart-title"><b>Where the makers’ fives are lost</b>'
        "<span>share that the opponents won, 95 % interval over games; the tick is all "
        f"{whole['n'] if whole else 0:,}. A ring: too few fives or games. "
        "Each row leads to its hands. By who took them, the tick is what one opponent takes on "
        f"average{_average_words(of_takers)}, and a player’s share is of the fives of makers they "
        "sat against.</span></p>"
    )
    for place, parts in zip(st.columns(len(_COLUMNS), gap="large"), _COLUMNS, strict=True):
        with place, st.container(key=f"fives-{parts[0].name}"):
            for part in parts:
                rows = where.filter(pl.col("part") == part.name)
                rows = rows.sort("n", descending=True).head(MOST_ROWS) if _is_long(rows) else rows
                if rows.is_empty():
                    continue
                track_of_part = of_takers if part.name in fives.TAKERS else track
                show_table(
                    [part.title, _verb(part), _scale_words(track), "from, to", "fives"],
                    [
                        [
                            figures.link_to_hands(
                                facts,
                                chosen,
                                _label(part, row, names),
                                _METRIC,
                                {part.name: row["of"]},
                            ),
                            *_figure_cells(row, track_of_part, Colour.ONE),
                            row["n"],
                        ]
                        for row in _in_order(rows, part).iter_rows(named=True)
                    ],
                    name=f"Makers’ fives lost: {part.title.lower()}",
                    whole_rows=True,
                )


def _average_words(track: Track) -> str:
    return "" if track.tick is None else f", {value_text(_METRIC, track.tick)}"


def _is_long(rows: pl.DataFrame) -> bool:
    return len(rows) > MOST_ROWS


def _verb(part: _Part) -> str:
    return "taken" if part.name in fives.TAKERS else "lost"


def _in_order(rows: pl.DataFrame, part: _Part) -> pl.DataFrame:
    """Return rows in the order in which people name them, players by how many they took."""
    if part.name == "lost-to":
        return rows.sort("enough", "value", descending=True, maintain_order=True)
    order = {each: place for place, each in enumerate(_ORDER.get(part.name, ()))}
    if not order:
        return rows
    place = pl.col("of").replace_strict(order, default=len(order), return_dtype=pl.Int64)
    return rows.sort(place, "of", maintain_order=True)


_ALL_SEATS: Final = ("maker", "partner", "left", "right")
_ORDER: Final = {
    "five": ("right", "left"),
    "holder": _ALL_SEATS,
    "leader": _ALL_SEATS,
    "taker": _ALL_SEATS,
    "played": ("led", "over", "under", "not played"),
}


def _label(part: _Part, row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    of = str(row["of"])
    if part.name == "lost-to":
        return names.get(of, of)
    if part.name == "trick":
        return "no trick" if of == "0" else ordinal(int(of))
    return (
        _SEATS.get(of, value_words(part.name, of))
        if part.name != "five"
        else value_words("five", of)
    )


# --- Cells


def _whole(where: pl.DataFrame) -> dict[str, Any] | None:
    rows = where.filter(pl.col("part") == fives.ALL)
    return None if rows.is_empty() else rows.row(0, named=True)


def _track(rows: pl.DataFrame, whole: Mapping[str, Any] | None) -> Track:
    """Return the scale of intervals: up to the highest that is not of too few cases, if any is."""
    known = rows.filter("enough") if rows["enough"].any() else rows
    highest = max(
        (each for each in (*known["high"], *known["value"]) if each is not None),
        default=_LEAST_SCALE,
    )
    most = min(1.0, max(_LEAST_SCALE, math.ceil(highest * 10) / 10))
    return Track(0.0, most, None if whole is None else whole["value"])


def _scale_words(track: Track) -> str:
    return f"0 to {100 * track.most:.0f} %"


def _figure_cells(row: Mapping[str, Any], track: Track, colour: Colour) -> tuple[str, Picture, str]:
    """Return value, picture of the interval, and its ends in words."""
    value = value_text(_METRIC, row["value"])
    ends = "" if row["low"] is None else f"{100 * row['low']:.0f} to {100 * row['high']:.0f}"
    said = f"{value}, {ends} %" if ends else f"{value}, too few games"
    picture = cells.interval(
        track, row["value"], row["low"], row["high"], said, colour, few=not row["enough"]
    )
    return value, picture, ends
