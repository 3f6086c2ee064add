"""A season: games won, pairs, records, the calendar of play, and how everybody did over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import opening, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.charts import IntervalChart, shared_domain
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.heat_map import show_heat_map
from tricklog.dashboard.kit.page_parts import need, refusals_said, show_figures, show_head
from tricklog.dashboard.kit.tables import Cell, Link, first_of, in_columns, show_table
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.text.escaping import as_html, name_html, sentence_html
from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.figure_words import figure_text, interval_text, signed_text, value_text
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.trend import above_field
from tricklog.ingest.reports.season import season_report
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.records import KINDS, Record, pairs, records
from tricklog.schemas.languages.messages import (
    mark,
    message,
    message_in,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import month_text, number, ordinal, plain_day, short_month

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
_LEAST_SCALE: Final = 0.03
_ABOVE_FIELD: Final = message(
    "score above the field as a share of what was at stake, of all games on one scale, by month, "
    "with 95 % intervals. A point leads to its games."
)
_TALL: Final = 90
"""Pixels that a trend is high."""
MOST_MONTHS: Final = 18
MOST_WEEKS: Final = 53
_FEWEST_WEEKS: Final = 12
_FEWEST_MONTHS: Final = 6
"""What is drawn at least, so that a few evenings are no broad bars."""
_DAYS_OF_PLAY: Final = 3
"""Days of the week on which is played, from which on each has a row."""
_WEEKDAYS: Final = (
    message_in("a day of the week", "Mon"),
    message_in("a day of the week", "Tue"),
    message_in("a day of the week", "Wed"),
    message_in("a day of the week", "Thu"),
    message_in("a day of the week", "Fri"),
    message_in("a day of the week", "Sat"),
    message_in("a day of the week", "Sun"),
)
_WEEKS: Final = (
    message_in("a week of a month", "1st week"),
    message_in("a week of a month", "2nd"),
    message_in("a week of a month", "3rd"),
    message_in("a week of a month", "4th"),
    message_in("a week of a month", "5th"),
)
_WEEK: Final = 7
_ROW: Final = 30


def heading(title: str, about: object = "") -> None:
    """Show the heading of a section, and in a line what it shows."""
    said = f"<span>{as_html(str(about))}</span>" if about else ""
    st.html(f'<p class="tl-chart-title tl-section"><b>{as_html(title)}</b>{said}</p>')


@refusals_said()
def show_season(facts: DuckDBPyConnection, own: Chosen, days: pl.DataFrame, day: date) -> None:
    """Show the season of the filters, with its ``days`` of play; ``day`` is the evening chosen."""
    need(days, message("No hand of these days fits the filters."))
    won = snapshot.kept(standings, facts, _WON, "player", own.filters, 1)
    begins, ends = days["day"][0], days["day"][-1]
    title = words.days_text(begins, ends)
    about = [
        title,
        say_counted("{count} evening", "{count} evenings", len(days)),
        words.hands_text(int(days["hands"].sum())),
    ]
    if left_out := int(days["left_out"].sum()):
        about.append(say("{number} not in order and left out", number=number(left_out)))
    since, until = own.filters.since, own.filters.until
    if since and (since, until) == (date(since.year, 1, 1), date(since.year, 12, 31)):
        title = say("Season {year}", year=since.year)
    told = sentence_html(words.season_text(won, snapshot.names()))
    show_head(title, map(as_html, about), told, "tl-evening")
    of_season = partial(season_report, filters=own.filters, title=title)
    show_report_button("season", say("This season"), of_season)
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


# --- The calendar


def _show_calendar(days: pl.DataFrame, chosen: date) -> None:
    """Draw days of ``evening.evenings``, of very many the latest months or weeks."""
    every: list[date] = days["day"].to_list()
    first, last, by_weekday = min(every), max(every), is_by_weekday(every)
    cut = first < last - timedelta(weeks=MOST_WEEKS)
    if by_weekday:
        about = say("hands of each evening, week by day of the week; a click leads there")
        if cut:
            about = say(
                "hands of each evening, week by day of the week, the latest {number} weeks; a "
                "click leads there",
                number=MOST_WEEKS,
            )
        places = [(_week_text(day), str(_WEEKDAYS[day.weekday()])) for day in every]
        monday = last - timedelta(days=last.weekday())
        found = (monday - first + timedelta(days=first.weekday())).days // _WEEK + 1
        count = max(_FEWEST_WEEKS, min(found, MOST_WEEKS))
        across = [_week_text(monday - timedelta(weeks=back)) for back in range(count - 1, -1, -1)]
    else:
        about = say("hands of each evening, month by week; a click leads there")
        if cut:
            about = say(
                "hands of each evening, month by week, the latest {number} months; a click leads "
                "there",
                number=MOST_MONTHS,
            )
        places = [(_month_text(day), str(_WEEKS[(day.day - 1) // _WEEK])) for day in every]
        end = last.year * 12 + last.month
        months = range(min(first.year * 12 + first.month - 1, end - _FEWEST_MONTHS), end)
        across = [_month_text(date(each // 12, each % 12 + 1, 1)) for each in months[-MOST_MONTHS:]]
    heading(say("Calendar of play"), about)
    hands_of: list[int] = days["hands"].to_list()
    least, most = min(hands_of), max(hands_of)
    rows = [
        {
            "across": x,
            "along": y,
            "day": day.isoformat(),
            "evening": plain_day(day),
            "hands": number(hands),
            "games": number(games),
            "share": (hands - least + 1) / (most - least + 1),
            # Where a row is a day of the week, columns are too narrow for numbers.
            "large": "" if by_weekday else number(hands),
            "framed": day == chosen,
            "said": f"{plain_day(day)}: {words.hands_text(hands)}",
        }
        for (x, y), day, hands, games in zip(places, every, hands_of, days["games"], strict=True)
        if x in across
    ]
    used = {row["along"] for row in rows}
    picked = show_heat_map(
        pl.DataFrame(rows),
        across=across,
        along=[each for each in map(str, _WEEKDAYS if by_weekday else _WEEKS) if each in used],
        cell=_ROW,
        tooltip={
            "evening": say_in("a column", "evening"),
            "hands": say_in("a column", "hands"),
            "games": say_in("a column", "games"),
        },
        picks=["day"],
        key="calendar",
        said=say("Calendar of play: hands of each evening"),
    )
    if picked:
        st.session_state[PICKED] = picked["day"]
        st.rerun()


def is_by_weekday(days: Sequence[date]) -> bool:
    """Return whether each day of the week has a row: there are several evenings in a week.

    A club that meets once a week has a row for each week of the month.
    """
    weeks = {(day.year, day.month, (day.day - 1) // _WEEK) for day in days}
    return len(weeks) < len(days) or len({day.weekday() for day in days}) >= _DAYS_OF_PLAY


def _month_text(day: date) -> str:
    return f"{short_month(day)} {day.year % 100:02}"


def _week_text(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    return f"{monday.day} {_month_text(monday)}"


# --- Games won


@refusals_said()
def _show_won(facts: DuckDBPyConnection, own: Chosen, won: pl.DataFrame) -> None:
    title, who = say("Games won"), say_in("a column", "player")
    heading(
        title,
        say(
            "complete games, 95 % interval; the tick is what the others win. Places go by the "
            "difference to the others in the same games."
        ),
    )
    figures.show_games_left_out(facts, own, [_WON])
    need(won, message("There is no complete game."))
    frame = won.head(MOST_PLAYERS).with_columns(
        label=pl.col("player").replace(labels_of(facts, "player")), key="player"
    )
    picked = IntervalChart(
        title=title,
        category=who,
        measure=say("share of their games"),
        percent=True,
        mark=say("what the others win"),
        counted=say("games"),
    ).draw(frame.with_columns(mark="expected", n="games"), "season-won-chart", title)

    def profile(player: str) -> str:
        return addresses.of_page(addresses.PLAYERS, own, player=player)

    def place_of(row: dict[str, Any]) -> str:
        """Return a place without of how many: ``6th, 4th to 7th``."""
        if row["place"] is None:
            return ""
        place, first, last = (ordinal(row[f"{each}place"]) for each in ("", "from_", "to_"))
        said = say("{place}, {first} to {last}", place=place, first=first, last=last)
        return place if first == last else said

    if picked:
        opening.go(profile(picked["key"]))
    show_figures(
        *in_columns(
            frame.to_dicts(),
            (who, lambda row: Link(row["label"], profile(row["player"]))),
            (say("won, 95 % interval"), lambda row: figure_text(_WON, row, cases=False)),
            (say_in("a column", "games"), "games"),
            (say_in("a column", "place"), place_of),
        ),
        name=title,
        title=say("The figures, and the players"),
    )
    if len(won) > MOST_PLAYERS:
        address = addresses.of_page(addresses.PLAYERS, own, {"rank": "win-rate"})
        link = link_html(address, as_html(say("All players")))
        st.html(f"<p>{as_html(first_of(MOST_PLAYERS, len(won)))} {link}</p>")


def _show_pairs(facts: DuckDBPyConnection, own: Chosen) -> None:
    title, names = say("Pairs"), snapshot.names()
    heading(
        title,
        say(
            "games won together, and what both win with others gives; difference in points of 100 "
            "with its 99 % interval"
        ),
    )
    found = snapshot.kept(pairs, facts, own.filters)
    st.html(f"<p>{sentence_html(words.pairs_text(found, names))}</p>")
    judged = found.filter(pl.col("difference").is_not_null()).sort(
        pl.col("difference").abs(), descending=True, maintain_order=True
    )
    if judged.is_empty():
        return
    shown = judged.head(MOST_PAIRS)
    labels = [words.side_text(names, pair) for pair in shown.select("one", "two").rows()]
    shown = shown.with_columns(
        pl.Series("label", labels, pl.String),
        key=pl.int_range(pl.len()).cast(pl.String),
        value="difference",
        n="games",
        enough=pl.lit(value=True),
    )
    rows, pair = shown.to_dicts(), say_in("a column", "pair")
    picked = IntervalChart(
        title=title,
        category=pair,
        measure=say_in("a column", "difference"),
        percent=True,
        interval="99 %",
        signed=True,
        counted=say("games"),
    ).draw(shown, "season-pairs-chart", title)

    def together(row: dict[str, Any]) -> str:
        return addresses.of_page(addresses.GAMES, own, player=row["one"], partner=row["two"])

    if picked:
        opening.go(together(rows[int(picked["key"])]))
    signed = partial(signed_text, _WON)
    show_figures(
        *in_columns(
            rows,
            (
                pair,
                lambda row: Link(
                    row["label"], together(row), say("{pair}: games together", pair=row["label"])
                ),
            ),
            (say_in("a column", "games"), "games"),
            (say_in("a column", "together"), lambda row: value_text(_WON, row["together"])),
            (say_in("a column", "expected"), lambda row: value_text(_WON, row["expected"])),
            (say("difference, 99 % interval"), lambda row: interval_text(row, signed)),
        ),
        name=title,
        title=say("The figures, and the games of each"),
    )
    if len(judged) > MOST_PAIRS:
        st.caption(first_of(MOST_PAIRS, len(judged)))


# --- Records


def show_new_records(found: Sequence[Record]) -> None:
    """Show records just set, each with who holds it; nothing without one."""
    if not found:
        return
    heading(say("Records set"), say("of the season so far"))
    rows: list[list[Cell]] = []
    for record in found:
        what, said = words.record_title(record), words.record_text(record)
        game = snapshot.titles().get(record.variant, record.variant)
        who = words.side_text(snapshot.names(), record.players)
        rows.append([what, game, _to_record(record, said, f"{what}: {said}"), who])
    heads = [
        *(say_in("a column", "record"), say_in("a column", "game")),
        *(say_in("a column", "value"), say_in("a column", "held by")),
    ]
    show_table(heads, rows, name=say("Records set"))


def _show_records(found: Sequence[Record]) -> None:
    variants = [*dict.fromkeys(each.variant for each in found)]
    if not variants:
        return
    of = {(each.kind, each.variant): each for each in found}
    shown = variants[:MOST_VARIANTS]

    def cell(record: Record | None) -> Cell:
        if record is None:
            return "–"
        who = words.side_text(snapshot.names(), record.players)
        day = "" if record.day is None else plain_day(record.day)
        parts = (words.record_text(record), who, day, words.times_text(record))
        return _to_record(record, ", ".join(filter(None, parts)))

    show_figures(
        [say_in("a column", "record"), *(snapshot.titles().get(each, each) for each in shown)],
        [
            [translated(kind.title), *(cell(of.get((kind.name, variant))) for variant in shown)]
            for kind in KINDS
            if any((kind.name, variant) in of for variant in shown)
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


def _to_record(record: Record, text: str, said: str | None = None) -> Cell:
    """Return a cell that leads to the hand or the game of a record, where it has one."""
    if record.hand is not None:
        return Link(text, addresses.of_step(record.hand), said)
    return text if record.game is None else Link(text, addresses.of_game(record.game), said)


# --- Trends


@refusals_said()
def _show_trends(facts: DuckDBPyConnection, own: Chosen) -> None:
    """Show a small chart for each person or pair with the most games, all on one scale."""
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
        heading(say("How the season went"), about[shown])
    by_day, of_pairs = shown == GAMES, shown == PAIRS
    if by_day:
        frame, nobody = _results(facts, own), message("There is no complete game.")
        category, measured = say_in("a column", "evening"), say("games won less games lost")
    else:
        score = METRIC["score-share"]
        frame = snapshot.kept(above_field, facts, score, "month", own.filters, pairs=of_pairs)
        nobody = message("There are too few games to compare.")
        category, measured = say_in("a period", "month"), say("above the field")
    need(frame, nobody)
    periods: list[date] = frame["period"].unique().sort().to_list()
    keys = ["who", "partner"]
    most = (
        frame.group_by(keys)
        .agg(pl.col("games").sum())
        .sort("games", *keys, descending=[True, False, False])
    )
    drawn = most.head(MOST_TRENDS).sort(keys).select(keys)
    rows = frame.join(drawn, on=keys, how="semi", nulls_equal=True)
    chart = IntervalChart(
        title="",
        category=category,
        measure=measured,
        percent=not by_day,
        along="x",
        in_time="%b" if len(periods) > 1 else None,
        span=(periods[0], periods[-1]),
        signed=True,
        counted=say("games"),
        small=True,
        tall=_TALL,
        domain=shared_domain(rows, least=1.0 if by_day else _LEAST_SCALE, within=0.9),
    )
    parts = rows.partition_by(keys, as_dict=True, maintain_order=True)

    def show_one(player: str, partner: str | None) -> None:
        label = words.side_text(snapshot.names(), [each for each in (player, partner) if each])
        st.html(f'<p class="tl-chart-title"><b>{name_html(label)}</b></p>')
        said = say("{who}: score above the field by month", who=label)
        if by_day:
            said = say("{who}: games won less games lost, by evening", who=label)
        own_rows = parts[player, partner]
        written = map(plain_day if by_day else month_text, own_rows["period"])
        picked = chart.draw(
            own_rows.with_columns(
                pl.Series("label", written, pl.String),
                key=pl.col("period").cast(pl.String),
                moment="period",
                n="games",
                enough=pl.lit(by_day) | pl.col("low").is_not_null(),
            ),
            f"{'result' if by_day else 'trend'} {player} {partner}",
            said,
        )
        if picked and by_day:
            opening.go(addresses.of_evening(date.fromisoformat(picked["key"])))
        elif picked:
            values = {"player": player, "month": picked["key"]}
            values |= {"partner": partner} if partner else {}
            opening.go(addresses.of_page(addresses.GAMES, own, **values))

    for at, key in enumerate(drawn.rows()):
        if at % BESIDE == 0:
            columns = st.columns(BESIDE)
        with columns[at % BESIDE]:
            show_one(*key)
    if len(most) > MOST_TRENDS:
        st.caption(first_of(MOST_TRENDS, len(most)))


def _results(facts: DuckDBPyConnection, own: Chosen) -> pl.DataFrame:
    """Return how many more games than they lost everybody had won after each evening."""
    won = snapshot.kept(measure, facts, _WON.name, ("player", "day"), own.filters)
    return (
        won.filter(pl.col("day").is_not_null())
        .sort("player", "day")
        .select(
            pl.lit(None, pl.String).alias("partner"),
            pl.lit(None, pl.Float64).alias("low"),
            pl.lit(None, pl.Float64).alias("high"),
            who="player",
            period="day",
            games="n",
            value=(2 * pl.col("hits") - pl.col("n")).cum_sum().over("player").cast(pl.Float64),
        )
    )
