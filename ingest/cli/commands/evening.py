"""``tricklog show evening`` and ``tricklog show season``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Final

import polars as pl
from cyclopts import Parameter
from duckdb import DuckDBPyConnection
from rich.text import Text

from tricklog.ingest.chances import Chances, chances_of
from tricklog.ingest.chances.words import evening_sentences
from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, EVERYBODY, Flag, Warehouse, Whose
from tricklog.ingest.cli.failure_state import need_warehouse, opened
from tricklog.ingest.cli.output import UserError, own_command, print_json, put, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.figure_words import figure_text, place_text, signed_text, value_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.filters import Filters as Days
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import (
    Evening,
    Played,
    evening_of,
    evenings,
    names_of,
    sessions_named,
    titles_of,
)
from tricklog.ingest.sessions.pairs import pairs
from tricklog.ingest.sessions.records import Record, records
from tricklog.schemas.languages.numbers import day_text
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog show evening --db club        # the last one: who won, game by game
  tricklog show evening 2026-11-20 --db club
  tricklog show season 2026 --db club    # games, pairs, records of a year"""
_MOST_PAIRS: Final = 10


def season(
    year: int,
    /,
    *,
    whose: Whose = EVERYBODY,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Print a season.

    It has the games that everybody won with the places they stand in, the pairs, and the records of
    each game.

    Args:
        year: Which, such as 2026.
        json: One JSON object.
    """
    evening(season=year, whose=whose, db=db, json=json)


def evening(
    evening: Annotated[str | None, Parameter(name="ID", allow_leading_hyphen=True)] = None,
    /,
    *,
    season: int | None = None,
    whose: Whose = EVERYBODY,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Print an evening, or a season.

    An evening is a day of all tables, with who won what, the hands that decided it and the records
    that were set; a session is one table of it. A season has the games that
    everybody won with the places they stand in, the pairs, and the records of each game.

    Args:
        evening: A day such as 2026-11-20, or a session: its number, its name, or a part of it that
            no other has. Without one the last evening.
        season: A year; prints its season, after the evening if one is named.
        json: One JSON object for the evening, and one for the season.
    """
    need_warehouse(db)
    check_season(season)
    with figures.opened_facts(db, whose) as facts:
        told = _Told.of(facts, as_ids=json)
        shown: list[_EveningShown | _SeasonShown] = []
        if evening is not None or season is None:
            day, filters = chosen_evening(facts, evening, db, whose)
            with opened(db) as tables:
                shown.append(_evening(told, tables, day, filters))
        if season is not None:
            own = Filters(since=date(season, 1, 1), until=date(season, 12, 31))
            shown.append(_season(told, season, own))
    for place, each in enumerate(shown):
        if json:
            print_json(each.as_json())
            continue
        if place:
            put("")
        each.print()


@dataclass(frozen=True, slots=True)
class _Told:
    """The facts, and what players and games are called."""

    facts: DuckDBPyConnection
    names: dict[str, str]
    titles: dict[str, str]

    @classmethod
    def of(cls, facts: DuckDBPyConnection, *, as_ids: bool) -> _Told:
        names = {} if as_ids else names_of(facts)
        return cls(
            facts,
            {player: one_line(name) or one_line(player) for player, name in names.items()},
            titles_of(facts),
        )


# --- An evening


@dataclass(frozen=True, slots=True)
class _EveningShown:
    told: _Told
    evening: Evening
    new: list[Record]
    chances: Chances

    def print(self) -> None:
        told, evening = self.told, self.evening
        said = [
            f"{', '.join(words.about(evening))}.",
            words.headline(evening, told.names),
            *(
                words.new_record_text(each, told.titles.get(each.variant, each.variant), told.names)
                for each in self.new
            ),
            *self._decided(),
        ]
        if evening.without_game:
            said.append(f"Hands that belong to no game: {evening.without_game:,}.")
        put(Text(day_text(evening.day), "bold"), *said)
        put("", *self._standings(), "", *self._games())
        if evening.findings:
            put("", f"{own_command()} audit, or the page Audit, has the findings.")

    def _decided(self) -> list[str]:
        games = {each.game: one_line(each.game) for each in self.evening.games}
        why_none = [str(each) for each in self.chances.refused]
        return [*evening_sentences(self.chances.frame, games), *why_none]

    def _standings(self) -> list[str]:
        signs = {"won": "■", "lost": "□", "open": "·"}
        rows = [
            [
                words.name_of(self.told.names, each.player),
                f"{each.won:,}",
                "".join(signs[game] for game in each.games),
                words.above_text(each.above),
            ]
            for each in self.evening.standings
        ]
        return aligned(
            ["player", "won", "games", "above the field, of 100 at stake"],
            [False, True, False, True],
            rows,
        )

    def _games(self) -> list[str]:
        names = self.told.names
        rows = [
            [
                "" if each.began is None else words.clock(each.began),
                one_line(each.game),
                each.title,
                "nobody yet"
                if each.winner is None
                else words.side_text(names, each.sides[each.winner]),
                words.score_text(each).replace(words.TIED, " "),
                words.others_text(each, names),
                f"{each.hands:,}",
                words.state_text(each),
            ]
            for each in self.evening.games
        ]
        heads = ["began", "game", "", "won by", "score", "against", "hands", ""]
        return aligned(heads, [False, False, False, False, True, False, True, False], rows)

    def as_json(self) -> dict[str, Any]:
        evening = self.evening
        standings = ("player", "won", "games", "above")
        return values_of(evening) | {
            "games": [_game_json(each) for each in evening.games],
            "standings": [
                {name: getattr(each, name) for name in standings} for each in evening.standings
            ],
            "records": [_record_json(each) for each in self.new],
            "headline": words.headline(evening, self.told.names),
            "decided": self._decided(),
        }


def _evening(told: _Told, tables: DuckDBPyConnection, day: date, filters: Filters) -> _EveningShown:
    season = Days(since=date(day.year, 1, 1), until=day)
    found = evening_of(told.facts, day, filters, season)
    if found is None:
        raise AssertionError("a day that was listed has hands")
    set_then = [each for each in records(told.facts, season) if words.is_new(each, day)]
    ours = {each.game for each in found.games}
    new = [each for each in set_then if each.game in ours]
    return _EveningShown(told, found, new, chances_of(tables, sorted(ours)))


def _game_json(game: Played) -> dict[str, Any]:
    return values_of(game, winner="winner_side")


def _record_json(record: Record) -> dict[str, Any]:
    return values_of(record, hand="hand_id", players="player_ids")


# --- A season


@dataclass(frozen=True, slots=True)
class _SeasonShown:
    told: _Told
    year: int
    won: pl.DataFrame
    pairs: pl.DataFrame
    records: list[Record]
    evenings: pl.DataFrame

    def print(self) -> None:
        hands, left_out = (int(self.evenings[each].sum()) for each in ("hands", "left_out"))
        about = f"{counted(len(self.evenings), 'evening')}, {counted(hands, 'hand')}"
        about += f", {left_out:,} left out, as they are not in order" if left_out else ""
        season = words.season_text(self.won, self.told.names)
        put(Text(f"Season {self.year}", "bold"), f"{about}.", season)
        for table in filter(None, (self._won(), self._pairs(), self._records())):
            put("", *table)

    def _won(self) -> list[str]:
        rows = [
            [
                words.name_of(self.told.names, row["player"]),
                figure_text(METRIC["win-rate"], row, cases=False),
                f"{row['games']:,}",
                place_text(row),
            ]
            for row in self.won.iter_rows(named=True)
        ]
        heads = ["player", "games won, 95 % interval", "games", "place, and between which (90 %)"]
        return aligned(heads, [False, False, True, False], rows) if rows else []

    def _pairs(self) -> list[str]:
        metric = METRIC["win-rate"]
        judged = self.pairs.filter(self.pairs["difference"].is_not_null())
        order = judged["difference"].abs().arg_sort(descending=True)
        rows = []
        for row in judged[order].head(_MOST_PAIRS).iter_rows(named=True):
            low, high = (signed_text(metric, row[each]) for each in ("low", "high"))
            rows.append(
                [
                    words.side_text(self.told.names, (row["one"], row["two"])),
                    f"{row['games']:,}",
                    value_text(metric, row["together"]),
                    value_text(metric, row["expected"]),
                    f"{signed_text(metric, row['difference'])} ({low} to {high})",
                ]
            )
        heads = ["pair", "games", "together", "expected", "difference, 99 % interval"]
        table = aligned(heads, [False, True, True, True, False], rows) if rows else []
        return [words.pairs_text(self.pairs, self.told.names), *table]

    def _records(self) -> list[str]:
        rows = [
            [
                self.told.titles.get(each.variant, each.variant),
                words.record_title(each),
                words.record_text(each),
                words.side_text(self.told.names, each.players),
                "" if each.day is None else str(each.day),
                one_line(each.hand or each.game or ""),
                words.times_text(each),
            ]
            for each in self.records
        ]
        heads = ["game", "record", "", "held by", "set on", "hand or game", ""]
        return aligned(heads, [False] * len(heads), rows) if rows else []

    def as_json(self) -> dict[str, Any]:
        return {
            "season": self.year,
            "evenings": self.evenings.to_dicts(),
            "won": self.won.to_dicts(),
            "pairs": self.pairs.to_dicts(),
            "records": [_record_json(each) for each in self.records],
            "headline": words.season_text(self.won, self.told.names),
        }


def _season(told: _Told, year: int, filters: Filters) -> _SeasonShown:
    days = evenings(told.facts, filters)
    if days.is_empty():
        raise no_season(told.facts, year)
    won = standings(told.facts, METRIC["win-rate"], "player", filters, 1)
    return _SeasonShown(
        told,
        year,
        won,
        pairs(told.facts, filters),
        records(told.facts, filters),
        days,
    )


_MOST_NAMED: Final = 5


def check_season(season: int | None) -> None:
    """Raise ``UserError`` for a number that is no year."""
    if season is not None and not date.min.year <= season <= date.max.year:
        raise UserError(f"--season {season} is no year", "Give one such as 2026.")


def no_season(facts: DuckDBPyConnection, year: int) -> UserError:
    """Return what to say of a year in which nobody played."""
    years = sorted({day.year for day in evenings(facts)["day"]})
    return UserError(
        f"nobody played in {year}",
        f"There are hands of {', '.join(map(str, years))}." if years else "No hand has a day.",
    )


def chosen_evening(
    facts: DuckDBPyConnection, text: str | None, db: str, whose: str
) -> tuple[date, Filters]:
    """Return the day that is asked for, and the table if it is one; without ``text`` the last day.

    Raises ``UserError`` where nothing or more than one evening is meant.
    """
    days = evenings(facts)["day"].to_list()
    if not days:
        those = "" if whose == EVERYBODY else " of these people"
        raise UserError(
            f"no hand{those} in {db} has a day",
            f"{own_command()} stats --summary --db {db}{figures.of_table(whose)}",
        )
    if text is None:
        return days[-1], EVERYTHING
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is not None:
        if day not in days:
            close = sorted(days, key=lambda each: abs((each - day).days))[:2]
            raise UserError(
                f"nobody played on {day} in {db}",
                f"Did you mean {' or '.join(str(each) for each in sorted(close))}?",
            )
        return day, EVERYTHING
    found = sessions_named(facts, text)
    exact = found.filter((found["name"] == text) | (found["session"].cast(str) == text))
    rows = exact if len(exact) == 1 else found
    if rows.is_empty():
        raise UserError(
            f"there is no session {one_line(text)!r} in {db}",
            "Give a day such as 2026-11-20, or a part of the name of a session.",
        )
    if len(rows) > 1:
        named = [one_line(each) for each in rows["name"].head(_MOST_NAMED)]
        raise UserError(
            f"{len(rows)} sessions or more have {one_line(text)!r} in their name",
            f"Among them: {'; '.join(named)}.",
        )
    return rows["day"].item(), Filters.of({"session": rows["name"].item()})
