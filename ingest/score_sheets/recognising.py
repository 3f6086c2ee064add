"""What the columns of a sheet mean, by their headings and by what stands in them, and how sure."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from ingest.score_sheets import values
from ingest.score_sheets.grid import Row, letter, shown
from ingest.score_sheets.headers import Heading, heading_of, names_in
from ingest.score_sheets.settings import Column
from ingest.score_sheets.words import OF_A_SIDE, SIDES, Means, key
from replay.engine.records import Rules

_LOOKED_AT: Final = 400
"""Rows that are looked at."""
_MOST: Final = 0.8
"""The part of the rows that must agree."""
_EXACT, _IN_PART, _BY_CONTENT, _GUESSED, _NOT_KNOWN = 95, 85, 75, 50, 30


class Recognised(NamedTuple):
    """What is known of the columns below a heading."""

    columns: tuple[Column, ...]
    labels: tuple[str, ...] = ()
    """Whose columns they are: of column ``of`` 1, 2 …"""


def recognise(headings: Sequence[str], rows: Sequence[Row], rules: Rules) -> Recognised:
    """Return what columns mean; ``headings`` may be empty, ``rows`` are those below."""
    rows = [row for row in rows[:_LOOKED_AT] if not row.is_blank]
    if not any(headings):
        return _by_content(rows, rules)
    heads = [heading_of(text) if text else Heading() for text in headings]
    heads = _without_strangers(heads, rows, rules)
    labels = _labels(heads)
    columns = [
        Column(letter(place), *_first_guess(head, labels))
        for place, head in enumerate(heads)
        if head.text or any(row.cell(place) is not None for row in rows)
    ]
    columns = _numbered(columns, rules)
    columns = _once(_kinds(columns, rows, rules))
    return Recognised(tuple(columns), tuple(labels))


def _without_strangers(
    heads: Sequence[Heading], rows: Sequence[Row], rules: Rules
) -> list[Heading]:
    """Return headings, and of those that are not known only names over columns of numbers.

    Where partners play and more is named than two sides, a heading that says nothing of points or
    scores is one of them only if it names a pair.
    """
    found = [
        head if head.means is not None or _is_numeric(rows, place) else Heading(head.text)
        for place, head in enumerate(heads)
    ]
    if len(_labels(found)) <= rules.side_count or rules.side_count == rules.seats:
        return found
    return [
        head if head.means is not None or _is_side(head.label) else Heading(head.text)
        for head in found
    ]


def _is_side(label: str) -> bool:
    return key(label) in SIDES or len(names_in(label)) > 1


def _is_numeric(rows: Sequence[Row], place: int) -> bool:
    cells = [cell for row in rows if (cell := row.cell(place)) is not None]
    return not rows or _is_most([values.is_number(cell) for cell in cells])


def _labels(heads: Sequence[Heading]) -> list[str]:
    """Return whose columns there are, in their order; those of the makers are nobody's."""
    found: list[str] = []
    for head in heads:
        side = SIDES.get(key(head.label), "")
        if not head.label or side in ("makers", "defenders"):
            continue
        if head.means is not None and head.means not in OF_A_SIDE:
            continue
        if head.label not in found:
            found.append(head.label)
    # We before They, wherever their columns stand.
    return sorted(found, key=lambda label: SIDES.get(key(label), "0"))


def _first_guess(head: Heading, labels: Sequence[str]) -> tuple[Means, str, str, int]:
    """Return meaning, heading, whose it is and how sure; of a name alone the kind is open."""
    side = SIDES.get(key(head.label), "")
    of = side if side in ("makers", "defenders") else ""
    if not of and head.label in labels:
        of = str(labels.index(head.label) + 1)
    sure = _EXACT if head.is_exact else _IN_PART
    if head.means is None:
        return (Means.IGNORE, head.text, of, sure if of else _NOT_KNOWN)
    return (head.means, head.text, of if head.means in OF_A_SIDE else "", sure)


def _numbered(columns: list[Column], rules: Rules) -> list[Column]:
    """Say whose the columns are that no name stands over: of each side one, or of the makers."""
    counts = Counter(each.means for each in columns if each.means in OF_A_SIDE and not each.of)
    seen: Counter[Means] = Counter()
    found = []
    for each in columns:
        if each.means not in OF_A_SIDE or each.of:
            found.append(each)
            continue
        seen[each.means] += 1
        of, sure = "", each.sure
        if counts[each.means] == rules.side_count:
            of, sure = str(seen[each.means]), _BY_CONTENT
        elif counts[each.means] == 1 and each.means in (Means.POINTS, Means.CHANGE):
            of, sure = "makers", _BY_CONTENT
        means = each.means if of else Means.IGNORE
        found.append(Column(each.at, means, each.header, of, sure if of else _NOT_KNOWN))
    return found


