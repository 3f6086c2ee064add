"""What the columns of a sheet mean, by their headings and by what stands in them, and how sure."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.grid import Row, Value, letter, shown
from tricklog.ingest.score_sheets.headers import Heading, heading_of, names_in
from tricklog.ingest.score_sheets.settings import ROLES, Column, Sure
from tricklog.ingest.score_sheets.values import attempt, bid, date, is_number, number, was_set
from tricklog.ingest.score_sheets.words import (
    COLOURS,
    OF_A_SIDE,
    OPEN,
    PASSES,
    RESULTS,
    SIDES,
    STAKES,
    TRUMPS,
    Means,
    key,
)
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


_LOOKED_AT: Final = 400
"""Rows that are looked at."""
_TWO: Final = 2
"""Sides of two partners each."""


class Recognised(NamedTuple):
    """What is known of the columns below a heading."""

    columns: tuple[Column, ...]
    labels: tuple[str, ...] = ()
    """Whose columns they are: of column ``of`` 1, 2 …"""


def recognise(headings: Sequence[str], rows: Sequence[Row], rules: Rules) -> Recognised:
    """Return what columns mean; ``headings`` may be empty, ``rows`` are those below."""
    rows = [row for row in rows[:_LOOKED_AT] if not row.is_blank]
    if not any(headings):
        return Recognised(_without_headings(rows, rules))
    heads = _alike(_opponents([heading_of(text) if text else Heading() for text in headings]))
    heads = _without_strangers(_decided(heads, rows, rules), rows, rules)
    labels = _labels_of(heads)
    are_partners = rules.side_count < rules.seats
    columns = [
        _first_guess(letter(place), head, labels, are_partners=are_partners)
        for place, head in enumerate(heads)
        if head.text or any(row.cell(place) is not None for row in rows)
    ]
    columns = _kinds_of(_numbered(columns, rules), rows, rules)
    return Recognised(tuple(_once(_guessed(columns, labels, rows, rules))), tuple(labels))


def _opponents(heads: list[Heading]) -> list[Heading]:
    """Read ``Opponents`` beside ``We`` as the other side, whoever bids."""
    sides = {head.side for head in heads}
    if "1" not in sides or "2" in sides or "makers" in sides:
        return heads
    return [head._replace(label="They") if head.side == "defenders" else head for head in heads]


def _alike(heads: list[Heading]) -> list[Heading]:
    """Give one side one label, however its headings spell it: ``We``, ``Score we``, ``Our score``.

    Other words for a side of the table are of the same one; names are compared without case.
    """
    spelled: dict[str, str] = {}
    found = []
    for head in heads:
        same = head.side if head.side.isdecimal() else key(head.label)
        label = spelled.setdefault(f"{head.side.isdecimal()} {same}", head.label) if same else ""
        found.append(head._replace(label=label))
    return found


def _labels_of(heads: Sequence[Heading]) -> list[str]:
    """Return whose columns there are, in their order; those of the makers are nobody's."""
    found = {
        head.label: head.side or "0"
        for head in heads
        if head.label and head.side not in ROLES and (head.means is None or head.means in OF_A_SIDE)
    }
    # We before They, wherever their columns stand.
    return sorted(found, key=found.__getitem__)


def _first_guess(at: str, head: Heading, labels: Sequence[str], *, are_partners: bool) -> Column:
    """Return what a heading says of its column; of a name alone the kind is open."""
    of = head.side if head.side in ROLES else ""
    if not of and head.label in labels:
        of = str(labels.index(head.label) + 1)
    sure = Sure.EXACT if head.is_exact else Sure.IN_PART
    if head.means is not None:
        return Column(at, head.means, head.text, of if head.means in OF_A_SIDE else "", sure)
    if not of:
        return Column(at, Means.IGNORE, head.text, "", Sure.NOT_KNOWN)
    # One name may be of a team, or of nobody; the numbers below spoke for it.
    is_one = not head.side and len(names_in(head.label)) == 1
    return Column(
        at, Means.IGNORE, head.text, of, Sure.GUESSED if is_one and are_partners else sure
    )


def _numbered(columns: list[Column], rules: Rules) -> list[Column]:
    """Say whose the columns are that no name stands over: of each side one, or of the makers."""
    counts = Counter(each.means for each in columns if each.means in OF_A_SIDE and not each.of)
    seen: Counter[Means] = Counter()
    found = []
    for each in columns:
        column = each
        if each.means in OF_A_SIDE and not each.of:
            seen[each.means] += 1
            if counts[each.means] == rules.side_count:
                column = replace(each, of=str(seen[each.means]), sure=Sure.BY_CONTENT)
            elif counts[each.means] == 1 and each.means in (Means.POINTS, Means.CHANGE):
                column = replace(each, of="makers", sure=Sure.BY_CONTENT)
            else:
                column = each.unused()
        found.append(column)
    return found


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
        else each.unused()
        for each in columns
    ]


# --- Headings that leave open what they mean: words of several meanings, and words nobody knows


