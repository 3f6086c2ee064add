"""Where the fives go at one kind of table: who loses which, when, on whose lead, and to whom."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, cells, figures
from tricklog.dashboard.kit.cells import Colour, Picture, Track
from tricklog.dashboard.kit.chart_titles import chart_title_html
from tricklog.dashboard.kit.one_table import TABLE, at_table, choose_table, table_words
from tricklog.dashboard.kit.tables import Cell, Lines, Link, show_table
from tricklog.dashboard.pages.capture import flow_chart
from tricklog.dashboard.pages.capture.fives_said import sentence
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import FigureError, fives, metric_named
from tricklog.ingest.metrics.figure_words import value_text
from tricklog.ingest.metrics.query import Which
from tricklog.schemas.languages.messages import (
    Message,
    message,
    message_in,
    say,
    say_counted,
    say_in,
)
from tricklog.schemas.languages.numbers import number, ordinal, percent

MOST_ROWS: Final = 25
_METRIC: Final = metric_named(fives.LOST)
_WAYS: Final = metric_named(fives.KEPT)
_SEATS: Final = {
    "left": message("left opponent"),
    "right": message("right opponent"),
    "partner": message("maker’s partner"),
}
_SIDES: Final = {
    "left": message_in("a seat", "left"),
    "right": message_in("a seat", "right"),
}
_LEAST_SCALE: Final = 0.1


class _Part(NamedTuple):
    """A small table of the fives taken apart by a dimension."""

    name: str
    title: Message


_COLUMNS: Final = (
    (
        _Part("five", message("Which five")),
        _Part("holder", message("Held by")),
        _Part("taker", message("Lost to")),
    ),
    (
        _Part("leader", message("On the lead of")),
        _Part("played", message_in("how a five went", "Played")),
    ),
    (_Part("trick", message("In trick")), _Part("lost-to", message_in("fives", "Taken by"))),
)
"""The small tables, from left to right and from top to bottom."""


class LostFives:
    """The part of a page that follows the fives of one game."""

    name = "fives"

    @property
    def asks(self) -> str:
        """The question, in the language of the page."""
        return say("Where do the fives go?")

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show in a sentence, a flow and tables where fives are lost, when, by whom, to whom."""
        figures.heading(fives.LOST, say("Where do the fives go?"))
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
        names = labels_of(facts, "player")
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
    return say("No five that counts was played in these hands: {games}.", games=named)


# --- The way of the fives


def _show_ways(facts: DuckDBPyConnection, chosen: Chosen, ways: pl.DataFrame, title: str) -> None:
    found = flow_chart.bands(ways)
    if not found:
        st.info(say("There is no five in hands with a maker."))
        return
    fives_in_all = sum(band.n for band in found if band.start == 0)
    heading = say("The way of the fives")
    said = say_counted(
        "{game}: {count} five, seats as seen from the maker. A band leads to its hands.",
        "{game}: {count} fives, seats as seen from the maker. A band leads to its hands.",
        fives_in_all,
        game=title,
    )
    stays, won = say("stays with its side"), say("won by the other side")
    colours = (
        f'<i class="tl-key tl-one"></i> {as_html(stays)} '
        f'<i class="tl-key tl-strong tl-two"></i> {as_html(won)}'
    )
    st.html(chart_title_html(heading, said, colours))
    picked = flow_chart.show_flow(
        found,
        key=f"flow-{title}",
        said=say_counted(
            "The way of {count} five; the table below has all numbers",
            "The way of {count} fives; the table below has all numbers",
            fives_in_all,
        ),
    )
    if picked:
        values, which = _behind(picked)
        figures.go_to_hands(chosen, _WAYS, values, which)
    st.caption(_kept_words(found))
    with st.expander(say("The figures, and the hands behind each")):
        show_table(
            [say_in("a five", "held by"), say_in("a five", "in a trick led by"), stays, won],
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
            name=heading,
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
    return say(
        "Makers keep {kept} of their {fives} and win {won} of the defenders’ {others}.",
        kept=number(kept["makers"]),
        fives=_fives_with_share(kept["makers"], held["makers"]),
        won=number(won),
        others=_with_share(won, held["defenders"]),
    )


def _fives_with_share(part: int, whole: int) -> str:
    if not whole:
        return say_counted("{count} five", "{count} fives", whole)
    return say_counted(
        "{count} five ({share})", "{count} fives ({share})", whole, share=percent(part / whole)
    )


def _with_share(part: int, whole: int) -> str:
    return f"{number(whole)} ({percent(part / whole)})" if whole else number(whole)


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
    said = say(
        "as makers; the tick is all, the small columns are fives lost in each trick, blue "
        "intervals are apart with all compared"
    )
    st.html(chart_title_html(say("Who loses them, and to whom"), said))
    if len(losers) > MOST_ROWS:
        st.caption(
            say(
                "The {shown} of {number} players with the most fives.",
                shown=MOST_ROWS,
                number=number(len(losers)),
            )
        )
    with st.container(key="fives-losers"):
        show_table(
            _loser_heads(track, tricks, losers["place"].count()),
            [_loser_row(facts, chosen, row, track, names) for row in shown.iter_rows(named=True)],
            name=say("Who loses the makers’ fives"),
            for_phones=2,
        )


def _loser_heads(track: Track, tricks: int, judged: int) -> list[str]:
    player, scale = say_in("a heading", "Player"), _scale_words(track)
    in_tricks = say("in trick 1 to {last}", last=tricks) if tricks else say("in tricks")
    place = say_in("a heading", "place")
    if judged:
        place = say("place of {number}", number=number(judged))
    return [
        *(player, say_in("fives", "lost"), scale, say("from, to"), say_in("fives", "fives")),
        *(in_tricks, say_in("fives", "most often to"), place),
        *(player, say("lost, {scale}", scale=scale)),
    ]


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
        say("{number} in trick {trick}", number=number(lost), trick=trick)
        for trick, lost in enumerate(row["tricks"], 1)
        if lost
    )
    link = Link(name, address, say("{player}: player", player=name))
    value, picture, ends = _figure_cells(row, track, Colour.ONE if row["named"] else Colour.FIELD)
    place = _places(row)
    told = (
        say("{value} ({ends})", value=value, ends=ends) if ends else value,
        _of_fives(row),
        say("place {places}", places=place) if place else "",
    )
    return [
        *(link, value, picture, ends),
        figures.link_to_hands(facts, chosen, row["n"], _METRIC, {"player": row["player"]}),
        cells.columns(row["tricks"], by_trick or say("none lost in a trick")),
        _most_to(row),
        place,
        *(link, Lines(tuple(filter(None, told)), picture)),
    ]


