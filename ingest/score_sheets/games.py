"""Which rows belong to one game: by its number, by gaps and headings, or by how scores go on."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.ingest.score_sheets import headers, values
from tricklog.ingest.score_sheets.layout import Kind, Section
from tricklog.ingest.score_sheets.lines import Line, Style, read_line
from tricklog.ingest.score_sheets.words import Means, key


@dataclass(slots=True)
class Game:
    """The rows of one game."""

    section: Section
    lines: list[Line] = field(default_factory=list)
    date: dt.date | None = None
    label: str = ""
    """Its number, where the sheet has one."""


def games_of(sections: Sequence[Section], rules: Rules, styles: Sequence[Style]) -> list[Game]:
    """Return the games of a sheet, in order; each row that is a hand is in one of them."""
    walk = _Walk(rules)
    for section, style in zip(sections, styles, strict=True):
        walk.read(section, style)
    return [game for game in walk.games if game.lines]


class _Walk:
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
        """Take in the rows of a section."""
        if any(section.headings):
            before = self.games[-1].section if self.games else None
            is_same = before is not None and before.headings == section.headings
            self._ended |= not is_same
            self._parted = True
        for row, kind in section.rows:
            if kind == Kind.HAND:
                self._take(read_line(row, section.columns, style), section)
            elif kind == Kind.BLANK:
                self._parted = True
            elif kind == Kind.FOOTER:
                self._ended = True
            elif kind == Kind.TITLE:
                self._take_title(headers.title_of(row), style.order)

    def _take_title(self, title: str, order: values.Order) -> None:
        found = _date_in(title, order)
        if found is not None:
            self._ended |= found != self._date
            self._date = found
        elif headers.begins_game(title):
            self._ended, self._titled = True, title

    def _take(self, line: Line, section: Section) -> None:
        means = {each.means for each in section.columns}
        new_date = line.date is not None and line.date != self._date
        line.date = line.date or self._date
        line.game = line.game or (self._label if Means.GAME in means else "")
        if self._begins(line, means, new_date=new_date):
            label = line.game or self._titled
            self.games.append(Game(section, [], line.date, label))
            self._titled = ""
        self.games[-1].lines.append(line)
        self._date, self._label = line.date, line.game
        self._ended = self._parted = False

    def _begins(self, line: Line, means: set[Means], *, new_date: bool) -> bool:
        """Does a game begin with this row?"""
        if not self.games or self._ended:
            return True
        last = self.games[-1].lines[-1]
        if Means.GAME in means:
            return key(line.game) != key(self._label) or new_date
        if new_date:
            return True
        if Means.HAND in means and line.hand is not None and last.hand is not None:
            return line.hand < last.hand or (line.hand == 1 and last.hand >= 1)
        goes_on = _goes_on(last, line, self._rules)
        if goes_on is None:
            return self._parted
        return not goes_on


def _goes_on(last: Line, line: Line, rules: Rules) -> bool | None:
    """Do the scores of a row go on from those before, or begin from nothing? ``None`` if both."""
    before, after, change = (
        last.numbers(Means.SCORE),
        line.numbers(Means.SCORE),
        line.numbers(Means.CHANGE),
    )
    said = line.numbers(Means.BEFORE)
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
    steps = [abs(after[of] - before[of]) for of in after]
    may_begin = all(abs(value) <= most for value in after.values())
    if max(steps) > most and may_begin:
        return False
    ordered = [before[of] for of in sorted(before)]
    is_over = len(ordered) == rules.side_count and game_end.is_over(rules, ordered)
    # Behind the end of a game, scores that may be those of a first hand are.
    return not (is_over and may_begin and not change)


def _date_in(title: str, order: values.Order) -> dt.date | None:
    """Return the day that a title names, perhaps behind other words."""
    words = title.replace(",", " ").split()
    for start, end in itertools.combinations(range(len(words) + 1), 2):
        try:
            found = values.date(" ".join(words[start:end]), order)
        except ValueError:
            continue
        if found is not None and not words[start].isdecimal():
            return found
        if found is not None and end - start > 1:
            return found
    return None


def named(games: Sequence[Game], source: str, sheet: str) -> Iterator[tuple[Game, str]]:
    """Return games with their names, which depend on nothing that a correction changes.

    A name is that of the sheets, the sheet of a workbook, the day, and the number of the game, as
    it is written or as it comes on that day.
    """
    counts: Counter[str] = Counter()
    for game in games:
        place = ":".join(
            part for part in (source, sheet, game.date.isoformat() if game.date else "") if part
        )
        if game.label:
            name = f"{place}:{'-'.join(key(game.label).split())}"
            counts[name] += 1
            yield game, name if counts[name] == 1 else f"{name}:{counts[name]}"
            continue
        counts[place] += 1
        yield game, f"{place}:{counts[place]}"