def _decided(heads: Sequence[Heading], rows: Sequence[Row], rules: Rules) -> list[Heading]:
    """Return headings, those of several meanings with the one that what stands below speaks for.

    Of two columns that may be of one meaning the second takes another, or stays a question.
    """
    taken = {head.means for head in heads if key(head.text) not in OPEN}
    found = []
    for place, head in enumerate(heads):
        choices = OPEN.get(key(head.text)) if head.text else None
        if choices is None:
            found.append(head)
            continue
        cells = cells_in(rows, place)
        means = next(
            (each for each in choices if each not in taken and speaks_for(each, cells, rules)), None
        )
        taken.add(means)
        label = head.text if means is None and key(head.text) in SIDES else ""
        found.append(Heading(head.text, means, label, is_exact=means is not None))
    return found


def _without_strangers(
    heads: Sequence[Heading], rows: Sequence[Row], rules: Rules
) -> list[Heading]:
    """Return headings, and of those that nobody knows only the names of sides and players.

    A name is one over a column of numbers: that of a pair; that of somebody who deals or bids; or
    one whose numbers are those of a side.
    """
    strange = [place for place, head in enumerate(heads) if _is_stranger(head)]
    kept = _sides_among(strange, heads, rows, rules) if rows else strange
    return [
        head if place not in strange or place in kept else Heading(head.text)
        for place, head in enumerate(heads)
    ]


def _is_stranger(head: Heading) -> bool:
    return head.means is None and bool(head.label) and not head.side


def _sides_among(
    strange: Sequence[int], heads: Sequence[Heading], rows: Sequence[Row], rules: Rules
) -> Sequence[int]:
    numeric = [place for place in strange if are_numbers(cells_in(rows, place))]
    labels = {head.label for head in heads if head.means in OF_A_SIDE and head.label}
    if same := [place for place in numeric if heads[place].label in labels]:
        return same
    said = {place: COLOURS.get(key(heads[place].label)) for place in numeric}
    both = {colour: place for place, colour in said.items() if colour}
    if len(both) == _TWO:
        return list(both.values())
    columns = [
        cells_in(rows, place)
        for place, head in enumerate(heads)
        if head.means in (Means.DEALER, Means.MAKER)
    ]
    players = {name for cells in columns if are_people(cells) for name in names_of(cells)}
    named = []
    for place in numeric:
        wanted = name_key(heads[place].label)
        plays = any(name.startswith(wanted) or wanted.startswith(name) for name in players)
        if plays or len(names_in(heads[place].label)) > 1:
            named.append(place)
    are_single = all(len(names_in(heads[place].label)) == 1 for place in numeric)
    if named and are_single and len(numeric) == rules.seats:
        # Where each player has a column, some need neither deal nor bid.
        return numeric
    if named or (rules.side_count == rules.seats and not players):
        return named or numeric
    if any(head.label and not _is_stranger(head) for head in heads):
        # Sides are named elsewhere, so these are others.
        return ()
    bid_at = next((at for at, head in enumerate(heads) if head.means == Means.BID), None)
    for group in itertools.pairwise(numeric) if rules.side_count == _TWO else ():
        if are_of_sides(rows, group, bid_at, rules):
            return group
    return ()


# --- Which numbers of sides a column has: points of hands, changes of the score, or running scores


def _kinds_of(columns: list[Column], rows: Sequence[Row], rules: Rules) -> list[Column]:
    """Decide by content what the columns of sides hold whose heading leaves it open."""
    found = list(columns)
    groups = _groups(columns)
    points: Sequence[int] = next(
        (each for each in groups if columns[each[0]].means == Means.POINTS), ()
    )
    beside = {columns[at].of: columns[at].index for at in points}
    for group in groups:
        said = columns[group[0]].means
        at = {columns[place].of: columns[place].index for place in group}
        places = [*at.values()]
        means = _kind_of(places, rows, rules, said)
        if said == Means.IGNORE and beside.keys() == at.keys() and means != Means.POINTS:
            means = _beside_points(places, [*beside.values()], rows)
        elif means == Means.CHANGE != said and _steps_lose_bids(places, columns, rows):
            means = Means.SCORE
        if means == said:
            continue
        for place in group:
            each = columns[place]
            if means == Means.IGNORE:
                found[place] = replace(each, means=means, of="", sure=Sure.GUESSED)
            else:
                found[place] = replace(each, means=means, sure=min(each.sure, Sure.BY_CONTENT))
    return found


def _groups(columns: Sequence[Column]) -> list[list[int]]:
    """Return columns of sides that belong together: one meaning, none of a side twice."""
    groups: list[list[int]] = []
    open_groups: dict[Means, list[int]] = {}
    for place, each in enumerate(columns):
        if not each.of or each.of in ROLES:
            continue
        group = open_groups.get(each.means)
        if group is None or each.of in {columns[at].of for at in group}:
            group = open_groups[each.means] = []
            groups.append(group)
        group.append(place)
    return groups


def _kind_of(places: Sequence[int], rows: Sequence[Row], rules: Rules, said: Means) -> Means:
    """Return what columns of sides hold: points of hands, changes or running scores."""
    listed = [numbers for row in rows if (numbers := numbers_in(row, places)) is not None]
    filled = [each for each in listed if any(value is not None for value in each)]
    if said == Means.BEFORE or not filled:
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
    if said in (Means.CHANGE, Means.SCORE) or (said == Means.POINTS and are_points):
        return said
    return Means.SCORE if _runs(filled, rules) else Means.CHANGE


