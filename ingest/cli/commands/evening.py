"""``tricklog show evening`` and ``tricklog show season``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Any, Final, TypeAlias

from cyclopts import Parameter
from duckdb import DuckDBPyConnection
from rich.console import RenderableType
from rich.text import Text

from tricklog.ingest.chances import chances_of
from tricklog.ingest.chances.words import evening_sentences
from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, EVERYBODY, Flag, Warehouse, Whose
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.output import UserError, own_command, print_json, put, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.reports.content import Drawing, Section, Table, plain_cell
from tricklog.ingest.reports.evening import lead, records_set, standings_section
from tricklog.ingest.reports.season import of_year, season_of, season_sections
from tricklog.ingest.reports.sources import Sources
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import Evening, evening_of, evenings, sessions_named
from tricklog.ingest.sessions.records import Record
from tricklog.schemas.languages.numbers import day_text
from tricklog.schemas.printable import one_line

EXAMPLES = """\
  tricklog show evening --db club        # the last one: who won, game by game
  tricklog show evening 2026-11-20 --db club
  tricklog show season 2026 --db club    # games, pairs, records of a year"""


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
    check_season(season)
    told: list[dict[str, Any]] = []
    lines: list[RenderableType] = []
    with figures.opened_facts(db, whose) as facts, opened(db) as tables:
        sources = _OnScreen(facts, tables)
        if evening is not None or season is None:
            day, filters = chosen_evening(facts, evening, db, whose)
            told, lines = _evening(sources, day, filters)
        if season is not None:
            of_season, more = _season(sources, season)
            told, lines = [*told, *of_season], [*lines, *([""] if lines else []), *more]
    if not json:
        put(*lines)
    for each in told if json else ():
        print_json(each)


class _OnScreen(Sources):
    """What is said on a screen, where an id stands behind what a report links."""

    def link(self, hand: str, text: str, heading: str) -> str:
        del heading
        return f"{text}  {one_line(hand)}"

    def of_game(self, game: str, text: str) -> str:
        return f"{text}  {one_line(game)}"


_Answer: TypeAlias = tuple[list[dict[str, Any]], list[RenderableType]]
"""One object for programs, in which players have their ids, and lines for people."""


def _lines_of(sections: Sequence[Section]) -> Iterator[RenderableType]:
    """Yield sections of a report without their drawings."""
    for section in sections:
        yield from ("", Text(section.heading, "bold"))
        for block in section.blocks:
            if isinstance(block, Table):
                cells = zip(*block.rows, strict=True)
                drawn = {at for at, column in enumerate(cells) if isinstance(column[0], Drawing)}
                shown = [at for at in range(len(block.heads)) if at not in drawn]
                yield from aligned(
                    [block.heads[at] for at in shown],
                    [at in block.numbers for at in shown],
                    [[plain_cell(row[at]) for at in shown] for row in block.rows],
                )


# --- An evening


def _evening(sources: Sources, day: date, filters: Filters) -> _Answer:
    found = evening_of(sources.facts, day, filters, Filters(since=date(day.year, 1, 1), until=day))
    assert found
    new = records_set(sources.facts, found)
    chances = chances_of(sources.tables, sorted(each.game for each in found.games))
    by_id = {each.game: one_line(each.game) for each in found.games}
    decided = [*evening_sentences(chances.frame, by_id), *map(str, chances.refused)]
    told = values_of(found) | {
        "games": [values_of(each, winner="winner_side") for each in found.games],
        "standings": [values_of(each) | {"won": each.won} for each in found.standings],
        "records": [_record_json(each) for each in new],
        "headline": words.headline(found, {}),
        "decided": decided,
    }
    lines: list[RenderableType] = [
        Text(day_text(found.day), "bold"),
        f"{', '.join(words.about(found))}.",
        *lead(sources, found, new),
        *decided,
        *_lines_of(standings_section(sources, found)),
        "",
        *_games(sources, found),
    ]
    if found.findings:
        lines += ["", f"{own_command()} audit, or the page Audit, has the findings."]
    return [told], lines


def _games(sources: Sources, evening: Evening) -> list[str]:
    people = sources.people
    rows = [
        [
            "" if each.began is None else words.clock(each.began),
            one_line(each.game),
            each.title,
            "nobody yet" if each.winner is None else people.side(each.sides[each.winner]),
            words.score_text(each).replace(words.TIED, " "),
            words.others_text(each, people),
            f"{each.hands:,}",
            words.state_text(each),
        ]
        for each in evening.games
    ]
    heads = ["began", "game", "", "won by", "score", "against", "hands", ""]
    return aligned(heads, [False, False, False, False, True, False, True, False], rows)


def _record_json(record: Record) -> dict[str, Any]:
    return values_of(record, hand="hand_id", players="player_ids")


# --- A season


def _season(sources: Sources, year: int) -> _Answer:
    try:
        found = season_of(sources.facts, of_year(year))
    except LookupError:
        raise no_season(sources.facts, year) from None
    told = {
        "season": year,
        "evenings": found.evenings.to_dicts(),
        "won": found.won.to_dicts(),
        "pairs": found.pairs.to_dicts(),
        "records": [_record_json(each) for each in found.records],
        "headline": words.season_text(found.won, {}),
    }
    return [told], [
        Text(f"Season {year}", "bold"),
        f"{', '.join(found.about)}.",
        words.season_text(found.won, sources.people),
        words.pairs_text(found.pairs, sources.people),
        *_lines_of(season_sections(sources, found)),
    ]


# --- Which is meant

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