def _kinds(columns: list[Column], rows: Sequence[Row], rules: Rules) -> list[Column]:
    """Decide by content what the columns of sides hold whose heading leaves it open."""
    found = list(columns)
    groups = _groups(columns)
    points = next((each for each in groups if columns[each[0]].means == Means.POINTS), None)
    beside = {columns[at].of: columns[at].index for at in points or ()}
    for group in groups:
        said = columns[group[0]].means
        places = {columns[place].of: columns[place].index for place in group}
        means = _kind(list(places.values()), rows, rules, said)
        if said == Means.IGNORE and beside.keys() == places.keys() and means != Means.POINTS:
            means = _beside_points(places, beside, rows)
        elif means == Means.CHANGE != said and _steps_lose_bids([*places.values()], columns, rows):
            means = Means.SCORE
        if means == said:
            continue
        for place in group:
            each = columns[place]
            sure = _GUESSED if means == Means.IGNORE else min(each.sure, _BY_CONTENT)
            of = "" if means == Means.IGNORE else each.of
            found[place] = Column(each.at, means, each.header, of, sure)
    return found


def _groups(columns: Sequence[Column]) -> list[list[int]]:
    """Return columns of sides that belong together: one meaning, none of a side twice."""
    groups: list[list[int]] = []
    open_groups: dict[Means, list[int]] = {}
    for place, each in enumerate(columns):
        if not each.of or each.of in ("makers", "defenders"):
            continue
        group = open_groups.get(each.means)
        if group is None or each.of in {columns[at].of for at in group}:
            group = open_groups[each.means] = []
            groups.append(group)
        group.append(place)
    return groups


def _kind(places: Sequence[int], rows: Sequence[Row], rules: Rules, said: Means) -> Means:
    """Return what columns of sides hold: points of hands, changes or running scores."""
    if said == Means.BEFORE:
        return said
    listed = [numbers for row in rows if (numbers := _numbers(row, places)) is not None]
    filled = [each for each in listed if any(value is not None for value in each)]
    if not filled:
        return said
    whole = [[value for value in each if value is not None] for each in filled]
    sums = [sum(each) for each in whole if len(each) == rules.side_count]
    are_points = min(map(min, whole)) >= 0 and max(map(max, whole)) <= rules.all_points
    if (
        said in (Means.POINTS, Means.IGNORE)
        and are_points
        and _is_most([each == rules.all_points for each in sums])
    ):
        return Means.POINTS
    if said == Means.CHANGE or (said == Means.POINTS and are_points):
        return said
    if said == Means.SCORE:
        return said
    return Means.SCORE if _runs(filled, rules) else Means.CHANGE


def _beside_points(places: dict[str, int], points: dict[str, int], rows: Sequence[Row]) -> Means:
    """Return whether columns run on or are of each hand, by the points that stand beside them."""
    runs = changes = 0
    before: list[int | None] | None = None
    for row in rows:
        now, taken = _numbers(row, list(places.values())), _numbers(row, [*points.values()])
        if now is None or taken is None or None in now or None in taken:
            before = None
            continue
        changes += any(value == point for value, point in zip(now, taken, strict=True))
        if before is not None:
            steps = [(new or 0) - (old or 0) for new, old in zip(now, before, strict=True)]
            runs += any(step == point for step, point in zip(steps, taken, strict=True))
        before = now
    return Means.SCORE if runs > changes // 2 and runs * 2 > len(rows) // 2 else Means.CHANGE


def _steps_lose_bids(places: Sequence[int], columns: Sequence[Column], rows: Sequence[Row]) -> bool:
    """Do sides lose what was bid from row to row, and not in one row by itself?"""
    at = next((each.index for each in columns if each.means == Means.BID), None)
    steps = alone = 0
    before: list[int | None] | None = None
    for row in rows:
        now = _numbers(row, places)
        bid = _bid_in(row, at)
        if now is None or bid is None:
            before = now
            continue
        alone += -bid in now
        if before is not None:
            pairs = zip(now, before, strict=True)
            steps += any((new or 0) - (old or 0) == -bid for new, old in pairs)
        before = now
    return steps > alone


def _bid_in(row: Row, place: int | None) -> int | None:
    try:
        found = None if place is None else values.bid(row.cell(place))
    except ValueError:
        return None
    return found.bid if found and isinstance(found.bid, int) else None


