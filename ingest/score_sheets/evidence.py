"""What stands below a heading, as evidence of what it may mean."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.grid import Row, Value, shown
from tricklog.ingest.score_sheets.values import attempt, bid, date, is_number, number, was_set
from tricklog.ingest.score_sheets.words import PASSES, RESULTS, STAKES, TRUMPS, Means, key
from tricklog.ingest.text_form.folding import name_key

_MOST: Final = 0.8
"""The part of the rows that must agree."""


def cells_in(rows: Sequence[Row], place: int) -> list[Value]:
    """Return what stands in a column, without what is empty."""
    return [cell for row in rows if (cell := row.cell(place)) is not None]


def is_most(said: Sequence[bool]) -> bool:
    """Whether most say yes."""
    return bool(said) and sum(said) >= _MOST * len(said)


def numbers_in(row: Row, places: Sequence[int]) -> list[int | None] | None:
    """Return the numbers of a row in some columns; nothing where something else stands there."""
    try:
        return [number(row.cell(place)) for place in places]
    except ValueError:
        return None


def are_numbers(cells: Sequence[Value]) -> bool:
    """Whether most cells are numbers."""
    return is_most([is_number(cell) for cell in cells])


def _numbers_among(cells: Sequence[Value]) -> list[int]:
    return [found for cell in cells if (found := attempt(number, cell)) is not None]


def _are_counted(cells: Sequence[Value]) -> bool:
    """Whether cells count hands: from row to row another number of 1 or more."""
    if not are_numbers(cells):
        return False
    found = _numbers_among(cells)
    changes = [old != new for old, new in itertools.pairwise(found)]
    return min(found) >= 1 and (not changes or is_most(changes))


def are_dates(cells: Sequence[Value]) -> bool:
    """Whether most cells are days, written as no mere number."""
    return is_most(
        [
            isinstance(cell, dt.date)
            or (isinstance(cell, str) and not cell.isdecimal() and attempt(date, cell) is not None)
            for cell in cells
        ]
    )


def are_results(cells: Sequence[Value]) -> bool:
    """Whether most cells say in words or marks that a contract was made or set."""
    return is_most(
        [
            isinstance(cell, str | bool)
            and not is_number(cell)
            and attempt(was_set, cell) is not None
            for cell in cells
        ]
    )


def are_bids(cells: Sequence[Value], rules: Rules) -> bool:
    """Whether most cells are numbers that may be bid in a game."""
    return are_numbers(cells) and is_most(
        [rules.min_bid <= each <= rules.max_bid for each in _numbers_among(cells)]
    )


def are_people(cells: Sequence[Value]) -> bool:
    """Whether most cells may be names of players: words that say nothing else on a sheet.

    One of the names may be such a word: somebody is called Win.
    """
    said = [key(shown(cell)) for cell in cells]
    are_other = [is_most([word in known for word in said]) for known in (RESULTS, TRUMPS)]
    return is_most([_may_be_name(cell) for cell in cells]) and not any(are_other)


def _may_be_name(cell: Value) -> bool:
    if not isinstance(cell, str) or any(c.isdigit() for c in cell):
        return False
    return any(c.isalpha() for c in cell) and key(cell) not in PASSES


def names_of(cells: Sequence[Value]) -> set[str]:
    """Return the names in a column as names are compared."""
    return {name_key(shown(cell)) for cell in cells if _may_be_name(cell)}


def go_round(cells: Sequence[Value], rules: Rules) -> bool:
    """Whether names come in turn, as the deal does, and so often that it is no chance."""
    names = [name_key(shown(cell)) for cell in cells]
    if len(set(names)) < 2 or len(names) <= rules.seats:  # noqa: PLR2004 - one alone does not go round
        return False
    after: dict[str, Counter[str]] = defaultdict(Counter)
    for old, new in itertools.pairwise(names):
        after[old][new] += 1
    same = sum(each.most_common(1)[0][1] for name, each in after.items() if name not in each)
    return same >= _MOST * (len(names) - 1)


def speaks_for(means: Means, cells: Sequence[Value], rules: Rules) -> bool:
    """Whether what stands below a heading may be of a meaning, and looks like it."""
    if not cells:
        return True
    match means:
        case Means.BID:
            return are_bids(cells, rules)
        case Means.DATE:
            return are_dates(cells)
        case Means.HAND:
            return _are_counted(cells)
        case Means.GAME if are_numbers(cells):
            # Numbers of games do not fall.
            pairs = itertools.pairwise(_numbers_among(cells))
            return is_most([old <= new for old, new in pairs])
        case Means.GAME:
            return not are_people(cells)
        case Means.DEALER | Means.MAKER:
            return are_people(cells)
        case Means.STAKE:
            return is_most([not is_number(cell) and key(shown(cell)) in STAKES for cell in cells])
        case Means.RESULT | Means.SET:
            return are_results(cells)
    return are_numbers(cells)


def are_of_sides(
    rows: Sequence[Row], places: Sequence[int], bid_at: int | None, rules: Rules
) -> bool:
    """Whether columns of numbers are those of sides: points, changes or running scores.

    What they come to in a hand is all that there is in it, or one of them loses what was bid.
    """
    said = [
        (found, bid_in(row, bid_at))
        for row in rows
        if (found := numbers_in(row, places)) is not None
    ]
    as_they_are = [_is_of_hand(found, bid, rules) for found, bid in said]
    steps = [
        _is_of_hand([(a or 0) - (b or 0) for a, b in zip(new, old, strict=True)], bid, rules)
        for (old, _), (new, bid) in itertools.pairwise(said)
    ]
    return is_most(as_they_are) or (len(steps) > 1 and is_most(steps))


def _is_of_hand(found: Sequence[int | None], bid: int | None, rules: Rules) -> bool:
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return False
    return sum(known) == rules.all_points or (bid is not None and -bid in known)


def bid_in(row: Row, place: int | None) -> int | None:
    """Return the number that was bid in a row; nothing where none can be read."""
    found = None if place is None else attempt(bid, row.cell(place))
    return found.bid if found and isinstance(found.bid, int) else None
