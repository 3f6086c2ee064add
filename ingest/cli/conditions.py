"""Conditions as people write them: ``--where player=ann``, ``--where 'bid>=10'``, days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from cyclopts import Parameter

from tricklog.ingest.cli.arguments import EVERYBODY, Several, Whose
from tricklog.ingest.cli.failure_state import need_warehouse
from tricklog.ingest.cli.output import UserError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.metrics.filters import Filters, Range

_CONDITION: Final = re.compile(r"([^=<>]*)(>=|<=|=|<|>)(.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Chosen:
    """Which hands count, by the options of a command.

    Attributes:
        where: DIMENSION=VALUE, only hands or cases with this value; may be given several times, and
            of one dimension any of its values will do. Of a dimension of numbers also 'bid>=10',
            'bid<12' or a range, bid=10..12.
        since: First day, such as 2026-11-20.
        until: Last day, included.
        whose: Whose hands count.
    """

    where: Several = ()
    since: str | None = None
    until: str | None = None
    whose: Whose = EVERYBODY

    def filters(self, *, every_verdict: bool = False) -> Filters:
        """Return what the conditions say. Raises ``UserError`` for one that says nothing."""
        from tricklog.ingest.metrics import FigureError, dimension_named

        since, until = day_of(self.since), day_of(self.until)
        filters = filters_of(self.where, since, until, every_verdict=every_verdict)
        try:
            # Before anything is opened.
            for name, _ in filters.chosen:
                dimension_named(name)
        except FigureError as error:
            raise UserError(str(error), "tricklog stats --list says what each is.") from error
        return filters

    @contextmanager
    def opened(
        self, db: str, filters: Filters | None = None
    ) -> Iterator[tuple[DuckDBPyConnection, Filters]]:
        """Open the facts of a warehouse, with what the conditions, or ``filters``, come to there.

        Raises ``UserError`` where there is no warehouse, or no hand with such a value.
        """
        need_warehouse(db)
        from tricklog.ingest.cli.figures import known_players, opened_facts
        from tricklog.ingest.metrics.listings import check_values

        filters = filters or self.filters()
        with opened_facts(db, self.whose) as facts:
            filters = known_players(facts, filters)
            check_values(facts, filters)
            yield facts, filters


ALL: Final = Chosen()


def filters_of(
    where: Sequence[str],
    since: date | None = None,
    until: date | None = None,
    *,
    every_verdict: bool = False,
) -> Filters:
    """Return the filters that conditions ask for. Raises ``UserError`` for one that is none."""
    from tricklog.ingest.metrics import DIMENSION
    from tricklog.ingest.metrics.filters import Filters, Range, range_of

    if since and until and since > until:
        raise UserError(
            f"--since {since} is after --until {until}", "Give the first day, then the last."
        )
    values: dict[str, tuple[str, ...]] = {}
    ends: dict[str, Range] = {}
    for each in where:
        found = _CONDITION.fullmatch(each)
        if not found:
            raise UserError(
                f"--where {each} has no value",
                "Write --where DIMENSION=VALUE, such as player=ann, or --where 'bid>=10'.",
            )
        name, sign, value = found.groups()
        if name.endswith("!"):
            raise UserError(
                f"--where {each} asks for all values but one, which conditions cannot",
                "Name the values that count; --where may be given several times.",
            )
        if sign == "=":
            is_number = name in DIMENSION and DIMENSION[name].is_number
            if within := range_of(value) if is_number else None:
                # It is written in one way in filters.
                _check_range(name, within)
            values[name] = (*values.get(name, ()), str(within) if within else value)
        else:
            ends[name] = _narrowed(ends.get(name, Range()), each, sign, value)
    for name, within in ends.items():
        _check_range(name, within)
        if name in values:
            raise UserError(
                f"{name} is given a value and compared as well",
                "Of values any will do and comparisons all have to hold: use the one or the other.",
            )
        values[name] = (str(within),)
    return Filters.of(values, since=since, until=until, every_verdict=every_verdict)


def _check_range(name: str, within: Range) -> None:
    from tricklog.ingest.metrics import DIMENSION, DIMENSIONS

    if name in DIMENSION and not DIMENSION[name].is_number:
        numbers = ", ".join(each.name for each in DIMENSIONS if each.is_number)
        days = " For days there are --since and --until." if name == "day" else ""
        raise UserError(
            f"{name} has no numbers to compare", f"Those that have are {numbers}.{days}"
        )
    if within.is_empty:
        raise UserError(
            f"no {name} is at least {within.least} and at most {within.most}",
            "All comparisons of one dimension have to hold.",
        )


def _narrowed(within: Range, asked: str, sign: str, value: str) -> Range:
    """Return a range with one more end, of which the narrower one counts."""
    if not _NUMBER.fullmatch(value):
        raise UserError(
            f"--where {asked} has no number", "Compare with a whole number: --where 'bid>=10'."
        )
    end = int(value) + {">": 1, "<": -1}.get(sign, 0)
    if sign in (">", ">="):
        return within._replace(least=end if within.least is None else max(end, within.least))
    return within._replace(most=end if within.most is None else min(end, within.most))


def day_of(text: str | None) -> date | None:
    """Return the day that a text is. Raises ``UserError`` for a text that is none."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day at the table
    except ValueError:
        raise UserError(f"{text} is not a day", "Write days as 2026-11-20.") from None