def _beside_points(places: Sequence[int], points: Sequence[int], rows: Sequence[Row]) -> Means:
    """Return whether columns run on or are of each hand, by the points that stand beside them."""
    runs = changes = 0
    before: list[int | None] | None = None
    for row in rows:
        now, taken = numbers_in(row, places), numbers_in(row, points)
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
        now, bid = numbers_in(row, places), bid_in(row, at)
        if now is not None and bid is not None:
            alone += -bid in now
            pairs = zip(now, before, strict=True) if before else ()
            steps += any((new or 0) - (old or 0) == -bid for new, old in pairs)
        before = now
    return steps > alone


def _runs(listed: Sequence[Sequence[int | None]], rules: Rules) -> bool:
    """Do numbers run on from row to row?

    Then they grow beyond what a hand can bring. Or, where only one side scores in a hand, one of
    them alone differs from the row before, while others are not nothing.
    """
    most = 2 * max(rules.all_points, rules.max_bid)
    if any(abs(value) > most for row in listed for value in row if value is not None):
        return True
    whole = [row for row in listed if None not in row]
    alone = [sum(value != 0 for value in row) <= 1 for row in whole]
    steps = [
        sum(old != new for old, new in zip(before, row, strict=True)) <= 1
        for before, row in itertools.pairwise(whole)
    ]
    return is_most(steps) and not is_most(alone)


# --- Columns whose headings say nothing: what stands in them may say it, never for sure


def _guessed(
    columns: Sequence[Column], labels: Sequence[str], rows: Sequence[Row], rules: Rules
) -> list[Column]:
    """Return columns, and of those with a heading that nobody knows what their cells speak for.

    These are days, results in words, names that come in turn as the deal does, and otherwise names
    of those who deal or whose columns there are. Numbers by themselves speak for nothing.
    """
    found = list(columns)
    people = {name_key(name) for label in labels for name in names_in(label)}
    for place, each in enumerate(columns):
        means: Means | None = each.means
        cells = cells_in(rows, each.index)
        if means == Means.IGNORE and not each.of:
            means = _guess(cells, people, {other.means for other in found}, rules)
            if means is not None:
                found[place] = replace(each, means=means, sure=Sure.GUESSED)
        if means == Means.DEALER:
            people |= names_of(cells)
    return found


def _guess(
    cells: Sequence[Value], people: set[str], taken: set[Means], rules: Rules
) -> Means | None:
    if are_dates(cells) and Means.DATE not in taken:
        return Means.DATE
    if are_results(cells) and len(cells) > 1 and not taken & {Means.RESULT, Means.SET}:
        return Means.RESULT
    if not are_people(cells):
        return None
    if go_round(cells, rules) and Means.DEALER not in taken:
        return Means.DEALER
    is_known = all(any(known.startswith(name) for known in people) for name in names_of(cells))
    return Means.MAKER if people and is_known and Means.MAKER not in taken else None


def _without_headings(rows: Sequence[Row], rules: Rules) -> tuple[Column, ...]:
    """Return what the columns of a table without headings may mean."""
    width = max((len(row.cells) for row in rows), default=0)
    filled = {place: cells for place in range(width) if (cells := cells_in(rows, place))}
    found: dict[int, Column] = {}

    def say(places: Sequence[int], means: Means, of: str = "", sure: Sure = Sure.GUESSED) -> None:
        for place in places:
            found[place] = Column(letter(place), means, "", of, sure)

    say([place for place, cells in filled.items() if are_dates(cells)][:1], Means.DATE)
    numbers = [place for place in filled if are_numbers(filled[place]) and place not in found]
    scores = numbers[-rules.side_count :] if len(numbers) >= rules.side_count else []
    kind = _kind_of(scores, rows, rules, Means.IGNORE) if scores else Means.IGNORE
    for side, place in enumerate(scores if kind != Means.IGNORE else (), 1):
        say([place], kind, str(side))
    # Names that are few, the same in both, are of dealers and makers.
    names = {place: names_of(cells) for place, cells in filled.items() if are_people(cells)}
    few = [place for place, each in names.items() if 1 < len(each) <= rules.seats]
    if len(few) > 1 and len(names[few[-2]] | names[few[-1]]) <= rules.seats:
        say([few[-2]], Means.DEALER)
        say([few[-1]], Means.MAKER)
    elif len(few) == 1 and len(filled[few[0]]) > len(names[few[0]]):
        say(few, Means.DEALER if go_round(filled[few[0]], rules) else Means.MAKER)
    left = [place for place in numbers if place not in found and are_bids(filled[place], rules)]
    say(left[:1], Means.BID)
    left = [place for place in filled if place not in found and are_results(filled[place])]
    say(left[:1], Means.RESULT)
    say([place for place in filled if place not in found], Means.IGNORE, sure=Sure.NOT_KNOWN)
    return tuple(found[place] for place in sorted(found))
