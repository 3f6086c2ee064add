"""Rows of hands, cell by cell by what their columns mean, and which of them belong to one game.

A game is known by its number, by gaps and headings, or by scores that go on from row to row.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from tricklog.core.engine.policies import Made
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.ingest.score_sheets import headers, values
from tricklog.ingest.score_sheets.grid import Row, Value, letter, shown
from tricklog.ingest.score_sheets.layout import Kind, Section
from tricklog.ingest.score_sheets.settings import Column, SheetSettings
from tricklog.ingest.score_sheets.words import OF_A_SIDE, PASSES, Means, key


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

    day_first: bool
    suits: Mapping[str, str]
    """Of letters that may be of several suits."""
    marks: Mapping[str, str]
    """What marks say that may be of contracts made or set; empty for those that are a question."""
    has_stakes: bool
    """Whether there is a stake to be raised, so that ``D`` and ``RD`` below a result say so."""


def style_of(section: Section, settings: SheetSettings, rules: Rules) -> Style:
    """Return how things are written in a section, as far as one cell by itself does not tell."""

    def column(means: Means) -> tuple[str, list[Value]]:
        """Return the first heading of columns of a meaning, and their cells."""
        columns = [each for each in section.columns if each.means == means]
        cells = [row.cell(each.index) for row in section.hands for each in columns]
        return columns[0].header if columns else "", cells

    return Style(
        settings.dates == "day first"
        if settings.dates
        else values.is_day_first(column(Means.DATE)[1]),
        values.suits_of(*column(Means.TRUMP)),
        values.marks_of(*column(Means.RESULT)),
        has_stakes=rules.made == Made.GAME_POINT,
    )


def _read_line(row: Row, columns: Sequence[Column], style: Style) -> Line:
    """Return what a row says; what cannot be read of it is in ``wrong``."""
    line = Line(row)
    line.wrong += [
        Wrong(letter(place), "", "a byte of 0 stands here, which no text has; write the cell again")
        for place, cell in enumerate(row.cells)
        if isinstance(cell, str) and "\0" in cell
    ]
    for column in columns:
        value = row.cell(column.index)
        if (
            column.means == Means.IGNORE
            or value is None
            or (isinstance(value, str) and "\0" in value)
        ):
            continue
        line.places.setdefault(column.means.value, []).append(column.at)
        try:
            if column.means not in OF_A_SIDE:
                _TAKERS[column.means](line, value, style)
            elif (number := values.number(value)) is not None:
                line.sided.setdefault(column.means, {})[column.of] = number
        except ValueError as error:
            line.wrong.append(Wrong(column.at, column.header, str(error)))
    return line


def _take_date(line: Line, value: Value, style: Style) -> None:
    line.date = values.date(value, day_first=style.day_first)


def _take_text(name: str, line: Line, value: Value, _: Style) -> None:
    if not values.is_empty(value):
        setattr(line, name, shown(value))


def _take_hand(line: Line, value: Value, _: Style) -> None:
    number = values.number(value)
    if number is not None and number < 1:
        raise ValueError(f"hands are counted from 1, not {number}")
    line.hand = number


def _take_maker(line: Line, value: Value, style: Style) -> None:
    if key(shown(value)) in PASSES:
        line.is_passed = True
    else:
        _take_text("maker", line, value, style)


def _take_bid(line: Line, value: Value, style: Style) -> None:
    bid = values.bid(value, style.suits)
    if bid is not None:
        line.bid, line.is_passed = bid.bid, bid.is_passed
        line.maker, line.trump = line.maker or bid.who, line.trump or bid.trump


def _take_trump(line: Line, value: Value, style: Style) -> None:
    line.trump = values.trump(value, style.suits) or line.trump


def _take_stake(line: Line, value: Value, _: Style) -> None:
    line.stake = values.stake(value) or ""


def _take_result(line: Line, value: Value, style: Style) -> None:
    said = key(shown(value))
    # One word, as of "pass or fail", may speak of a contract; several say that nobody bid.
    if said in PASSES and " " in said:
        line.is_passed = True
        return
    if style.has_stakes:
        value, stake = values.without_stake(value)
        line.stake = stake or line.stake
    _say_result(line, values.result(value, style.marks))


def _take_set(line: Line, value: Value, _: Style) -> None:
    _say_result(line, values.was_set(value))


def _say_result(line: Line, result: values.Result | None) -> None:
    if result is None:
        return
    if line.result not in ("", result.result):
        raise ValueError(f"this says {result.result}, and another column says {line.result}")
    line.result = result.result
    line.by = result.by if line.by is None else line.by


def _take_by(line: Line, value: Value, _: Style) -> None:
    number = values.number(value)
    if number is not None:
        line.by = abs(number)
        if number < 0:
            line.result = line.result or "set"


def _take_remark(line: Line, value: Value, _: Style) -> None:
    line.remarks.append(shown(value))


_TAKERS: Final[dict[Means, Callable[[Line, Value, Style], None]]] = {
    Means.DATE: _take_date,
    Means.GAME: partial(_take_text, "game"),
    Means.HAND: _take_hand,
    Means.DEALER: partial(_take_text, "dealer"),
    Means.MAKER: _take_maker,
    Means.BID: _take_bid,
    Means.TRUMP: _take_trump,
    Means.STAKE: _take_stake,
    Means.RESULT: _take_result,
    Means.SET: _take_set,
    Means.BY: _take_by,
    Means.REMARK: _take_remark,
}


# --- Games


@dataclass(slots=True)
class Game:
    """The rows of one game."""

    section: Section
    lines: list[Line] = field(default_factory=list)
    date: dt.date | None = None
    label: str = ""
    """Its number, where the sheet has one."""


class GameFinder:
    """Goes down a sheet and notices where one game ends and the next begins."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.games: list[Game] = []
        self._date: dt.date | None = None
        self._label = ""
        self._ended = True
        """Whether something between the rows says that the next hand begins a game."""
        self._parted = False
        """Whether a blank row, or a heading that is said once more, may say so."""
        self._titled = ""

    def read(self, section: Section, style: Style) -> None:
        """Take in the rows of a section; each that is a hand is in one of the games then."""
        if any(section.headings):
            before = self.games[-1].section.headings if self.games else None
            self._ended |= before != section.headings
            self._parted = True
        for row, kind in section.rows:
            if kind == Kind.HAND:
                self._take(_read_line(row, section.columns, style), section)
            elif kind == Kind.BLANK:
                self._parted = True
            elif kind == Kind.FOOTER:
                self._ended = True
            elif kind == Kind.TITLE:
                title = headers.title_of(row)
                if found := _date_in(title, style):
                    self._ended |= found != self._date
                    self._date = found
                elif headers.begins_game(title):
                    self._ended, self._titled = True, title

    def _take(self, line: Line, section: Section) -> None:
        means = {each.means for each in section.columns}
        is_new_date = line.date is not None and line.date != self._date
        line.date = line.date or self._date
        line.game = line.game or (self._label if Means.GAME in means else "")
        if self._begins(line, means, is_new_date=is_new_date):
            self.games.append(Game(section, [], line.date, line.game or self._titled))
            self._titled = ""
        self.games[-1].lines.append(line)
        self._date, self._label = line.date, line.game
        self._ended = self._parted = False

    def _begins(self, line: Line, means: set[Means], *, is_new_date: bool) -> bool:
        """Does a game begin with this row?"""
        if not self.games or self._ended or is_new_date:
            return True
        last = self.games[-1].lines[-1]
        if Means.GAME in means:
            return key(line.game) != key(self._label)
        if Means.HAND in means and line.hand is not None and last.hand is not None:
            return line.hand < last.hand or (line.hand == 1 and last.hand >= 1)
        goes_on = _goes_on(last, line, self._rules)
        return self._parted if goes_on is None else not goes_on


