"""Score sheets that take the place of what was loaded of them before.

A stored hand gives way only to its own sheet: it was read from one of the same name, and the sheet
now has another row in its place, or none. Hands of other sheets and of logs are not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection
from msgspec import UNSET

from tricklog.ingest.loading.known_sheets import (
    Said,
    agree,
    are_of_one_table,
    emptied,
    of_other_days,
    said_in,
)
from tricklog.ingest.loading.superseding import GivesWay, Superseded
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.forgotten_hands import of_line
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.store import warehouse
from tricklog.schemas.hand import Hand, content_hash


class _Row(NamedTuple):
    """What one row says now."""

    hand: Hand
    content: str
    place: Any
    said: Said


@dataclass(slots=True)
class _Sheet:
    """What one sheet says now."""

    hands: dict[str, _Row] = field(default_factory=dict)
    """By the id of each hand."""
    games: set[str] = field(default_factory=set)
    tables: list[Hand] = field(default_factory=list)
    """A hand of each table that plays."""
    days: list[str] = field(default_factory=list)
    """The first and the last day, where it has any."""

    def add(self, hand: Hand) -> None:
        self.hands[hand.id] = _Row(hand, content_hash(hand), _place_of(hand), said_in(hand))
        if not self.tables or self.tables[-1].players != hand.players:
            self.tables.append(hand)
        if hand.game is not UNSET:
            self.games.add(hand.game)
        day = _day_of(hand)
        if day:
            self.days = [min([day, *self.days]), max([day, *self.days])]

    def covers(self, hand: Hand) -> bool:
        """Whether a hand is of a game of the sheet, or of a day between its first and its last."""
        day = _day_of(hand)
        is_within = bool(day and self.days) and self.days[0] <= day <= self.days[-1]
        return hand.game in self.games or is_within


@dataclass(slots=True)
class _Day:
    """What is stored of a sheet and a day, beside what the sheet says now."""

    stored: int = 0
    same: int = 0
    """Hands of which the sheet says mostly what it said."""
    gone: int = 0
    players: dict[str, None] = field(default_factory=dict)
    emptied: dict[str, None] = field(default_factory=dict)
    """Columns of which a cell says nothing any more."""

    def add(self, hand: Hand, now: _Row | None, *, gives_way: bool) -> None:
        self.stored += 1
        if now:
            self.same += agree(now.said, said_in(hand))
            self.emptied |= dict.fromkeys(emptied(now.hand, hand))
        if gives_way:
            self.gone += 1
            self.players |= dict.fromkeys(player.name or player.id for player in hand.players)


class OtherPeopleError(warehouse.WarehouseError):
    """Stored hands of the name of a sheet, by people who do not play in it: they are another's."""


def superseded(
    current: Path | None,
    settings: SheetSettings,
    paths: Iterable[str | Path],
    forgotten: Forgotten | None = None,
) -> Superseded:
    """Return the stored hands that score sheets take the place of.

    Whoever was ``forgotten`` has another id in what is stored than in the sheets.
    A row is missed only from a sheet of which every row could be read.

    Raises ``OtherPeopleError`` where a hand that would give way is of another table.
    """
    if current is None:
        return Superseded()
    sheets, is_whole = _read(settings, paths, forgotten)
    corrected, taken_out, moved, touched = [], [], [], set()
    days: dict[tuple[str, str], _Day] = {}
    with closing(warehouse.open_file(current, once=True)) as connection:
        for (prefix, name), sheet in sheets.items():
            stored = list(_stored(connection, prefix, name))
            renamed = _days_renamed(sheet, [hand for hand, _ in stored])
            for hand, content in stored:
                now = sheet.hands.get(hand.id)
                is_corrected = now is not None and now.content != content
                is_left = sheet.covers(hand) or _day_of(hand) in renamed
                is_gone = now is None and is_whole and is_left
                if now or is_gone:
                    day = days.setdefault((prefix.removesuffix(":"), _day_of(hand)), _Day())
                    day.add(hand, now, gives_way=is_corrected or is_gone)
                if is_corrected:
                    corrected.append(hand.id)
                elif now and now.place != _place_of(hand):
                    moved.append(hand.id)
                elif is_gone:
                    taken_out.append(hand.id)
                else:
                    continue
                _need_the_table_of(sheet, hand, prefix)
                if hand.game is not UNSET:
                    touched.add(hand.game)
    gone = [
        GivesWay(
            *of,
            list(day.players),
            day.gone,
            day.stored,
            is_plain=2 * day.same > day.stored and not day.emptied,
            emptied=list(day.emptied),
        )
        for of, day in days.items()
        if day.gone
    ]
    return Superseded(corrected, taken_out, moved, sorted(touched), days=gone)


def _days_renamed(sheet: _Sheet, stored: Sequence[Hand]) -> set[str]:
    """Return the days under which hands are stored that have another day on the sheet now."""
    known = {hand.id: hand for hand in stored}
    fresh = {hand_id: row.hand for hand_id, row in sheet.hands.items() if hand_id not in known}
    left = {
        hand_id: hand
        for hand_id, hand in known.items()
        if hand_id not in sheet.hands and not sheet.covers(hand)
    }
    return {_day_of(left[each]) for each in of_other_days(fresh, left).values()}


def _need_the_table_of(sheet: _Sheet, hand: Hand, prefix: str) -> None:
    """Raise ``OtherPeopleError`` for a stored hand that other people than those here played."""
    if are_of_one_table([hand], sheet.tables):
        return
    names = ", ".join(player.name or player.id for player in hand.players)
    raise OtherPeopleError(
        f"The hands stored as {prefix.removesuffix(':')} are of {names}, who do not play in this "
        "sheet: it is another one of the same name. Load it without --correct; then its hands get "
        "ids of their own."
    )


def _read(
    settings: SheetSettings, paths: Iterable[str | Path], forgotten: Forgotten | None
) -> tuple[dict[tuple[str, str], _Sheet], bool]:
    sheets: dict[tuple[str, str], _Sheet] = {}
    is_whole = True
    for read in read_sheets(settings, *paths):
        line = of_line(read, forgotten) if forgotten else read
        is_whole &= line.reject is None
        if line.hand:
            of = _sheet_of(line.hand, line.file, settings)
            sheets.setdefault(of, _Sheet()).add(line.hand)
    return sheets, is_whole


def _sheet_of(hand: Hand, file: str, settings: SheetSettings) -> tuple[str, str]:
    """Return how the ids of the hands of a sheet begin, and its name in its workbook."""
    name = str((_place_of(hand) or {}).get("sheet", ""))
    source = settings.called(file.removesuffix(f"[{name}]"))
    return f"{':'.join(filter(None, (source, name)))}:", name


def _stored(connection: DuckDBPyConnection, prefix: str, name: str) -> Iterable[tuple[Hand, str]]:
    query = "SELECT hand_id FROM hands WHERE starts_with(hand_id, $prefix) ORDER BY hand_id"
    ids = [each for (each,) in connection.execute(query, {"prefix": prefix}).fetchall()]
    for stored in warehouse.hands(connection, ids):
        hand = stored.hand
        place = _place_of(hand)
        if place is not None and str(place.get("sheet", "")) == name:
            yield hand, stored.content_hash


def _place_of(hand: Hand) -> dict[str, Any] | None:
    """Return where on its sheet a hand stands; nothing for a hand of no sheet."""
    place = hand.ext.get(EXT) if hand.ext is not UNSET else None
    return place if isinstance(place, dict) else None


def _day_of(hand: Hand) -> str:
    return "" if hand.started_at is UNSET else str(hand.started_at)[:10]
