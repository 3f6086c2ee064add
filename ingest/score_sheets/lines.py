"""Rows of hands, read cell by cell by what their columns mean."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ingest.score_sheets import values
from ingest.score_sheets.grid import Row, Value, shown
from ingest.score_sheets.settings import Column, SheetSettings
from ingest.score_sheets.words import PASSES, Means, key

_SIDED: Final = (Means.POINTS, Means.CHANGE, Means.SCORE, Means.BEFORE)


@dataclass(slots=True)
class Wrong:
    """A cell that cannot be read."""

    at: str
    """The letter of its column; empty where the row as a whole is meant."""
    heading: str
    message: str

    def __str__(self) -> str:
        """Return it as people are shown it."""
        if not self.at:
            return self.message
        named = f" ({self.heading})" if self.heading else ""
        return f"column {self.at}{named}: {self.message}"


@dataclass(slots=True)
class Line:
    """What a row says of its hand; ``None`` and empty where it says nothing."""

    row: Row
    date: dt.date | None = None
    game: str = ""
    hand: int | None = None
    dealer: str = ""
    maker: str = ""
    bid: int | str | None = None
    trump: str = ""
    stake: str = ""
    result: str = ""
    by: int | None = None
    is_passed: bool = False
    sided: dict[Means, dict[str, int]] = field(default_factory=dict)
    """By meaning the numbers of sides, by whose they are."""
    remarks: list[str] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)
    """By meaning the columns that it was read from."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing says what was bid or scored."""
        known = self.maker or self.bid or self.result or self.is_passed or self.by is not None
        return not known and not any(self.sided.values())

    def numbers(self, means: Means) -> dict[str, int]:
        """Return the numbers of sides that it says for a meaning."""
        return self.sided.get(means, {})


def read_line(row: Row, columns: Sequence[Column], order: values.Order) -> Line:
    """Return what a row says; what cannot be read of it is in ``wrong``."""
    line = Line(row)
    for column in columns:
        if column.means == Means.IGNORE:
            continue
        value = row.cell(column.index)
        if value is None:
            continue
        line.places.setdefault(column.means.value, []).append(column.at)
        try:
            _take(line, column, value, order)
        except ValueError as error:
            line.wrong.append(Wrong(column.at, column.header, str(error)))
    return line


def order_of(
    rows: Sequence[Row], columns: Sequence[Column], settings: SheetSettings
) -> values.Order:
    """Return in which order days and months stand in the dates of rows."""
    if settings.dates:
        return values.Order(settings.dates == "day first")
    place = next((each.index for each in columns if each.means == Means.DATE), None)
    return values.Order() if place is None else values.order_of(row.cell(place) for row in rows)


def _take(line: Line, column: Column, value: Value, order: values.Order) -> None:
    if column.means in _SIDED:
        number = values.number(value)
        if number is not None:
            line.sided.setdefault(column.means, {})[column.of] = number
    elif column.means == Means.DATE:
        line.date = values.date(value, order)
    else:
        _TAKERS[column.means](line, value)


def _take_bid(line: Line, value: Value) -> None:
    bid = values.bid(value)
    if bid is not None:
        line.bid, line.is_passed = bid.bid, bid.is_passed
        line.maker, line.trump = line.maker or bid.who, line.trump or bid.trump


def _take_result(line: Line, value: Value) -> None:
    result = values.result(value)
    if result is not None:
        line.result = result.result
        line.by = result.by if line.by is None else line.by


def _take_maker(line: Line, value: Value) -> None:
    if not values.is_empty(value):
        if key(shown(value)) in PASSES:
            line.is_passed = True
        else:
            line.maker = shown(value)


def _take_hand(line: Line, value: Value) -> None:
    number = values.number(value)
    if number is not None and number < 1:
        raise ValueError(f"hands are counted from 1, not {number}")
    line.hand = number


def _take_by(line: Line, value: Value) -> None:
    number = values.number(value)
    if number is not None:
        line.by = abs(number)
        if number < 0:
            line.result = line.result or "set"


def _text(name: str) -> Callable[[Line, Value], None]:
    def take(line: Line, value: Value) -> None:
        if not values.is_empty(value):
            setattr(line, name, shown(value))

    return take


def _read(name: str, read: Callable[[Value], Any]) -> Callable[[Line, Value], None]:
    def take(line: Line, value: Value) -> None:
        setattr(line, name, read(value) or "")

    return take


_TAKERS: Final[dict[Means, Callable[[Line, Value], None]]] = {
    Means.GAME: _text("game"),
    Means.HAND: _take_hand,
    Means.DEALER: _text("dealer"),
    Means.MAKER: _take_maker,
    Means.BID: _take_bid,
    Means.TRUMP: _read("trump", values.trump),
    Means.STAKE: _read("stake", values.stake),
    Means.RESULT: _take_result,
    Means.BY: _take_by,
    Means.REMARK: lambda line, value: line.remarks.append(shown(value)),
}