def _goes_on(last: Line, line: Line, rules: Rules) -> bool | None:
    """Do the scores of a row go on from those before, or begin from nothing? ``None`` if both."""
    before, after = last.numbers(Means.SCORE), line.numbers(Means.SCORE)
    said, change = line.numbers(Means.BEFORE), line.numbers(Means.CHANGE)
    if said and before:
        return None if said == before else any(said.values())
    if not before or not after or before.keys() != after.keys():
        return None
    if after.keys() == change.keys():
        start = {of: after[of] - change[of] for of in after}
        if start == before:
            return None if not any(start.values()) else True
        if not any(start.values()):
            return False
    most = 2 * max(rules.all_points, rules.max_bid)
    may_begin = all(abs(value) <= most for value in after.values())
    if may_begin and max(abs(after[of] - before[of]) for of in after) > most:
        return False
    ordered = [before[of] for of in sorted(before)]
    is_over = len(ordered) == rules.side_count and game_end.is_over(rules, ordered)
    # Behind the end of a game, scores that may be those of a first hand are.
    return not (is_over and may_begin and not change)


def _date_in(title: str, style: Style) -> dt.date | None:
    """Return the day that a title names, perhaps behind other words."""
    words = title.replace(",", " ").split()
    read = partial(values.date, day_first=style.day_first)
    for start, end in itertools.combinations(range(len(words) + 1), 2):
        found = values.attempt(read, " ".join(words[start:end]))
        if found is not None and (end - start > 1 or not words[start].isdecimal()):
            return found
    return None


def named(games: Sequence[Game], source: str, sheet: str) -> Iterator[tuple[Game, str]]:
    """Return games with their names, which depend on nothing that a correction changes.

    A name is that of the sheets, the sheet of a workbook, the day, and the number of the game, as
    it is written or as it comes on that day.
    """
    counts: Counter[str] = Counter()
    for game in games:
        day = game.date.isoformat() if game.date else ""
        name = ":".join(part for part in (source, sheet, day) if part)
        if game.label:
            name += f":{'-'.join(key(game.label).split())}"
        counts[name] += 1
        yield game, name if game.label and counts[name] == 1 else f"{name}:{counts[name]}"
