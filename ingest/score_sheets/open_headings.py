"""Headings that leave open what they mean: words of several meanings, and words nobody knows.

What stands below decides, where it speaks for one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.evidence import (
    are_numbers,
    are_of_sides,
    are_people,
    cells_in,
    names_of,
    speaks_for,
)
from tricklog.ingest.score_sheets.grid import Row
from tricklog.ingest.score_sheets.headers import Heading, names_in
from tricklog.ingest.score_sheets.words import COLOURS, OF_A_SIDE, OPEN, SIDES, Means, key
from tricklog.ingest.text_form.folding import name_key

_TWO = 2
"""Sides of two partners each."""


def decided(heads: Sequence[Heading], rows: Sequence[Row], rules: Rules) -> list[Heading]:
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


def without_strangers(heads: Sequence[Heading], rows: Sequence[Row], rules: Rules) -> list[Heading]:
    """Return headings, and of those that nobody knows only the names of sides and players.

    A name is one over a column of numbers: that of a pair; that of somebody who deals or bids; or
    one whose numbers are those of a side.
    """
    strange = [place for place, head in enumerate(heads) if _is_stranger(head)]
    kept = set(_sides_among(strange, heads, rows, rules))
    return [
        head if place not in strange or place in kept else Heading(head.text)
        for place, head in enumerate(heads)
    ]


def _is_stranger(head: Heading) -> bool:
    return head.means is None and bool(head.label) and key(head.label) not in SIDES


def _sides_among(
    strange: Sequence[int], heads: Sequence[Heading], rows: Sequence[Row], rules: Rules
) -> Sequence[int]:
    if not rows:
        return strange
    numeric = [place for place in strange if are_numbers(cells_in(rows, place))]
    labels = {head.label for head in heads if head.means in OF_A_SIDE and head.label}
    if same := [place for place in numeric if heads[place].label in labels]:
        return same
    said = {place: COLOURS.get(key(heads[place].label)) for place in numeric}
    both = {colour: place for place, colour in said.items() if colour}
    if len(both) == _TWO:
        return list(both.values())
    is_alone = rules.side_count == rules.seats
    named = [
        place
        for place in numeric
        if len(names_in(heads[place].label)) > 1 or _plays(heads[place].label, heads, rows)
    ]
    are_people = all(len(names_in(heads[place].label)) == 1 for place in numeric)
    if named and are_people and len(numeric) == rules.seats:
        # Where each player has a column, some need neither deal nor bid.
        return numeric
    if named or (is_alone and not _names(heads, rows)):
        return named or numeric
    known = {head.label for head in heads if head.label and not _is_stranger(head)}
    if known:
        # Sides are named elsewhere, so these are others.
        return ()
    bid_at = next((at for at, head in enumerate(heads) if head.means == Means.BID), None)
    for group in itertools.pairwise(numeric) if rules.side_count == _TWO else ():
        if are_of_sides(rows, group, bid_at, rules):
            return group
    return ()


def _names(heads: Sequence[Heading], rows: Sequence[Row]) -> set[str]:
    """Return the names of those who deal or bid."""
    columns = [cells_in(rows, place) for place, head in enumerate(heads) if _is_of_player(head)]
    return {name for cells in columns if are_people(cells) for name in names_of(cells)}


def _is_of_player(head: Heading) -> bool:
    return head.means in (Means.DEALER, Means.MAKER)


def _plays(label: str, heads: Sequence[Heading], rows: Sequence[Row]) -> bool:
    wanted = name_key(label)
    return any(name.startswith(wanted) or wanted.startswith(name) for name in _names(heads, rows))


def labels_of(heads: Sequence[Heading]) -> list[str]:
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
