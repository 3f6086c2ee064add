"""Rows above the hands: what their words say of the columns below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from tricklog.ingest.score_sheets.grid import Row, Value, shown
from tricklog.ingest.score_sheets.values import attempt, date, is_number
from tricklog.ingest.score_sheets.words import (
    HEADERS,
    NEW_GAME,
    NUMBERED,
    OF_A_SIDE,
    OPEN,
    PASSES,
    RESULTS,
    SIDES,
    TOTALS,
    Means,
    key,
)
from tricklog.ingest.text_form.folding import fold

_AND: Final = re.compile(r"\s*(?:&|\+|/|,|-)\s*|\s+(?:and|och|ja|y|e|und|with)\s+", re.IGNORECASE)
"""Between the two names of a pair."""
_LONGEST: Final = 60
"""Characters of a cell that may be a heading."""
_LEAST: Final = 2
"""Cells of a row of headings."""


class Heading(NamedTuple):
    """What the heading of a column says."""

    text: str = ""
    means: Means | None = None
    label: str = ""
    """Whose column it is: a player, a pair, ``We``; empty where it says none."""
    is_exact: bool = False
    """Whether all of it is known words."""

    @property
    def side(self) -> str:
        """Which side its label says: ``1``, ``2``, ``makers``, ``defenders``; empty for a name."""
        return SIDES.get(key(self.label), "")


def heading_of(text: str) -> Heading:
    """Return what a heading says: ``Points Ann & Cy``, ``Bidder``, ``We``."""
    said = key(text)
    if said in HEADERS:
        return Heading(text, Means(HEADERS[said]), "", is_exact=True)
    if said in SIDES:
        return Heading(text, None, text, is_exact=True)
    counted = HEADERS.get(" ".join(word for word in said.split() if word not in NUMBERED))
    if counted in (Means.GAME, Means.HAND):
        return Heading(text, Means(counted), "", is_exact=True)
    words = [word for word in re.split(r"[\s:()\[\]]+|(?<=\w)[-–](?=\s|$)", text.strip()) if word]
    # The longest meaning first, with the words that are left.
    for length in range(len(words) - 1, 0, -1):
        for head, rest in ((words[:length], words[length:]), (words[-length:], words[:-length])):
            means = HEADERS.get(key(" ".join(head)), "")
            if means in OF_A_SIDE:
                label = " ".join(rest)
                return Heading(text, Means(means), label, is_exact=key(label) in SIDES)
    may_be_name = any(c.isalpha() for c in text) and len(text) <= _LONGEST
    return Heading(text, None, text if may_be_name else "")


def names_in(label: str) -> list[str]:
    """Return the players whom a heading names; none of ``We`` and ``They``."""
    if not label or key(label) in SIDES:
        return []
    return [part for part in _AND.split(label) if part.strip()]


def _is_text(value: Value) -> bool:
    """Whether a cell may be a heading: words, and neither number nor date."""
    if not isinstance(value, str) or len(value) > _LONGEST or is_number(value):
        return False
    return attempt(date, value) is None


def is_header(row: Row, below: Row | None) -> bool:
    """Whether a row has the headings of the rows below it."""
    filled = row.filled
    if len(filled) < _LEAST or not all(map(_is_text, filled.values())):
        return False
    headings = {place: heading_of(shown(cell)) for place, cell in filled.items()}
    known = [
        each.means is not None or key(each.text) in SIDES or key(each.text) in OPEN
        for each in headings.values()
    ]
    numbers = [place for place in filled if below is not None and is_number(below.cell(place))]
    named = [place for place in numbers if headings[place].means is None]
    if sum(known) >= _LEAST and (sum(known) + len(named)) * 2 >= len(filled):
        return True
    # Names alone head columns of numbers.
    return not any(known) and len(numbers) == len(filled) and len(set(row.cells)) > 1


def is_unknown_header(row: Row, below: Row | None) -> bool:
    """Whether the first row of a table has headings in words that are not known.

    All of it is words, none of them said of a hand, and a number stands below one of them.
    """
    filled = row.filled
    words = [key(shown(cell)) for cell in filled.values()]
    return (
        below is not None
        and len(filled) >= _LEAST
        and len(set(words)) == len(words)
        and all(_is_text(cell) and any(map(str.isalpha, shown(cell))) for cell in filled.values())
        and not any(word in PASSES or (word in RESULTS and word not in HEADERS) for word in words)
        and any(is_number(below.cell(place)) for place in filled)
    )


def has_said(texts: Sequence[str], said: frozenset[str]) -> bool:
    """Whether texts are the headings that a mapping names: two of them, or the one there is."""
    found = {key(text) for text in texts if text} & said
    return bool(said) and len(found) >= min(_LEAST, len(said))


def is_upper_header(row: Row, below: Row) -> bool:
    """Whether a row groups the headings of the row below: ``Points`` over two names."""
    filled = row.filled.values()
    if not filled or not all(map(_is_text, filled)):
        return False
    if not any(heading_of(shown(cell)).means or key(shown(cell)) in SIDES for cell in filled):
        return False
    return is_header(below, None) or all(map(_is_text, below.filled.values()))


def joined(upper: Row, lower: Row) -> list[str]:
    """Return the headings of two rows as one.

    A group goes on over the empty cells beside it, but for a known single word.
    """
    found, group = [], ""
    for place in range(max(len(upper.cells), len(lower.cells))):
        over, under = shown(upper.cell(place)), shown(lower.cell(place))
        group = over or group
        goes_on = HEADERS.get(key(group), "") in OF_A_SIDE or key(group) in SIDES
        if over == under or not under:
            found.append(over)
        else:
            found.append(f"{group if goes_on else over} {under}".strip())
    return found


def is_footer(row: Row) -> bool:
    """Whether a row is the foot of a table: totals, winners."""
    first = next(iter(row.filled.values()), None)
    if not isinstance(first, str):
        return False
    said = key(first)
    return said in TOTALS or any(said.startswith(f"{word} ") for word in TOTALS)


def title_of(row: Row) -> str:
    """Return the text of a row with nothing else in it: an evening, a game, a remark."""
    filled = set(map(shown, row.filled.values()))
    return filled.pop() if len(filled) == 1 else ""


def begins_game(title: str) -> bool:
    """Whether a title begins a game: ``Game 3``."""
    return NEW_GAME.fullmatch(" ".join(fold(title).split())) is not None


def texts_of(row: Row) -> list[str]:
    """Return the cells of a row of headings as text."""
    return [shown(cell) for cell in row.cells]
