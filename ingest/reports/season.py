"""The report of a season: games won, pairs, records, the days of play, and everybody by month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, FigureError
from tricklog.ingest.metrics.figure_words import (
    between_text,
    figure_text,
    place_text,
    signed_text,
    value_text,
)
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.trend import above_field
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.ratings.words import best_sentence
from tricklog.ingest.reports.content import (
    INTERVALS,
    Block,
    Cell,
    Column,
    Drawing,
    Report,
    Section,
    sentences,
    strong,
    table_of,
    tabled,
)
from tricklog.ingest.reports.drawings import Point, calendar, ends_of, interval, months
from tricklog.ingest.reports.sources import Sources
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import evenings
from tricklog.ingest.sessions.records import Record, pairs, records
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import month_text, number, plain_day, short_day, short_month

MOST_PAIRS: Final = 10
MOST_DRAWN: Final = 8
MOST_MONTHS: Final = 24
_WON: Final = METRIC["win-rate"]
_SCORE: Final = METRIC["score-share"]
_MARGIN: Final = 0.02


class Season(NamedTuple):
    """What was played, won and reached in the days and games of some filters."""

    evenings: pl.DataFrame
    won: pl.DataFrame
    pairs: pl.DataFrame
    records: Sequence[Record]

    @property
    def about(self) -> list[str]:
        """How much was played, and when."""
        days = self.evenings
        first, last = (short_day(days["day"][at]) for at in (0, -1))
        said = [
            _evenings(len(days)),
            words.hands_text(int(days["hands"].sum())),
            say("{first} to {last}", first=first, last=last),
        ]
        if left_out := int(days["left_out"].sum()):
            said.append(say("{number} not in order and left out", number=number(left_out)))
        return said


def season_of(facts: DuckDBPyConnection, filters: Filters) -> Season:
    """Return what the filters choose, such as a year. Raises ``LookupError`` for nothing."""
    days = evenings(facts, filters)
    if days.is_empty():
        raise LookupError("nobody played then")
    won = standings(facts, _WON, "player", filters, 1)
    return Season(days, won, pairs(facts, filters), records(facts, filters))


def season_report(sources: Sources, filters: Filters, title: str) -> Report:
    """Return the report of the days and games that filters choose, such as a year.

    Raises ``LookupError`` when nobody played then.
    """
    season = season_of(sources.facts, filters)
    notes = [str(INTERVALS)]
    try:
        found = ratings_of(sources.facts, filters)
        best = best_sentence(found, sources.people)
        notes += map(str, found.notes if best else ())
    except FigureError as error:
        best = str(error)
    lead = [
        words.season_text(season.won, sources.people),
        best,
        words.pairs_text(season.pairs, sources.people),
    ]
    days = dict(season.evenings.select("day", "hands").iter_rows())
    said = say("Hands on each day of play: {evenings}.", evenings=_evenings(len(days)))
    drawn = Section(say("Days of play"), [calendar(days, said=said)], say("hands on each day"))
    return Report(
        title=title,
        about=season.about,
        lead=[each for each in lead if each],
        sections=[*season_sections(sources, season), *_trends(sources, filters), drawn],
        notes=notes,
        hands=sources.in_full(),
    )


def season_sections(sources: Sources, season: Season) -> list[Section]:
    """Return who won how much, alone and in pairs, and the records, as far as there are any."""
    return [
        *_won(sources, season.won),
        *_pairs(sources, season.pairs),
        *_records(sources, season.records),
    ]


def _evenings(count: int) -> str:
    """Return a number of evenings: ``12 evenings``."""
    return say_counted("{count} evening", "{count} evenings", count)


def _won(sources: Sources, won: pl.DataFrame) -> list[Section]:
    if won.is_empty():
        return []
    known = [each for name in ("low", "high", "value") for each in won[name].drop_nulls()]
    least, most = max(0.0, min(known) - _MARGIN), min(1.0, max(known) + _MARGIN)
    ends = say("{least}% to {most}%", least=f"{least * 100:.0f}", most=f"{most * 100:.0f}")

    def drawn(row: dict[str, Any]) -> Drawing:
        point = Point(value_text(_WON, row["value"]), row["value"], row["low"], row["high"])
        return interval(point, least, most, row["expected"])

    columns = [
        Column(say("player"), lambda row: strong(sources.people[row["player"]])),
        Column(say("won, 95 %"), lambda row: figure_text(_WON, row, cases=False)),
        Column(ends, drawn),
        Column(say("games"), lambda row: number(row["games"]), is_number=True),
        Column(say("place, 90 %"), place_text),
    ]
    about = say("complete games; the tick is what others win in the same games")
    return tabled(say("Games won"), columns, won.iter_rows(named=True), about=about)


def _pairs(sources: Sources, found: pl.DataFrame) -> list[Section]:
    judged = found.filter(found["difference"].is_not_null())
    if judged.is_empty():
        return []
    order = judged["difference"].abs().arg_sort(descending=True)
    shown = judged[order].head(MOST_PAIRS)
    reach = max(*shown["low"].abs(), *shown["high"].abs())
    ends = say("{least} to {most}", least=f"−{reach * 100:.0f}", most=f"+{reach * 100:.0f}")

    def difference(row: dict[str, Any]) -> str:
        return between_text(*(signed_text(_WON, row[end]) for end in ("difference", "low", "high")))

    def drawn(row: dict[str, Any]) -> Drawing:
        value = row["difference"]
        point = Point(signed_text(_WON, value), value, row["low"], row["high"])
        return interval(point, -reach, reach, 0.0, width=110)

    columns = [
        Column(say("pair"), lambda row: strong(sources.people.side((row["one"], row["two"])))),
        Column(say("games"), lambda row: number(row["games"]), is_number=True),
        Column(say("together"), lambda row: value_text(_WON, row["together"]), is_number=True),
        Column(say("expected"), lambda row: value_text(_WON, row["expected"]), is_number=True),
        Column(say("difference, 99 %"), difference, is_number=True),
        Column(ends, drawn),
    ]
    below = []
    if len(judged) > MOST_PAIRS:
        said = say_counted(
            "Furthest from expected, of {count} pair.",
            "Furthest from expected, of {count} pairs.",
            len(judged),
        )
        below.append(sentences(said))
    about = say("games won together, and what both win with others; difference in games of 100")
    return tabled(say("Pairs"), columns, shown.iter_rows(named=True), *below, about=about)


def _records(sources: Sources, found: Sequence[Record]) -> list[Section]:
    def value(each: Record) -> Cell:
        said = words.record_text(each)
        if each.hand is not None:
            heading = f"{words.record_title(each)}, {sources.title(each.variant)}"
            return sources.link(each.hand, said, heading)
        return said if each.game is None else sources.of_game(each.game, said)

    columns = [
        Column(say("game"), lambda each: sources.title(each.variant)),
        Column(say("record"), words.record_title),
        Column("", value),
        Column(say("held by"), lambda each: sources.people.side(each.players)),
        Column(say("set on"), lambda each: "" if each.day is None else plain_day(each.day)),
        Column("", words.times_text),
    ]
    return tabled(say("Records"), columns, found)


def _trends(sources: Sources, filters: Filters) -> list[Section]:
    """Return how far everybody was above the others, by month."""
    try:
        frame = above_field(sources.facts, _SCORE, "month", filters)
    except FigureError:
        return []
    if frame.is_empty():
        return []
    most = frame.group_by("who").agg(pl.col("games").sum()).sort("games", "who", descending=True)
    drawn = sorted(most["who"].head(MOST_DRAWN))
    points = {player: _points_of(frame.filter(frame["who"] == player)) for player in drawn}
    ends = ends_of([each for those in points.values() for each in those])
    blocks: list[Block] = [
        _drawing(sources.people[who], those, ends) for who, those in points.items()
    ]
    columns = [Column(say("player"), lambda row: sources.people[row["who"]]), *by_month()]
    rows = frame.filter(frame["who"].is_in(drawn)).iter_rows(named=True)
    blocks.append(table_of(say("Above the others by month"), columns, rows))
    about = say(
        "score above the others as points of 100 at stake, all games on one scale, by month; the "
        "dashed line is the others"
    )
    return [Section(say("How the season went"), blocks, about=about)]


def by_month() -> list[Column]:
    """Return the columns of a row of ``above_field``."""
    return [
        Column(say("month"), lambda row: month_text(row["period"])),
        Column(say("above the others, 95 %"), _above_text, is_number=True),
        Column(say("games"), lambda row: number(row["games"]), is_number=True),
    ]


def trend_drawing(name: str, rows: pl.DataFrame) -> Drawing:
    """Return how far somebody was above the others by month; ``rows`` of ``above_field``."""
    points = _points_of(rows)
    return _drawing(name, points, ends_of(points))


def _drawing(name: str, points: Sequence[Point], ends: tuple[float, float]) -> Drawing:
    said = say("{player}, above the others by month; the table below has the numbers.", player=name)
    return months(points, ends, said=said, title=name)


def _points_of(rows: pl.DataFrame) -> list[Point]:
    """Return the latest months of somebody as points; ``rows`` of ``above_field``."""
    return [
        Point(short_month(row["period"]), row["value"], row["low"], row["high"])
        for row in rows.tail(MOST_MONTHS).iter_rows(named=True)
    ]


def _above_text(row: dict[str, Any]) -> str:
    value = signed_text(_SCORE, row["value"])
    if row["low"] is None:
        return say("{value}, too few games to say more", value=value)
    return between_text(value, *(signed_text(_SCORE, row[each]) for each in ("low", "high")))


def of_year(year: int) -> Filters:
    """Return the filters of a year."""
    return Filters(since=date(year, 1, 1), until=date(year, 12, 31))
