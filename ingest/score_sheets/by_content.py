"""Columns whose headings say nothing: what stands in them may say it, never for sure."""

from __future__ import annotations

from collections.abc import Sequence

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.evidence import (
    are_bids,
    are_dates,
    are_numbers,
    are_people,
    are_results,
    cells_in,
    go_round,
    names_of,
)
from tricklog.ingest.score_sheets.grid import Row, Value, letter
from tricklog.ingest.score_sheets.headers import names_in
from tricklog.ingest.score_sheets.kinds import kind_of
from tricklog.ingest.score_sheets.settings import Column, Sure
from tricklog.ingest.score_sheets.words import Means
from tricklog.ingest.text_form.folding import name_key


def guessed(
    columns: Sequence[Column], labels: Sequence[str], rows: Sequence[Row], rules: Rules
) -> list[Column]:
    """Return columns, and of those with a heading that nobody knows what their cells speak for.

    These are days, results in words, names that come in turn as the deal does, and otherwise names
    of those who deal or whose columns there are. Numbers by themselves speak for nothing.
    """
    found = list(columns)
    people = {name_key(name) for label in labels for name in names_in(label)}
    for place, each in enumerate(columns):
        if each.means == Means.IGNORE and not each.of:
            cells = cells_in(rows, each.index)
            taken = {other.means for other in found}
            means = _guess(cells, people, taken, rules)
            if means == Means.DEALER:
                people |= names_of(cells)
            if means is not None:
                found[place] = Column(each.at, means, each.header, "", Sure.GUESSED)
        elif each.means == Means.DEALER:
            people |= names_of(cells_in(rows, each.index))
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
    names = names_of(cells)
    is_known = all(any(known.startswith(name) for known in people) for name in names)
    return Means.MAKER if people and is_known and Means.MAKER not in taken else None


def recognise_by_content(rows: Sequence[Row], rules: Rules) -> tuple[Column, ...]:
    """Return what the columns of a table without headings may mean."""
    width = max((len(row.cells) for row in rows), default=0)
    filled = {place: cells for place in range(width) if (cells := cells_in(rows, place))}
    found: dict[int, Column] = {}

    def say(place: int, means: Means, of: str = "") -> None:
        found[place] = Column(letter(place), means, "", of, Sure.GUESSED)

    for place in [place for place, cells in filled.items() if are_dates(cells)][:1]:
        say(place, Means.DATE)
    numbers = [
        place for place, cells in filled.items() if are_numbers(cells) and place not in found
    ]
    scores = numbers[-rules.side_count :] if len(numbers) >= rules.side_count else []
    kind = kind_of(scores, rows, rules, Means.IGNORE) if scores else Means.IGNORE
    for side, place in enumerate(scores, 1):
        if kind != Means.IGNORE:
            say(place, kind, str(side))
    for place, means in _players(filled, rules):
        say(place, means)
    left = [place for place in numbers if place not in found]
    for place in [place for place in left if are_bids(filled[place], rules)][:1]:
        say(place, Means.BID)
    for place in [place for place in filled if place not in found and are_results(filled[place])][
        :1
    ]:
        say(place, Means.RESULT)
    for place in filled:
        found.setdefault(place, Column(letter(place), Means.IGNORE, "", "", Sure.NOT_KNOWN))
    return tuple(found[place] for place in sorted(found))


def _players(filled: dict[int, list[Value]], rules: Rules) -> list[tuple[int, Means]]:
    """Return the columns of dealers and makers: names that are few, the same in both."""
    names = {place: names_of(cells) for place, cells in filled.items() if are_people(cells)}
    places = [place for place, each in names.items() if 1 < len(each) <= rules.seats]
    if len(places) > 1 and len(names[places[-2]] | names[places[-1]]) <= rules.seats:
        return [(places[-2], Means.DEALER), (places[-1], Means.MAKER)]
    if len(places) == 1 and len(filled[places[0]]) > len(names[places[0]]):
        turns = go_round(filled[places[0]], rules)
        return [(places[0], Means.DEALER if turns else Means.MAKER)]
    return []