def _runs(listed: Sequence[Sequence[int | None]], rules: Rules) -> bool:
    """Do numbers run on from row to row?

    Then they grow beyond what a hand can bring. Or, where only one side scores in a hand, one of
    them alone differs from the row before, while others are not nothing.
    """
    most = 2 * max(rules.all_points, rules.max_bid)
    whole = [[value for value in row if value is not None] for row in listed if None not in row]
    if any(abs(value) > most for row in listed for value in row if value is not None):
        return True
    alone = [sum(value != 0 for value in row) <= 1 for row in whole]
    steps = [
        sum(old != new for old, new in zip(before, row, strict=True)) <= 1
        for before, row in itertools.pairwise(whole)
    ]
    return _is_most(steps) and not _is_most(alone)


def _is_most(said: Sequence[bool]) -> bool:
    return bool(said) and sum(said) >= _MOST * len(said)


def _numbers(row: Row, places: Sequence[int]) -> list[int | None] | None:
    try:
        return [values.number(row.cell(place)) for place in places]
    except ValueError:
        return None


def _once(columns: list[Column]) -> list[Column]:
    """Leave what a hand has one of to the first column that may be it, and the surest."""
    best: dict[tuple[Means, str], Column] = {}
    for each in columns:
        known = best.get((each.means, each.of))
        if known is None or each.sure > known.sure:
            best[each.means, each.of] = each
    return [
        each
        if each.means in (Means.IGNORE, Means.REMARK) or best[each.means, each.of] is each
        else Column(each.at, Means.IGNORE, each.header, "", _NOT_KNOWN)
        for each in columns
    ]


# --- Without headings


def _by_content(rows: Sequence[Row], rules: Rules) -> Recognised:
    width = max((len(row.cells) for row in rows), default=0)
    found: dict[int, Column] = {}

    def say(place: int, means: Means, of: str = "") -> None:
        found[place] = Column(letter(place), means, "", of, _GUESSED)

    filled = {
        place: [cell for row in rows if (cell := row.cell(place)) is not None]
        for place in range(width)
    }
    numbers = [
        place for place, cells in filled.items() if _is_most([values.is_number(c) for c in cells])
    ]
    dates = [place for place, cells in filled.items() if _is_most([_is_date(c) for c in cells])]
    for place in dates[:1]:
        say(place, Means.DATE)
    numbers = [place for place in numbers if place not in dates]
    scores = numbers[-rules.side_count :] if len(numbers) >= rules.side_count else []
    kind = _kind(scores, rows, rules, Means.IGNORE) if scores else Means.IGNORE
    for side, place in enumerate(scores, 1):
        if kind != Means.IGNORE:
            say(place, kind, str(side))
    texts = [place for place in filled if place not in numbers and place not in dates]
    names = [place for place in texts if _are_names(filled[place], rules)]
    for place, means in zip(
        names[-2:], [Means.DEALER, Means.MAKER][-len(names[-2:]) :], strict=False
    ):
        say(place, means)
    for place in numbers:
        cells = [values.number(cell) for cell in filled[place] if values.is_number(cell)]
        if place not in found and _is_most([_may_be_bid(each, rules) for each in cells]):
            say(place, Means.BID)
            break
    results = [
        place
        for place in texts
        if place not in found and _is_most([_is_result(c) for c in filled[place]])
    ]
    for place in results[:1]:
        say(place, Means.RESULT)
    for place in range(width):
        if place not in found and filled[place]:
            found[place] = Column(letter(place), Means.IGNORE, "", "", _NOT_KNOWN)
    return Recognised(tuple(found[place] for place in sorted(found)))


def _is_date(cell: object) -> bool:
    try:
        return isinstance(cell, dt.date) or (
            isinstance(cell, str) and not cell.isdecimal() and values.date(cell) is not None
        )
    except ValueError:
        return False


def _are_names(cells: Sequence[object], rules: Rules) -> bool:
    texts = [cell for cell in cells if isinstance(cell, str)]
    return len(texts) == len(cells) and 1 < len(set(texts)) <= rules.seats


def _may_be_bid(value: int | None, rules: Rules) -> bool:
    return value is not None and rules.min_bid <= value <= rules.max_bid


def _is_result(cell: object) -> bool:
    if not isinstance(cell, str | bool):
        return False
    try:
        return values.result(cell) is not None
    except ValueError:
        return False


def preview_of(row: Row, columns: Sequence[Column]) -> list[str]:
    """Return the cells of a row as they stand under the columns."""
    return [shown(row.cell(each.index)) for each in columns]
