"""Rows of hands, read cell by cell by what their columns mean."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tricklog.core.engine.policies import Made
from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets import contract, values
from tricklog.ingest.score_sheets.grid import Row, Value, letter, shown
from tricklog.ingest.score_sheets.settings import Column, SheetSettings
from tricklog.ingest.score_sheets.words import PASSES, Means, key

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


class Style(NamedTuple):
    """How things are written below one heading."""

    order: values.Order = values.Order()
    """Of day and month."""
    suits: Mapping[str, str] = {}
    """Of letters that may be of several suits."""
    marks: Mapping[str, str] = {}
    """What marks say that may be of contracts made or set; empty for those that are a question."""
    has_stakes: bool = False
    """Whether there is a stake to be raised, so that ``D`` and ``RD`` below a result say so."""


def read_line(row: Row, columns: Sequence[Column], style: Style) -> Line:
    """Return what a row says; what cannot be read of it is in ``wrong``."""
    line = Line(row)
    line.wrong += [
        Wrong(letter(place), "", "a byte of 0 stands here, which no text has; write the cell again")
        for place, cell in enumerate(row.cells)
        if isinstance(cell, str) and "\0" in cell
    ]
    for column in columns:
        if column.means == Means.IGNORE:
            continue
        value = row.cell(column.index)
        if value is None or (isinstance(value, str) and "\0" in value):
            continue
        line.places.setdefault(column.means.value, []).append(column.at)
        try:
            _take(line, column, value, style)
        except ValueError as error:
            line.wrong.append(Wrong(column.at, column.header, str(error)))
    return line


def style_of(
    rows: Sequence[Row], columns: Sequence[Column], settings: SheetSettings, rules: Rules
) -> Style:
    """Return how things are written in rows, as far as one cell by itself does not tell."""

    def cells(*means: Means) -> list[Value]:
        places = [each.index for each in columns if each.means in means]
        return [row.cell(place) for row in rows for place in places]

    def heading(means: Means) -> str:
        return next((each.header for each in columns if each.means == means), "")

    order = values.order_of(cells(Means.DATE))
    if settings.dates:
        order = values.Order(settings.dates == "day first")
    suits = contract.suits_of(heading(Means.TRUMP), cells(Means.TRUMP))
    marks = contract.marks_of(heading(Means.RESULT), cells(Means.RESULT))
    return Style(order, suits, marks, has_stakes=rules.made == Made.GAME_POINT)


def _take(line: Line, column: Column, value: Value, style: Style) -> None:
    if column.means in _SIDED:
        number = values.number(value)
        if number is not None:
            line.sided.setdefault(column.means, {})[column.of] = number
    elif column.means == Means.DATE:
        line.date = values.date(value, style.order)
    else:
        _TAKERS[column.means](line, value, style)


def _take_bid(line: Line, value: Value, style: Style) -> None:
    bid = contract.bid(value, style.suits)
    if bid is not None:
        line.bid, line.is_passed = bid.bid, bid.is_passed
        line.maker, line.trump = line.maker or bid.who, line.trump or bid.trump


def _take_result(line: Line, value: Value, style: Style) -> None:
    said = key(shown(value))
    # One word, as of "pass or fail", may speak of a contract; several say that nobody bid.
    if said in PASSES and " " in said:
        line.is_passed = True
        return
    if style.has_stakes:
        value, stake = contract.without_stake(value)
        line.stake = stake or line.stake
    _say_result(line, contract.result(value, style.marks))


def _take_set(line: Line, value: Value, style: Style) -> None:  # noqa: ARG001 - as the others
    _say_result(line, contract.was_set(value))


def _say_result(line: Line, result: contract.Result | None) -> None:
    if result is None:
        return
    if line.result not in ("", result.result):
        raise ValueError(f"this says {result.result}, and another column says {line.result}")
    line.result = result.result
    line.by = result.by if line.by is None else line.by


def _take_maker(line: Line, value: Value, style: Style) -> None:  # noqa: ARG001 - as the others
    if not values.is_empty(value):
        if key(shown(value)) in PASSES:
            line.is_passed = True
        else:
            line.maker = shown(value)


def _take_hand(line: Line, value: Value, style: Style) -> None:  # noqa: ARG001 - as the others
    number = values.number(value)
    if number is not None and number < 1:
        raise ValueError(f"hands are counted from 1, not {number}")
    line.hand = number


def _take_by(line: Line, value: Value, style: Style) -> None:  # noqa: ARG001 - as the others
    number = values.number(value)
    if number is not None:
        line.by = abs(number)
        if number < 0:
            line.result = line.result or "set"


def _take_trump(line: Line, value: Value, style: Style) -> None:
    line.trump = contract.trump(value, style.suits) or line.trump


_Taker = Callable[[Line, Value, Style], None]


def _text(name: str) -> _Taker:
    def take(line: Line, value: Value, style: Style) -> None:  # noqa: ARG001 - as the others
        if not values.is_empty(value):
            setattr(line, name, shown(value))

    return take


_TAKERS: Final[dict[Means, _Taker]] = {
    Means.GAME: _text("game"),
    Means.HAND: _take_hand,
    Means.DEALER: _text("dealer"),
    Means.MAKER: _take_maker,
    Means.BID: _take_bid,
    Means.TRUMP: _take_trump,
    Means.STAKE: lambda line, value, _: setattr(line, "stake", contract.stake(value) or ""),
    Means.RESULT: _take_result,
    Means.SET: _take_set,
    Means.BY: _take_by,
    Means.REMARK: lambda line, value, _: line.remarks.append(shown(value)),
}
