"""A season: games won, pairs, records, the calendar of play, and how everybody did over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import opening, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.charts import IntervalChart, shared_domain
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.page_parts import need, refusals_said, show_figures
from tricklog.dashboard.kit.palette import is_dark
from tricklog.dashboard.kit.tables import Cell, Link, first_of, show_table
from tricklog.dashboard.sections.calendar import (
    MOST_MONTHS,
    MOST_WEEKS,
    is_by_weekday,
    show_calendar,
)
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.text.escaping import as_html, name_html, sentence_html
from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.figure_words import between_text, figure_text, signed_text, value_text
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.trend import above_field
from tricklog.ingest.reports.season import season_report
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.records import KINDS, Record, pairs, records
from tricklog.schemas.languages.messages import (
    mark,
    message,
    message_of,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import month_text, number, ordinal, plain_day

PICKED: Final = "evening-picked"
"""Key of the session: the evening that was clicked on in the calendar."""
OF: Final = "of"
"""Parameter and key: which course is shown."""
GAMES, PEOPLE, PAIRS = mark("Games won and lost"), mark("People"), mark("Pairs")
MOST_PLAYERS: Final = 12
MOST_PAIRS: Final = 8
MOST_VARIANTS: Final = 3
MOST_TRENDS: Final = 8
BESIDE: Final = 4
"""Trends in a row."""
_WON: Final = METRIC["win-rate"]
_SCORE: Final = METRIC["score-share"]
_LEAST_SCALE: Final = 0.03
_ABOVE_FIELD: Final = message(
    "score above the field as a share of what was at stake, of all games on one scale, by month, "
    "with 95 % intervals. A point leads to its games."
)
_TALL: Final = 90
"""Pixels that a trend is high."""


def heading(title: str, about: str) -> None:
    """Show the heading of a section, and in a line what it shows."""
    st.html(
        f'<p class="tl-chart-title tl-section"><b>{as_html(title)}</b>'
        f"<span>{as_html(about)}</span></p>"
    )


@refusals_said()
def show_season(facts: DuckDBPyConnection, own: Chosen, days: pl.DataFrame, day: date) -> None:
    """Show the season of the filters, with its ``days`` of play; ``day`` is the evening chosen."""
    need(days, message("No hand of these days fits the filters."))
    names = snapshot.names()
    won = snapshot.kept(standings, facts, _WON, "player", own.filters, 1)
    about = [
        _days_of(days),
        say_counted("{count} evening", "{count} evenings", len(days)),
        words.hands_text(int(days["hands"].sum())),
    ]
    if left_out := int(days["left_out"].sum()):
        about.append(say("{number} not in order and left out", number=number(left_out)))
    classes = "tl-sheet-head tl-evening" + (" tl-dark" if is_dark() else "")
    st.html(
        f'<div class="{classes}"><h2>{as_html(_title(own, days))}</h2>'
        f'<p class="tl-where">{as_html(" · ".join(about))}</p>'
        f"<p>{sentence_html(words.season_text(won, names))}</p></div>"
    )
    title = _title(own, days)
    show_report_button(
        "season",
        say("This season"),
        lambda sources: season_report(sources, own.filters, title),
    )
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key="season-won"):
            _show_won(facts, own, won)
        _show_pairs(facts, own)
    with right:
        _show_calendar(days, day)
        _show_records(snapshot.kept(records, facts, own.filters))
    with st.container(key="season-trends"):
        _show_trends(facts, own)


def _title(own: Chosen, days: pl.DataFrame) -> str:
    first, last = own.filters.since, own.filters.until
    if first and (first, last) == (date(first.year, 1, 1), date(first.year, 12, 31)):
        return say("Season {year}", year=first.year)
    return _days_of(days)


def _days_of(days: pl.DataFrame) -> str:
    ends = days.select(first=pl.col("day").min(), last=pl.col("day").max())
    return words.days_text(*ends.row(0))


# --- Games won


@refusals_said()
def _show_won(facts: DuckDBPyConnection, own: Chosen, won: pl.DataFrame) -> None:
    heading(
        say("Games won"),
        say(
            "complete games, 95 % interval; the tick is what the others win. Places go by the "
            "difference to the others in the same games."
        ),
    )
    figures.show_games_left_out(facts, own, [_WON])
    need(won, message("There is no complete game."))
    frame = won.head(MOST_PLAYERS)
    names = labels_of(facts, "player")
    picked = IntervalChart(
        title=say("Games won"),
        category=say_in("a column", "player"),
        measure=say("share of their games"),
        percent=True,
        mark=say("what the others win"),
        counted=say("games"),
    ).draw(
        frame.with_columns(
            pl.Series("label", [names.get(each, each) for each in frame["player"]], pl.String),
            key="player",
            mark="expected",
            n="games",
        ),
        "season-won-chart",
        say("Games won"),
    )
    if picked:
        opening.go(addresses.of_page(addresses.PLAYERS, own, player=picked["key"]))
    show_figures(
        [
            *(say_in("a column", "player"), say("won, 95 % interval")),
            *(say_in("a column", "games"), say_in("a column", "place")),
        ],
        [_won_row(facts, own, row) for row in frame.iter_rows(named=True)],
        name=say("Games won"),
        title=say("The figures, and the players"),
    )
    if len(won) > MOST_PLAYERS:
        address = as_html(addresses.of_page(addresses.PLAYERS, own, {"rank": "win-rate"}))
        st.html(
            f"<p>{as_html(first_of(MOST_PLAYERS, len(won)))} "
            f'<a class="tl-link" href="{address}">{as_html(say("All players"))}</a></p>'
        )


def _won_row(facts: DuckDBPyConnection, own: Chosen, row: dict[str, Any]) -> list[Cell]:
    name = labels_of(facts, "player").get(row["player"], row["player"])
    address = addresses.of_page(addresses.PLAYERS, own, player=row["player"])
    won = figure_text(_WON, row, cases=False)
    return [Link(name, address), won, row["games"], _place_text(row)]


def _place_text(row: dict[str, Any]) -> str:
    """Return a place with the range it lies in, without of how many: ``6th, 4th to 7th``."""
    if row["place"] is None:
        return ""
    place, first, last = (ordinal(row[each]) for each in ("place", "from_place", "to_place"))
    if first == last:
        return place
    return say("{place}, {first} to {last}", place=place, first=first, last=last)


def _show_pairs(facts: DuckDBPyConnection, own: Chosen) -> None:
    heading(
        say("Pairs"),
        say(
            "games won together, and what both win with others gives; difference in points of 100 "
            "with its 99 % interval"
        ),
    )
    found = snapshot.kept(pairs, facts, own.filters)
    st.html(f"<p>{sentence_html(words.pairs_text(found, snapshot.names()))}</p>")
    judged = found.filter(pl.col("difference").is_not_null()).sort(
        pl.col("difference").abs(), descending=True, maintain_order=True
    )
    if judged.is_empty():
        return
    shown = judged.head(MOST_PAIRS)
    labels = [words.side_text(snapshot.names(), each) for each in shown.select("one", "two").rows()]
    picked = IntervalChart(
        title=say("Pairs"),
        category=say_in("a column", "pair"),
        measure=say_in("a column", "difference"),
        percent=True,
        interval="99 %",
        signed=True,
        counted=say("games"),
    ).draw(
        shown.with_columns(
            pl.Series("label", labels, pl.String),
            key=pl.int_range(pl.len()).cast(pl.String),
            value="difference",
            n="games",
            enough=pl.lit(value=True),
        ),
        "season-pairs-chart",
        say("Pairs"),
    )
    if picked:
        one, two = shown.select("one", "two").row(int(picked["key"]))
        opening.go(addresses.of_page(addresses.GAMES, own, player=one, partner=two))
    show_figures(
        [
            *(say_in("a column", "pair"), say_in("a column", "games")),
            *(say_in("a column", "together"), say_in("a column", "expected")),
            say("difference, 99 % interval"),
        ],
        [
            _pair_row(own, row, label)
            for row, label in zip(shown.iter_rows(named=True), labels, strict=True)
        ],
        name=say("Pairs"),
        title=say("The figures, and the games of each"),
    )
    if len(judged) > MOST_PAIRS:
        st.caption(first_of(MOST_PAIRS, len(judged)))


def _pair_row(own: Chosen, row: dict[str, Any], label: str) -> list[Cell]:
    address = addresses.of_page(addresses.GAMES, own, player=row["one"], partner=row["two"])
    together, expected = (value_text(_WON, row[each]) for each in ("together", "expected"))
    difference = between_text(
        *(signed_text(_WON, row[each]) for each in ("difference", "low", "high"))
    )
    link = Link(label, address, say("{pair}: games together", pair=label))
    return [link, row["games"], together, expected, difference]


# --- Records and calendar


def show_new_records(found: Sequence[Record]) -> None:
    """Show records just set, each with who holds it; nothing without one."""
    if not found:
        return
    heading(say("Records set"), say("of the season so far"))
    titles = snapshot.titles()
    rows = []
    for record in found:
        what, said = words.record_title(record), words.record_text(record)
        address = _address_of(record)
        rows.append(
            [
                what,
                titles.get(record.variant, record.variant),
                said if address is None else Link(said, address, f"{what}: {said}"),
                words.side_text(snapshot.names(), record.players),
            ]
        )
    heads = [
        *(say_in("a column", "record"), say_in("a column", "game")),
        *(say_in("a column", "value"), say_in("a column", "held by")),
    ]
    show_table(heads, rows, name=say("Records set"))


def _show_records(found: Sequence[Record]) -> None:
    """Show the records of a season: a row for each kind, a column for each game."""
    variants = [*dict.fromkeys(each.variant for each in found)]
    if not variants:
        return
    of = {(each.kind, each.variant): each for each in found}
    shown = variants[:MOST_VARIANTS]
    titles = snapshot.titles()
    kinds = [each for each in KINDS if any((each.name, variant) in of for variant in shown)]
    show_figures(
        [say_in("a column", "record"), *(titles.get(each, each) for each in shown)],
        [
            [
                translated(kind.title),
                *(_record_cell(of.get((kind.name, variant))) for variant in shown),
            ]
            for kind in kinds
        ],
        name=say("Records"),
        title=say("Records of each game"),
    )
    if len(variants) > MOST_VARIANTS:
        st.caption(
            say(
                "Of the {shown} games played most, of {number}: choose a variant to see the "
                "others.",
                shown=MOST_VARIANTS,
                number=number(len(variants)),
            )
        )


def _record_cell(record: Record | None) -> Cell:
    if record is None:
        return "–"
    who = words.side_text(snapshot.names(), record.players)
    day = "" if record.day is None else plain_day(record.day)
    said = ", ".join(filter(None, [words.record_text(record), who, day, words.times_text(record)]))
    address = _address_of(record)
    return said if address is None else Link(said, address)


def _address_of(record: Record) -> str | None:
    if record.hand is not None:
        return addresses.of_step(record.hand)
    return None if record.game is None else addresses.of_game(record.game)


def _show_calendar(days: pl.DataFrame, day: date) -> None:
    by_weekday = is_by_weekday(days["day"].to_list())
    first, last = days.select(first=pl.col("day").min(), last=pl.col("day").max()).row(0)
    cut = first < last - timedelta(days=MOST_WEEKS * 7)
    heading(say("Calendar of play"), _about_calendar(by_weekday=by_weekday, cut=cut))
    picked = show_calendar(days, day, key="calendar")
    if picked:
        st.session_state[PICKED] = picked.isoformat()
        st.rerun()


def _about_calendar(*, by_weekday: bool, cut: bool) -> str:
    """Return what the calendar shows; of very many days it is ``cut``."""
    if by_weekday and cut:
        return say(
            "hands of each evening, week by day of the week, the latest {number} weeks; a click "
            "leads there",
            number=MOST_WEEKS,
        )
    if by_weekday:
        return say("hands of each evening, week by day of the week; a click leads there")
    if cut:
        return say(
            "hands of each evening, month by week, the latest {number} months; a click leads there",
            number=MOST_MONTHS,
        )
    return say("hands of each evening, month by week; a click leads there")


# --- Trends


@refusals_said()
def _show_trends(facts: DuckDBPyConnection, own: Chosen) -> None:
    about = {
        GAMES: message("games won less games lost so far. A point leads to its evening."),
        PEOPLE: _ABOVE_FIELD,
        PAIRS: _ABOVE_FIELD,
    }
    place = st.container()
    shown = choose_beside(
        say("Which course"), OF, tuple(about), translated, ids=urls.id_of, hides_label=True
    )
    with place:
        heading(say("How the season went"), str(about[shown]))
    if shown == GAMES:
        frame = _results(facts, own)
        need(frame, message("There is no complete game."))
        category, measured = say_in("a column", "evening"), say("games won less games lost")
        said = mark("{who}: games won less games lost, by evening")
    else:
        pairs_asked = shown == PAIRS
        frame = snapshot.kept(above_field, facts, _SCORE, "month", own.filters, pairs=pairs_asked)
        nobody = message("Nobody played in pairs.")
        need(frame, nobody if pairs_asked else message("There are too few games to compare."))
        category, measured = say_in("a period", "month"), say("above the field")
        said = mark("{who}: score above the field by month")
    chart = IntervalChart(
        title="",
        category=category,
        measure=measured,
        percent=shown != GAMES,
        **_beside(frame),
    )
    _show_beside(own, frame, chart, said)


def _results(facts: DuckDBPyConnection, own: Chosen) -> pl.DataFrame:
    """Return how many more games than they lost everybody had won after each evening."""
    won = snapshot.kept(measure, facts, _WON.name, ("player", "day"), own.filters)
    return (
        won.filter(pl.col("day").is_not_null())
        .sort("player", "day")
        .select(
            pl.col("player").alias("who"),
            pl.lit(None, pl.String).alias("partner"),
            pl.col("day").alias("period"),
            pl.col("n").alias("games"),
            value=(2 * pl.col("hits") - pl.col("n")).cum_sum().over("player").cast(pl.Float64),
            low=pl.lit(None, pl.Float64),
            high=pl.lit(None, pl.Float64),
        )
    )


def _beside(frame: pl.DataFrame) -> dict[str, Any]:
    """Return how each of the charts beside each other looks."""
    ends = frame["period"].min(), frame["period"].max()
    return {
        "along": "x",
        "in_time": "%b" if ends[0] != ends[1] else None,
        "span": ends,
        "signed": True,
        "counted": say("games"),
        "small": True,
        "tall": _TALL,
    }


def _show_beside(own: Chosen, frame: pl.DataFrame, chart: IntervalChart, said: str) -> None:
    """Show a small chart for each person or pair with the most games, all on one scale.

    ``frame``: ``who``, ``partner``, ``period``, ``games``, ``value``, ``low`` and ``high``;
    ``said`` tells what is shown of each, ``{who}``.
    """
    keys = ["who", "partner"]
    most = (
        frame.group_by(keys)
        .agg(pl.col("games").sum())
        .sort("games", *keys, descending=[True, False, False])
    )
    drawn = most.head(MOST_TRENDS).sort(keys)
    rows = frame.join(drawn.select(keys), on=keys, how="semi", nulls_equal=True)
    least = _LEAST_SCALE if chart.percent else 1.0
    chart = replace(chart, domain=shared_domain(rows, least=least, within=0.9))
    parts = rows.partition_by(keys, as_dict=True, maintain_order=True)
    for start in range(0, len(drawn), BESIDE):
        for column, key in zip(
            st.columns(BESIDE), drawn.select(keys).rows()[start : start + BESIDE], strict=False
        ):
            with column:
                _show_trend(own, key, parts[key], chart, said)
    if len(most) > MOST_TRENDS:
        st.caption(first_of(MOST_TRENDS, len(most)))


def _show_trend(
    own: Chosen, key: tuple[str, str | None], rows: pl.DataFrame, chart: IntervalChart, said: str
) -> None:
    player, partner = key
    by_day = not chart.percent
    words_of = plain_day if by_day else month_text
    label = words.side_text(snapshot.names(), [each for each in key if each])
    st.html(f'<p class="tl-chart-title"><b>{name_html(label)}</b></p>')
    picked = chart.draw(
        rows.select(
            pl.Series("label", list(map(words_of, rows["period"])), pl.String),
            pl.col("period").cast(pl.String).alias("key"),
            pl.col("period").alias("moment"),
            *("value", "low", "high"),
            n="games",
            enough=pl.lit(by_day) | pl.col("low").is_not_null(),
        ),
        f"{'result' if by_day else 'trend'} {player} {partner}",
        str(message_of(said, {"who": label})),
    )
    if picked and by_day:
        opening.go(addresses.of_evening(date.fromisoformat(picked["key"])))
    elif picked:
        values = {"player": player, "month": picked["key"]}
        values |= {"partner": partner} if partner else {}
        opening.go(addresses.of_page(addresses.GAMES, own, **values))
