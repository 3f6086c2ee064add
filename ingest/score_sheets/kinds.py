"""Which numbers of sides a column has: points of hands, changes of the score, or running scores."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.evidence import bid_in, is_most, numbers_in
from tricklog.ingest.score_sheets.grid import Row
from tricklog.ingest.score_sheets.settings import Column, Sure
from tricklog.ingest.score_sheets.words import Means


def kinds_of(columns: list[Column], rows: Sequence[Row], rules: Rules) -> list[Column]:
    """Decide by content what the columns of sides hold whose heading leaves it open."""
    found = list(columns)
    groups = _groups(columns)
    points = next((each for each in groups if columns[each[0]].means == Means.POINTS), None)
    beside = {columns[at].of: columns[at].index for at in points or ()}
    for group in groups:
        said = columns[group[0]].means
        places = {columns[place].of: columns[place].index for place in group}
        means = kind_of(list(places.values()), rows, rules, said)
        if said == Means.IGNORE and beside.keys() == places.keys() and means != Means.POINTS:
            means = _beside_points(places, beside, rows)
        elif means == Means.CHANGE != said and _steps_lose_bids([*places.values()], columns, rows):
            means = Means.SCORE
        if means == said:
            continue
        for place in group:
            each = columns[place]
            sure = Sure.GUESSED if means == Means.IGNORE else min(each.sure, Sure.BY_CONTENT)
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


def kind_of(places: Sequence[int], rows: Sequence[Row], rules: Rules, said: Means) -> Means:
    """Return what columns of sides hold: points of hands, changes or running scores."""
    if said == Means.BEFORE:
        return said
    listed = [numbers for row in rows if (numbers := numbers_in(row, places)) is not None]
    filled = [each for each in listed if any(value is not None for value in each)]
    if not filled:
        return said
    whole = [[value for value in each if value is not None] for each in filled]
    sums = [sum(each) for each in whole if len(each) == rules.side_count]
    if rules.side_count < rules.seats == len(places):
        # A column for each of the partners has the points of a side as often as it has players.
        sums = [sum(each) * rules.side_count // rules.seats for each in whole]
    are_points = min(map(min, whole)) >= 0 and max(map(max, whole)) <= rules.all_points
    if (
        said in (Means.POINTS, Means.IGNORE)
        and are_points
        and is_most([each == rules.all_points for each in sums])
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
        now, taken = numbers_in(row, list(places.values())), numbers_in(row, [*points.values()])
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
        now = numbers_in(row, places)
        bid = bid_in(row, at)
        if now is None or bid is None:
            before = now
            continue
        alone += -bid in now
        if before is not None:
            pairs = zip(now, before, strict=True)
            steps += any((new or 0) - (old or 0) == -bid for new, old in pairs)
        before = now
    return steps > alone


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
    return is_most(steps) and not is_most(alone)
