"""What the columns of a sheet mean, by their headings and by what stands in them, and how sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets.by_content import guessed, recognise_by_content
from tricklog.ingest.score_sheets.grid import Row, letter
from tricklog.ingest.score_sheets.headers import Heading, heading_of, names_in
from tricklog.ingest.score_sheets.kinds import kinds_of
from tricklog.ingest.score_sheets.open_headings import decided, labels_of, without_strangers
from tricklog.ingest.score_sheets.settings import Column, Sure
from tricklog.ingest.score_sheets.words import OF_A_SIDE, SIDES, Means, key

_LOOKED_AT: Final = 400
"""Rows that are looked at."""


class Recognised(NamedTuple):
    """What is known of the columns below a heading."""

    columns: tuple[Column, ...]
    labels: tuple[str, ...] = ()
    """Whose columns they are: of column ``of`` 1, 2 …"""


def recognise(headings: Sequence[str], rows: Sequence[Row], rules: Rules) -> Recognised:
    """Return what columns mean; ``headings`` may be empty, ``rows`` are those below."""
    rows = [row for row in rows[:_LOOKED_AT] if not row.is_blank]
    if not any(headings):
        return Recognised(recognise_by_content(rows, rules))
    heads = _opponents([heading_of(text) if text else Heading() for text in headings])
    heads = _alike(heads)
    heads = without_strangers(decided(heads, rows, rules), rows, rules)
    labels = labels_of(heads)
    are_partners = rules.side_count < rules.seats
    columns = [
        Column(letter(place), *_first_guess(head, labels, are_partners=are_partners))
        for place, head in enumerate(heads)
        if head.text or any(row.cell(place) is not None for row in rows)
    ]
    columns = _numbered(columns, rules)
    columns = guessed(kinds_of(columns, rows, rules), labels, rows, rules)
    return Recognised(tuple(_once(columns)), tuple(labels))


def _opponents(heads: list[Heading]) -> list[Heading]:
    """Read ``Opponents`` beside ``We`` as the other side, whoever bids."""
    sides = {SIDES.get(key(head.label), "") for head in heads}
    if "1" not in sides or "2" in sides or "makers" in sides:
        return heads
    return [
        head._replace(label="They") if SIDES.get(key(head.label)) == "defenders" else head
        for head in heads
    ]


def _alike(heads: list[Heading]) -> list[Heading]:
    """Give one side one label, however its headings spell it: ``We``, ``Score we``, ``Our score``.

    Other words for a side of the table are of the same one; names are compared without case.
    """
    spelled: dict[str, str] = {}
    found = []
    for head in heads:
        side = SIDES.get(key(head.label), "")
        same = side if side.isdecimal() else key(head.label)
        label = spelled.setdefault(f"{side.isdecimal()} {same}", head.label) if same else ""
        found.append(head._replace(label=label))
    return found


def _first_guess(
    head: Heading, labels: Sequence[str], *, are_partners: bool
) -> tuple[Means, str, str, int]:
    """Return meaning, heading, whose it is and how sure; of a name alone the kind is open."""
    side = SIDES.get(key(head.label), "")
    of = side if side in ("makers", "defenders") else ""
    if not of and head.label in labels:
        of = str(labels.index(head.label) + 1)
    sure = Sure.EXACT if head.is_exact else Sure.IN_PART
    if head.means is None and not side and len(names_in(head.label)) == 1:
        # One name may be of a team, or of nobody; the numbers below spoke for it.
        sure = Sure.GUESSED if are_partners else sure
    if head.means is None:
        return (Means.IGNORE, head.text, of, sure if of else Sure.NOT_KNOWN)
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
            of, sure = str(seen[each.means]), Sure.BY_CONTENT
        elif counts[each.means] == 1 and each.means in (Means.POINTS, Means.CHANGE):
            of, sure = "makers", Sure.BY_CONTENT
        means = each.means if of else Means.IGNORE
        found.append(Column(each.at, means, each.header, of, sure if of else Sure.NOT_KNOWN))
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
        else Column(each.at, Means.IGNORE, each.header, "", Sure.NOT_KNOWN)
        for each in columns
    ]