def _places(row: Mapping[str, Any]) -> str:
    if row["place"] is None:
        return ""
    first, last = ordinal(row["from_place"]), ordinal(row["to_place"])
    return say("{least} to {most}", least=first, most=last)


def _most_to(row: Mapping[str, Any]) -> str:
    """Return to which seat most are lost, and how many of all."""
    if row["to"] is None:
        return ""
    return say(
        "{seat}, {number} of {all}",
        seat=_seat(row["to"]),
        number=number(row["to_count"]),
        all=number(row["lost"]),
    )


def _of_fives(row: Mapping[str, Any]) -> str:
    if row["to"] is None:
        return say_counted("of {count} five", "of {count} fives", row["n"])
    return say_counted(
        "of {count} five, to the {most}",
        "of {count} fives, to the {most}",
        row["n"],
        most=_most_to(row),
    )


def _seat(seat: str) -> str:
    if seat in ("left", "right"):
        return str(_SIDES[seat])
    return value_words("taker", seat)


# --- Where they are lost


def _show_where(
    facts: DuckDBPyConnection, chosen: Chosen, where: pl.DataFrame, names: Mapping[str, str]
) -> None:
    whole = _whole(where)
    track = _track(where, whole)
    of_takers = track._replace(tick=fives.taken_by_one(where))
    average = "" if of_takers.tick is None else value_text(_METRIC, of_takers.tick)
    st.html(
        chart_title_html(
            say("Where the makers’ fives are lost"), _reading(whole["n"] if whole else 0, average)
        )
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
                    [
                        *(str(part.title), _verb(part), _scale_words(track)),
                        *(say("from, to"), say_in("fives", "fives")),
                    ],
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
                    name=say("Makers’ fives lost: {part}", part=str(part.title).lower()),
                    whole_rows=True,
                )


def _reading(fives_in_all: int, average: str) -> str:
    """Return how to read the tables; ``average`` is empty where it is not known."""
    if not average:
        return say(
            "share that the opponents won, 95 % interval over games; the tick is all {number}. A "
            "ring: too few fives or games. Each row leads to its hands. By who took them, the tick "
            "is what one opponent takes on average, and a player’s share is of the fives of makers "
            "they sat against.",
            number=number(fives_in_all),
        )
    return say(
        "share that the opponents won, 95 % interval over games; the tick is all {number}. A "
        "ring: too few fives or games. Each row leads to its hands. By who took them, the tick is "
        "what one opponent takes on average, {average}, and a player’s share is of the fives of "
        "makers they sat against.",
        number=number(fives_in_all),
        average=average,
    )


def _is_long(rows: pl.DataFrame) -> bool:
    return len(rows) > MOST_ROWS


def _verb(part: _Part) -> str:
    return say_in("fives", "taken") if part.name in fives.TAKERS else say_in("fives", "lost")


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
        return say("no trick") if of == "0" else ordinal(int(of))
    if part.name == "five" or of not in _SEATS:
        return value_words(part.name, of)
    return str(_SEATS[of])


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
    return say("{least} to {most}", least=number(0), most=percent(track.most))


def _figure_cells(row: Mapping[str, Any], track: Track, colour: Colour) -> tuple[str, Picture, str]:
    """Return value, picture of the interval, and its ends in words."""
    value = value_text(_METRIC, row["value"])
    if row["low"] is None:
        ends, said = "", say("{value}, too few games", value=value)
    else:
        low, high = number(100 * row["low"]), number(100 * row["high"])
        ends = say("{least} to {most}", least=low, most=high)
        said = say("{value}, {ends} %", value=value, ends=ends)
    picture = cells.interval(
        track, row["value"], row["low"], row["high"], said, colour, few=not row["enough"]
    )
    return value, picture, ends
