"""Which evening or season a command is about."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.arguments import EVERYBODY
from tricklog.ingest.cli.output import UserError, own_command

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.metrics.filters import Filters

_MOST_NAMED: Final = 5


def check_season(season: int | None) -> None:
    """Raise ``UserError`` for a number that is no year."""
    if season is not None and not date.min.year <= season <= date.max.year:
        raise UserError(f"--season {season} is no year", "Give one such as 2026.")


def no_season(facts: DuckDBPyConnection, year: int) -> UserError:
    """Return what to say of a year in which nobody played."""
    from tricklog.ingest.sessions.evening import evenings

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
    from tricklog.ingest.cli import figures
    from tricklog.ingest.metrics.filters import EVERYTHING, Filters
    from tricklog.ingest.sessions.evening import evenings, sessions_named
    from tricklog.schemas.printable import one_line

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
