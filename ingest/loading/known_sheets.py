"""Which stored sheet a score sheet is, when others of its name are stored as well.

Ids of hands begin with the name of their sheet, and clubs give many sheets one name. A sheet whose
name is that of another one, of other people or of another year without dates, gets the next name
that is free: ``scores-2``. Loaded again it is known by its people and rows, and keeps that name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final, Protocol

from msgspec import UNSET
from msgspec.structs import replace

from ingest.reading.forgotten import Forgotten
from ingest.reading.forgotten_hands import of_line
from ingest.reading.sources import find_sources
from ingest.score_sheets.hands import EXT
from ingest.score_sheets.reader import read_sheets
from ingest.score_sheets.settings import SheetSettings
from schemas.hand import Hand

_MOST_COMPARED: Final = 40
"""Stored hands of a name that a sheet is compared with."""
_LEAST_ROWS: Final = 3
"""Rows in the same places from which on they may tell another year."""
_MOST_AGREE: Final = 0.2
"""The share of rows that agree by chance at most; from there on a sheet is one with corrections."""


class Stored(Protocol):
    """The hands of a warehouse."""

    def ids(self, start: str) -> Sequence[str]:
        """Return the ids that begin so."""

    def hand(self, hand_id: str) -> Hand:
        """Return the hand of an id."""


def recognised(
    settings: SheetSettings,
    paths: Iterable[str | Path],
    stored: Stored | None,
    forgotten: Forgotten | None = None,
    *,
    correct: bool = False,
) -> SheetSettings:
    """Return settings with names for the files whose own name is that of another sheet.

    ``correct`` says that each takes the place of a stored one: then it gets no name that is free,
    and rows that differ are no sign of another year.
    """
    sources = [each for each in find_sources(paths) if not each.is_pipe]
    often = Counter(settings.called(each.name) for each in sources)
    here: dict[str, dict[str, Hand]] = {}
    for source in sources:
        base = settings.called(source.name)
        if often[base] == 1 and not (stored and stored.ids(f"{base}:")):
            continue
        lines = read_sheets(settings, source)
        read = (of_line(each, forgotten) if forgotten else each for each in lines)
        new = {each.hand.id.removeprefix(base): each.hand for each in read if each.hand}
        name = _name_of(base, new, stored, here, correct=correct)
        here[name] = here.get(name, {}) | new
        if name != base:
            settings = replace(settings, names={**settings.names, source.name: name})
    return settings


def are_of_one_table(some: Iterable[Hand], others: Iterable[Hand]) -> bool:
    """Whether half of those who play in some hands, at least, play in the others, too."""
    people = [{player.id for hand in hands for player in hand.players} for hands in (some, others)]
    return 2 * len(people[0] & people[1]) >= min(map(len, people))


def _name_of(
    base: str,
    new: Mapping[str, Hand],
    stored: Stored | None,
    here: Mapping[str, dict[str, Hand]],
    *,
    correct: bool,
) -> str:
    """Return the name under which a sheet is stored, or the first that is free."""
    of_one_table: list[str] = []
    for number in count(1):
        name = base if number == 1 else f"{base}-{number}"
        old = (_stored(name, new, stored) if stored else {}) | here.get(name, {})
        if not old:
            free = name
            break
        if are_of_one_table(new.values(), old.values()):
            if not _are_of_another_year(new, old):
                return name
            of_one_table.append(name)
    return [*of_one_table, base][0] if correct else free


def _stored(name: str, new: Mapping[str, Hand], stored: Stored) -> dict[str, Hand]:
    """Return hands that are stored of sheets of a name, in the same places as new ones if any."""
    ends = [each.removeprefix(name) for each in stored.ids(f"{name}:")]
    ends = [each for each in ends if each in new] or ends
    hands = {each: stored.hand(name + each) for each in ends[:: len(ends) // _MOST_COMPARED + 1]}
    return {each: hand for each, hand in hands.items() if hand.ext is not UNSET and EXT in hand.ext}


def _are_of_another_year(new: Mapping[str, Hand], old: Mapping[str, Hand]) -> bool:
    """Whether rows without a day stand in the same places and say something else."""
    both = [
        (hand, old[place])
        for place, hand in new.items()
        if place in old and hand.started_at is UNSET and old[place].started_at is UNSET
    ]
    agree = sum(_says_the_same(*each) for each in both)
    return len(both) >= _LEAST_ROWS and agree < _MOST_AGREE * len(both)


def _says_the_same(one: Hand, other: Hand) -> bool:
    """Whether two rows have the same contract, or the same numbers in any column of the sides."""
    if one.known is not UNSET and one.known == other.known:
        return True
    claims = one.claimed, other.claimed
    first, second = (
        [each.points, each.change, each.scores] if each is not UNSET else [] for each in claims
    )
    return any(each is not UNSET and each in second for each in first)
